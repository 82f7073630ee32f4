"""The shapes of a map's provinces.

They are the outlines in its file, or else all points that are nearer to the middle of one province than to
that of another.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain, pairwise, product
from math import cos, dist, pi, sin
from statistics import median
from typing import NamedTuple

from gm.game.base.drawing import Point
from gm.games.conqueror.land import Board

SEA = ""  # behind an edge: water
WILD = "~"  # behind an edge: land that nobody can have
COAST_CORNERS = 18  # So many corners has the shape that an island far from everything would have
REACH = 0.8  # How far from its middle a province reaches at most, in lengths of a border between two middles
SHORTEST = 4.0  # Provinces whose edges are shorter than this together touch in a corner: nobody sees it

Corner = tuple[Point, str]  # A corner, and what lies behind the edge that begins there


class Edge(NamedTuple):
    """A side of a shape."""

    start: Point
    end: Point
    behind: str


class Line(NamedTuple):
    """Consecutive edges of a province with the same neighbour."""

    points: tuple[Point, ...]
    code: str
    behind: str


class Shapes:
    """The shapes at a scale: closed rings of edges by province, the largest first."""

    def __init__(self, board: Board, scale: float) -> None:
        """Compute the outline of each province, at a scale."""
        self.middles = {
            code: (province.x * scale, province.y * scale) for code, province in board.by_id.items()
        }
        self.borders = frozenset(map(frozenset, board.pairs))
        self.wilds = _scaled(board.wilds, scale)
        if board.outlines:
            outlines = {code: _scaled(board.outlines[code], scale) for code in self.middles}
            self.rings = dict(_joined(outlines, self.wilds))
        else:
            cells = _Cells(self.middles, self.borders)
            self.rings = {code: [_ring(cells.around(code))] for code in self.middles}

    def edges(self, code: str) -> Iterator[Edge]:
        """Return all edges of a province."""
        return chain.from_iterable(self.rings[code])

    def corners(self, code: str) -> list[Point]:
        """Return all corners of a province."""
        return [edge.start for edge in self.edges(code)]

    @cached_property
    def touching(self) -> Mapping[frozenset[str], float]:
        """The length of the common edges of any two provinces that touch."""
        lengths: dict[frozenset[str], float] = {}
        for code in self.rings:
            for start, end, behind in self.edges(code):
                if code < behind and behind not in (SEA, WILD):
                    pair = frozenset((code, behind))
                    lengths[pair] = lengths.get(pair, 0.0) + dist(start, end)
        return {pair: length for pair, length in lengths.items() if length >= SHORTEST}

    @cached_property
    def crossings(self) -> Mapping[tuple[str, str], tuple[Point, Point]]:
        """Pairs that border on each other though their shapes do not touch, with their nearest points."""
        crossings: dict[tuple[str, str], tuple[Point, Point]] = {}
        for one, other in sorted(
            (min(pair), max(pair)) for pair in self.borders if pair not in self.touching
        ):
            corner_pairs = product(self.corners(one), self.corners(other))
            crossings[one, other] = min(corner_pairs, key=lambda ends: (round(dist(*ends), 6), ends))
        return crossings

    def lines(self, shown: Iterable[str]) -> Iterator[Line]:
        """Yield the edges of some provinces as lines; an edge between two of them comes once."""
        codes = set(shown)
        for code in sorted(codes):
            for ring in self.rings[code]:
                for points, behind in _runs(ring):
                    if behind not in codes or behind > code:
                        yield Line(points, code, behind)


def _scaled(rings: Iterable[str], scale: float) -> list[list[Point]]:
    """Return rings as a map file writes them, at a scale."""
    return [_points(ring, scale) for ring in rings]


def _points(ring: str, scale: float) -> list[Point]:
    """Return a ring as a map file writes it."""
    pairs = (word.partition(",") for word in ring.split())
    return [(float(x) * scale, float(y) * scale) for x, _, y in pairs]


def _joined(
    outlines: Mapping[str, list[list[Point]]], wilds: list[list[Point]]
) -> Iterator[tuple[str, list[list[Edge]]]]:
    """Yield the rings with the neighbour of each edge: the province with the same edge."""
    owners: dict[frozenset[Point], set[str]] = {}
    for code, rings in {**outlines, WILD: wilds}.items():
        for ring in rings:
            for side in zip(ring, (*ring[1:], ring[0]), strict=True):
                owners.setdefault(frozenset(side), set()).add(code)
    for code, rings in outlines.items():
        found = []
        for ring in rings:
            sides = zip(ring, (*ring[1:], ring[0]), strict=True)
            found.append([Edge(*side, next(iter(owners[frozenset(side)] - {code}), SEA)) for side in sides])
        yield code, found


def _runs(ring: list[Edge]) -> Iterator[tuple[tuple[Point, ...], str]]:
    """Yield a ring in as few lines as possible, each with one neighbour."""
    first = next((at for at in range(len(ring)) if ring[at].behind != ring[at - 1].behind), 0)
    points: list[Point] = []
    turned = [*ring[first:], *ring[:first]]
    for at, (start, end, behind) in enumerate(turned):
        points += [end] if points else [start, end]
        if at + 1 == len(turned) or turned[at + 1].behind != behind:
            yield tuple(points), behind
            points = []


class _Cells:
    """The cells of points nearest to each middle."""

    def __init__(self, middles: Mapping[str, Point], borders: Iterable[frozenset[str]]) -> None:
        self._middles = middles
        self._reach = REACH * median(dist(middles[one], middles[other]) for one, other in borders)

    def around(self, code: str) -> list[Corner]:
        """Return the corners of a province, the first one repeated at the end."""
        x, y = own = self._middles[code]
        angles = [2 * pi * at / COAST_CORNERS for at in range(COAST_CORNERS)]
        corners = [((x + self._reach * cos(angle), y + self._reach * sin(angle)), SEA) for angle in angles]
        for other, middle in self._middles.items():
            if other != code and dist(middle, own) < 2 * self._reach:
                corners = list(_cut((*corners, corners[0]), own, middle, other))
        return [*corners, corners[0]]


def _ring(corners: list[Corner]) -> list[Edge]:
    return [Edge(start, end, behind) for (start, behind), (end, _) in pairwise(corners)]


def _cut(corners: tuple[Corner, ...], own_middle: Point, middle: Point, other: str) -> Iterator[Corner]:
    """Yield the part of a shape that is nearer to its own middle than to another."""
    # above 0 on the own side of the line half way between the two
    ahead = {corner: dist(corner, middle) ** 2 - dist(corner, own_middle) ** 2 for corner, _ in corners}
    for (start, behind), (end, _) in pairwise(corners):
        here = ahead[start]
        there = ahead[end]
        if here >= 0:
            yield start, behind
        if (here >= 0) != (there >= 0):
            share = here / (here - there)
            crossing = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            yield crossing, other if here >= 0 else behind


shapes_of = lru_cache(maxsize=8)(Shapes)  # The shapes of a board at a scale, worked out once
