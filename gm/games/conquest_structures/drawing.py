"""The map as a picture: structures in their owners' colours, networks, units, and what moved and met (CS-15.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import cos, pi, sin

from gm.core.diagnostics import did_you_mean, nearest, shown
from gm.game.base.reading import BaseOrders
from gm.game.values import MapView
from gm.games.conquest_structures.board import Board
from gm.games.conquest_structures.events import Bumped, Destroyed, FoughtAt, FoughtOnLink, SetOut
from gm.games.conquest_structures.orders import Move, Orders
from gm.games.conquest_structures.rules import Rules
from gm.games.conquest_structures.state import NEUTRAL, Conquest, is_immobile
from gm.text.svg import Point, arrow, between, drawing, element, line, polygon, text, titled

WIDTH, HEIGHT, EDGE, RADIUS = 960.0, 640.0, 62.0, 27.0
NEUTRAL_COLOUR = "#8d8672"
PLANNED = "#6b3fa0"


def draw(rules: Rules, board: Board, state: Conquest, view: MapView) -> str:
    """The picture. Raises ``ValueError`` for a structure to zoom to that is not there."""
    picture = _Picture(rules, board, state, view)
    return drawing(WIDTH, HEIGHT, picture.parts(), f"{board.title}, turn {state.turn}")


class _Picture:
    def __init__(self, rules: Rules, board: Board, state: Conquest, view: MapView) -> None:
        self._rules = rules
        self._board = board
        self._state = state
        self._view = view
        self._shown = self._places()
        self._at = self._scaled()

    def parts(self) -> Iterator[str]:
        yield from self._links()
        yield from self._moves()
        for place in self._shown:
            yield from self._structure(place)
        yield from self._conflicts()
        yield self._legend()

    def _places(self) -> tuple[str, ...]:
        zoom = self._view.zoom
        if zoom is None:
            return self._board.structures
        centre = zoom.upper()
        if centre not in self._board.structures:
            hint = did_you_mean(nearest(zoom, self._board.structures))
            raise ValueError(f"no structure of this map is called {shown(zoom)}" + (f": {hint}" if hint else ""))
        return (centre, *self._board.neighbours(centre))

    def _scaled(self) -> Mapping[str, Point]:
        """Where each structure stands on the picture; all of them fill it."""
        raw = {place: self._board.places[place] for place in self._shown}
        left, right = min(x for x, _ in raw.values()), max(x for x, _ in raw.values())
        top, bottom = min(y for _, y in raw.values()), max(y for _, y in raw.values())
        wide, high = (right - left) or 1, (bottom - top) or 1
        inner = (WIDTH - 2 * EDGE, HEIGHT - 3 * EDGE)
        return {
            place: (EDGE + (x - left) / wide * inner[0], EDGE + (y - top) / high * inner[1])
            for place, (x, y) in raw.items()
        }

    def _colour(self, owner: str) -> str:
        return NEUTRAL_COLOUR if owner == NEUTRAL else self._state.parties[owner].colour

    def _links(self) -> Iterator[str]:
        """Links; those inside a network are broad and in its owner's colour."""
        for a, b in self._board.links:
            if a not in self._at or b not in self._at:
                continue
            owner = self._state.owners[a]
            if owner != NEUTRAL and owner == self._state.owners[b]:
                yield line(self._at[a], self._at[b], stroke=self._colour(owner), stroke_width=9, opacity=0.45)
            yield line(self._at[a], self._at[b], class_="line", stroke_width=1.6)

    def _structure(self, place: str) -> Iterator[str]:
        owner = self._state.owners[place]
        kind = self._rules.kind_name(place)
        x, y = self._at[place]
        look: dict[str, object] = {"fill": self._colour(owner), "class_": "line", "stroke_width": 1.5}
        if self._view.patterns and owner != NEUTRAL:
            look["stroke_dasharray"] = str(3 + 3 * list(self._state.parties).index(owner))
        if owner == self._view.party:
            look["stroke_width"] = 4
        shape = _SHAPES[kind](x, y)
        name = "neutral" if owner == NEUTRAL else self._state.parties[owner].name
        inside = polygon(shape, **look) if shape else element("circle", {"cx": x, "cy": y, "r": RADIUS, **look})
        label = text((x, y + 5), place, size=15, fill="#ffffff", font_weight=700, kind="name")
        yield titled(inside + label, f"{place}, {kind}, {name}{self._units_title(place)}")
        if self._view.troops:
            yield from self._troops(place)

    def _units_title(self, place: str) -> str:
        units = [f"{unit.type} {unit.id}" for unit in self._state.at(place)]
        return f": {', '.join(units)}" if units and self._view.troops else ""

    def _troops(self, place: str) -> Iterator[str]:
        """Infantry as small squares, tanks as lozenges; a mark is a dot, an immobile unit is crossed out."""
        units = self._state.at(place)
        x, y = self._at[place]
        step = min(19.0, 120.0 / max(1, len(units)))
        start = x - step * (len(units) - 1) / 2
        for index, unit in enumerate(units):
            at = (start + index * step, y + RADIUS + 15)
            size = 8.0
            corners = _square(*at, size) if unit.type == "infantry" else _lozenge(*at, size + 2.5)
            parts = polygon(corners, fill=self._colour(unit.owner), stroke="#ffffff", stroke_width=1.5)
            if is_immobile(unit, self._rules):
                parts += line((at[0] - 9, at[1] - 9), (at[0] + 9, at[1] + 9), class_="line", stroke_width=2.5)
            for mark in range(unit.marks):
                parts += element("circle", {"cx": at[0] - 5 + mark * 5, "cy": at[1] + 13, "r": 2.2, "class_": "ink"})
            yield titled(parts, f"{unit.type} {unit.id}, {unit.marks} marks")

    def _moves(self) -> Iterator[str]:
        """What set out in the turn, what was bumped, and what an order file plans."""
        for event in self._view.events:
            if isinstance(event, SetOut) and {event.place, event.target} <= self._at.keys():
                ends = between(self._at[event.place], self._at[event.target], gap=RADIUS + 6, aside=9)
                yield arrow(*ends, self._colour(event.owner), width=4)
            elif isinstance(event, Bumped) and not event.on_link and {event.place, event.target} <= self._at.keys():
                ends = between(self._at[event.place], self._at[event.target], gap=RADIUS + 6, aside=17)
                yield arrow(*ends, self._colour(event.owner), width=2.5, dashed=True)
        sheet = self._view.sheet
        if isinstance(sheet, BaseOrders) and isinstance(sheet.orders, Orders):
            for order in sheet.orders.lines:
                if isinstance(order, Move) and {order.place, order.target} <= self._at.keys():
                    ends = between(self._at[order.place], self._at[order.target], gap=RADIUS + 6, aside=9)
                    yield arrow(*ends, PLANNED, width=4, dashed=True)

    def _conflicts(self) -> Iterator[str]:
        for event in self._view.events:
            if isinstance(event, FoughtAt) and event.place in self._at:
                x, y = self._at[event.place]
                yield titled(_star(x + 23, y - 23), f"conflict in {event.place}")
            elif isinstance(event, FoughtOnLink) and {event.place, event.other} <= self._at.keys():
                (x1, y1), (x2, y2) = self._at[event.place], self._at[event.other]
                yield titled(_star((x1 + x2) / 2, (y1 + y2) / 2), f"conflict on the link {event.place}–{event.other}")
            elif isinstance(event, Destroyed) and event.place in self._at:
                x, y = self._at[event.place]
                yield text((x - 30, y - 20), "✕", size=22, fill=self._colour(event.owner))

    def _legend(self) -> str:
        """Whose colour is whose, and the signs."""
        parts, x, y = [], EDGE, HEIGHT - 22
        for code, player in self._state.parties.items():
            parts.append(element("circle", {"cx": x, "cy": y - 5, "r": 8, "fill": player.colour}))
            parts.append(text((x + 14, y), player.name, size=15, text_anchor="start", style="text-anchor:start"))
            x += 40 + 9 * len(player.name)
            del code
        signs = "■ infantry   ◆ tank   • mark   ▬ network   ⇢ bumped   ✶ conflict"
        parts.append(text((WIDTH - EDGE, y), signs, size=13, kind="soft", style="text-anchor:end"))
        return "".join(parts)


