"""The board as a picture: fields in their colours, names, what can move, and the half-moves of the run (CF-12)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from gm.core.diagnostics import did_you_mean, nearest, shown
from gm.game.base.reading import BaseOrders
from gm.game.values import MapView
from gm.games.conquest_fields.board import Board, members
from gm.games.conquest_fields.events import HalfMoved
from gm.games.conquest_fields.moves import RED_SIDE, Move
from gm.games.conquest_fields.orders import Orders
from gm.games.conquest_fields.rules import Rules
from gm.games.conquest_fields.shapes import SIZE, Point, Shape, shapes
from gm.games.conquest_fields.state import Match
from gm.text.languages import Translate
from gm.text.svg import arrow, between, drawing, element, line, polygon, text, titled

EDGE = 14.0
LEGEND = 40.0
NARROWEST = 300.0
PLANNED = "#6b3fa0"
DARK, LIGHT = "#2b2b2b", "#ffffff"
"""How names are written on light and on dark fields."""


def draw(rules: Rules, board: Board, match: Match, view: MapView, label: str, translate: Translate = str) -> str:
    """The picture; ``label`` is in the language that ``translate`` gives. Raises ``ValueError`` for a field to zoom to
    that is not there."""
    picture = _Picture(rules, board, match, view, translate)
    return drawing(picture.width, picture.height, picture.parts(), f"{translate(board.title)}, {label}")


class _Picture:
    def __init__(self, rules: Rules, board: Board, match: Match, view: MapView, translate: Translate) -> None:
        self._translate = translate
        self._rules = rules
        self._board = board
        self._match = match
        self._view = view
        self._shown = self._fields()
        every = [corner for field in self._shown for corner in self._shapes[field].corners]
        self._left, self._top = min(x for x, _ in every) - EDGE, min(y for _, y in every) - EDGE
        wide = max(x for x, _ in every) + EDGE - self._left
        self.width = max(wide, NARROWEST)
        # a small board stands in the middle
        self._left -= (self.width - wide) / 2
        self.height = max(y for _, y in every) + EDGE + LEGEND - self._top

    @cached_property
    def _shapes(self) -> list[Shape]:
        return shapes(self._board)

    def parts(self) -> Iterator[str]:
        # what can move comes last: its edge lies upon its neighbours
        for field in sorted(self._shown, key=lambda each: each in self._movable):
            yield self._field(field)
        yield element("g", {"pointer_events": "none"}, "".join((*self._moves(), *map(self._name, self._shown))))
        yield self._legend()

    def _fields(self) -> tuple[int, ...]:
        zoom = self._view.zoom
        if zoom is None:
            return tuple(range(len(self._board.names)))
        centre = self._board.by_name.get(zoom.lower())
        if centre is None:
            hint = did_you_mean(nearest(zoom, self._board.names))
            raise ValueError(f"no field of this board is called {shown(zoom)}" + (f": {hint}" if hint else ""))
        return (centre, *members(self._board.near[centre] | self._board.far[centre]))

    def _at(self, field: int) -> Point:
        x, y = self._shapes[field].middle
        return x - self._left, y - self._top

    def _kind(self, field: int) -> str:
        red, green = self._owned
        if self._board.holes >> field & 1:
            return "hole"
        return "red" if red >> field & 1 else "green" if green >> field & 1 else "free"

    def _field(self, field: int) -> str:
        kind = self._kind(field)
        corners = [(x - self._left, y - self._top) for x, y in self._shapes[field].corners]
        name = self._board.names[field]
        edge = {"stroke": "#ffffff", "stroke_width": 2.5}
        if field in self._movable:
            edge = {"stroke": self._rules.colours["can_start"], "stroke_width": 5}
        shape = polygon(corners, fill=self._rules.colours[kind], stroke_linejoin="round", class_="field", **edge)
        if self._view.patterns and kind in ("red", "green"):
            shape += self._pattern(field, kind)
        _ = self._translate
        owner = {"red": _("Red"), "green": _("Green"), "hole": _("hole"), "free": _("free")}[kind]
        return titled(shape, f"{name}, {owner}").replace("<g>", f'<g data-field="{name}">', 1)

    def _name(self, field: int) -> str:
        """A field's name, over the lines of moves."""
        x, y = self._at(field)
        ink = DARK if self._kind(field) == "free" else LIGHT
        return text((x, y + 4), self._board.names[field], size=12, fill=ink, kind="name", font_weight=600)

    def _pattern(self, field: int, kind: str) -> str:
        """A mark for those who cannot tell red from green: a ring for red, a cross for green."""
        x, y = self._at(field)
        if kind == "red":
            return element("circle", {"cx": x, "cy": y, "r": SIZE * 0.55, "fill": "none", "stroke": "#ffffff"})
        size = SIZE * 0.45
        return line((x - size, y - size), (x + size, y + size), stroke="#ffffff") + line(
            (x - size, y + size), (x + size, y - size), stroke="#ffffff"
        )

    @cached_property
    def _owned(self) -> tuple[int, int]:
        at = self._match.position(self._board)
        return (at.own, at.enemy) if self._match.to_move == RED_SIDE else (at.enemy, at.own)

    @cached_property
    def _movable(self) -> frozenset[int]:
        """The fields from which the side to move can move, if it is the reader's."""
        match = self._match
        if match.winners is not None or self._view.party not in (None, match.to_move):
            return frozenset()
        at = match.position(self._board)
        free = ~(at.own | at.enemy)
        return frozenset(field for field in members(at.own) if self._board.reach[field] & free)

    def _moves(self) -> Iterator[str]:
        """The half-moves of the run as lines; the enemy's last one, whenever it was, with a circle (CF-12.1); and what
        an order file plans."""
        run = {event.number for event in self._view.events if isinstance(event, HalfMoved)}
        names = self._board.by_name
        colour = self._rules.colours["last_end"]
        others = [each.number for each in self._match.history if each.side != self._view.party]
        marked = others[-1] if others else 0
        for each in self._match.history:
            if each.number not in run | {marked}:
                continue
            last = each.number == marked
            yield from self._line(Move(names[each.start], names[each.end]), colour, 3.5 if last else 2, not last)
            if last and names[each.end] in self._shown:
                x, y = self._at(names[each.end])
                circle = {"cx": x, "cy": y, "r": SIZE * 0.72, "fill": "none", "stroke": colour, "stroke_width": 3.5}
                yield element("circle", circle)
        sheet = self._view.sheet
        if isinstance(sheet, BaseOrders) and isinstance(sheet.orders, Orders) and sheet.orders.move is not None:
            yield from self._line(sheet.orders.move, PLANNED, 4, True)

    def _line(self, move: Move, colour: str, width: float, dashed: bool) -> Iterator[str]:
        if move.start in self._shown and move.end in self._shown:
            ends = between(self._at(move.start), self._at(move.end), gap=SIZE * 0.5)
            yield arrow(*ends, colour, width=width, dashed=dashed)

    def _legend(self) -> str:
        y = self.height - 16
        parts, x = [], EDGE
        for code, side in self._match.parties.items():
            parts.append(element("circle", {"cx": x + 7, "cy": y - 5, "r": 8, "fill": side.colour}))
            told = f"{self._translate(side.name)}: {self._match.fields(code)}"
            parts.append(text((x + 20, y), told, size=14, style="text-anchor:start"))
            x += 40 + 9 * len(told)
        return "".join(parts)
