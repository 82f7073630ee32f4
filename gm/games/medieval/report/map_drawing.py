"""The map as SVG (W2-W5, W8): what ``templates/medieval/map/drawing.svg`` draws, and where.

Sizes follow from how densely the map is settled, so that a map of three hundred places reads as well, zoomed,
as one of thirty. All at a place is drawn around its label in small units, nineteen to the font size of names;
a page's script scales it, so that names keep their size while the land is zoomed. The template escapes what
people wrote.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from math import atan2, cos, degrees, hypot, pi, sin
from types import MappingProxyType
from typing import Any

from gm.game.values import MapView, the_one
from gm.games.medieval.data.atlas import Atlas, Location, Point
from gm.games.medieval.data.rules import Rules, season_of
from gm.games.medieval.report import map_geometry as geometry
from gm.games.medieval.report import map_marks as marks
from gm.games.medieval.report.map_colours import INDEPENDENT, hatches_today
from gm.games.medieval.report.map_names import realm_names
from gm.games.medieval.report.map_outlines import fixed_parts, strait_line
from gm.games.medieval.state import INDEPENDENTS, Province, World
from gm.games.medieval.steps.economy import province_revenue
from gm.text.pages import gold, render

INDEPENDENT_BASE = "#8a7a5c"
OWN_BASE = "#1f4f93"
FOREIGN_BASE = "#a3262a"
SIZE = 19  # the font size of names, in the units that all at a place is drawn in
_USUAL = (10, 23, -20)  # where troops stand at most places, and how high symbols: a page's style says so once

PLANNED = 0  # where moves stand that are only ordered
# how far an arrow swings out, as a part of its length: so that a way there and the way back stay apart
_BEND = 0.16
_SPACE = re.compile(r">\s+<")


def asked_map(atlas: Atlas, rules: Rules, world: World, view: MapView) -> str:
    """Return the map for a view.

    Raises ``ValueError``, with the nearest name, for an unknown place.
    """
    zoom = None if view.zoom is None else the_one(view.zoom, atlas.locations, "place of this map")
    planned = {PLANNED: marks.planned_moves(view.sheet, world)} if view.sheet is not None else {}
    phases = {**marks.moves_by_phase(view.events, world), **planned}
    return draw_map(
        atlas,
        world,
        rules,
        realm=view.party,
        troops=view.troops,
        patterns=view.patterns,
        phases=phases,
        zoom=zoom,
    )


def draw_map(
    atlas: Atlas,
    world: World,
    rules: Rules,
    *,
    realm: str | None = None,
    troops: bool = True,
    patterns: bool = False,
    phases: Mapping[int, Sequence[marks.Move]] = MappingProxyType({}),
    zoom: str | None = None,
    prefix: str = "m",
) -> str:
    """Return the map as an ``<svg>`` element that scales to the width it is given.

    ``realm`` shows its own troops on blue round bases and all others on red square ones; without it each
    realm's stand on its colour. ``troops=False`` leaves them out, as for print. ``patterns`` adds a hatching
    for each realm; without it only those have one who need it. The moves of ``phases`` become arrows.
    ``zoom`` is a place of the map: only it and its neighbours are in view. Two maps in one page need
    different ``prefix``es.
    """
    unit = (
        geometry.map_unit(atlas)
        if zoom is None
        else geometry.close_unit(atlas, zoom, geometry.map_unit(atlas))
    )
    values = _Drawing(atlas, world, rules, unit, realm=realm, troops=troops).values(phases)
    globals_of_map = {"world": world, "rules": rules, "troops": troops, "text_width": geometry.text_width}
    moves = list(chain.from_iterable(phases.values()))
    called = {code: seat.name for code, seat in world.realms.items()} | {INDEPENDENTS: "independents"}
    season, year = season_of(world.turn + 1, rules)
    frame = {"page": False, "id": prefix, "zoom": zoom, "patterns": patterns, "px": 1, "called": called} | {
        "zoomed": geometry.close_view(atlas, [zoom], unit) if zoom is not None else None,
        "legend": marks.picture_legend(atlas, world, moves, sides=troops and realm is not None),
        "date": f"{season.capitalize()} {year}",
    }
    return _rendered(values | globals_of_map | frame)


def draw_sheet(
    atlas: Atlas,
    world: World,
    rules: Rules,
    phases: Mapping[int, Sequence[marks.Move]],
    *,
    levels: str = "",
    prefix: str = "m",
) -> str:
    """Return the map as an ``<svg>`` element for the pages of a turn.

    ``phases`` are the moves made in each of its phases, ``levels`` what its places can be coloured by
    (``map_modes``). Its layers have the classes ``lands``, ``covers`` (what is annexed to another than its
    owner), ``names``, ``moves`` with ``m1``, ``m2`` ... within, and ``places``; a place's group has ``row``
    with ``city``, ``fort``, ``harbour``, ``damage``, ``f`` (its flag) and ``coin`` in it, ``n`` for the name
    and ``t`` for troops, of class ``u-ENG`` and so on.
    """
    drawn = geometry.on_grid(atlas)
    values = _Drawing(drawn, world, rules, geometry.map_unit(drawn), page=True).values(phases)
    view = f"0 0 {geometry.number(drawn.width)} {geometry.number(drawn.height)}"
    frame = {"page": True, "zoom": None, "id": prefix, "view": view, "patterns": True, "levels": levels}
    return _rendered(values | frame | {"px": drawn.width / atlas.width})


def _rendered(values: dict[str, Any]) -> str:
    return _SPACE.sub("><", render("medieval/map/drawing.svg", values)).strip()


@dataclass
class _Drawing:
    """A map while it is drawn.

    ``forts`` (level, damaged) and ``markers`` (shape, figure, digits, with a code): the symbols that the
    places drawn so far use, which the template then defines once each; of ``markers`` with their ids.
    """

    atlas: Atlas
    world: World
    rules: Rules
    unit: float
    realm: str | None = None
    troops: bool = True
    page: bool = False
    forts: set[tuple[int, bool]] = field(default_factory=lambda: {(3, False)})
    markers: dict[tuple[str, str, int, bool], str] = field(default_factory=dict)

    def values(self, phases: Mapping[int, Sequence[marks.Move]]) -> dict[str, Any]:
        """Return the values of the template, except for the frame."""
        atlas = self.atlas
        outlines, names, barriers = fixed_parts(atlas, self.unit)
        # drawing the places also fills self.forts and self.markers, which are read below
        places = [self._place(place, names[name]) for name, place in atlas.locations.items()]
        paths = list(enumerate(outlines))
        needed_hatches = hatches_today(atlas, self.world)
        (x, y), far = atlas.compass or (0, 0), atlas.width + atlas.height
        turns = [2 * pi * index / 16 for index in range(16)] if atlas.compass else ()
        return {
            "n": geometry.number,
            "atlas": atlas,
            "unit": self.unit,
            "size": SIZE,
            "scale": self.unit / SIZE,
            "colours": [
                *((code, seat.colour, darker(seat.colour)) for code, seat in atlas.realms.items()),
                (INDEPENDENTS, INDEPENDENT, INDEPENDENT_BASE),
            ],
            "usual": _USUAL,
            "bases": (OWN_BASE, FOREIGN_BASE),
            "paths": paths,
            "lands": {atlas.place_order[name] for name in atlas.provinces},
            "realms": self._realms(),
            "covers": self._covers(),
            "barriers": barriers,
            "straits": [
                strait_line(atlas.locations[border.a], atlas.locations[border.b], self.unit)
                for border in atlas.borders
                if border.strait
            ],
            "phases": {phase: self._arrows(moves) for phase, moves in phases.items()},
            "places": places,
            "forts": sorted(self.forts),
            "markers": self.markers,
            "hatches": marks.hatches(atlas) | needed_hatches,
            "needed_hatches": needed_hatches,
            # in a picture nothing moves aside: only names with room between those of places are on it
            "realm_names": [
                realm_name
                for realm_name in realm_names(atlas, self.world, self.unit, names)
                if realm_name.free or self.page
            ],
            "rhumbs": [(x + far * sin(turn), y - far * cos(turn)) for turn in turns],
        }

    def _realms(self) -> list[dict[str, Any]]:
        """Return each realm that owns land, the independents last, with its provinces by number."""
        owned: dict[str, list[int]] = {code: [] for code in (*self.atlas.realms, INDEPENDENTS)}
        for name, land in self.world.provinces.items():
            owned[land.owner].append(self.atlas.place_order[name])
        return [
            {"code": code, "lands": lands, "rim": code != INDEPENDENTS}
            for code, lands in owned.items()
            if lands
        ]

    def _covers(self) -> list[tuple[int, str]]:
        """Return the provinces annexed to a realm that does not own them: their number, and that realm."""
        covers = []
        for name, land in self.world.provinces.items():
            if land.annexed_to != land.owner and (land.annexed_to or land.owner != INDEPENDENTS):
                covers.append((self.atlas.place_order[name], land.annexed_to or INDEPENDENTS))
        return covers

    def _arrows(self, moves: Iterable[marks.Move]) -> list[dict[str, str]]:
        """Return the curves of the moves that begin and end on the map."""
        on_map = self.atlas.locations.keys()
        return [self._arrow(move) for move in moves if {move.start, move.end} <= on_map]

    def _arrow(self, move: marks.Move) -> dict[str, str]:
        """Return a curve from label to label, in units of a twentieth of a line of text."""
        x1, y1 = self._arrow_end(move.start)
        x2, y2 = self._arrow_end(move.end)
        gap = min(18.0, max(1.0, hypot(x2 - x1, y2 - y1)) * 0.2)
        bend = ((x1 + x2) / 2 - (y2 - y1) * _BEND, (y1 + y2) / 2 + (x2 - x1) * _BEND)
        start = _towards((x1, y1), bend, gap)
        tip = _towards((x2, y2), bend, gap)
        neck = _towards(tip, bend, 9)
        turn = degrees(atan2(tip[1] - bend[1], tip[0] - bend[0]))
        first, middle, last = (f"{point[0]:.0f},{point[1]:.0f}" for point in (start, bend, neck))
        return {
            "css": f"u-{move.realm} {move.kind}",
            "curve": f"M{first}Q{middle} {last}",
            "head": f"translate({tip[0]:.0f},{tip[1]:.0f})rotate({turn:.0f})",
        }

    def _arrow_end(self, place: str) -> Point:
        """Return a place's label, in units of a twentieth of a line of text."""
        x, y = self.atlas.locations[place].label
        return x * 20 / self.unit, y * 20 / self.unit

    def _place(self, place: Location, on_map: geometry.NameText) -> dict[str, Any]:
        """Return the template's values of a place."""
        land = self.world.provinces.get(place.name)
        text = geometry.NameText(on_map.lines, on_map.size * SIZE / self.unit, 0.0, 0.0)
        markers = marks.markers_at(self.world, self.rules, place.name, self.realm) if self.troops else ()
        boxes = geometry.marker_boxes(text, len(markers), SIZE, coded=any(marker.code for marker in markers))
        symbols: list[tuple[str, str, float]] = []
        coin = None
        middle = (len(text.lines) - 1) / 2
        if land is not None:
            symbols, coin = self._works(place, land)
        return {
            "name": place.name,
            "css": _css(place, land),
            "move": _move(*(round(coordinate) if self.page else coordinate for coordinate in place.label)),
            "row": symbols,
            "row_y": round(text.box.y - text.box.height / 2 - SIZE * 0.66),
            "coin": coin,
            "size": geometry.number(int(text.size) if self.page else text.size) if text.size < SIZE else "",
            "lines": [
                (
                    round(text.size * geometry.LINE * (index - middle)),
                    line,
                    round(geometry.text_width(line, text.size)),
                )
                for index, line in enumerate(text.lines)
            ],
            "troops": [
                self._marker(marker, box.x, box.y) for marker, box in zip(markers, boxes, strict=True)
            ],
        }

    def _works(
        self, place: Location, land: Province
    ) -> tuple[list[tuple[str, str, float]], dict[str, Any] | None]:
        """Return the row of symbols above a province's name, and the text of its coin in a page."""
        if land.fortification:
            self.forts.add((land.effective_fortification, land.fortification_damage > 0))
        row = marks.works(place, land)
        half = sum(width for _, width in row) / 2
        starts = accumulate((width for _, width in row), initial=-half)
        symbols: list[tuple[str, str, float]] = [
            ("", symbol, round(start + width / 2))
            for (symbol, width), start in zip(row, starts, strict=False)
        ]
        foreign = land.annexed_to not in (None, land.owner)
        if land.annexed_to and (self.page or foreign):
            symbols.append(
                (f"f u-{land.annexed_to}{' foreign' if foreign else ''}", "flag", round(-half - 10))
            )
        if not self.page:
            return symbols, None
        amount = gold(province_revenue(land, self.atlas, self.rules))
        x = round(half + 7 + 3.2 * len(amount)) if row else 0
        return symbols, {"gold": amount, "x": x, "broken": land.damage > 0}

    def _marker(self, marker: marks.Marker, x: float, y: float) -> dict[str, Any]:
        """Return the template's values of a troop marker at a position."""
        digits = len(str(marker.count))
        base = "round" if marker.side == marks.OWN else "square"
        figure = marker.best.kind.value if marker.best else "commander"
        position = round(x + 9.75), round(y)
        css = marker.side if marker.side in (marks.OWN, marks.FOREIGN) else f"u-{marker.side}"
        return {
            "css": css,
            "move": _move(*position) if not self.page or position != _USUAL[:2] else "",
            "symbol": self.markers.setdefault(
                (base, figure, digits, bool(marker.code)), f"t{len(self.markers)}"
            ),
            "code": marker.code,
            "units": marker.units,
            "count": marker.count,
        }


def _css(place: Location, land: Province | None) -> str:
    """Return the class of a place, with a space before it; empty for a plain province."""
    if land is None:
        return " sea"
    if place.capital_of:
        return " capital"
    return " town" if place.city else ""


def darker(colour: str) -> str:
    """Return a realm's colour dark enough to carry light figures."""
    red, green, blue = (int(colour[at : at + 2], 16) * 13 // 20 for at in (1, 3, 5))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _towards(start: Point, goal: Point, distance: float) -> Point:
    whole = max(0.001, hypot(goal[0] - start[0], goal[1] - start[1]))
    return start[0] + (goal[0] - start[0]) * distance / whole, start[1] + (
        goal[1] - start[1]
    ) * distance / whole


def _move(x: float, y: float) -> str:
    return f"translate({geometry.point(x, y)})"
