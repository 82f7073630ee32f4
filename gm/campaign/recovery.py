"""Recovery after an interrupted run: its changes are finished or removed, with one sentence about each.

A turn counts as played once its unfinished folder has got its final name (``turn-12``), and as undone once
this folder is in ``undone``. Any other change counts once all of it is written down (:mod:`gm.store.change`).
Lines that the journal lacks are added.
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

# names of commands in the journal's lines
NEW = "new"
TURN = "turn"
UNDO = "undo"
IMPORT = "import"
BY_HAND = "by hand"
REPAIR = "repair"
REOPEN = "undo --reopen"


def needs_recovery(folder: GameFolder) -> bool:
    """Return whether an interrupted run may have left something to recover. Reads little, writes nothing."""
    if leftovers(folder.path) or unfinished_in(folder.path) or unfinished_in(folder.turns):
        return True
    try:
        newest = folder.newest_turn()
    except BrokenFolderError:
        return False  # the command that needs the turns reports it
    journal_path = folder.path / ACTIONS_FILE
    recorded = newest_of(last_lines(journal_path))
    # no line is about a turn: the game is older than its journal, or the line of its first turn is missing
    if recorded is None:
        return newest == 1 and journal_path.exists()
    return newest != recorded


def recover(folder: GameFolder, at: datetime, following: Mapping[str, Following]) -> list[str]:
    """Finish what counts, remove the rest, add missing lines to the journal; return a sentence about each.

    There are no sentences about single unfinished files that are removed. ``at``: the moment of the lines;
    ``following``: what commands do after a change, by their names. The caller holds the game's lock. Raises
    ``OSError``, and ``BrokenFolderError`` for a journal that was tampered with.
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
    """Return the sentence about a turn's unfinished folder."""
    if turn <= newest:  # a command was unpacking or packing a turn that was played before
        return says(_UNFINISHED, says("The last command"))
    return says("Turn {0} was not finished: nothing of it counts. Run 'pbem turn' again.", turn)


def progress_mark(folder: GameFolder) -> tuple[int, str]:
    """Return (the newest turn, the journal's last chain value), which every change of a game changes."""
    return folder.newest_turn(), journal_of(folder.path).chain


def interrupted(folder: GameFolder, before: tuple[int, str]) -> str:
    """Return a sentence about how much a command has changed that an error ended.

    ``before``: the :func:`progress_mark` when it began.
    """
    turn_before, chain_before = before
    try:
        entry = pending(folder.path)
        newest, chain = progress_mark(folder)
    except (StoreError, OSError):
        return says("The next command will say whether it took effect.")
    if newest > turn_before:
        change = says("Turn {0} has been played", newest)
    elif newest < turn_before:
        change = says("Turn {0} has been undone", turn_before)
    elif entry is not None or chain != chain_before:
        change = says("What was asked for counts")
    else:
        return says("Nothing was changed.")
    return says("{0} anyway. The next command completes the rest.", change)


def last_turn(folder: Path) -> Entry | None:
    """Return the journal's newest line about a turn that was played or undone; None if it has none."""
    return next(
        (entry for entry in last_lines(folder / ACTIONS_FILE) if entry.get("did") in (TURN, UNDO)), None
    )


def _change(folder: Path, following: Mapping[str, Following]) -> Iterator[str]:
    """Finish an interrupted change, or discard one that was not written down completely.

    Yields a sentence about what was done, and one about each thing that cannot be done. ``following``: by the
    command's name in the journal, what follows its change.
    """
    problems: list[str] = []

    def carefully(follow: Following, entry: Entry) -> None:
        """Do what follows a change; its errors become sentences, so that the recovery goes on."""
        try:
            follow(entry)
        except (StoreError, SourceError) as error:
            problems.append(says("What follows from it could not be done: {0}", error))

    entry = finish(folder, {name: partial(carefully, follow) for name, follow in following.items()})
    if entry is not None:
        yield says("'pbem {0}' was cut short; it counts, and is finished now.", entry.get("did", "?"))
        yield from problems
    elif leftovers(folder):
        unfinished = (folder / CHANGE / "change.json").exists() or unfinished_name(folder / CHANGE).exists()
        discarded = discard(folder)
        if unfinished:
            what = f"'pbem {discarded.get('did', '?')}'" if discarded else says("The last command")
            yield _UNFINISHED.format(what)


def _turns(folder: GameFolder, at: datetime) -> Iterator[str]:
    """Add the line that the journal lacks about a turn that was played or undone; yield a sentence on it.

    If the newest turn cannot be explained in this way, the line says that the folder was changed by hand.
    """
    entries = journal_of(folder.path).entries
    recorded = newest_of(reversed(entries))
    newest = folder.newest_turn()
    if recorded is None and (newest != 1 or not entries):
        return  # a game that is older than its journal
    recorded = recorded or 0
    recorded_names = {entry.get("kept") for entry in entries}
    names_in_undone = [path.name for path in folder.undone.glob(f"{turn_name(recorded)}-*")]
    unrecorded = [name for name in names_in_undone if name not in recorded_names]
    if newest == recorded + 1:
        record = folder.turn_record(newest)
        line_fields: dict[str, Any] = {name: record[name] for name in ("orders", "missing") if name in record}
        line_fields["record"] = fingerprint((folder.turn_path(newest) / TURN_FILE).read_bytes())
        note(folder.path, TURN, at, turn=newest, **line_fields, noted="by the next command")
        yield says("Turn {0} was played; the command was cut short before it could say so.", newest)
    elif newest == recorded - 1 and unrecorded:
        archive = max(unrecorded, key=lambda name: (len(name), name))  # the highest number at its end
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
    """Return the newest turn, as the first of ``entries`` about turns says; None if there is none.

    ``entries``: lines of the GM's journal, newest first.
    """
    for entry in entries:
        turn = entry.get("turn")
        if entry.get("did") in (NEW, TURN, UNDO, IMPORT, BY_HAND, REPAIR) and isinstance(turn, int):
            return turn - 1 if entry["did"] == UNDO else turn
    return None


def last_lines(path: Path) -> Iterator[Entry]:
    """Yield the data of a journal's lines, newest first, without a check of their chain.

    Lines that cannot be read are left out, and a missing journal has none.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return
    for line in reversed(lines):
        with suppress(ValueError):
            entry = json.loads(line)
            if isinstance(entry, dict):
                yield entry
