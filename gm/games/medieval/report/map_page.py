"""The map and the table of places of a turn's pages, and the view of a realm's lands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gm.games.medieval.report.map_drawing import draw_sheet
from gm.games.medieval.report.map_geometry import close_view, drawing_grid, map_unit, number
from gm.games.medieval.report.map_moves import moves_by_phase
from gm.games.medieval.report.map_places import land_legend
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.report.views import ProvinceRow, realm_name
from gm.games.medieval.state import INDEPENDENTS
from gm.resources import resource
from gm.text.pages import fragment, ready_markup

if TYPE_CHECKING:
    from markupsafe import Markup

SWITCHES = (
    ("own", "own troops", True),
    ("foreign", "foreign troops", True),
    ("names", "names", True),
    ("cities", "cities", True),
    ("forts", "fortifications", True),
    ("harbours", "harbours", True),
    ("damage", "damage", True),
    ("revenue", "revenue", False),
    ("annexed", "annexation", False),
)
"""(name, words, on at first) of each switch of the map."""
_FLAG = ("symbol", "flag", "Flag of the realm that a province is annexed to")


def map_section(record: MedievalResult) -> Markup:
    """The drawing with its switches and legend."""
    atlas, world = record.atlas, record.after
    phases = moves_by_phase(record.events, world)
    counts = Counter(land.owner for land in world.provinces.values())
    values = {
        "title": atlas.title,
        "drawing": ready_markup(draw_sheet(atlas, world, record.rules, phases)),
        "switches": SWITCHES,
        "phases": tuple(phases),
        "realms": [(code, f"{realm_name(world, code)} ({counts[code]})") for code in (*atlas.realms, INDEPENDENTS)],
        "legend": [*land_legend(atlas), _FLAG],
    }
    return fragment(resource("templates"), "medieval/map/section.html", values)


def places_table(record: MedievalResult, provinces: Iterable[ProvinceRow]) -> Markup:
    """The table of all places, in the order of the map."""
    rows = {each.name: each for each in provinces}
    found = [
        (name, rows.get(name), realm_name(record.after, place.capital_of) if place.capital_of else "")
        for name, place in record.atlas.locations.items()
    ]
    return fragment(resource("templates"), "medieval/places.html", {"places": found})


def home_view(record: MedievalResult, realm: str) -> str:
    """The part of the map around the realm's lands, "x y width height"; empty when it has none."""
    atlas = record.atlas
    lands = [land.name for land in record.after.owned_by(realm)]
    grid = max(1.0, drawing_grid(atlas))  # the map's drawing is in units of it (``on_grid``)
    return " ".join(number(each / grid) for each in close_view(atlas, lands, map_unit(atlas))) if lands else ""
