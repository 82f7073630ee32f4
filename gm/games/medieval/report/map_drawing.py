"""The map as SVG (W2-W5, W8): what ``templates/medieval/map/drawing.svg`` draws, and where.

All sizes follow from the font size of names, and this from the average area of a place, so that a map of
three hundred places reads as well, zoomed, as one of thirty. All at a place is drawn around its label, in
units of a nineteenth of that font size; a page's script scales it, so that names keep their size while the
land is zoomed. The template escapes what people wrote.
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
from gm.games.medieval.report.map_colours import INDEPENDENT, darker, hatches_today
from gm.games.medieval.report.map_names import realm_names
from gm.games.medieval.report.map_outlines import fixed_parts, strait_line
from gm.games.medieval.state import INDEPENDENTS, Province, World
from gm.games.medieval.steps.economy import province_revenue
from gm.text.pages import gold, render

INDEPENDENT_BASE = "#8a7a5c"
OWN_BASE = "#1f4f93"
FOREIGN_BASE = "#a3262a"
SIZE = 19  # the font size of names, in the units that all at a place is drawn in
# where most places have their first marker of troops (x, y) and their symbols (y): a page's style says so
_USUAL = (10, 23, -20)

PLANNED = 0  # the key, instead of a phase, of moves that are only ordered
# how far an arrow bends aside, as a part of its length: so that arrows there and back are apart
_BEND = 0.16
_SPACE = re.compile(r">\s+<")


def asked_map(atlas: Atlas, rules: Rules, world: World, view: MapView) -> str:
    """Return the map as an ``<svg>`` element, for a view.

    Raises ``ValueError``, with the nearest name, if the place to zoom to is not on the map.
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

    ``realm``: a code, whose troops are on blue round bases and all others on red square ones; if None, each
    realm's are on its colour. ``troops``: false leaves them out, as for print. ``patterns``: each realm has a
    hatching, not only those whose colour resembles a neighbour's. ``phases``: moves by phase, which become
    arrows. ``zoom``: a place of the map; only it and its neighbours are in view. ``prefix``: of the element's
    ids; two maps in one page need different ones.
    """
    font_size = geometry.map_font_size(atlas)
    if zoom is not None:
        font_size = geometry.close_font_size(atlas, zoom, font_size)
    values = _Drawing(atlas, world, rules, font_size, realm=realm, troops=troops).values(phases)
    globals_of_map = {"world": world, "rules": rules, "troops": troops, "text_width": geometry.text_width}
    moves = list(chain.from_iterable(phases.values()))
    called = {code: seat.name for code, seat in world.realms.items()} | {INDEPENDENTS: "independents"}
    season, year = season_of(world.turn + 1, rules)
    frame = {"page": False, "id": prefix, "zoom": zoom, "patterns": patterns, "px": 1, "called": called} | {
        "zoomed": geometry.close_view(atlas, [zoom], font_size) if zoom is not None else None,
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

    ``phases``: the moves by phase of the turn; ``levels``: the letters of each place (:func:`map_modes`);
    ``prefix``: how ids begin. Its layers have the classes ``lands``, ``covers`` (land annexed to a realm that
    does not own it), ``names``, ``moves`` with ``m1``, ``m2`` ... within, and ``places``. A place's group has
    ``row`` with ``city``, ``fort``, ``harbour``, ``damage``, ``f`` (its flag) and ``coin`` in it, ``n`` for
    the name and ``t`` for troops, of class ``u-ENG`` and so on.
    """
    drawn = geometry.on_grid(atlas)
    values = _Drawing(drawn, world, rules, geometry.map_font_size(drawn), page=True).values(phases)
    view = f"0 0 {geometry.number(drawn.width)} {geometry.number(drawn.height)}"
    frame = {"page": True, "zoom": None, "id": prefix, "view": view, "patterns": True, "levels": levels}
    return _rendered(values | frame | {"px": drawn.width / atlas.width})


def _rendered(values: dict[str, Any]) -> str:
    """Return the template with these values, without spaces between its elements."""
    return _SPACE.sub("><", render("medieval/map/drawing.svg", values)).strip()


