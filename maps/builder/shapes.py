"""Give a map of Conqueror! shapes on a real coast: ``python -m maps.builder.shapes
maps/conqueror/europe859``.

Reads ``source/`` in that folder: settings.yaml, and provinces.csv with a longitude and a latitude for each
province. Codes that begin with ``~`` are land that nobody can have. Writes ``x``, ``y``, ``outlines`` and
``wilds`` into the
``map.yaml``: the same sources give the same bytes. Who borders whom stays as the file says, and the shapes
must agree: two that touch have a border, or stand among the ``barriers``. It needs the extra ``maps``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from shapely.affinity import scale, translate

from gm.core.yaml.models import load_data
from maps.builder.borders import measure, meet_in_corners
from maps.builder.build import Rings, centres_of, land_of, rings_of, thinned
from maps.builder.labels import label
from maps.builder.sources import read_rows
from maps.builder.tiling import as_one_sheet, tile

WILD = "~"
ABOVE_OUTLINES = (
    "\n# Built by maps/builder/shapes.py from source/. Coastlines: Natural Earth, public domain.\n"
)


def shaped(folder: Path) -> str:
    """The text of map.yaml with the shapes. Raises ``ValueError`` where they and the borders disagree."""
    settings, _ = load_data(folder / "source" / "settings.yaml")
    text = (folder / "map.yaml").read_text("utf-8").partition(ABOVE_OUTLINES)[0]
    drawn = _drawn(settings, folder / "source")
    borders = {
        frozenset(pair.split("-"))
        for pair in re.findall(r"\b[A-Z]+-[A-Z]+\b", text.partition("\nborders:")[2])
    }
    met = {frozenset(pair) for pair in measure(drawn) if not any(each.startswith(WILD) for each in pair)}
    walls = {frozenset(pair.split("-")) for pair in settings["barriers"]}
    if wrong := sorted("-".join(sorted(pair)) for pair in (met - borders - walls) | (walls - met)):
        raise ValueError(f"shapes that touch without a border, or barriers that are none: {', '.join(wrong)}")
    unit = float(settings["units"])
    for name, rings in drawn.items():
        if not name.startswith(WILD):
            x, y = (round(each / unit) for each in label(name, rings, sea=False))
            text = re.sub(rf"(?m)^(  {name}: .*), x: \d+, y: \d+", rf"\1, x: {x}, y: {y}", text)
    thin = thinned(drawn, float(settings["thinning"]))
    return "".join((text, ABOVE_OUTLINES, *_written(thin, unit)))


def _drawn(settings: Mapping[str, Any], source: Path) -> dict[str, Rings]:
    """Every place as rings of whole kilometres from the corner of the sheet."""
    west, _, _, north = (float(each) for each in settings["frame"])
    rows = [{**row, "name": row["code"]} for row in read_rows(source / "provinces.csv")]
    projection, land = land_of(settings, source / settings["coast"])
    centres = centres_of(rows, projection, land, ashore=True)
    tiles = tile(centres, land, float(settings["wander"]), float(settings["islet"]), keep_all=True)
    flat = {name: scale(translate(each, -west, -north), 1, -1, origin=(0, 0)) for name, each in tiles.items()}
    sheet = as_one_sheet(flat, float(settings["simplify"]))
    rings = {name: rings_of(shape) for name, shape in sheet.items()}
    return meet_in_corners(rings, float(settings["shortest_border"]))


def _written(outlines: Mapping[str, Rings], unit: float) -> Iterator[str]:
    """Outlines by province, and the land that is nobody's."""

    def line(ring: list[tuple[int, int]]) -> str:
        return f"    - {' '.join(f'{round(x / unit, 1):g},{round(y / unit, 1):g}' for x, y in ring)}\n"

    yield "outlines:\n"
    for name, rings in outlines.items():
        if not name.startswith(WILD):
            yield f"  {name}:\n{''.join(map(line, rings))}"
    yield "wilds:\n"
    for name, rings in outlines.items():
        if name.startswith(WILD):
            yield "".join(line(ring).replace("    ", "  ", 1) for ring in rings)


def main() -> None:
    """Write the shapes into the map of the folder named on the command line."""
    folder = Path(sys.argv[1])
    (folder / "map.yaml").write_text(shaped(folder), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
