"""The board as a picture: fields in their colours, names, what can move, and the half-moves of the run (CF-12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from gm.game.base.drawing import PLANNED, BoardPicture
from gm.game.values import GameData, MapView
from gm.games.conquest_fields.board import Board, Cell, members
from gm.games.conquest_fields.events import HalfMoved
from gm.games.conquest_fields.orders import Orders
from gm.games.conquest_fields.state import RED_SIDE, Match, Move
from gm.text.svg import Point, drawing, element, line, polygon, text, titled
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


def outlines(board: Board) -> list[FieldOutline]:
    """The fields of a board in canonical order; the first row's upper edge is about y = 0."""
    kinds = {"hex-rows": _hex_row, "hex-cols": _hex_column, "triangles": _triangle}
    return [kinds.get(board.topology, _square)(cell) for cell in board.cells]


def _square(cell: Cell) -> FieldOutline:
    row, column = cell
    x, y = (2 * column + 1) * SIZE, (2 * row + 1) * SIZE
    corners = [(x - SIZE, y - SIZE), (x + SIZE, y - SIZE), (x + SIZE, y + SIZE), (x - SIZE, y + SIZE)]
    return FieldOutline((x, y), corners)


def _ring(middle: Point, radius: float, turned: float) -> FieldOutline:
    angles = [pi * index / 3 + turned for index in range(6)]
    return FieldOutline(
        middle, [(middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in angles]
    )


def _hex_row(cell: Cell) -> FieldOutline:
    row, column = cell
    radius = SIZE * 1.15
    wide = radius * sqrt(3)
    return _ring((wide * (column + 0.5 + row % 2 / 2), radius * (1 + 1.5 * row)), radius, pi / 6)


def _hex_column(cell: Cell) -> FieldOutline:
    row, column = cell
    radius = SIZE * 1.15
    high = radius * sqrt(3)
    return _ring((radius * (1 + 1.5 * column), high * (row + 0.5 + column % 2 / 2)), radius, 0)


def _triangle(cell: Cell) -> FieldOutline:
    row, column = cell
    side = SIZE * 2.9
    high = side * sqrt(3) / 2
    left, top = column * side / 2, row * high
    if (row + column) % 2 == 0:
        corners = [(left, top + high), (left + side, top + high), (left + side / 2, top)]
        return FieldOutline((left + side / 2, top + high * 0.64), corners)
    corners = [(left, top), (left + side, top), (left + side / 2, top + high)]
    return FieldOutline((left + side / 2, top + high * 0.36), corners)


def draw(table: GameData, match: Match, view: MapView, label: str, translate: Translate = str) -> str:
    """The picture; ``label`` is in the language that ``translate`` gives. Raises ``ValueError`` for a field to zoom to
    that is not there."""
    picture = _Picture(table, match, view, translate)
    return drawing(picture.width, picture.height, picture.parts(), f"{translate(table.board.title)}, {label}")


class _Picture(BoardPicture):
    gap = SIZE * 0.5

    def __init__(self, table: GameData, match: Match, view: MapView, translate: Translate) -> None:
        super().__init__(match, view)
        self._translate = translate
        self._colours = table.rules.colours
        self._board: Board = table.board.board
        self._outlines = outlines(self._board)
        self._shown = self._fields()
        every = [corner for field in self._shown for corner in self._outlines[field].corners]
        self._left, self._top = min(x for x, _ in every) - EDGE, min(y for _, y in every) - EDGE
        wide = max(x for x, _ in every) + EDGE - self._left
        self.width = max(wide, NARROWEST)
        # a small board stands in the middle
        self._left -= (self.width - wide) / 2
        self.height = max(y for _, y in every) + EDGE + LEGEND - self._top

    def parts(self) -> Iterator[str]:
        # what can move comes last: its edge lies upon its neighbours
        for field in sorted(self._shown, key=lambda each: each in self._movable):
            yield self._field(field)
        yield element("g", {"pointer_events": "none"}, "".join((*self._moves(), *map(self._name, self._shown))))
        sides = self.state.parties.items()
        entries = ((side.colour, f"{self._translate(side.name)}: {self.state.fields(code)}") for code, side in sides)
        yield from self.legend(entries, EDGE, self.height - 16)

    def _fields(self) -> tuple[int, ...]:
        names = self._board.names
        if self.view.zoom is None:
            return tuple(range(len(names)))
        centre = self._board.by_name[self.centre(self.view.zoom.lower(), names, names, "field", "board")]
        return (centre, *members(self._board.near[centre] | self._board.far[centre]))

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each field that is shown, by name."""
        middles = {self._board.names[field]: self._outlines[field].middle for field in self._shown}
        return {name: (x - self._left, y - self._top) for name, (x, y) in middles.items()}

    def _kind(self, field: int) -> str:
        at = self.state.position(self._board)
        red, green = (at.own, at.enemy) if self.state.to_move == RED_SIDE else (at.enemy, at.own)
        fields = {"hole": self._board.holes, "red": red, "green": green}
        return next((kind for kind, each in fields.items() if each >> field & 1), "free")

    def _field(self, field: int) -> str:
        kind, name = self._kind(field), self._board.names[field]
        corners = [(x - self._left, y - self._top) for x, y in self._outlines[field].corners]
        edge: dict[str, object] = {"stroke": "#ffffff", "stroke_width": 2.5}
        if field in self._movable:
            edge = {"stroke": self._colours["can_start"], "stroke_width": 5}
        shape = polygon(corners, fill=self._colours[kind], stroke_linejoin="round", class_="field", **edge)
        if self.view.patterns:
            shape += self._pattern(kind, *self.places[name])
        _ = self._translate
        owner = {"red": _("Red"), "green": _("Green"), "hole": _("hole"), "free": _("free")}[kind]
        return titled(shape, f"{name}, {owner}").replace("<g>", f'<g data-field="{name}">', 1)

    def _name(self, field: int) -> str:
        """A field's name, over the lines of moves."""
        name = self._board.names[field]
        x, y = self.places[name]
        ink = DARK if self._kind(field) == "free" else LIGHT
        return text((x, y + 4), name, size=12, fill=ink, kind="name", font_weight=600)

    def _pattern(self, kind: str, x: float, y: float) -> str:
        """A mark for those who cannot tell red from green: a ring for red, a cross for green."""
        if kind == "red":
            return element("circle", {"cx": x, "cy": y, "r": SIZE * 0.55, "fill": "none", "stroke": "#ffffff"})
        size = SIZE * 0.45
        cross = (((x - size, y + way * -size), (x + size, y + way * size)) for way in (1, -1))
        return "".join(line(*ends, stroke="#ffffff") for ends in cross) if kind == "green" else ""

    @cached_property
    def _movable(self) -> frozenset[int]:
        """The fields from which the side to move can move, if it is the reader's."""
        match: Match = self.state
        if match.winners is not None or self.view.party not in (None, match.to_move):
            return frozenset()
        at = match.position(self._board)
        free = ~(at.own | at.enemy)
        return frozenset(field for field in members(at.own) if self._board.reach[field] & free)

    def _moves(self) -> Iterator[str]:
        """The half-moves of the run as lines; the enemy's last one, whenever it was, with a circle (CF-12.1); and what
        an order file plans."""
        run = {event.number for event in self.view.events if isinstance(event, HalfMoved)}
        colour = self._colours["last_end"]
        marked = max((each.number for each in self.state.history if each.side != self.view.party), default=0)
        for each in self.state.history:
            last = each.number == marked
            if not last and each.number not in run:
                continue
            yield from self.arrow(each.start, each.end, colour, 3.5 if last else 2, dashed=not last)
            if last and each.end in self.places:
                x, y = self.places[each.end]
                circle = {"cx": x, "cy": y, "r": SIZE * 0.72, "fill": "none", "stroke": colour, "stroke_width": 3.5}
                yield element("circle", circle)
        planned = self.planned(Orders)
        if planned and isinstance(planned.move, Move):
            start, end = (self._board.names[each] for each in planned.move)
            yield from self.arrow(start, end, PLANNED, 4, dashed=True)
