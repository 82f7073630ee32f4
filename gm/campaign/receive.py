"""Order files as they come in: who sent them, whether they are in time, which one counts (O1, O7)."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from gm.campaign.lapses import held_orders, lapses
from gm.campaign.open import Campaign
from gm.core.diagnostics import Counted, Diagnostic, Message, Translate, printable, render_all, said, says
from gm.core.orders.header import OrderFile
from gm.core.orders.keys import could_be, same_key
from gm.core.values import Record
from gm.store.inbox import Changes, Receipt, fingerprint
from gm.text.names import subject
from gm.text.words import Said


class Submission(Record):
    """A file that came. The last three fields are filled in when it is read (:func:`_judged`)."""

    name: str  # only to be shown
    data: bytes
    vouched: str = ""  # the realm whose player sent it for certain, by other means than a key in it
    before: str = ""  # the realm whose player sent it for certain for a turn that is played already
    problem: Message | None = None  # why it is no text that could hold orders
    reading: OrderFile = OrderFile(None)
    realm: str = ""  # its party, if that is proven
    missed: int = 0  # the turn that it was meant for, if that was played before it came; else 0


class ReceiptStatus(StrEnum):
    """The outcome of receiving a file."""

    ACCEPTED = "accepted"
    UNCHANGED = "unchanged"  # the same file is already in place
    SUPERSEDED = "superseded"  # a later one of the realm came in the same delivery
    REJECTED = "rejected"  # it cannot be read as orders of this turn (O7)
    LATE = "late"  # it missed the deadline
    PLAYED = "played"  # it came before the deadline of its turn, but that had been played early
    NOT_ACCEPTED = "not accepted"  # the turn was undone, and is played again with the orders received for it


# files with these are not accepted, and are stored with the reasons beside them
UNACCEPTED = (ReceiptStatus.REJECTED, ReceiptStatus.LATE, ReceiptStatus.PLAYED, ReceiptStatus.NOT_ACCEPTED)


class SubmissionResult(Counted, Record):
    """The outcome of one file, with the reason."""

    name: str
    fate: ReceiptStatus
    realm: str = ""  # empty when the file proves none
    claimed: str = ""  # the realm that it names in that case
    late: bool = False
    replaced: bool = False  # whether it was accepted in place of an earlier file
    stored: str = ""  # its path in the inbox's folder
    missed: int = 0  # the turn that it was for, if that was played before it came; else 0
    diagnostics: tuple[Diagnostic, ...] = ()
    lapses: tuple[Message, ...] = ()  # sentences about earlier orders that hold no more


class Proof(StrEnum):
    """The evidence that a file is a player's own."""

    NONE = ""
    VOUCHED = "vouched"  # its sender is known, or the game asks for no keys
    KEY = "key"
    BEFORE = "before"  # one of these two, for a turn that is played already; it counts for no later turn


class Claim(Record):
    """What the head of a file says about its sender, and whether that is proven (O1)."""

    submission: Submission
    realm: str  # that it names; empty for none
    proof: Proof  # that its sender is the realm's player
    game: str = ""  # the id that it names, be it this game's or another's
    key: str = ""  # as it is written, right or wrong
    guess: bool = False  # whether its key is wrong but has the form of a right one, as a guess would


def receive(
    campaign: Campaign,
    submissions: Iterable[Submission],
    now: datetime,
    *,
    take_late: bool = False,
    into: Changes | None = None,
) -> list[SubmissionResult]:
    """Put the files that are readable orders into the inbox; return a result for each file, in their order.

    Of several such files of a realm the last counts. ``take_late``: late ones count in any case. With
    ``into``, nothing is written: the changes of the inbox are collected there. The caller holds the game's
    lock.
    """
    inbox = campaign.folder.inbox(campaign.next_turn, into)
    late = campaign.calendar.late(now, campaign.next_turn)
    takes = take_late or not late or campaign.folder.settings.late == "take"
    current_files = inbox.current(seat.code for seat in campaign.seats)
    current_receipts = inbox.receipts_of(current_files)
    files = [_judged(campaign, submission) for submission in submissions]
    last_file_of = {file.realm: file for file in files if file.reading.sheet is not None}
    stored_fingerprints = {receipt.fingerprint for receipt in inbox.receipts() if not receipt.taken}
    results: list[SubmissionResult] = []
    for file in files:
        before = current_files.get(file.realm)
        fate = _fate(
            campaign,
            file,
            now,
            is_last=last_file_of.get(file.realm) is file,
            is_current=before == file.data and file.realm in current_receipts,
            takes=takes,
        )
        receipt = _receipt(campaign, file, fate, now, late=late)
        if fate is ReceiptStatus.ACCEPTED:
            inbox.take(file.data, receipt)
        elif fate in UNACCEPTED and receipt.fingerprint not in stored_fingerprints:
            # a folder may be received again and again: the same bad file is stored once
            receipt = inbox.reject(file.data, receipt, _letter(campaign, file, fate, now))
            stored_fingerprints.add(receipt.fingerprint)
        results.append(_result(campaign, file, fate, receipt, before))
    return results


