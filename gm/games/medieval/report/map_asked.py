"""The map as somebody has asked for it: zoomed to a place, with moves that were made or are planned."""

from __future__ import annotations

from gm.core.diagnostics import did_you_mean, fold, nearest, shown
from gm.game.values import MapView
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.map_moves import made_moves, planned_moves
from gm.games.medieval.report.map_svg import draw_map
from gm.games.medieval.state import World


def asked_map(atlas: Atlas, rules: Rules, world: World, view: MapView) -> str:
    """The map as SVG. Raises ``ValueError``, with the nearest name, for a place to zoom to that is not there."""
    places = {fold(name): name for name in atlas.locations}
    if view.zoom is not None and fold(view.zoom) not in places:
        hint = did_you_mean(nearest(view.zoom, atlas.locations))
        raise ValueError(f"no place of this map is called {shown(view.zoom)}" + (f": {hint}" if hint else ""))
    planned = planned_moves(view.sheet, world) if view.sheet is not None else ()
    return draw_map(
        atlas,
        world,
        rules,
        realm=view.party,
        troops=view.troops,
        patterns=view.patterns,
        moves=(*made_moves(view.events, world), *planned),
        zoom=places[fold(view.zoom)] if view.zoom is not None else None,
    )
