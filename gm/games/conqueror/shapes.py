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

# What can lie behind an edge instead of a province
SEA = ""
WILD = "~"  # Land that nobody can have
COAST_CORNERS = 18  # The corners of the shape of an island that is far from all other provinces
REACH = (
    0.8  # How far from its middle a province reaches at most, as a part of the median distance of neighbours
)
SHORTEST = 4.0  # Provinces whose common edges are shorter in all do not visibly touch

Corner = tuple[Point, str]  # (corner, what is behind the edge that begins there)


class Edge(NamedTuple):
    """A side of a shape."""

    start: Point
    end: Point
    behind: str  # The code of the neighbour, SEA or WILD


class Line(NamedTuple):
    """Consecutive edges of a province with the same neighbour."""

    points: tuple[Point, ...]
    code: str  # The province
    behind: str  # The code of the neighbour, SEA or WILD


class Shapes:
    """The shapes of a map's provinces at a scale.

    ``rings``: closed rings of edges around each province, the largest first; ``middles``: points by province;
    ``borders``: the pairs of neighbours by the rules; ``wilds``: rings around land that nobody can have.
    """

    def __init__(self, board: Board, scale: float) -> None:
        """Compute the rings; ``scale``: how many units of the shapes are one unit of the map."""
        self.middles = {
            code: (province.x * scale, province.y * scale) for code, province in board.by_id.items()
        }
        self.borders = frozenset(map(frozenset, board.pairs))
        self.wilds = _scaled_rings(board.wilds, scale)
        if board.outlines:
            outlines = {code: _scaled_rings(board.outlines[code], scale) for code in self.middles}
            self.rings = dict(_with_neighbours(outlines, self.wilds))
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
        """The length of the common edges of every two provinces that visibly touch, by the pair of codes."""
        lengths: dict[frozenset[str], float] = {}
        for code in self.rings:
            for start, end, behind in self.edges(code):
                # each edge is met twice, once from either side: it counts once
                if code < behind and behind not in (SEA, WILD):
                    pair = frozenset((code, behind))
                    lengths[pair] = lengths.get(pair, 0.0) + dist(start, end)
        return {pair: length for pair, length in lengths.items() if length >= SHORTEST}

    @cached_property
    def crossings(self) -> Mapping[tuple[str, str], tuple[Point, Point]]:
        """The nearest corners of neighbours by the rules whose shapes do not touch, by the pair of codes."""
        crossings: dict[tuple[str, str], tuple[Point, Point]] = {}
        for one, other in sorted(
            (min(pair), max(pair)) for pair in self.borders if pair not in self.touching
        ):
            corner_pairs = product(self.corners(one), self.corners(other))
            # rounded, so that of equally near ones the last bits do not decide
            crossings[one, other] = min(corner_pairs, key=lambda ends: (round(dist(*ends), 6), ends))
        return crossings

    def lines(self, shown: Iterable[str]) -> Iterator[Line]:
        """Yield the edges of the provinces ``shown`` as lines; an edge between two of them comes once."""
        codes = set(shown)
        for code in sorted(codes):
            for ring in self.rings[code]:
                for points, behind in _runs(ring):
                    if behind not in codes or behind > code:
                        yield Line(points, code, behind)


def _scaled_rings(rings: Iterable[str], scale: float) -> list[list[Point]]:
    """Return the corners of each ring of a map file, at a scale."""
    return [_points(ring, scale) for ring in rings]


def _points(ring: str, scale: float) -> list[Point]:
    """Return the corners of a ring that a map file writes as ``10,20 30.5,20 30,40``, at a scale."""
    pairs = (word.partition(",") for word in ring.split())
    return [(float(x) * scale, float(y) * scale) for x, _, y in pairs]


