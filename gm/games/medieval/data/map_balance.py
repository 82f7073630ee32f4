"""How fair a start is: what each realm owns, what that is worth, and what it can take easily (W11)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from gm.core.records import Record, record
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import INDEPENDENTS, World

FAIR_PERCENT = 15
"""How far the worth of two realms may lie apart, in percent of the poorer one's."""
TURNS_COUNTED = 4
"""Turns of revenue that count as worth."""
MARCHES = 2
SAILS = 2
"""What "within easy reach" means: so many marches, or a voyage over so many seas."""


@record
class BalanceRow(Record):
    """One realm's figures. ``worth`` is treasury, build cost of all troops and some turns of revenue, in gold."""

    realm: str
    provinces: int
    cities: int
    harbours: int
    revenue: Decimal
    upkeep: Decimal
    soldiers: int
    ships: int
    commanders: int
    build_cost: Decimal
    treasury: Decimal
    prey: int
    """Independent provinces within easy reach."""

    @property
    def worth(self) -> Decimal:
        return self.treasury + self.build_cost + TURNS_COUNTED * self.revenue


def balance_rows(atlas: Atlas, world: World, rules: Rules) -> list[BalanceRow]:
    """The figures of every realm, by code."""
    return [_row(code, atlas, world, rules) for code in world.realms]


def balance_figures(atlas: Atlas, world: World, rules: Rules) -> list[dict[str, Any]]:
    """The same as plain figures, under the names of the columns of the table that ``gm map check`` prints."""
    return [
        {
            "realm": row.realm,
            "provinces": row.provinces,
            "cities": row.cities,
            "harbours": row.harbours,
            "revenue": row.revenue,
            "upkeep": row.upkeep,
            "soldiers": row.soldiers,
            "ships": row.ships,
            "build cost": row.build_cost,
            "worth": row.worth,
            "to conquer": row.prey,
        }
        for row in balance_rows(atlas, world, rules)
    ]


def _row(code: str, atlas: Atlas, world: World, rules: Rules) -> BalanceRow:
    lands, units = world.owned_by(code), world.of_realm(code)
    troops = [(rules.troops[name], sum(ranks)) for unit in units for name, ranks in unit.troops.items()]
    commanders = sum(len(unit.commanders) for unit in units)
    return BalanceRow(
        realm=code,
        provinces=len(lands),
        cities=sum(atlas.city(land.name) is not None for land in lands),
        harbours=sum(land.harbour for land in lands),
        revenue=sum((revenue_of(atlas, rules, land.name, land.production_areas) for land in lands), Decimal(0)),
        upkeep=sum((troop.upkeep * count for troop, count in troops), rules.commanders.upkeep * commanders),
        soldiers=sum(count for troop, count in troops if not troop.ship),
        ships=sum(count for troop, count in troops if troop.ship),
        commanders=commanders,
        build_cost=sum((troop.cost * count for troop, count in troops), rules.commanders.price * commanders),
        treasury=world.realms[code].treasury,
        prey=len(prey(atlas, world, code)),
    )


def revenue_of(atlas: Atlas, rules: Rules, province: str, areas: int) -> Decimal:
    """A province's revenue without damage (L11)."""
    return atlas.locations[province].revenue + rules.economy.production_area_revenue * areas


def prey(atlas: Atlas, world: World, realm: str) -> list[str]:
    """The independent provinces that a realm can reach in a few marches or a short voyage, in map order."""
    home = [land.name for land in world.owned_by(realm)]
    reached = _reach(atlas, home, MARCHES, sea=False)
    ports = [name for name in home if world.provinces[name].harbour]
    first = {sea for port in ports for sea in atlas.open_neighbours(port, sea=True)}
    seas = _reach(atlas, sorted(first), SAILS - 1, sea=True)
    reached |= {shore for sea in seas for shore in atlas.open_neighbours(sea, sea=False)}
    return [name for name in atlas.provinces if name in reached and world.provinces[name].owner == INDEPENDENTS]


def _reach(atlas: Atlas, starts: list[str], steps: int, *, sea: bool) -> set[str]:
    reached = set(starts)
    edge = sorted(reached)
    for _ in range(steps):
        edge = sorted({other for name in edge for other in atlas.open_neighbours(name, sea=sea)} - reached)
        reached |= set(edge)
    return reached
