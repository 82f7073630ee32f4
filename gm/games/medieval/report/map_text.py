"""Names on the map: how wide they are, how they break, and how large they may be to fit into their place."""

from __future__ import annotations

from html import escape

from gm.core.records import Record, record
from gm.games.medieval.data.atlas import Location
from gm.games.medieval.report.map_geometry import number, room_around

FONT = "'Palatino Linotype','Book Antiqua',Palatino,'URW Palladio L','DejaVu Serif',Georgia,serif"

_WIDTHS = {**dict.fromkeys("iljI.,'|!", 0.31), **dict.fromkeys("ftr-() ", 0.38), **dict.fromkeys("mwMW", 0.95)}
_CAPITAL, _OTHER = 0.74, 0.57
_LINE = 1.02
"""The distance of two lines of a name, in font sizes."""
_SMALLEST = 0.68
_BREAK_FROM = 9
"""Names of fewer letters stay on one line."""


@record
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


@record
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
        return Box(self.x, self.y, width, self.size * (0.8 + _LINE * (len(self.lines) - 1)))

    def svg(self, css: str) -> str:
        """The name as SVG text, set to the width it was measured for whatever font there is."""
        top = self.y - self.size * _LINE * (len(self.lines) - 1) / 2 + self.size * 0.33
        return "".join(
            f'<text class="{css}" x="{number(self.x)}" y="{number(top + self.size * _LINE * index)}" '
            f'font-size="{number(self.size)}" textLength="{number(text_width(line, self.size))}" '
            f'lengthAdjust="spacingAndGlyphs">{escape(line)}</text>'
            for index, line in enumerate(self.lines)
        )


def text_width(text: str, size: float) -> float:
    """About how wide a line of text is in a bold serif font."""
    return size * sum(_WIDTHS.get(char, _CAPITAL if char.isupper() else _OTHER) for char in text)


def fitted_name(place: Location, size: float) -> NameText:
    """The place's name around its label: on two lines where that is wiser, smaller where there is little room."""
    x, y = place.label
    whole = NameText((place.name,), size, x, y)
    choices = [whole]
    if " " in place.name and len(place.name) >= _BREAK_FROM:
        choices.append(NameText(_two_lines(place.name), size, x, y))
    room = [2 * room_around(place.label, place.outline, each.box.height / 2) for each in choices]
    fits = [min(1.0, space / (each.box.width + size * 0.3)) for each, space in zip(choices, room, strict=True)]
    best = max(range(len(choices)), key=lambda index: (fits[index], -index))
    return NameText(choices[best].lines, size * max(_SMALLEST, fits[best]), x, y)


def _two_lines(name: str) -> tuple[str, str]:
    """The name broken at the space that leaves the shortest longer line."""
    words = name.split(" ")
    breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(breaks, key=lambda lines: max(len(line) for line in lines))
