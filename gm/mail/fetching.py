"""Incoming letters: the sort of each, its effects, and the answer to its sender.

For each letter, in this order: the orders are put into the inbox, the answer into the outbox, the letter into
the journal, and then the message is moved. The next run makes up for one that is killed anywhere in between:
each of these does nothing the second time, and the first run's answers follow from what it recorded before
(:class:`gm.mail.game_mail.Intent`).
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
"""What is no letter's fault: a full disk, a broken game folder or mailbox. It stops everything."""
_NAMED = 5  # addresses of a server's letter that the GM is told


@dataclass
class FetchResult:
    """The result of a round of fetching, for the GM's terminal: each letter's sender, subject, and outcome.

    ``troubles``: letters over which the program failed; ``problem``: why letters could not be moved;
    ``lost``: letters of ours that came back; ``left``: names of other games for which letters stay in the
    mailbox, one for each letter; ``failure``: an error of the game's folder, which ended the round for this
    game.
    """

    letters: list[tuple[str, str, str]] = field(default_factory=list)
    verdicts: list[SubmissionResult] = field(default_factory=list)
    seen: int = 0
    troubles: list[str] = field(default_factory=list)
    problem: str = ""
    lost: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    failure: OSError | StoreError | SourceError | None = None

    def add(self, letter: Letter, outcome: str) -> None:
        self.letters.append((letter.sender or "(nobody)", letter.subject, outcome))


class Bounce(Record):
    """A server's letter about one that could not be delivered."""


class Stray(Record):
    """A letter of a machine without content, or of a person without orders."""


LetterKind = Orders | Request | PressLetter | Preference | Bounce | Stray


def classify(letter: Letter, mail: GameMail) -> LetterKind:
    """Return the sort of a letter for a game, with what its handler needs."""
    campaign = mail.campaign
    vouched = vouched_realm(campaign, letter)
    if letter.kind is not Kind.PERSON and not _holds_proof(mail, letter, vouched):
        # never answered and never read for orders: it may hold our own templates
        return Bounce() if letter.kind is Kind.BOUNCE and letter.bounce.failed else Stray()
    before = vouched_realm(campaign, letter, earlier=True)
    wish = requested_preference(letter)
    if wish and before:
        return Preference(before, wish)
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
    return order_files(mail, letter, vouched, before) if letter.files else Stray()


def _holds_proof(mail: GameMail, letter: Letter, vouched: str) -> bool:
    """Return whether a letter that looks like a list's or a newsletter contains orders with the right key."""
    if letter.kind is not Kind.LIST:
        return False
    submissions = (submission.evolve(vouched=vouched) for submission in letter.files)
    return any(claim_of(mail.campaign, submission).proof for submission in submissions)


def deal_with(
    mail: GameMail, letter: Letter, now: datetime, arrived: datetime, fetched: FetchResult
) -> Disposition | None:
    """Deal with one letter of a game.

    Return the folder where it belongs, or None when it has to be tried again.
    """
    for mark in (letter.fingerprint, mark_of(letter)):
        if mark in mail.log.fates:
            return Disposition(mail.log.fates[mark])
    desk = Desk(mail, Service(mail, now), letter, now, arrived)
    try:
        outcome = _dealt_with(desk)
    except _FATAL:
        raise
    except Exception as error:  # whatever it is: nobody else's letter may wait for this one
        fetched.troubles.append(_failure(mail, letter, error, now))
        return None
    mail.log.end(mark_of(letter))
    fetched.verdicts += outcome.verdicts
    if outcome.lost:
        fetched.lost.append(outcome.lost)
    fetched.add(_noted(letter, outcome), outcome.summary or outcome.words)
    return outcome.fate


def _dealt_with(desk: Desk) -> Outcome:
    """Carry out the outcome of a letter and record it in the journal."""
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
    """Return the log entry of a letter, without the subject if its text is private between players."""
    return letter.evolve(subject="") if outcome.private else letter


