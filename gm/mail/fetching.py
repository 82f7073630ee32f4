"""Incoming letters: the sort of each, its effects, and the answer to its sender.

For each letter, in this order: the orders are put into the inbox, the answer into the outbox, the letter into
the journal, and then the message is moved. If a run is killed in between, the next run does all of it again:
what was done already has no effect a second time, and the answers are the same, because the first run has
recorded the situation before (:class:`gm.mail.game_mail.Intent`).
"""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from gm.campaign.receive import SubmissionResult, claim_of
from gm.core.diagnostics import SourceError, says
from gm.core.values import Record
from gm.mail.body_text import looks_like_orders
from gm.mail.game_mail import GameMail, folded, mark_of, vouched_realm
from gm.mail.letter import Kind, Letter, without_keys
from gm.mail.order_letters import Orders, order_files, take_orders
from gm.mail.outbox import State
from gm.mail.outcome import Desk, Outcome
from gm.mail.preferences import Preference, prefer
from gm.mail.press import PressLetter, pass_on, press_letter
from gm.mail.requests import request_in, serve
from gm.mail.service import Service
from gm.mail.settings import LoginError
from gm.mail.source import Disposition, MailboxError
from gm.mail.status import requested_preference
from gm.mail.wishes import Request, asks_besides, nearest_request
from gm.store import StoreError
from gm.store.disk import make_folder, write_file

_FATAL = (OSError, StoreError, SourceError, MailboxError, LoginError)
"""Errors that no letter causes: a full disk, a broken game folder or mailbox. They stop everything."""
_NAMED = 5  # how many of the addresses in a server's letter are in the notice to the GM


@dataclass
class FetchResult:
    """The result of a round of fetching for one game, as the GM's terminal shows it."""

    letters: list[tuple[str, str, str]] = field(default_factory=list)  # (sender, subject, outcome in words)
    verdicts: list[SubmissionResult] = field(default_factory=list)  # what became of the files in them
    seen: int = 0  # messages that were looked at
    troubles: list[str] = field(default_factory=list)  # a sentence for each letter that caused an error
    problem: str = ""  # why letters could not be moved to their folders
    lost: list[str] = field(default_factory=list)  # ids in the outbox of our letters that came back
    left: list[str] = field(default_factory=list)  # for each letter that stays: the other game that it names
    failure: OSError | StoreError | SourceError | None = None  # it ended the round for this game

    def add(self, letter: Letter, outcome: str) -> None:
        """Add a letter to the result; ``outcome``: what came of it, in words."""
        self.letters.append((letter.sender or "(nobody)", letter.subject, outcome))


class Bounce(Record):
    """A mail server's letter that says that another letter could not be delivered."""


class Stray(Record):
    """A person's letter without orders, or a program's letter that needs no answer."""


LetterKind = Orders | Request | PressLetter | Preference | Bounce | Stray


def classify(letter: Letter, mail: GameMail) -> LetterKind:
    """Return the sort of a letter for a game, with what its handler needs.

    Orders come before all else: a request or a letter to players beside them is not carried out, and its
    sender gets advice.
    """
    campaign = mail.campaign
    proven_realm = vouched_realm(campaign, letter)  # by the token of the coming turn, as orders need it
    if letter.kind is not Kind.PERSON and not _holds_proof(mail, letter, proven_realm):
        # never answered and never read for orders: it may hold our own templates
        return Bounce() if letter.kind is Kind.BOUNCE and letter.bounce.failed else Stray()
    writer = vouched_realm(campaign, letter, earlier=True)  # the realm; one of an earlier turn is enough
    preference = requested_preference(letter)
    if preference and writer:
        return Preference(writer, preference)
    press = press_letter(mail, letter)
    if press is None:
        request = request_in(mail, letter)
        if request is not None:
            return request
    elif not any(looks_like_orders(submission.data) for submission in letter.files):
        return press
    else:
        letter = letter.evolve(advice=(*letter.advice, "press"))
    if letter.files and asks_besides(letter):
        letter = letter.evolve(advice=(*letter.advice, "request"))
    return order_files(mail, letter, proven_realm, writer) if letter.files else Stray()


def _holds_proof(mail: GameMail, letter: Letter, proven_realm: str) -> bool:
    """Return whether a letter came by a mailing list and contains orders that are proven to be a player's.

    ``proven_realm``: the realm that the token in its subject proves; empty for none.
    """
    if letter.kind is not Kind.LIST:
        return False
    submissions = (submission.evolve(vouched=proven_realm) for submission in letter.files)
    return any(claim_of(mail.campaign, submission).proof for submission in submissions)


