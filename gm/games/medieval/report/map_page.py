"""The map and the table of places of a turn's pages, made once; each page adds the view of its realm's lands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from gm.games.medieval.report.map_drawing import draw_sheet
from gm.games.medieval.report.map_frame import land_legend
from gm.games.medieval.report.map_geometry import close_view, map_unit, number, on_grid
from gm.games.medieval.report.map_moves import moves_by_phase
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


class MapPart:
    """The map and the table of places of one turn; ``provinces`` are all there are."""

    def __init__(self, record: MedievalResult, provinces: Sequence[ProvinceRow]) -> None:
        self._record, self._provinces = record, provinces

    @cached_property
    def map(self) -> Markup:
        """The drawing with its switches, the same for all realms."""
        record = self._record
        phases = moves_by_phase(record.events, record.after)
        counts = Counter(province.realm for province in self._provinces)
        flag = ("symbol", "flag", "Flag of the realm that a province is annexed to")
        return fragment(
            resource("templates"),
            "medieval/map/section.html",
            {
                "title": record.atlas.title,
                "drawing": ready_markup(draw_sheet(record.atlas, record.after, record.rules, phases)),
                "switches": SWITCHES,
                "phases": tuple(phases),
                "realms": [
                    (code, f"{realm_name(record.after, code)} ({counts[code]})")
                    for code in (*record.atlas.realms, INDEPENDENTS)
                ],
                "legend": [*land_legend(record.atlas), flag],
            },
        )

    @cached_property
    def places(self) -> Markup:
        """The table of all places, in the order of the map."""
        record, rows = self._record, {each.name: each for each in self._provinces}
        found = [
            (name, rows.get(name), realm_name(record.after, place.capital_of) if place.capital_of else "")
            for name, place in record.atlas.locations.items()
        ]
        return fragment(resource("templates"), "medieval/places.html", {"places": found})

    def home(self, realm: str) -> str:
        """The part of the map around the realm's lands, "x y width height"; empty when it has none."""
        atlas = on_grid(self._record.atlas)
        lands = [land.name for land in self._record.after.owned_by(realm)]
        view = close_view(atlas, lands, map_unit(atlas)) if lands else ()
        return " ".join(number(each) for each in view)
