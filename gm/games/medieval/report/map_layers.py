"""The map's lower layers: sea, coast, land in its owners' colours, borders and what closes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, pi, sin

from gm.games.medieval.data.atlas import Atlas, Barrier, Border, Location, Point
from gm.games.medieval.report.map_geometry import (
    drawing_grid,
    inside,
    line_data,
    nearest_points,
    number,
    path_data,
    points_along,
    shared_lines,
)
from gm.games.medieval.report.map_style import INDEPENDENT, SEA, SEA_LINE
from gm.games.medieval.report.map_symbols import INK, MOUNTAIN, PAPER, ROCK, compass_rose

_RHUMB_LINES = 16
SEA_BORDERS = (
    f'class="seas" fill="{SEA}" fill-opacity="0" stroke="{INK}" stroke-width="1" stroke-opacity=".75" '
    'stroke-dasharray="1.5 4.5" stroke-linecap="round"'
)
"""The attributes of the layer of seas: seen by their borders alone, but there for a pointer."""


class Shapes:
    """The outlines of all places as definitions that the layers use by name."""

    def __init__(self, atlas: Atlas, prefix: str) -> None:
        self._atlas = atlas
        self._prefix = prefix
        self._ids = {name: f"{prefix}-p{index}" for name, index in atlas.place_order.items()}

    def use(self, name: str, attributes: str, inside: str = "") -> str:
        """A place's outline, drawn with these attributes."""
        return f'<use href="#{self._ids[name]}" {attributes}' + (f">{inside}</use>" if inside else "/>")

    def clip(self, name: str) -> str:
        """The attribute that keeps a drawing inside a province."""
        return f'clip-path="url(#{self._ids[name]}c)"'

    @property
    def land(self) -> str:
        """The name of all land as one shape."""
        return f"{self._prefix}-land"

    def definitions(self) -> Iterator[str]:
        grid = drawing_grid(self._atlas)
        for name, place in self._atlas.locations.items():
            own = self._ids[name]
            yield f'<path id="{own}" fill-rule="evenodd" d="{path_data(place.outline, grid)}"/>'
            if not place.sea:
                yield f'<clipPath id="{own}c"><use href="#{own}"/></clipPath>'
        yield f'<g id="{self.land}">{"".join(self.use(name, "") for name in self._atlas.provinces)}</g>'


def sea_layer(atlas: Atlas, shapes: Shapes, prefix: str, details: Mapping[str, str]) -> Iterator[str]:
    """Water, rhumb lines from the compass, borders of seas, and lines of light water along the coast."""
    yield water(atlas)
    yield f"<g {SEA_BORDERS}>"
    for name in atlas.seas:
        yield shapes.use(name, "", f"<title>{details[name]}</title>")
    yield "</g>"
    yield from coast_layer(atlas, shapes)


def water(atlas: Atlas) -> str:
    """The sheet in the colour of the sea."""
    return f'<rect class="water" width="{number(atlas.width)}" height="{number(atlas.height)}" fill="{SEA}"/>'


def coast_layer(atlas: Atlas, shapes: Shapes) -> Iterator[str]:
    """Rhumb lines from the compass, lines of light water along the coast, and the compass."""
    if atlas.compass:
        yield f'<g class="still rhumb" stroke="{SEA_LINE}" stroke-width=".6" opacity=".55">'
        yield "".join(_rhumb_lines(atlas, atlas.compass))
        yield "</g>"
    for width, colour in ((22, "#cfe0dd"), (15, "#a9c5c7"), (13, "#d5e4e0"), (7, "#93b4b8"), (5.4, "#dfeae5")):
        yield (
            f'<use class="still shore" href="#{shapes.land}" fill="none" stroke="{colour}" stroke-width="{width}" '
            'stroke-linejoin="round" stroke-opacity=".75"/>'
        )
    if atlas.compass:
        x, y = atlas.compass
        yield (
            f'<g class="still" transform="translate({number(x)},{number(y)})">'
            f"{compass_rose(min(atlas.width, atlas.height) * 0.042)}</g>"
        )


