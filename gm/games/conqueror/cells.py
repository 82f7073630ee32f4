"""Provinces as the shapes that maps draw: each has the land that is nearer to it than to any other, up to a coast.

A cell is a polygon whose edges know what lies behind them: the province next door, or nothing for the sea.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import cos, dist, pi, sin
from statistics import median

from gm.games.conqueror.land import Board
from gm.text.svg import Point

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
    def barriers(self) -> list[tuple[Point, Point]]:
        """Edges between provinces that do not border on each other."""
        return [edge for pair, edge in self.touching.items() if pair not in self.borders]

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
