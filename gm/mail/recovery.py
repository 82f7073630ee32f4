"""Recovery of the letters of a game that was restored from a backup.

The letters that the game accepted after the backup was made are accepted again. They are in the mailbox's
folders of processed letters, and so are the copies of our own receipts. If a receipt lists orders that no
letter brings back, the next turn waits for the GM. Letters that came after the next turn had been played wait
until that turn is played again. Saved mails and mbox files have no folders: there all letters are still in
the mailbox, in their order.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

import msgspec

from gm.campaign.recovery import IMPORT, last_lines
from gm.core.codec import to_plain
from gm.core.diagnostics import fold, printable, says
from gm.core.values import Record
from gm.mail.fetching import FetchResult, deal_with
from gm.mail.game_mail import GameMail, subject_mark
from gm.mail.letter import Kind, Letter, read_letter
from gm.mail.routing import route_of
from gm.mail.source import Message, Source
from gm.store import journal
from gm.store.disk import clear, flush_folder, make_folder, write_file
from gm.store.formats import Format
from gm.store.journal import ACTIONS_FILE

# in the folder of the game's mail, as long as letters may have to be accepted again
RESTORED_FILE = "restored.json"
SEARCHED = "mailbox searched"  # the journal's word for the end of a recovery
RESTORED = Format("note of a game that was restored", 1)

MARGIN = timedelta(days=7)  # a letter may have lain so long in the mailbox until it was dealt with
_HEAD = 16 * 1024  # bytes of a letter that are enough to recognise one of our own
_RECEIPT = "Orders received"
_OWN_ID = re.compile(r"gm\.[0-9a-f]{32}@")
_TURN = re.compile(r" t(\d{1,6}) ([A-Z0-9]{1,8})\b")


class Restored(Record):
    """How far the recovery of a restored game's letters has come."""

    since: datetime | None = None  # the backup has all letters that were dealt with before; None: unknown
    read: int = 0  # the turn for which the mailbox was searched last; 0: none
    missing: tuple[str, ...] = ()  # a sentence for each receipt of that turn whose orders are not back
    done: bool = False  # the search is finished; answers to recovered letters may still be in the outbox


@dataclass
class _Search:
    """What a search of the mailbox has found about the coming turn, which may have been played before."""

    # (our receipt, its message in the mailbox, the realm)
    receipts: list[tuple[Letter, Message, str]] = field(default_factory=list)
    later: datetime | None = None  # when the first letter came that is about a turn after the coming one
    later_name: str = ""  # the name of that message, if the mailbox does not say when it came


