"""How a game starts (W11): the world that follows from a start file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.data.scenario_file import ProvinceStart, Scenario, UnitStart, guarded, load_scenario
from gm.games.medieval.state import (
    INDEPENDENTS,
    Commander,
    Province,
    Ranks,
    Realm,
    Unit,
    UnitKind,
    World,
    in_order,
    pair,
)

__all__ = ["Scenario", "load_scenario", "scenario_rules", "start_world"]


def scenario_rules(scenario: Scenario, rules: Rules) -> Rules:
    """The rules with what the scenario decides: the goal of the game and its first year (V1, W9)."""
    changes: dict[str, object] = {}
    if scenario.victory:
        changes["victory"] = rules.victory.evolve(**scenario.victory)
    if scenario.year is not None:
        changes["start_year"] = scenario.year
    return rules.evolve(**changes)


def start_world(scenario: Scenario, atlas: Atlas, rules: Rules) -> World:
    """The world before turn 1 (W11): neutral realms that accept gifts, garrisons wherever there must be one (W5).

    Realms come by code, provinces in map order, garrisons are numbered by map order.
    """
    starts = {name: scenario.provinces.get(name, ProvinceStart()) for name in atlas.provinces}
    units = [*_garrisons(starts, atlas, rules), *_others(scenario, rules)]
    return World(
        realms={
            code: Realm(
                code=code,
                name=seat.name,
                ruler=seat.ruler,
                treasury=scenario.realms[code].treasury,
                status=scenario.realms[code].status,
            )
            for code, seat in sorted(atlas.realms.items())
        },
        provinces={name: _province(name, start) for name, start in starts.items()},
        units={unit.key: unit for unit in in_order(units)},
        wars=frozenset(pair(a, b) for a, b in scenario.wars),
        alliances=frozenset(pair(a, b) for a, b in scenario.alliances),
    )


def by_ranks(troops: Mapping[str, int | Mapping[int, int]]) -> dict[str, Ranks]:
    """Troops of the file as the state keeps them; types of which there are none are left out (W6)."""
    found: dict[str, Ranks] = {}
    for name, written in troops.items():
        counts = {1: written} if isinstance(written, int) else written
        if any(counts.values()):
            first, second, third, fourth, fifth = (counts.get(rank, 0) for rank in range(1, 6))
            found[name] = (first, second, third, fourth, fifth)
    return found


_KEPT = ("owner", "damage", "fortification", "fortification_damage", "harbour", "production_areas", "permissions")


def _province(name: str, start: ProvinceStart) -> Province:
    annexed_to = start.owner if start.annexed and start.owner != INDEPENDENTS else None
    return Province(name=name, annexed_to=annexed_to, **{field: getattr(start, field) for field in _KEPT})


def _garrisons(starts: Mapping[str, ProvinceStart], atlas: Atlas, rules: Rules) -> Iterator[Unit]:
    numbers: Counter[str] = Counter()
    for place, start in starts.items():
        if guarded(start, atlas, place):
            numbers[start.owner] += 1
            unit = Unit(realm=start.owner, kind=UnitKind.GARRISON, number=numbers[start.owner], place=place)
            yield _manned(unit, start.garrison, start, rules)


def _others(scenario: Scenario, rules: Rules) -> Iterator[Unit]:
    for realm, units in scenario.units.items():
        for unit_id, start in units.items():
            unit = Unit(realm=realm, kind=UnitKind(unit_id[0]), number=int(unit_id[1:]), place=start.place)
            aboard = f"{realm}/{start.aboard}" if start.aboard else None
            yield _manned(unit.evolve(name=start.name, aboard=aboard), start.troops, start, rules)


def _manned(unit: Unit, troops: Mapping[str, Any], start: ProvinceStart | UnitStart, rules: Rules) -> Unit:
    return unit.evolve(
        troops=by_ranks(troops),
        commanders=tuple(Commander(**dict(entry)) for entry in start.commanders),
        leader=start.leader,
        retreat_level=rules.units.retreat_level,
    )
