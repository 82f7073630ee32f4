"""Put each name where its place has most room for it and for what is drawn above and below it."""

from __future__ import annotations

from shapely import make_valid, maximum_inscribed_circle
from shapely.affinity import scale
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

Rings = list[list[tuple[int, int]]]

LETTER = 0.58
"""About how wide a letter is against its height."""
LINES_ASHORE = 3.4
"""How high a province's name is with the symbols above and the troops below it, in lines of the name."""
LINES_AT_SEA = 1.6
"""The same of a sea."""
BREAK_FROM = 9
"""Names of as many letters with a space in them may stand on two lines."""


def label(name: str, rings: Rings, *, sea: bool) -> tuple[int, int]:
    """Return the middle of the largest ellipse of a name's proportions in the largest part of its place."""
    shape = polygon_of(rings)
    largest = max(getattr(shape, "geoms", [shape]), key=lambda part: part.area)
    stretch = _stretch(name, LINES_AT_SEA if sea else LINES_ASHORE)
    narrow = scale(largest, 1 / stretch, 1, origin=(0, 0))
    x, y = maximum_inscribed_circle(narrow, 1).coords[0]
    return round(x * stretch), round(y)


def _stretch(name: str, height: float) -> float:
    """Return how many times as wide as high a label is, once at least.

    ``height``: that of a label whose name stands on one line, in lines.
    """
    words = name.split(" ")
    letters = len(name)
    lines = 1
    if len(words) > 1 and len(name) >= BREAK_FROM:
        letters = max(len(word) for word in words)
        lines = 2
    return max(1.0, letters * LETTER / (height + lines - 1))


def polygon_of(rings: Rings) -> BaseGeometry:
    """Return the shape that rings draw by the even-odd rule."""
    shape: BaseGeometry = Polygon()
    for ring in rings:
        shape = shape.symmetric_difference(make_valid(Polygon(ring)))
    parts = [part for part in getattr(shape, "geoms", [shape]) if part.area > 0]
    return unary_union(parts)
