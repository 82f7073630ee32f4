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
"""Square degrees: about 30 square kilometres in the middle of Europe."""


def cut(land: BaseGeometry, window: tuple[float, ...]) -> dict[str, object]:
    """The TopoJSON of the land within ``window``."""
    shape = land.intersection(box(*window)).simplify(THINNING)
    arcs: list[list[list[int]]] = []
    polygons: list[list[list[int]]] = []
    for part in sorted(getattr(shape, "geoms", [shape]), key=lambda each: -each.area):
        if isinstance(part, Polygon) and part.area >= SMALLEST:
            rings = [part.exterior, *(hole for hole in part.interiors if Polygon(hole).area >= SMALLEST)]
            polygons.append([[len(arcs) + index] for index in range(len(rings))])
            arcs += [_deltas([(round(x / GRID), round(y / GRID)) for x, y in ring.coords]) for ring in rings]
    return {
        "type": "Topology",
        "transform": {"scale": [GRID, GRID], "translate": [0, 0]},
        "objects": {
            "land": {"type": "GeometryCollection", "geometries": [{"type": "MultiPolygon", "arcs": polygons}]}
        },
        "arcs": arcs,
    }


def _deltas(points: list[tuple[int, int]]) -> list[list[int]]:
    kept = [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]
    steps = [(x - before[0], y - before[1]) for before, (x, y) in zip([(0, 0), *kept], kept, strict=False)]
    return [list(step) for step in steps]


def main() -> None:
    """Write the cut coastline."""
    world, *window, out = sys.argv[1:]
    shapes = (make_valid(Polygon(rings[0], rings[1:])) for rings in read_land(Path(world)))
    found = cut(unary_union(list(shapes)), tuple(float(each) for each in window))
    Path(out).write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    main()
