"""Read the coastline, Natural Earth's land (public domain) as TopoJSON; project it to a flat map in km."""

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
Ring = list[Point]
EARTH_KM = 6371.0
"""The radius of the earth."""
DENSIFY_DEGREES = 0.5
"""A longer edge is divided into equal pieces, none shorter than this, before it is projected."""


class Projection:
    """From longitude and latitude to kilometres on a flat map around a centre.

    Lambert's azimuthal equal-area projection, seen through a lens: ``swell`` is the distance from the centre,
    in km, at which a kilometre outwards is drawn 1/sqrt(2) as long as in the middle. So the crowded middle of
    a continent gets the room that the steppe does not need, and every coast still looks like itself.
    """

    def __init__(self, centre: Point, swell: float) -> None:
        longitude, latitude = centre
        self._longitude = math.radians(longitude)
        self._latitude = math.radians(latitude)
        self._swell = swell

    def __call__(self, longitude: float, latitude: float) -> Point:
        """Return the kilometres east and north of the centre, as drawn, of a point in degrees."""
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


def read_land(path: Path) -> list[list[Ring]]:
    """Return the polygons of a TopoJSON ``land`` object, each a list of rings of (longitude, latitude)."""
    topology = json.loads(path.read_text("utf-8"))
    scale = topology["transform"]["scale"]
    shift = topology["transform"]["translate"]
    arcs = [list(_decoded(arc, scale, shift)) for arc in topology["arcs"]]
    polygons = []
    for geometry in topology["objects"]["land"]["geometries"]:
        is_multiple = geometry["type"] == "MultiPolygon"
        arc_lists = geometry["arcs"] if is_multiple else [geometry["arcs"]]
        for rings in arc_lists:
            polygons.append([_unwrapped(_joined(arcs, ids)) for ids in rings])
    return polygons


def project_land(polygons: list[list[Ring]], projection: Projection, window: BaseGeometry) -> BaseGeometry:
    """Return the land within ``window`` (a shape in degrees), projected."""
    flat_parts: list[BaseGeometry] = []
    for outer, *holes in polygons:
        shape = make_valid(Polygon(outer, holes)).intersection(window)
        flat_parts += _projected(shape, projection)
    return unary_union(flat_parts)


def smooth(land: BaseGeometry, narrowest: float, smallest_lake: float) -> BaseGeometry:
    """Return land without inlets narrower than ``narrowest`` km, and lakes below ``smallest_lake`` sq km."""
    closed = land.buffer(narrowest / 2).buffer(-narrowest / 2)
    parts = []
    for part in getattr(closed, "geoms", [closed]):
        lakes = [hole for hole in part.interiors if Polygon(hole).area >= smallest_lake]
        parts.append(Polygon(part.exterior, lakes))
    return MultiPolygon(parts)


def dig(land: BaseGeometry, channels: Iterable[Mapping[str, Any]], projection: Projection) -> BaseGeometry:
    """Return land with its narrow straits opened wide enough to be seen.

    ``channels``: of each ``through``, a line of (longitude, latitude), and ``width`` in km.
    """
    straits = []
    for channel in channels:
        line = LineString([projection(*point) for point in channel["through"]])
        straits.append(line.buffer(float(channel["width"]) / 2))
    return land.difference(unary_union(straits))


def _decoded(arc: list[list[int]], scale: list[float], shift: list[float]) -> Iterator[Point]:
    """Yield the points of an arc in degrees; it holds steps from point to point in units of the file."""
    x = 0
    y = 0
    for step_x, step_y in arc:
        x += step_x
        y += step_y
        yield x * scale[0] + shift[0], y * scale[1] + shift[1]


def _joined(arcs: list[list[Point]], ids: list[int]) -> Ring:
    """Return the ring of the arcs with these numbers; ``~number`` is an arc backwards."""
    ring: Ring = []
    for number in ids:
        points = arcs[number] if number >= 0 else arcs[~number][::-1]
        ring += points[1:] if ring else points  # an arc begins where the last one ended
    return ring


def _unwrapped(ring: Ring) -> Ring:
    """Return a ring without jumps at the date line, by whole turns so that its middle is a true longitude."""
    points: Ring = []
    turn = 0
    previous_x = ring[0][0]
    for x, y in ring:
        if abs(x - previous_x) > 180:
            turn += -360 if x > previous_x else 360
        points.append((x + turn, y))
        previous_x = x
    longitudes = [x for x, _ in points]
    middle = (min(longitudes) + max(longitudes)) / 2
    return [(x - round(middle / 360) * 360, y) for x, y in points]


def _projected(shape: BaseGeometry, projection: Projection) -> Iterator[BaseGeometry]:
    """Yield the polygons of a polygon or ``MultiPolygon`` in degrees, projected; nothing of other shapes."""
    for polygon in shape.geoms if isinstance(shape, MultiPolygon) else [shape]:
        if not isinstance(polygon, Polygon) or polygon.is_empty:
            continue
        outer = _projected_ring(polygon.exterior, projection)
        holes = [_projected_ring(hole, projection) for hole in polygon.interiors]
        yield make_valid(Polygon(outer, holes))


def _projected_ring(ring: BaseGeometry, projection: Projection) -> Ring:
    """Return the points of a ring in km."""
    return [projection(x, y) for x, y in _densified(list(ring.coords))]


def _densified(ring: Ring) -> Iterator[Point]:
    """Yield the points of a ring, with more on long edges: a parallel is no straight line on the flat map."""
    for (x0, y0), (x1, y1) in pairwise(ring):
        longest = max(abs(x1 - x0), abs(y1 - y0))
        steps = max(1, int(longest / DENSIFY_DEGREES))
        for step in range(steps):
            yield x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps
