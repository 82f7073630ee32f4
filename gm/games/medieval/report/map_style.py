"""Colours, patterns and the style sheet of the map.

A realm's colour comes from the map file. The base of a marker tells own from foreign by colour and by shape, so that
nobody has to see the difference of blue and red.
"""

from __future__ import annotations

from gm.games.medieval.report.map_symbols import INK, PAPER
from gm.games.medieval.report.map_text import FONT

SEA = "#c3d7d6"
SEA_LINE = "#7f9fa3"
SEA_NAME = "#174a7c"
INDEPENDENT = "#efe4c9"
INDEPENDENT_BASE = "#8a7a5c"
OWN_BASE = "#1f4f93"
FOREIGN_BASE = "#a3262a"

_HATCHES = (
    '<path d="M-2,2 2,-2M0,10 10,0M8,12 12,8"/>',
    '<path d="M-2,8 2,12M0,0 10,10M8,-2 12,2"/>',
    '<circle cx="3" cy="3" r=".9"/><circle cx="8" cy="8" r=".9"/>',
    '<path d="M0,3H10M0,8H10"/>',
    '<path d="M3,0V10M8,0V10"/>',
    '<path d="M0,5H10M5,0V10"/>',
    '<path d="M-2,2 2,-2M0,10 10,0M8,12 12,8M-2,8 2,12M0,0 10,10M8,-2 12,2"/>',
)


def hatch(prefix: str, index: int) -> str:
    """The definition of the pattern of the realm with this index: as optional help for colour-blind readers."""
    inside = _HATCHES[index % len(_HATCHES)]
    return (
        f'<pattern id="{prefix}-hatch{index}" width="10" height="10" patternUnits="userSpaceOnUse">'
        f'<g stroke="{INK}" stroke-width=".8" fill="none" opacity=".45">{inside}</g></pattern>'
    )


def style_sheet(scope: str) -> str:
    """The rules for the picture. Those for what a close look shows again name no ancestor: it has none there.

    They name elements that HTML does not have, and so keep to pictures.
    """
    return (
        f".{scope} text,text.name,text.sea-name,text.level,text.count"
        f"{{font-family:{FONT};text-anchor:middle;pointer-events:none}}"
        f"text.name{{font-weight:700;fill:#17110a;stroke:{PAPER};stroke-width:.17em;paint-order:stroke;"
        "stroke-linejoin:round;stroke-opacity:.8}"
        f"text.sea-name{{font-style:italic;font-weight:700;fill:{SEA_NAME};stroke:#dbe7e4;stroke-width:.17em;"
        "paint-order:stroke;stroke-linejoin:round;stroke-opacity:.8}"
        f"text.title{{font-weight:700;fill:{INK}}}"
        f".{scope} text.legend{{fill:{INK};text-anchor:start}}"
        f"text.level{{font-weight:700;fill:{INK}}}text.broken{{fill:#9c1c14}}"
        f"text.count{{font-weight:700;fill:{INK}}}"
        f"g.figure{{fill:{PAPER};stroke:{PAPER};stroke-width:.4;stroke-linejoin:round;stroke-linecap:round}}"
        "g.still,use.still{pointer-events:none}"
    )


def darker(colour: str) -> str:
    """A realm's colour dark enough to carry light figures."""
    red, green, blue = (int(colour[at : at + 2], 16) * 13 // 20 for at in (1, 3, 5))
    return f"#{red:02x}{green:02x}{blue:02x}"