def _rhumb_lines(atlas: Atlas, centre: Point) -> Iterator[str]:
    x, y = centre
    far = atlas.width + atlas.height
    for index in range(_RHUMB_LINES):
        angle = 2 * pi * index / _RHUMB_LINES
        yield f'<path d="M{number(x)},{number(y)}L{number(x + far * sin(angle))},{number(y - far * cos(angle))}"/>'


def land_layer(
    atlas: Atlas, shapes: Shapes, colours: Mapping[str, str], hatches: Mapping[str, str], details: Mapping[str, str]
) -> Iterator[str]:
    """Provinces on paper, washed in their owners' colours with a stronger rim, then the black borders.

    ``colours`` and ``hatches`` are by province; independents have none.
    """
    yield ground(shapes)
    for name in atlas.provinces:
        colour = colours.get(name)
        wash = f'fill="{colour or INDEPENDENT}" fill-opacity="{0.5 if colour else 1}"'
        yield f"<g><title>{details[name]}</title>{shapes.use(name, wash)}"
        if colour:
            rim = f'fill="none" stroke="{colour}" stroke-width="13" stroke-opacity=".62" {shapes.clip(name)}'
            yield shapes.use(name, rim)
        if name in hatches:
            yield shapes.use(name, f'fill="url(#{hatches[name]})"')
        yield "</g>"
    yield from border_layer(atlas, shapes)


def ground(shapes: Shapes) -> str:
    """All land as blank paper with its shore."""
    return (
        f'<use class="ground" href="#{shapes.land}" fill="{PAPER}" stroke="{INK}" stroke-width="3.4" '
        'stroke-linejoin="round"/>'
    )


def border_layer(atlas: Atlas, shapes: Shapes) -> Iterator[str]:
    """The black borders of the provinces."""
    yield f'<g class="still borders" fill="none" stroke="{INK}" stroke-width="1.3" stroke-linejoin="round">'
    yield from (shapes.use(name, "") for name in atlas.provinces)
    yield "</g>"


def barrier_layer(atlas: Atlas, unit: float) -> Iterator[str]:
    """Peaks along closed land borders, rocks before closed coasts, dotted ways over straits."""
    yield '<g class="still barriers">'
    for border in atlas.borders:
        a, b = atlas.locations[border.a], atlas.locations[border.b]
        if border.strait:
            yield _strait(a, b, unit)
        elif border.barrier is Barrier.MOUNTAINS:
            yield from _along(border, a, b, MOUNTAIN, step=unit * 1.25, scale=unit / 17, aside=0)
        elif border.barrier is Barrier.REEFS:
            land, sea = (b, a) if a.sea else (a, b)
            yield from _along(border, land, sea, ROCK, step=unit * 1.3, scale=unit / 19, aside=unit * 0.6)
    yield "</g>"


def _along(
    border: Border, a: Location, b: Location, symbol: str, *, step: float, scale: float, aside: float
) -> Iterator[str]:
    """A symbol again and again along the border of two places, ``aside`` of it on the side of ``b``."""
    found = [each for line in shared_lines(a, b) for each in points_along(line, step)]
    for (x, y), (dx, dy) in sorted(found, key=lambda each: each[0][1]):
        side = 1 if inside((x - dy * aside, y + dx * aside), b.outline) else -1
        at = f"{number(x - dy * aside * side)},{number(y + dx * aside * side)}"
        yield f'<g transform="translate({at})scale({scale:.2f})">{symbol}</g>'


def _strait(a: Location, b: Location, unit: float) -> str:
    """A dotted line over the water between two shores."""
    start, end = nearest_points(a, b)
    (x1, y1), (x2, y2) = start, end
    size = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1)
    reach = max(0.0, unit * 2.2 - size) / 2 / size
    line = ((x1 - (x2 - x1) * reach, y1 - (y2 - y1) * reach), (x2 + (x2 - x1) * reach, y2 + (y2 - y1) * reach))
    return (
        f'<path d="{line_data(line)}" stroke="{INK}" stroke-width="{number(unit * 0.3)}" stroke-linecap="round" '
        f'stroke-dasharray="0 {number(unit * 0.42)}" fill="none"/>'
    )
