"""What is drawn at a place beside its name: the row of town, walls and anchor above it, the miniatures below it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from gm.games.medieval.data.atlas import Atlas, Location
from gm.games.medieval.report.map_details import unit_lines
from gm.games.medieval.report.map_geometry import number
from gm.games.medieval.report.map_markers import FOREIGN, OWN, Marker
from gm.games.medieval.report.map_style import FOREIGN_BASE, INDEPENDENT_BASE, OWN_BASE, darker
from gm.games.medieval.report.map_symbols import (
    CAPITAL,
    CITY,
    DAMAGE,
    FORTIFICATION,
    HARBOUR,
    INK,
    PAPER,
    PENNANT,
    miniature,
)
from gm.games.medieval.report.map_text import Box, NameText
from gm.games.medieval.state import INDEPENDENTS, Province, World

_MARKERS_A_ROW = 3
_BASE = 11.5
"""The radius of a miniature's base, in the units it is drawn in."""


def fortification(level: int, damage: int) -> str:
    """A tower with the level that still counts (X6), in red when it is damaged."""
    css = "level broken" if damage else "level"
    return f'{FORTIFICATION}<text class="{css}" y="6" font-size="11.5">{level - damage}</text>'


def symbols(atlas: Atlas, world: World, name: str, text: NameText, unit: float) -> Iterator[str]:
    """Town, walls, anchor, damage and the pennant of a foreign annexation, in a row above the name."""
    state, place = world.provinces[name], atlas.locations[name]
    row = works(place, state)
    if state.annexed_to and state.annexed_to != state.owner:
        row.append(("flag", f'<g fill="{atlas.realms[state.annexed_to].colour}">{PENNANT}</g>', 14))
    scale = unit / 19
    left = text.x - sum(width for _, _, width in row) * scale / 2
    y = row_height(text, unit)
    for _, symbol, width in row:
        left += width * scale
        at = f"{number(left - width * scale / 2)},{number(y)}"
        yield f'<g class="still" transform="translate({at})scale({scale:.3f})">{symbol}</g>'


def row_height(text: NameText, unit: float) -> float:
    """How far down the row of symbols above a name stands."""
    return text.box.y - text.box.height / 2 - unit * 0.66


def works(place: Location, state: Province) -> list[tuple[str, str, float]]:
    """(class, drawing, width) of the town, walls and anchor of a province and of the fires in it."""
    row: list[tuple[str, str, float]] = []
    if place.city:
        row.append(("city", CAPITAL, 26) if place.capital_of else ("city", CITY, 21))
    if state.fortification:
        row.append(("fort", fortification(state.fortification, state.fortification_damage), 19))
    if state.harbour:
        row.append(("harbour", HARBOUR, 19))
    return row + [("damage", DAMAGE, 12)] * state.damage


def marker_boxes(text: NameText, count: int, unit: float) -> list[Box]:
    """Where the miniatures of a place go: in rows below its name."""
    size = unit * 0.6
    width, height = size * 3.9, size * 2.2
    top = text.box.y + text.box.height / 2 + size * 1.35
    boxes = []
    for index in range(count):
        line, column = divmod(index, _MARKERS_A_ROW)
        in_line = min(_MARKERS_A_ROW, count - line * _MARKERS_A_ROW)
        boxes.append(Box(text.x + (column - (in_line - 1) / 2) * width, top + height * line, width, height))
    return boxes


def marker(found: Marker, box: Box, atlas: Atlas, world: World) -> str:
    """A miniature on its base with the number of troops; own ones on a round base, foreign ones on a square one."""
    base = _base(found.side, atlas)
    shape = f'<circle r="{_BASE}" fill="{base}"/>'
    if found.side == FOREIGN:
        shape = f'<rect x="-11" y="-11" width="22" height="22" rx="2" fill="{base}"/>'
    digits = len(str(found.count))
    end = 15 + 8.4 * digits + 4
    scale = box.height / 26
    at = f"{number(box.x - (end - _BASE) / 2 * scale)},{number(box.y)}"
    return (
        f'<g transform="translate({at})scale({scale:.3f})">'
        f"<title>{escape(chr(10).join(unit_lines(world, found.units)))}</title>"
        f'<rect x="0" y="-8.5" width="{number(end)}" height="17" rx="4" fill="{PAPER}" stroke="{INK}"/>'
        f'<g stroke="{INK}" stroke-width="1.2">{shape}</g>'
        f'<g class="figure" transform="scale(.86)">{miniature(found.best)}</g>'
        f'<text class="count" x="{number(13.5 + 4.2 * digits)}" y="5" font-size="14.5">{found.count}</text></g>'
    )


def _base(side: str, atlas: Atlas) -> str:
    if side in (OWN, FOREIGN):
        return OWN_BASE if side == OWN else FOREIGN_BASE
    return INDEPENDENT_BASE if side == INDEPENDENTS else darker(atlas.realms[side].colour)
