"""The map as a picture (templates/conqueror/map.svg): the shapes of provinces, and where everything stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, dist, pi, sin
from statistics import median

from gm.core.diagnostics import fold
from gm.game.base.drawing import BoardPicture, LegendLook, Point
from gm.game.values import GameData, MapView
from gm.games.conqueror.events import Conquered, Rebelled
from gm.games.conqueror.land import Board
from gm.games.conqueror.state import NEUTRAL, Move, Orders, World
from gm.text.words import Translate

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


@lru_cache(maxsize=8)
def cells_of(board: Board, scale: float) -> Cells:
    """The shapes of a board's provinces."""
    middles = {code: (each.x * scale, each.y * scale) for code, each in board.by_id.items()}
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
BADGE = 15.0


class Picture(BoardPicture):
    """Of provinces."""

    gap = BADGE + 3
    aside = 6.0
    halo = 7.5
    legend_look = LegendLook(15.5, 9.6, 46.0, 8.0, 8.5, 22.0)
    edge, badge, legend_line, nobody = EDGE, BADGE, LEGEND_LINE, NEUTRAL

    def __init__(self, table: GameData, state: World, view: MapView, translate: Translate = str) -> None:
        super().__init__(table, state, view, translate)
        self.cells = cells_of(self.board, SCALE)
        self.shown = self._provinces()
        points = [point for code in self.shown for edge in self.cells.edges[code] for point in edge[:2]]
        self._left = min(x for x, _ in points) - EDGE
        self._top = min(y for _, y in points) - EDGE
        self.width = max(x for x, _ in points) - self._left + EDGE
        self.rows = list(self._legend_rows())
        self.bottom = max(y for _, y in points) - self._top + EDGE
        self.height = self.bottom + LEGEND_LINE * len(self.rows) + 8
        self.capitals = {each.capital for each in state.parties.values() if each.capital}
        self.taken = {each.province for each in view.events if isinstance(each, Conquered)}
        self.taken |= {each.province for each in view.events if isinstance(each, Rebelled) and each.won}
        planned = self.planned(Orders)
        self.plans: tuple[Move, ...] = planned.moves if planned else ()

    def _provinces(self) -> tuple[str, ...]:
        zoom, known = self.view.zoom, self.board.provinces
        if zoom is None:
            return tuple(self.board.by_id)
        named = {fold(each.name): code for code, each in known.items()}
        code = self.centre(named.get(fold(zoom), zoom.strip().upper()), known, (*known, *named), "province")
        steps = self.board.steps[code]
        return tuple(each for each in self.board.by_id if steps[each] <= 1)

    def _at(self, point: Point) -> Point:
        return point[0] - self._left, point[1] - self._top

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each province that is shown."""
        return {code: self._at(self.cells.middles[code]) for code in self.shown}

    def colour(self, owner: str) -> str:
        """A party's."""
        return NOBODY_COLOUR if owner == NEUTRAL else str(self.state.parties[owner].colour)

    def corners(self, code: str) -> list[Point]:
        """Those of a province."""
        return [self._at(edge[0]) for edge in self.cells.edges[code]]

    @property
    def outlines(self) -> Iterator[tuple[str, Point, Point, str]]:
        """The edges of provinces, with what lies behind; one between two shown provinces is drawn once."""
        for code in self.shown:
            for start, end, behind in self.cells.edges[code]:
                if behind not in self.shown or behind >= code:
                    yield code, self._at(start), self._at(end), behind

    @property
    def barriers(self) -> Iterator[tuple[Point, Point]]:
        """Edges that nobody can cross."""
        for pair, (start, end) in self.cells.touching.items():
            if pair not in self.cells.borders and pair <= set(self.shown):
                yield self._at(start), self._at(end)

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