def _result(
    campaign: Campaign, file: Submission, fate: ReceiptStatus, receipt: Receipt, before: bytes | None
) -> SubmissionResult:
    """Return the result of a file after it was stored.

    ``before``: the content of the file that counted for its realm until then, None if there was none.
    """
    is_accepted = fate is ReceiptStatus.ACCEPTED
    # a file for a played turn is late for that turn or for none; one that counts already came earlier
    is_late_now = receipt.late and not file.missed and fate is not ReceiptStatus.UNCHANGED
    result = SubmissionResult(
        file.name,
        fate,
        file.realm,
        receipt.claimed,
        late=fate is ReceiptStatus.LATE or is_late_now,
        replaced=is_accepted and before is not None,
        stored=receipt.stored,
        missed=file.missed,
        diagnostics=file.reading.diagnostics,
    )
    if not is_accepted:
        return result
    held = held_orders(campaign, file.realm, before)
    return result.evolve(lapses=tuple(lapses(held, file.reading)))


def _fate(
    campaign: Campaign, file: Submission, now: datetime, *, is_last: bool, is_current: bool, takes: bool
) -> ReceiptStatus:
    """Return the receipt status of a file.

    ``is_last``: whether it is the last readable one of its realm in this delivery; ``is_current``: whether it
    was received before and counts; ``takes``: whether a file that comes now is accepted by its time.
    """
    if file.missed:  # its turn was played, perhaps before its deadline
        return ReceiptStatus.LATE if now > campaign.deadline(file.missed) else ReceiptStatus.PLAYED
    if file.reading.sheet is None:
        return ReceiptStatus.REJECTED
    if not is_last:
        return ReceiptStatus.SUPERSEDED
    if is_current:
        return ReceiptStatus.UNCHANGED
    if campaign.kept:  # the turn was undone and is played again with the orders that it had
        return ReceiptStatus.NOT_ACCEPTED
    return ReceiptStatus.ACCEPTED if takes else ReceiptStatus.LATE


def _receipt(
    campaign: Campaign, file: Submission, fate: ReceiptStatus, now: datetime, *, late: bool
) -> Receipt:
    """Return the receipt that the inbox stores for a file; ``late``: whether it came after the deadline."""
    named_realm = "" if file.realm else _named_realm(campaign, file.reading)
    claimed = named_realm if named_realm in campaign.keys else ""
    return Receipt(
        realm=file.realm,
        claimed=claimed,
        came_as=printable(file.name)[-200:],  # the end of a long name, with the suffix
        fingerprint=fingerprint(file.data),
        received=now,
        late=late,
        stored=f"{file.realm}.yaml" if fate is ReceiptStatus.ACCEPTED else "",
        errors=file.reading.errors,
        warnings=file.reading.warnings,
        vouched=bool(file.realm) and file.vouched == file.realm,
    )


def _judged(campaign: Campaign, submission: Submission) -> Submission:
    """Return a file with its reading as orders, the party that sent it if proven, and the turn it missed."""
    if submission.problem is not None:
        return submission.evolve(reading=unreadable(submission.problem, submission.name))
    reading = campaign.orders.read(submission.data, submission.name)
    realm = reading.realm or _named_realm(campaign, reading)
    key = campaign.keys.get(realm, "")
    proof, missed = _proof(campaign, submission, reading.entries, realm)
    if reading.sheet is not None:
        problem = _no_player(campaign, submission.name, realm)
        if problem is not None:
            reading = reading.set_aside(*reading.diagnostics, problem)
        elif not campaign.trusts(submission.vouched, realm) and not same_key(reading.key, key):
            # read once more with the right key: the finding about the wrong one then names its line
            reading = campaign.orders.read(submission.data, submission.name, realm, key)
    proven = "" if proof is Proof.NONE else realm
    return submission.evolve(reading=reading, realm=proven, missed=missed)


def _named_realm(campaign: Campaign, file: OrderFile) -> str:
    """Return the realm that a file names in its head, in capitals; empty if it names none."""
    return file.entries.get(campaign.spec.party_word, "").upper()


def unreadable(problem: Message, file: str) -> OrderFile:
    """Return the reading of a file that is not text and so cannot hold orders."""
    return OrderFile(None, (Diagnostic("error", "source/no-text", problem, file),))


