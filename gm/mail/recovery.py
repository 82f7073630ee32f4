"""Recovery of a game whose mail was lost or damaged.

After a restored backup, the letters that it accepted since are accepted again. They are in the mailbox's
folders of processed letters, and so are the copies of our own receipts. If a receipt lists orders that no
letter brings back, the GM is told before anything is played. Letters that came when the next turn had been
played already wait until that turn is played again. Saved mails and mbox files have no folders: there all
letters still wait, in their order.
"""

import email.policy
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from gm.campaign.recovery import IMPORT, REPAIR, last_lines
from gm.campaign.verify import POST, History
from gm.core.diagnostics import fold, printable
from gm.core.values import Record
from gm.mail.fetching import FetchResult, deal_with
from gm.mail.game_mail import MAIL, GameMail, seat_fingerprint, state_fingerprint, subject_mark
from gm.mail.letter import Kind, Letter, read_letter, without_secrets
from gm.mail.outbox import FOLDER, JOURNAL, Outbox, State
from gm.mail.reading import route_of
from gm.mail.source import Message, Source
from gm.store import BrokenFolderError, journal
from gm.store.change import carry_out, rebased
from gm.store.disk import clear, flush_folder, make_folder, write_file
from gm.store.folder import STATE_FILE, GameFolder
from gm.store.formats import Format
from gm.store.journal import ACTIONS_FILE, START, Journal, Usable

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

    ``since``: the backup has all before; ``read``: the searched turn (0: none).

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
    """Have letters since this moment accepted again; None: all."""
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
    """Return why a turn of a restored game is not played yet, in a sentence; empty if it may be."""
    recovery = restored(folder)
    if recovery is None or recovery.done:
        return ""
    if recovery.read != turn:
        return "the game was restored from a backup or taken over, and its mailbox was not searched since"
    lost = "; ".join(recovery.missing)
    return f"orders that had a receipt are no longer in the mailbox: {lost}" if lost else ""


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
    lost = (receipt for receipt in search.receipts if not mail.own_number(receipt[0].message_id))
    missing = tuple(_missing_letter(letter, message, realm) for letter, message, realm in lost)
    done = search.later is None and not search.first and not missing
    state = Restored(state.since, mail.campaign.next_turn, missing, done)
    write_file(mail.folder / RESTORED_FILE, _bytes(state))
    return search.later is None and not search.first


def _is_before(message: Message, later: datetime | None) -> bool:
    """Return whether a message came before the letters of a ``later`` turn; true if there are none (None)."""
    return later is None or (message.arrived is not None and message.arrived < later)


def _take_waiting(mail: GameMail, source: Source, first: str, now: datetime, fetched: FetchResult) -> None:
    """Accept the letters again before the ``first`` one of a turn to be played again; empty: all."""
    for message in source.waiting():
        if message.name == first:
            break
        if read_letter(message.read(_HEAD)).kind is not Kind.OWN:
            _take(mail, message, now, fetched)


def _missing_letter(letter: Letter, message: Message, realm: str) -> str:
    """Return the sentence about orders with a receipt that are no longer in the mailbox."""
    number = printable((*letter.references, "(no id)")[0])
    went = f"{message.arrived:%Y-%m-%d %H:%M %Z}" if message.arrived else "at a time not known"
    return f"{realm}, letter <{number}>, whose receipt went out {went}"


def _look_at(mail: GameMail, search: _Search, message: Message) -> str | None:
    """Record what a letter of ours, or its copy, says of finished work; of other letters the Message-ID."""
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
    return json.dumps(RESTORED.stamped(msgspec.to_builtins(state))).encode()


# -- damaged journals: the GM's own, and those of the mail; of a lost outbox the messages that are kept tell -

DAMAGED = "damaged"  # the folder of a game in which the damaged journals are kept


