"""The small drawings of the map, in the manner of an old atlas: towns, walls, anchors, peaks, rocks and miniatures.

Each is drawn around the origin in a box of 20 units and scaled where it is used.
"""

from __future__ import annotations

from gm.games.medieval.data.rules import TroopClass, TroopType

INK = "#2b2117"
PAPER = "#f4ead1"
ROOF = "#a2402c"
STONE = "#cfc3a4"
GOLD = "#c9971c"
SEA_INK = "#1f4e79"

_PEN = f'stroke="{INK}" stroke-width="1" stroke-linejoin="round" stroke-linecap="round"'

CITY = (
    f'<g {_PEN}><path fill="{PAPER}" d="M-8,8V-1H-3V8M8,8V-1H3V8"/><path fill="{PAPER}" d="M-4,8V-4H4V8Z"/>'
    f'<path fill="{ROOF}" d="M-9,-1 -5.5,-6 -2,-1ZM2,-1 5.5,-6 9,-1ZM-5,-4 0,-10 5,-4Z"/>'
    f'<path fill="{INK}" d="M-1.6,8V4.5A1.6,1.6 0 0 1 1.6,4.5V8Z"/></g>'
)
CAPITAL = (
    f'<g {_PEN}><path fill="{PAPER}" d="M-11,8V-2H-5V8M11,8V-2H5V8"/><path fill="{PAPER}" d="M-5,8V-5H5V8Z"/>'
    f'<path fill="{ROOF}" d="M-12,-2 -8,-9 -4,-2ZM4,-2 8,-9 12,-2ZM-6,-5 0,-13 6,-5Z"/>'
    f'<path fill="{GOLD}" d="M0,-13V-20L7,-17.5 0,-15Z"/><path fill="{INK}" d="M-2,8V4A2,2 0 0 1 2,4V8Z"/>'
    f'<path fill="none" d="M-8.5,2V3.5M8.5,2V3.5M-2,-1.5V0M2,-1.5V0"/></g>'
)
FORTIFICATION = f'<path fill="{STONE}" {_PEN} d="M-8,9 -6.5,-3H-8V-9H-4.5V-6.5H-2V-9H2V-6.5H4.5V-9H8V-3H6.5L8,9Z"/>'
HARBOUR = (
    f'<g fill="none" stroke="{SEA_INK}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">'
    '<circle cx="0" cy="-7" r="2.2"/><path d="M0,-4.6V8M-4.5,-1.5H4.5M-7.5,2.5C-6.5,7 -3,8.5 0,8.5S6.5,7 7.5,2.5"/></g>'
)
_FLAME = "M0,-9C1,-5 6,-3 5,3A5,5 0 0 1 -5,3C-5,0 -3,-1 -3,-4 -1,-3 -.5,-1.5 0,-.5 1,-3 1,-6 0,-9Z"
DAMAGE = f'<path fill="#d1632a" {_PEN} d="{_FLAME}"/>'
PENNANT = f'<path fill="none" {_PEN} d="M-4,9V-9"/><path {_PEN} d="M-4,-9 7,-5 -4,-1Z"/>'
"""Annexed to another realm than the owner; filled with that realm's colour where it is used."""
MOUNTAIN = (
    f'<path fill="#e3d5b0" {_PEN} d="M-11,7 -2,-9 2,-4 4,-6 11,7"/>'
    f'<path fill="#6f5b3f" d="M-2,-9 2,-4 -.5,0 1,3.5 -1.5,7 5,7 3,1 4,-2 4,-6 2,-4Z" opacity=".75"/>'
)
ROCK = (
    f'<path fill="{STONE}" {_PEN} d="M-5,4 -3.5,-2 -1,-4.5 1,-1 3,-2.5 5.5,4Z"/>'
    f'<path fill="none" stroke="{SEA_INK}" d="M-8,5.5Q-4,3.6 0,5.5T8,5.5"/>'
)
STRAIT = (
    f'<path d="M-10.5,0H11" stroke="{INK}" stroke-width="5" stroke-linecap="round" stroke-dasharray="0 7" fill="none"/>'
)

