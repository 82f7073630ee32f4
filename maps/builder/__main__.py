"""Build a map from centres, a coastline and corrections.

``python -m maps.builder maps/medieval/europe-1320`` reads ``source/`` in that folder (settings.yaml,
coast.json, provinces.csv, seas.csv, corrections.yaml, garrisons.yaml) and writes ``map.yaml`` and
``start.yaml`` beside it: the same sources give the same bytes. It needs the extra ``maps`` (shapely); playing
does not.
"""

from __future__ import annotations

import sys
from pathlib import Path

from maps.builder.build import build_map
from maps.builder.sources import start_text


def main() -> None:
    """Write map.yaml and start.yaml of the folder named on the command line."""
    folder = Path(sys.argv[1])
    (folder / "map.yaml").write_text(build_map(folder), "utf-8", newline="\n")
    (folder / "start.yaml").write_text(start_text(folder), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
