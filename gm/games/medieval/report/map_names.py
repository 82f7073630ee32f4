"""Positions of the names of realms on the map.

Each runs along the realm's largest connected land, on a slightly bent line through the middle of it, as large
as the land is wide and no longer than the land (W4).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, pairwise
from math import atan2, cos, hypot, sin, sqrt

from gm.core.values import Record, grouped
from gm.games.medieval.data.atlas import Atlas, Location, Point
from gm.games.medieval.report.map_geometry import Box, NameText, inside, text_width
from gm.games.medieval.report.map_lanes import LandFrame, Lane, label_boxes, lanes
from gm.games.medieval.state import World

_SMALLEST = 1.9  # the smallest font size of realms' names, in font sizes of places' names
_LARGEST = 7.0  # the largest
_SPREAD = 0.7  # how far apart letters stand at most, in font sizes
_FILLED = 0.85  # how much of the land's length a name takes at most
_THICK = 0.38  # the largest font size, as a part of how wide the land is across the name
_STEPS = 12  # how many points of the line are tried on either side of its middle
_BEND = 0.1  # how far the line bulges at most, as a part of half its length
_STEEP = 1.0  # no name stands steeper, in radians

# (area, x, y) of each place; x and y are its middle, seen from the middle of the land
Weights = list[tuple[float, float, float]]


class RealmName(Record):
    """A realm's name on the map: ``text`` in letters of font size ``size``, ``spacing`` apart.

    It is centred on ``line``, the data of an SVG path. ``free``: no name of a place lies in its way.
    """

    code: str
    text: str
    line: str
    size: int
    spacing: int
    free: bool = False


def realm_names(
    atlas: Atlas, world: World, font_size: float, places: Mapping[str, NameText]
) -> Iterator[RealmName]:
    """Yield the names of all realms that have land.

    ``font_size``: of places' names, in map units; ``places``: these names as they are drawn, by place.
    """
    owned = grouped(world.provinces, lambda name: world.provinces[name].owner)
    lands_of_realms = chain.from_iterable(owned.get(code, ()) for code in atlas.realms)
    areas = {name: _area(atlas.locations[name]) for name in lands_of_realms}
    boxes = list(label_boxes(atlas, world, font_size, places).values())
    for code in atlas.realms:
        if code in owned:
            largest = max(
                _connected_groups(owned[code], atlas), key=lambda group: sum(areas[name][0] for name in group)
            )
            lands = [atlas.locations[name] for name in largest]
            middle_line = _MiddleLine(lands, [areas[name] for name in largest])
            text = world.realms[code].name.upper()
            # over the names of places only where there is no room between them
            between_labels = _between_labels(code, text, middle_line, boxes, font_size)
            yield between_labels or _fitted(code, text, middle_line, font_size)


def _connected_groups(names: Iterable[str], atlas: Atlas) -> Iterator[list[str]]:
    """Yield the connected groups of these provinces: a name may cross mountains, but no strait."""
    straits = {(border.a, border.b) for border in atlas.borders if border.strait}
    straits |= {(b, a) for a, b in straits}
    names_left = dict.fromkeys(names)
    while names_left:
        group = [names_left.popitem()[0]]
        for name in group:  # which grows meanwhile
            for other in atlas.graph.neighbours(name):
                if other in names_left and (name, other) not in straits:
                    del names_left[other]
                    group.append(other)
        yield group


def _area(place: Location) -> tuple[float, Point]:
    """Return (area, middle) of a place's first ring, the largest; (1, the label) if it has no area."""
    if not place.outline:
        return 1.0, place.label
    ring = place.outline[0]
    # the formulas for the area and the centroid of a polygon; the signs depend on the direction of its points
    double_area = x = y = 0.0
    for (x1, y1), (x2, y2) in pairwise((*ring, ring[0])):
        cross = x1 * y2 - x2 * y1
        double_area = double_area + cross
        x = x + (x1 + x2) * cross
        y = y + (y1 + y2) * cross
    if not double_area:
        return 1.0, place.label
    return abs(double_area) / 2, (x / double_area / 3, y / double_area / 3)


