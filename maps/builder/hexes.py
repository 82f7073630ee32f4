"""Build a map on a grid of hexes: ``python -m maps.builder.hexes maps/medieval/hexland``.

Reads the same sources as the builder of coasts, but for the grid, which is in settings.yaml: ``hex`` is the
size of one, ``rows`` the names from left to right, every other row half a hex further right. Needs no extra.
The same sources give the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gm.core.yaml.models import load_data
from maps.builder.borders import corrected_borders
from maps.builder.sheet import Sheet, write_map
from maps.builder.sources import read_rows, read_settings, start_text

Point = tuple[int, int]


def hex_map(folder: Path) -> str:
    """Return the text of map.yaml. Raises ``ValueError`` for sources that do not fit together."""
    source = folder / "source"
    settings = read_settings(source)
    provinces = read_rows(source / "provinces.csv")
    seas = read_rows(source / "seas.csv")
    centres = dict(_centres(settings))
    names = [row["name"] for row in (*provinces, *seas)]
    if sorted(names) != sorted(centres):
        differing = sorted(set(names) ^ set(centres))
        raise ValueError(f"in the rows or in the tables, but not in both: {differing}")
    outlines = {name: [_hex(centres[name], *settings["hex"])] for name in names}
    corrections, _ = load_data(source / "corrections.yaml")
    borders = corrected_borders(outlines, corrections)
    sheet = Sheet(labels=centres, borders=borders, outlines=outlines, size=_size(settings))
    return "".join(write_map(settings, provinces, seas, sheet))


def _size(settings: Mapping[str, Any]) -> tuple[float, float]:
    """Return the width and the height of the sheet."""
    width, height = settings["hex"]
    rows = settings["rows"]
    return width * len(rows[0]) + width / 2, height * (3 * len(rows) + 1) / 4


def _centres(settings: Mapping[str, Any]) -> Iterator[tuple[str, Point]]:
    """Yield the name and the centre of each hex of the grid."""
    width, height = settings["hex"]
    for row, names in enumerate(settings["rows"]):
        indent = row % 2
        y = height // 2 + row * height * 3 // 4
        for column, name in enumerate(names):
            x = width // 2 * (2 * column + 1 + indent)
            yield name, (x, y)


def _hex(centre: Point, width: int, height: int) -> list[Point]:
    """Return the corners of a hex that stands on one of them, from the upper one to the right."""
    x, y = centre
    side = width // 2
    end = height // 2
    return [
        (x, y - end),
        (x + side, y - end // 2),
        (x + side, y + end // 2),
        (x, y + end),
        (x - side, y + end // 2),
        (x - side, y - end // 2),
    ]


def main() -> None:
    """Write map.yaml and start.yaml of the folder named on the command line."""
    folder = Path(sys.argv[1])
    (folder / "map.yaml").write_text(hex_map(folder), "utf-8", newline="\n")
    (folder / "start.yaml").write_text(start_text(folder), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
