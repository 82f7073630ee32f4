"""Names on the map: how wide they are, how they break, how large they may be, and where troops stand below them."""

from __future__ import annotations

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas, Location
from gm.games.medieval.report.map_geometry import map_unit, room_around

LINE = 1.02
"""The distance of two lines of a name, in font sizes."""
_WIDTHS = {**dict.fromkeys("iljI.,'|!", 0.31), **dict.fromkeys("ftr-() ", 0.38), **dict.fromkeys("mwMW", 0.95)}
_CAPITAL, _OTHER = 0.74, 0.57
_SMALLEST = 0.68
_BREAK_FROM = 9
"""Names of fewer letters stay on one line."""
_MARKERS_A_ROW = 3


class Box(Record):
    """A rectangle around a middle, in map units."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: Box) -> bool:
        """Whether the two have more than an edge in common."""
        return (
            abs(self.x - other.x) * 2 < self.width + other.width
            and abs(self.y - other.y) * 2 < self.height + other.height
        )


class NameText(Record):
    """A place's name as it is drawn: its lines, font size and middle."""

    lines: tuple[str, ...]
    size: float
    x: float
    y: float

    @property
    def box(self) -> Box:
        """What the name covers."""
        width = max(text_width(line, self.size) for line in self.lines)
        return Box(self.x, self.y, width, self.size * (0.8 + LINE * (len(self.lines) - 1)))


def text_width(text: str, size: float) -> float:
    """About how wide a line of text is in a bold serif font."""
    return size * sum(_WIDTHS.get(char, _CAPITAL if char.isupper() else _OTHER) for char in text)


def name_texts(atlas: Atlas, unit: float | None = None) -> dict[str, NameText]:
    """How the name of each place is drawn; ``unit`` is the font size where there is room, the whole map's if none."""
    size = unit or map_unit(atlas)
    return {name: fitted_name(place, size) for name, place in atlas.locations.items()}


def fitted_name(place: Location, size: float) -> NameText:
    """The place's name around its label: on two lines where that is wiser, smaller where there is little room."""
    x, y = place.label
    choices = [NameText((place.name,), size, x, y)]
    if " " in place.name and len(place.name) >= _BREAK_FROM:
        words = place.name.split(" ")
        breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
        choices.append(NameText(min(breaks, key=lambda lines: max(map(len, lines))), size, x, y))
    room = [2 * room_around(place.label, place.outline, each.box.height / 2) for each in choices]
    fits = [min(1.0, space / (each.box.width + size * 0.3)) for each, space in zip(choices, room, strict=True)]
    best = max(range(len(choices)), key=lambda index: (fits[index], -index))
    return NameText(choices[best].lines, size * max(_SMALLEST, fits[best]), x, y)


def row_height(text: NameText, unit: float) -> float:
    """Where the row of symbols above a name stands."""
    return text.box.y - text.box.height / 2 - unit * 0.66


def marker_boxes(text: NameText, count: int, unit: float) -> list[Box]:
    """Where the troops of a place go: in rows below its name."""
    size = unit * 0.6
    width, height = size * 3.9, size * 2.2
    top = text.box.y + text.box.height / 2 + size * 1.35
    boxes = []
    for index in range(count):
        line, column = divmod(index, _MARKERS_A_ROW)
        in_line = min(_MARKERS_A_ROW, count - line * _MARKERS_A_ROW)
        boxes.append(Box(text.x + (column - (in_line - 1) / 2) * width, top + height * line, width, height))
    return boxes
