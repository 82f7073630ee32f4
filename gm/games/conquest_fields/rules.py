"""The rules data, the settings and the boards: their fields and which of them are neighbours (CF-4).

The fields of a board are numbered row by row, each row from the left: the canonical order (CF-5.9). Sets of
fields are whole numbers with bit ``i`` set for field ``i``, so that a strategy can look at many positions
quickly.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, reduce
from operator import or_
from string import ascii_lowercase
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from pydantic import BeforeValidator, field_validator

from gm.core.map_graph import MapGraph
from gm.core.values import Natural, Positive, Value, check_fields
from gm.game.base.position import BaseBoard, GameRules, GameSettings

Strategy = Literal["random", "greedy", "minimax", "veteran", "master"]
OnMissing = Literal["wait", "random", "greedy", "minimax", "veteran", "master", "forfeit"]
# CF-1.7: a number of half-moves; "all" is stored as 0
Pace = Annotated[int, BeforeValidator(lambda value: 0 if value == "all" else value)]
Kind = Literal["human", "random", "greedy", "minimax", "veteran", "master"]


class Defaults(Value):
    """CF-2.5: the settings that hold unless the GM chooses others."""

    half_moves_per_run: Annotated[Pace, Meta(ge=0)]  # Where two computers play each other
    grace_runs: Natural  # How many runs in a row a person may miss
    on_missing: OnMissing  # What happens then
    draw_repeats: Annotated[int, Meta(ge=2)]  # The game is a draw when a position occurs so often
    max_half_moves: Positive  # It is a draw after so many half-moves


class Settings(GameSettings):
    """CF-2.2, CF-2.5: the choices when a game begins; None: as the rules have it."""

    in_rules: ClassVar[Mapping[str, str]] = {name: f"defaults.{name}" for name in Defaults.__struct_fields__}

    red: Kind = "human"
    green: Kind = "human"
    red_player: Annotated[str, Meta(max_length=40)] = ""  # A name for the side, which order files may use
    green_player: Annotated[str, Meta(max_length=40)] = ""
    half_moves_per_run: Annotated[Pace, Meta(ge=0)] | None = None
    grace_runs: Natural | None = None
    on_missing: OnMissing | None = None
    draw_repeats: Annotated[int, Meta(ge=2)] | None = None
    max_half_moves: Positive | None = None
    minimax_depth: Annotated[int, Meta(ge=1, le=9)] | None = None  # In half-moves

    def kind(self, side: str) -> Kind:
        """Return who plays a side: a person or a strategy."""
        return self.red if side == "RED" else self.green


class Depth(Value):
    """CF-7.6: how many half-moves minimax looks ahead with up to ``fields`` free fields (None: any)."""

    fields: int | None
    half_moves: Positive


class JumpOver(Value):
    """CF-5.5: what a jump may cross."""

    own: Literal[True]
    enemy: Literal[True]
    hole: Literal[True]
    blank: Literal[False]


class Rules(GameRules):
    """The content of ``rules.yaml``: the figures of the rules and of the computer's levels."""

    first: Literal["red", "green"]
    defaults: Defaults
    minimax_depth: tuple[Depth, ...]
    # How many positions each stronger strategy looks at, by name; empty in games from before they existed
    levels: Mapping[str, Positive] = {}
    win_value: Annotated[int, Meta(ge=1000)]  # The value of a position that is won at once
    jump_over: JumpOver
    colours: Mapping[str, str]  # By what is drawn: ``hole``, ``red``, ``can_start``

    @check_fields("minimax_depth")
    @staticmethod
    def _for_every_board(depths: tuple[Depth, ...]) -> tuple[Depth, ...]:
        if not depths or depths[-1].fields is not None:
            raise ValueError("the last entry must be for boards of any size (fields: null)")
        return depths


FREE, HOLE, RED, GREEN, BLANK = ".#RG "  # How a field is written (CF-3.2); a blank is no field at all
Cell = tuple[int, int]  # Row and column, counted from 0

_CROSS = ((-1, 0), (0, -1), (0, 1), (1, 0))
_ROW = ((0, -1), (0, 1))
TOPOLOGIES: Mapping[str, tuple[Cell, tuple[tuple[Cell, ...], ...]]] = {
    # CF-4.7
    "squares4": ((0, 0), (_CROSS,)),
    "squares8": ((0, 0), ((*_CROSS, (-1, -1), (-1, 1), (1, -1), (1, 1)),)),
    # CF-4.8, CF-4.9: odd rows lie half a field to the right, odd columns half a field down
    "hex-rows": ((1, 0), ((*_CROSS, (-1, -1), (1, -1)), (*_CROSS, (-1, 1), (1, 1)))),
    "hex-cols": ((0, 1), ((*_CROSS, (-1, -1), (-1, 1)), (*_CROSS, (1, -1), (1, 1)))),
    # CF-4.10: a field whose row and column add up to an even number points up, so its third neighbour is
    # below
    "triangles": ((1, 1), ((*_ROW, (1, 0)), (*_ROW, (-1, 0)))),
}
"""By name: ((rows, columns), ways).

``ways``: the steps (down, right) to a cell's neighbours; if there are two sets of them, the first is for even
cells and the second for odd ones. ``rows``, ``columns``: 1 if the row or the column makes a cell odd, else 0.
"""


def beside(topology: str, cell: Cell) -> Iterator[Cell]:
    """Yield the cells next to a cell, also those outside the board. ``topology``: a key of ``TOPOLOGIES``."""
    row, column = cell
    (rows, columns), ways = TOPOLOGIES[topology]
    parity = (rows * row + columns * column) % len(ways)  # 0 if there is one set of steps for all cells
    return ((row + down, column + right) for down, right in ways[parity])


