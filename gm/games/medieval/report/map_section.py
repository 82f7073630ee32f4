"""The map in a realm's page: its drawing, with switches and a legend."""

from collections import Counter
from collections.abc import Mapping, Sequence

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report import views
from gm.games.medieval.report.map_drawing import draw_sheet
from gm.games.medieval.report.map_marks import Move, land_legend
from gm.games.medieval.report.map_modes import map_modes
from gm.games.medieval.state import INDEPENDENTS, World
from gm.text.languages import ENGLISH, translator
from gm.text.pages import fragment, ready_markup


def map_section(
    world: World,
    rules: Rules,
    atlas: Atlas,
    phases: Mapping[int, Sequence[Move]],
    *,
    language: str = ENGLISH,
    compared_from: str = "",
) -> str:
    """Return the HTML of the map with its switches and legend.

    ``phases``: the moves of the turn, by phase; ``compared_from``: the words for the first turn that the map
    can be compared with, empty for the start.
    """
    counts = Counter(land.owner for land in world.provinces.values())
    translate = translator("medieval", language)
    letters, modes = map_modes(atlas, world, rules, translate)
    legend = [(kind, name, translate(words)) for kind, name, words in land_legend(atlas)]
    realms = []
    for code in (*atlas.realms, INDEPENDENTS):
        name = f"{views.realm_name(world, code, translate)} ({counts[code]})"
        realms.append((code, name if code == INDEPENDENTS else f"{code} {name}"))
    values = {
        "title": atlas.title,
        "drawing": ready_markup(draw_sheet(atlas, world, rules, phases, levels=letters)),
        "modes": modes,
        "phases": tuple(phases),
        "compared_from": compared_from,
        "realms": realms,
        "legend": [*legend, ("symbol", "flag", translate("Flag of the realm that a province is annexed to"))],
    }
    return fragment("medieval/map/section.html", values, language)