class _MiddleLine:
    """The line through the middle of some lands, a parabola, along which a name can be written.

    ``x``, ``y``: the middle of the lands; ``turn``: the direction of the parabola's axis there, in radians;
    ``bend`` and ``lift``: its curvature, and how far it is from the middle. ``long``, ``wide``: how far the
    lands extend along the axis and across it.
    """

    def __init__(self, lands: list[Location], areas: list[tuple[float, Point]]) -> None:
        """Fit a parabola to the (area, middle) of each land by least squares, each as heavy as its area."""
        self.lands = lands
        self.whole = sum(area for area, _ in areas)
        self.x = sum(area * x for area, (x, _) in areas) / self.whole
        self.y = sum(area * y for area, (_, y) in areas) / self.whole
        away = [(area, x - self.x, y - self.y) for area, (x, y) in areas]
        # the moments of the places' own lands around their middles, as if each were a square
        own_spread = sum(area * area for area, _, _ in away) / 12
        self._fit_axis(away, own_spread)
        along = [(area, *self._turned(x, y, -self.turn)) for area, x, y in away]
        # as of a rectangle: its moment along a side is its area times the square of that side, divided by 12
        self.long = sqrt(12 * (sum(area * u * u for area, u, _ in along) + own_spread) / self.whole)
        self.wide = sqrt(12 * (sum(area * v * v for area, _, v in along) + own_spread) / self.whole)
        self._fit_bend(along)

    def _fit_axis(self, away: Weights, own_spread: float) -> None:
        """Set ``turn``: the direction in which the land extends furthest, at most ``_STEEP`` from level.

        It is the main axis of the land's moments. ``away``: (area, x, y) of each place, from the middle of
        all; ``own_spread``: the sum of the places' own moments.
        """
        xx = sum(area * x * x for area, x, _ in away) + own_spread
        yy = sum(area * y * y for area, _, y in away) + own_spread
        xy = sum(area * x * y for area, x, y in away)
        self.turn = max(-_STEEP, min(_STEEP, atan2(2 * xy, xx - yy) / 2))

    def _fit_bend(self, along: Weights) -> None:
        """Set ``bend``, at most by ``_BEND``, and ``lift``: ``v = bend * u * u + lift``.

        ``along``: (area, u, v) of each land, u along the axis and v across it.
        """
        mean = sum(area * u * u for area, u, _ in along) / self.whole
        spread = sum(area * (u * u - mean) ** 2 for area, u, _ in along)
        bend = sum(area * v * (u * u - mean) for area, u, v in along) / spread if spread else 0.0
        # at half the length it is ``_BEND`` of that half away from the straight line
        most = _BEND * 2 / self.long
        self.bend = max(-most, min(most, bend))
        self.lift = -self.bend * mean

    @staticmethod
    def _turned(x: float, y: float, turn: float) -> Point:
        """Return a point turned around the origin by an angle in radians."""
        return x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)

    def at(self, u: float, drop: float = 0.0) -> Point:
        """Return the map's point at ``u`` along the axis from the middle, ``drop`` below the line."""
        x, y = self._turned(u, self.lift + self.bend * u * u + drop, self.turn)
        return self.x + x, self.y + y

    @cached_property
    def run(self) -> tuple[float, float]:
        """(start, end), along the axis, of the longest stretch of the line on the land, the first of equals.

        If the line is nowhere on the land for two tried points in a row, it is a stretch as long as the land.
        """
        step = self.long * 0.65 / _STEPS  # the points reach a little beyond both ends of the land
        on_land = [self._holds(self.at(number * step)) for number in range(-_STEPS, _STEPS + 1)]
        # (number of points, minus the index of the first one): of equal stretches the first is the greatest
        longest = (0, 0)
        start = 0
        for end in range(len(on_land) + 1):
            if end == len(on_land) or not on_land[end]:
                longest = max(longest, (end - start, -start))
                start = end + 1
        length = longest[0]
        if length <= 1:
            return -self.long / 2, self.long / 2
        first = -longest[1] - _STEPS
        return first * step, (first + length - 1) * step

    def holds(self, lane: Lane, length: float) -> bool:
        """Return whether nine points along a lane, for a length around its middle, are on the land.

        The middle of the letters' base line has to be, too.
        """
        cosine = cos(lane.turn)
        sine = sin(lane.turn)
        distances = (length * eighth / 8 for eighth in range(-4, 5))
        points = [(lane.middle[0] + step * cosine, lane.middle[1] + step * sine) for step in distances]
        below = lane.middle[0] - lane.drop * sine, lane.middle[1] + lane.drop * cosine
        return self._holds(below) and all(map(self._holds, points))

    @cached_property
    def _rings(self) -> list[tuple[float, float, float, float, tuple[Point, ...]]]:
        """(left, right, top, bottom, points) of each ring: the box around it quickly excludes most points."""
        rings_with_bounds = []
        for ring in chain.from_iterable(land.outline for land in self.lands):
            xs, ys = zip(*ring, strict=True)
            rings_with_bounds.append((min(xs), max(xs), min(ys), max(ys), ring))
        return rings_with_bounds

    def _holds(self, point: Point) -> bool:
        """Return whether a point is on the land."""
        x, y = point
        near = [ring for left, right, top, low, ring in self._rings if left <= x <= right and top <= y <= low]
        return bool(near) and inside(point, near)


