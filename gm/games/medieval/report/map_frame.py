"""What stands around the map: the ruled frame, the title above and the legend below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from gm.core.records import Record, record
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.report.map_geometry import number
from gm.games.medieval.report.map_style import INDEPENDENT
from gm.games.medieval.report.map_symbols import GOLD, INK, PAPER, ROOF
from gm.games.medieval.report.map_text import text_width

_SHEET = "#e9dcb8"
_FRAME_STEPS = 10
_PLAIN = 1.02
"""How wide plain type is against what is reckoned for bold, in the widest of the fonts that may be there."""


def swatch(colour: str | None) -> str:
    """A small piece of land in a realm's colour, washed and rimmed as on the map; none: independent."""
    box = 'x="-13" y="-8" width="26" height="16"'
    if colour is None:
        return f'<rect {box} fill="{INDEPENDENT}" stroke="{INK}"/>'
    return (
        f'<rect {box} fill="{PAPER}"/><rect {box} fill="{colour}" fill-opacity=".5" stroke="{INK}"/>'
        f'<rect x="-10.5" y="-5.5" width="21" height="11" fill="none" stroke="{colour}" stroke-width="4" '
        'stroke-opacity=".62"/>'
    )


@record
class Legend(Record):
    """(drawing in a box of about 26 by 20 around the origin, words) of each entry, for a map of this unit and width."""

    rows: Sequence[tuple[str, str]]
    unit: float
    width: float

    @property
    def size(self) -> float:
        return self.unit * 0.86

    @property
    def columns(self) -> int:
        """As many as the widest entry allows."""
        widest = max(text_width(words, self.size * _PLAIN) for _, words in self.rows) + self.unit * 2.7
        return max(1, min(len(self.rows), int(self.width / widest)))

    @property
    def lines(self) -> int:
        return -(-len(self.rows) // self.columns)


def legend_height(legend: Legend) -> float:
    """The height of the whole legend, in map units."""
    return legend.unit * (1.1 + 1.62 * legend.lines)


def legend_layer(legend: Legend, top: float) -> Iterator[str]:
    """The entries in columns, read line by line."""
    column = legend.width / legend.columns
    for index, (symbol, words) in enumerate(legend.rows):
        x = column * (index % legend.columns) + legend.unit * 1.1
        y = top + legend.unit * (1.1 + 1.62 * (index // legend.columns))
        yield (
            f'<g transform="translate({number(x)},{number(y)})scale({legend.unit / 19:.3f})">{symbol}</g>'
            f'<text class="legend" x="{number(x + legend.unit * 1.15)}" y="{number(y + legend.size * 0.34)}" '
            f'font-size="{number(legend.size)}">{escape(words)}</text>'
        )


def frame(atlas: Atlas, margin: float, sheet: tuple[float, float, float, float]) -> Iterator[str]:
    """The sheet of paper and the frame of light and dark steps around the map."""
    x, y, width, height = sheet
    yield f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" fill="{_SHEET}"/>'
    outer, inner = margin * 0.62, margin * 0.2
    yield (
        f'<rect x="{number(-outer)}" y="{number(-outer)}" width="{number(atlas.width + 2 * outer)}" '
        f'height="{number(atlas.height + 2 * outer)}" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/>'
    )
    thick, middle = (outer - inner) * 0.62, (outer + inner) / 2
    dash_x, dash_y = atlas.width / _FRAME_STEPS / 2, atlas.height / _FRAME_STEPS / 2
    right, bottom = number(atlas.width + middle), number(atlas.height + middle)
    for data, dash in (
        (f"M0,{number(-middle)}H{number(atlas.width)}M0,{bottom}H{number(atlas.width)}", dash_x),
        (f"M{number(-middle)},0V{number(atlas.height)}M{right},0V{number(atlas.height)}", dash_y),
    ):
        yield (
            f'<path d="{data}" fill="none" stroke="{INK}" stroke-width="{number(thick)}" '
            f'stroke-dasharray="{dash:.2f}"/>'
        )
    yield (
        f'<rect x="{number(-inner)}" y="{number(-inner)}" width="{number(atlas.width + 2 * inner)}" '
        f'height="{number(atlas.height + 2 * inner)}" fill="none" stroke="{INK}" stroke-width="1.2"/>'
    )


def title_layer(atlas: Atlas, date: str, margin: float, head: float, unit: float) -> Iterator[str]:
    """The map's title and the season, on a ribbon above the frame."""
    size = min(unit * 1.3, unit * 1.3 * atlas.width * 0.62 / max(1.0, text_width(atlas.title, unit * 1.3)))
    half = text_width(atlas.title, size) / 2 + unit * 1.6
    middle, y = atlas.width / 2, -margin - head / 2
    tall, tail, fold = head * 0.4, unit * 2.1, unit * 0.45
    for side in (-1, 1):
        end = middle + side * half
        inner, tip, notch = end - side * unit, end + side * tail, end + side * (tail - unit * 0.8)
        yield (
            f'<path fill="{ROOF}" stroke="{INK}" stroke-linejoin="round" '
            f'd="M{number(inner)},{number(y - tall + fold)}H{number(tip)}L{number(notch)},{number(y + fold)}'
            f'L{number(tip)},{number(y + tall + fold)}H{number(inner)}Z"/>'
        )
    yield (
        f'<rect x="{number(middle - half)}" y="{number(y - tall)}" width="{number(2 * half)}" '
        f'height="{number(2 * tall)}" fill="{PAPER}" stroke="{INK}" stroke-width="1.2"/>'
        f'<rect x="{number(middle - half + 3)}" y="{number(y - tall + 3)}" width="{number(2 * half - 6)}" '
        f'height="{number(2 * tall - 6)}" fill="none" stroke="{GOLD}" stroke-width="1"/>'
    )
    measured = f'textLength="{number(text_width(atlas.title, size))}" lengthAdjust="spacingAndGlyphs"'
    yield (
        f'<text class="title" x="{number(middle)}" y="{number(y + unit * 0.12)}" '
        f'font-size="{number(size)}" {measured}>{escape(atlas.title)}</text>'
        f'<text x="{number(middle)}" y="{number(y + unit * 0.98)}" font-size="{number(unit * 0.78)}" '
        f'font-style="italic" fill="{INK}">{escape(date)}</text>'
    )
