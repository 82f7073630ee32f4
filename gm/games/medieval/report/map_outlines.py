"""The constant parts of a map's drawing: outlines, names, peaks and rocks at barriers, and straits."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from math import hypot

import msgspec

from gm.games.medieval.data.atlas import Atlas, Barrier, Location, Point
from gm.games.medieval.report import map_geometry as geometry
from gm.games.medieval.report import map_marks as marks
from gm.text.pages import cached_text

FixedParts = tuple[list[str], dict[str, geometry.NameText], list[tuple[str, float, list[Point]]]]
"""The path of each place, the text of each name, and for each barrier its symbol, scale and points."""


def fixed_parts(atlas: Atlas, unit: float) -> FixedParts:
    """Return the parts of a map's drawing that are the same in every turn, cached for the same map."""

    def made() -> str:
        grid = geometry.drawing_grid(atlas)
        paths = [geometry.path_data(place.outline, grid) for place in atlas.locations.values()]
        return msgspec.json.encode(
            (paths, geometry.name_texts(atlas, unit), list(_barriers(atlas, unit)))
        ).decode()

    made_from = sha256(msgspec.json.encode((atlas.width, unit, atlas.locations, atlas.borders))).hexdigest()
    fixed: FixedParts = msgspec.json.decode(cached_text("outlines", made_from, made), type=FixedParts)
    return fixed


def _barriers(atlas: Atlas, unit: float) -> Iterator[tuple[str, float, list[Point]]]:
    """Yield (symbol, scale, points) of peaks along closed land borders and of rocks before closed coasts."""
    for kind, step, size, aside in (
        (Barrier.MOUNTAINS, unit * 1.25, unit / 17, 0.0),
        (Barrier.REEFS, unit * 1.3, unit / 19, unit * 0.6),
    ):
        points: list[Point] = []
        for border in atlas.borders:
            if border.barrier is kind:
                a = atlas.locations[border.a]
                b = atlas.locations[border.b]
                points += _along(*((b, a) if a.sea else (a, b)), step=step, aside=aside)
        yield marks.BARRIERS[kind][0], size, points


def _along(a: Location, b: Location, *, step: float, aside: float) -> list[Point]:
    """Return points along the border of two places, every ``step``, at a distance ``aside`` inside ``b``."""
    all_points = chain.from_iterable(
        geometry.points_along(line, step) for line in geometry.shared_lines(a, b)
    )
    points = []
    for (x, y), (dx, dy) in sorted(all_points, key=lambda point: point[0][1]):
        side = aside if geometry.inside((x - dy * aside, y + dx * aside), b.outline) else -aside
        points.append((x - dy * side, y + dx * side))
    return points


def strait_line(a: Location, b: Location, unit: float) -> str:
    """Return the path of the line between two places of a strait, long enough to be seen."""
    (x1, y1), (x2, y2) = geometry.nearest_points(a, b)
    size = max(hypot(x2 - x1, y2 - y1), 1)
    reach = max(0.0, unit * 2.2 - size) / 2 / size
    x = (x2 - x1) * reach
    y = (y2 - y1) * reach
    return "M" + " ".join(geometry.point(*end) for end in ((x1 - x, y1 - y), (x2 + x, y2 + y)))