def _between_labels(
    code: str, text: str, middle_line: _MiddleLine, boxes: list[Box], font_size: float
) -> RealmName | None:
    """Return a realm's name in a straight lane between the names of places; None if there is no room for it.

    ``boxes``: of places' names. The letters are on the realm's own land.
    """
    frame = LandFrame((middle_line.x, middle_line.y), middle_line.turn, middle_line.long, middle_line.wide)
    reach = hypot(middle_line.long, middle_line.wide)
    near = [box for box in boxes if abs(box.x - middle_line.x) < reach and abs(box.y - middle_line.y) < reach]
    # a little more than the approximate width, so that the name does not touch others
    width = text_width(text, 1) * 1.06  # in font sizes, as are ``_SPREAD`` and ``_LARGEST``
    largest = min(_LARGEST * font_size, middle_line.wide * _THICK, middle_line.long * _FILLED / width)
    for lane in lanes(frame, near, width, (_SMALLEST * font_size, largest)):
        widest = max(0.0, min(_SPREAD * lane.size, (lane.room - width * lane.size) / len(text)))
        lengths = (width * lane.size + spacing * len(text) for spacing in (widest, widest / 2, 0.0))
        length = next((candidate for candidate in lengths if middle_line.holds(lane, candidate)), None)
        if abs(lane.turn) > _STEEP or length is None:
            continue
        spacing = (length - width * lane.size) / len(text)
        half = (width * lane.size + spacing * len(text)) / 2 * 1.15  # a font that runs wider has room
        return RealmName(code, text, _straight(lane, half), int(lane.size), int(spacing), free=True)
    return None


def _straight(lane: Lane, half: float) -> str:
    """Return the SVG path's data of a lane's base line, ``half`` to either side of its middle."""
    cosine = cos(lane.turn)
    sine = sin(lane.turn)
    x = lane.middle[0] - lane.drop * sine
    y = lane.middle[1] + lane.drop * cosine
    ends = [f"{x + side * half * cosine:.0f},{y + side * half * sine:.0f}" for side in (-1, 1)]
    return f"M{ends[0]}Q{x:.0f},{y:.0f} {ends[1]}"


def _fitted(code: str, text: str, middle_line: _MiddleLine, font_size: float) -> RealmName:
    """Return a realm's name along the middle line of its land, as large as it fits, over names of places."""
    start, end = middle_line.run
    middle = (start + end) / 2
    room = (end - start) * _FILLED
    width = text_width(text, 1)
    size = min(_LARGEST * font_size, max(_SMALLEST * font_size, min(room / width, middle_line.wide * _THICK)))
    spacing = max(0.0, min(_SPREAD * size, (room - width * size) / max(1, len(text) - 1)))
    half = (width * size + spacing * len(text)) / 2 * 1.15  # a font that runs wider has room
    drop = size * 0.36  # letters stand on the line: their middle goes where the line was
    points = (middle_line.at(along, drop) for along in (middle - half, middle, middle + half))
    return RealmName(code, text, _curve(*points), round(size), round(spacing))


def _curve(start: Point, middle: Point, end: Point) -> str:
    """Return the data of an SVG path: a curve through these points."""
    bend_x = 2 * middle[0] - (start[0] + end[0]) / 2
    bend_y = 2 * middle[1] - (start[1] + end[1]) / 2
    return f"M{start[0]:.0f},{start[1]:.0f}Q{bend_x:.0f},{bend_y:.0f} {end[0]:.0f},{end[1]:.0f}"
