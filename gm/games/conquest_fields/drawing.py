"""The board as a picture (templates/conquest-fields/map.svg): where fields lie, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from gm.game.base.drawing import BoardPicture, Point
from gm.game.values import GameData, MapView
from gm.games.conquest_fields.board import members
from gm.games.conquest_fields.events import HalfMoved
from gm.games.conquest_fields.orders import Orders
from gm.games.conquest_fields.state import RED_SIDE, HalfMove, Match
from gm.text.words import Translate

SIZE = 30.0
"""Half the width of a square field; the others are about as large."""
EDGE = 14.0
LEGEND = 40.0
NARROWEST = 300.0
DARK, LIGHT = "#2b2b2b", "#ffffff"
"""How names are written on light and on dark fields."""


class FieldOutline(NamedTuple):
    """A field's middle and its corners."""

    middle: Point
    corners: Sequence[Point]


def _square(row: int, column: int) -> FieldOutline:
    x, y = (2 * column + 1) * SIZE, (2 * row + 1) * SIZE
    corners = [(x - SIZE, y - SIZE), (x + SIZE, y - SIZE), (x + SIZE, y + SIZE), (x - SIZE, y + SIZE)]
    return FieldOutline((x, y), corners)


RADIUS = SIZE * 1.15
"""Of hexagons."""


def _ring(middle: Point, turned: float) -> FieldOutline:
    angles = [pi * index / 3 + turned for index in range(6)]
    return FieldOutline(middle, [(middle[0] + RADIUS * cos(each), middle[1] + RADIUS * sin(each)) for each in angles])


def _hex_row(row: int, column: int) -> FieldOutline:
    return _ring((RADIUS * sqrt(3) * (column + 0.5 + row % 2 / 2), RADIUS * (1 + 1.5 * row)), pi / 6)


def _hex_column(row: int, column: int) -> FieldOutline:
    return _ring((RADIUS * (1 + 1.5 * column), RADIUS * sqrt(3) * (row + 0.5 + column % 2 / 2)), 0)


def _triangle(row: int, column: int) -> FieldOutline:
    side = SIZE * 2.9
    high = side * sqrt(3) / 2
    left, top = column * side / 2, row * high
    if (row + column) % 2 == 0:
        corners = [(left, top + high), (left + side, top + high), (left + side / 2, top)]
        return FieldOutline((left + side / 2, top + high * 0.64), corners)
    corners = [(left, top), (left + side, top), (left + side / 2, top + high)]
    return FieldOutline((left + side / 2, top + high * 0.36), corners)


OUTLINES: Mapping[str, Callable[[int, int], FieldOutline]] = {
    "squares4": _square,
    "squares8": _square,
    "hex-rows": _hex_row,
    "hex-cols": _hex_column,
    "triangles": _triangle,
}
"""The outline of the field at a row and column, by topology; the first row's upper edge is about y = 0."""


class DrawnField(NamedTuple):
    """A field that is shown, with its name and what it is: hole, red, green, free."""

    number: int
    name: str
    kind: str


class Picture(BoardPicture):
    """Of fields."""

    gap = SIZE * 0.5
    size, edge, dark, light = SIZE, EDGE, DARK, LIGHT

    def __init__(self, table: GameData, state: Match, view: MapView, translate: Translate = str) -> None:
        super().__init__(table, state, view, translate)
        outline = OUTLINES[self.board.topology]
        self._outlines = [outline(*cell) for cell in self.board.cells]
        self._shown = self._fields()
        every = [corner for field in self._shown for corner in self._outlines[field].corners]
        self._left, self._top = min(x for x, _ in every) - EDGE, min(y for _, y in every) - EDGE
        wide = max(x for x, _ in every) + EDGE - self._left
        self.width = max(wide, NARROWEST)
        # a small board stands in the middle
        self._left -= (self.width - wide) / 2
        self.height = max(y for _, y in every) + EDGE + LEGEND - self._top

    def _fields(self) -> tuple[int, ...]:
        names = self.board.names
        if self.view.zoom is None:
            return tuple(range(len(names)))
        centre = self.board.by_name[self.centre(self.view.zoom.lower(), names, names, "field", "board")]
        return (centre, *members(self.board.near[centre] | self.board.far[centre]))

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each field that is shown, by name."""
        middles = {self.board.names[field]: self._outlines[field].middle for field in self._shown}
        return {name: (x - self._left, y - self._top) for name, (x, y) in middles.items()}

    def corners(self, field: int) -> list[Point]:
        """Those of a field."""
        return [(x - self._left, y - self._top) for x, y in self._outlines[field].corners]

    @cached_property
    def fields(self) -> list[DrawnField]:
        """What is shown."""
        at = self.state.position(self.board)
        red, green = (at.own, at.enemy) if self.state.to_move == RED_SIDE else (at.enemy, at.own)
        kinds = {"hole": self.board.holes, "red": red, "green": green}

        def kind(field: int) -> str:
            return next((name for name, each in kinds.items() if each >> field & 1), "free")

        return [DrawnField(field, self.board.names[field], kind(field)) for field in self._shown]

    @cached_property
    def movable(self) -> frozenset[int]:
        """The fields from which the side to move can move, if it is the reader's."""
        match: Match = self.state
        if match.winners is not None or self.view.party not in (None, match.to_move):
            return frozenset()
        at = match.position(self.board)
        free = ~(at.own | at.enemy)
        return frozenset(field for field in members(at.own) if self.board.reach[field] & free)

    @property
    def moves(self) -> Iterator[tuple[HalfMove, bool]]:
        """The half-moves of the run, and the enemy's last one, whenever it was; whether it is that."""
        run = {event.number for event in self.view.events if isinstance(event, HalfMoved)}
        last = max((each.number for each in self.state.history if each.side != self.view.party), default=0)
        return ((each, each.number == last) for each in self.state.history if each.number in {*run, last})

    @property
    def plan(self) -> list[str]:
        """The ends of the half-move that an order file plans."""
        planned = self.planned(Orders)
        return [self.board.names[each] for each in planned.move] if planned and planned.move else []

    @property
    def entries(self) -> list[tuple[str, str]]:
        """The legend."""
        sides = self.state.parties.items()
        return [(side.colour, f"{self.translate(side.name)}: {self.state.fields(code)}") for code, side in sides]
