"""Order files as they come in: whose they are, whether they are in time, which one stands (O1, O7)."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from gm.campaign.lapses import held_by, lapses
from gm.campaign.open import Campaign
from gm.core.diagnostics import Counted, Diagnostic, Message, SourceError, Translate, printable, render_all, said, says
from gm.core.orders.keys import could_be, key_slip, same_key
from gm.core.values import Record
from gm.core.yaml.source import Mapping as Entries
from gm.core.yaml.source import Scalar, read_tolerantly
from gm.game.values import OrderFile
from gm.store.inbox import Changes, Receipt, fingerprint
from gm.text.words import Said

_ENTRY = re.compile(rb"(?m)^\xef?\xbb?\xbf?[\"']?(\w{1,20})[\"']?[ \t]*:[ \t]*[\"']?([\w -]{1,90})")
_HEAD = 4096  # so many bytes from its beginning, a file that cannot be read is searched for what it says about itself


class Submission(Record):
    """A file that came."""

    name: str  # only ever shown
    data: bytes
    vouched: str = ""  # the realm whose player sent it for certain, by other means than a key in it
    before: str = ""  # the same for a turn that was played already
    problem: Message | None = None  # why it is no text that could hold orders


class ReceiptStatus(StrEnum):
    """The outcome of receiving a file."""

    ACCEPTED = "accepted"
    UNCHANGED = "unchanged"  # the same file is already in place
    SUPERSEDED = "superseded"  # a later one of the realm came in the same delivery
    REJECTED = "rejected"  # it cannot be read as orders of this turn (O7)
    LATE = "late"  # it missed the deadline
    PLAYED = "played"  # it came within the deadline of a turn that was played before that
    NOT_ACCEPTED = "not accepted"  # the turn was undone, and is played again with the orders received for it


# what was not accepted, and is kept with the reasons beside it
UNACCEPTED = (ReceiptStatus.REJECTED, ReceiptStatus.LATE, ReceiptStatus.PLAYED, ReceiptStatus.NOT_ACCEPTED)


class SubmissionResult(Counted, Record):
    """What became of one file and why."""

    name: str
    fate: ReceiptStatus
    realm: str = ""  # empty when the file proves none
    claimed: str = ""  # the realm that it names in that case
    late: bool = False
    replaced: bool = False
    stored: str = ""  # where it went
    missed: int = 0  # the turn that it was for, when that was played before it came
    diagnostics: tuple[Diagnostic, ...] = ()
    lapses: tuple[Message, ...] = ()  # what held until it came, and holds no more


class Proof(StrEnum):
    """What shows that a file is a player's own."""

    NONE = ""
    VOUCHED = "vouched"  # its sender is known, or the game asks for no keys
    KEY = "key"
    BEFORE = "before"  # either of them, for a turn that is played: it has no say in the next


class Claim(Record):
    """What a file says about itself at its top: whose it is, and what proves it (O1)."""

    realm: str
    proof: Proof
    guess: bool = False  # it holds a key that is wrong and might have been right, as who tries keys would write it


