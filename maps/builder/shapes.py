"""Give a map of Conqueror! shapes on a real coast.

``python -m maps.builder.shapes maps/conqueror/europe859`` reads ``source/`` in that folder: settings.yaml,
and provinces.csv with a longitude and a latitude for each province. Codes that begin with ``~`` are land that
nobody can have. It writes ``x``, ``y``, ``outlines`` and ``wilds`` into the ``map.yaml``: the same sources
give the same bytes. Who borders whom stays as the file says, and the shapes must agree: two that touch have a
border, or stand among the ``barriers``. It needs the extra ``maps``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gm.core.yaml.models import load_data
from maps.builder.borders import measure
from maps.builder.build import Rings, centres_of, drawn_outlines, land_of, thinned
from maps.builder.labels import label
from maps.builder.sources import read_rows
from maps.builder.tiling import tile

WILD = "~"
ABOVE_OUTLINES = (
    "\n# Built by maps/builder/shapes.py from source/. Coastlines: Natural Earth, public domain.\n"
)
Borders = set[frozenset[str]]
"""Each border by the two codes of its provinces."""


def shaped(folder: Path) -> str:
    """Return the text of map.yaml with the shapes. Raises ``ValueError`` where its borders differ."""
    settings, _ = load_data(folder / "source" / "settings.yaml")
    map_text = (folder / "map.yaml").read_text("utf-8")
    text = map_text.partition(ABOVE_OUTLINES)[0]
    outlines = _outlines(settings, folder / "source")
    _check_borders(text, outlines, settings["barriers"])
    unit = float(settings["units"])
    text = _with_labels(text, outlines, unit)
    thin = thinned(outlines, float(settings["thinning"]))
    return "".join((text, ABOVE_OUTLINES, *_outline_lines(thin, unit)))


def _outlines(settings: Mapping[str, Any], source: Path) -> dict[str, Rings]:
    """Return every place as rings of whole kilometres from the corner of the sheet, by its code."""
    table = read_rows(source / "provinces.csv")
    rows = [{**row, "name": row["code"]} for row in table]
    projection, land = land_of(settings, source / settings["coast"])
    centres = centres_of(rows, projection, land, ashore=True)
    tiles = tile(centres, land, float(settings["wander"]), float(settings["islet"]), keep_all=True)
    return drawn_outlines(settings, tiles)


def _check_borders(text: str, outlines: Mapping[str, Rings], barriers: Iterable[str]) -> None:
    """Raise ``ValueError`` for shapes that touch without a border, and for barriers where none touch.

    ``text``: that of map.yaml; ``barriers``: pairs of codes, as ``BAVA-SWAB``.
    """
    border_text = text.partition("\nborders:")[2]
    borders = _borders(re.findall(r"\b[A-Z]+-[A-Z]+\b", border_text))
    walls = _borders(barriers)
    touching: Borders = set()
    for first, second in measure(outlines):
        if not _is_wild(first) and not _is_wild(second):
            touching.add(frozenset((first, second)))
    disagreeing = (touching - borders - walls) | (walls - touching)
    if disagreeing:
        pairs = sorted("-".join(sorted(pair)) for pair in disagreeing)
        raise ValueError(f"shapes that touch without a border, or barriers that are none: {', '.join(pairs)}")


def _borders(pairs: Iterable[str]) -> Borders:
    """Return borders from texts such as ``BAVA-SWAB``."""
    return {frozenset(pair.split("-")) for pair in pairs}


def _is_wild(name: str) -> bool:
    """Return whether a place is land that nobody can have."""
    return name.startswith(WILD)


def _with_labels(text: str, outlines: Mapping[str, Rings], unit: float) -> str:
    """Return the text of map.yaml with the places of the names; ``unit``: the km in a unit of the map."""
    for name, rings in outlines.items():
        if _is_wild(name):
            continue
        label_x, label_y = label(name, rings, sea=False)
        x = round(label_x / unit)
        y = round(label_y / unit)
        text = re.sub(rf"(?m)^(  {name}: .*), x: \d+, y: \d+", rf"\1, x: {x}, y: {y}", text)
    return text


def _outline_lines(outlines: Mapping[str, Rings], unit: float) -> Iterator[str]:
    """Yield the lines of ``outlines`` and ``wilds``; ``unit``: the km in a unit of the map."""
    yield "outlines:\n"
    for name, rings in outlines.items():
        if not _is_wild(name):
            yield f"  {name}:\n"
            yield from (f"    - {_points(ring, unit)}\n" for ring in rings)
    yield "wilds:\n"
    for name, rings in outlines.items():
        if _is_wild(name):
            yield from (f"  - {_points(ring, unit)}\n" for ring in rings)


def _points(ring: list[tuple[int, int]], unit: float) -> str:
    """Return the points of a ring, whose unit is the km, in the map's units."""
    points = [f"{round(x / unit, 1):g},{round(y / unit, 1):g}" for x, y in ring]
    return " ".join(points)


def main() -> None:
    """Write the shapes into the map of the folder named on the command line."""
    folder = Path(sys.argv[1])
    (folder / "map.yaml").write_text(shaped(folder), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
