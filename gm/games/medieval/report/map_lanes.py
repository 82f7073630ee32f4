"""Room for the name of a realm between the names of places: straight lanes across its land (W4)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import cos, sin

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas, Point
from gm.games.medieval.report.map_geometry import Box, NameText
from gm.games.medieval.state import World

# how far a lane is turned from the direction of the land, in radians
_TURNS = (0.0, 0.15, -0.15, 0.3, -0.3, 0.5, -0.5, 0.8, -0.8)
# how far a lane is beside the land's middle, as a part of the land's width
_LIFTS = (0.0, *chain.from_iterable((step / 16, -step / 16) for step in range(1, 8)))
_SHRINKING = 0.88  # each font size that is tried, as a part of the one before
_HIGH = 0.82  # how high capitals are, with some space around them, in font sizes
_SYMBOLS_HEIGHT = 1.5  # how high the symbols above a place's name are, in font sizes of names

Span = tuple[float, float]  # from, to
Reach = tuple[float, float, float, float]  # from and to along a line, from and to across it


class Lane(Record):
    """A straight lane for a name, through ``middle``.

    ``turn``: its direction in radians; ``size``: the font size of the letters; ``room``: its length.
    """

    middle: Point
    turn: float
    size: float
    room: float

    @property
    def drop(self) -> float:
        """The distance from the middle down to the letters' base line."""
        return self.size * 0.36


def label_boxes(
    atlas: Atlas, world: World, font_size: float, names: Mapping[str, NameText]
) -> dict[str, Box]:
    """Return the box around each place's name and the symbols above it, by place.

    ``font_size``: of names that have room, in map units; ``names``: the names as they are drawn.
    """
    boxes = {}
    for name, text in names.items():
        box = text.box
        land = world.provinces.get(name)
        is_bare = land is None or not (land.fortification or land.harbour or atlas.locations[name].city)
        row = 0.0 if is_bare else font_size * _SYMBOLS_HEIGHT
        # with some space around, more of it at the sides
        boxes[name] = Box(
            box.x, box.y - row / 2, box.width + font_size * 0.4, box.height + row + font_size * 0.2
        )
    return boxes


class LandFrame(Record):
    """The rectangle around a land: its middle, direction in radians, length and width."""

    middle: Point
    turn: float
    long: float
    wide: float


def lanes(frame: LandFrame, boxes: Sequence[Box], text_width: float, sizes: Span) -> Iterator[Lane]:
    """Yield the lanes in which a name meets no box, those with the largest letters first.

    Of the same size, lanes nearer to the middle of the land come first. ``text_width``: of the name, in font
    sizes; ``sizes``: the smallest and the largest font size.
    """
    smallest, size = sizes
    # no letter stands further from the middle of the land than this, across the line
    far = max(_LIFTS) * frame.wide + size * _HIGH / 2
    reaches_by_turn = {
        turned: sorted(
            (left, right, top, bottom)
            for left, right, top, bottom in _reaches(frame, boxes, frame.turn + turned)
            # without boxes beyond an end of the land, or too far aside for any letter
            if abs(left + right) - (right - left) < frame.long and top < far and bottom > -far
        )
        for turned in _TURNS
    }
    lines = [(turned, lift * frame.wide) for lift in _LIFTS for turned in _TURNS]
    # larger letters meet more boxes: they have no longer gap than the smallest
    longest = {
        (turned, lift): _longest_gap(frame, reaches_by_turn[turned], lift, smallest) for turned, lift in lines
    }
    while size >= smallest:
        for turned, lift in lines:
            if longest[turned, lift] >= size * text_width:
                turn = frame.turn + turned
                yield from _lanes_of_line(frame, reaches_by_turn[turned], turn, lift, size, text_width)
        size *= _SHRINKING


def _lanes_of_line(
    frame: LandFrame, reaches: Sequence[Reach], turn: float, lift: float, size: float, text_width: float
) -> Iterator[Lane]:
    """Yield a lane in each gap between the boxes that has room for the name, from the middle outwards.

    ``turn`` is the direction of the line, ``lift`` its distance from the middle of the land; ``text_width``:
    of the name, in font sizes.
    """
    width = size * text_width
    fitting_gaps = [(start, end) for start, end in _gaps(frame, reaches, lift, size) if end - start >= width]
    # the gaps whose middles are nearest to the middle of the land come first
    for start, end in sorted(fitting_gaps, key=lambda gap: abs(gap[0] + gap[1])):
        # the middle of the name: as near to the middle of the land as the gap lets it
        nearest = min(max(0.0, start + width / 2), end - width / 2)
        x = nearest * cos(turn) - lift * sin(turn)
        y = nearest * sin(turn) + lift * cos(turn)
        room = 2 * min(nearest - start, end - nearest)
        yield Lane((frame.middle[0] + x, frame.middle[1] + y), turn, size, room)


def _longest_gap(frame: LandFrame, reaches: Sequence[Reach], lift: float, size: float) -> float:
    """Return the length of the longest stretch of a line that :func:`_gaps` yields."""
    return max(end - start for start, end in _gaps(frame, reaches, lift, size))


def _gaps(frame: LandFrame, reaches: Sequence[Reach], lift: float, size: float) -> Iterator[Span]:
    """Yield (start, end) of each stretch of a line where letters meet no box, from end to end of the land.

    If boxes overlap, a stretch may end before it starts. ``reaches``: of the boxes, sorted; ``lift``: the
    line's distance from the middle of the land; ``size``: the font size.
    """
    low = lift - size * _HIGH / 2
    high = lift + size * _HIGH / 2
    start = -frame.long / 2
    stop = frame.long / 2
    for left, right, top, bottom in reaches:
        if top < high and bottom > low:
            yield start, min(left, stop)
            start = max(start, right)
    yield start, stop


def _reaches(frame: LandFrame, boxes: Iterable[Box], turn: float) -> Iterator[Reach]:
    """Yield (left, right, top, bottom) of each box, as seen along a line through the middle of the land.

    ``turn``: the direction of the line, in radians.
    """
    cosine = cos(turn)
    sine = sin(turn)
    abs_cosine = abs(cosine)
    abs_sine = abs(sine)
    for box in boxes:
        x = box.x - frame.middle[0]
        y = box.y - frame.middle[1]
        along = x * cosine + y * sine
        across = y * cosine - x * sine
        half_long = (box.width * abs_cosine + box.height * abs_sine) / 2
        half_wide = (box.width * abs_sine + box.height * abs_cosine) / 2
        yield along - half_long, along + half_long, across - half_wide, across + half_wide
