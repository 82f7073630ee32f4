"""From a folder of sources to the text of the map file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

from shapely import coverage_simplify
from shapely.affinity import scale, translate
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry import Point as Dot
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from gm.core.yaml.models import load_data
from maps.builder.borders import corrected_borders, meet_in_corners
from maps.builder.coast import Point, Projection, dig, project_land, read_land, smooth
from maps.builder.labels import label
from maps.builder.sheet import Sheet, write_map
from maps.builder.sources import Rows, read_rows, read_settings
from maps.builder.tiling import as_one_sheet, tile

ASHORE_KM = 12.0
"""How far from the simplified coast the centre of a province may lie."""
Rings = list[list[tuple[int, int]]]


def build_map(folder: Path) -> str:
    """Return the text of map.yaml. Raises ``ValueError`` for sources that do not fit together."""
    source = folder / "source"
    settings = read_settings(source)
    provinces = read_rows(source / "provinces.csv")
    seas = read_rows(source / "seas.csv")
    tiles = _tiles(settings, source, provinces, seas)
    outlines = drawn_outlines(settings, tiles)
    corrections, _ = load_data(source / "corrections.yaml")
    west, south, east, north = _numbers(settings["frame"])
    sheet = Sheet(
        labels=_labels(outlines, seas),
        borders=corrected_borders(outlines, corrections),
        outlines=thinned(outlines, float(settings["thinning"])),
        size=(east - west, north - south),
    )
    return "".join(write_map(settings, provinces, seas, sheet))


def _labels(outlines: Mapping[str, Rings], seas: Rows) -> dict[str, tuple[int, int]]:
    """Return where the name of each place goes."""
    at_sea = {row["name"] for row in seas}
    return {name: label(name, rings, sea=name in at_sea) for name, rings in outlines.items()}


def drawn_outlines(settings: Mapping[str, Any], tiles: Mapping[str, BaseGeometry]) -> dict[str, Rings]:
    """Return places as rings of whole kilometres from the corner of the sheet, south down.

    ``tiles``: their shapes in km from the centre of the map, north up.
    """
    west, _, _, north = _numbers(settings["frame"])
    flat: dict[str, BaseGeometry] = {}
    for name, shape in tiles.items():
        flat[name] = scale(translate(shape, -west, -north), 1, -1, origin=(0, 0))
    sheet = as_one_sheet(flat, float(settings["simplify"]))
    rings = {name: rings_of(shape) for name, shape in sheet.items()}
    return meet_in_corners(rings, float(settings["shortest_border"]))


def thinned(outlines: Mapping[str, Rings], tolerance: float) -> dict[str, Rings]:
    """Return outlines with fewer points, for drawing.

    Who touches whom stays as it is, and so do the points they share. ``tolerance``: how far a point may move,
    in km.
    """
    shapes = []
    for rings in outlines.values():
        shapes.append(reduce(BaseGeometry.symmetric_difference, map(Polygon, rings)))
    simplified = coverage_simplify(shapes, tolerance)
    return dict(zip(outlines, map(rings_of, simplified), strict=True))


def _tiles(settings: Mapping[str, Any], source: Path, provinces: Rows, seas: Rows) -> dict[str, BaseGeometry]:
    """Return every province and sea as a shape in km from the centre of the map, north up."""
    projection, land = land_of(settings, source / "coast.json")
    ashore = centres_of(provinces, projection, land, ashore=True)
    afloat = centres_of(seas, projection, land, ashore=False)
    water = _frame(settings).difference(land)
    islet = float(settings["islet"])
    return {
        **tile(ashore, land, float(settings["wander_land"]), islet, keep_all=True),
        **tile(afloat, water, float(settings["wander_sea"]), 0, keep_all=False),
    }


def land_of(settings: Mapping[str, Any], coast: Path) -> tuple[Projection, BaseGeometry]:
    """Return the projection, and the land in it as the map shows it; ``coast``: the file of the coastline."""
    longitude, latitude = _numbers(settings["centre"])
    projection = Projection((longitude, latitude), float(settings["swell"]))
    left_out = unary_union([box(*corners) for corners in settings["left_out"]])
    window = box(*settings["window"]).difference(left_out)
    land = project_land(read_land(coast), projection, window)
    land = smooth(land, float(settings["narrowest_water"]), float(settings["smallest_lake"]))
    land = land.intersection(_frame(settings))
    land = dig(land, settings["channels"], projection)
    smallest = float(settings["smallest_island"])
    islands = [part for part in land.geoms if part.area >= smallest]
    return projection, MultiPolygon(islands)


def centres_of(
    rows: Rows, projection: Projection, land: BaseGeometry, *, ashore: bool
) -> dict[str, list[Point]]:
    """Return the points of each place in km: its centre, then the others that it reaches out to.

    ``rows``: the columns ``name``, ``longitude``, ``latitude`` and ``reach`` (points in degrees, with
    semicolons between them). Raises ``ValueError`` for a name that stands twice and for a centre that does
    not lie where it belongs: on land for places ``ashore``, at sea for others.
    """
    centres: dict[str, list[Point]] = {}
    faults = []
    for row in rows:
        name = row["name"]
        centre = projection(float(row["longitude"]), float(row["latitude"]))
        if name in centres:
            faults.append(f"{name} stands twice")
        if ashore and land.distance(Dot(centre)) > ASHORE_KM:
            faults.append(f"the centre of {name} is at sea")
        if not ashore and land.contains(Dot(centre)):
            faults.append(f"the centre of {name} is on land")
        centres[name] = [centre, *_points_reached(row["reach"], projection)]
    if faults:
        raise ValueError("\n".join(faults))
    return centres


def _points_reached(reach: str, projection: Projection) -> list[Point]:
    """Return the points of the column ``reach`` in km."""
    points = []
    for text in reach.split(";"):
        if text.strip():
            longitude, latitude = _numbers(text.split())
            points.append(projection(longitude, latitude))
    return points


def rings_of(shape: BaseGeometry) -> Rings:
    """Return every ring of a shape in whole units, the largest part first."""
    parts: list[Polygon] = sorted(getattr(shape, "geoms", [shape]), key=lambda part: -part.area)
    rings = []
    for part in parts:
        rings.append(_whole_points(part.exterior))
        rings += [_whole_points(hole) for hole in part.interiors]
    return rings


def _whole_points(ring: BaseGeometry) -> list[tuple[int, int]]:
    """Return a ring's points in whole units, without the last one, which is the first again."""
    return [(round(x), round(y)) for x, y in ring.coords[:-1]]


def _frame(settings: Mapping[str, Any]) -> BaseGeometry:
    """Return the frame of the map as a shape in km."""
    return box(*_numbers(settings["frame"]))


def _numbers(values: Iterable[Any]) -> list[float]:
    """Return values of the settings or of a table as numbers."""
    return [float(value) for value in values]
