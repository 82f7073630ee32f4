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
# Whether a line can stay in a repaired journal. It is asked about each line in order, because a line that
# refers to an earlier, lost one cannot stay.
Usable = Callable[[Entry], bool]


class Journal:
    """One journal file.

    It is read as a whole at its first use, which raises ``BrokenFolderError`` when the chain is broken;
    adding to it needs the game's lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._size: int | None = None  # of the file in bytes; None until this object has added a line to it

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The data of all lines, oldest first, without their chains."""
        return tuple(self._read[0])

    @property
    def chains(self) -> tuple[str, ...]:
        """The chain values of all lines, oldest first."""
        return tuple(self._read[1][1:])  # without ``START``, which is of no line

    @property
    def chain(self) -> str:
        """The chain value for the next line."""
        return self._read[1][-1]

    def append(self, entry: Mapping[str, Any]) -> None:
        """Add a line and flush it to the disk. ``entry`` holds plain data and no ``chain``."""
        entries, chains = self._read
        line, chain = _chained_line(chains[-1], text_of(entry))
        size = self._size
        self._size = None  # unknown if an error ends this call
        is_first_append = size is None
        if size is None:
            make_folder(self.path.parent)
            # an unfinished line of a killed run is overwritten; nobody else adds lines while we hold the lock
            size = _length_of_lines(_content(self.path))
        append(self.path, line, size)
        self._size = size + len(line)
        if is_first_append:  # an earlier run may have made the file and been killed before its name was safe
            flush_folder(self.path.parent)
        entries.append(dict(entry))
        chains.append(chain)

    @cached_property
    def _read(self) -> tuple[list[Entry], list[str]]:
        """(the data of the lines, the chain values: :data:`START`, then that of each line).

        Raises ``BrokenFolderError`` if a line does not fit the chain.
        """
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
    """Return the chain value of a journal's last whole line, empty for none; other lines are not checked."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - (1 << 17)))  # no line is longer than these bytes at the end
            tail = file.read()
    except OSError:
        return ""
    lines = tail[: _length_of_lines(tail)].split(b"\n")
    # the last of the parts, behind the last line's end, is empty
    match = re.search(rb'"chain": "([0-9a-f]{64})"\}$', lines[-2]) if len(lines) > 1 else None
    return match[1].decode() if match else ""


def chained(before: str, text: str) -> str:
    """Return the chain value of a line. ``before``: that of the line before; ``text``: without a chain."""
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()


def chained_lines(texts: Iterable[str], before: str = START) -> bytes:
    """Return the content of a journal with these lines, given as texts without chains.

    ``before``: the chain value of the line that they follow.
    """
    lines = []
    for text in texts:
        line, before = _chained_line(before, text)
        lines.append(line)
    return b"".join(lines)


def _chained_line(before: str, text: str) -> tuple[bytes, str]:
    """Return (the line as in the file, its chain value) from the chain value before it and its text."""
    chain = chained(before, text)
    comma = ", " if text != "{}" else ""
    # the chain is put in before the closing brace
    line = f"{text[:-1]}{comma}{json.dumps(CHAIN)}: {json.dumps(chain)}}}\n"
    return line.encode(), chain


def text_of(entry: Mapping[str, Any]) -> str:
    """Return the text of a line without its chain."""
    return json.dumps(dict(entry), ensure_ascii=False)


class Line(Record):
    """A line of a journal."""

    number: int
    entry: Entry
    text: str  # without its chain
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
    for number, raw in enumerate(data[: _length_of_lines(data)].split(b"\n")[:-1], start=1):
        line = _line(number, raw)
        if line is None:
            raise BrokenFolderError(
                says("{0}:{1}: this is not a line of a journal. Restore the file.", path, number)
            )
        yield line


def _length_of_lines(data: bytes) -> int:
    """Return how many bytes of a journal's content are whole lines.

    The last line may be unfinished: it has no end, or zero bytes in place of some that were never written.
    """
    end = data.rfind(b"\n") + 1
    start = data.rfind(b"\n", 0, max(0, end - 1)) + 1
    return start if b"\0" in data[start:end] else end


def journal_of(folder: Path) -> Journal:
    """Return the journal of the game in a folder."""
    return Journal(folder / ACTIONS_FILE)


def note(folder: Path, did: str, at: datetime, **more: Any) -> None:
    """Add a line to the GM's journal, with the ends of the mail journals; the caller holds the game's lock.

    ``did``: the command's name; ``more``: plain data.
    """
    journal_of(folder).append({"at": at.isoformat(), "did": did, **more, **post_ends(folder)})


def post_ends(folder: Path) -> dict[str, dict[str, str]]:
    """Return the last chain value of each of a game's mail journals, by file name under the key ``post``.

    Empty without such journals. Lines of the GM's journal hold them, so that missing last lines show.
    """
    ends = {path.name: last_chain(path) for path in sorted((folder / "mail").glob("*.jsonl"))}
    return {"post": ends} if ends else {}


def repaired(path: Path, usable: Usable = lambda entry: True) -> tuple[bytes, tuple[str, ...]]:
    """Return (the repaired content of a journal's file, a sentence about each problem). Nothing is written.

    ``usable``: whether a line can stay. Raises ``OSError``.
    """
    if not path.is_file():
        return b"", (says("the file was missing, and with it every line"),)
    lines, problems = _readable_lines(path.read_bytes())
    ordered = _ordered(lines)
    if ordered != lines:
        problems.append(says("lines were in the wrong order: they are sorted"))
    texts = []
    chain_before = START  # in the damaged file
    for line in ordered:
        if not usable(dict(line.entry)):
            problems.append(
                says("line {0} refers to a lost first line, or is not a line of a journal", line.number)
            )
            continue
        if not line.follows(chain_before):
            problems.append(
                says(
                    "line {0} does not fit the one before it: lines are missing, or one was changed",
                    line.number,
                )
            )
        texts.append(line.text)
        chain_before = line.chain
    return chained_lines(texts), tuple(problems)


def _readable_lines(data: bytes) -> tuple[list[Line], list[str]]:
    """Return (the readable lines of a journal, each once, a sentence about each other line)."""
    *whole_lines, rest = data.split(b"\n")
    lines: list[Line] = []
    problems: list[str] = []
    seen: set[tuple[str, str]] = set()  # (chain, text) of the lines so far
    for number, raw in enumerate(whole_lines, start=1):
        line = _line(number, raw)
        if line is None:
            problems.append(says("line {0} cannot be read", number))
        elif (line.chain, line.text) in seen:
            problems.append(says("line {0} is a duplicate: it is removed", number))
        else:
            seen.add((line.chain, line.text))
            lines.append(line)
    if rest.strip(b"\0 "):  # zero bytes may stand for some that were never written
        problems.append(says("line {0} was cut short", len(whole_lines) + 1))
    return lines, problems


def _ordered(lines: list[Line]) -> list[Line]:
    """Return the lines in the order of their chains, if all of them follow each other; else unchanged."""
    chains = [START, *(line.chain for line in lines)]
    line_after: dict[str, Line] = {}  # by the chain value that it follows
    for chain_before, line in zip(chains, lines, strict=False):
        # the chain value just before it fits most lines, so that it is tried first
        candidates = itertools.chain((chain_before,), chains)
        followed = next((chain for chain in candidates if line.follows(chain)), None)
        if followed is None or followed in line_after:
            return lines
        line_after[followed] = line
    ordered: list[Line] = []
    end_of_chain = START
    while end_of_chain in line_after:
        ordered.append(line_after.pop(end_of_chain))
        end_of_chain = ordered[-1].chain
    return ordered if len(ordered) == len(lines) else lines
