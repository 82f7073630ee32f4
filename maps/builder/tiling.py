"""Make polygons of places that tile land and water exactly: Voronoi cells with borders that wander."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise

from shapely import STRtree, coverage_simplify, union_all, voronoi_polygons
from shapely.geometry import LineString, MultiPoint, Polygon
from shapely.geometry import Point as Dot
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, unary_union

Point = tuple[float, float]
Centres = Mapping[str, Sequence[Point]]
"""The points of each place in km, by its name; the first is its centre."""

SHORTEST_WANDER = 18.0
"""Kilometres: a shorter piece of border stays straight."""
ROOM = 0.3
"""How far a border may stray, as a part of the distance to the nearest centre."""
LONG_BORDER = 400.0
"""Kilometres: longer pieces wander less, so that a desert's border does not swing over half a country."""
LONG_WANDER = 0.4
"""By this their wandering is multiplied."""
SMALLEST_PIECE = 1e-6
"""Square kilometres: what is smaller comes from rounding."""


def tile(
    centres: Centres, region: BaseGeometry, wander: float, islet: float, *, keep_all: bool
) -> dict[str, BaseGeometry]:
    """Return the part of ``region`` that each place gets: what is nearest to one of its points.

    ``wander`` is how far a border strays, as a share of its length. A piece cut off from its centre goes to
    the neighbour with which it shares the longest border; a piece of land with no centre on it and an area
    below ``islet`` is not divided at all, but goes whole to the place that has the most of it. A piece that
    touches no place stays with its nearest (an island) or, without ``keep_all``, with nobody (a lake).
    """
    cells = _cells(centres, region, wander)
    islets = _islets(region, centres, islet)
    pieces, loose = _divided(cells, islets, centres)
    stranded = _settle(pieces, loose)
    if keep_all:
        for name, part in stranded:
            pieces[name].append(part)
    for whole in islets:
        shares = {name: cell.intersection(whole).area for name, cell in cells.items()}
        name_of_most = max(shares, key=shares.__getitem__)
        pieces[name_of_most].append(whole)
    return {name: unary_union(parts) for name, parts in pieces.items()}


def as_one_sheet(tiles: Mapping[str, BaseGeometry], thinning: float) -> dict[str, BaseGeometry]:
    """Return tiles on a grid of whole units, thinned out; neighbours share all points of their border.

    ``thinning`` is how far a point may move when others beside it are dropped. Raises ``ValueError`` for
    places of which nothing is left.
    """
    lines = union_all([tile.boundary for tile in tiles.values()], grid_size=1)
    names = list(tiles)
    shapes = list(tiles.values())
    tree = STRtree(shapes)
    faces: dict[str, list[Polygon]] = {name: [] for name in names}
    for face in polygonize(lines):
        inner = face.representative_point()
        owners = [int(index) for index in tree.query(inner) if shapes[index].contains(inner)]
        if owners:
            faces[names[min(owners)]].append(face)
    nowhere = [name for name, own in faces.items() if not own]
    if nowhere:
        raise ValueError(f"no room for {', '.join(nowhere)}")
    merged = [unary_union(own) for own in faces.values()]
    return dict(zip(names, coverage_simplify(merged, thinning), strict=True))


def _cells(centres: Centres, region: BaseGeometry, wander: float) -> dict[str, BaseGeometry]:
    """Return what of ``region`` is nearest to the points of each place, with borders that wander."""
    owners: list[str] = []
    dots: list[Dot] = []
    for name, points in centres.items():
        owners += [name] * len(points)
        dots += map(Dot, points)
    tree = STRtree(dots)
    frame = region.envelope.buffer(600)
    edges = voronoi_polygons(MultiPoint(dots), extend_to=frame.buffer(100), only_edges=True)
    lines = [LineString(_wandering(start, end, wander, tree)) for start, end in _segments(edges)]
    faces: dict[str, list[BaseGeometry]] = {name: [] for name in centres}
    for face in polygonize(unary_union([*lines, frame.exterior])):
        faces[owners[_point_of_face(face, dots, tree)]].append(face)
    return {name: unary_union(own).intersection(region) for name, own in faces.items()}


def _point_of_face(face: BaseGeometry, dots: Sequence[Dot], tree: STRtree) -> int:
    """Return which of the points lies on a face, or else is the nearest; ``tree``: that of the points."""
    inside = [index for index in tree.query(face) if face.contains(dots[index])]
    return int(inside[0] if inside else tree.nearest(face.representative_point()))