class Board(BaseBoard):
    """The content of map.yaml."""

    place: int = 0  # Its place among the boards in lists
    topology: str  # A key of TOPOLOGIES
    rows: tuple[str, ...]  # The start position, top to bottom; a short row ends in blanks

    @field_validator("topology")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in TOPOLOGIES:
            raise ValueError(f"a topology is one of {', '.join(TOPOLOGIES)}, not {name!r}")
        return name

    @field_validator("rows")
    @classmethod
    def _readable(cls, rows: tuple[str, ...]) -> tuple[str, ...]:
        """Raise ``ValueError`` for a board without fields, with too many rows or unknown signs."""
        if not any(row.strip() for row in rows):
            raise ValueError("a board needs a field")
        if len(rows) > len(ascii_lowercase):
            raise ValueError(
                f"a board has at most {len(ascii_lowercase)} rows: they are called by letters (CF-4.6)"
            )
        for row in rows:
            unknown = sorted(set(row) - {FREE, HOLE, RED, GREEN, BLANK})
            if unknown:
                raise ValueError(
                    f"a field is written {FREE} {HOLE} {RED} {GREEN} or left blank, not {unknown[0]!r}"
                )
        return rows

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Row and column of each field, in canonical order."""
        cells: list[Cell] = []
        for row, text in enumerate(self.rows):
            cells += ((row, column) for column, sign in enumerate(text) if sign != BLANK)
        return tuple(cells)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each field, e.g. ``c4`` (CF-4.6)."""
        return tuple(f"{ascii_lowercase[row]}{column + 1}" for row, column in self.cells)

    @cached_property
    def by_name(self) -> dict[str, int]:
        """The number of each field, by its name."""
        return {name: field for field, name in enumerate(self.names)}

    @cached_property
    def holes(self) -> int:
        """The set of fields that are holes: on the board, but never with an owner (CF-4.11)."""
        return fields_set(
            field for field, (row, column) in enumerate(self.cells) if self.rows[row][column] == HOLE
        )

    @cached_property
    def graph(self) -> MapGraph:
        """The graph of fields by name, with edges at distance 1; a node's kind is ``hole`` or ``field``."""
        name_of = dict(zip(self.cells, self.names, strict=True))
        kinds = {
            name: "hole" if self.rows[row][column] == HOLE else "field"
            for (row, column), name in name_of.items()
        }
        pairs: set[tuple[Cell, ...]] = set()
        for cell in name_of:
            neighbours = [other for other in beside(self.topology, cell) if other in name_of]
            pairs |= {tuple(sorted((cell, other))) for other in neighbours}
        return MapGraph(kinds, ((name_of[one], name_of[other], None) for one, other in pairs))

    @cached_property
    def near(self) -> tuple[int, ...]:
        """The set of fields at distance 1 of each field, in canonical order."""
        return tuple(
            fields_set(map(self.by_name.__getitem__, self.graph.neighbours(name))) for name in self.names
        )

    @cached_property
    def far(self) -> tuple[int, ...]:
        """The set of fields at distance 2 of each field, whatever is between them (CF-5.4, CF-5.5)."""
        return tuple(map(self._two_steps_from, range(len(self.near))))

    def _two_steps_from(self, field: int) -> int:
        near = self.near[field]
        near_neighbours = reduce(or_, (self.near[neighbour] for neighbour in members(near)), 0)
        return near_neighbours & ~near & ~(1 << field)

    @cached_property
    def reach(self) -> tuple[int, ...]:
        """The set of fields at distance 1 or 2 of each field, without holes: where moves from it can end."""
        return tuple((near | far) & ~self.holes for near, far in zip(self.near, self.far, strict=True))

    def text(self, red: int, green: int) -> tuple[str, ...]:
        """Return the position with these sets of red and green fields as rows of text (CF-3.2)."""
        rows = [list(row) for row in self.rows]
        for field, (row, column) in enumerate(self.cells):
            if self.holes >> field & 1:
                continue
            if red >> field & 1:
                rows[row][column] = RED
            elif green >> field & 1:
                rows[row][column] = GREEN
            else:
                rows[row][column] = FREE
        return tuple("".join(row) for row in rows)

    def owned(self, rows: tuple[str, ...], owner: str) -> int:
        """Return the set of fields of ``owner`` (``R`` or ``G``) in a position given as rows.

        Raises ``ValueError`` when the rows do not have the shape of this board.
        """
        if _shape(rows) != _shape(self.rows):
            raise ValueError(f"these rows are not a position on the board {self.name}")
        return fields_set(
            field for field, (row, column) in enumerate(self.cells) if rows[row][column] == owner
        )


def _shape(rows: Iterable[str]) -> list[str]:
    """Return the rows of a position in which all fields are free: only holes and blanks stay."""
    return [re.sub(f"[^{HOLE}{BLANK}]", FREE, row) for row in rows]


def fields_set(fields: Iterable[int]) -> int:
    """Return the set of these fields as a whole number, with bit ``i`` set for field ``i``."""
    return reduce(or_, (1 << field for field in fields), 0)


def members(fields: int) -> Iterator[int]:
    """Yield the numbers of the fields in a set, the lowest first: that is their canonical order."""
    while fields:
        lowest = fields & -fields  # only the lowest bit that is set
        yield lowest.bit_length() - 1
        fields ^= lowest
