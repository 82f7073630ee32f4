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
"""The places' outlines as data of SVG paths, names by place, and (symbol, scale, points) of barriers."""


def fixed_parts(atlas: Atlas, font_size: float) -> FixedParts:
    """Return the parts of a map's drawing that are the same in every turn, cached on disk.

    ``font_size``: of names that have room, in map units.
    """

    def encoded_parts() -> str:
        """Return the parts as JSON, to be cached as text."""
        grid = geometry.drawing_grid(atlas)
        paths = [geometry.path_data(place.outline, grid) for place in atlas.locations.values()]
        return msgspec.json.encode(
            (paths, geometry.name_texts(atlas, font_size), list(_barriers(atlas, font_size)))
        ).decode()

    made_from = sha256(
        msgspec.json.encode((atlas.width, font_size, atlas.locations, atlas.borders))
    ).hexdigest()
    text = cached_text("outlines", made_from, encoded_parts)
    parts: FixedParts = msgspec.json.decode(text, type=FixedParts)
    return parts


def _barriers(atlas: Atlas, font_size: float) -> Iterator[tuple[str, float, list[Point]]]:
    """Yield (symbol, scale, points) of peaks along closed land borders, and of rocks off closed coasts."""
    for kind, step, scale, aside in (
        (Barrier.MOUNTAINS, font_size * 1.25, font_size / 17, 0.0),
        (Barrier.REEFS, font_size * 1.3, font_size / 19, font_size * 0.6),
    ):
        points: list[Point] = []
        for border in atlas.borders:
            if border.barrier is kind:
                a = atlas.locations[border.a]
                b = atlas.locations[border.b]
                if a.sea:
                    a, b = b, a  # rocks stand in the second place
                points += _along(a, b, step=step, aside=aside)
        symbol, _ = marks.BARRIERS[kind]
        yield symbol, scale, points


def _along(a: Location, b: Location, *, step: float, aside: float) -> list[Point]:
    """Return points about every ``step`` along the border of two places, ``aside`` away from it inside ``b``.

    They come from north to south, so that each symbol is drawn over those behind it.
    """
    all_points = chain.from_iterable(
        geometry.points_along(line, step) for line in geometry.shared_lines(a, b)
    )
    points = []
    for (x, y), (dx, dy) in sorted(all_points, key=lambda point: point[0][1]):
        # (-dy, dx) is at a right angle to the border
        is_inside = geometry.inside((x - dy * aside, y + dx * aside), b.outline)
        distance = aside if is_inside else -aside
        points.append((x - dy * distance, y + dx * distance))
    return points


def strait_line(a: Location, b: Location, font_size: float) -> str:
    """Return the SVG path's data of the line between two places of a strait, at least 2.2 font sizes long."""
    (x1, y1), (x2, y2) = geometry.nearest_points(a, b)
    length = max(hypot(x2 - x1, y2 - y1), 1)
    lengthening = max(0.0, font_size * 2.2 - length) / 2 / length  # at each end, as a part of the length
    x = (x2 - x1) * lengthening
    y = (y2 - y1) * lengthening
    return "M" + " ".join(geometry.point(*end) for end in ((x1 - x, y1 - y), (x2 + x, y2 + y)))
