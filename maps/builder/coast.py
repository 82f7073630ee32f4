"""The coastline: Natural Earth's land (public domain), as TopoJSON, projected to a flat map in kilometres."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from shapely import make_valid
from shapely.geometry import LineString, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

Point = tuple[float, float]
EARTH_KM = 6371.0
DENSIFY_DEGREES = 0.5


class Projection:
    """From longitude and latitude to kilometres on a flat map around a centre.

    Lambert's azimuthal equal-area projection, seen through a lens: ``swell`` is the distance from the centre,
    in km, at
    which a kilometre outwards is drawn 1/sqrt(2) as long as in the middle. So the crowded middle of a
    continent gets
    the room that the steppe does not need, and every coast still looks like itself.
    """

    def __init__(self, centre: Point, swell: float) -> None:
        self._longitude, self._latitude = (math.radians(value) for value in centre)
        self._swell = swell

    def __call__(self, longitude: float, latitude: float) -> Point:
        """Kilometres east and north of the centre, as drawn."""
        east = math.radians(longitude) - self._longitude
        north = math.radians(latitude)
        middle = self._latitude
        cosine = math.sin(middle) * math.sin(north) + math.cos(middle) * math.cos(north) * math.cos(east)
        scale = EARTH_KM * math.sqrt(2 / (1 + cosine))
        x = scale * math.cos(north) * math.sin(east)
        y = scale * (math.cos(middle) * math.sin(north) - math.sin(middle) * math.cos(north) * math.cos(east))
        distance = math.hypot(x, y)
        lens = self._swell * math.asinh(distance / self._swell) / distance if distance else 1.0
        return x * lens, y * lens


def read_land(path: Path) -> list[list[list[Point]]]:
    """The polygons of a TopoJSON ``land`` object, each a list of rings of (longitude, latitude)."""
    topology = json.loads(path.read_text("utf-8"))
    scale, shift = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = [list(_decoded(arc, scale, shift)) for arc in topology["arcs"]]
    polygons = []
    for geometry in topology["objects"]["land"]["geometries"]:
        found = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        polygons += [[_unwrapped(_ring(arcs, ids)) for ids in polygon] for polygon in found]
    return polygons


def project_land(
    polygons: list[list[list[Point]]], projection: Projection, window: BaseGeometry
) -> BaseGeometry:
    """The land within ``window`` (a shape in degrees), projected."""
    shapes = (make_valid(Polygon(rings[0], rings[1:])).intersection(window) for rings in polygons)
    return unary_union([flat for shape in shapes for flat in _projected(shape, projection)])


def smooth(land: BaseGeometry, narrowest: float, smallest_lake: float) -> BaseGeometry:
    """``land`` without inlets narrower than ``narrowest`` km and lakes below ``smallest_lake`` square km."""
    closed = land.buffer(narrowest / 2).buffer(-narrowest / 2)
    parts = getattr(closed, "geoms", [closed])
    lakes = [[hole for hole in part.interiors if Polygon(hole).area >= smallest_lake] for part in parts]
    return MultiPolygon([Polygon(part.exterior, holes) for part, holes in zip(parts, lakes, strict=True)])


def dig(land: BaseGeometry, channels: Iterable[Mapping[str, Any]], projection: Projection) -> BaseGeometry:
    """``land`` with its narrow straits opened wide enough to be seen.

    Each is a line of degrees and a width in km.
    """
    lines = [
        (LineString([projection(*point) for point in each["through"]]), each["width"]) for each in channels
    ]
    return land.difference(unary_union([line.buffer(float(width) / 2) for line, width in lines]))


def _decoded(arc: list[list[int]], scale: list[float], shift: list[float]) -> Iterator[Point]:
    x = y = 0
    for dx, dy in arc:
        x, y = x + dx, y + dy
        yield x * scale[0] + shift[0], y * scale[1] + shift[1]


def _ring(arcs: list[list[Point]], ids: list[int]) -> list[Point]:
    ring: list[Point] = []
    for index in ids:
        points = arcs[index] if index >= 0 else arcs[~index][::-1]
        ring += points[1:] if ring else points
    return ring


def _unwrapped(ring: list[Point]) -> list[Point]:
    """The ring without jumps at the date line, moved by whole turns so that its middle is a true
    longitude.
    """
    found: list[Point] = []
    turn = 0
    for index, (x, y) in enumerate(ring):
        if index and abs(x - ring[index - 1][0]) > 180:
            turn += -360 if x > ring[index - 1][0] else 360
        found.append((x + turn, y))
    middle = (min(x for x, _ in found) + max(x for x, _ in found)) / 2
    return [(x - round(middle / 360) * 360, y) for x, y in found]


def _projected(shape: BaseGeometry, projection: Projection) -> Iterator[BaseGeometry]:
    for polygon in shape.geoms if isinstance(shape, MultiPolygon) else [shape]:
        if isinstance(polygon, Polygon) and not polygon.is_empty:
            rings = [polygon.exterior, *polygon.interiors]
            flat = [[projection(x, y) for x, y in _densified(list(ring.coords))] for ring in rings]
            yield make_valid(Polygon(flat[0], flat[1:]))


def _densified(ring: list[Point]) -> Iterator[Point]:
    """More points on long straight edges: a parallel is no straight line on the flat map."""
    for (x0, y0), (x1, y1) in pairwise(ring):
        steps = max(1, int(max(abs(x1 - x0), abs(y1 - y0)) / DENSIFY_DEGREES))
        for step in range(steps):
            yield x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps
