"""Recovery after an interrupted run: its changes are finished or removed, with one sentence about each.

A turn counts when its folder has its name, and is taken back when that has its other name under ``undone``.
Everything else counts when its change is prepared (:mod:`gm.store.change`). The journal follows.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from gm.core.diagnostics import SourceError, says
from gm.store import BrokenFolderError, StoreError
from gm.store.change import CHANGE, Following, discard, finish, leftovers, pending
from gm.store.disk import clear, clear_unfinished, unfinished_in, unfinished_name
from gm.store.folder import TURN_FILE, GameFolder
from gm.store.inbox import fingerprint
from gm.store.journal import ACTIONS_FILE, Entry, journal_of, note
from gm.store.turns import turn_name

_UNFINISHED = "{0} was not finished: nothing of it counts. Run it again."
_TURN_BEING_BUILT = re.compile(r"\.turn-(\d{2,6})\.building\Z")

NEW = "new"
TURN = "turn"
UNDO = "undo"
IMPORT = "import"
BY_HAND = "by hand"
REPAIR = "repair"
REOPEN = "undo --reopen"


def needs_recovery(folder: GameFolder) -> bool:
    """Return whether there may be something to recover. Reads little and writes nothing."""
    if leftovers(folder.path) or unfinished_in(folder.path) or unfinished_in(folder.turns):
        return True
    try:
        newest = folder.newest_turn()
    except BrokenFolderError:
        return False  # told by whoever needs the turns
    recorded = newest_of(last_lines(folder.path / ACTIONS_FILE))
    # none: a game that is older than its journal, or its first turn
    return (
        newest != recorded if recorded is not None else newest == 1 and (folder.path / ACTIONS_FILE).exists()
    )


def recover(folder: GameFolder, at: datetime, following: Mapping[str, Following]) -> list[str]:
    """Finish what counts, remove the rest, make the journal agree with the folder.

    Return a sentence about each.

    The lock is held. Raises ``OSError``, and ``BrokenFolderError`` for a journal that was tampered with.
    """
    messages = [*_change(folder.path, following), *_turns(folder, at)]
    for path in unfinished_in(folder.turns):
        match = _TURN_BEING_BUILT.match(path.name)
        if match:
            messages.append(_unfinished_turn(int(match[1]), folder.newest_turn()))
        clear(path)
    messages += folder.played.settle()
    inbox = folder.inbox(folder.newest_turn() + 1).folder
    for subfolder in (folder.path, folder.undone, inbox, inbox / "rejected"):
        clear_unfinished(subfolder)
    return messages


def _unfinished_turn(turn: int, newest: int) -> str:
    """Return the sentence about a turn's unfinished folder: a turn was played, or an old one unpacked."""
    if turn <= newest:
        return says(_UNFINISHED, says("The last command"))
    return says("Turn {0} was not finished: nothing of it counts. Run 'pbem turn' again.", turn)


def progress_mark(folder: GameFolder) -> tuple[int, str]:
    """Return the newest turn and the end of the journal, which differ after a changing command."""
    return folder.newest_turn(), journal_of(folder.path).chain


def interrupted(folder: GameFolder, before: tuple[int, str]) -> str:
    """Return a sentence about the unfinished work of a command that an error ended.

    ``before``: the :func:`progress_mark` when it began.
    """
    turn, chain = before
    try:
        entry = pending(folder.path)
        newest, chained = progress_mark(folder)
    except (StoreError, OSError):
        return says("The next command will say whether it took effect.")
    if newest != turn:
        change = (
            says("Turn {0} has been played", newest)
            if newest > turn
            else says("Turn {0} has been undone", turn)
        )
    elif entry is not None or chained != chain:
        change = says("What was asked for counts")
    else:
        return says("Nothing was changed.")
    return says("{0} anyway. The next command completes the rest.", change)


def last_turn(folder: Path) -> Entry | None:
    """Return the journal's newest line about a turn that was played or taken back, if it has one."""
    return next(
        (entry for entry in last_lines(folder / ACTIONS_FILE) if entry.get("did") in (TURN, UNDO)), None
    )


def _change(folder: Path, following: Mapping[str, Following]) -> Iterator[str]:
    """Finish an interrupted change; yield a sentence about what was done and about what cannot be done."""
    trouble: list[str] = []

    def carefully(follow: Following, entry: Entry) -> None:
        try:
            follow(entry)
        except (StoreError, SourceError) as error:
            trouble.append(says("What follows from it could not be done: {0}", error))

    entry = finish(folder, {name: partial(carefully, follow) for name, follow in following.items()})
    if entry is not None:
        yield says("'pbem {0}' was cut short; it counts, and is finished now.", entry.get("did", "?"))
        yield from trouble
    elif leftovers(folder):
        unfinished = (folder / CHANGE / "change.json").exists() or unfinished_name(folder / CHANGE).exists()
        discarded = discard(folder)
        if unfinished:
            what = f"'pbem {discarded.get('did', '?')}'" if discarded else says("The last command")
            yield _UNFINISHED.format(what)


def _turns(folder: GameFolder, at: datetime) -> Iterator[str]:
    """Add the journal's missing line about a turn that was played or taken back.

    Yield a sentence about it.
    """
    entries = journal_of(folder.path).entries
    recorded = newest_of(reversed(entries))
    newest = folder.newest_turn()
    if recorded is None and (newest != 1 or not entries):
        return  # a game that is older than its journal
    recorded = recorded or 0
    heard = {entry.get("kept") for entry in entries}
    unheard = [path.name for path in folder.undone.glob(f"{turn_name(recorded)}-*") if path.name not in heard]
    if newest == recorded + 1:
        record = folder.turn_record(newest)
        sent_fields: dict[str, Any] = {name: record[name] for name in ("orders", "missing") if name in record}
        sent_fields["record"] = fingerprint((folder.turn_path(newest) / TURN_FILE).read_bytes())
        note(folder.path, TURN, at, turn=newest, **sent_fields, noted="by the next command")
        yield says("Turn {0} was played; the command was cut short before it could say so.", newest)
    elif newest == recorded - 1 and unheard:
        archive = max(unheard, key=lambda name: (len(name), name))
        note(folder.path, UNDO, at, turn=recorded, kept=archive, noted="by the next command")
        yield (
            says(
                "Turn {0} was undone and is kept in undone/{1}; the command was cut short before it said so.",
                recorded,
                archive,
            )
        )
    elif newest != recorded:
        note(folder.path, BY_HAND, at, turn=newest)
        mismatch = says("The newest turn is {0}, and the journal recorded turn {1}", newest, recorded)
        yield says("{0}: somebody has changed the folder by hand. The journal notes it.", mismatch)


def newest_of(entries: Iterable[Entry]) -> int | None:
    """Return the newest turn by the journal's newest line about one; ``entries``: newest first.

    None if there is no such line.
    """
    for entry in entries:
        turn = entry.get("turn")
        if entry.get("did") in (NEW, TURN, UNDO, IMPORT, BY_HAND, REPAIR) and isinstance(turn, int):
            return turn - 1 if entry["did"] == UNDO else turn
    return None


def last_lines(path: Path) -> Iterator[Entry]:
    """Yield the entries of a journal, newest first, without a check of its chain."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return
    for line in reversed(lines):
        with suppress(ValueError):
            entry = json.loads(line)
            if isinstance(entry, dict):
                yield entry
