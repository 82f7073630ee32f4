"""A change of several files of a game that happens whole or not at all, with its line in the GM's journal.

    .change.building/    being prepared: it counts for nothing, the next run clears it away
    .change/             prepared: it counts, the next run finishes it
        change.json      what was asked for, the files, the line for the journal
        0, 1, 2 ...      the new contents

A file outside the game (an exported archive) is written in between; it counts when it is there as meant.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from gm.core.diagnostics import says
from gm.store import BrokenFolderError
from gm.store.disk import build_folder, clear, flush_folder, make_folder, move, unfinished_name, write_file
from gm.store.formats import Format, JsonObject
from gm.store.inbox import fingerprint
from gm.store.journal import Entry, journal_of

CHANGE = ".change"
RECORD = Format("list of a game's changes", 1)
_RECORD_FILE = "change.json"

# what a command does after its files are in place, with its journal line; after a killed run it is done again
Following = Callable[[Entry], object]


def carry_out(
    folder: Path,
    files: Mapping[str, bytes | None],
    entry: Mapping[str, Any],
    *,
    following: Following | None = None,
    outside: tuple[Path, bytes] | None = None,
) -> None:
    """Write the files of a change and its line in the GM's journal.

    ``files``: new contents by name in the game folder, None removes a file; ``entry``: the line, as plain
    data; ``following`` is called when both are written; ``outside``: path and content of a file outside the
    game. The caller holds the lock, and no unfinished change is there. Raises ``OSError`` and
    ``BrokenFolderError``; then :func:`pending` tells whether the change counts in spite of the error.
    """
    # as an interrupted change would read it again: both ways the journal gets the same line
    line = json.loads(json.dumps(dict(entry), ensure_ascii=False))
    contents: dict[str, bytes] = {}  # by the file's name in the change's folder
    steps: list[list[str]] = []  # the arguments of _apply
    for name, data in files.items():
        if data is not None:
            steps.append([name, str(len(contents))])
            contents[str(len(contents))] = data
        elif (folder / name).is_file():
            steps.append([name, "", fingerprint((folder / name).read_bytes())])
    record: dict[str, Any] = {"entry": line, "chain": journal_of(folder).chain, "files": steps}
    if outside is not None:
        record["outside"] = [str(outside[0].resolve()), fingerprint(outside[1])]
    build_folder(folder / CHANGE, {_RECORD_FILE: RECORD.encode(record), **contents})
    # before the game's files are touched: the change counts only when this file is there
    if outside is not None:
        write_file(*outside)
    _finish(folder, record, following)


def pending(folder: Path) -> Entry | None:
    """Return the journal line of an unfinished change that is to be finished; None if there is none.

    Raises ``BrokenFolderError`` if the record of the change is damaged.
    """
    record = _change_that_counts(folder)
    return dict(record["entry"]) if record else None


def leftovers(folder: Path) -> list[Path]:
    """Return the folders that an unfinished change has left in a game folder, written completely or not."""
    return [place for place in (folder / CHANGE, unfinished_name(folder / CHANGE)) if place.exists()]


def finish(folder: Path, following: Mapping[str, Following]) -> Entry | None:
    """Finish an interrupted change that counts; return its journal line, None if there was no such change.

    ``following``: what commands do afterwards, by their name in the journal. The caller holds the lock.
    """
    record = _change_that_counts(folder)
    if record is None:
        return None
    _finish(folder, record, following.get(str(record["entry"].get("did"))))
    return dict(record["entry"])


def rebased(folder: Path, before: str, after: str) -> None:
    """Let an unfinished change, if it was to follow the broken journal, follow the repaired one.

    ``before`` and ``after``: the chain values of the journal's last line before and after its repair. The
    caller holds the lock.
    """
    record = _record(folder)
    if record is not None and record["chain"] == before:
        write_file(folder / CHANGE / _RECORD_FILE, RECORD.encode({**record, "chain": after}))


def discard(folder: Path) -> Entry | None:
    """Remove a change that does not count, because it or its file outside the game was not finished.

    The caller holds the lock. Returns the change's journal line; None if there is none that can be read.
    """
    entry = None
    record = _record(folder)
    if record is not None and "outside" in record:
        clear(unfinished_name(Path(record["outside"][0])))
    for place in leftovers(folder):
        with suppress(OSError, ValueError, KeyError, TypeError):
            entry = entry or dict(json.loads((place / _RECORD_FILE).read_bytes())["entry"])
        _remove_list_first(place)
    return entry


def _record(folder: Path) -> JsonObject | None:
    """Return the record of an interrupted change, from its ``change.json``; None if there is none.

    It names the change's files and holds its journal line. Raises ``BrokenFolderError`` and
    ``NewerFormatError``.
    """
    path = folder / CHANGE / _RECORD_FILE
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None  # no change, or a finished one: of its folder the record is removed first
    return RECORD.decode(data, path)


def _change_that_counts(folder: Path) -> JsonObject | None:
    """Return the record of a prepared change, if there is one and it counts; else None.

    A change with a file outside the game counts when that file is there with the content that was meant.
    """
    record = _record(folder)
    if record is None or "outside" not in record:
        return record
    path, mark = record["outside"]
    with suppress(OSError):
        return record if fingerprint(Path(path).read_bytes()) == mark else None
    return None


def _finish(folder: Path, record: Mapping[str, Any], following: Following | None) -> None:
    """Carry out a prepared change; every step may have been done before, by an interrupted run.

    ``record``: as of :func:`_record`; ``following``: is called with the journal's line at the end.
    """
    touched_folders = {folder / CHANGE}
    for step in record["files"]:
        touched_folders.add(_apply(folder, *step))
    for touched in sorted(touched_folders):
        flush_folder(touched)
    journal = journal_of(folder)
    if journal.chain == record["chain"]:  # else the line is there already
        journal.append(record["entry"])
    if following is not None:
        following(dict(record["entry"]))
    _remove_list_first(folder / CHANGE)


def _apply(folder: Path, name: str, source: str, mark: str = "") -> Path:
    """Write or remove one file of a change, unless an interrupted run has done it; return the file's folder.

    ``source``: the name of its new content in the change's folder, empty to remove the file; ``mark``: the
    fingerprint of the file to remove, so that no other one is removed. Raises ``BrokenFolderError`` if the
    new content is gone and the file is not there either.
    """
    path = folder / name
    prepared = folder / CHANGE / source
    if source and prepared.is_file():
        make_folder(path.parent)
        move(prepared, path)
    elif source and not path.is_file():
        raise BrokenFolderError(
            says("{0} is missing: a change cannot be finished. Restore it from a backup.", prepared)
        )
    elif mark and path.is_file() and fingerprint(path.read_bytes()) == mark:
        clear(path)
    return path.parent


def _remove_list_first(place: Path) -> None:
    """Remove a prepared change, its list first, durably: without it the change is never carried out again.

    ``place``: the folder of the change.
    """
    clear(place / _RECORD_FILE)
    flush_folder(place)
    clear(place)
    flush_folder(place.parent)
