"""Draws the map as one self-contained SVG in the manner of an old atlas (W2-W5, W8).

Everything that a player or map maker wrote is escaped. Sizes follow from how densely the map is settled, so that a map
of three hundred places reads as well, zoomed, as one of thirty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import sqrt

from gm.games.medieval.data.atlas import Atlas, Barrier
from gm.games.medieval.data.rules import Rules, season_of
from gm.games.medieval.report.map_arrows import arrow_layer, arrow_sample
from gm.games.medieval.report.map_details import place_details, realm_name
from gm.games.medieval.report.map_frame import Legend, frame, legend_height, legend_layer, swatch, title_layer
from gm.games.medieval.report.map_geometry import number
from gm.games.medieval.report.map_layers import Shapes, barrier_layer, land_layer, sea_layer
from gm.games.medieval.report.map_markers import markers_at
from gm.games.medieval.report.map_moves import FLIGHT, MARCH, SAIL, Move
from gm.games.medieval.report.map_places import fortification, marker, marker_boxes, symbols
from gm.games.medieval.report.map_shared import drawn_once
from gm.games.medieval.report.map_style import FOREIGN_BASE, INDEPENDENT, OWN_BASE, hatch, style_sheet
from gm.games.medieval.report.map_symbols import CAPITAL, CITY, DAMAGE, HARBOUR, INK, MOUNTAIN, PENNANT, ROCK, STRAIT
from gm.games.medieval.report.map_text import NameText, fitted_name
from gm.games.medieval.report.map_zoom import close_unit, close_view
from gm.games.medieval.state import INDEPENDENTS, World

_UNIT_OF_CELL = 0.112
"""The font size of names, as a part of the side of the square that each place would have."""
_AROUND = 90
"""How many lines of the title's and the legend's size the map is wide, at most."""
_CLOSE = 0.7
"""How large names are when the page shows the map close up, in lines of its text: --close is the width for it."""
_BARRIERS = (
    (Barrier.MOUNTAINS, MOUNTAIN, "Mountains: no march"),
    (Barrier.REEFS, ROCK, "Reefs: no landing"),
)
_ARROWS = ((MARCH, "March"), (SAIL, "Voyage"), (FLIGHT, "Flight"))
_SIDES = [
    (f'<circle r="9" fill="{OWN_BASE}" stroke="{INK}"/>', "Your troops"),
    (f'<rect x="-9" y="-9" width="18" height="18" rx="2" fill="{FOREIGN_BASE}" stroke="{INK}"/>', "Others' troops"),
]


def draw_map(
    atlas: Atlas,
    world: World,
    rules: Rules,
    *,
    realm: str | None = None,
    troops: bool = True,
    patterns: bool = False,
    moves: Sequence[Move] = (),
    zoom: str | None = None,
    prefix: str = "map",
) -> str:
    """The map as an ``<svg>`` element that scales to the width it is given.

    ``realm`` shows its own troops on blue round bases and all others on red square ones; without it each realm's stand
    on its colour. ``troops=False`` leaves them out, as for print. ``patterns`` adds a hatching for each realm.
    ``moves`` become arrows. ``zoom`` is a place of the map: only it and its neighbours are in view. Two maps in one
    page need different ``prefix``es.
    """
    drawing = "".join(_Drawing(atlas, world, rules, realm, troops, patterns, tuple(moves), zoom, prefix).parts())
    return drawn_once(drawing, prefix)


def draw_detail(atlas: Atlas, places: Sequence[str], label: str, *, prefix: str = "map") -> str:
    """A close look at some places and their neighbours: a second ``<svg>`` that shows a part of a map in the same page.

    The map is the one that ``draw_map`` made with the same ``prefix``; nothing of it is written again.
    """
    x, y, width, height = (number(each) for each in close_view(atlas, places, map_unit(atlas)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{prefix}" role="img" viewBox="{x} {y} {width} {height}" '
        f'style="display:block;width:100%;height:auto" aria-label="{escape(label)}"><use href="#{prefix}-all"/></svg>'
    )


def name_texts(atlas: Atlas, unit: float | None = None) -> dict[str, NameText]:
    """How the name of each place is drawn; ``unit`` is the font size where there is room, the whole map's if none."""
    size = unit or map_unit(atlas)
    return {name: fitted_name(place, size) for name, place in atlas.locations.items()}


def map_unit(atlas: Atlas) -> float:
    """The font size of names, which all other sizes follow, in map units."""
    return sqrt(atlas.width * atlas.height / max(1, len(atlas.locations))) * _UNIT_OF_CELL


