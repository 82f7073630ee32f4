"""Letters in: whose each is, what is in it, what becomes of it, and what its sender is told.

For each letter, in this order: the orders are put into the inbox, the answer into the outbox, the letter into the
journal, and then the message is moved. A run that is killed anywhere in between is made up for by the next: each of
these does nothing the second time.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from gm.kernel.campaign.receiving import Fate as FileFate
from gm.kernel.campaign.receiving import Verdict, claim_of, receive
from gm.mail.compose import Writer
from gm.mail.identity import folded, realms_of, vouched_realm
from gm.mail.letter import Kind, Letter, read_letter
from gm.mail.outbox import State
from gm.mail.post import Post
from gm.mail.sources import Fate, Message, Source

READ = "mailbox read"
"""The remark that the whole mailbox was read, which the outage guard asks for."""

UNSUBSCRIBED = "unsubscribed"


@dataclass
class Fetched:
    """What a round of fetching came to, for the GM's terminal: each letter's outcome in a few words."""

    letters: list[tuple[str, str, str]] = field(default_factory=list)
    """(sender, subject, outcome)"""
    verdicts: list[Verdict] = field(default_factory=list)
    seen: int = 0

    def tell(self, letter: Letter, outcome: str) -> None:
        self.letters.append((letter.sender or "(nobody)", letter.subject, outcome))


def fetch(post: Post, source: Source, now: datetime) -> Fetched:
    """Deal with every message that waits. Raises ``MailboxError`` when the mailbox fails; what was done stays done."""
    fetched = Fetched()
    for message in source.waiting():
        fetched.seen += 1
        source.put(message, _deal_with(post, message, now, fetched))
    post.letters.remark(now, READ, letters=fetched.seen)
    return fetched


def _deal_with(post: Post, message: Message, now: datetime, fetched: Fetched) -> Fate:
    """One message; returns where it belongs."""
    too_large = message.size > post.settings.care.letter_limit
    data = message.head() if too_large else message.read()
    if not data:  # it was taken away meanwhile
        return Fate.DONE
    letter = read_letter(data, trusted=post.settings.trusted)
    if too_large:
        letter = replace(letter, files=(), advice=("too-large",))
    if post.letters.knows(letter):
        return Fate.DONE
    # what lay in the mailbox before the deadline is in time, however late it is fetched
    arrived = min(message.arrived, now) if message.arrived else now
    outcome, fate = _outcome(post, letter, now, arrived, fetched)
    fetched.tell(letter, outcome)
    return fate


def _outcome(post: Post, letter: Letter, now: datetime, arrived: datetime, fetched: Fetched) -> tuple[str, Fate]:
    if letter.kind is not Kind.PERSON:
        return _from_no_person(post, letter, now)
    vouched = vouched_realm(post.campaign, letter)
    if vouched and letter.subject.lower().lstrip().startswith("unsubscribe"):
        post.letters.remark(now, UNSUBSCRIBED, realm=vouched)
        post.letters.note(letter, now, "wants no reminders", realm=vouched)
        return f"{vouched} wants no reminders", Fate.DONE
    if not letter.files:
        return _without_orders(post, letter, now, vouched)
    return _with_orders(post, letter, now, arrived, vouched, fetched)


def _from_no_person(post: Post, letter: Letter, now: datetime) -> tuple[str, Fate]:
    """What machines send is never answered and never read for orders: it may hold our own templates, keys and all."""
    if letter.kind is Kind.BOUNCE and (number := post.is_own_id(letter.bounce_of)):
        if post.outbox.find(number).state is not State.BOUNCED:
            post.outbox.mark(number, State.BOUNCED, now, letter.subject)
        post.letters.note(letter, now, "bounce", message=number)
        return f"could not be delivered to {post.outbox.find(number).to}", Fate.ASIDE
    post.letters.note(letter, now, letter.kind.value)
    return f"left alone: {letter.kind.value}", Fate.DONE if letter.kind is Kind.OWN else Fate.ASIDE


def _without_orders(post: Post, letter: Letter, now: datetime, vouched: str) -> tuple[str, Fate]:
    """A letter in which no orders were found: its sender is told what to do if he is a player, at his own address."""
    for realm in sorted({*realms_of(post.campaign, letter.sender), *([vouched] if vouched else [])}):
        if (to := post.address(realm)) and post.may_answer(to, now):
            post.queue(Writer(post, now).advice(realm, letter), now)
    post.letters.note(letter, now, "no orders", advice=list(letter.advice))
    return f"no orders in it ({', '.join(letter.advice)})", Fate.ASIDE


def _with_orders(
    post: Post, letter: Letter, now: datetime, arrived: datetime, vouched: str, fetched: Fetched
) -> tuple[str, Fate]:
    offers = [replace(offer, vouched=vouched) for offer in letter.files]
    claims = {offer: claim_of(post.campaign, offer) for offer in offers}
    proven = [offer for offer in offers if claims[offer].proven]
    if not proven:
        return _unproven(post, letter, now, {claim.realm for claim in claims.values()})
    inbox = post.campaign.folder.inbox(post.campaign.next_turn)
    before = {
        realm: arrival.data for realm, arrival in inbox.standing(seat.code for seat in post.campaign.seats).items()
    }
    verdicts = receive(post.campaign, proven, arrived)
    fetched.verdicts += verdicts
    writer = Writer(post, now)
    realms = sorted({each.realm for each in verdicts if each.realm})
    for realm in realms:
        mine = [each for each in verdicts if each.realm == realm]
        data = {offer.name: offer.data for offer in proven if claims[offer].realm == realm}
        if post.address(realm) and post.may_answer(post.address(realm), now):
            post.queue(writer.receipt(realm, letter, mine, data, before.get(realm)), now)
        if folded(letter.sender) != folded(post.address(realm)):
            _from_elsewhere(post, writer, letter, realm, now)
    fates = ", ".join(f"{each.realm or '?'} {each.fate.value}" for each in verdicts)
    post.letters.note(letter, now, fates, realms=realms, authentication=list(letter.authentication))
    bad = any(each.fate in (FileFate.SET_ASIDE, FileFate.TOO_LATE) for each in verdicts)
    return fates, Fate.ASIDE if bad else Fate.DONE


def _from_elsewhere(post: Post, writer: Writer, letter: Letter, realm: str, now: datetime) -> None:
    """A right key from an address that is not on file: it counts, and everybody who may care hears of it."""
    for to in (letter.sender, post.settings.gm):
        if to and post.may_answer(to, now):
            post.queue(writer.unknown_address(realm, letter, to), now)


def _unproven(post: Post, letter: Letter, now: datetime, claimed: set[str]) -> tuple[str, Fate]:
    """Orders without a right key or token: nothing of them is kept, the player of that realm is told, nobody else."""
    writer = Writer(post, now)
    for realm in sorted(claimed):
        if (to := post.address(realm)) and post.may_answer(to, now):
            post.queue(writer.wrong_key(realm, letter), now)
    for realm in realms_of(post.campaign, letter.sender):
        # what cannot be read at all names no realm: the player at this address hears why
        if realm not in claimed and "" in claimed and post.may_answer(post.address(realm), now):
            post.queue(writer.advice(realm, letter, letter.files), now)
    post.letters.note(letter, now, "no right key", claimed=sorted(claimed & set(post.campaign.keys)))
    return "no right key: nothing was kept", Fate.ASIDE