def claim_of(campaign: Campaign, submission: Submission) -> Claim:
    """Return the claim of a file, even if it cannot be read as orders. Changes nothing."""
    file = campaign.orders.read(submission.data, submission.name)
    realm = _named_realm(campaign, file)
    proof, _ = _proof(campaign, submission, file.entries, realm)
    key = file.entries.get("key", "")
    right_key = campaign.keys.get(realm, "")
    is_guess = proof is Proof.NONE and bool(key and right_key) and could_be(key, right_key)
    return Claim(submission, realm, proof, file.entries.get("game", ""), key, is_guess)


def _proof(
    campaign: Campaign, submission: Submission, entries: Mapping[str, str], realm: str
) -> tuple[Proof, int]:
    """Return (the evidence that a file is a realm's, the played turn that it was meant for, 0 for none).

    The evidence is that its sender is known, or that it holds the right key, of the next turn or of the
    played one. ``entries``: the values in its head, by name.
    """
    key = entries.get("key", "")
    turn = _turn_quoted(campaign, entries)
    played = 0 < turn < campaign.next_turn
    is_known = bool(realm) and submission.before == realm
    if played and (is_known or same_key(key, campaign.keys_of(turn).get(realm, ""))):
        return Proof.BEFORE, turn
    if realm and campaign.trusts(submission.vouched, realm):
        return Proof.VOUCHED, 0
    return Proof.KEY if same_key(key, campaign.keys.get(realm, "")) else Proof.NONE, 0


def _turn_quoted(campaign: Campaign, entries: Mapping[str, str]) -> int:
    """Return the turn that the head of a file names, as the game's folders number turns; 0 if it names none.

    Order files of a game may number them differently. ``entries``: those of the head, by name.
    """
    turn = entries.get("turn", "")
    shift = campaign.next_turn - campaign.spec.quoted(campaign.state)
    is_number = turn.isascii() and turn.isdigit() and len(turn) < 7  # no turn has more digits
    return int(turn) + shift if is_number else 0


def _no_player(campaign: Campaign, file: str, realm: str) -> Diagnostic | None:
    """Return the finding that a realm has no player who can send orders; None if it has one.

    ``file``: the name of the order file.
    """
    seat = campaign.seat(realm)
    if seat is None or realm not in campaign.keys:
        message = says("no player of this game has the realm {0}", realm)
    elif seat.out:
        message = says("{0} is out of the game", subject(seat.name))
    elif seat.bot:
        pattern = "{0} is played by a bot; the GM can seat a player with 'pbem player replace {1}'"
        message = says(pattern, subject(seat.name), seat.code)
    elif not seat.played:
        pattern = "{0} has no player ({1}); the GM can seat one with 'pbem seat {2}'"
        message = says(pattern, subject(seat.name), says(seat.controller), seat.code)
    else:
        return None
    return Diagnostic("error", "sheet/no-player", message, file, clause="V3")


def lateness(campaign: Campaign, turn: int, at: datetime, translate: Translate = str) -> str:
    """Return words about how late a file came, ``at`` a moment, for a turn that is played already."""
    # said in minutes up to two hours, in hours up to two days, and then in days
    minutes_late = int((at - campaign.deadline(turn)).total_seconds()) // 60
    minutes_of_unit = 1440
    unit = "{0:day} after"
    if minutes_late < 120:
        minutes_of_unit = 1
        unit = "{0:minute} after"
    elif minutes_late < 48 * 60:
        minutes_of_unit = 60
        unit = "{0:hour} after"
    came = says(unit if minutes_late > 0 else "before", Said(minutes_late // minutes_of_unit))
    due = campaign.due_words(turn, translate)
    text = says("it is for turn {0}, and arrived {1} the deadline of that turn ({2})", turn, came, due)
    return str(said(text, translate))


def _letter(campaign: Campaign, file: Submission, fate: ReceiptStatus, now: datetime) -> str:
    """Return the letter to its sender that is stored beside a file that was not accepted."""
    missed = file.missed
    coming = f"turn {missed}" if missed else campaign.spec.coming_name(campaign.state)
    whys = {
        ReceiptStatus.LATE: f"It came after the deadline ({campaign.due_words(campaign.next_turn)}).",
        ReceiptStatus.NOT_ACCEPTED: (
            "The turn was undone, and is played again with the orders received for it."
        ),
        ReceiptStatus.REJECTED: "It cannot be read as an order file for this turn:",
    }
    why = f"That turn has been played: {lateness(campaign, missed, now)}." if missed else whys.get(fate, "")
    return (
        f"Your file {printable(file.name)!r} for {coming} of {campaign.folder.settings.id} was not "
        "accepted.\n"
        f"{why}\n\n{render_all(file.reading.diagnostics)}\n\n"
        "Your last readable orders still count. You can send the whole file again.\n"
    )