def deal_with(
    mail: GameMail, letter: Letter, now: datetime, arrived: datetime, fetched: FetchResult
) -> Disposition | None:
    """Deal with one letter of a game, unless its journal has it; return the letter's disposition.

    None if pbem itself fails over this letter: it is tried again when letters are fetched next.
    ``arrived``: when it came; ``fetched``: gets the letter's outcome.
    """
    # the very same bytes, or the same letter that came by another way
    for mark in (letter.fingerprint, mark_of(letter)):
        if mark in mail.log.fates:
            return Disposition(mail.log.fates[mark])
    desk = Desk(mail, Service(mail, now), letter, now, arrived)
    try:
        outcome = _dealt_with(desk)
    except _FATAL:
        raise
    except Exception as error:  # whatever it is: the other letters are dealt with
        fetched.troubles.append(_failure(mail, letter, error, now))
        return None
    mail.log.end(mark_of(letter))
    fetched.verdicts += outcome.verdicts
    if outcome.lost:
        fetched.lost.append(outcome.lost)
    fetched.add(_noted(letter, outcome), outcome.summary or outcome.words)
    return outcome.fate


def _dealt_with(desk: Desk) -> Outcome:
    """Carry out the outcome of a letter, record it in the journal, and return it.

    The journal's entry has the number of answers that a limit holds back (``withheld``).
    """
    letter_kind = classify(desk.letter, desk.mail)
    outcome = HANDLERS[type(letter_kind)](desk, letter_kind)
    withheld = desk.carry_out(outcome)
    entry = dict(outcome.entry)
    if withheld:
        entry["withheld"] = withheld
    desk.mail.log.note(
        _noted(desk.letter, outcome), desk.now, str(outcome.words), outcome.fate.value, **entry
    )
    return outcome


def _noted(letter: Letter, outcome: Outcome) -> Letter:
    """Return a letter as journal and terminal show it: without its subject if that is private."""
    return letter.evolve(subject="") if outcome.private else letter


def _failure(mail: GameMail, letter: Letter, error: Exception, now: datetime) -> str:
    """Write an error over a letter into a file and notify the GM; return a sentence about it.

    A letter has one such file and one notice, however often it is tried.
    """
    from gm import PROGRAM, __version__

    path = mail.folder / "trouble" / f"{mark_of(letter)[:16]}.txt"
    if not path.exists():
        make_folder(path.parent)
        # an error may quote the letter, and this file is to be sent to the maintainers
        details = without_keys("".join(traceback.format_exception(error)))
        write_file(
            path, f"{PROGRAM} {__version__}, fetching a letter\n\n{details}".encode("utf-8", "replace")
        )
    name = path.relative_to(mail.game_folder).as_posix()
    mail.queue(
        Service(mail, now).notice(f"trouble {mark_of(letter)}", "trouble", letter=letter, path=name), now
    )
    request = says(
        "The details are in {0} of the game's folder: please send that file to the maintainers of pbem.", name
    )
    return says(
        "The letter of {0} shows an error in pbem itself and stays in the mailbox. {1}",
        letter.sender or "(nobody)",
        request,
    )


# -- letters that are for nobody but the GM ------------------------------------------------------------------


def _without_orders(desk: Desk, _: Stray) -> Outcome:
    """Return the outcome of a letter without orders: a player gets advice, a program or a stranger no answer.

    The GM gets a copy of a player's letter, up to a number of copies a day.
    """
    if desk.letter.kind is not Kind.PERSON:
        return _unanswered(desk)
    letter = desk.letter
    summary = says("no orders in it ({0})", ", ".join(letter.advice))
    entry: dict[str, Any] = {"advice": list(letter.advice)}
    if not desk.writers:
        return Outcome(says("no orders"), Disposition.ASIDE, entry=entry, summary=summary)
    player = desk.writers[0]
    forwarded = desk.forwarding(player)
    is_forwarded = forwarded is not None  # None: a limit is reached; empty: the GM has the letter
    near = nearest_request(letter.whole_subject)
    advice = [desk.advice(realm, forwarded=is_forwarded, near=near) for realm in desk.writers]
    entry |= {"player": player, "turn": desk.mail.campaign.next_turn, "forwarded": is_forwarded}
    return Outcome(
        says("no orders"),
        Disposition.ASIDE,
        answers=(*(forwarded or ()), *advice),
        entry=entry,
        summary=summary,
    )


