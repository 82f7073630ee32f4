"""A journal: lines are only added, each chained to the one before, so that every change shows.

Each is a JSON object that ends with ``"chain"``: the SHA-256 of the previous chain and of the line without
its own. It counts once it is on the disk with its line end. The GM's journal has each action and its time,
and no key, address or content.
"""

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from gm.core.diagnostics import says
from gm.core.values import Record
from gm.store import BrokenFolderError
from gm.store.disk import append, flush_folder, make_folder

ACTIONS_FILE = "journal.jsonl"  # the GM's journal: every command that changes a game leaves a line in it

CHAIN = "chain"
START = "0" * 64  # what the first line is chained to

Entry = dict[str, Any]
# whether a line can be kept, asked of each in order: without its first ones it cannot
Usable = Callable[[Entry], bool]


class Journal:
    """One journal file.

    It is read as a whole at its first use, which raises ``BrokenFolderError`` when the chain is broken;
    adding to it needs the game's lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._size: int | None = None  # of the whole lines, once that is known to be all of the file

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, oldest first, without their chain."""
        return tuple(self._read[0])

    @property
    def chains(self) -> tuple[str, ...]:
        """The chain of every line, oldest first."""
        return tuple(self._read[1][1:])

    @property
    def chain(self) -> str:
        """The chain value for the next line."""
        return self._read[1][-1]

    def append(self, entry: Mapping[str, Any]) -> None:
        """Add a line and flush it to the disk. ``entry`` holds plain data and no ``chain``."""
        entries, chains = self._read
        line, chain = _chained_line(chains[-1], text_of(entry))
        length, self._size = self._size, None
        if length is None:
            make_folder(self.path.parent)
        # what a killed run left of a line would swallow this one; nobody else adds lines while we hold the
        # lock
        whole = _length(_content(self.path)) if length is None else length
        append(self.path, line, whole)
        self._size = whole + len(line)
        if length is None:  # the run that made the file may have been cut short before its name was safe
            flush_folder(self.path.parent)
        entries.append(dict(entry))
        chains.append(chain)

    @cached_property
    def _read(self) -> tuple[list[Entry], list[str]]:
        """Return the entries, and the chain values: the first one's predecessor, then each line's own."""
        entries: list[Entry] = []
        chains = [START]
        for line in lines_of(_content(self.path), self.path):
            if not line.follows(chains[-1]):
                wrong = says("this line or one before it was changed or taken out: it does not fit the chain")
                hint = says("Restore the file from a backup; to go on without it, move it away.")
                place = f"{self.path}:{line.number}"
                raise BrokenFolderError(says("{0}: {1} {2}", place, says("{0}.", wrong), hint))
            entries.append(line.entry)
            chains.append(line.chain)
        return entries, chains


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def last_chain(path: Path) -> str:
    """Return the chain of the last whole line of a journal, without checking others; empty for none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - (1 << 17)))  # its last line is shorter
            tail = file.read()
    except OSError:
        return ""
    lines = tail[: _length(tail)].split(b"\n")
    match = re.search(rb'"chain": "([0-9a-f]{64})"\}$', lines[-2]) if len(lines) > 1 else None
    return match[1].decode() if match else ""


def chained(before: str, text: str) -> str:
    """Return the chain value of a line, from the one before it and the line's text without its own."""
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()


def chained_lines(texts: Iterable[str], before: str = START) -> bytes:
    """Return lines with chains, as in a file, from their texts without chains."""
    lines = []
    for text in texts:
        line, before = _chained_line(before, text)
        lines.append(line)
    return b"".join(lines)


def _chained_line(before: str, text: str) -> tuple[bytes, str]:
    chain = chained(before, text)
    return (
        f"{text[:-1]}{', ' if text != '{}' else ''}{json.dumps(CHAIN)}: {json.dumps(chain)}}}\n".encode(),
        chain,
    )


def text_of(entry: Mapping[str, Any]) -> str:
    """Return a line without its chain."""
    return json.dumps(dict(entry), ensure_ascii=False)


class Line(Record):
    """A line, its entry and its text without its chain."""

    number: int
    entry: Entry
    text: str
    chain: str

    def follows(self, before: str) -> bool:
        return self.chain == chained(before, self.text)


