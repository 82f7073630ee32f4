"""The map in a realm's page: its drawing, with switches and a legend."""

from collections import Counter

from gm.games.medieval.report import views
from gm.games.medieval.report.map_drawing import draw_sheet
from gm.games.medieval.report.map_marks import land_legend, moves_by_phase
from gm.games.medieval.report.map_modes import map_modes
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import INDEPENDENTS
from gm.text.languages import ENGLISH, translator
from gm.text.pages import fragment, ready_markup


def map_section(result: MedievalResult, language: str = ENGLISH, compared_from: str = "") -> str:
    """Return the HTML of the map with its switches and legend; ``compared_from``: as :class:`Past` has it."""
    atlas = result.atlas
    world = result.after
    phases = moves_by_phase(result.public, world)
    counts = Counter(land.owner for land in world.provinces.values())
    translate = translator("medieval", language)
    letters, modes = map_modes(atlas, world, result.rules, translate)
    legend = [(kind, name, translate(words)) for kind, name, words in land_legend(atlas)]
    realms = []
    for code in (*atlas.realms, INDEPENDENTS):
        name = f"{views.realm_name(world, code, translate)} ({counts[code]})"
        realms.append((code, name if code == INDEPENDENTS else f"{code} {name}"))
    values = {
        "title": atlas.title,
        "drawing": ready_markup(draw_sheet(atlas, world, result.rules, phases, levels=letters)),
        "modes": modes,
        "phases": tuple(phases),
        "compared_from": compared_from,
        "realms": realms,
        "legend": [*legend, ("symbol", "flag", translate("Flag of the realm that a province is annexed to"))],
    }
    return fragment("medieval/map/section.html", values, language)
