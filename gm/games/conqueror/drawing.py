"""The map as a picture: provinces in the colours of their owners, armies, works, capitals, and who went where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, dist, pi, sin
from statistics import median
from typing import Any

from gm.core.diagnostics import fold
from gm.game.base.drawing import PLANNED, BoardPicture
from gm.game.values import GameData, MapView
from gm.games.conqueror.events import Conquered, Fought, Moved, Rebelled
from gm.games.conqueror.land import Board
from gm.games.conqueror.orders import Orders
from gm.games.conqueror.state import NEUTRAL, Province, World
from gm.text.svg import Point, drawing, element, line, number, polygon, text, titled

SEA = ""
COAST_CORNERS = 18
"""So many corners has the shape that an island far from everything would have."""
REACH = 0.8
"""How far from its middle a province reaches at most, in lengths of a border between two middles."""
SHORTEST = 4.0
"""An edge shorter than this is a corner: nobody sees that the two touch."""

Edge = tuple[Point, Point, str]
"""From a corner to the next, and what lies behind."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The shapes of a map at a scale."""

    middles: Mapping[str, Point]
    edges: Mapping[str, tuple[Edge, ...]]
    borders: frozenset[frozenset[str]]

    @cached_property
    def touching(self) -> Mapping[frozenset[str], tuple[Point, Point]]:
        """The edge between any two provinces whose shapes touch."""
        found: dict[frozenset[str], tuple[Point, Point]] = {}
        for code, edges in self.edges.items():
            for start, end, behind in edges:
                if behind != SEA and dist(start, end) >= SHORTEST:
                    found.setdefault(frozenset((code, behind)), (start, end))
        return found

    @property
    def crossings(self) -> list[tuple[str, str]]:
        """Pairs that border on each other though their shapes do not touch."""
        apart = (sorted(pair) for pair in self.borders if pair not in self.touching)
        return sorted((one, other) for one, other in apart)


def cells_of(board: Board, scale: float) -> Cells:
    """The shapes of a board's provinces."""
    middles = {code: (each.x * scale, each.y * scale) for code, each in board.land.provinces.items()}
    pairs = frozenset(frozenset(pair) for pair in board.pairs)
    lengths = [dist(*(middles[code] for code in pair)) for pair in pairs]
    reach = REACH * median(lengths)
    edges = {code: tuple(_cell(code, middles, reach)) for code in middles}
    return Cells(middles, edges, pairs)


def _cell(code: str, middles: Mapping[str, Point], reach: float) -> list[Edge]:
    x, y = middles[code]
    angles = [2 * pi * at / COAST_CORNERS for at in range(COAST_CORNERS)]
    corners = [(x + reach * cos(angle), y + reach * sin(angle)) for angle in angles]
    cell = [(corner, corners[(at + 1) % len(corners)], SEA) for at, corner in enumerate(corners)]
    for other, middle in middles.items():
        if other != code and dist(middle, (x, y)) < 2 * reach:
            cell = _cut(cell, (x, y), middle, other)
    return cell


def _cut(cell: list[Edge], own: Point, other: Point, code: str) -> list[Edge]:
    """The part of a cell that is nearer to its own middle than to the other."""

    def ahead(point: Point) -> float:
        # above 0 on the own side of the line half way between the two
        return dist(point, other) ** 2 - dist(point, own) ** 2

    kept: list[Edge] = []
    gap = 0
    out: Point | None = None
    back: Point | None = None
    for start, end, behind in cell:
        here, there = ahead(start), ahead(end)
        if here >= 0 and there >= 0:
            kept.append((start, end, behind))
        elif here >= 0:
            out = _between(start, end, here, there)
            kept.append((start, out, behind))
            gap = len(kept)
        elif there >= 0:
            back = _between(start, end, here, there)
            kept.append((back, end, behind))
    if out is None or back is None:
        return kept
    return [*kept[:gap], (out, back, code), *kept[gap:]]


def _between(start: Point, end: Point, here: float, there: float) -> Point:
    share = here / (here - there)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


