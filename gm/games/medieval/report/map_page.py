"""The map and the location reports of a turn's pages: what all share is made once, what a realm sees of it is added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gm.core.records import Record, record
from gm.games.medieval.data.atlas import Barrier
from gm.games.medieval.report.map_geometry import number
from gm.games.medieval.report.map_moves import moves_by_phase
from gm.games.medieval.report.map_places import fortification
from gm.games.medieval.report.map_sheet import draw_sheet
from gm.games.medieval.report.map_svg import draw_detail, map_unit
from gm.games.medieval.report.map_symbols import CAPITAL, CITY, DAMAGE, HARBOUR, MOUNTAIN, PENNANT, ROCK, ROOF, STRAIT
from gm.games.medieval.report.map_zoom import close_view
from gm.games.medieval.report.places import own_units_linked, place_reports
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.report.views import ProvinceRow, UnitRow, realm_name
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


@record
class Home(Record):
    """A realm's lands: ``view`` is the part of the map around them ("x y width height"), ``picture`` a drawing of it.

    Both are empty when the realm has no land.
    """

    view: str = ""
    picture: Any = ""


class MapPart:
    """The sections "Map" and "Location reports" of one turn; ``provinces`` and ``units`` are all there are."""

    def __init__(self, record: MedievalResult, provinces: Sequence[ProvinceRow], units: Iterable[UnitRow]) -> None:
        self._record, self._provinces, self._units = record, provinces, units
        self._folder = resource("templates")

    @cached_property
    def map(self) -> Markup:
        """The drawing with its switches, the same for all realms."""
        record = self._record
        phases = moves_by_phase(record.events, record.after)
        return fragment(
            self._folder,
            "medieval/map.html",
            {
                "title": record.atlas.title,
                "drawing": ready_markup(draw_sheet(record.atlas, record.after, record.rules, phases)),
                "switches": SWITCHES,
                "phases": tuple(phases),
                "realms": self._realms(),
                "legend": self._legend(),
            },
        )

    @cached_property
    def _reports(self) -> Markup:
        record = self._record
        found = tuple(place_reports(record.atlas, record.after, record.rules, self._provinces, self._units))
        return fragment(self._folder, "medieval/places.html", {"places": found})

    def reports(self, realm: str) -> Markup:
        """The location reports with the realm's own units as links."""
        return ready_markup(own_units_linked(self._reports, realm))

    def home(self, realm: str) -> Home:
        """A close look at the realm's lands, out of the map of all."""
        record = self._record
        lands = [land.name for land in record.after.owned_by(realm)]
        if not lands:
            return Home()
        label = f"Map: the lands of {realm_name(record.after, realm)}"
        view = close_view(record.atlas, lands, map_unit(record.atlas))
        picture = ready_markup(draw_detail(record.atlas, lands, label))
        return Home(" ".join(number(each) for each in view), picture)

    def _realms(self) -> list[tuple[str, str]]:
        """(code, name and number of provinces) of each realm of the map and of the independents."""
        counts = Counter(province.realm for province in self._provinces)
        codes = (*self._record.atlas.realms, INDEPENDENTS)
        return [(code, f"{realm_name(self._record.after, code)} ({counts[code]})") for code in codes]

    def _legend(self) -> list[tuple[Any, str]]:
        """(drawing in a box of 30, words) of each symbol that this map has."""
        atlas = self._record.atlas
        barriers = {border.barrier for border in atlas.borders}
        rows = [
            (CAPITAL, "Capital"),
            (CITY, "City"),
            (fortification(3, 0), "Fortification and its level"),
            (HARBOUR, "Harbour"),
            (DAMAGE, "Damage, a fire for each level"),
            (f'<g fill="{ROOF}">{PENNANT}</g>', "Flag of the realm that a province is annexed to"),
        ]
        if Barrier.MOUNTAINS in barriers:
            rows.append((MOUNTAIN, "Mountains: no march"))
        if Barrier.REEFS in barriers:
            rows.append((ROCK, "Reefs: no docking, loading or landing"))
        if any(border.strait for border in atlas.borders):
            rows.append((STRAIT, "Strait: a march over water"))
        return [(ready_markup(drawing), words) for drawing, words in rows]
