"""Who borders whom: read off the finished outlines, then corrected by hand, each correction with its
reason.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Point = tuple[int, int]
Ring = Sequence[Point]
Outlines = Mapping[str, Sequence[Ring]]
Pair = tuple[str, str]
Side = tuple[Point, Point]


@dataclass(frozen=True)
class Special:
    """What is special about a border: ``mountains``, ``reefs``, ``strait`` or nothing, and why."""

    kind: str
    why: str


def measure(outlines: Outlines) -> dict[Pair, float]:
    """The length of every border that the outlines show, in the order of the places."""
    return {pair: sum(math.dist(*side) for side in sides) for pair, sides in _shared(outlines).items()}


def meet_in_corners(outlines: Outlines, shortest: float) -> dict[str, list[list[Point]]]:
    """The outlines without borders shorter than ``shortest``: their places meet in one point instead.

    So the picture leaves nobody in doubt whether two places are neighbours. Raises ``ValueError`` when a
    place would
    vanish by this.
    """
    found = {name: [list(ring) for ring in rings] for name, rings in outlines.items()}
    while True:
        moved: dict[Point, Point] = {}
        for sides in _shared(found).values():
            if sum(math.dist(*side) for side in sides) < shortest:
                for line in _lines(sides):
                    if not any(point in moved for point in line):
                        middle = _middle(line)
                        moved |= dict.fromkeys(line, middle)
        if not moved:
            return found
        for name, rings in found.items():
            found[name] = [
                ring for ring in (_cleaned([moved.get(p, p) for p in each]) for each in rings) if ring
            ]
            if not found[name]:
                raise ValueError(f"{name} is too small to be drawn")


def correct(
    measured: Mapping[Pair, float], corrections: Mapping[str, Any], places: Mapping[str, int]
) -> dict[Pair, Special | None]:
    """The borders after the corrections. ``places`` maps names to their position in the map file.

    Raises ``ValueError`` for a correction that names an unknown place, adds a border that is there, or closes
    one that
    is not.
    """
    borders: dict[Pair, Special | None] = dict.fromkeys(measured)
    wrong = []
    for kind, entries in corrections.items():
        for entry in entries:
            names = entry["between"]
            unknown = [name for name in names if name not in places]
            if unknown:
                wrong.append(f"no place is called {unknown[0]!r}")
                continue
            first, second = sorted(names, key=lambda name: places[name])
            pair = (first, second)
            if kind == "strait" and pair in borders:
                wrong.append(f"strait: {pair} border each other by land")
            elif kind != "strait" and pair not in borders:
                wrong.append(f"{kind}: {pair} do not border each other; {_neighbours(pair, borders)}")
            borders[pair] = Special(kind, entry["why"])
    if wrong:
        raise ValueError("\n".join(wrong))
    return dict(sorted(borders.items(), key=lambda item: (places[item[0][0]], places[item[0][1]])))


def _neighbours(pair: Pair, borders: Mapping[Pair, Special | None]) -> dict[str, list[str]]:
    return {
        name: sorted(other for both in borders if name in both for other in both if other != name)
        for name in pair
    }


def _shared(outlines: Outlines) -> dict[Pair, list[Side]]:
    """The sides that each pair of neighbours shares."""
    owners: dict[frozenset[Point], list[str]] = defaultdict(list)
    for name, rings in outlines.items():
        for ring in rings:
            for a, b in _sides(ring):
                owners[frozenset((a, b))].append(name)
    order = {name: index for index, name in enumerate(outlines)}
    shared: dict[Pair, list[Side]] = defaultdict(list)
    for side, names in owners.items():
        if len(set(names)) == 2:
            a, b = sorted(set(names), key=order.__getitem__)
            start, end = sorted(side)
            shared[a, b].append((start, end))
    return dict(sorted(shared.items(), key=lambda item: (order[item[0][0]], order[item[0][1]])))


def _sides(ring: Ring) -> Iterator[Side]:
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def _lines(sides: Sequence[Side]) -> list[list[Point]]:
    """The points of each connected line of sides."""
    groups: list[set[Point]] = []
    for side in sides:
        joined = {*side}
        apart = []
        for group in groups:
            if group & joined:
                joined |= group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return [sorted(group) for group in groups]


def _middle(points: Sequence[Point]) -> Point:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return round((min(xs) + max(xs)) / 2), round((min(ys) + max(ys)) / 2)


def _cleaned(ring: Sequence[Point]) -> list[Point]:
    """The ring without repeated points and without spikes (there and straight back).

    Empty when nothing is left.
    """
    points: list[Point] = []
    for point in ring:
        points.append(point)
        while len(points) > 1 and (
            points[-1] == points[-2] or (len(points) > 2 and points[-1] == points[-3])
        ):
            points = points[:-1] if points[-1] == points[-2] else points[:-2]
    while len(points) > 1 and (points[0] == points[-1] or points[1] == points[-1]):
        points = points[:-1] if points[0] == points[-1] else points[1:-1]
    return points if len(points) > 2 else []
