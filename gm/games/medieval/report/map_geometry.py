"""Outlines on the map, common borders, the view around some places, and the positions of names."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby, pairwise, product
from math import hypot, sqrt

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas, Location, Point

Line = tuple[Point, ...]

LINE = 1.02  # the distance of two lines of a name, in font sizes
# the widths of letters, in font sizes: of some, of other capitals and of all others
_WIDTHS = {
    **dict.fromkeys("iljI.,'|!", 0.31),
    **dict.fromkeys("ftr-() ", 0.38),
    **dict.fromkeys("mwMW", 0.95),
}
_CAPITAL = 0.74
_OTHER = 0.57
_SMALLEST = 0.68  # how small a name may become, as a part of the usual font size
_BREAK_FROM = 9  # names of fewer letters stay on one line
_MARKERS_A_ROW = 3
_CODED_A_ROW = 2  # of markers with a realm's code in them
# the font size of names, as a part of the side of the square that each place in view would have
FONT_SIZE_OF_CELL = 0.112
_LARGEST_CLOSE_FONT = 2.5  # how many times as large as on the whole map the text of a close view may become


def number(value: float) -> str:
    """Return a coordinate as short as it can be written, to a tenth."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def point(x: float, y: float) -> str:
    """Return a point's coordinates as text."""
    return f"{number(x)},{number(y)}"


def drawing_grid(atlas: Atlas) -> float:
    """Return the step of the grid on which outlines are drawn, in map units.

    On a large map it is about a two-thousandth of the width, too fine to see; on a small one it is 0.1.
    """
    return max(1.0, float(round(atlas.width / 2000))) if atlas.width >= 1000 else 0.1


def on_grid(atlas: Atlas) -> Atlas:
    """Return a map whose coordinates count the steps of its drawing's grid, so that they have fewer digits.

    A map whose grid has steps of 1 or less is returned unchanged.
    """
    grid = drawing_grid(atlas)
    if grid <= 1:
        return atlas

    def scaled(point: Point) -> Point:
        """Return a point in steps of the grid."""
        return point[0] / grid, point[1] / grid

    def scaled_ring(ring: Line) -> Line:
        """Return a ring in steps of the grid."""
        return tuple([(x / grid, y / grid) for x, y in ring])

    locations = {
        name: place.evolve(label=scaled(place.label), outline=tuple(map(scaled_ring, place.outline)))
        for name, place in atlas.locations.items()
    }
    compass = scaled(atlas.compass) if atlas.compass else None
    return atlas.evolve(
        width=atlas.width / grid, height=atlas.height / grid, compass=compass, locations=locations
    )


def path_data(rings: Iterable[Line], grid: float = 0.1) -> str:
    """Return rings as an SVG path's data: a point, then the short steps from point to point.

    Points are drawn at the nearest multiples of ``grid``, so that outlines that share points still do.
    """
    return "".join(_ring_data(ring, grid) for ring in rings)


