"""Location reports: what anybody may know of each province and sea (W2-W8), made once for all pages of a turn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache

from gm.core.records import Record, record
from gm.games.medieval.data.atlas import Atlas, Border, Location
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.views import ProvinceRow, UnitRow, realm_name
from gm.games.medieval.state import World
from gm.text.pages import slug

__all__ = ["PlaceReport", "Side", "own_units_linked", "place_reports", "slug"]


@record
class Neighbour(Record):
    """A place across a border; ``way`` says what is special about it: mountains, reefs, strait or nothing."""

    name: str
    way: str


@record
class Side(Record):
    """The units of one realm at a place, with their strength together."""

    realm: str
    owner: str
    units: tuple[UnitRow, ...]

    @property
    def combat(self) -> int:
        return sum(each.combat for each in self.units)

    @property
    def hit_points(self) -> Decimal:
        return sum((each.hit_points for each in self.units), Decimal(0))


@record
class PlaceReport(Record):
    """One province or sea. ``province`` is none for a sea; ``recruits`` and ``ships`` are (type, price) of its city.

    ``harbours`` are the provinces with a harbour on the coast of a sea.
    """

    name: str
    province: ProvinceRow | None
    capital_of: str
    recruits: tuple[tuple[str, Decimal], ...]
    ships: tuple[tuple[str, Decimal], ...]
    lands: tuple[Neighbour, ...]
    seas: tuple[Neighbour, ...]
    harbours: tuple[str, ...]
    sides: tuple[Side, ...]


def place_reports(
    atlas: Atlas, world: World, rules: Rules, provinces: Iterable[ProvinceRow], units: Iterable[UnitRow]
) -> Iterator[PlaceReport]:
    """The report of every place, in the order of the map. ``provinces`` and ``units`` are all there are."""
    rows = {each.name: each for each in provinces}
    borders = {frozenset((each.a, each.b)): each for each in atlas.borders}
    here: dict[str, list[UnitRow]] = {}
    for unit in units:
        here.setdefault(unit.place, []).append(unit)
    for place in atlas.locations.values():
        around = [_neighbour(borders[frozenset((place.name, other))], other) for other in _around(atlas, place)]
        goods = [rules.troops[name] for name in place.city.recruits] if place.city else []
        yield PlaceReport(
            name=place.name,
            province=rows.get(place.name),
            capital_of=realm_name(world, place.capital_of) if place.capital_of else "",
            recruits=tuple((each.name, each.cost) for each in goods if not each.ship),
            ships=tuple((each.name, each.cost) for each in goods if each.ship),
            lands=tuple(each for each in around if not atlas.is_sea(each.name)),
            seas=tuple(each for each in around if atlas.is_sea(each.name)),
            harbours=tuple(each.name for each in around if place.sea and each.way == "" and _harbour(rows, each.name)),
            sides=tuple(_sides(here.get(place.name, ()))),
        )


def own_units_linked(reports: str, realm: str) -> str:
    """The reports of all places as HTML, with the names of this realm's units as links to their rows on its page."""
    return _own_units(realm).sub(r'\1<a href="#unit-\2">\3</a></b>', str(reports))


@cache
def _own_units(realm: str) -> re.Pattern[str]:
    return re.compile(rf'(<b data-unit="{re.escape(realm)}/([AFG]\d+)">)(.*?)</b>')


def _harbour(provinces: Mapping[str, ProvinceRow], name: str) -> bool:
    return name in provinces and provinces[name].harbour


def _around(atlas: Atlas, place: Location) -> tuple[str, ...]:
    return atlas.graph.neighbours(place.name)


def _neighbour(border: Border, name: str) -> Neighbour:
    return Neighbour(name, border.barrier.value if border.barrier else "strait" if border.strait else "")


def _sides(units: Iterable[UnitRow]) -> Iterator[Side]:
    """The units by realm, in the order in which they come (W12)."""
    found: dict[str, list[UnitRow]] = {}
    for unit in units:
        found.setdefault(unit.realm, []).append(unit)
    for realm, mine in found.items():
        yield Side(realm, mine[0].owner, tuple(mine))
