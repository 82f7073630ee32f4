"""The study: what every troop, ship, commander, fortification and structure is worth, out of the rules data (T1-T5)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from gm.core.records import Record, record
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import FortificationLevel, Rules, TroopType
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.steps.construction import Work, razed_gold, repair_work, work_on
from gm.text.pages import gold


@record
class TroopLine(Record):
    """A troop type or ship and the cities of this map that recruit it."""

    troop: TroopType
    cities: tuple[str, ...]


@record
class FortificationLine(Record):
    """A level of table T2 with what it takes to build it, to repair one damage of it, and what razing it brings."""

    row: FortificationLevel
    work: Work
    repair: Work
    razed: Decimal


@record
class StructureLine(Record):
    """A structure of table T4: ``needs`` is where it can stand, ``brings`` what it is for."""

    name: str
    work: Work
    razed: Decimal
    needs: str
    brings: str


def study(rules: Rules, atlas: Atlas) -> Mapping[str, Any]:
    """What the study's template shows, all of it from the rules and the map's lists of recruits."""
    cities: dict[str, list[str]] = {}
    for name, place in atlas.locations.items():
        for troop in place.city.recruits if place.city else ():
            cities.setdefault(troop, []).append(name)
    lines = [TroopLine(troop, tuple(cities.get(troop.name, ()))) for troop in rules.troops.values()]
    return {
        "rules": rules,
        "soldiers": [each for each in lines if not each.troop.ship],
        "ships": [each for each in lines if each.troop.ship],
        "fortifications": [_fortification(row, rules) for row in rules.fortifications],
        "structures": _structures(rules),
        "damages": list(enumerate(rules.economy.revenue_percent)),
    }


def _fortification(row: FortificationLevel, rules: Rules) -> FortificationLine:
    return FortificationLine(
        row=row,
        work=work_on(Structure.FORTIFICATION, row.level, rules),
        repair=repair_work(row.level, rules),
        razed=razed_gold(Structure.FORTIFICATION, row.level, rules),
    )


def _structures(rules: Rules) -> list[StructureLine]:
    area = rules.economy.production_area_revenue
    return [
        StructureLine(
            name="harbour",
            work=work_on(Structure.HARBOUR, 0, rules),
            razed=razed_gold(Structure.HARBOUR, 0, rules),
            needs="a city and an open coast",
            brings="ships can be built there, and fleets can dock",
        ),
        StructureLine(
            name="production area",
            work=work_on(Structure.PRODUCTION_AREA, 0, rules),
            razed=razed_gold(Structure.PRODUCTION_AREA, 0, rules),
            needs=f"at most {rules.construction.production_area_limit} a province, unless the map says otherwise",
            brings=f"{gold(area)} gold of revenue a turn",
        ),
    ]
