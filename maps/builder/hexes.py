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
from maps.builder.borders import correct, measure
from maps.builder.sheet import write_map
from maps.builder.sources import read_rows, read_settings, start_text

Point = tuple[int, int]


def hex_map(folder: Path) -> str:
    """The text of map.yaml. Raises ``ValueError`` for sources that do not fit together."""
    source = folder / "source"
    settings = read_settings(source)
    provinces, seas = read_rows(source / "provinces.csv"), read_rows(source / "seas.csv")
    centres = dict(_centres(settings))
    listed = [row["name"] for row in (*provinces, *seas)]
    if sorted(listed) != sorted(centres):
        raise ValueError(
            f"in the rows or in the tables, but not in both: {sorted(set(listed) ^ set(centres))}"
        )
    width, height = settings["hex"]
    outlines = {name: [_hex(centres[name], width, height)] for name in listed}
    corrections, _ = load_data(source / "corrections.yaml")
    borders = correct(measure(outlines), corrections, {name: index for index, name in enumerate(outlines)})
    rows = settings["rows"]
    size = width * len(rows[0]) + width / 2, height * (3 * len(rows) + 1) / 4
    return "".join(write_map(settings, provinces, seas, centres, borders, outlines, size))


def _centres(settings: Mapping[str, Any]) -> Iterator[tuple[str, Point]]:
    width, height = settings["hex"]
    for line, names in enumerate(settings["rows"]):
        for column, name in enumerate(names):
            yield name, (width // 2 * (2 * column + 1 + line % 2), height // 2 + line * height * 3 // 4)


def _hex(centre: Point, width: int, height: int) -> list[Point]:
    (x, y), side, end = centre, width // 2, height // 2
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
