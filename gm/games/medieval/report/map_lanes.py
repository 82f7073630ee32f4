"""Room for the name of a realm between the names of places: straight lanes across its land (W4)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import cos, sin

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas, Point
from gm.games.medieval.report.map_geometry import Box, NameText
from gm.games.medieval.state import World

_TURNS = (
    0.0,
    0.15,
    -0.15,
    0.3,
    -0.3,
    0.5,
    -0.5,
    0.8,
    -0.8,
)  # how far a lane is turned from where the land points, in radians
_LIFTS = (
    0.0,
    *chain.from_iterable((step / 16, -step / 16) for step in range(1, 8)),
)  # how far it lies beside the middle, as a part of its width
_SHRINKING = 0.88  # each size that is tried, as a part of the one before
_HIGH = 0.82  # how high capitals are, with some air, as a part of their size
_ROW = 1.5  # how much higher than a name a town, walls and an anchor above it are, in font sizes of names

Span = tuple[float, float]
Reach = tuple[float, float, float, float]  # from and to along a line, from and to across it


class Lane(Record):
    """A straight lane through ``middle``.

    ``turn``: its direction; ``size``: that of the letters; ``room``: its length.
    """

    middle: Point
    turn: float
    size: float
    room: float

    @property
    def drop(self) -> float:
        """The distance from the middle down to the letters' base line."""
        return self.size * 0.36


def label_boxes(atlas: Atlas, world: World, unit: float, names: Mapping[str, NameText]) -> dict[str, Box]:
    """Return the boxes of each place's name, as it is drawn, and of the symbols above it, by place."""
    boxes = {}
    for name, text in names.items():
        box = text.box
        land = world.provinces.get(name)
        bare = land is None or not (land.fortification or land.harbour or atlas.locations[name].city)
        row = 0.0 if bare else unit * _ROW
        boxes[name] = Box(box.x, box.y - row / 2, box.width + unit * 0.4, box.height + row + unit * 0.2)
    return boxes


class LandFrame(Record):
    """The frame of a land: its middle, direction, length and width."""

    middle: Point
    turn: float
    long: float
    wide: float


def lanes(frame: LandFrame, boxes: Sequence[Box], text: float, sizes: Span) -> Iterator[Lane]:
    """Yield the lanes in which a name meets no box, the largest letters first.

    ``text``: its width in letters' sizes. Lanes near the middle of the land come before others.
    """
    smallest, size = sizes
    # no letter stands further from the middle of the land than this, across the line
    far = max(_LIFTS) * frame.wide + size * _HIGH / 2
    spans = {
        aside: sorted(
            (left, right, top, bottom)
            for left, right, top, bottom in _spans(frame, boxes, frame.turn + aside)
            if abs(left + right) - (right - left) < frame.long and top < far and bottom > -far
        )
        for aside in _TURNS
    }
    lines = [(aside, lift * frame.wide) for lift in _LIFTS for aside in _TURNS]
    # larger letters meet more boxes: they have no longer gap than the smallest
    longest = {line: _longest_gap(frame, spans[line[0]], line[1], smallest) for line in lines}
    while size >= smallest:
        for aside, lift in lines:
            if longest[aside, lift] >= size * text:
                yield from _of_line(frame, spans[aside], frame.turn + aside, lift, size, text)
        size *= _SHRINKING


def _of_line(
    frame: LandFrame, spans: Sequence[Reach], turn: float, lift: float, size: float, text: float
) -> Iterator[Lane]:
    """Yield a lane in each gap between the boxes that has room for the text, from the middle outwards."""
    gaps = _gaps(frame, spans, lift, size)
    fitting = [gap for gap in gaps if gap[1] - gap[0] >= size * text]
    for first, last in sorted(fitting, key=lambda gap: abs(gap[0] + gap[1])):
        nearest = min(max(0.0, first + size * text / 2), last - size * text / 2)
        x = nearest * cos(turn) - lift * sin(turn)
        y = nearest * sin(turn) + lift * cos(turn)
        room = 2 * min(nearest - first, last - nearest)
        yield Lane((frame.middle[0] + x, frame.middle[1] + y), turn, size, room)


def _longest_gap(frame: LandFrame, spans: Sequence[Reach], lift: float, size: float) -> float:
    """Return how long the longest gap along a line is."""
    return max(end - start for start, end in _gaps(frame, spans, lift, size))


def _gaps(frame: LandFrame, spans: Sequence[Reach], lift: float, size: float) -> Iterator[Span]:
    """Yield the gaps between boxes for letters along a line, from one end of the land to the other."""
    low = lift - size * _HIGH / 2
    high = lift + size * _HIGH / 2
    start = -frame.long / 2
    stop = frame.long / 2
    for left, right, top, bottom in spans:
        if top < high and bottom > low:
            yield start, min(left, stop)
            start = max(start, right)
    yield start, stop


def _spans(frame: LandFrame, boxes: Iterable[Box], turn: float) -> Iterator[Reach]:
    """Yield the extent of each box along a turned line and across it."""
    along = cos(turn)
    across = sin(turn)
    steep_along = abs(along)
    steep_across = abs(across)
    for box in boxes:
        x = box.x - frame.middle[0]
        y = box.y - frame.middle[1]
        u = x * along + y * across
        v = y * along - x * across
        half_u = (box.width * steep_along + box.height * steep_across) / 2
        half_v = (box.width * steep_across + box.height * steep_along) / 2
        yield u - half_u, u + half_u, v - half_v, v + half_v
