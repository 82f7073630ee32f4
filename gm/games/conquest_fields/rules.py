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
# CF-1.7: all are kept as 0
Pace = Annotated[int, BeforeValidator(lambda value: 0 if value == "all" else value)]
Kind = Literal["human", "random", "greedy", "minimax", "veteran", "master"]


class Defaults(Value):
    """CF-2.5: the settings that hold unless the GM chooses others."""

    # How many one run plays where two computers play each other
    half_moves_per_run: Annotated[Pace, Meta(ge=0)]
    grace_runs: Natural
    on_missing: OnMissing
    draw_repeats: Annotated[int, Meta(ge=2)]
    max_half_moves: Positive


class Settings(GameSettings):
    """CF-2.2, CF-2.5: the choices when a game begins. Those left out follow the rules."""

    in_rules: ClassVar[Mapping[str, str]] = {name: f"defaults.{name}" for name in Defaults.__struct_fields__}

    red: Kind = "human"
    green: Kind = "human"
    red_player: Annotated[str, Meta(max_length=40)] = ""
    green_player: Annotated[str, Meta(max_length=40)] = ""
    half_moves_per_run: Annotated[Pace, Meta(ge=0)] | None = None
    grace_runs: Natural | None = None
    on_missing: OnMissing | None = None
    draw_repeats: Annotated[int, Meta(ge=2)] | None = None
    max_half_moves: Positive | None = None
    minimax_depth: Annotated[int, Meta(ge=1, le=9)] | None = None

    def kind(self, side: str) -> Kind:
        """Return the kind of player of a side."""
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
    # How many positions the stronger strategies look at; games of old have none
    levels: Mapping[str, Positive] = {}
    win_value: Annotated[int, Meta(ge=1000)]
    jump_over: JumpOver
    colours: Mapping[str, str]

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
"""By name: whether row and column decide a cell's neighbours, and the ways to them of even and odd cells."""


def beside(topology: str, cell: Cell) -> Iterator[Cell]:
    """Return the cells next to a cell, also those outside the board."""
    (row, column), ((rows, columns), ways) = cell, TOPOLOGIES[topology]
    odd = (rows * row + columns * column) % len(ways)
    return ((row + down, column + right) for down, right in ways[odd])


class Board(BaseBoard):
    """map.yaml. ``rows`` are the start position, top to bottom; a short row ends in blanks."""

    place: int = 0  # Its place among the boards in lists
    topology: str
    rows: tuple[str, ...]

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
            odd = sorted(set(row) - {FREE, HOLE, RED, GREEN, BLANK})
            if odd:
                raise ValueError(
                    f"a field is written {FREE} {HOLE} {RED} {GREEN} or left blank, not {odd[0]!r}"
                )
        return rows

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Row and column of each field, in canonical order."""
        cells: list[Cell] = []
        for row, text in enumerate(self.rows):
            cells += ((row, column) for column, what in enumerate(text) if what != BLANK)
        return tuple(cells)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each field, e.g. ``c4`` (CF-4.6)."""
        return tuple(f"{ascii_lowercase[row]}{column + 1}" for row, column in self.cells)

    @cached_property
    def by_name(self) -> dict[str, int]:
        """The number of the field of a name."""
        return {name: field for field, name in enumerate(self.names)}

    @cached_property
    def holes(self) -> int:
        """The fields that are holes: on the board, but without an owner (CF-4.11)."""
        return fields_set(
            field for field, (row, column) in enumerate(self.cells) if self.rows[row][column] == HOLE
        )

    @cached_property
    def graph(self) -> MapGraph:
        """The graph of fields by name, with edges at distance 1; a node's kind is ``hole`` or ``field``."""
        named = dict(zip(self.cells, self.names, strict=True))
        kinds = {name: "hole" if self.rows[row][at] == HOLE else "field" for (row, at), name in named.items()}
        pairs: set[tuple[Cell, ...]] = set()
        for here in named:
            pairs |= {tuple(sorted((here, cell))) for cell in beside(self.topology, here) if cell in named}
        return MapGraph(kinds, ((named[one], named[other], None) for one, other in pairs))

    @cached_property
    def near(self) -> tuple[int, ...]:
        """The fields at distance 1 of each field."""
        return tuple(
            fields_set(map(self.by_name.__getitem__, self.graph.neighbours(name))) for name in self.names
        )

    @cached_property
    def far(self) -> tuple[int, ...]:
        """The fields at distance 2 of each field, whatever is between them (CF-5.4, CF-5.5)."""
        return tuple(map(self._two_steps_from, range(len(self.near))))

    def _two_steps_from(self, field: int) -> int:
        near = self.near[field]
        around = reduce(or_, (self.near[member] for member in members(near)), 0)
        return around & ~near & ~(1 << field)

    @cached_property
    def reach(self) -> tuple[int, ...]:
        """The fields at distance 1 or 2 of each field, without holes: the possible ends of a move from it."""
        return tuple((near | far) & ~self.holes for near, far in zip(self.near, self.far, strict=True))

    def text(self, red: int, green: int) -> tuple[str, ...]:
        """Return a position as rows of text (CF-3.2), in the shape of ``rows``."""
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
        """Return the fields of ``owner`` (``R`` or ``G``) in a position given as rows.

        Raises ``ValueError`` when the rows do not have the shape of this board.
        """
        if _shape(rows) != _shape(self.rows):
            raise ValueError(f"these rows are not a position on the board {self.name}")
        return fields_set(
            field for field, (row, column) in enumerate(self.cells) if rows[row][column] == owner
        )


def _shape(rows: Iterable[str]) -> list[str]:
    """Return a position without its owners."""
    return [re.sub(f"[^{HOLE}{BLANK}]", FREE, row) for row in rows]


def fields_set(fields: Iterable[int]) -> int:
    """Return a set of fields as one number."""
    return reduce(or_, (1 << field for field in fields), 0)


def members(fields: int) -> Iterator[int]:
    """Yield the fields of a set, in canonical order."""
    while fields:
        lowest = fields & -fields
        yield lowest.bit_length() - 1
        fields ^= lowest
