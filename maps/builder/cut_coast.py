"""Cut a map's coastline out of the world's.

``python -m maps.builder.cut_coast land-10m.json WEST SOUTH EAST NORTH OUT``, in degrees. The world's land
comes as TopoJSON, for example in the npm package world-atlas (Natural Earth, public domain). What is written
has the same form with one arc for each ring, thinned to about a kilometre, without the smallest islands.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from shapely import make_valid
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from maps.builder.coast import read_land

GRID = 0.002
"""Degrees: points are written as whole multiples of this."""
THINNING = 0.008
"""Degrees that a point may move."""
SMALLEST = 0.005
"""Square degrees of an island or a lake: about 30 square kilometres in the middle of Europe."""


def cut(land: BaseGeometry, window: tuple[float, ...]) -> dict[str, object]:
    """Return the TopoJSON of the land within ``window`` (west, south, east, north in degrees)."""
    shape = land.intersection(box(*window)).simplify(THINNING)
    arcs: list[list[list[int]]] = []
    polygons: list[list[list[int]]] = []
    for part in sorted(getattr(shape, "geoms", [shape]), key=lambda part: -part.area):
        if not isinstance(part, Polygon) or part.area < SMALLEST:
            continue
        lakes = [hole for hole in part.interiors if Polygon(hole).area >= SMALLEST]
        arc_ids: list[list[int]] = []
        for ring in (part.exterior, *lakes):
            arc_ids.append([len(arcs)])
            arcs.append(_steps(ring))
        polygons.append(arc_ids)
    geometry = {"type": "MultiPolygon", "arcs": polygons}
    return {
        "type": "Topology",
        "transform": {"scale": [GRID, GRID], "translate": [0, 0]},
        "objects": {"land": {"type": "GeometryCollection", "geometries": [geometry]}},
        "arcs": arcs,
    }


def _steps(ring: BaseGeometry) -> list[list[int]]:
    """Return a ring as steps from point to point on the grid, the first from (0, 0), none of no length."""
    steps: list[list[int]] = []
    previous: tuple[int, int] | None = None
    for x, y in ring.coords:
        point = (round(x / GRID), round(y / GRID))
        if point == previous:
            continue
        previous_x, previous_y = previous or (0, 0)
        steps.append([point[0] - previous_x, point[1] - previous_y])
        previous = point
    return steps


def main() -> None:
    """Write the cut coastline."""
    world, *window_words, out = sys.argv[1:]
    shapes = [make_valid(Polygon(outer, holes)) for outer, *holes in read_land(Path(world))]
    window = tuple(float(word) for word in window_words)
    topology = cut(unary_union(shapes), window)
    Path(out).write_text(json.dumps(topology, separators=(",", ":")) + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    main()
