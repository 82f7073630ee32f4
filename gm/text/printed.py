"""What a command prints, as blocks of a page: text as it is, and a table where lines stand in columns.

A telephone shows no line of eighty characters: text wraps there, and a table becomes cards.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from gm.core.values import Record

LEAST_COLUMNS = 3
_APART = re.compile(r"\S {2,}\S")  # a line with something in a further column
_EXCERPT = re.compile(r" *\d* \| ")  # a line of a file, and the marks below it
_FIGURE = re.compile(r"[-+−]?[\d.,:%]+")


class Block(Record):
    """Lines of text or, with ``rows``, a table.

    ``head``: what its columns are called, if its first line says so.
    """

    text: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Printed:
    """Takes what a command prints, piece by piece, and gives the blocks that are complete."""

    def __init__(self) -> None:
        self._unfinished = ""  # a line whose end has not come
        self._columns: list[str] = []  # lines that may be those of a table

    def blocks(self, text: str) -> Iterator[Block]:
        """Yield the blocks that are complete with a further piece of text."""
        *lines, self._unfinished = f"{self._unfinished}{text}".split("\n")
        for line in lines:
            if _is_apart(line):
                self._columns.append(line)
                continue
            yield from self._table()
            yield Block(f"{line}\n")

    def rest(self) -> Iterator[Block]:
        """Yield what is left at the end."""
        yield from self.blocks("\n" if self._unfinished else "")
        yield from self._table()

    def _table(self) -> Iterator[Block]:
        """Yield the lines that stand in columns so far, as a table if they are one."""
        lines = self._columns
        self._columns = []
        if lines:
            yield table_of(lines) or Block("".join(f"{line}\n" for line in lines))


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a whole text."""
    printed = Printed()
    return joined([*printed.blocks(text), *printed.rest()])


def joined(blocks: Iterable[Block]) -> list[Block]:
    """Return blocks with text that follows text as one."""
    whole: list[Block] = []
    for block in blocks:
        if whole and not (block.rows or whole[-1].rows):
            block = Block(whole.pop().text + block.text)
        whole.append(block)
    return whole


def table_of(lines: Sequence[str]) -> Block | None:
    """Return lines as a table; None if they are fewer than two, or have too few columns in common.

    Columns are two blanks apart in all lines. Heads may be wider than what stands below them, and so only one
    blank apart.
    """
    if len(lines) < 2:
        return None
    below = _cells(lines, _blanks(lines[1:]))
    if _is_head(below):
        head, *rows = below
        return Block(head=head, rows=tuple(rows)) if len(head) >= LEAST_COLUMNS else None
    rows = _cells(lines, _blanks(lines))
    return Block(rows=tuple(rows)) if len(rows[0]) >= LEAST_COLUMNS else None


def _is_apart(line: str) -> bool:
    return bool(_APART.search(line.strip())) and not _EXCERPT.match(line)


def _cells(lines: Sequence[str], blanks: Sequence[bool]) -> list[tuple[str, ...]]:
    """Return the cells of lines whose columns begin behind a gap in ``blanks`` that no line writes into."""
    empty = _blanks(lines)
    starts = [next((at for at, is_blank in enumerate(empty) if not is_blank), 0)]
    starts += [
        at for at in range(starts[0] + 1, len(empty)) if not empty[at] and _is_gap(empty, blanks, at - 1)
    ]
    return [_cut(line, starts) for line in lines]


def _cut(line: str, starts: Sequence[int]) -> tuple[str, ...]:
    """Return the cells of a line, which begin at these places."""
    ends = [*starts[1:], len(line)]
    return tuple(line[start:end].strip() for start, end in zip(starts, ends, strict=True))


def _is_gap(empty: Sequence[bool], blanks: Sequence[bool], at: int) -> bool:
    """Return whether a place is empty in all lines and has another blank beside it."""
    beside = (blanks[near : near + 1] == [True] for near in (at - 1, at, at + 1))
    return empty[at] and sum(beside) >= 2


def _blanks(lines: Sequence[str]) -> list[bool]:
    """Return for each place of these lines whether none of them has a character there."""
    width = max(map(len, lines), default=0)
    filled = [line.ljust(width) for line in lines]
    return [set(column) == {" "} for column in zip(*filled, strict=True)]


def _is_head(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names the columns: it has no figure, and words above figures alone."""
    if any(map(_FIGURE.fullmatch, rows[0])):
        return False
    for first, *others in zip(*rows, strict=True):
        figures = [cell for cell in others if cell]
        if figures and all(map(_FIGURE.fullmatch, figures)) and re.search(r"[^\W\d]", first):
            return True
    return False
