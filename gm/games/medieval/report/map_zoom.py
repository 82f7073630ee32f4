"""A close look at places and their neighbours: what part of the map that is, and how large its text may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import sqrt

from gm.games.medieval.data.atlas import Atlas, Point

_TEXT_OF_CELL = 0.112
"""As on the whole map: the font size, as a part of the side of the square that each place in view would have."""
_LARGEST = 2.5
"""How many times as large as on the whole map the text may become."""


def close_view(atlas: Atlas, places: Iterable[str], unit: float) -> tuple[float, float, float, float]:
    """(x, y, width, height) of the part of the map around some places: all of them and their neighbours' names."""
    points = [point for place in places for point in _points(atlas, place)]
    margin = unit * 4
    left, right = min(x for x, _ in points) - margin, max(x for x, _ in points) + margin
    top, bottom = min(y for _, y in points) - margin, max(y for _, y in points) + margin
    left, top = max(0.0, left), max(0.0, top)
    right, bottom = min(atlas.width, right), min(atlas.height, bottom)
    return left, top, right - left, bottom - top


def close_unit(atlas: Atlas, place: str, unit: float) -> float:
    """The font size for the view around a place: never smaller than ``unit``, that of the whole map."""
    _, _, width, height = close_view(atlas, [place], unit)
    seen = 1 + len(atlas.graph.neighbours(place))
    return min(unit * _LARGEST, max(unit, sqrt(width * height / seen) * _TEXT_OF_CELL))


def _points(atlas: Atlas, place: str) -> Iterator[Point]:
    yield from (point for ring in atlas.locations[place].outline for point in ring)
    yield atlas.locations[place].label
    yield from (atlas.locations[other].label for other in atlas.graph.neighbours(place))
