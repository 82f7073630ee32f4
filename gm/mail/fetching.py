"""Letters in: whose each is, what is in it, what becomes of it, and what its sender is told.

For each letter, in this order: the orders are put into the inbox, the answer into the outbox, the letter into the
journal, and then the message is moved. A run that is killed anywhere in between is made up for by the next: each of
these does nothing the second time, and what the first would have said was written down before
(:class:`gm.mail.game_mail.Intent`)."""

import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from gm.campaign.receive import NOT_TAKEN, Claim, Offer, Proof, Verdict, claim_of, key_slip_of, receive
from gm.campaign.receive import Fate as FileFate
from gm.core.diagnostics import SourceError, fold
from gm.mail import status
from gm.mail.answers import Received, address_name, answer_name, passed_on_name
from gm.mail.attachments import IN_PAGE, IN_TEXT
from gm.mail.body_text import looks_like_orders, stand_below_words
from gm.mail.game_mail import GameMail, Intent, folded, mark_of, vouched_realm
from gm.mail.letter import Kind, Letter, without_keys
from gm.mail.outbox import State
from gm.mail.press import PressRound, PressWriter, Wanted, wanted_press
from gm.mail.requests import RequestRound, asked_of
from gm.mail.service import Service
from gm.mail.settings import LoginError
from gm.mail.source import Fate, MailboxError
from gm.store import StoreError
from gm.store.disk import make_folder, write_file
from gm.store.inbox import fingerprint

_FATAL = (OSError, StoreError, SourceError, MailboxError, LoginError)
"""What is no letter's fault: a full disk, a broken game folder or mailbox. It stops everything."""
_NAMED = 5  # addresses of a server's letter that the GM is told
_PATIENCE = 10  # times the answers of a day, for letters that are a player's own and say something new: no echo does

_COUNTS = (FileFate.TAKEN, FileFate.UNCHANGED, FileFate.OVERTAKEN)


@dataclass
class FetchResult:
    """What a round of fetching came to, for the GM's terminal: each letter's sender, subject, and outcome in a few
    words. ``troubles`` are the letters that the program could not deal with, ``problem`` what kept letters from being
    moved; ``lost`` are those of ours that came back, ``left`` the games elsewhere that letters were left for, a name a
    letter; ``failure`` is what is wrong with the game's folder, which ended the round for this game."""

    letters: list[tuple[str, str, str]] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    seen: int = 0
    troubles: list[str] = field(default_factory=list)
    problem: str = ""
    lost: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    failure: OSError | StoreError | SourceError | None = None

    def add(self, letter: Letter, outcome: str) -> None:
        self.letters.append((letter.sender or "(nobody)", letter.subject, outcome))


def deal_with(mail: GameMail, letter: Letter, now: datetime, arrived: datetime, fetched: FetchResult) -> Fate | None:
    """One letter of a game; returns where it belongs, or nothing when it has to be tried again."""
    for mark in (letter.fingerprint, mark_of(letter)):
        if known := mail.log.fates.get(mark):
            return Fate(known)
    try:
        around = _LetterRound(mail, Service(mail, now), letter, now, arrived, fetched)
        outcome, fate = around.deal_with()
    except _FATAL:
        raise
    except Exception as error:  # whatever it is: nobody else's letter may wait for this one
        fetched.troubles.append(_failure(mail, letter, error, now))
        return None
    mail.log.end(mark_of(letter))
    fetched.add(around.letter, outcome)
    return fate


