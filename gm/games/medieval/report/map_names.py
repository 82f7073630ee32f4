"""Positions of the names of realms on the map.

Each runs along the realm's largest connected land, on a slightly bent line through the middle of it, as large
as the land is wide and no longer than the land (W4).
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain, pairwise
from math import atan2, cos, hypot, sin, sqrt

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas, Location, Point
from gm.games.medieval.report.map_geometry import Box, NameText, inside, text_width
from gm.games.medieval.report.map_lanes import LandFrame, Lane, label_boxes, lanes
from gm.games.medieval.state import World

_SMALLEST = 1.9  # font sizes, in those of places' names: from this one
_LARGEST = 7.0  # to this one
_SPREAD = 0.7  # letters stand no further apart, in font sizes
_FILLED = 0.85  # how much of the land's length a name takes
_THICK = 0.38  # the font size, as a part of how wide the land is across the name
_STEPS = 12  # how many points of the line are looked at on either side of its middle
_BEND = 0.1  # how far the line bulges at most, as a part of half its length
_STEEP = 1.0  # no name stands steeper, in radians

Weights = list[tuple[float, float, float]]  # area, and the two coordinates of its middle


class RealmName(Record):
    """A realm's ``text`` in letters of ``size``, ``spacing`` apart, centred on the curve ``line``.

    ``free``: no name of a place lies in its way.
    """

    code: str
    text: str
    line: str
    size: int
    spacing: int
    free: bool = False


def realm_names(
    atlas: Atlas, world: World, unit: float, places: Mapping[str, NameText]
) -> Iterator[RealmName]:
    """Yield the names of all realms that have land.

    ``unit`` is the font size of places' names, ``places`` are these names as they are drawn.
    """
    owned: dict[str, list[str]] = {}
    for name, land in world.provinces.items():
        owned.setdefault(land.owner, []).append(name)
    of_realms = chain.from_iterable(owned.get(code, ()) for code in atlas.realms)
    areas = {name: _area(atlas.locations[name]) for name in of_realms}
    boxes = label_boxes(atlas, world, unit, places)
    for code in atlas.realms:
        if code in owned:
            largest = max(
                _connected(owned[code], atlas), key=lambda part: sum(areas[name][0] for name in part)
            )
            spine = _Spine([atlas.locations[name] for name in largest], [areas[name] for name in largest])
            text = world.realms[code].name.upper()
            yield _between_labels(code, text, spine, list(boxes.values()), unit) or _fitted(
                code, text, spine, unit
            )


def _connected(names: list[str], atlas: Atlas) -> Iterator[list[str]]:
    """Yield the connected groups of these provinces."""
    # mountains between two lands are no gap in a name, a strait is
    straits = {(border.a, border.b) for border in atlas.borders if border.strait}
    straits |= {(b, a) for a, b in straits}
    names_left = dict.fromkeys(names)
    while names_left:
        part = [names_left.popitem()[0]]
        for name in part:
            for other in atlas.graph.neighbours(name):
                if other in names_left and (name, other) not in straits:
                    del names_left[other]
                    part.append(other)
        yield part


def _area(place: Location) -> tuple[float, Point]:
    """Return the area of a place's largest part and its middle; its label where it has no outline."""
    if not place.outline:
        return 1.0, place.label
    ring = place.outline[0]
    whole = x = y = 0.0
    for (x1, y1), (x2, y2) in pairwise((*ring, ring[0])):
        cross = x1 * y2 - x2 * y1
        whole = whole + cross
        x = x + (x1 + x2) * cross
        y = y + (y1 + y2) * cross
    return (abs(whole) / 2, (x / whole / 3, y / whole / 3)) if whole else (1.0, place.label)