def _unanswered(desk: Desk) -> Outcome:
    """Return the outcome of a program's letter: nothing but its disposition.

    A letter of a game of pbem is done with, unless this game sent it to a GM who has no other mailbox than
    the game's. That one, and all letters of other programs, are put aside for the GM.
    """
    letter = desk.letter
    settings = desk.mail.settings
    entry_id = desk.mail.own_entry_id(letter.message_id)
    game_addresses = {folded(settings.sender), folded(settings.outward.copy_to)}
    gms_in_this_mailbox = {folded(gm) for gm in settings.gms} & game_addresses
    is_for_gm = bool(entry_id) and folded(desk.mail.outbox.entries[entry_id].to) in gms_in_this_mailbox
    fate = Disposition.DONE if letter.kind is Kind.OWN and not is_for_gm else Disposition.ASIDE
    return Outcome(letter.kind.value, fate, summary=says("left alone: {0}", letter.kind.value))


def _bounced(desk: Desk, _: Bounce) -> Outcome:
    """Return the outcome of a bounce: the message that it names by its id is marked as bounced.

    A bounce without an id of ours may be written by anybody: nothing is marked, and the GM gets a notice, one
    for each address and turn. If it is about no letter that we know, there is one notice a day.
    """
    report = desk.letter.bounce
    entry_id = desk.mail.bounced_entry_id(report)
    if entry_id:
        return _bounced_message(desk, entry_id)
    entry = desk.mail.likely_bounced(report)
    if entry is None:
        return _bounced_unknown(desk)
    turn = desk.mail.campaign.next_turn
    aside = desk.mail.settings.inward.aside
    purpose = f"returned {turn} {folded(entry.to)}"
    notice = desk.notice(purpose, "returned", entry=entry, says=report.says, aside=aside)
    summary = says("says that a letter to {0} could not be delivered: {1}", entry.to, report.says)
    fields = {"returned": entry.to, "realm": entry.realm, "turn": turn}
    return Outcome(
        says("bounce without our id"), Disposition.ASIDE, answers=(notice,), entry=fields, summary=summary
    )


def _bounced_unknown(desk: Desk) -> Outcome:
    """Return the outcome of a bounce that is about no letter we know: a notice to the GM, once a day."""
    notice = desk.notice(
        f"returned {desk.now.astimezone(UTC):%Y-%m-%d}",
        "returned",
        entry=None,
        letter=desk.letter,
        aside=desk.mail.settings.inward.aside,
        recipients=desk.letter.bounce.recipients[:_NAMED],
    )
    return Outcome(
        says("bounce of an unknown letter"),
        Disposition.ASIDE,
        answers=(notice,),
        entry={"returned": "", "turn": desk.mail.campaign.next_turn},
        summary=says("says that a letter could not be delivered, but not which"),
    )


def _bounced_message(desk: Desk, entry_id: str) -> Outcome:
    """Return the outcome of a bounce that names a message of ours: that message is marked as bounced.

    It is not marked if only a copy was refused, because its reader has the message then, nor if it was never
    sent, whatever the bounce says.
    """
    outbox = desk.mail.outbox
    settings = desk.mail.settings
    report = desk.letter.bounce
    entry = outbox.entries[entry_id]
    copy_addresses = set(map(folded, (settings.outward.copy_to, settings.sender, *settings.gms)))
    copy_addresses.discard(folded(entry.to))
    is_copy_alone = bool(report.recipients) and copy_addresses.issuperset(map(folded, report.recipients))
    to = ", ".join(report.recipients) if is_copy_alone else entry.to
    outcome = Outcome(
        "bounce",
        Disposition.ASIDE,
        entry={"message": entry_id},
        summary=says("could not be delivered to {0}: {1}", to, report.says),
    )
    if is_copy_alone or entry.state not in (State.SENT, State.SENDING):
        return outcome
    marking = partial(outbox.set_state, entry_id, State.BOUNCED, desk.now, report.says)
    return outcome.evolve(changes=(marking,), lost=entry_id)


HANDLERS: dict[type, Callable[[Desk, Any], Outcome]] = {
    Orders: take_orders,
    Request: serve,
    PressLetter: pass_on,
    Preference: prefer,
    Bounce: _bounced,
    Stray: _without_orders,
}
"""The function that returns the outcome of each sort of letter."""
