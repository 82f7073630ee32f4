"""Who borders whom: read off the tiles, then corrected by hand, each correction with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shapely import STRtree
from shapely.geometry.base import BaseGeometry

SLACK_KM = 0.3
"""Neighbouring tiles share their points up to rounding."""

Pair = tuple[str, str]


@dataclass(frozen=True)
class Special:
    """What is special about a border: ``mountains``, ``reefs``, ``strait`` or nothing, and why."""

    kind: str
    why: str


def measure(tiles: Mapping[str, BaseGeometry], shortest: float) -> dict[Pair, float]:
    """The length in km of every shared border of at least ``shortest``, in the order of the tiles."""
    names = list(tiles)
    shapes = list(tiles.values())
    tree = STRtree(shapes)
    found = {}
    for index, name in enumerate(names):
        grown = shapes[index].buffer(SLACK_KM)
        for other in sorted(int(each) for each in tree.query(grown)):
            if other > index:
                length = grown.intersection(shapes[other].boundary).length
                if length >= shortest:
                    found[name, names[other]] = length
    return found


def correct(
    measured: Mapping[Pair, float], corrections: Mapping[str, Any], places: Mapping[str, int]
) -> dict[Pair, Special | None]:
    """The borders after the corrections. ``places`` maps names to their position in the map file.

    Raises ``ValueError`` for a correction that names an unknown place, adds a border that is there, or removes or
    closes one that is not.
    """
    borders: dict[Pair, Special | None] = dict.fromkeys(measured)
    wrong = []
    for kind, entries in corrections.items():
        for entry in entries:
            names = entry["between"]
            unknown = [name for name in names if name not in places]
            if unknown:
                wrong.append(f"no place is called {unknown[0]!r}")
                continue
            first, second = sorted(names, key=lambda name: places[name])
            pair = (first, second)
            there = pair in borders
            if kind == "open" and there:
                wrong.append(f"{pair} border each other without help")
            elif kind in ("closed", "mountains", "reefs") and not there:
                wrong.append(f"{kind}: {pair} do not border each other; {_neighbours(pair, borders)}")
            elif kind == "closed":
                del borders[pair]
            else:
                borders[pair] = Special(kind, entry["why"])
    if wrong:
        raise ValueError("\n".join(wrong))
    return dict(sorted(borders.items(), key=lambda item: (places[item[0][0]], places[item[0][1]])))


def _neighbours(pair: Pair, borders: Mapping[Pair, Special | None]) -> dict[str, list[str]]:
    return {name: sorted(other for both in borders if name in both for other in both if other != name) for name in pair}
