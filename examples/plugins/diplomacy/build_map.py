"""Draws the board: ``python build_map.py`` in a checkout of pbem, whose map builder it uses (extra ``maps``).

Reads source/areas.csv and seas.csv, a middle and further points of each area (``~`` is land that nobody
enters), and the coastline of the project's Europe; writes ``outlines`` and ``wilds`` to the end of map.yaml
and ``at`` into each area's line, and says where shapes touch, or do not, other than the board says. The same
sources give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gm_diplomacy.board import Board
from shapely.affinity import scale, translate
from shapely.geometry import box

from gm.core.yaml.models import load_data
from maps.builder.borders import measure, meet_in_corners
from maps.builder.build import Rings, centres_of, land_of, rings_of, thinned
from maps.builder.labels import label
from maps.builder.sources import read_rows
from maps.builder.tiling import as_one_sheet, tile

HERE = Path(__file__).resolve().parent / "gm_diplomacy" / "maps" / "diplomacy" / "standard"
COAST = Path(__file__).resolve().parents[3] / "maps" / "medieval" / "europe-1320" / "source" / "coast.json"
ABOVE = "# Drawn by build_map.py. Coastlines: Natural Earth, public domain.\n"
WILD = "~"


def drawn(settings: Mapping[str, Any]) -> dict[str, Rings]:
    """Return every area as rings of points, in whole kilometres from the corner of the sheet."""
    west, south, east, north = map(float, settings["frame"])
    projection, land = land_of(settings, COAST)
    water = box(west, south, east, north).difference(land)
    ashore = centres_of(_rows("areas"), projection, land, ashore=True)
    at_sea = centres_of(_rows("seas"), projection, land, ashore=False)
    tiles = tile(ashore, land, float(settings["wander"]), float(settings["islet"]), keep_all=True)
    tiles |= tile(at_sea, water, float(settings["wander_sea"]), 0, keep_all=False)
    # on the sheet, north is up and numbers grow downwards
    flat = {
        name: scale(translate(shape, -west, -north), 1, -1, origin=(0, 0)) for name, shape in tiles.items()
    }
    sheet = as_one_sheet(flat, float(settings["simplify"]))
    rings = {name: rings_of(shape) for name, shape in sheet.items()}
    return meet_in_corners(rings, float(settings["shortest_border"]))


def _rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a source file; an area is named by its code."""
    return [{**row, "name": row["code"]} for row in read_rows(HERE / "source" / f"{name}.csv")]


def write_shapes() -> list[str]:
    """Write the shapes into map.yaml; return where they and the board disagree, a sentence each."""
    settings, _ = load_data(HERE / "source" / "settings.yaml")
    unit = float(settings["units"])
    shapes = drawn(settings)
    text = (HERE / "map.yaml").read_text("utf-8").partition(ABOVE)[0]
    for name, rings in shapes.items():
        if not name.startswith(WILD):
            x, y = label(name, rings, sea=False)
            spot = f", at: [{round(x / unit)}, {round(y / unit)}]"
            text = re.sub(rf"(?m)^(  {name}: \{{.*?)(, at: \[[^]]*\])?\}}$", rf"\1{spot}}}", text)
    west, south, east, north = (float(edge) / unit for edge in settings["frame"])
    size = f"size: [{round(east - west)}, {round(north - south)}]\n"
    text = re.sub(r"(?m)^size: .*\n", "", text).replace("powers:\n", f"{size}powers:\n", 1)
    outlines = _shape_lines(thinned(shapes, float(settings["thinning"])), unit)
    (HERE / "map.yaml").write_text("".join((text, ABOVE, *outlines)), "utf-8", newline="\n")
    data, _ = load_data(HERE / "map.yaml")
    return list(_disagreements(Board.model_validate({"name": "standard", **data}), shapes))


def _disagreements(board: Board, shapes: Mapping[str, Rings]) -> Iterator[str]:
    """Yield a sentence for each border that is only drawn, or only known to the board."""
    drawn_borders = {
        frozenset(pair) for pair in measure(shapes) if not any(name.startswith(WILD) for name in pair)
    }
    borders = {frozenset((area, near)) for area in board.areas for near in board.graph.neighbours(area)}
    for border in sorted(drawn_borders - borders, key=sorted):
        yield f"{'-'.join(sorted(border))} touch"
    for border in sorted(borders - drawn_borders, key=sorted):
        yield f"{'-'.join(sorted(border))} are apart"


def _shape_lines(shapes: Mapping[str, Rings], unit: float) -> Iterator[str]:
    """Yield the lines of ``outlines`` and ``wilds`` in map.yaml; ``unit``: the kilometres of a board unit."""
    yield "outlines:\n"
    for name, rings in shapes.items():
        if not name.startswith(WILD):
            yield f"  {name}:\n"
            yield from (f"    - {_ring_text(ring, unit)}\n" for ring in rings)
    yield "wilds:\n"
    for name, rings in shapes.items():
        if name.startswith(WILD):
            yield from (f"  - {_ring_text(ring, unit)}\n" for ring in rings)


def _ring_text(ring: list[tuple[int, int]], unit: float) -> str:
    """Return the points of a ring as map.yaml has them: ``12.5,40 13,41``."""
    return " ".join(f"{round(x / unit, 1):g},{round(y / unit, 1):g}" for x, y in ring)


if __name__ == "__main__":
    print("\n".join(write_shapes()) or "The shapes are those of the board.")
