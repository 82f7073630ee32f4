"""Build a map from centres, a coastline and corrections: ``python maps/builder maps/medieval/europe-1320``.

Reads ``source/`` in that folder (settings.yaml, coast.json, provinces.csv, seas.csv, corrections.yaml, garrisons.yaml)
and writes ``map.yaml`` and ``start.yaml`` beside it: the same sources give the same bytes. It needs the extra ``maps``
(shapely); playing does not.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from borders import Pair, Special, correct, measure
from coast import Point, Projection, project_land, read_land
from shapely import coverage_simplify, maximum_inscribed_circle
from shapely.affinity import scale, translate
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry
from start import write_start
from tiling import tile

from gm.games.medieval.rules_data import load_rules
from gm.kernel.tables import load_data

LABEL_STRETCH = 2.6
"""A name is about this much wider than it is high, so the best place for it is where an ellipse fits best."""


def build(folder: Path) -> str:
    """The text of map.yaml. Raises ``ValueError`` for sources that do not fit together."""
    source = folder / "source"
    settings = _settings(source / "settings.yaml")
    projection = Projection(tuple(float(each) for each in settings["centre"]))
    provinces = _rows(source / "provinces.csv")
    seas = _rows(source / "seas.csv")
    west, south, east, north = (float(each) for each in settings["frame"])
    frame = box(west, south, east, north)
    land = project_land(read_land(source / "coast.json"), projection, tuple(float(each) for each in settings["window"]))
    smallest = float(settings["smallest_island"])
    land = land.intersection(frame)
    land = type(land)([part for part in land.geoms if part.area >= smallest])
    land_tiles = tile(
        _centres(provinces, projection, land, True),
        land,
        float(settings["wander_land"]),
        float(settings["islet"]),
        keep_all=True,
    )
    water = frame.difference(land)
    sea_tiles = tile(_centres(seas, projection, land, False), water, float(settings["wander_sea"]), 0, keep_all=False)
    tiles = {**land_tiles, **sea_tiles}
    places = {name: index for index, name in enumerate(tiles)}
    measured = measure(tiles, float(settings["shortest_border"]))
    corrections, _ = load_data(source / "corrections.yaml")
    borders = correct(measured, corrections, places)
    flat = [scale(translate(shape, -west, -north), 1, -1, origin=(0, 0)) for shape in tiles.values()]
    outlines = dict(zip(tiles, coverage_simplify(flat, float(settings["simplify"])), strict=True))
    return "".join(_write(settings, provinces, seas, borders, outlines, (east - west, north - south)))


def _settings(path: Path) -> dict[str, Any]:
    settings, _ = load_data(path)
    return dict(settings)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _centres(rows: list[dict[str, str]], projection: Projection, land: BaseGeometry, ashore: bool) -> dict[str, Point]:
    from shapely.geometry import Point as Dot

    centres = {}
    for row in rows:
        point = projection(float(row["longitude"]), float(row["latitude"]))
        if row["name"] in centres:
            raise ValueError(f"{row['name']} stands twice")
        if (land.distance(Dot(point)) > 12) if ashore else land.contains(Dot(point)):
            raise ValueError(f"the centre of {row['name']} is {'at sea' if ashore else 'on land'}")
        centres[row["name"]] = point
    return centres


def _write(
    settings: Mapping[str, Any],
    provinces: list[dict[str, str]],
    seas: list[dict[str, str]],
    borders: Mapping[Pair, Special | None],
    outlines: Mapping[str, BaseGeometry],
    size: tuple[float, float],
) -> Iterator[str]:
    yield f"# {settings['title']}: built by maps/builder from source/; change the sources, not this file.\n"
    yield "# Coastlines: Natural Earth, public domain. The format is explained in maps/README.md.\n\n"
    yield f"schema: 1\nname: {settings['name']}\ntitle: {settings['title']}\nsize: [{size[0]:.0f}, {size[1]:.0f}]\n"
    yield "\nrealms:\n"
    for code, realm in settings["realms"].items():
        yield f"  {code}: {{{', '.join(f'{key}: {_text(value)}' for key, value in realm.items())}}}\n"
    yield "\nprovinces:\n"
    for row in provinces:
        yield f"  {row['name']}: {{{', '.join(_province(row, outlines[row['name']]))}}}\n"
    yield "\nseas:\n"
    for row in seas:
        yield f"  {row['name']}: {{label: {_label(outlines[row['name']])}}}\n"
    yield "\nborders:\n"
    previous = ""
    for (a, b), special in borders.items():
        if a != previous:
            yield f"  {a}:\n"
            previous = a
        if special is None or special.kind == "open":
            yield f"    - {b}{_why(special)}\n"
        else:
            yield f"    - {{{b}: {special.kind}}}{_why(special)}\n"
    yield "\noutlines:\n"
    for name, shape in outlines.items():
        yield f"  {name}:\n"
        for ring in _rings(shape):
            yield f"    - {ring}\n"


def _province(row: Mapping[str, str], shape: BaseGeometry) -> Iterator[str]:
    yield f"label: {_label(shape)}"
    yield f"revenue: {row['revenue']}"
    if row["production"]:
        yield f"production: {row['production']}"
    if row["resource"]:
        yield f"city: {{{', '.join(_city(row))}}}"


def _city(row: Mapping[str, str]) -> Iterator[str]:
    yield f"name: {row['city'] or row['name']}"
    yield f"resource: {row['resource']}"
    yield f"region: {row['region']}"
    for column in ("also", "without"):
        if row[column]:
            yield f"{column}: [{', '.join(row[column].split('+'))}]"


def _why(special: Special | None) -> str:
    return f"  # {special.why}" if special else ""


def _text(value: object) -> str:
    return f'"{value}"' if str(value).startswith("#") else str(value)


def _label(shape: BaseGeometry) -> str:
    """Where the name has most room: the middle of the largest ellipse inside the largest part."""
    largest = max(getattr(shape, "geoms", [shape]), key=lambda part: part.area)
    narrow = scale(largest, 1 / LABEL_STRETCH, 1, origin=(0, 0))
    x, y = maximum_inscribed_circle(narrow, 2).coords[0]
    return f"[{x * LABEL_STRETCH:.0f}, {y:.0f}]"


def _rings(shape: BaseGeometry) -> Iterator[str]:
    """Every ring as "x,y x,y ...", largest part first; whole kilometres, neighbours share their points."""
    parts: list[Polygon] = sorted(getattr(shape, "geoms", [shape]), key=lambda part: -part.area)
    for part in parts:
        for ring in (part.exterior, *part.interiors):
            points = [(round(x), round(y)) for x, y in ring.coords[:-1]]
            kept = [point for index, point in enumerate(points) if point != points[index - 1]]
            if len(kept) > 2:
                yield " ".join(f"{x},{y}" for x, y in kept)


def build_start(folder: Path) -> str:
    """The text of start.yaml, from the same table of provinces and the recipes in garrisons.yaml."""
    source = folder / "source"
    recipes, _ = load_data(source / "garrisons.yaml")
    costs = {name: troop.cost for name, troop in load_rules().troops.items()}
    return "".join(write_start(_settings(source / "settings.yaml"), recipes, _rows(source / "provinces.csv"), costs))


def main() -> None:
    """Write map.yaml and start.yaml of the folder named on the command line."""
    folder = Path(sys.argv[1])
    (folder / "map.yaml").write_text(build(folder), "utf-8", newline="\n")
    (folder / "start.yaml").write_text(build_start(folder), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