def _failure(mail: GameMail, letter: Letter, error: Exception, now: datetime) -> str:
    """Write a crash report of an error over a letter and notify the GM, once for each; return a sentence.

    The letter stays in the mailbox and is tried again in every round.
    """
    from gm import PROGRAM, __version__

    path = mail.folder / "trouble" / f"{mark_of(letter)[:16]}.txt"
    if not path.exists():
        make_folder(path.parent)
        # an error may quote the letter, and this file is to be sent to somebody
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
    """Answer a person who sends no orders with advice; ignore letters of machines."""
    if desk.letter.kind is not Kind.PERSON:
        return _left_alone(desk)
    letter = desk.letter
    summary = says("no orders in it ({0})", ", ".join(letter.advice))
    entry: dict[str, Any] = {"advice": list(letter.advice)}
    if not desk.writers:
        return Outcome(says("no orders"), Disposition.ASIDE, entry=entry, summary=summary)
    player = desk.writers[0]
    forwarded = desk.forwarding(player)
    is_forwarded = forwarded is not None
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


def _left_alone(desk: Desk) -> Outcome:
    """Put a machine's letter aside; one of ours is finished, unless it informs a GM.

    It informs one where the GM has no other mailbox.
    """
    letter = desk.letter
    settings = desk.mail.settings
    number = desk.mail.own_number(letter.message_id)
    shared = {folded(gm) for gm in settings.gms} & {folded(settings.sender), folded(settings.outward.copy_to)}
    is_for_gm = bool(number) and folded(desk.mail.outbox.entries[number].to) in shared
    fate = Disposition.DONE if letter.kind is Kind.OWN and not is_for_gm else Disposition.ASIDE
    return Outcome(letter.kind.value, fate, summary=says("left alone: {0}", letter.kind.value))


def _given_back(desk: Desk, _: Bounce) -> Outcome:
    """Mark a letter of ours that could not be delivered, if our id proves it.

    Without that anybody may have written the bounce: the GM is told once for each address and turn, and
    nothing is marked.
    """
    report = desk.letter.bounce
    number = desk.mail.given_back(report)
    if number:
        return _came_back(desk, number)
    turn = desk.mail.campaign.next_turn
    aside = desk.mail.settings.inward.aside
    entry = desk.mail.supposed(report)
    if entry is None:
        purpose = f"returned {desk.now.astimezone(UTC):%Y-%m-%d}"
        recipients = report.recipients[:_NAMED]
        notice = desk.notice(
            purpose, "returned", entry=None, letter=desk.letter, aside=aside, recipients=recipients
        )
        summary = says("says that a letter could not be delivered, but not which")
        noted: dict[str, Any] = {"returned": "", "turn": turn}
        return Outcome(
            says("bounce of an unknown letter"),
            Disposition.ASIDE,
            answers=(notice,),
            entry=noted,
            summary=summary,
        )
    purpose = f"returned {turn} {folded(entry.to)}"
    notice = desk.notice(purpose, "returned", entry=entry, says=report.says, aside=aside)
    summary = says("says that a letter to {0} could not be delivered: {1}", entry.to, report.says)
    noted = {"returned": entry.to, "realm": entry.realm, "turn": turn}
    return Outcome(
        says("bounce without our id"), Disposition.ASIDE, answers=(notice,), entry=noted, summary=summary
    )


def _came_back(desk: Desk, number: str) -> Outcome:
    """Return the outcome of a bounce of our message.

    An unsent message cannot come back, whatever the bounce says; if only a copy was refused, the player has
    the message.
    """
    outbox = desk.mail.outbox
    settings = desk.mail.settings
    report = desk.letter.bounce
    entry = outbox.entries[number]
    own_addresses = set(map(folded, (settings.outward.copy_to, settings.sender, *settings.gms))) - {
        folded(entry.to)
    }
    is_copy_alone = bool(report.recipients) and own_addresses.issuperset(map(folded, report.recipients))
    to = ", ".join(report.recipients) if is_copy_alone else entry.to
    outcome = Outcome(
        "bounce",
        Disposition.ASIDE,
        entry={"message": number},
        summary=says("could not be delivered to {0}: {1}", to, report.says),
    )
    if is_copy_alone or entry.state not in (State.SENT, State.SENDING):
        return outcome
    marking = partial(outbox.set_state, number, State.BOUNCED, desk.now, report.says)
    return outcome.evolve(changes=(marking,), lost=number)


HANDLERS: dict[type, Callable[[Desk, Any], Outcome]] = {
    Orders: take_orders,
    Request: serve,
    PressLetter: pass_on,
    Preference: prefer,
    Bounce: _given_back,
    Stray: _without_orders,
}
"""What is done about each sort of letter."""