def _ring(x: float, y: float, radius: float, corners: int, turn: float = 0) -> list[Point]:
    angles = [2 * pi * index / corners + turn for index in range(corners)]
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def _square(x: float, y: float, half: float) -> list[Point]:
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _lozenge(x: float, y: float, half: float) -> list[Point]:
    return [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]


def _house(x: float, y: float) -> list[Point]:
    r = RADIUS
    return [(x - r, y + r * 0.9), (x - r, y - r * 0.25), (x, y - r * 1.2), (x + r, y - r * 0.25), (x + r, y + r * 0.9)]


def _star(x: float, y: float) -> str:
    points = [
        point
        for outer, inner in zip(_ring(x, y, 13, 8), _ring(x, y, 6, 8, pi / 8), strict=True)
        for point in (outer, inner)
    ]
    return polygon(points, fill="#ffcf33", stroke="#7a2b00", stroke_width=1.5)


_SHAPES: Mapping[str, Callable[[float, float], list[Point]]] = {
    "home": _house,
    "city": lambda x, y: _square(x, y, RADIUS * 0.88),
    "refinery": lambda x, y: [],
    "base": lambda x, y: _ring(x, y, RADIUS * 1.1, 6),
}
"""A home is a house, a city a square, a base a hexagon, a refinery a circle."""
