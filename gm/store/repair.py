"""A damaged journal made whole again, as far as it can be: doubled lines go, lines in a wrong order are sorted where
their chains tell how, and everything from the first damage on is chained anew. Nothing is made up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gm.core.values import Record
from gm.store.journal import CHAIN, START, Entry, chained, line_of, text_of

Usable = Callable[[Entry], bool]
"""Whether a line can be kept, asked of each in order: one about a thing of which the first line is lost cannot."""


class RepairedJournal(Record):
    """A journal as it is to be written; ``lost``: a sentence about each thing that is wrong with the one that is
    there."""

    data: bytes
    lost: tuple[str, ...]


class _Line(Record):
    number: int
    entry: Mapping[str, Any]
    text: str
    chain: str


def repaired(path: Path, usable: Usable = lambda entry: True) -> RepairedJournal:
    """What becomes of the journal in a file. Nothing is written. Raises ``OSError``."""
    if not path.is_file():
        return RepairedJournal(b"", ("the file was missing, and with it every line",))
    lost: list[str] = []
    lines = list(_read(path.read_bytes(), lost))
    ordered = _ordered(lines)
    if ordered != lines:
        lost.append("lines stood in a wrong order: it is put right")
    pieces: list[bytes] = []
    stored = fresh = START
    for line in ordered:
        if not usable(dict(line.entry)):
            lost.append(f"line {line.number} tells of something whose first line is lost, or says what no line says")
            continue
        if line.chain != chained(stored, line.text):
            lost.append(f"line {line.number} does not fit the one before it: lines are missing, or one was changed")
        piece, fresh = line_of(fresh, line.text)
        pieces.append(piece)
        stored = line.chain
    return RepairedJournal(b"".join(pieces), tuple(lost))


def _read(data: bytes, lost: list[str]) -> Iterator[_Line]:
    """The lines that can be read, each once; ``lost`` is told of the others."""
    *whole, rest = data.split(b"\n")
    seen: set[tuple[str, str]] = set()
    for number, raw in enumerate(whole, start=1):
        try:
            entry = json.loads(raw)
            chain = str(entry.pop(CHAIN))
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            lost.append(f"line {number} cannot be read")
            continue
        text = text_of(entry)
        if (chain, text) in seen:
            lost.append(f"line {number} stood there before: it is taken out")
            continue
        seen.add((chain, text))
        yield _Line(number, entry, text, chain)
    if rest.strip(b"\0 "):
        lost.append(f"line {len(whole) + 1} was cut short")


def _ordered(lines: list[_Line]) -> list[_Line]:
    """The lines as their chains follow each other, when all of them do; else as they stand."""
    stored = START
    if all(line.chain == chained(before, line.text) for before, line in zip(_before(lines), lines, strict=True)):
        return lines
    after: dict[str, _Line] = {}
    chains = (START, *(line.chain for line in lines))
    for before, line in zip(_before(lines), lines, strict=True):
        places = (before,) if line.chain == chained(before, line.text) else chains
        fits = next((each for each in places if line.chain == chained(each, line.text)), None)
        if fits is None or fits in after:
            return lines
        after[fits] = line
    found = []
    while stored in after:
        found.append(after.pop(stored))
        stored = found[-1].chain
    return found if len(found) == len(lines) else lines


def _before(lines: list[_Line]) -> list[str]:
    return [START, *(line.chain for line in lines)][: len(lines)]