MINIATURES = {
    TroopClass.FOOT: (
        '<path d="M-6,-8H6V-1C6,4 3,7 0,9 -3,7 -6,4 -6,-1Z"/>'
        '<path d="M0,-8V9M-6,-2H6" stroke="#4a3a28" stroke-width="1.6" fill="none"/>'
    ),
    TroopClass.ARCHER: (
        '<path fill="none" stroke-width="2" d="M-4,-9C6,-6 6,6 -4,9"/>'
        '<path fill="none" stroke-width=".9" d="M-4,-9V9"/>'
        '<path fill="none" stroke-width="1.5" d="M-7,0H8M4.5,-2.8 8,0 4.5,2.8"/>'
    ),
    TroopClass.MOUNTED: '<path d="M-6,9C-6,4 -3,2 -2,-1L-6,1 -8,-1.5 -3,-7 -2.5,-9.5 0,-7.5C5,-6.5 7,-2 6.5,9Z"/>',
    TroopClass.SIEGE: (
        '<path fill="none" stroke-width="1.8" d="M-7,6H7M-5,6 0,-3 5,6M-8,3 7,-9M-8,3V6.5"/>'
        '<circle cx="7" cy="-8" r="2.2"/><circle cx="-5" cy="7.5" r="1.8"/><circle cx="5" cy="7.5" r="1.8"/>'
    ),
    TroopClass.TRANSPORT: (
        '<path d="M-9,2H9C8,6 6,8 3,8H-4C-7,8 -8.5,5 -9,2Z"/><path d="M-.6,2V-9H.6V2Z"/>'
        '<path d="M-6,-8C-4.5,-5 -4.5,-2 -6,0H6C4.5,-2 4.5,-5 6,-8Z"/>'
    ),
    TroopClass.WARSHIP: (
        '<path d="M-10,2H7L10,-1.5C10,4 7,7 3,7H-6C-8.5,7 -9.5,4.5 -10,2Z"/>'
        '<path d="M-1.6,2V-10H-.4V2Z"/><path d="M-1,-9.5 7,0H-1Z"/>'
        '<path fill="none" stroke-width="1.3" d="M-6,7 -8,9.5M-2,7 -4,9.5M2,7 0,9.5M6,6 4,9.5"/>'
    ),
}
BANNER = '<path d="M-5.5,-9H-4V9H-5.5Z"/><path d="M-4,-8.5H7L4,-4.5 7,-.5H-4Z"/>'
"""For commanders without troops."""


def miniature(troop: TroopType | None) -> str:
    """The small figure of a troop type; a banner for commanders alone."""
    return MINIATURES[troop.kind] if troop else BANNER


def compass_rose(radius: float) -> str:
    """A rose of sixteen points around the origin, north marked with a lily."""
    points = [
        _point(angle, reach * radius, side)
        for first, reach, step in ((22.5, 0.62, 45), (45.0, 0.78, 90), (0.0, 1.0, 90))
        for angle in (first + step * turn for turn in range(360 // step))
        for side in (-1, 1)
    ]
    ring = f'<circle r="{radius * 0.66:.1f}" fill="none" stroke="{INK}" stroke-width=".7"/>'
    lily = (
        f'<path fill="{ROOF}" stroke="{INK}" stroke-width=".5" transform="translate(0,{-radius - 3:.1f})" '
        'd="M0,-9C2.5,-6 2.5,-3 .8,0H5V1.6H-5V0H-.8C-2.5,-3 -2.5,-6 0,-9Z"/>'
    )
    return f"{ring}{''.join(points)}{lily}"


def _point(angle: float, reach: float, side: int) -> str:
    """The dark (-1) or light (1) half of a compass point."""
    waist = reach * 0.17
    return (
        f'<path transform="rotate({angle:g})" fill="{INK if side < 0 else PAPER}" stroke="{INK}" stroke-width=".5" '
        f'd="M0,{-reach:.1f} {side * waist:.1f},{-waist:.1f} 0,0Z"/>'
    )