@dataclass
class _Drawing:
    """A map while it is drawn.

    ``forts`` and ``markers``: symbols that the places drawn so far use. The template defines each once.
    """

    atlas: Atlas
    world: World
    rules: Rules
    font_size: float  # of names that have room, in map units
    realm: str | None = None  # whose troops are shown as own and all others as foreign
    troops: bool = True  # whether they are shown
    page: bool = False  # whether the map is for a page, not for a picture
    # (level, whether it is damaged); the legend needs the first one
    forts: set[tuple[int, bool]] = field(default_factory=lambda: {(3, False)})
    # ids by (shape of the base, figure, number of digits, whether a realm's code is shown)
    markers: dict[tuple[str, str, int, bool], str] = field(default_factory=dict)

    def values(self, phases: Mapping[int, Sequence[marks.Move]]) -> dict[str, Any]:
        """Return the values of the template, except those of :func:`draw_map` or :func:`draw_sheet` alone.

        ``phases``: the moves that become arrows, by phase.
        """
        atlas = self.atlas
        outlines, names, barriers = fixed_parts(atlas, self.font_size)
        # drawing the places also fills self.forts and self.markers, which are read below
        places = [self._place(place, names[name]) for name, place in atlas.locations.items()]
        paths = list(enumerate(outlines))
        needed_hatches = hatches_today(atlas, self.world)
        compass_x, compass_y = atlas.compass or (0, 0)
        beyond_map = atlas.width + atlas.height
        directions = [2 * pi * index / 16 for index in range(16)] if atlas.compass else ()
        return {
            "n": geometry.number,
            "atlas": atlas,
            "unit": self.font_size,
            "size": SIZE,
            "scale": self.font_size / SIZE,
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
                strait_line(atlas.locations[border.a], atlas.locations[border.b], self.font_size)
                for border in atlas.borders
                if border.strait
            ],
            "phases": {phase: self._arrows(moves) for phase, moves in phases.items()},
            "places": places,
            "forts": sorted(self.forts),
            "markers": self.markers,
            "hatches": marks.hatches(atlas) | needed_hatches,
            "needed_hatches": needed_hatches,
            # only in a page do names of places move aside for a realm's name
            "realm_names": [
                realm_name
                for realm_name in realm_names(atlas, self.world, self.font_size, names)
                if realm_name.free or self.page
            ],
            "rhumbs": [
                (compass_x + beyond_map * sin(angle), compass_y - beyond_map * cos(angle))
                for angle in directions
            ],
        }

    def _realms(self) -> list[dict[str, Any]]:
        """Return the template's values of each realm that owns land, the independents last.

        ``lands`` are its provinces by their numbers on the map; ``rim``: its land has a coloured edge.
        """
        owned: dict[str, list[int]] = {code: [] for code in (*self.atlas.realms, INDEPENDENTS)}
        for name, land in self.world.provinces.items():
            owned[land.owner].append(self.atlas.place_order[name])
        return [
            {"code": code, "lands": lands, "rim": code != INDEPENDENTS}
            for code, lands in owned.items()
            if lands
        ]

    def _covers(self) -> list[tuple[int, str]]:
        """Return (number, code) of the provinces annexed to a realm that does not own them, and that realm.

        A realm's province that is annexed to nobody has the code of the independents.
        """
        covers = []
        for name, land in self.world.provinces.items():
            if land.annexed_to != land.owner and (land.annexed_to or land.owner != INDEPENDENTS):
                covers.append((self.atlas.place_order[name], land.annexed_to or INDEPENDENTS))
        return covers

    def _arrows(self, moves: Iterable[marks.Move]) -> list[dict[str, str]]:
        """Return the template's values of the moves that begin and end on the map."""
        on_map = self.atlas.locations.keys()
        return [self._arrow(move) for move in moves if {move.start, move.end} <= on_map]

    def _arrow(self, move: marks.Move) -> dict[str, str]:
        """Return the template's values of a move's arrow, in twentieths of the font size."""
        x1, y1 = self._arrow_end(move.start)
        x2, y2 = self._arrow_end(move.end)
        # the arrow ends before both places: a fifth of their distance, 18 at most; its head is 9 long
        gap = min(18.0, max(1.0, hypot(x2 - x1, y2 - y1)) * 0.2)
        bend = ((x1 + x2) / 2 - (y2 - y1) * _BEND, (y1 + y2) / 2 + (x2 - x1) * _BEND)
        start = _towards((x1, y1), bend, gap)
        tip = _towards((x2, y2), bend, gap)
        neck = _towards(tip, bend, 9)
        angle = degrees(atan2(tip[1] - bend[1], tip[0] - bend[0]))
        first, middle, last = (f"{point[0]:.0f},{point[1]:.0f}" for point in (start, bend, neck))
        return {
            "css": f"u-{move.realm} {move.kind}",
            "curve": f"M{first}Q{middle} {last}",
            "head": f"translate({tip[0]:.0f},{tip[1]:.0f})rotate({angle:.0f})",
        }

    def _arrow_end(self, place: str) -> Point:
        """Return the position of a place's label, in twentieths of the font size."""
        x, y = self.atlas.locations[place].label
        return x * 20 / self.font_size, y * 20 / self.font_size

    def _place(self, place: Location, name: geometry.NameText) -> dict[str, Any]:
        """Return the template's values of a place. ``name``: as it is drawn, in map units."""
        land = self.world.provinces.get(place.name)
        # the same name in the unit of all at a place, around the place's label
        text = geometry.NameText(name.lines, name.size * SIZE / self.font_size, 0.0, 0.0)
        markers = marks.markers_at(self.world, self.rules, place.name, self.realm) if self.troops else ()
        boxes = geometry.marker_boxes(text, len(markers), SIZE, coded=any(marker.code for marker in markers))
        symbols: list[tuple[str, str, float]] = []
        coin = None
        if land is not None:
            symbols, coin = self._symbols_and_coin(place, land)
        middle_line = (len(text.lines) - 1) / 2
        return {
            "name": place.name,
            "css": _css(place, land),
            "move": _move_to(*(round(coordinate) if self.page else coordinate for coordinate in place.label)),
            "row": symbols,
            "row_y": round(text.box.y - text.box.height / 2 - SIZE * 0.66),
            "coin": coin,
            "size": geometry.number(int(text.size) if self.page else text.size) if text.size < SIZE else "",
            "lines": [
                (
                    round(text.size * geometry.LINE * (index - middle_line)),
                    line,
                    round(geometry.text_width(line, text.size)),
                )
                for index, line in enumerate(text.lines)
            ],
            "troops": [
                self._marker(marker, box.x, box.y) for marker, box in zip(markers, boxes, strict=True)
            ],
        }

    def _symbols_and_coin(
        self, place: Location, land: Province
    ) -> tuple[list[tuple[str, str, float]], dict[str, Any] | None]:
        """Return the (class, symbol, x) of each symbol above a province's name, and the values of its coin.

        The coin shows revenue; None in a picture, which has no coins. A fortification is added to ``forts``.
        """
        if land.fortification:
            self.forts.add((land.effective_fortification, land.fortification_damage > 0))
        row = marks.works(place, land)
        half = sum(width for _, width in row) / 2
        starts = accumulate((width for _, width in row), initial=-half)  # the last is the row's end
        symbols: list[tuple[str, str, float]] = [
            ("", symbol, round(start + width / 2))
            for (symbol, width), start in zip(row, starts, strict=False)
        ]
        is_foreign = land.annexed_to not in (None, land.owner)
        # the flag is left of the row, the coin right of it, further away the longer its text is
        if land.annexed_to and (self.page or is_foreign):
            css = f"f u-{land.annexed_to}{' foreign' if is_foreign else ''}"
            symbols.append((css, "flag", round(-half - 10)))
        if not self.page:
            return symbols, None
        amount = gold(province_revenue(land, self.atlas, self.rules))
        x = round(half + 7 + 3.2 * len(amount)) if row else 0  # alone it stands in the middle
        return symbols, {"gold": amount, "x": x, "broken": land.damage > 0}

    def _marker(self, marker: marks.Marker, x: float, y: float) -> dict[str, Any]:
        """Return the template's values of a troop marker at a position."""
        digits = len(str(marker.count))
        base = "round" if marker.side == marks.OWN else "square"
        figure = marker.best.kind.value if marker.best else "commander"
        position = round(x + 9.75), round(y)  # the middle of a drawn marker is 9.75 left of its origin
        is_usual = self.page and position == _USUAL[:2]  # a page's style has it already
        symbol_key = (base, figure, digits, bool(marker.code))
        return {
            "css": marker.side if marker.side in (marks.OWN, marks.FOREIGN) else f"u-{marker.side}",
            "move": "" if is_usual else _move_to(*position),
            "symbol": self.markers.setdefault(symbol_key, f"t{len(self.markers)}"),
            "code": marker.code,
            "units": marker.units,
            "count": marker.count,
        }


def _css(place: Location, land: Province | None) -> str:
    """Return the CSS class of a place, with a space before it; empty for a province without a city."""
    if land is None:
        return " sea"
    if place.capital_of:
        return " capital"
    return " town" if place.city else ""


def _towards(start: Point, goal: Point, distance: float) -> Point:
    """Return the point at this distance from a start, in the direction of a goal."""
    whole = max(0.001, hypot(goal[0] - start[0], goal[1] - start[1]))  # never 0: it is a divisor
    x = start[0] + (goal[0] - start[0]) * distance / whole
    y = start[1] + (goal[1] - start[1]) * distance / whole
    return x, y


def _move_to(x: float, y: float) -> str:
    """Return the SVG transformation that moves an element from the origin to a point."""
    return f"translate({geometry.point(x, y)})"