def receive(
    campaign: Campaign,
    submissions: Iterable[Submission],
    now: datetime,
    *,
    take_late: bool = False,
    into: Changes | None = None,
) -> list[SubmissionResult]:
    """Put the good files into the inbox; one verdict a file, in the order given.

    Of several good ones of a realm the last stands. The lock is held. With ``into``, the inbox's files are
    put there, and nothing is written.
    """
    inbox = campaign.folder.inbox(campaign.next_turn, into)
    late = campaign.calendar.late(now, campaign.next_turn)
    takes = take_late or not late or campaign.folder.settings.late == "take"
    standing = inbox.current(seat.code for seat in campaign.seats)
    judged = [(submission, *_judge(campaign, submission)) for submission in submissions]
    last = {realm: index for index, (_, realm, reading, _) in enumerate(judged) if reading.sheet is not None}
    known = {receipt.fingerprint for receipt in inbox.receipts() if not receipt.taken}

    verdicts = []
    for index, (submission, realm, reading, missed) in enumerate(judged):
        mark = fingerprint(submission.data)
        before = standing.get(realm)
        fates = {
            ReceiptStatus.REJECTED: reading.sheet is None,
            ReceiptStatus.SUPERSEDED: last.get(realm) != index,
            ReceiptStatus.UNCHANGED: before is not None
            and fingerprint(before.data) == mark
            and before.receipt is not None,
            ReceiptStatus.NOT_ACCEPTED: bool(campaign.kept),
            ReceiptStatus.LATE: not takes,
            ReceiptStatus.ACCEPTED: True,
        }
        fate = next(fate for fate, holds in fates.items() if holds)
        if missed:
            fate = ReceiptStatus.LATE if now > campaign.deadline(missed) else ReceiptStatus.PLAYED
        claimed = "" if realm else _named_realm(campaign, submission)
        receipt = Receipt(
            realm=realm,
            claimed=claimed,
            came_as=printable(submission.name)[-200:],
            fingerprint=mark,
            received=now,
            late=late,
            stored=f"{realm}.yaml" if fate is ReceiptStatus.ACCEPTED else "",
            errors=reading.errors,
            warnings=reading.warnings,
            vouched=bool(realm) and submission.vouched == realm,
        )
        if fate is ReceiptStatus.ACCEPTED:
            inbox.take(submission.data, receipt)
        elif fate in UNACCEPTED and mark not in known:
            # a folder may be received again and again: the same bad file is kept once
            receipt = inbox.reject(submission.data, receipt, _letter(campaign, submission, reading, fate, missed, now))
            known.add(mark)
        is_late = fate is ReceiptStatus.LATE or (late and not missed and fate is not ReceiptStatus.UNCHANGED)
        replaced = fate is ReceiptStatus.ACCEPTED and before is not None
        told: tuple[Message, ...] = ()
        if fate is ReceiptStatus.ACCEPTED:
            told = tuple(lapses(held_by(campaign, realm, before.data if before else None), reading, submission.data))
        found = (is_late, replaced, receipt.stored, missed, reading.diagnostics, told)
        verdicts.append(SubmissionResult(submission.name, fate, realm, claimed, *found))
    return verdicts


def _judge(campaign: Campaign, submission: Submission) -> tuple[str, OrderFile, int]:
    """Read a file as orders.

    Returns its realm if that is proven, what was read, and the played turn that it was for (0: none).
    """
    if submission.problem is not None:
        return "", unreadable(submission.problem, submission.name), 0
    reading = campaign.read_orders(submission.data, submission.name)
    head = head_of(submission.data)
    realm = reading.realm if reading.sheet is not None else head.get(campaign.spec.party_word, "").upper()
    key = campaign.keys.get(realm, "")
    if reading.sheet is not None and (problem := _no_player(campaign, submission.name, realm)):
        reading = OrderFile(None, (*reading.diagnostics, problem))
    elif (
        reading.sheet is not None and not campaign.trusts(submission.vouched, realm) and not same_key(reading.key, key)
    ):
        # read once more, to hear it said where the key stands
        reading = campaign.read_orders(submission.data, submission.name, realm, key)
    proof = _proof(campaign, submission, realm)
    missed = _turn_quoted(campaign, head) if proof is Proof.BEFORE else 0
    return "" if proof is Proof.NONE else realm, reading, missed


def _named_realm(campaign: Campaign, submission: Submission) -> str:
    """Return the realm of the game that a file names at its top; empty: none."""
    realm = head_of(submission.data).get(campaign.spec.party_word, "").upper()
    return realm if submission.problem is None and realm in campaign.keys else ""


def unreadable(problem: Message, file: str) -> OrderFile:
    """Return what is read of a file that is no text that could hold orders."""
    return OrderFile(None, (Diagnostic("error", "source/no-text", problem, file),))


def claim_of(campaign: Campaign, submission: Submission) -> Claim:
    """Return whose orders a file says it holds, also when it cannot be read as orders. Changes nothing."""
    head = head_of(submission.data)
    realm = head.get(campaign.spec.party_word, "").upper()
    proof = _proof(campaign, submission, realm)
    key = head.get("key", "")
    wanted = campaign.keys.get(realm, "")
    return Claim(realm, proof, proof is Proof.NONE and bool(key and wanted) and could_be(key, wanted))


def holds_key(submission: Submission) -> bool:
    """Return whether a file says a key at its top, right or wrong."""
    return bool(head_of(submission.data).get("key", ""))


def key_slip_of(submission: Submission) -> str:
    """Return what is wrong with the key in a file, if it was mistyped."""
    return key_slip(head_of(submission.data).get("key", ""))


