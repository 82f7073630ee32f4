"""The map as a picture: structures in their owners' colours, networks, units, and what moved and met (CS-15.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import cos, pi, sin
from types import MappingProxyType

from gm.game.base.drawing import PLANNED, BoardPicture
from gm.game.values import GameData, MapView
from gm.games.conquest_structures.events import Bumped, Destroyed, FoughtAt, FoughtOnLink, SetOut
from gm.games.conquest_structures.orders import Move, Orders
from gm.games.conquest_structures.state import NEUTRAL, Conquest, is_immobile
from gm.text.svg import Point, drawing, element, line, polygon, text, titled

WIDTH, HEIGHT, EDGE, RADIUS = 960.0, 640.0, 62.0, 27.0
NEUTRAL_COLOUR = "#8d8672"


def draw(table: GameData, state: Conquest, view: MapView, label: str) -> str:
    """The picture. Raises ``ValueError`` for a structure to zoom to that is not there."""
    return drawing(WIDTH, HEIGHT, _Picture(table, state, view).parts(), f"{table.board.title}, turn {state.turn}")


class _Picture(BoardPicture):
    gap = RADIUS + 6
    aside = 9.0
    legend_look = (15.0, 9.0, 40.0, 0.0, 8.0, 14.0)
    legend_more = MappingProxyType({"text_anchor": "start"})

    def __init__(self, table: GameData, state: Conquest, view: MapView) -> None:
        super().__init__(state, view)
        self._rules = table.rules
        self._board = table.board

    def parts(self) -> Iterator[str]:
        yield from self._links()
        yield from self._moves()
        for place in self.places:
            yield from self._structure(place)
        yield from self._conflicts()
        players = ((player.colour, player.name) for player in self.state.parties.values())
        yield from self.legend(players, EDGE, HEIGHT - 22)
        signs = "■ infantry   ◆ tank   • mark   ▬ network   ⇢ bumped   ✶ conflict"
        yield text((WIDTH - EDGE, HEIGHT - 22), signs, size=13, kind="soft", style="text-anchor:end")

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """Where each structure stands on the picture; all of them fill it."""
        shown = self._board.structures
        if self.view.zoom is not None:
            centre = self.centre(self.view.zoom.upper(), shown, shown, "structure")
            shown = (centre, *self._board.neighbours(centre))
        raw = {place: self._board.places[place] for place in shown}
        left, top = (min(point[axis] for point in raw.values()) for axis in (0, 1))
        wide, high = (max(point[axis] for point in raw.values()) for axis in (0, 1))
        wide, high = (wide - left) or 1, (high - top) or 1
        return {
            place: (EDGE + (x - left) / wide * (WIDTH - 2 * EDGE), EDGE + (y - top) / high * (HEIGHT - 3 * EDGE))
            for place, (x, y) in raw.items()
        }

    def _colour(self, owner: str) -> str:
        return NEUTRAL_COLOUR if owner == NEUTRAL else str(self.state.parties[owner].colour)

    def _links(self) -> Iterator[str]:
        """Links; those inside a network are broad and in its owner's colour."""
        for a, b in self._board.links:
            if a not in self.places or b not in self.places:
                continue
            owner = self.state.owners[a]
            if owner != NEUTRAL and owner == self.state.owners[b]:
                yield line(self.places[a], self.places[b], stroke=self._colour(owner), stroke_width=9, opacity=0.45)
            yield line(self.places[a], self.places[b], class_="line", stroke_width=1.6)

    def _structure(self, place: str) -> Iterator[str]:
        owner, kind = self.state.owners[place], self._rules.kind_name(place)
        x, y = self.places[place]
        look: dict[str, object] = {"fill": self._colour(owner), "class_": "line", "stroke_width": 1.5}
        if self.view.patterns and owner != NEUTRAL:
            look["stroke_dasharray"] = str(3 + 3 * list(self.state.parties).index(owner))
        if owner == self.view.party:
            look["stroke_width"] = 4
        name = "neutral" if owner == NEUTRAL else self.state.parties[owner].name
        label = text((x, y + 5), place, size=15, fill="#ffffff", font_weight=700, kind="name")
        units = ", ".join(f"{unit.type} {unit.id}" for unit in self.state.at(place)) if self.view.troops else ""
        yield titled(_shape(kind, x, y, look) + label, f"{place}, {kind}, {name}" + (f": {units}" if units else ""))
        if self.view.troops:
            yield from self._troops(place)

    def _troops(self, place: str) -> Iterator[str]:
        """Infantry as small squares, tanks as lozenges; a mark is a dot, an immobile unit is crossed out."""
        units = self.state.at(place)
        x, y = self.places[place]
        step = min(19.0, 120.0 / max(1, len(units)))
        start = x - step * (len(units) - 1) / 2
        for index, unit in enumerate(units):
            at = (start + index * step, y + RADIUS + 15)
            corners = _square(*at, 8.0) if unit.type == "infantry" else _lozenge(*at, 10.5)
            parts = polygon(corners, fill=self._colour(unit.owner), stroke="#ffffff", stroke_width=1.5)
            if is_immobile(unit, self._rules):
                parts += line((at[0] - 9, at[1] - 9), (at[0] + 9, at[1] + 9), class_="line", stroke_width=2.5)
            for mark in range(unit.marks):
                parts += element("circle", {"cx": at[0] - 5 + mark * 5, "cy": at[1] + 13, "r": 2.2, "class_": "ink"})
            yield titled(parts, f"{unit.type} {unit.id}, {unit.marks} marks")

    def _moves(self) -> Iterator[str]:
        """What set out in the turn, what was bumped, and what an order file plans."""
        for event in self.view.events:
            if isinstance(event, SetOut):
                yield from self.arrow(event.place, event.target, self._colour(event.owner), 4)
            elif isinstance(event, Bumped) and not event.on_link:
                colour = self._colour(event.owner)
                yield from self.arrow(event.place, event.target, colour, 2.5, dashed=True, aside=17)
        planned = self.planned(Orders)
        for order in planned.lines if planned else ():
            if isinstance(order, Move):
                yield from self.arrow(order.place, order.target, PLANNED, 4, dashed=True)

    def _conflicts(self) -> Iterator[str]:
        at = self.places
        for event in self.view.events:
            if isinstance(event, FoughtAt) and event.place in at:
                x, y = at[event.place]
                yield titled(_star(x + 23, y - 23), f"conflict in {event.place}")
            elif isinstance(event, FoughtOnLink) and {event.place, event.other} <= at.keys():
                (x1, y1), (x2, y2) = at[event.place], at[event.other]
                yield titled(_star((x1 + x2) / 2, (y1 + y2) / 2), f"conflict on the link {event.place}–{event.other}")
            elif isinstance(event, Destroyed) and event.place in at:
                x, y = at[event.place]
                yield text((x - 30, y - 20), "✕", size=22, fill=self._colour(event.owner))


def _shape(kind: str, x: float, y: float, look: dict[str, object]) -> str:
    """A home is a house, a city a square, a base a hexagon, a refinery a circle."""
    r = RADIUS
    roof = (x - r, y + r * 0.9), (x - r, y - r * 0.25), (x, y - r * 1.2), (x + r, y - r * 0.25), (x + r, y + r * 0.9)
    corners = {"home": roof, "city": _square(x, y, r * 0.88), "base": _ring(x, y, r * 1.1, 6)}
    if kind in corners:
        return polygon(corners[kind], **look)
    return element("circle", {"cx": x, "cy": y, "r": r, **look})


def _ring(x: float, y: float, radius: float, corners: int, turn: float = 0) -> list[Point]:
    angles = [2 * pi * index / corners + turn for index in range(corners)]
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def _square(x: float, y: float, half: float) -> list[Point]:
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _lozenge(x: float, y: float, half: float) -> list[Point]:
    return [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]


def _star(x: float, y: float) -> str:
    rings = zip(_ring(x, y, 13, 8), _ring(x, y, 6, 8, pi / 8), strict=True)
    return polygon((point for ring in rings for point in ring), fill="#ffcf33", stroke="#7a2b00", stroke_width=1.5)
