"""Recovery of the letters of a game that was restored from a backup.

After a restored backup, the letters that it accepted since are accepted again. They are in the mailbox's
folders of processed letters, and so are the copies of our own receipts. If a receipt lists orders that no
letter brings back, the GM is told before anything is played. Letters that came when the next turn had been
played already wait until that turn is played again. Saved mails and mbox files have no folders: there all
letters still wait, in their order.
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

# in the folder of the game's post, as long as letters may have to be taken again
RESTORED_FILE = "restored.json"
SEARCHED = "mailbox searched"  # what the journal says when a restored game has its letters back
RESTORED = Format("note of a game that was restored", 1)

MARGIN = timedelta(days=7)  # so long before the backup a letter may have come that was dealt with after it
_HEAD = 16 * 1024  # bytes of a letter of our own that are read
_RECEIPT = "Orders received"
_OWN_ID = re.compile(r"gm\.[0-9a-f]{32}@")
_TURN = re.compile(r" t(\d{1,6}) ([A-Z0-9]{1,8})\b")


class Restored(Record):
    """The progress of a recovery.

    ``since``: the backup has all letters before it; ``read``: the turn whose letters were searched (0: none);
    ``missing``: the orders in receipts of that turn that no letter brought back, in words; ``done``: the
    search is finished, but answers to letters that were accepted again may still be in the outbox.
    """

    since: datetime | None = None
    read: int = 0
    missing: tuple[str, ...] = ()
    done: bool = False


@dataclass
class _Search:
    """One search of the mailbox."""

    # of the coming turn, with the realm
    receipts: list[tuple[Letter, Message, str]] = field(default_factory=list)
    later: datetime | None = None  # when the coming turn was first played, and letters were for the next
    # the message that told so, where a mailbox knows the order of its letters and not their time
    first: str = ""


def restored_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return the record of a recovery for a game that is restored from an archive with these files."""
    moments = []
    for line in files.get("mail/letters.jsonl", b"").splitlines():
        with suppress(ValueError, KeyError, TypeError):
            moments.append(datetime.fromisoformat(json.loads(line)["at"]))
    return _bytes(Restored(max(moments, default=None)))


def note_restored(mail: GameMail, since: datetime | None) -> None:
    """Record that letters since this moment are to be accepted again; None: all."""
    make_folder(mail.folder)
    write_file(mail.folder / RESTORED_FILE, _bytes(Restored(since)))


def restored(folder: Path) -> Restored | None:
    """Return the progress of a game's recovery; None if there is nothing to recover."""
    path = folder / RESTORED_FILE
    if not path.is_file():
        return Restored() if _is_to_be_searched(folder.parent) else None
    try:
        return msgspec.convert(RESTORED.current(json.loads(path.read_bytes()), str(path)), Restored)
    except (ValueError, KeyError, TypeError):
        return Restored()  # whatever it said: all letters are looked at again


def _is_to_be_searched(game: Path) -> bool:
    """Return whether a game was restored and its mailbox not searched to the end, by its journal."""
    for entry in last_lines(game / ACTIONS_FILE):
        if entry.get("did") == SEARCHED:
            return False
        if entry.get("did") == IMPORT and entry.get("searched"):
            return True
    return False


def blocks(folder: Path, turn: int) -> str:
    """Return the sentence about why a turn of a restored game is not played yet; empty if it may be."""
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
    """Accept letters again that the game has lost.

    Returns whether the mailbox may be read as usual then: not before a turn is played again whose results its
    letters answer. The lock is held. Raises ``MailboxError``.
    """
    state = restored(mail.folder)
    if state is None or state.done:
        return True
    since = state.since - MARGIN if state.since else None
    search = _Search()
    for message in source.waiting():
        _look_at(mail, search, message)
        if search.first:
            break
    moved = sorted(
        source.dealt_with(since), key=lambda message: message.arrived or datetime.max.replace(tzinfo=UTC)
    )
    looked_at = [(_look_at(mail, search, message), message) for message in moved]
    answered = set(chain.from_iterable(letter.references for letter, _, _ in search.receipts))
    for number, message in looked_at:
        if number is not None and (number in answered or _is_before(message, search.later)):
            _take(mail, message, now, fetched)
    if search.first or not source.leasing:
        _take_waiting(mail, source, search.first, now, fetched)
    # a letter that was taken again has its receipt in the outbox
    lost = (receipt for receipt in search.receipts if not mail.own_entry_id(receipt[0].message_id))
    missing = tuple(_missing_letter(letter, message, realm) for letter, message, realm in lost)
    is_complete = search.later is None and not search.first and not missing
    state = Restored(state.since, mail.campaign.next_turn, missing, is_complete)
    write_file(mail.folder / RESTORED_FILE, _bytes(state))
    return search.later is None and not search.first


def _is_before(message: Message, later: datetime | None) -> bool:
    """Return whether a message came before the letters of a ``later`` turn; true if there are none (None)."""
    return later is None or (message.arrived is not None and message.arrived < later)


def _take_waiting(mail: GameMail, source: Source, first: str, now: datetime, fetched: FetchResult) -> None:
    """Accept letters again until the first one of a turn to be played again (``first``; empty: all)."""
    for message in source.waiting():
        if message.name == first:
            break
        if read_letter(message.read(_HEAD)).kind is not Kind.OWN:
            _take(mail, message, now, fetched)


def _missing_letter(letter: Letter, message: Message, realm: str) -> str:
    """Return the sentence about orders with a receipt that are no longer in the mailbox."""
    number = printable((*letter.references, "(no id)")[0])
    sent_words = f"{message.arrived:%Y-%m-%d %H:%M %Z}" if message.arrived else says("at a time not known")
    return says("{0}, letter <{1}>, whose receipt went out {2}", realm, number, sent_words)


def _look_at(mail: GameMail, search: _Search, message: Message) -> str | None:
    """Record finished work that a letter of ours, or its copy, proves.

    Returns the Message-ID of a letter that is not ours, else None.
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
    # nobody but us and the player knows the token of his letters
    if turn > coming and subject_mark(player, mail.game, turn) in letter.whole_subject:
        search.later = (
            min(message.arrived, search.later or message.arrived) if message.arrived else search.later
        )
        search.first = search.first or ("" if message.arrived else message.name)
    elif turn == coming and _OWN_ID.match(letter.message_id) and letter.subject.startswith(_RECEIPT):
        search.receipts.append((letter, message, turn_mark[2]))
    return None


def _take(mail: GameMail, message: Message, now: datetime, fetched: FetchResult) -> None:
    """Deal with a letter as if it had just come; it stays in its folder."""
    limit = mail.settings.care.letter_limit
    data = message.read(limit + 1)
    if not data or len(data) > limit:
        return
    letter = read_letter(data, trusted=mail.settings.trusted)
    for _, part in route_of([mail], letter).parts:
        deal_with(mail, part, now, min(message.arrived, now) if message.arrived else now, fetched)


def end_recovery(mail: GameMail, now: datetime) -> None:
    """End the recovery of a game that has all its letters back."""
    state = restored(mail.folder)
    if state is not None and state.done:
        journal.note(mail.game_folder, SEARCHED, now, turn=mail.campaign.next_turn)
        clear(mail.folder / RESTORED_FILE)
        flush_folder(mail.folder)


def _bytes(state: Restored) -> bytes:
    return json.dumps(RESTORED.stamped(to_plain(state))).encode()
