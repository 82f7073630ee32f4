"""How a game starts (W11): the world that follows from a start file."""

from __future__ import annotations

from collections.abc import Mapping

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.data.scenario_file import CommanderEntry, ProvinceStart, Scenario, guarded, load_scenario
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


def _province(name: str, start: ProvinceStart) -> Province:
    return Province(
        name=name,
        owner=start.owner,
        annexed_to=start.owner if start.annexed and start.owner != INDEPENDENTS else None,
        damage=start.damage,
        fortification=start.fortification,
        fortification_damage=start.fortification_damage,
        harbour=start.harbour,
        production_areas=start.production_areas,
        permissions=start.permissions,
    )


def _garrisons(starts: Mapping[str, ProvinceStart], atlas: Atlas, rules: Rules) -> list[Unit]:
    numbers: dict[str, int] = {}
    garrisons = []
    for province, start in starts.items():
        if guarded(start, atlas, province):
            numbers[start.owner] = numbers.get(start.owner, 0) + 1
            garrisons.append(
                Unit(
                    realm=start.owner,
                    kind=UnitKind.GARRISON,
                    number=numbers[start.owner],
                    place=province,
                    troops=by_ranks(start.garrison),
                    commanders=_commanders(start.commanders),
                    leader=start.leader,
                    retreat_level=rules.units.retreat_level,
                )
            )
    return garrisons


def _others(scenario: Scenario, rules: Rules) -> list[Unit]:
    return [
        Unit(
            realm=realm,
            kind=UnitKind(unit_id[0]),
            number=int(unit_id[1:]),
            place=start.place,
            name=start.name,
            aboard=f"{realm}/{start.aboard}" if start.aboard else None,
            troops=by_ranks(start.troops),
            commanders=_commanders(start.commanders),
            leader=start.leader,
            retreat_level=rules.units.retreat_level,
        )
        for realm, units in scenario.units.items()
        for unit_id, start in units.items()
    ]


def _commanders(entries: tuple[CommanderEntry, ...]) -> tuple[Commander, ...]:
    return tuple(Commander(**entry.model_content()) for entry in entries)