def _ring_data(ring: Line, grid: float) -> str:
    """Return a ring as the data of an SVG path, on a grid; empty for a point."""
    # the steps add up exactly, as the points are rounded and not the steps
    points = ((round(x / grid), round(y / grid)) for x, y in ring)
    distinct_points = [point for point, _ in groupby(points)]
    if len(distinct_points) == 1:
        return ""  # an island that is a point at this grid
    steps = ((x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(distinct_points))
    return f"M{_numbers([distinct_points[0]], grid)}l{_numbers(steps, grid)}z"


def _numbers(points: Iterable[tuple[int, int]], grid: float) -> str:
    """Return points in grid steps as the text of their coordinates, separated by spaces or minus signs."""
    return " ".join(number(coordinate * grid) for coordinate in chain.from_iterable(points)).replace(
        " -", "-"
    )


def shared_lines(a: Location, b: Location) -> tuple[Line, ...]:
    """Return the lines along which the outlines of two places touch.

    There the two outlines have the very same points, maybe in opposite order.
    """
    other_sides = {frozenset(side) for side in chain.from_iterable(map(_sides, b.outline))}
    lines: list[Line] = []
    for ring in a.outline:
        sides = list(_sides(ring))
        is_shared = [frozenset(side) in other_sides for side in sides]
        # begin where a shared line begins, lest the ring's first point cut a line in two
        start = next(
            (index for index in range(len(sides)) if is_shared[index] and not is_shared[index - 1]), 0
        )
        for run_is_shared, run in groupby((*range(start, len(sides)), *range(start)), is_shared.__getitem__):
            run_sides = [sides[index] for index in run]
            if run_is_shared:
                lines.append((run_sides[0][0], *(end for _, end in run_sides)))
    return tuple(lines)


def _sides(ring: Line) -> Iterator[tuple[Point, Point]]:
    """Return the sides of a ring as (point, next point); the last one leads back to the first point."""
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def points_along(line: Line, step: float) -> Iterator[tuple[Point, Point]]:
    """Yield (point, direction as a vector of length 1) about every ``step`` along a line.

    The points are evenly spread, the first and the last half a step away from the line's ends.
    """
    whole = sum(hypot(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(line))
    if whole == 0:
        return
    count = max(1, round(whole / step))
    distances = [whole * (index + 0.5) / count for index in range(count)]  # of the points, from the start
    walked = 0.0
    for (x1, y1), (x2, y2) in pairwise(line):
        side = hypot(x2 - x1, y2 - y1)
        while distances and side and distances[0] <= walked + side:
            part = (distances.pop(0) - walked) / side
            yield (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part), ((x2 - x1) / side, (y2 - y1) / side)
        walked += side


def nearest_points(a: Location, b: Location) -> tuple[Point, Point]:
    """Return the two points of two outlines that are nearest to each other: the ends of a strait."""
    pairs = product(chain.from_iterable(a.outline), chain.from_iterable(b.outline))
    return min(pairs, key=lambda pair: hypot(pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]))


def inside(point: Point, rings: Sequence[Line]) -> bool:
    """Return whether a point lies within the rings, by the even-odd rule (a ring within a ring is a hole)."""
    x, y = point
    within = False
    for ring in rings:
        for (x1, y1), (x2, y2) in _sides(ring):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                within = not within
    return within


def room_around(point: Point, rings: Sequence[Line], half_height: float) -> float:
    """Return half the width of the widest box around ``point``, of this half height, that no outline cuts.

    It is 0 if an outline passes right above or below the point within the half height.
    """
    x, y = point
    low = y - half_height
    high = y + half_height
    room = float("inf")
    for ring in rings:
        for (x1, y1), (x2, y2) in _sides(ring):
            if max(y1, y2) < low or min(y1, y2) > high:
                continue
            ends = [x1, x2]  # of the part of the side between the box's upper and lower edge
            if y1 != y2:
                cuts = (min(max(edge, min(y1, y2)), max(y1, y2)) for edge in (low, high))
                ends = [x1 + (x2 - x1) * (cut - y1) / (y2 - y1) for cut in cuts]
            if min(ends) <= x <= max(ends):
                return 0
            room = min(room, *(abs(end - x) for end in ends))
    return room


def map_font_size(atlas: Atlas) -> float:
    """Return the font size of names, which all other sizes follow, in map units."""
    return sqrt(atlas.width * atlas.height / max(1, len(atlas.locations))) * FONT_SIZE_OF_CELL


def close_view(atlas: Atlas, places: Iterable[str], font_size: float) -> tuple[float, float, float, float]:
    """Return (left, top, width, height) of the map's part around some places, in map units.

    It shows all of them and their neighbours' names. ``font_size``: of names, for the margin.
    """
    points: list[Point] = []
    for place in places:
        points += chain.from_iterable(atlas.locations[place].outline)
        points += (atlas.locations[name].label for name in (place, *atlas.graph.neighbours(place)))
    margin = font_size * 4
    left = max(0.0, min(x for x, _ in points) - margin)
    right = min(atlas.width, max(x for x, _ in points) + margin)
    top = max(0.0, min(y for _, y in points) - margin)
    bottom = min(atlas.height, max(y for _, y in points) + margin)
    return left, top, right - left, bottom - top


def home_view(atlas: Atlas, lands: Sequence[str]) -> str:
    """Return the part of the drawing around a realm's lands, "x y width height"; empty when it has none."""
    if not lands:
        return ""
    grid = max(1.0, drawing_grid(atlas))  # the map's drawing is in units of it (``on_grid``)
    return " ".join(
        number(coordinate / grid) for coordinate in close_view(atlas, lands, map_font_size(atlas))
    )


def close_font_size(atlas: Atlas, place: str, font_size: float) -> float:
    """Return the font size for the view around a place: the more room for each place, the larger.

    It is from ``font_size``, the whole map's, to ``_LARGEST_CLOSE_FONT`` times that.
    """
    _, _, width, height = close_view(atlas, [place], font_size)
    place_count = 1 + len(atlas.graph.neighbours(place))
    return min(
        font_size * _LARGEST_CLOSE_FONT,
        max(font_size, sqrt(width * height / place_count) * FONT_SIZE_OF_CELL),
    )


class Box(Record):
    """A rectangle; ``x`` and ``y`` are its middle."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: "Box") -> bool:
        """Return whether the two have more than an edge in common."""
        wide = self.width + other.width
        high = self.height + other.height
        return abs(self.x - other.x) * 2 < wide and abs(self.y - other.y) * 2 < high


class NameText(Record):
    """A place's name as it is drawn: its lines, font size and, as ``x`` and ``y``, its middle."""

    lines: tuple[str, ...]
    size: float
    x: float
    y: float

    @property
    def box(self) -> Box:
        """The box that the name covers."""
        width = max(text_width(line, self.size) for line in self.lines)
        return Box(self.x, self.y, width, self.size * (0.8 + LINE * (len(self.lines) - 1)))


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a line of text in a bold serif font of a ``size``, in the same unit."""
    return size * _width(text)


@lru_cache(4096)  # a name is measured where it is fitted, drawn and moved aside for
def _width(text: str) -> float:
    """Return the approximate width of a line of text, in font sizes."""
    return sum([_WIDTHS.get(char, _CAPITAL if char.isupper() else _OTHER) for char in text])


def name_texts(atlas: Atlas, font_size: float | None = None) -> dict[str, NameText]:
    """Return each place's name as it is drawn, by place.

    ``font_size``: of names that have room, in map units; None for that of the whole map.
    """
    size = font_size or map_font_size(atlas)
    return {name: fitted_name(place, size) for name, place in atlas.locations.items()}


def fitted_name(place: Location, size: float) -> NameText:
    """Return the place's name around its label, in the font size ``size`` or, to fit its land, a smaller one.

    It has two lines if they can be larger than one.
    """
    x, y = place.label
    choices = [NameText((place.name,), size, x, y)]
    if " " in place.name and len(place.name) >= _BREAK_FROM:
        words = place.name.split(" ")
        breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
        choices.append(NameText(min(breaks, key=lambda lines: max(map(len, lines))), size, x, y))
    widths = [2 * room_around(place.label, place.outline, choice.box.height / 2) for choice in choices]
    # with a little free land at both sides
    scales = [
        min(1.0, width / (choice.box.width + size * 0.3))
        for choice, width in zip(choices, widths, strict=True)
    ]
    # of equal scales the first: one line
    best_index = max(range(len(choices)), key=lambda index: (scales[index], -index))
    return NameText(choices[best_index].lines, size * max(_SMALLEST, scales[best_index]), x, y)


def marker_boxes(text: NameText, count: int, font_size: float, *, coded: bool = False) -> list[Box]:
    """Return ``count`` boxes for the markers of a place's troops, in rows below its name ``text``.

    ``font_size``: of names that have room, in the unit of ``text``; ``coded``: whether markers have a realm's
    code in them, and so are wider.
    """
    size = font_size * 0.6  # of a marker's letters; all that follows is measured in it
    a_row = _CODED_A_ROW if coded else _MARKERS_A_ROW
    width = size * (6.3 if coded else 3.9)
    height = size * 2.2
    top = text.box.y + text.box.height / 2 + size * 1.35
    boxes = []
    for index in range(count):
        line, column = divmod(index, a_row)
        in_line = min(a_row, count - line * a_row)
        boxes.append(Box(text.x + (column - (in_line - 1) / 2) * width, top + height * line, width, height))
    return boxes
