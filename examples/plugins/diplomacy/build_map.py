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
    """Every area as rings of whole kilometres from the corner of the sheet."""
    west, south, east, north = (float(each) for each in settings["frame"])
    rows, seas = (
        [{**row, "name": row["code"]} for row in read_rows(HERE / "source" / f"{name}.csv")]
        for name in ("areas", "seas")
    )
    projection, land = land_of(settings, COAST)
    water = box(west, south, east, north).difference(land)
    islet = float(settings["islet"])
    tiles = {
        **tile(
            centres_of(rows, projection, land, ashore=True),
            land,
            float(settings["wander"]),
            islet,
            keep_all=True,
        ),
        **tile(
            centres_of(seas, projection, land, ashore=False),
            water,
            float(settings["wander_sea"]),
            0,
            keep_all=False,
        ),
    }
    flat = {name: scale(translate(each, -west, -north), 1, -1, origin=(0, 0)) for name, each in tiles.items()}
    rings = {name: rings_of(shape) for name, shape in as_one_sheet(flat, float(settings["simplify"])).items()}
    return meet_in_corners(rings, float(settings["shortest_border"]))


def shaped() -> tuple[str, list[str]]:
    """The text of map.yaml with the shapes, and where they and the board disagree."""
    settings, _ = load_data(HERE / "source" / "settings.yaml")
    text = (HERE / "map.yaml").read_text("utf-8").partition(ABOVE)[0]
    shapes, unit = drawn(settings), float(settings["units"])
    for name, rings in shapes.items():
        if not name.startswith(WILD):
            x, y = (round(each / unit) for each in label(name, rings, sea=False))
            text = re.sub(rf"(?m)^(  {name}: \{{.*?)(, at: \[[^]]*\])?\}}$", rf"\1, at: [{x}, {y}]}}", text)
    west, south, east, north = (float(each) / unit for each in settings["frame"])
    size = f"size: [{round(east - west)}, {round(north - south)}]\n"
    text = re.sub(r"(?m)^size: .*\n", "", text).replace("powers:\n", f"{size}powers:\n", 1)
    text = "".join((text, ABOVE, *_written(thinned(shapes, float(settings["thinning"])), unit)))
    (HERE / "map.yaml").write_text(text, "utf-8", newline="\n")
    data, _ = load_data(HERE / "map.yaml")
    return text, list(_apart(Board.model_validate({"name": "standard", **data}), shapes))


def _apart(board: Board, shapes: Mapping[str, Rings]) -> Iterator[str]:
    met = {frozenset(pair) for pair in measure(shapes) if not any(each.startswith(WILD) for each in pair)}
    known = {frozenset((area, near)) for area in board.areas for near in board.graph.neighbours(area)}
    yield from (f"{'-'.join(sorted(pair))} touch" for pair in sorted(met - known, key=sorted))
    yield from (f"{'-'.join(sorted(pair))} are apart" for pair in sorted(known - met, key=sorted))


def _written(outlines: Mapping[str, Rings], unit: float) -> Iterator[str]:
    def line(ring: list[tuple[int, int]]) -> str:
        return " ".join(f"{round(x / unit, 1):g},{round(y / unit, 1):g}" for x, y in ring)

    yield "outlines:\n"
    for name, rings in outlines.items():
        if not name.startswith(WILD):
            yield f"  {name}:\n{''.join(f'    - {line(ring)}{chr(10)}' for ring in rings)}"
    yield "wilds:\n"
    yield from (
        f"  - {line(ring)}\n" for name, rings in outlines.items() if name.startswith(WILD) for ring in rings
    )


if __name__ == "__main__":
    print("\n".join(shaped()[1]) or "The shapes are those of the board.")
