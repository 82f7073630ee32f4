"""What a command prints, as blocks of a page: text as it is, and a table where lines stand in columns.

A telephone shows no line of eighty characters: text wraps there, and a table becomes cards.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from gm.core.values import Record

LEAST_COLUMNS = 3  # of a table
_APART = re.compile(r"\S {2,}\S")  # two columns of a line
_EXCERPT = re.compile(r" *\d* \| ")  # how excerpts from files begin, and the lines of marks below them
_FIGURE = re.compile(r"[-+−]?[\d.,:%]+")


class Block(Record):
    """Lines of ``text`` or, with ``rows``, a table.

    ``head``: the titles of the table's columns, if its first line has them.
    """

    text: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Printed:
    """Divides what a command prints into blocks, while it comes piece by piece."""

    def __init__(self) -> None:
        self._unfinished = ""  # a line whose end has not come
        self._columned: list[str] = []  # lines that may be those of a table, whose last line has not come

    def blocks(self, text: str) -> Iterator[Block]:
        """Yield the blocks that are complete with a further piece of text."""
        *lines, self._unfinished = f"{self._unfinished}{text}".split("\n")
        for line in lines:
            if _has_columns(line):
                self._columned.append(line)
                continue
            yield from self._table()
            yield Block(f"{line}\n")

    def rest(self) -> Iterator[Block]:
        """Yield the last blocks, after all pieces."""
        yield from self.blocks("\n" if self._unfinished else "")
        yield from self._table()

    def _table(self) -> Iterator[Block]:
        """Yield the lines with columns so far as one block, a table if they are one, else text; drop them."""
        lines = self._columned
        self._columned = []
        if lines:
            yield table_of(lines) or Block("".join(f"{line}\n" for line in lines))


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a whole text."""
    printed = Printed()
    return joined([*printed.blocks(text), *printed.rest()])


def joined(blocks: Iterable[Block]) -> list[Block]:
    """Return blocks with neighbouring blocks of text made one."""
    result: list[Block] = []
    for block in blocks:
        if result and not (block.rows or result[-1].rows):  # without rows it is no table, but text
            block = Block(result.pop().text + block.text)
        result.append(block)
    return result


def table_of(lines: Sequence[str]) -> Block | None:
    """Return lines as a table; None if they are fewer than two, or have too few columns in common.

    Columns are two blanks apart in all lines. The titles in a first line may be wider than the cells below
    them, and so only one blank apart.
    """
    if len(lines) < 2:
        return None
    with_head = _cells(lines, _blanks(lines[1:]))
    if _has_titles(with_head):
        head, *rows = with_head
        return Block(head=head, rows=tuple(rows)) if len(head) >= LEAST_COLUMNS else None
    rows = _cells(lines, _blanks(lines))
    return Block(rows=tuple(rows)) if len(rows[0]) >= LEAST_COLUMNS else None


def _has_columns(line: str) -> bool:
    """Return whether a line may be one of a table."""
    return bool(_APART.search(line.strip())) and not _EXCERPT.match(line)


def _cells(lines: Sequence[str], blanks: Sequence[bool]) -> list[tuple[str, ...]]:
    """Return the cells of each line.

    ``blanks``: for each position whether it is blank, in all lines or only in those below the titles. A
    column begins behind a position that is blank in all lines, if ``blanks`` has a blank one beside it, too.
    """
    blank_in_all = _blanks(lines)
    starts = [next((at for at, is_blank in enumerate(blank_in_all) if not is_blank), 0)]
    starts += [
        at
        for at in range(starts[0] + 1, len(blank_in_all))
        if not blank_in_all[at] and _is_gap(blank_in_all, blanks, at - 1)
    ]
    return [_cut(line, starts) for line in lines]


def _cut(line: str, starts: Sequence[int]) -> tuple[str, ...]:
    """Return the cells of a line, which begin at the positions ``starts``."""
    ends = [*starts[1:], len(line)]
    return tuple(line[start:end].strip() for start, end in zip(starts, ends, strict=True))


def _is_gap(blank_in_all: Sequence[bool], blanks: Sequence[bool], at: int) -> bool:
    """Return whether there is a gap between columns at the position ``at`` of the lines.

    It is blank in all lines, and by ``blanks`` at least two of the three are: itself and its neighbours.
    """
    blank_near = (blanks[near : near + 1] == [True] for near in (at - 1, at, at + 1))
    return blank_in_all[at] and sum(blank_near) >= 2


def _blanks(lines: Sequence[str]) -> list[bool]:
    """Return for each position in a line, from the left, whether all of these lines are blank there."""
    width = max(map(len, lines), default=0)
    filled = [line.ljust(width) for line in lines]
    return [set(column) == {" "} for column in zip(*filled, strict=True)]


def _has_titles(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row has the titles of the columns.

    It has no figure then, and in some column it has a word above nothing but figures.
    """
    if any(map(_FIGURE.fullmatch, rows[0])):
        return False
    for first, *others in zip(*rows, strict=True):
        figures = [cell for cell in others if cell]
        if figures and all(map(_FIGURE.fullmatch, figures)) and re.search(r"[^\W\d]", first):
            return True
    return False