def restored_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return the record of a recovery for a game that is restored from an archive.

    ``files``: the archive's, by name; the newest moment in its journal of letters is that of the backup.
    """
    moments = []
    for line in files.get("mail/letters.jsonl", b"").splitlines():
        with suppress(ValueError, KeyError, TypeError):
            moments.append(datetime.fromisoformat(json.loads(line)["at"]))
    return _bytes(Restored(max(moments, default=None)))


def note_restored(mail: GameMail, since: datetime | None) -> None:
    """Record that letters ``since`` a moment are to be accepted again; None: all letters."""
    make_folder(mail.folder)
    write_file(mail.folder / RESTORED_FILE, _bytes(Restored(since)))


def restored(folder: Path) -> Restored | None:
    """Return the progress of a game's recovery; None if there is nothing to recover.

    ``folder``: that of the game's mail.
    """
    path = folder / RESTORED_FILE
    if not path.is_file():
        return Restored() if _is_to_be_searched(folder.parent) else None
    try:
        return msgspec.convert(RESTORED.current(json.loads(path.read_bytes()), str(path)), Restored)
    except (ValueError, KeyError, TypeError):
        return Restored()  # the file is damaged: all letters are looked at again


def _is_to_be_searched(game: Path) -> bool:
    """Return whether the game was imported with its mailbox to be searched, and that was not done since.

    ``game``: the game's folder, whose journal says so.
    """
    for entry in last_lines(game / ACTIONS_FILE):  # the newest first
        if entry.get("did") == SEARCHED:
            return False
        if entry.get("did") == IMPORT and entry.get("searched"):
            return True
    return False


def blocks(folder: Path, turn: int) -> str:
    """Return the sentence about why a turn of a restored game is not played yet; empty if it may be.

    ``folder``: that of the game's mail.
    """
    recovery = restored(folder)
    if recovery is None or recovery.done:
        return ""
    if recovery.read != turn:
        return says(
            "the game was restored from a backup or taken over, and its mailbox was not searched since"
        )
    lost = "; ".join(recovery.missing)
    return says("orders that had a receipt are no longer in the mailbox: {0}", lost) if lost else ""


def recover(mail: GameMail, source: Source, now: datetime, fetched: FetchResult) -> bool:
    """Accept letters again that the game has lost, if it was restored. The caller holds the game's lock.

    Return whether the mailbox may be read as usual then. It may not while it has letters about a turn after
    the coming one: they wait until the coming turn is played again. Raises ``MailboxError``.
    """
    state = restored(mail.folder)
    if state is None or state.done:
        return True
    since = state.since - MARGIN if state.since else None
    search = _Search()
    for message in source.waiting():
        _look_at(mail, search, message)
        if search.later_name:
            break
    processed = sorted(
        source.dealt_with(since), key=lambda message: message.arrived or datetime.max.replace(tzinfo=UTC)
    )
    # all are looked at before any is accepted: the receipts and later letters among them decide
    processed_with_ids = [(_look_at(mail, search, message), message) for message in processed]
    ids_with_receipt = set(chain.from_iterable(letter.references for letter, _, _ in search.receipts))
    for message_id, message in processed_with_ids:
        if message_id is None:  # it is one of ours
            continue
        if message_id in ids_with_receipt or _is_before(message, search.later):
            _accept_again(mail, message, now, fetched)
    # a mailbox without folders, which holds no leases either, has all letters among the waiting ones
    if search.later_name or not source.leasing:
        _accept_waiting(mail, source, search.later_name, now, fetched)
    # the receipt of a letter that was accepted again is in the outbox by now
    missing = tuple(
        _missing_letter(receipt, message, realm)
        for receipt, message, realm in search.receipts
        if not mail.own_entry_id(receipt.message_id)
    )
    has_later_letters = search.later is not None or bool(search.later_name)
    is_done = not has_later_letters and not missing
    state = Restored(state.since, mail.campaign.next_turn, missing, is_done)
    write_file(mail.folder / RESTORED_FILE, _bytes(state))
    return not has_later_letters


def _is_before(message: Message, later: datetime | None) -> bool:
    """Return whether a message came before the first letter about a later turn; true if there is none."""
    return later is None or (message.arrived is not None and message.arrived < later)


def _accept_waiting(
    mail: GameMail, source: Source, later_name: str, now: datetime, fetched: FetchResult
) -> None:
    """Accept again the letters in the mailbox, except our own, up to the first one about a later turn.

    ``later_name``: the name of that message in the mailbox; empty: there is none. ``fetched``: gets the
    outcomes of the letters.
    """
    for message in source.waiting():
        if message.name == later_name:
            break
        if read_letter(message.read(_HEAD)).kind is not Kind.OWN:
            _accept_again(mail, message, now, fetched)


def _missing_letter(receipt: Letter, message: Message, realm: str) -> str:
    """Return the sentence about orders of a realm that are no longer in the mailbox, though their receipt is.

    ``message``: the receipt as it lies in the mailbox.
    """
    message_id = printable(next(iter(receipt.references), "(no id)"))
    sent_words = f"{message.arrived:%Y-%m-%d %H:%M %Z}" if message.arrived else says("at a time not known")
    return says("{0}, letter <{1}>, whose receipt went out {2}", realm, message_id, sent_words)


def _look_at(mail: GameMail, search: _Search, message: Message) -> str | None:
    """Add a receipt of ours, or a letter of ours about a later turn, to the search.

    Return the Message-ID of a letter that is not ours; None for one of ours.
    """
    letter = read_letter(message.read(_HEAD))
    if letter.kind is not Kind.OWN:
        return letter.message_id
    turn_mark = _TURN.search(letter.whole_subject)
    player = mail.campaign.folder.players.of(turn_mark[2]) if turn_mark else None
    if turn_mark is None or player is None or fold(letter.own_game) != fold(mail.game):
        return None
    turn = int(turn_mark[1])
    coming = mail.campaign.next_turn
    # only we and the player know the token in it, so that nobody else can have written the letter
    if turn > coming and subject_mark(player, mail.game, turn) in letter.whole_subject:
        if message.arrived:
            search.later = min(message.arrived, search.later or message.arrived)
        else:
            search.later_name = search.later_name or message.name
    elif turn == coming and _OWN_ID.match(letter.message_id) and letter.subject.startswith(_RECEIPT):
        search.receipts.append((letter, message, turn_mark[2]))
    return None


def _accept_again(mail: GameMail, message: Message, now: datetime, fetched: FetchResult) -> None:
    """Deal with a letter as if it had not been read before; it stays in its folder.

    Nothing is done if it is gone or too large. ``fetched``: gets its outcome.
    """
    limit = mail.settings.care.letter_limit
    data = message.read(limit + 1)
    if not data or len(data) > limit:
        return
    letter = read_letter(data, trusted=mail.settings.trusted)
    arrived = min(message.arrived, now) if message.arrived else now
    for _, part in route_of([mail], letter).parts:
        deal_with(mail, part, now, arrived, fetched)


def end_recovery(mail: GameMail, now: datetime) -> None:
    """End a recovery, and record that, if the game has all its letters back."""
    state = restored(mail.folder)
    if state is not None and state.done:
        journal.note(mail.game_folder, SEARCHED, now, turn=mail.campaign.next_turn)
        clear(mail.folder / RESTORED_FILE)
        flush_folder(mail.folder)


def _bytes(state: Restored) -> bytes:
    return json.dumps(RESTORED.stamped(to_plain(state))).encode()