def _proof(campaign: Campaign, submission: Submission, realm: str) -> Proof:
    """Return what proves a file a player's own: its sender, the player's key, or the key of its own earlier turn."""
    head = head_of(submission.data)
    key = head.get("key", "")
    turn = _turn_quoted(campaign, head)
    played = 0 < turn < campaign.next_turn
    if played and (submission.before == realm != "" or same_key(key, campaign.keys_of(turn).get(realm, ""))):
        return Proof.BEFORE
    if realm and campaign.trusts(submission.vouched, realm):
        return Proof.VOUCHED
    return Proof.KEY if same_key(key, campaign.keys.get(realm, "")) else Proof.NONE


def _turn_quoted(campaign: Campaign, head: Mapping[str, str]) -> int:
    """Return the turn that a file is for; 0 when it names none.

    A game may number them otherwise in order files than here.
    """
    turn = head.get("turn", "")
    shift = campaign.next_turn - campaign.spec.quoted(campaign.state)
    return int(turn) + shift if turn.isascii() and turn.isdigit() and len(turn) < 7 else 0


def _no_player(campaign: Campaign, file: str, realm: str) -> Diagnostic | None:
    seat = campaign.seat(realm)
    if seat is None or realm not in campaign.keys:
        message = says("no player of this game has the realm {0}", realm)
    elif seat.out:
        message = says("{0} is out of the game", seat.name)
    elif seat.bot:
        pattern = "{0} is played by a bot; the GM can seat a player with 'pbem player replace {1}'"
        message = says(pattern, seat.name, seat.code)
    elif not seat.played:
        pattern = "{0} has no player ({1}); the GM can seat one with 'pbem seat {2}'"
        message = says(pattern, seat.name, says(seat.controller), seat.code)
    else:
        return None
    return Diagnostic("error", "sheet/no-player", message, file, clause="V3")


@lru_cache(maxsize=16)
def head_of(data: bytes) -> Mapping[str, str]:
    """Return the entries at the top of a file as text, by their names in small letters.

    The file may be no YAML further down.
    """
    try:
        node, _ = read_tolerantly(data, "")
    except SourceError:
        found = _ENTRY.findall(data[:_HEAD])
        return {name.decode().lower(): value.decode("utf-8", "replace").strip() for name, value in reversed(found)}
    pairs = ((key, each) for key, each in (node if isinstance(node, Entries) else ()) if isinstance(key, Scalar))
    return {key.text.lower(): each.text.strip() for key, each in pairs if isinstance(each, Scalar) and not each.is_null}


def lateness(campaign: Campaign, turn: int, at: datetime, translate: Translate = str) -> str:
    """Return how late a file came for a turn that is played, in a sentence: ``at`` is when it came."""
    passed = int((at - campaign.deadline(turn)).total_seconds()) // 60
    size = 1 if passed < 120 else 60 if passed < 48 * 60 else 1440
    unit = "{0:minute} after" if size == 1 else "{0:hour} after" if size == 60 else "{0:day} after"
    came = says(unit if passed > 0 else "before", Said(passed // size))
    due = campaign.due_words(turn, translate)
    text = says("it is for turn {0}, and arrived {1} the deadline of that turn ({2})", turn, came, due)
    return str(said(text, translate))


def _letter(
    campaign: Campaign, submission: Submission, reading: OrderFile, fate: ReceiptStatus, missed: int, now: datetime
) -> str:
    coming = f"turn {missed}" if missed else campaign.spec.coming_name(campaign.state)
    whys = {
        ReceiptStatus.LATE: f"It came after the deadline ({campaign.due_words(campaign.next_turn)}).",
        ReceiptStatus.NOT_ACCEPTED: "The turn was undone, and is played again with the orders received for it.",
        ReceiptStatus.REJECTED: "It cannot be read as an order file for this turn:",
    }
    why = f"That turn has been played: {lateness(campaign, missed, now)}." if missed else whys.get(fate, "")
    return (
        f"Your file {printable(submission.name)!r} for {coming} of {campaign.folder.settings.id} was not accepted.\n"
        f"{why}\n\n{render_all(reading.diagnostics)}\n\n"
        "Your last readable orders still count. You can send the whole file again.\n"
    )
