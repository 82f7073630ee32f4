"""How fair a start is: what each realm owns, what that is worth, and what it can take easily (W11)."""

from __future__ import annotations

from typing import Any

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


def balance_figures(atlas: Atlas, world: World, rules: Rules) -> list[dict[str, Any]]:
    """The figures of every realm, by code, under the names of the columns of the table that ``gm map check`` prints.

    ``worth`` is treasury, build cost of all troops and some turns of revenue without damage (L11), in gold.
    """
    rows = []
    for code, realm in world.realms.items():
        lands, units = world.owned_by(code), world.of_realm(code)
        troops = [(rules.troops[name], count) for unit in units for name, count in unit.counts().items()]
        commanders = sum(len(unit.commanders) for unit in units)
        areas = sum(land.production_areas for land in lands) * rules.economy.production_area_revenue
        revenue = sum((atlas.locations[land.name].revenue for land in lands), areas)
        build_cost = sum((troop.cost * count for troop, count in troops), rules.commanders.price * commanders)
        rows.append(
            {
                "realm": code,
                "provinces": len(lands),
                "cities": sum(atlas.city(land.name) is not None for land in lands),
                "harbours": sum(land.harbour for land in lands),
                "revenue": revenue,
                "upkeep": sum((troop.upkeep * count for troop, count in troops), rules.commanders.upkeep * commanders),
                "soldiers": sum(count for troop, count in troops if not troop.ship),
                "ships": sum(count for troop, count in troops if troop.ship),
                "build cost": build_cost,
                "worth": realm.treasury + build_cost + TURNS_COUNTED * revenue,
                "to conquer": len(prey(atlas, world, code)),
            }
        )
    return rows


def prey(atlas: Atlas, world: World, realm: str) -> list[str]:
    """The independent provinces that a realm can reach in a few marches or a short voyage, in map order."""
    home = [land.name for land in world.owned_by(realm)]
    ports = [name for name in home if world.provinces[name].harbour]
    reached = atlas.graph.reached(home, MARCHES, lambda place: not atlas.is_sea(place))
    reached |= atlas.graph.reached(ports, SAILS + 1, atlas.is_sea)
    return [name for name in atlas.provinces if name in reached and world.provinces[name].owner == INDEPENDENTS]