def _failure(mail: GameMail, letter: Letter, error: Exception, now: datetime) -> str:
    """Keep the details of an error of the program over a letter and tell the GM, once for each; a sentence about it.
    The letter stays in the mailbox and is tried again in every round."""
    from gm import PROGRAM, __version__

    path = mail.folder / "trouble" / f"{mark_of(letter)[:16]}.txt"
    if not path.exists():
        make_folder(path.parent)
        # an error may quote the letter, and this file is to be sent to somebody
        details = without_keys("".join(traceback.format_exception(error)))
        write_file(path, f"{PROGRAM} {__version__}, fetching a letter\n\n{details}".encode("utf-8", "replace"))
    name = path.relative_to(mail.game_folder).as_posix()
    mail.queue(Service(mail, now).notice(f"trouble {mark_of(letter)}", "trouble", letter=letter, path=name), now)
    asked = f"The details are in {name} of the game's folder: please send that file to whoever maintains pbem."
    return (
        f"The letter of {letter.sender or '(nobody)'} shows an error in pbem itself and stays in the mailbox. {asked}"
    )


@dataclass
class _LetterRound(RequestRound):
    fetched: FetchResult

    def deal_with(self) -> tuple[str, Fate]:
        """Return what came of the letter in a few words, and where it belongs."""
        campaign = self.mail.campaign
        letter = self.letter
        vouched = vouched_realm(campaign, letter)
        # one that looks like one of a list or a newsletter may hold orders with the right key
        proven = (claim_of(campaign, offer.evolve(vouched=vouched)).proof for offer in letter.files)
        if letter.kind is not Kind.PERSON and not (letter.kind is Kind.LIST and any(proven)):
            return self._from_no_person()
        wish = status.requested_preference(letter)
        if wish and (realm := vouched_realm(campaign, letter, earlier=True)):
            if wish == status.VACATION:  # it changes the game: whoever runs the week sees to it
                vacation = {status.VACATION: realm, "arrived": self.arrived.isoformat()}
                return self.note("asks for a week of vacation", Fate.DONE, **vacation)
            return self.prefer(realm, wish)
        if (between := wanted_press(self.mail, letter)) is not None:
            if not any(looks_like_orders(each.data) for each in letter.files):
                return self._between_players(between)
            self.letter = letter.evolve(advice=(*letter.advice, "press"))
        elif asked := asked_of(letter, {fold(seat.name): seat.code for seat in campaign.seats}):
            if self.says_more and (writers := self.writers(vouched)):
                self._pass_on(writers[0])
            if served := self.serve(asked):
                return served
        return self._with_orders(vouched) if letter.files else self._without_orders(vouched)

    def _between_players(self, wanted: Wanted) -> tuple[str, Fate]:
        writer = PressWriter(self.mail, self.now)
        around = PressRound(self.mail, writer, self.letter, self.answer, self._pass_on)
        outcome, fate, more = around.deal_with(wanted)
        self.letter = self.letter.evolve(subject="")  # what players write to each other is no business of the GM's
        return self.note(outcome, fate, **more)

    def _advise(
        self, realm: str, offers: Sequence[Offer] = (), *, proven: bool = False, forwarded: bool = False
    ) -> None:
        """``proven``: the letter is the player's own, and is answered however many came in his name."""
        kind = "receipt" if proven else "advice"
        most = self.mail.settings.care.answers_a_day * _PATIENCE if proven else 0
        make = partial(self.write.advice, realm, self.letter, offers, kind=kind, forwarded=forwarded)
        self.answer(kind, self.mail.address(realm), answer_name("advice", self.letter, realm), make, most)

    def _from_no_person(self) -> tuple[str, Fate]:
        # never answered and never read for orders: it may hold our own templates
        letter = self.letter
        settings = self.mail.settings
        if letter.kind is Kind.BOUNCE and letter.bounce.failed:
            return self._bounced()
        number = self.mail.own_number(letter.message_id)
        shared = {folded(each) for each in settings.gms} & {folded(settings.sender), folded(settings.outward.copy_to)}
        # one of ours may tell something to a GM who has no other mailbox to read it in
        for_gm = bool(number) and folded(self.mail.outbox.entries[number].to) in shared
        fate = Fate.DONE if letter.kind is Kind.OWN and not for_gm else Fate.ASIDE
        return self.note(letter.kind.value, fate, f"left alone: {letter.kind.value}")

    def _bounced(self) -> tuple[str, Fate]:
        """A server's letter about one that could not be delivered. Our id proves that it was one of ours. Without it
        anybody may have written that: the GM is told once for each address and turn, and nothing is marked."""
        bounce = self.letter.bounce
        if number := self.mail.given_back(bounce):
            return self._came_back(number)
        turn = self.mail.campaign.next_turn
        aside = self.mail.settings.inward.aside
        entry = self.mail.supposed(bounce)
        if entry is not None:
            what = f"returned {turn} {folded(entry.to)}"
            self.mail.queue(self.write.notice(what, "returned", entry=entry, says=bounce.says, aside=aside), self.now)
            says = f"says that a letter to {entry.to} could not be delivered: {bounce.says}"
            return self.note("bounce without our id", Fate.ASIDE, says, returned=entry.to, realm=entry.realm, turn=turn)
        what = f"returned {self.now.astimezone(UTC):%Y-%m-%d}"
        values = {"entry": None, "letter": self.letter, "aside": aside, "recipients": bounce.recipients[:_NAMED]}
        self.mail.queue(self.write.notice(what, "returned", **values), self.now)
        says = "says that a letter could not be delivered, and not which"
        return self.note("bounce of an unknown letter", Fate.ASIDE, says, returned="", turn=turn)

    def _came_back(self, number: str) -> tuple[str, Fate]:
        """Return a message of ours that could not be delivered. One that is not yet sent cannot come back, whoever says
        so; one whose copy alone was not taken has reached its player."""
        outbox = self.mail.outbox
        bounce = self.letter.bounce
        settings = self.mail.settings
        entry = outbox.entries[number]
        ours = set(map(folded, (settings.outward.copy_to, settings.sender, *settings.gms))) - {folded(entry.to)}
        copy_alone = bool(bounce.recipients) and ours.issuperset(map(folded, bounce.recipients))
        if entry.state in (State.SENT, State.SENDING) and not copy_alone:
            outbox.mark(number, State.BOUNCED, self.now, bounce.says)
            self.fetched.lost.append(number)
        to = ", ".join(bounce.recipients) if copy_alone else entry.to
        return self.note("bounce", Fate.ASIDE, f"could not be delivered to {to}: {bounce.says}", message=number)

    def _without_orders(self, vouched: str) -> tuple[str, Fate]:
        writers = self.writers(vouched)
        forwarded = bool(writers) and self._pass_on(writers[0])
        for realm in writers:
            self._advise(realm, forwarded=forwarded)
        more = {"player": writers[0], "turn": self.mail.campaign.next_turn, "forwarded": forwarded} if writers else {}
        says = f"no orders in it ({', '.join(self.letter.advice)})"
        return self.note("no orders", Fate.ASIDE, says, advice=list(self.letter.advice), **more)

    def _pass_on(self, realm: str) -> bool:
        """Pass a player's letter on to a GM who reads another mailbox, so many a day; whether he has it then."""
        mail = self.mail
        gms = self.mail.settings.gms
        if not mail.gms_elsewhere or folded(self.letter.sender) in map(folded, gms):
            return True
        most = mail.settings.care.forwards_a_day * len(gms)
        name = f"gm {passed_on_name(realm)}"
        if mail.outbox.knows(name + mark_of(self.letter)):
            return True
        if mail.outbox.asked_for(name, self.now) >= most:
            return False
        mail.queue(self.write.passed_on(realm, self.letter), self.now)
        return True

    def _with_orders(self, vouched: str) -> tuple[str, Fate]:
        campaign = self.mail.campaign
        before = vouched_realm(campaign, self.letter, earlier=True)
        closed = status.closed_realms(self.mail)
        proven: list[Offer] = []
        strays: list[tuple[Offer, Claim]] = []
        for file in self.letter.files:
            # what was made of a web page counts with its key alone
            offer = file if file.name == IN_PAGE else file.evolve(vouched=vouched, before=before)
            claim = claim_of(campaign, offer)
            if claim.proof and (claim.proof is not Proof.KEY or claim.realm not in closed):
                proven.append(offer)
            else:
                strays.append((offer, claim))
        results, fate, realms = self._received(proven) if proven else ([], Fate.DONE, [])
        more: dict[str, Any] = {}
        if strays:
            guesses = Counter(claim.realm for _, claim in strays if claim.guess)
            known = status.wrong_keys(self.mail) if guesses else {}
            for realm, count in guesses.items():
                if (number := known.get(realm, 0) + count) >= status.WRONG_KEYS_LIMIT:
                    # that somebody tries keys is told once a turn
                    what = f"guesses {self.mail.seat_mark(realm)}"
                    self.mail.queue(self.write.notice(what, "guesses", code=realm, number=number), self.now)
            self._unproven(strays, vouched, realms)
            results.append("no right key: nothing was kept" if not proven else "another file without a right key")
            fate = Fate.ASIDE
            more["claimed"] = sorted({claim.realm for _, claim in strays} & set(campaign.keys))
            if guesses:
                more[status.WRONG_KEYS] = {self.mail.seat_mark(realm): count for realm, count in guesses.items()}
        more = {"realms": realms, "authentication": list(self.letter.authentication), **more}
        return self.note("; ".join(results), fate, **more)

    def _received(self, proven: Sequence[Offer]) -> tuple[list[str], Fate, list[str]]:
        campaign = self.mail.campaign
        inbox = campaign.folder.inbox(campaign.next_turn)
        standing = {realm: each.data for realm, each in inbox.current(seat.code for seat in campaign.seats).items()}
        claimed = {claim_of(campaign, offer).realm for offer in proven}
        now = Intent(self.arrived, {realm: standing[realm] for realm in sorted(claimed & set(standing))})
        intent = self.mail.log.begin(mark_of(self.letter), now)
        templates = [offer for offer in proven if self._is_template(offer, intent)]
        older = [offer for offer in proven if self._is_older(offer, intent, standing)]
        used = [offer for offer in proven if offer not in templates and offer not in older]
        verdicts = receive(campaign, used, intent.arrived)
        pairs = zip(used, verdicts, strict=True)
        received = [(offer, self._as_at_first(verdict, offer, intent)) for offer, verdict in pairs]
        self.fetched.verdicts += [verdict for _, verdict in received]
        realms = sorted({verdict.realm for _, verdict in received if verdict.realm})
        for realm in realms:
            self._receipt(realm, [each for each in received if each[1].realm == realm], intent)
        bad = any(verdict.fate in NOT_TAKEN for _, verdict in received)
        results = [f"{verdict.realm or '?'} {verdict.fate.value}" for _, verdict in received]
        results += self._left_out(templates, "template", "empty template left out", realms)
        results += self._left_out(older, "older", "an earlier version below other words left out", realms)
        return results, Fate.ASIDE if bad else Fate.DONE, realms

    def _left_out(self, offers: Sequence[Offer], advice: str, what: str, told: Sequence[str]) -> list[str]:
        """Tell each player whose files were left out, unless he is ``told`` of others; return what came of them."""
        realms = sorted({claim_of(self.mail.campaign, offer).realm for offer in offers})
        for realm in realms:
            if realm not in told:
                self.letter = self.letter.evolve(advice=(advice,))
                self._advise(realm, proven=True)
        return [f"{realm} {what}" for realm in realms]

    def _is_older(self, offer: Offer, intent: Intent, standing: Mapping[str, bytes]) -> bool:
        """Return whether orders stand below other words and are an earlier version of those that count: a mail program
        may have quoted them. Those that count now were taken by a run that was cut short."""
        realm = claim_of(self.mail.campaign, offer).realm
        if offer.name not in (IN_TEXT, IN_PAGE) or realm not in intent.standing:
            return False
        if offer.data in (intent.standing[realm], standing.get(realm)) or not stand_below_words(self.letter.text):
            return False
        receipts = self.mail.campaign.folder.inbox(self.mail.campaign.next_turn).receipts()
        versions = {each.fingerprint for each in receipts if each.taken and each.realm == realm}
        return fingerprint(offer.data) in versions

    def _is_template(self, offer: Offer, intent: Intent) -> bool:
        """Return whether a file is the template as we sent it, and would take the place of orders: it went along with a
        letter that its player answered or sent on. Where nothing stands, it says at least that somebody is there."""
        realm = claim_of(self.mail.campaign, offer).realm
        path = self.mail.campaign.folder.turn_path(self.mail.campaign.newest_turn) / f"next/{realm}.yaml"
        if realm not in intent.standing or intent.standing[realm] == offer.data or not path.is_file():
            return False
        # the lines that say something, whatever a mail program made of their ends
        template, found = (
            [line.rstrip() for line in data.splitlines() if line.strip() and not line.lstrip().startswith(b"#")]
            for data in (path.read_bytes(), offer.data)
        )
        return template == found

    def _receipt(self, realm: str, received: Sequence[Received], intent: Intent) -> None:
        news = any(verdict.fate is not FileFate.UNCHANGED for _, verdict in received)
        most = self.mail.settings.care.answers_a_day * (_PATIENCE if news else 1)
        make = partial(self.write.receipt, realm, self.letter, received, intent.standing.get(realm), intent.arrived)
        self.answer("receipt", self.mail.address(realm), answer_name("receipt", self.letter, realm), make, most)
        counts = any(verdict.fate in _COUNTS for _, verdict in received)
        if counts and not self.mail.is_on_file(realm, self.letter.sender):
            # a right key from another address counts; sender and GM hear of it, and the player reads it in his receipt
            for to in dict.fromkeys((self.letter.sender, *self.mail.settings.gms)):
                name = address_name(self.letter, realm, self.mail.campaign.next_turn, to)
                self.answer("notice", to, name, partial(self.write.unknown_address, realm, self.letter, to))

    def _unproven(self, strays: Sequence[tuple[Offer, Claim]], vouched: str, proven: Sequence[str]) -> None:
        """Orders without a right key or token: nothing of them is kept. The player of that realm is told; the sender is
        only where he claims nobody's realm, or has proven who he is, and then at his address on file."""
        most = self.mail.settings.care.notices_a_day
        keyed = {claim.realm for _, claim in strays if claim.proof is Proof.KEY}
        for realm in sorted(keyed):
            # the right key, after so many wrong ones that none counts any more
            self.letter = self.letter.evolve(advice=("no-keys",))
            self._advise(realm, proven=True)
        claimed = {claim.realm for _, claim in strays if claim.realm in self.mail.campaign.keys}
        for realm in sorted(claimed - set(proven) - keyed):
            to = self.mail.address(realm)
            last = self.mail.answered(to, "notice", self.now) == most - 1
            slips = [key_slip_of(offer) for offer, claim in strays if claim.realm == realm]
            make = partial(self.write.wrong_key, realm, self.letter, last=last, slip=next(filter(None, slips), ""))
            self.answer("notice", to, answer_name("wrong key", self.letter, realm), make, most)
        for realm in self.writers(vouched):
            offers = [offer for offer, claim in strays if realm == vouched or claim.realm not in claimed]
            if offers and realm not in claimed and realm not in proven:
                self._advise(realm, offers)

    def _as_at_first(self, verdict: Verdict, offer: Offer, intent: Intent) -> Verdict:
        """Return a verdict as the first run found it: a file that it had put into the inbox already is no old one."""
        before = intent.standing.get(verdict.realm)
        if verdict.fate is not FileFate.UNCHANGED or before == offer.data:
            return verdict
        campaign = self.mail.campaign
        late = campaign.calendar.late(intent.arrived, campaign.next_turn)
        return verdict.evolve(fate=FileFate.TAKEN, late=late, replaced=before is not None)
