"""The owners in Europe 1320 beside those of a public map of 1300: in which polity each owned place lies
there.

That map's licence is not ours, so it is no part of this project: ``make evidence ARGS="--owners
world_1300.geojson"`` reads a copy of your own and stores what comes of it, figures and names.
"""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from gm.core.yaml.models import load_data
from gm.resources import resource

FOUND = Path(__file__).with_name("owners.md")
TAKEN = Path(__file__).with_name("owners.yaml")


def compared(path: Path) -> str:
    """What the page says of it. Raises ``OSError`` and ``ValueError`` for a file that is no such map."""
    taken = load_data(TAKEN)[0]
    polities = dict(_polities(json.loads(path.read_text("utf-8"))))
    alike = 0
    places = 0
    apart = defaultdict(list)
    for row in _owned():
        places += 1
        at = float(row["longitude"]), float(row["latitude"])
        there = sorted(name for name, rings in polities.items() if _inside(at, rings))
        if set(there) & set(taken["realms"][row["owner"]]):
            alike += 1
        else:
            apart[row["owner"], " and ".join(there) or "none drawn"].append(row["name"])
    lines = [f"| {owner} | {there} | {', '.join(names)} |" for (owner, there), names in sorted(apart.items())]
    head = (
        f"Beside {taken['map']}: of {places} places with an owner, {alike} ({alike / places:.0%}) lie in a "
        "polity that"
    )
    return "\n".join([f"{head} we take for their owner's. The others:\n", *_HEAD, *lines, ""])


_HEAD = ("| owner here | polity there | places |", "|---|---|---|")


def _owned() -> Iterator[dict[str, str]]:
    with resource("maps", "medieval", "europe-1320", "source", "provinces.csv").open(
        encoding="utf-8"
    ) as file:
        yield from (row for row in csv.DictReader(file) if row["owner"])


def _polities(data: Any) -> Iterator[tuple[str, list[list[tuple[float, float]]]]]:
    """The rings of each polity, by name. A name may have several features."""
    rings = defaultdict(list)
    for feature in data["features"]:
        shape = feature["geometry"]
        name = feature["properties"].get("NAME")
        if shape and name:
            parts = [shape["coordinates"]] if shape["type"] == "Polygon" else shape["coordinates"]
            rings[name] += [[(x, y) for x, y, *_ in ring] for part in parts for ring in part]
    yield from rings.items()


def _inside(at: tuple[float, float], rings: list[list[tuple[float, float]]]) -> bool:
    """Whether a line from there to the east crosses the borders an odd number of times: holes are rings,
    too.
    """
    east, north = at
    crossed = 0
    for ring in rings:
        for (x, y), (to_x, to_y) in pairwise(ring):
            crossed += (y > north) != (to_y > north) and east < x + (north - y) * (to_x - x) / (to_y - y)
    return crossed % 2 == 1