SCALE = 1.3
EDGE = 34.0
LEGEND_LINE = 30.0
NOBODY_COLOUR = "#a89f8c"
WATER = "#d9e6ee"
BADGE = 15.0
INK = "#2a2118"


@lru_cache(maxsize=8)
def _cells(board: Board) -> Cells:
    return cells_of(board, SCALE)


def draw(table: GameData, state: World, view: MapView, label: str) -> str:
    """The picture. Raises ``ValueError`` for a province to zoom to that is not there."""
    picture = _Picture(table.board, state, view)
    return drawing(picture.width, picture.height, picture.parts(), f"{table.board.title}, {label}")


class _Picture(BoardPicture):
    gap = BADGE + 3
    aside = 6.0
    halo = 7.5
    legend_look = (15.5, 9.6, 46.0, 8.0, 8.5, 22.0)

    def __init__(self, board: Board, state: World, view: MapView) -> None:
        super().__init__(state, view)
        self._board = board
        self._cells = _cells(board)
        self._shown = self._provinces()
        points = [point for code in self._shown for edge in self._cells.edges[code] for point in edge[:2]]
        self._left = min(x for x, _ in points) - EDGE
        self._top = min(y for _, y in points) - EDGE
        self.width = max(x for x, _ in points) - self._left + EDGE
        self._rows = list(self._legend_rows())
        self._bottom = max(y for _, y in points) - self._top + EDGE
        self.height = self._bottom + LEGEND_LINE * len(self._rows) + 8
        self._capitals = {each.capital for each in state.parties.values() if each.capital}

    def parts(self) -> Iterator[str]:
        water = {"x": 8.0, "y": 8.0, "width": self.width - 16, "height": self._bottom - 16, "rx": 12}
        yield element("rect", {**water, "fill": WATER, "stroke": "#b4c6d3"})
        yield from self._crossings()
        for code in self._shown:
            yield self._province(code)
        yield from self._outlines()
        yield from self._barriers()
        yield from self._arrows()
        for code in self._shown:
            yield from self._badge(code)
        for at, row in enumerate(self._rows):
            yield from self.legend(row, EDGE, self._bottom + 20 + LEGEND_LINE * at)

    def _provinces(self) -> tuple[str, ...]:
        zoom, known = self.view.zoom, self._board.provinces
        if zoom is None:
            return tuple(self._board.land.provinces)
        named = {fold(each.name): code for code, each in known.items()}
        code = self.centre(named.get(fold(zoom), zoom.strip().upper()), known, (*known, *named), "province")
        steps = self._board.land.steps_from(code)
        return tuple(each for each in self._board.land.provinces if steps[each] <= 1)

    def _at(self, point: Point) -> Point:
        return point[0] - self._left, point[1] - self._top

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each province that is shown."""
        return {code: self._at(self._cells.middles[code]) for code in self._shown}

    def _colour(self, owner: str) -> str:
        return NOBODY_COLOUR if owner == NEUTRAL else str(self.state.parties[owner].colour)

    def _province(self, code: str) -> str:
        province = self.state.provinces[code]
        own = province.owner == self.view.party
        corners = [self._at(edge[0]) for edge in self._cells.edges[code]]
        opacity = 0.2 if province.owner == NEUTRAL else 0.72 if own else 0.42
        look = {"fill": self._colour(province.owner), "fill_opacity": opacity}
        owner = "nobody's" if province.owner == NEUTRAL else f"of {self.state.parties[province.owner].name}"
        title = f"{self._board.provinces[code].name} ({code}), {owner}, {province.armies} armies"
        return titled(polygon(corners, fill="#f6f1e4") + polygon(corners, **look), title)

    def _outlines(self) -> Iterator[str]:
        """Thin lines between provinces of one owner, thick ones between owners, the coast thicker still."""
        for code in self._shown:
            for start, end, behind in self._cells.edges[code]:
                # an edge between two shown provinces is drawn once
                if behind in self._shown and behind < code:
                    continue
                look = {"stroke": "#4d6373", "stroke_width": 2.2}
                if behind != SEA:
                    same = self.state.provinces[code].owner == self.state.provinces[behind].owner
                    look = {"stroke": "#3b3327", "stroke_width": 0.8 if same else 2.0}
                yield line(self._at(start), self._at(end), **look, stroke_linecap="round")

    def _barriers(self) -> Iterator[str]:
        """Where provinces touch and nobody can go."""
        for pair, (start, end) in self._cells.touching.items():
            if pair not in self._cells.borders and pair <= set(self._shown):
                look = {"stroke": "#6d5138", "stroke_width": 6, "stroke_dasharray": "3 3"}
                yield line(self._at(start), self._at(end), **look)

    def _crossings(self) -> Iterator[str]:
        """Borders over water, and between provinces that lie too far apart to touch."""
        for one, other in self._cells.crossings:
            if one in self._shown and other in self._shown:
                look = {"stroke": "#4a6478", "stroke_width": 3.2, "stroke_dasharray": "1 7", "stroke_linecap": "round"}
                yield line(self.places[one], self.places[other], **look)

    def _arrows(self) -> Iterator[str]:
        """Attacks and moves of the turn in the order in which they were executed, and what an order file plans."""
        for event in self.view.events:
            if isinstance(event, Fought):
                colour = self._colour(event.owner)
                yield from self.arrow(event.source, event.target, colour, 4.4, dashed=not event.taken)
            elif isinstance(event, Moved):
                yield from self.arrow(event.source, event.target, "#5e5140", 4.4)
        planned = self.planned(Orders)
        for move in planned.moves if planned else ():
            yield from self.arrow(move.source, move.target, PLANNED, 4.4, dashed=True)

    def _badge(self, code: str) -> Iterator[str]:
        x, y = self.places[code]
        province = self.state.provinces[code]
        if self.view.troops:
            yield from self._armies(province, (x, y - 6))
        if province.fort:
            yield self._works((x + 25, y - 6), province.fort)
        name = self._board.provinces[code].name
        weight = 700 if code in self._capitals else 500
        halo: dict[str, Any] = {"stroke": "#f6f1e4", "stroke_width": 3.5, "style": "paint-order:stroke"}
        yield text((x, y + 24), name, size=13.5, kind="name", fill=INK, font_weight=weight, **halo)

    def _armies(self, province: Province, at: Point) -> Iterator[str]:
        taken = any(
            (isinstance(each, Conquered) and each.province == province.code)
            or (isinstance(each, Rebelled) and each.province == province.code and each.won)
            for each in self.view.events
        )
        colour = self._colour(province.owner)
        look = {"fill": colour, "stroke": "#ffd34d" if taken else "#ffffff", "stroke_width": 3.2 if taken else 2}
        if province.code in self._capitals:
            side = BADGE * 2
            box = {"x": at[0] - BADGE, "y": at[1] - BADGE, "width": side, "height": side, "rx": 4}
            yield element("rect", {**box, **look, "stroke_width": 3.2, "stroke": look["stroke"] if taken else INK})
        else:
            yield element("circle", {"cx": at[0], "cy": at[1], "r": BADGE, **look})
        size = 16 if province.armies < 100 else 12
        words = str(province.armies)
        yield text((at[0], at[1] + 5.5), words, size=size, fill="#ffffff", font_weight=700, kind="units")

    def _works(self, at: Point, level: int) -> str:
        """A tower for each level, with battlements."""
        towers = []
        for tower in range(level):
            x, y = at[0] - 6 + 8.0 * tower, at[1] - 7
            path = f"M{number(x)} {number(y + 14)}v-14h2v3h2v-3h2v14z"
            towers.append(element("path", {"d": path, "fill": "#3b3327", "stroke": "#fbf6ea", "stroke_width": 0.8}))
        return titled("".join(towers), ("", "fort", "keep", "castle")[level])

    def _legend_rows(self) -> Iterator[list[tuple[str, str]]]:
        """The players with colour, as many in a row as fit."""
        row: list[tuple[str, str]] = []
        used = EDGE
        for code, player in self.state.parties.items():
            words = f"{player.name}: {len(self.state.owned(code))}"
            wide = self.legend_width(words)
            if row and used + wide > self.width - EDGE:
                yield row
                row, used = [], EDGE
            row.append((player.colour, words))
            used += wide
        yield row
