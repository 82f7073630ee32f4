"""What stands around a picture of the map: frame, title and legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gm.games.medieval.data.atlas import Atlas, Barrier
from gm.games.medieval.data.rules import Rules, season_of
from gm.games.medieval.report.map_geometry import close_view, number
from gm.games.medieval.report.map_moves import FLIGHT, MARCH, SAIL, Move
from gm.games.medieval.report.map_names import text_width
from gm.games.medieval.report.map_places import FOREIGN, OWN
from gm.games.medieval.state import INDEPENDENTS, World

_AROUND = 90
"""How many lines of the title's and the legend's size the map is wide, at most."""
_CLOSE = 0.7
"""How large names are when the page shows the map close up, in lines of its text: --close is the width for it."""
_PLAIN = 1.02
"""How wide plain type is against what is reckoned for bold, in the widest of the fonts that may be there."""
BARRIERS = {
    Barrier.MOUNTAINS: ("peak", "Mountains: no march"),
    Barrier.REEFS: ("rock", "Reefs: no docking, loading or landing"),
}
_ARROWS = {MARCH: "March", SAIL: "Voyage", FLIGHT: "Flight"}

Entry = tuple[str, str, str]
"""A row of the legend: kind (symbol, realm, side, move), name, words."""


def land_legend(atlas: Atlas) -> list[Entry]:
    """The rows for what stands on the land and between places."""
    barriers = {border.barrier for border in atlas.borders}
    rows = [
        ("symbol", "capital", "Capital"),
        ("symbol", "city", "City"),
        ("symbol", "fort3", "Fortification and its level"),
        ("symbol", "harbour", "Harbour"),
        ("symbol", "damage", "Damage, a fire for each level"),
        *(("symbol", symbol, words) for kind, (symbol, words) in BARRIERS.items() if kind in barriers),
    ]
    if any(border.strait for border in atlas.borders):
        rows.append(("symbol", "strait", "Strait: a march over water"))
    return rows


def picture_legend(atlas: Atlas, world: World, moves: Sequence[Move], *, sides: bool) -> list[Entry]:
    """Realms first, then symbols, then what stands on which base (``sides``), then arrows."""
    owners = [land.owner for land in world.provinces.values()]
    names = {code: realm.name for code, realm in world.realms.items()} | {INDEPENDENTS: "Independents"}
    rows = [("realm", code, f"{names[code]} ({owners.count(code)})") for code in (*atlas.realms, INDEPENDENTS)]
    rows += land_legend(atlas)
    if any(land.annexed_to not in (None, land.owner) for land in world.provinces.values()):
        rows.append(("symbol", "flag", "Annexed by another"))
    if sides:
        rows += [("side", OWN, "Your troops"), ("side", FOREIGN, "Others' troops")]
    kinds = {move.kind for move in moves}
    return rows + [("move", kind, words) for kind, words in _ARROWS.items() if kind in kinds]


def frame_values(
    atlas: Atlas, world: World, rules: Rules, unit: float, zoom: str | None, legend: list[Entry]
) -> dict[str, Any]:
    """Where frame, title and legend of a picture stand. They follow the map's size, not how densely it is settled."""
    around = max(unit, atlas.width / _AROUND)
    margin, head = around * 1.5, around * 3.1
    widest = max(text_width(words, around * 0.86 * _PLAIN) for _, _, words in legend) + around * 2.7
    columns = max(1, min(len(legend), int(atlas.width / widest)))
    full_height = atlas.height + 2 * margin + head + around * (1.1 + 1.62 * -(-len(legend) // columns))
    view = (-margin, -margin - head, atlas.width + 2 * margin, full_height)
    if zoom is not None:
        view = close_view(atlas, [zoom], unit)
    size = min(around * 1.3, around * 1.3 * atlas.width * 0.62 / max(1.0, text_width(atlas.title, around * 1.3)))
    length = text_width(atlas.title, size)
    season, year = season_of(world.turn + 1, rules)
    return {
        "view": " ".join(number(each) for each in view),
        "close": f"{view[2] / unit * _CLOSE:.0f}",
        "around": around,
        "margin": margin,
        "head": head,
        "full_height": full_height,
        "legend": legend,
        "columns": columns,
        "column": atlas.width / columns,
        "title_size": size,
        "title_length": length,
        "ribbon": length / 2 + around * 1.6,
        "date": f"{season.capitalize()} {year}",
    }
