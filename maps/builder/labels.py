"""Where the names go: each where its place has most room for it and for what is drawn above and below it."""

from __future__ import annotations

from shapely import make_valid, maximum_inscribed_circle
from shapely.affinity import scale
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

LETTER = 0.58
"""About how wide a letter is against its height."""
LINES_ASHORE = 3.4
"""A province has symbols above its name and troops below it.

This is how high that is, in lines of the name."""
LINES_AT_SEA = 1.6
BREAK_FROM = 9
"""Names of as many letters with a space in them may stand on two lines."""


def label(name: str, rings: list[list[tuple[int, int]]], *, sea: bool) -> tuple[int, int]:
    """The middle of the largest ellipse of the name's proportions within the largest part of the place."""
    shape = polygon_of(rings)
    largest = max(getattr(shape, "geoms", [shape]), key=lambda part: part.area)
    words = name.split(" ")
    lines = 2 if len(words) > 1 and len(name) >= BREAK_FROM else 1
    letters = max(len(word) for word in words) if lines == 2 else len(name)
    stretch = max(1.0, letters * LETTER / ((LINES_AT_SEA if sea else LINES_ASHORE) + lines - 1))
    narrow = scale(largest, 1 / stretch, 1, origin=(0, 0))
    x, y = maximum_inscribed_circle(narrow, 1).coords[0]
    return round(x * stretch), round(y)


def polygon_of(rings: list[list[tuple[int, int]]]) -> BaseGeometry:
    """The shape that rings draw by the even-odd rule."""
    shape: BaseGeometry = Polygon()
    for ring in rings:
        shape = shape.symmetric_difference(make_valid(Polygon(ring)))
    return unary_union([part for part in getattr(shape, "geoms", [shape]) if part.area > 0])