def _segments(edges: BaseGeometry) -> list[tuple[Point, Point]]:
    """Return the straight pieces of lines by their ends, rounded to metres, each once and sorted."""
    segments = set()
    for line in edges.geoms:
        corners = [(round(x, 3), round(y, 3)) for x, y in line.coords]
        for start, end in pairwise(corners):
            if start != end:
                segments.add((min(start, end), max(start, end)))
    return sorted(segments)


def _wandering(a: Point, b: Point, wander: float, centres: STRtree) -> list[Point]:
    """Return the way from a to b as a fractal: the middle strays sideways, then each half does.

    The same ends give the same way. It strays little where a centre is near, so that it never passes on the
    wrong side of one.
    """
    length = math.dist(a, b)
    if length < SHORTEST_WANDER:
        return [a, b]
    x = (a[0] + b[0]) / 2
    y = (a[1] + b[1]) / 2
    nearest = float(centres.query_nearest(Dot(x, y), return_distance=True)[1][0])
    room = nearest * ROOM / length
    stray = _chance(a, b) * wander * (LONG_WANDER if length > LONG_BORDER else 1.0)
    stray = max(-room, min(room, stray))
    middle = (x - (b[1] - a[1]) * stray, y + (b[0] - a[0]) * stray)
    return _wandering(a, middle, wander, centres)[:-1] + _wandering(middle, b, wander, centres)


def _chance(a: Point, b: Point) -> float:
    """Return a number from -0.5 to 0.5 that looks like chance and is the same for the same ends of a line."""
    key = f"{a[0] + b[0]:.1f} {a[1] + b[1]:.1f} {math.dist(a, b):.1f}".encode()
    digest = hashlib.sha256(key).digest()
    return int.from_bytes(digest[:8], "big") / 2**64 - 0.5


def _islets(region: BaseGeometry, centres: Centres, islet: float) -> list[Polygon]:
    """Return the parts of a region below the area ``islet`` that are 1 km or more from all points."""
    points = MultiPoint(list(chain.from_iterable(centres.values())))
    return [part for part in _polygons(region) if part.area < islet and part.distance(points) >= 1]


def _divided(
    cells: Mapping[str, BaseGeometry], islets: Sequence[Polygon], centres: Centres
) -> tuple[dict[str, list[Polygon]], list[tuple[str, Polygon]]]:
    """Return each place's piece around its centre, and its other pieces with its name; islets in none."""
    pieces: dict[str, list[Polygon]] = {name: [] for name in centres}
    loose: list[tuple[str, Polygon]] = []
    for name, cell in cells.items():
        islets_here = unary_union([islet for islet in islets if islet.intersects(cell)])
        parts = _polygons(cell.difference(islets_here))
        if not parts:
            continue
        main = _main_part(parts, Dot(centres[name][0]))
        pieces[name].append(main)
        loose += [(name, part) for part in parts if part is not main]
    return pieces, loose


def _main_part(parts: Sequence[Polygon], middle: Dot) -> Polygon:
    """Return the part that is nearest to a place's centre, of several the largest."""
    return min(parts, key=lambda part: (part.distance(middle), -part.area))


def _settle(pieces: dict[str, list[Polygon]], loose: list[tuple[str, Polygon]]) -> list[tuple[str, Polygon]]:
    """Add each loose piece to the pieces of the place with which it shares the longest border.

    Returns those that touch none, each with the name of the place that it was cut off from.
    """
    while loose:
        rest = []
        for name, part in loose:
            lengths = _shared_lengths(pieces, part)
            best = max(lengths, key=lengths.__getitem__, default=None)
            if best is not None and lengths[best] > 0.5:
                pieces[best].append(part)
            else:
                rest.append((name, part))
        if len(rest) == len(loose):
            return rest
        loose = rest
    return []


def _shared_lengths(pieces: Mapping[str, Sequence[Polygon]], part: Polygon) -> dict[str, float]:
    """Return the length of the border that a part shares with each place that it touches, by name."""
    lengths = {}
    for name, own in pieces.items():
        touching = [piece for piece in own if piece.intersects(part)]
        if touching:
            lengths[name] = sum(piece.intersection(part).length for piece in touching)
    return lengths


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    """Return the polygons of a shape, without those that come from rounding."""
    parts = getattr(shape, "geoms", [shape])
    return [part for part in parts if isinstance(part, Polygon) and part.area > SMALLEST_PIECE]