def _line(number: int, raw: bytes) -> Line | None:
    """Return a line of a journal; None if it is damaged."""
    try:
        entry = json.loads(raw)
        chain = str(entry.pop(CHAIN))
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        return None
    return Line(number, entry, text_of(entry), chain)


def lines_of(data: bytes, path: Path) -> Iterator[Line]:
    """Yield each whole line. Raises ``BrokenFolderError`` for a malformed one."""
    for number, raw in enumerate(data[: _length(data)].split(b"\n")[:-1], start=1):
        line = _line(number, raw)
        if line is None:
            raise BrokenFolderError(
                says("{0}:{1}: this is not a line of a journal. Restore the file.", path, number)
            )
        yield line


def _length(data: bytes) -> int:
    """Return the length of the whole lines, in bytes.

    The last line may be unfinished: without an end, or with holes that were never written.
    """
    end = data.rfind(b"\n") + 1
    start = data.rfind(b"\n", 0, max(0, end - 1)) + 1
    return start if b"\0" in data[start:end] else end


def journal_of(folder: Path) -> Journal:
    """Return the journal of the game in a folder."""
    return Journal(folder / ACTIONS_FILE)


def note(folder: Path, did: str, at: datetime, **more: Any) -> None:
    """Add a line; the lock is held. ``did`` is the command's name, ``more`` plain data."""
    journal_of(folder).append({"at": at.isoformat(), "did": did, **more, **post_ends(folder)})


def post_ends(folder: Path) -> dict[str, dict[str, str]]:
    """Return the present last chains of a game's mail journals.

    A line of the GM's journal stores them, so that a cut shows.
    """
    ends = {path.name: last_chain(path) for path in sorted((folder / "mail").glob("*.jsonl"))}
    return {"post": ends} if ends else {}


def repaired(path: Path, usable: Usable = lambda entry: True) -> tuple[bytes, tuple[str, ...]]:
    """Return the repaired journal of a file, and a sentence about each problem.

    Raises ``OSError``.
    """
    if not path.is_file():
        return b"", (says("the file was missing, and with it every line"),)
    lost: list[str] = []
    lines = list(_readable(path.read_bytes(), lost))
    ordered = _ordered(lines)
    if ordered != lines:
        lost.append(says("lines were in the wrong order: they are sorted"))
    texts = []
    stored = START
    for line in ordered:
        if not usable(dict(line.entry)):
            lost.append(
                says("line {0} refers to a lost first line, or is not a line of a journal", line.number)
            )
            continue
        if not line.follows(stored):
            lost.append(
                says(
                    "line {0} does not fit the one before it: lines are missing, or one was changed",
                    line.number,
                )
            )
        texts.append(line.text)
        stored = line.chain
    return chained_lines(texts), tuple(lost)


def _readable(data: bytes, lost: list[str]) -> Iterator[Line]:
    """Yield the readable lines, each once; add a sentence about each other line to ``lost``."""
    *whole, rest = data.split(b"\n")
    numbers: set[tuple[str, str]] = set()
    for number, raw in enumerate(whole, start=1):
        line = _line(number, raw)
        if line is None:
            lost.append(says("line {0} cannot be read", number))
        elif (line.chain, line.text) in numbers:
            lost.append(says("line {0} is a duplicate: it is removed", number))
        else:
            numbers.add((line.chain, line.text))
            yield line
    if rest.strip(b"\0 "):
        lost.append(says("line {0} was cut short", len(whole) + 1))


def _ordered(lines: list[Line]) -> list[Line]:
    """Return the lines in the order of their chains, if all of them follow each other; else unchanged."""
    chains = [START, *(line.chain for line in lines)]
    after: dict[str, Line] = {}
    for before, line in zip(chains, lines, strict=False):
        fits = next((chain for chain in itertools.chain((before,), chains) if line.follows(chain)), None)
        if fits is None or fits in after:
            return lines
        after[fits] = line
    ordered: list[Line] = []
    while next_one := after.pop(ordered[-1].chain if ordered else START, None):
        ordered.append(next_one)
    return ordered if len(ordered) == len(lines) else lines