class _Drawing:
    """One picture while it is being drawn."""

    def __init__(
        self,
        atlas: Atlas,
        world: World,
        rules: Rules,
        realm: str | None,
        troops: bool,
        patterns: bool,
        moves: tuple[Move, ...],
        zoom: str | None,
        prefix: str,
    ) -> None:
        self.atlas, self.world, self.rules = atlas, world, rules
        self.realm, self.troops, self.prefix = realm, troops, prefix
        self.moves, self.zoom = moves, zoom
        self.unit = map_unit(atlas) if zoom is None else close_unit(atlas, zoom, map_unit(atlas))
        self.shapes = Shapes(atlas, prefix)
        self.codes = {code: index for index, code in enumerate(atlas.realms)}
        self.patterns = patterns

    def parts(self) -> Iterator[str]:
        unit, atlas = self.unit, self.atlas
        # what stands around the map follows its size, not how densely it is settled: a large map has a large title
        around = max(unit, atlas.width / _AROUND)
        margin, head = around * 1.5, around * 3.1
        legend = Legend(self._legend_rows(), around, atlas.width)
        foot = legend_height(legend)
        box = (-margin, -margin - head, atlas.width + 2 * margin, atlas.height + 2 * margin + head + foot)
        view = box if self.zoom is None else close_view(atlas, [self.zoom], unit)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{self.prefix}" role="img" '
            f'viewBox="{" ".join(number(each) for each in view)}" '
            f'style="display:block;width:100%;height:auto;--close:{view[2] / unit * _CLOSE:.0f}em" '
            f'aria-label="{escape(self._label())}">'
        )
        yield f"<style>{style_sheet(self.prefix)}</style><defs>"
        yield from self.shapes.definitions()
        if self.patterns:
            yield from (hatch(self.prefix, index) for index in self.codes.values())
        sheet = f'width="{number(atlas.width)}" height="{number(atlas.height)}"'
        yield f'<clipPath id="{self.prefix}-sheet"><rect {sheet}/></clipPath></defs>'
        yield from frame(atlas, margin, box)
        yield f'<g id="{self.prefix}-all" clip-path="url(#{self.prefix}-sheet)">'
        details = self._details()
        yield from sea_layer(atlas, self.shapes, self.prefix, details)
        yield from land_layer(atlas, self.shapes, self._colours(), self._hatches(), details)
        yield from barrier_layer(atlas, unit)
        yield from self._places()
        yield "</g>"
        season, year = season_of(self.world.turn + 1, self.rules)
        yield from title_layer(atlas, f"{season.capitalize()} {year}", margin, head, around)
        yield from legend_layer(legend, top=atlas.height + margin)
        yield "</svg>"

    def _label(self) -> str:
        return f"Map: {self.atlas.title}" + (f", around {self.zoom}" if self.zoom else "")

    def _details(self) -> dict[str, str]:
        return {
            name: escape(place_details(self.atlas, self.world, self.rules, place, troops=self.troops))
            for name, place in self.atlas.locations.items()
        }

    def _colours(self) -> dict[str, str]:
        return {
            name: self.atlas.realms[province.owner].colour
            for name, province in self.world.provinces.items()
            if province.owner in self.atlas.realms
        }

    def _hatches(self) -> dict[str, str]:
        if not self.patterns:
            return {}
        return {
            name: f"{self.prefix}-hatch{self.codes[province.owner]}"
            for name, province in self.world.provinces.items()
            if province.owner in self.codes
        }

    def _places(self) -> Iterator[str]:
        """Arrows under symbols under names under miniatures, so that what matters most is never covered."""
        names = name_texts(self.atlas, self.unit)
        if self.moves:
            yield from arrow_layer(self.atlas, self.moves, self.unit)
        for name in self.atlas.provinces:
            yield from symbols(self.atlas, self.world, name, names[name], self.unit)
        for name, place in self.atlas.locations.items():
            yield names[name].svg("sea-name" if place.sea else "name")
        for name in self.atlas.locations if self.troops else ():
            found = markers_at(self.world, self.rules, name, self.realm)
            for each, box in zip(found, marker_boxes(names[name], len(found), self.unit), strict=True):
                yield marker(each, box, self.atlas, self.world)

    # -- legend -------------------------------------------------------------------------------------------------------

    def _legend_rows(self) -> list[tuple[str, str]]:
        """(drawing around the origin in a box of 20, words): realms first, then symbols, then bases."""
        counts: dict[str, int] = {}
        for province in self.world.provinces.values():
            counts[province.owner] = counts.get(province.owner, 0) + 1
        rows = []
        for code, index in self.codes.items():
            hatching = f'<rect x="-13" y="-8" width="26" height="16" fill="url(#{self.prefix}-hatch{index})"/>'
            drawing = swatch(self.atlas.realms[code].colour) + (hatching if self.patterns else "")
            rows.append((drawing, f"{realm_name(self.world, code)} ({counts.get(code, 0)})"))
        rows += [
            (swatch(None), f"Independents ({counts.get(INDEPENDENTS, 0)})"),
            (CAPITAL, "Capital"),
            (CITY, "City"),
            (fortification(3, 0), "Fortification"),
            (HARBOUR, "Harbour"),
            (DAMAGE, "Damage"),
        ]
        barriers = {border.barrier for border in self.atlas.borders}
        rows += [(drawing, words) for kind, drawing, words in _BARRIERS if kind in barriers]
        if any(land.annexed_to not in (None, land.owner) for land in self.world.provinces.values()):
            rows.append((f'<g fill="{INDEPENDENT}">{PENNANT}</g>', "Annexed by another"))
        if any(border.strait for border in self.atlas.borders):
            rows.append((STRAIT, "Strait: march"))
        if self.troops and self.realm is not None:
            rows += _SIDES
        kinds = {move.kind for move in self.moves}
        rows += [(arrow_sample(kind), words) for kind, words in _ARROWS if kind in kinds]
        return rows
