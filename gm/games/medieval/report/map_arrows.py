"""Moves as arrows: broad ones for marches, dashed ones for ships, dotted ones for flights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import hypot

from gm.games.medieval.data.atlas import Atlas, Point
from gm.games.medieval.report.map_geometry import number
from gm.games.medieval.report.map_moves import FLIGHT, MARCH, SAIL, Move
from gm.games.medieval.report.map_style import INDEPENDENT_BASE, darker
from gm.games.medieval.report.map_symbols import PAPER

_DASHES = {MARCH: "", SAIL: ' stroke-dasharray="9 4"', FLIGHT: ' stroke-dasharray="1.5 4.5"'}
_BEND = 0.16
"""How far an arrow swings out, as a part of its length: so that a way there and the way back stay apart."""
_HEAD = "M0,0 -13,-6.5 -9,0 -13,6.5Z"


def arrow_layer(atlas: Atlas, moves: Iterable[Move], unit: float) -> Iterator[str]:
    """An arrow for each move between two places of the map, in the colour of its realm, under the names."""
    yield '<g class="still" fill="none" stroke-linecap="butt">'
    for move in moves:
        if move.start in atlas.locations and move.end in atlas.locations:
            yield arrow(atlas, move, unit)
    yield "</g>"


def arrow_sample(kind: str) -> str:
    """A short arrow around the origin, for the legend."""
    return (
        f'<path d="M-13,0H6" fill="none" stroke="#4a3a28" stroke-width="5"{_DASHES[kind]}/>'
        f'<path fill="#4a3a28" transform="translate(14)" d="{_HEAD}"/>'
    )


def arrow(atlas: Atlas, move: Move, unit: float, attributes: str = "") -> str:
    """A curve from label to label, in the drawing's own small units: twenty to a line of text."""
    seat = atlas.realms.get(move.realm)
    colour = darker(seat.colour) if seat else INDEPENDENT_BASE
    start, end = atlas.locations[move.start].label, atlas.locations[move.end].label
    scale = unit / 20
    (x1, y1), (x2, y2) = ((x / scale, y / scale) for x, y in (start, end))
    length = max(1.0, hypot(x2 - x1, y2 - y1))
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    gap = min(18.0, length * 0.2)
    bend_x, bend_y = (x1 + x2) / 2 - dy * length * _BEND, (y1 + y2) / 2 + dx * length * _BEND
    from_x, from_y = _towards((x1, y1), (bend_x, bend_y), gap)
    tip_x, tip_y = _towards((x2, y2), (bend_x, bend_y), gap)
    neck_x, neck_y = _towards((tip_x, tip_y), (bend_x, bend_y), 9)
    slope = max(0.001, hypot(tip_x - bend_x, tip_y - bend_y))
    cosine, sine = (tip_x - bend_x) / slope, (tip_y - bend_y) / slope
    curve = f"M{number(from_x)},{number(from_y)}Q{number(bend_x)},{number(bend_y)} {number(neck_x)},{number(neck_y)}"
    head = f"matrix({cosine:.3f} {sine:.3f} {-sine:.3f} {cosine:.3f} {number(tip_x)} {number(tip_y)})"
    return (
        f'<g{attributes} transform="scale({scale:.3f})">'
        f'<path d="{curve}" stroke="{PAPER}" stroke-width="8" stroke-opacity=".85"/>'
        f'<path d="{curve}" stroke="{colour}" stroke-width="5"{_DASHES[move.kind]}/>'
        f'<path transform="{head}" d="{_HEAD}" fill="{colour}" stroke="{PAPER}" stroke-width="1.2"/></g>'
    )


def _towards(start: Point, goal: Point, distance: float) -> Point:
    whole = max(0.001, hypot(goal[0] - start[0], goal[1] - start[1]))
    return start[0] + (goal[0] - start[0]) * distance / whole, start[1] + (goal[1] - start[1]) * distance / whole
