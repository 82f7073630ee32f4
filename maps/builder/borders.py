"""Measure who borders whom in the finished outlines; correct it by hand, each time with a reason."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")
Point = tuple[int, int]
Ring = Sequence[Point]
Outlines = Mapping[str, Sequence[Ring]]
"""The rings of each place, by its name."""
Pair = tuple[str, str]
"""The names of two places, in the order of the places."""
Side = tuple[Point, Point]
"""The ends of a side of a ring."""


@dataclass(frozen=True)
class Special:
    """What is special about a border."""

    kind: str
    """The section of the corrections: mountains, reefs, a strait, or that it is closed."""
    why: str
    """The reason that the correction gives."""


def measure(outlines: Outlines) -> dict[Pair, float]:
    """Return the length of every border that the outlines show, in the order of the places."""
    return {pair: _total_length(sides) for pair, sides in _shared_sides(outlines).items()}


def meet_in_corners(outlines: Outlines, shortest: float) -> dict[str, list[list[Point]]]:
    """Return the outlines without borders shorter than ``shortest``: their places meet in one point instead.

    So the picture leaves nobody in doubt whether two places are neighbours. Raises ``ValueError`` when a
    place would vanish by this.
    """
    rings_by_place: dict[str, list[list[Point]]] = {}
    for name, rings in outlines.items():
        rings_by_place[name] = [list(ring) for ring in rings]
    while True:
        moves = _moves_into_corners(rings_by_place, shortest)
        if not moves:
            return rings_by_place
        for name, rings in rings_by_place.items():
            moved_rings = _moved_rings(rings, moves)
            if not moved_rings:
                raise ValueError(f"{name} is too small to be drawn")
            rings_by_place[name] = moved_rings


def corrected_borders(outlines: Outlines, corrections: Mapping[str, Any]) -> dict[Pair, Special | None]:
    """Return the borders that outlines show after the corrections; see :func:`correct`."""
    places = {name: index for index, name in enumerate(outlines)}
    return correct(measure(outlines), corrections, places)


def correct(
    measured: Collection[Pair], corrections: Mapping[str, Any], places: Mapping[str, int]
) -> dict[Pair, Special | None]:
    """Return the borders after the corrections, in the order of the places.

    ``corrections``: by kind, a list of entries with the keys ``between`` (two names) and ``why``.
    ``places``: the position of each name in the map file. Raises ``ValueError`` for a correction that names
    an unknown place, makes a strait of a border that is there, or corrects a border that is not.
    """
    borders: dict[Pair, Special | None] = dict.fromkeys(measured)
    faults: list[str] = []
    for kind, entries in corrections.items():
        for entry in entries:
            names = entry["between"]
            unknown = [name for name in names if name not in places]
            if unknown:
                faults.append(f"no place is called {unknown[0]!r}")
                continue
            first, second = sorted(names, key=places.__getitem__)
            pair = (first, second)
            faults += _faults_of_correction(kind, pair, borders)
            borders[pair] = Special(kind, entry["why"])
    if faults:
        raise ValueError("\n".join(faults))
    return _in_order(borders, places)


def _faults_of_correction(kind: str, pair: Pair, borders: Mapping[Pair, Special | None]) -> Iterator[str]:
    """Yield why a correction does not fit the borders, if it does not."""
    is_border = pair in borders
    if kind == "strait" and is_border:
        yield f"strait: {pair} border each other by land"
    if kind != "strait" and not is_border:
        yield f"{kind}: {pair} do not border each other; {_neighbours(pair, borders)}"


def _in_order(by_pair: Mapping[Pair, T], places: Mapping[str, int]) -> dict[Pair, T]:
    """Return what is told of pairs, in the order of their first places and then of their second ones."""
    pairs = sorted(by_pair, key=lambda pair: (places[pair[0]], places[pair[1]]))
    return {pair: by_pair[pair] for pair in pairs}


def _neighbours(pair: Pair, borders: Mapping[Pair, Special | None]) -> dict[str, list[str]]:
    """Return the places that border each of two, by the alphabet."""
    neighbours: dict[str, list[str]] = {name: [] for name in pair}
    for first, second in borders:
        if first in neighbours:
            neighbours[first].append(second)
        if second in neighbours:
            neighbours[second].append(first)
    return {name: sorted(names) for name, names in neighbours.items()}


def _shared_sides(outlines: Outlines) -> dict[Pair, list[Side]]:
    """Return the sides that each pair of neighbours shares, in the order of the places."""
    order = {name: index for index, name in enumerate(outlines)}
    shared: dict[Pair, list[Side]] = defaultdict(list)
    for side, names in _owners_of_sides(outlines).items():
        if len(names) != 2:
            continue
        first, second = sorted(names, key=order.__getitem__)
        start, end = sorted(side)
        shared[first, second].append((start, end))
    return _in_order(shared, order)


def _owners_of_sides(outlines: Outlines) -> dict[frozenset[Point], set[str]]:
    """Return the names of the places that have a side, by its two ends."""
    owners: dict[frozenset[Point], set[str]] = defaultdict(set)
    for name, rings in outlines.items():
        for ring in rings:
            for side in _sides(ring):
                owners[frozenset(side)].add(name)
    return owners


def _sides(ring: Ring) -> Iterator[Side]:
    """Return the sides of a ring, the one from its last point to its first included."""
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def _total_length(sides: Sequence[Side]) -> float:
    """Return the length of all sides together."""
    return sum(math.dist(start, end) for start, end in sides)


def _moves_into_corners(outlines: Outlines, shortest: float) -> dict[Point, Point]:
    """Return the points of borders that are too short, with the point that each moves to.

    A line of which a point moves with another line stays as it is.
    """
    moves: dict[Point, Point] = {}
    for sides in _shared_sides(outlines).values():
        if _total_length(sides) >= shortest:
            continue
        for line in _lines(sides):
            if moves.keys().isdisjoint(line):
                moves |= dict.fromkeys(line, _middle(line))
    return moves


def _moved_rings(rings: Sequence[Ring], moves: Mapping[Point, Point]) -> list[list[Point]]:
    """Return rings after the moves of their points, without those of which nothing is left."""
    moved_rings = []
    for ring in rings:
        points = _cleaned([moves.get(point, point) for point in ring])
        if points:
            moved_rings.append(points)
    return moved_rings


def _lines(sides: Sequence[Side]) -> list[list[Point]]:
    """Return the points of each connected line of sides, sorted."""
    groups: list[set[Point]] = []
    for side in sides:
        joined = set(side)
        apart = []
        for group in groups:
            if group & joined:
                joined |= group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return [sorted(group) for group in groups]


def _middle(points: Sequence[Point]) -> Point:
    """Return the middle of the box around points."""
    xs = [x for x, _ in points]
    ys = [y for _, y in points]
    return round((min(xs) + max(xs)) / 2), round((min(ys) + max(ys)) / 2)


def _cleaned(ring: Sequence[Point]) -> list[Point]:
    """Return the ring without repeated points and without spikes (there and straight back).

    It is empty when nothing is left.
    """
    points: list[Point] = []
    for point in ring:
        points.append(point)
        _clean_end(points)
    points = _cleaned_seam(points)
    return points if len(points) > 2 else []


def _clean_end(points: list[Point]) -> None:
    """Drop the last points of a line as long as they repeat a point or end a spike."""
    while len(points) > 1:
        if points[-1] == points[-2]:
            del points[-1:]
        elif len(points) > 2 and points[-1] == points[-3]:
            del points[-2:]
        else:
            return


def _cleaned_seam(points: list[Point]) -> list[Point]:
    """Return a ring without the repeated points and spikes where its end meets its beginning."""
    while len(points) > 1:
        if points[0] == points[-1]:
            points = points[:-1]
        elif points[1] == points[-1]:
            points = points[1:-1]
        else:
            break
    return points
