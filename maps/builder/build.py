"""From a folder of sources to the text of the map file."""

from __future__ import annotations

from collections.abc import Mapping
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
from maps.builder.borders import correct, measure, meet_in_corners
from maps.builder.coast import Point, Projection, dig, project_land, read_land, smooth
from maps.builder.labels import label
from maps.builder.sheet import write_map
from maps.builder.sources import Rows, read_rows, read_settings
from maps.builder.tiling import as_one_sheet, tile

ASHORE_KM = 12.0
"""How far from the simplified coast the centre of a province may lie."""
Rings = list[list[tuple[int, int]]]


def build_map(folder: Path) -> str:
    """The text of map.yaml. Raises ``ValueError`` for sources that do not fit together."""
    source = folder / "source"
    settings = read_settings(source)
    provinces, seas = read_rows(source / "provinces.csv"), read_rows(source / "seas.csv")
    west, south, east, north = (float(each) for each in settings["frame"])
    tiles = _tiles(settings, source, provinces, seas)
    flat = {name: scale(translate(each, -west, -north), 1, -1, origin=(0, 0)) for name, each in tiles.items()}
    sheet = as_one_sheet(flat, float(settings["simplify"]))
    drawn = {name: rings_of(shape) for name, shape in sheet.items()}
    outlines = meet_in_corners(drawn, float(settings["shortest_border"]))
    corrections, _ = load_data(source / "corrections.yaml")
    borders = correct(measure(outlines), corrections, {name: index for index, name in enumerate(outlines)})
    at_sea = {row["name"] for row in seas}
    labels = {name: label(name, rings, sea=name in at_sea) for name, rings in outlines.items()}
    thin = thinned(outlines, float(settings["thinning"]))
    return "".join(write_map(settings, provinces, seas, labels, borders, thin, (east - west, north - south)))


def thinned(outlines: Mapping[str, Rings], tolerance: float) -> dict[str, Rings]:
    """Outlines with fewer points, for drawing: who touches whom stays as it is, and so do the points they
    share.
    """
    shapes = [reduce(BaseGeometry.symmetric_difference, map(Polygon, rings)) for rings in outlines.values()]
    return dict(zip(outlines, map(rings_of, coverage_simplify(shapes, tolerance)), strict=True))


def _tiles(settings: Mapping[str, Any], source: Path, provinces: Rows, seas: Rows) -> dict[str, BaseGeometry]:
    """Every province and sea as a shape in km from the centre of the map, north up."""
    projection, land = land_of(settings, source / "coast.json")
    ashore = centres_of(provinces, projection, land, ashore=True)
    afloat = centres_of(seas, projection, land, ashore=False)
    islet = float(settings["islet"])
    water = box(*(float(each) for each in settings["frame"])).difference(land)
    return {
        **tile(ashore, land, float(settings["wander_land"]), islet, keep_all=True),
        **tile(afloat, water, float(settings["wander_sea"]), 0, keep_all=False),
    }


def land_of(settings: Mapping[str, Any], coast: Path) -> tuple[Projection, BaseGeometry]:
    """The projection, and the land in it as the map shows it."""
    longitude, latitude = (float(each) for each in settings["centre"])
    projection = Projection((longitude, latitude), float(settings["swell"]))
    frame = box(*(float(each) for each in settings["frame"]))
    window = box(*settings["window"]).difference(unary_union([box(*each) for each in settings["left_out"]]))
    land = project_land(read_land(coast), projection, window)
    land = smooth(land, float(settings["narrowest_water"]), float(settings["smallest_lake"])).intersection(
        frame
    )
    land = dig(land, settings["channels"], projection)
    smallest = float(settings["smallest_island"])
    return projection, MultiPolygon([part for part in land.geoms if part.area >= smallest])


def centres_of(
    rows: Rows, projection: Projection, land: BaseGeometry, *, ashore: bool
) -> dict[str, list[Point]]:
    """The points of each place: its centre, which must lie where it belongs, and the others that it
    reaches out to.
    """
    centres: dict[str, list[Point]] = {}
    wrong = []
    for row in rows:
        centre = projection(float(row["longitude"]), float(row["latitude"]))
        if row["name"] in centres:
            wrong.append(f"{row['name']} stands twice")
        if (land.distance(Dot(centre)) > ASHORE_KM) if ashore else land.contains(Dot(centre)):
            wrong.append(f"the centre of {row['name']} is {'at sea' if ashore else 'on land'}")
        others = [
            tuple(float(each) for each in point.split()) for point in row["reach"].split(";") if point.strip()
        ]
        centres[row["name"]] = [centre, *(projection(x, y) for x, y in others)]
    if wrong:
        raise ValueError("\n".join(wrong))
    return centres


def rings_of(shape: BaseGeometry) -> Rings:
    """Every ring of a shape in whole units, the largest part first."""
    parts: list[Polygon] = sorted(getattr(shape, "geoms", [shape]), key=lambda part: -part.area)
    rings = (ring for part in parts for ring in (part.exterior, *part.interiors))
    return [[(round(x), round(y)) for x, y in ring.coords[:-1]] for ring in rings]
