"""The map of a turn's pages: one drawing for all realms, in layers that a page's switches and script show and hide.

Every place is a link to its location report. Troops carry the class of their realm, ``u-ENG``, so that each page tells
own ones from foreign ones by its style sheet alone. All at a place is drawn around its label in a group of its own that
the page's script scales, so that names and miniatures keep their size while the land is zoomed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.map_arrows import arrow
from gm.games.medieval.report.map_cluster import CLUSTER_STYLE, SIZE, Clusters
from gm.games.medieval.report.map_details import realm_name
from gm.games.medieval.report.map_geometry import number
from gm.games.medieval.report.map_layers import (
    SEA_BORDERS,
    Shapes,
    barrier_layer,
    border_layer,
    coast_layer,
    ground,
    water,
)
from gm.games.medieval.report.map_moves import Move
from gm.games.medieval.report.map_shared import drawn_once
from gm.games.medieval.report.map_style import INDEPENDENT, INDEPENDENT_BASE, darker, style_sheet
from gm.games.medieval.report.map_svg import map_unit, name_texts
from gm.games.medieval.report.map_symbols import PAPER
from gm.games.medieval.report.places import slug
from gm.games.medieval.state import INDEPENDENTS, World

_STYLE = (
    ".lands a,.covers use{fill:var(--c);stroke:var(--c)}.w,.covers use{fill-opacity:.5;stroke:none}"
    f".u-{INDEPENDENTS} .w,.covers .u-{INDEPENDENTS},.covers .blank{{fill-opacity:1}}.covers .blank{{fill:{PAPER}}}"
    ".r{fill:none;stroke-width:13;stroke-opacity:.62}"
)


def draw_sheet(
    atlas: Atlas, world: World, rules: Rules, phases: Mapping[int, Sequence[Move]], *, prefix: str = "map"
) -> str:
    """The map as an ``<svg>`` element for the pages of a turn; ``phases`` are the moves made in each of its phases.

    Its layers have the classes ``lands``, ``covers`` (what is annexed to another than its owner), ``moves`` with
    ``m1``, ``m2`` ... within, and ``places``; a place's group has ``row`` with ``city``, ``fort``, ``harbour``,
    ``damage``, ``flag`` and ``coin`` in it, ``n`` for the name and ``t`` for troops.
    """
    return drawn_once("".join(_Sheet(atlas, world, rules, prefix).parts(phases)), prefix)


class _Sheet:
    """The page's map while it is being drawn."""

    def __init__(self, atlas: Atlas, world: World, rules: Rules, prefix: str) -> None:
        self.atlas, self.world, self.rules, self.prefix = atlas, world, rules, prefix
        self.unit = map_unit(atlas)
        self.shapes = Shapes(atlas, prefix)
        self.names = name_texts(atlas)

    def parts(self, phases: Mapping[int, Sequence[Move]]) -> Iterator[str]:
        atlas = self.atlas
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{self.prefix}" role="group" data-unit="{self.unit:.2f}" '
            f'viewBox="0 0 {number(atlas.width)} {number(atlas.height)}" aria-label="{escape(atlas.title)}" '
            f'style="--unit:{self.unit / SIZE:.4f}">'
            f"<style>{style_sheet(self.prefix)}{_STYLE}{CLUSTER_STYLE}{realm_colours(atlas)}"
            f"{''.join(_phase_switches(phases))}</style><defs>"
        )
        yield from self.shapes.definitions()
        yield f'</defs><g id="{self.prefix}-all">{water(atlas)}<g {SEA_BORDERS} aria-hidden="true">'
        yield from (self._shape(name, self.shapes.use(name, "")) for name in atlas.seas)
        yield "</g>"
        yield from coast_layer(atlas, self.shapes)
        yield from self._lands()
        yield from border_layer(atlas, self.shapes)
        yield from barrier_layer(atlas, self.unit)
        yield '<g class="moves still" fill="none">'
        for phase, moves in phases.items():
            yield f'<g class="m{phase}">'
            yield from (self._move(move) for move in moves if move.start in self.names and move.end in self.names)
            yield "</g>"
        yield '</g><g class="places">'
        places = Clusters(atlas, self.world, self.rules, self.names, self.unit, self.prefix)
        yield from (places.draw(place) for place in atlas.locations.values())
        yield f"</g></g><defs>{places.definitions()}</defs></svg>"

    def _shape(self, name: str, drawing: str, css: str = "") -> str:
        """A place's outline: a link for pointers, as the place's name is the one for keyboards and readers."""
        owner = self.world.provinces[name].owner if name in self.world.provinces else None
        title = escape(f"{name}: {realm_name(self.world, owner)}" if owner else name)
        return f'<a{css} href="#place-{slug(name)}" tabindex="-1"><title>{title}</title>{drawing}</a>'

    def _lands(self) -> Iterator[str]:
        yield f'{ground(self.shapes)}<g class="lands" aria-hidden="true">'
        covers = []
        for name, land in self.world.provinces.items():
            drawing = self.shapes.use(name, 'class="w"')
            if land.owner != INDEPENDENTS:
                drawing += self.shapes.use(name, f'class="r" {self.shapes.clip(name)}')
            yield self._shape(name, drawing, f' class="u-{land.owner}"')
            if land.annexed_to != land.owner and (land.annexed_to or land.owner != INDEPENDENTS):
                covers.append(self.shapes.use(name, 'class="blank"'))
                covers.append(self.shapes.use(name, f'class="u-{land.annexed_to or INDEPENDENTS}"'))
        yield f'</g><g class="covers still">{"".join(covers)}</g>'

    def _move(self, move: Move) -> str:
        return arrow(self.atlas, move, self.unit, f' class="u-{move.realm}"')


def realm_colours(atlas: Atlas) -> str:
    """The style rules that give every realm's class its colour ``--c`` and, for bases, a darker one ``--d``."""
    rules = [f".u-{INDEPENDENTS}{{--c:{INDEPENDENT};--d:{INDEPENDENT_BASE}}}"]
    for code, seat in atlas.realms.items():
        rules.append(f".u-{code}{{--c:{seat.colour};--d:{darker(seat.colour)}}}")
    return "".join(rules)


def _phase_switches(phases: Mapping[int, Sequence[Move]]) -> Iterator[str]:
    """The rules that leave the arrows of one phase when its switch is on: they work without any script."""
    yield "body:has(#moves-none:checked) .moves{display:none}"
    for phase in phases:
        yield f"body:has(#moves-{phase}:checked) .moves>g:not(.m{phase}){{display:none}}"