class _Spine:
    """The line through the middle of some lands: ``turn`` is its axis' direction, ``bend`` its curvature."""

    def __init__(self, lands: list[Location], areas: list[tuple[float, Point]]) -> None:
        """Fit a parabola to the middles of the lands by least squares, each as heavy as its area."""
        self.lands = lands
        self.whole = sum(area for area, _ in areas)
        self.x = sum(area * x for area, (x, _) in areas) / self.whole
        self.y = sum(area * y for area, (_, y) in areas) / self.whole
        away = [(area, x - self.x, y - self.y) for area, (x, y) in areas]
        # the land of a place is spread around its middle, about as that of a square is
        own_spread = sum(area * area for area, _, _ in away) / 12
        self._fit_axis(away, own_spread)
        along = [(area, *self._turned(x, y, -self.turn)) for area, x, y in away]
        self.long = sqrt(12 * (sum(area * u * u for area, u, _ in along) + own_spread) / self.whole)
        self.wide = sqrt(12 * (sum(area * v * v for area, _, v in along) + own_spread) / self.whole)
        self._fit_bend(along)

    def _fit_axis(self, away: Weights, own_spread: float) -> None:
        """Turn the axis to where the land is widest, at most ``_STEEP``: the main axis of its moments."""
        xx = sum(area * x * x for area, x, _ in away) + own_spread
        yy = sum(area * y * y for area, _, y in away) + own_spread
        xy = sum(area * x * y for area, x, y in away)
        self.turn = max(-_STEEP, min(_STEEP, atan2(2 * xy, xx - yy) / 2))

    def _fit_bend(self, along: Weights) -> None:
        """Bend the line, at most by ``_BEND``: ``v = bend * u * u + lift``, u along the axis, v across it."""
        mean = sum(area * u * u for area, u, _ in along) / self.whole
        spread = sum(area * (u * u - mean) ** 2 for area, u, _ in along)
        bend = sum(area * v * (u * u - mean) for area, u, v in along) / spread if spread else 0.0
        most = _BEND * 2 / self.long
        self.bend = max(-most, min(most, bend))
        self.lift = -self.bend * mean

    @staticmethod
    def _turned(x: float, y: float, turn: float) -> Point:
        return x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)

    def at(self, u: float, lift: float = 0.0) -> Point:
        """Return the point at distance ``u`` along the line's axis, ``lift`` above the line."""
        x, y = self._turned(u, self.lift + self.bend * u * u + lift, self.turn)
        return self.x + x, self.y + y

    @cached_property
    def run(self) -> tuple[float, float]:
        """The longest stretch of the line on the land, the first of equals."""
        step = self.long * 0.65 / _STEPS
        on_land = [self._holds(self.at(step_number * step)) for step_number in range(-_STEPS, _STEPS + 1)]
        longest = (0, 0)
        start = 0
        for end in range(len(on_land) + 1):
            if end == len(on_land) or not on_land[end]:
                longest = max(longest, (end - start, -start))
                start = end + 1
        length = longest[0]
        first = -longest[1] - _STEPS
        return (first * step, (first + length - 1) * step) if length > 1 else (-self.long / 2, self.long / 2)

    def holds(self, lane: Lane, length: float) -> bool:
        """Return whether a lane lies on the land, for a length around its middle."""
        along = cos(lane.turn)
        across = sin(lane.turn)
        steps = (length * eighth / 8 for eighth in range(-4, 5))
        points = [(lane.middle[0] + step * along, lane.middle[1] + step * across) for step in steps]
        below = lane.middle[0] - lane.drop * across, lane.middle[1] + lane.drop * along
        return self._holds(below) and all(map(self._holds, points))

    @cached_property
    def _rings(self) -> list[tuple[float, float, float, float, tuple[Point, ...]]]:
        """Every ring with the box around it: a quick test excludes most points."""
        rings_with_bounds = []
        for ring in chain.from_iterable(land.outline for land in self.lands):
            xs, ys = zip(*ring, strict=True)
            rings_with_bounds.append((min(xs), max(xs), min(ys), max(ys), ring))
        return rings_with_bounds

    def _holds(self, point: Point) -> bool:
        x, y = point
        near = [ring for left, right, top, low, ring in self._rings if left <= x <= right and top <= y <= low]
        return bool(near) and inside(point, near)


def _between_labels(code: str, text: str, spine: _Spine, boxes: list[Box], unit: float) -> RealmName | None:
    """Return the name between those of places, on the realm's own land; None if there is no room for it."""
    frame = LandFrame((spine.x, spine.y), spine.turn, spine.long, spine.wide)
    reach = hypot(spine.long, spine.wide)
    near = [box for box in boxes if abs(box.x - spine.x) < reach and abs(box.y - spine.y) < reach]
    width = text_width(text, 1) * 1.06
    largest = min(_LARGEST * unit, spine.wide * _THICK, spine.long * _FILLED / width)
    for lane in lanes(frame, near, width, (_SMALLEST * unit, largest)):
        spread = max(0.0, min(_SPREAD * lane.size, (lane.room - width * lane.size) / len(text)))
        lengths = (width * lane.size + gap * len(text) for gap in (spread, spread / 2, 0.0))
        length = next((candidate for candidate in lengths if spine.holds(lane, candidate)), None)
        if abs(lane.turn) > _STEEP or length is None:
            continue
        spacing = (length - width * lane.size) / len(text)
        half = (width * lane.size + spacing * len(text)) / 2 * 1.15  # a font that runs wider has room
        return RealmName(code, text, _straight(lane, half), int(lane.size), int(spacing), free=True)
    return None


def _straight(lane: Lane, half: float) -> str:
    """Return the data of an SVG path: a straight line of twice this length, in the middle of a lane."""
    along = cos(lane.turn)
    across = sin(lane.turn)
    x = lane.middle[0] - lane.drop * across
    y = lane.middle[1] + lane.drop * along
    ends = [f"{x + side * half * along:.0f},{y + side * half * across:.0f}" for side in (-1, 1)]
    return f"M{ends[0]}Q{x:.0f},{y:.0f} {ends[1]}"


def _fitted(code: str, text: str, spine: _Spine, unit: float) -> RealmName:
    """Return a name along a line, as large as it fits."""
    low, high = spine.run
    middle = (low + high) / 2
    room = (high - low) * _FILLED
    width = text_width(text, 1)
    size = min(_LARGEST * unit, max(_SMALLEST * unit, min(room / width, spine.wide * _THICK)))
    spacing = max(0.0, min(_SPREAD * size, (room - width * size) / max(1, len(text) - 1)))
    half = (width * size + spacing * len(text)) / 2 * 1.15  # a font that runs wider has room
    drop = size * 0.36  # letters stand on the line: their middle goes where the line was
    points = (spine.at(along, drop) for along in (middle - half, middle, middle + half))
    return RealmName(code, text, _curve(*points), round(size), round(spacing))


def _curve(start: Point, middle: Point, end: Point) -> str:
    """Return the data of an SVG path: a curve through these points."""
    bend_x = 2 * middle[0] - (start[0] + end[0]) / 2
    bend_y = 2 * middle[1] - (start[1] + end[1]) / 2
    return f"M{start[0]:.0f},{start[1]:.0f}Q{bend_x:.0f},{bend_y:.0f} {end[0]:.0f},{end[1]:.0f}"
