"""Places as polygons that tile land and water exactly: Voronoi cells around centres, with borders that
wander.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from shapely import STRtree, coverage_simplify, union_all, voronoi_polygons
from shapely.geometry import LineString, MultiPoint, Polygon
from shapely.geometry import Point as Dot
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, unary_union

Point = tuple[float, float]

SHORTEST_WANDER = 18.0
"""Kilometres: a shorter piece of border stays straight."""
ROOM = 0.3
"""How far a border may stray, as a part of the distance to the nearest centre."""
LONG_BORDER = 400.0
"""Kilometres: longer pieces wander less, so that a border in the desert does not swing over half a
country."""


def tile(
    centres: Mapping[str, Sequence[Point]],
    region: BaseGeometry,
    wander: float,
    islet: float,
    *,
    keep_all: bool,
) -> dict[str, BaseGeometry]:
    """Share ``region`` among the places: each gets the part nearest to one of its points, the first being its
    centre.

    ``wander`` is how far a border strays, as a share of its length. A piece cut off from its centre goes to
    the
    neighbour with which it shares the longest border; a piece of land with no centre on it and an area below
    ``islet`` is not divided at all, but goes whole to the place that has the most of it. A piece that touches
    no
    place stays with its nearest (an island) or, without ``keep_all``, with nobody (a lake).
    """
    cells = _cells(centres, region, wander)
    whole = _islets(region, centres, islet)
    pieces: dict[str, list[Polygon]] = {name: [] for name in centres}
    loose: list[tuple[str, Polygon]] = []
    for name, cell in cells.items():
        rest = cell.difference(unary_union([piece for piece in whole if piece.intersects(cell)]))
        parts = _polygons(rest)
        if not parts:
            continue
        middle = Dot(centres[name][0])
        main = min(parts, key=lambda part: (part.distance(middle), -part.area))
        pieces[name].append(main)
        loose += [(name, part) for part in parts if part is not main]
    stranded = _settle(pieces, loose)
    for name, part in stranded if keep_all else []:
        pieces[name].append(part)
    for islet_piece in whole:
        shares = {name: cells[name].intersection(islet_piece).area for name in cells}
        pieces[max(shares, key=lambda name: shares[name])].append(islet_piece)
    return {name: unary_union(found) for name, found in pieces.items()}


def as_one_sheet(tiles: Mapping[str, BaseGeometry], thinning: float) -> dict[str, BaseGeometry]:
    """The tiles on a grid of whole units, thinned out, so that neighbours share every point and side of their
    border.

    ``thinning`` is how far a point may move when others beside it are dropped.
    """
    lines = union_all([tile.boundary for tile in tiles.values()], grid_size=1)
    names, shapes = list(tiles), list(tiles.values())
    tree = STRtree(shapes)
    faces: dict[str, list[Polygon]] = {name: [] for name in names}
    for face in polygonize(lines):
        inner = face.representative_point()
        owners = sorted(int(index) for index in tree.query(inner) if shapes[index].contains(inner))
        if owners:
            faces[names[owners[0]]].append(face)
    nowhere = [name for name, found in faces.items() if not found]
    if nowhere:
        raise ValueError(f"no room for {', '.join(nowhere)}")
    merged = [unary_union(found) for found in faces.values()]
    return dict(zip(names, coverage_simplify(merged, thinning), strict=True))


def _cells(
    centres: Mapping[str, Sequence[Point]], region: BaseGeometry, wander: float
) -> dict[str, BaseGeometry]:
    frame = region.envelope.buffer(600)
    points = [point for found in centres.values() for point in found]
    owners = [name for name, found in centres.items() for _ in found]
    edges = voronoi_polygons(MultiPoint(points), extend_to=frame.buffer(100), only_edges=True)
    segments = set()
    for line in edges.geoms:
        corners = [(round(x, 3), round(y, 3)) for x, y in line.coords]
        segments |= {(min(a, b), max(a, b)) for a, b in pairwise(corners) if a != b}
    tree = STRtree([Dot(point) for point in points])
    lines = [LineString(_wandering(a, b, wander, tree)) for a, b in sorted(segments)]
    found: dict[str, list[BaseGeometry]] = {name: [] for name in centres}
    for face in polygonize(unary_union([*lines, frame.exterior])):
        inside = [index for index in tree.query(face) if face.contains(Dot(points[index]))]
        nearest = inside[0] if inside else tree.nearest(face.representative_point())
        found[owners[int(nearest)]].append(face)
    return {name: unary_union(faces).intersection(region) for name, faces in found.items()}


def _wandering(a: Point, b: Point, wander: float, centres: STRtree) -> list[Point]:
    """The way from a to b as a fractal: the middle strays sideways, then each half does. Same ends, same way.

    It strays little where a centre is near, so that it never passes on the wrong side of one.
    """
    length = math.dist(a, b)
    if length < SHORTEST_WANDER:
        return [a, b]
    key = f"{a[0] + b[0]:.1f} {a[1] + b[1]:.1f} {length:.1f}".encode()
    chance = int.from_bytes(hashlib.sha256(key).digest()[:8], "big") / 2**64 - 0.5
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    room = float(centres.query_nearest(Dot(x, y), return_distance=True)[1][0]) * ROOM / length
    stray = max(-room, min(room, chance * wander * (0.4 if length > LONG_BORDER else 1.0)))
    middle = (x - (b[1] - a[1]) * stray, y + (b[0] - a[0]) * stray)
    return _wandering(a, middle, wander, centres)[:-1] + _wandering(middle, b, wander, centres)


def _islets(region: BaseGeometry, centres: Mapping[str, Sequence[Point]], islet: float) -> list[Polygon]:
    dots = [Dot(point) for found in centres.values() for point in found]
    return [
        part
        for part in _polygons(region)
        if part.area < islet and not any(part.distance(dot) < 1 for dot in dots)
    ]


def _settle(pieces: dict[str, list[Polygon]], loose: list[tuple[str, Polygon]]) -> list[tuple[str, Polygon]]:
    """Give each loose piece to the place with which it shares the longest border.

    Returns those that touch none.
    """
    while loose:
        rest = []
        for name, part in loose:
            touching = {
                other: sum(found.intersection(part).length for found in parts if found.intersects(part))
                for other, parts in pieces.items()
                if any(found.intersects(part) for found in parts)
            }
            best = max(touching, key=lambda other: touching[other], default=None)
            if best is not None and touching[best] > 0.5:
                pieces[best].append(part)
            else:
                rest.append((name, part))
        if len(rest) == len(loose):
            return rest
        loose = rest
    return []


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    return [
        part for part in getattr(shape, "geoms", [shape]) if isinstance(part, Polygon) and part.area > 1e-6
    ]
