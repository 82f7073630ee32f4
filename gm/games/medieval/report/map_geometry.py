"""Outlines and the borders that two of them share, in map units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot

from gm.games.medieval.data.atlas import Atlas, Location, Point

Line = tuple[Point, ...]


def number(value: float) -> str:
    """A coordinate as short as it can be written, to a tenth."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def path_data(rings: Sequence[Line], grid: float = 0.1) -> str:
    """The rings as data of an SVG path: a place, then the steps from point to point, which are shorter to write.

    Points are drawn at the nearest multiples of ``grid``, so that outlines that share points still do.
    """
    return "".join(_ring_data([(round(x / grid), round(y / grid)) for x, y in ring], grid) for ring in rings)


def _ring_data(points: Sequence[tuple[int, int]], grid: float) -> str:
    """A ring of points in units of ``grid``. The steps add up exactly, as the points are rounded and not the steps."""
    kept = [points[0], *(after for before, after in pairwise(points) if after != before)]
    if len(kept) == 1:
        return ""  # an island that is a point at this grid
    steps = (f"{number((x2 - x1) * grid)},{number((y2 - y1) * grid)}" for (x1, y1), (x2, y2) in pairwise(kept))
    return f"M{number(kept[0][0] * grid)},{number(kept[0][1] * grid)}l{' '.join(steps)}z"


def drawing_grid(atlas: Atlas) -> float:
    """How finely outlines are drawn: on a large map in steps of a two-thousandth of its width, which nobody sees."""
    return float(round(atlas.width / 2000)) or 0.1


def line_data(line: Line) -> str:
    """An open line as data of an SVG path."""
    return "M" + " ".join(f"{number(x)},{number(y)}" for x, y in line)


def shared_lines(a: Location, b: Location) -> tuple[Line, ...]:
    """The lines along which the outlines of two places touch; neighbours share the very same points."""
    theirs = {frozenset(side) for ring in b.outline for side in _sides(ring)}
    lines: list[list[Point]] = []
    for ring in a.outline:
        sides = list(_sides(ring))
        common = [frozenset(side) in theirs for side in sides]
        start = next((index for index in range(len(sides)) if common[index] and not common[index - 1]), 0)
        fresh = True
        for index in (*range(start, len(sides)), *range(start)):
            if not common[index]:
                fresh = True
            elif fresh:
                lines.append(list(sides[index]))
                fresh = False
            else:
                lines[-1].append(sides[index][1])
    return tuple(tuple(line) for line in lines)


def _sides(ring: Line) -> Iterator[tuple[Point, Point]]:
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def length(line: Line) -> float:
    """The length of an open line."""
    return sum(hypot(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(line))


def points_along(line: Line, step: float) -> Iterator[tuple[Point, Point]]:
    """(point, unit direction) about every ``step`` along a line, evenly spread, away from its ends."""
    whole = length(line)
    if whole == 0:
        return
    count = max(1, round(whole / step))
    wanted = [whole * (index + 0.5) / count for index in range(count)]
    walked = 0.0
    for (x1, y1), (x2, y2) in pairwise(line):
        side = hypot(x2 - x1, y2 - y1)
        while wanted and side and wanted[0] <= walked + side:
            part = (wanted.pop(0) - walked) / side
            yield (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part), ((x2 - x1) / side, (y2 - y1) / side)
        walked += side


def inside(point: Point, rings: Sequence[Line]) -> bool:
    """Whether a point lies within the rings, by the even-odd rule (a ring within a ring is a hole)."""
    x, y = point
    within = False
    for ring in rings:
        for (x1, y1), (x2, y2) in _sides(ring):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                within = not within
    return within


def nearest_points(a: Location, b: Location) -> tuple[Point, Point]:
    """The two points of two outlines that are nearest to each other: the ends of a strait."""
    pairs = ((p, q) for ring in a.outline for p in ring for other in b.outline for q in other)
    return min(pairs, key=lambda pair: hypot(pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]))


def room_around(point: Point, rings: Sequence[Line], half_height: float) -> float:
    """Half the width of the widest box around ``point`` of this half height that no outline cuts."""
    x, y = point
    found = float("inf")
    for ring in rings:
        for (x1, y1), (x2, y2) in _sides(ring):
            low, high = y - half_height, y + half_height
            if max(y1, y2) < low or min(y1, y2) > high:
                continue
            ends = [x1, x2]
            if y1 != y2:
                ends = [
                    x1 + (x2 - x1) * (min(max(edge, min(y1, y2)), max(y1, y2)) - y1) / (y2 - y1) for edge in (low, high)
                ]
            if min(ends) <= x <= max(ends):
                return 0
            found = min(found, *(abs(end - x) for end in ends))
    return found