def repaired(
    folder: GameFolder, at: datetime, by: str, *, dry_run: bool
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Repair each journal: yield its name, and its losses.

    The GM's own comes first: the others' losses go into it. The lock is held. ``at``, ``by``: for the
    journal's lines about it. With ``dry_run`` nothing is written.
    """
    for name in (ACTIONS_FILE, *(f"{MAIL}/{file}" for file in POST)):
        path = folder.path / name
        history = History(folder.path)
        # lines that fit each other may still be wrong: some are missing, or were changed with care
        checks = history.own() if name == ACTIONS_FILE else history.post(path)
        problems = tuple(check.problem for check in checks if check.problem)
        if path.is_file() or name == ACTIONS_FILE:
            data, damage = journal.repaired(path, _usable(path.name))
        elif not problems:
            data = b""
            damage = ()  # it was never begun
        else:
            data, damage = _restored_outbox(folder) if path.name == JOURNAL else (b"", ())
            damage = ("the file was missing, and with it every line", *damage)
        lost = damage or problems
        yield name, lost
        if lost and not dry_run:
            _replace(folder, path, data, {"at": at.isoformat(), "did": REPAIR, "by": by}, lost)


def _replace(
    folder: GameFolder, path: Path, data: bytes, head: dict[str, Any], lost: tuple[str, ...]
) -> None:
    """Replace a damaged journal by the repaired one and store the old, with a line in the GM's journal.

    With a journal of the mail it is all or nothing.
    """
    name = path.relative_to(folder.path).as_posix()
    entry = {**head, "file": name, "lost": list(lost)}
    kept: dict[str, bytes | None] = {}
    if path.is_file():
        kept = {_kept_as(folder, path): path.read_bytes()}
        entry["damaged"] = _kept_as(folder, path)
    lines = data.splitlines()
    end = str(json.loads(lines[-1])[journal.CHAIN]) if lines else ""
    if name != ACTIONS_FILE:
        ends = {**journal.post_ends(folder.path).get("post", {}), path.name: end}
        carry_out(folder.path, {name: data, **kept}, {**entry, "post": ends})
        return
    with suppress(BrokenFolderError):
        entry = {**head, "turn": folder.newest_turn(), **entry}
    before = journal.last_chain(path)
    line = journal.chained_lines([journal.text_of(entry)], end or START)
    for file, content in (*kept.items(), (name, data + line)):
        make_folder((folder.path / file).parent)
        write_file(folder.path / file, content or b"")
    rebased(folder.path, before, Journal(path).chain)


def _kept_as(folder: GameFolder, path: Path) -> str:
    """Return a name for a damaged journal; the same again for the same content."""
    number = 1
    while True:
        kept = folder.path / DAMAGED / f"{path.name}-{number}"
        if not kept.exists() or kept.read_bytes() == path.read_bytes():
            return f"{DAMAGED}/{path.name}-{number}"
        number += 1


UNKNOWN = "its line was lost: whether it arrived is not known"


def _usable(name: str) -> Usable:
    """Return the function that says which lines of a journal fit after those before them."""
    numbers: set[str] = set()

    def action(entry: dict[str, Any]) -> bool:
        return isinstance(entry.get("did"), str) and isinstance(entry.get("turn", 0), int)

    def message(entry: dict[str, Any]) -> bool:
        if entry.get("state") not in set(State) or not _is_moment(entry.get("at")):
            return False
        if "once" in entry and _has_words(
            entry, "message", "once", "kind", "to", "subject", "realm", "expires"
        ):
            numbers.add(entry["message"])
        return entry.get("message") in numbers

    def letter(entry: dict[str, Any]) -> bool:
        words = ("letter", "bytes", "fate") if "letter" in entry else ("what",)
        return _is_moment(entry.get("at")) and _has_words(entry, *words)

    return {ACTIONS_FILE: action, JOURNAL: message}.get(name, letter)


def _has_words(entry: dict[str, Any], *names: str) -> bool:
    return all(isinstance(entry.get(name), str) for name in names)


def _is_moment(text: object) -> bool:
    with suppress(ValueError, TypeError):
        return bool(datetime.fromisoformat(str(text)))
    return False


def _restored_outbox(folder: GameFolder) -> tuple[bytes, tuple[str, ...]]:
    """Return an outbox journal made of the stored messages, and a sentence about it.

    Nothing goes out again by itself. The newest turn's results count as not delivered, so that the GM sees
    them and 'pbem mail again' sends them; all else counts as sent.
    """
    texts = [journal.text_of(entry) for entry in _entries(folder)]
    remark = (
        f"{len(texts)} messages were found again by their files; {UNKNOWN}: 'pbem mail again' sends results "
        "again"
    )
    return journal.chained_lines(texts), (remark,) if texts else ()


def _entries(folder: GameFolder) -> Iterator[dict[str, Any]]:
    # the letters with the newest turn's results that there may be
    results: dict[str, tuple[str, str, int]] = {}
    outbox = Outbox(folder.path / MAIL, folder.settings.id, folder.settings.seed)
    turn = folder.newest_turn()
    for player in folder.players.players if (folder.turn_path(turn) / STATE_FILE).is_file() else ():
        seat = seat_fingerprint(folder, player.realm, turn + 1)
        once = f"results {turn} {player.realm} {state_fingerprint(folder, turn)} {seat}"
        results[outbox.new_id(once)] = (once, player.realm, turn + 1)
    for path in sorted((folder.path / MAIL / FOLDER).glob("*.eml")):
        message = message_from_bytes(path.read_bytes(), policy=email.policy.default)
        at = datetime.fromtimestamp(path.stat().st_mtime, UTC).replace(microsecond=0).isoformat()
        once, realm, turn = results.get(path.stem, (f"restored {path.stem}", "", 0))
        words = {"once": once, "kind": "results" if realm else "restored", "to": str(message["To"] or "")}
        words |= {"subject": without_secrets(str(message["Subject"] or "")), "realm": realm}
        yield {"message": path.stem, "state": State.QUEUED, "at": at, **words, "turn": turn, "expires": ""}
        state = State.FAILED if realm else State.SENT
        yield {"message": path.stem, "state": state, "at": at, "words": UNKNOWN}