def _with_neighbours(
    outlines: Mapping[str, list[list[Point]]], wilds: list[list[Point]]
) -> Iterator[tuple[str, list[list[Edge]]]]:
    """Yield (code, rings) with the neighbour behind each edge: the province that has the same edge.

    The neighbour is ``WILD`` for land that nobody can have, and ``SEA`` where no other ring has the edge.
    """
    owners: dict[frozenset[Point], set[str]] = {}  # by the two ends of an edge: one or two codes
    for code, rings in {**outlines, WILD: wilds}.items():
        for ring in rings:
            for side in zip(ring, (*ring[1:], ring[0]), strict=True):
                owners.setdefault(frozenset(side), set()).add(code)
    for code, rings in outlines.items():
        rings_of_edges = []
        for ring in rings:
            edges = []
            for start, end in zip(ring, (*ring[1:], ring[0]), strict=True):
                other_owners = owners[frozenset((start, end))] - {code}
                edges.append(Edge(start, end, next(iter(other_owners), SEA)))
            rings_of_edges.append(edges)
        yield code, rings_of_edges


def _runs(ring: list[Edge]) -> Iterator[tuple[tuple[Point, ...], str]]:
    """Yield (points, neighbour) for each longest part of a ring that has one neighbour behind it."""
    # begin where the neighbour changes, so that no part is cut in two
    first = next((at for at in range(len(ring)) if ring[at].behind != ring[at - 1].behind), 0)
    edges = [*ring[first:], *ring[:first]]
    points: list[Point] = []
    for at, (start, end, behind) in enumerate(edges):
        points += [end] if points else [start, end]
        if at + 1 == len(edges) or edges[at + 1].behind != behind:
            yield tuple(points), behind
            points = []


class _Cells:
    """Shapes for a map without outlines.

    A province has the points that are nearer to its middle than to any other, up to a greatest distance.
    """

    def __init__(self, middles: Mapping[str, Point], borders: Iterable[frozenset[str]]) -> None:
        self._middles = middles
        # how far from its middle a province ends in the sea
        self._reach = REACH * median(dist(middles[one], middles[other]) for one, other in borders)

    def around(self, code: str) -> list[Corner]:
        """Return the corners of a province, the first one repeated at the end."""
        x, y = own_middle = self._middles[code]
        angles = [2 * pi * at / COAST_CORNERS for at in range(COAST_CORNERS)]
        corners = [((x + self._reach * cos(angle), y + self._reach * sin(angle)), SEA) for angle in angles]
        for other, middle in self._middles.items():
            # shapes of middles that are farther apart cannot touch
            if other != code and dist(middle, own_middle) < 2 * self._reach:
                corners = list(_cut((*corners, corners[0]), own_middle, middle, other))
        return [*corners, corners[0]]


def _ring(corners: list[Corner]) -> list[Edge]:
    """Return the edges between corners of which the last is the first again."""
    return [Edge(start, end, behind) for (start, behind), (end, _) in pairwise(corners)]


def _cut(corners: tuple[Corner, ...], own_middle: Point, middle: Point, other: str) -> Iterator[Corner]:
    """Yield the corners of the part of a shape that is nearer to its own middle than to that of ``other``.

    ``corners``: those of the shape, the first one repeated at the end; ``middle``: that of ``other``.
    """
    # above 0 on the own side of the line half way between the two middles
    ahead = {corner: dist(corner, middle) ** 2 - dist(corner, own_middle) ** 2 for corner, _ in corners}
    for (start, behind), (end, _) in pairwise(corners):
        ahead_at_start = ahead[start]
        ahead_at_end = ahead[end]
        is_own_start = ahead_at_start >= 0
        if is_own_start:
            yield start, behind
        if is_own_start != (ahead_at_end >= 0):
            share = ahead_at_start / (ahead_at_start - ahead_at_end)
            crossing = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            # where the edge leaves the own side, the other province is behind the next edge
            yield crossing, other if is_own_start else behind


shapes_of = lru_cache(maxsize=8)(Shapes)  # The shapes of a board at a scale, worked out once
