"""The world of a scenario before turn 1 (W11)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from gm.games.medieval import state
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.data.scenario import ProvinceStart, Scenario, UnitStart, starts_with_garrison
from gm.games.medieval.state import INDEPENDENTS, Unit, UnitKind, World, pair
from gm.games.medieval.state.unit import as_ranks


def start_world(scenario: Scenario, atlas: Atlas, rules: Rules) -> World:
    """Return the world before turn 1 (W11).

    All realms accept all gifts. Garrisons are wherever W5 requires one, numbered in map order.
    """
    starts = {name: scenario.provinces.get(name, ProvinceStart()) for name in atlas.provinces}
    realms = [
        state.Realm(code=code, name=seat.name, ruler=seat.ruler, **dict(scenario.realms[code]))
        for code, seat in sorted(atlas.realms.items())
    ]
    return World(
        realms={realm.code: realm for realm in realms},
        provinces={name: _province(name, start) for name, start in starts.items()},
        units={unit.key: unit for unit in state.in_order(_units(scenario, starts, atlas, rules))},
        wars=frozenset(pair(a, b) for a, b in scenario.wars),
        alliances=frozenset(pair(a, b) for a, b in scenario.alliances),
    )


# fields that a province has from its entry in the start file
_SAME_FIELDS = (
    "owner",
    "damage",
    "fortification",
    "fortification_damage",
    "harbour",
    "production_areas",
    "permissions",
)


def _province(name: str, start: ProvinceStart) -> state.Province:
    """Return a province before turn 1; annexed to its owner if its entry says so and a realm owns it."""
    annexed_to = start.owner if start.annexed and start.owner != INDEPENDENTS else None
    return state.Province(
        name=name, annexed_to=annexed_to, **{field: getattr(start, field) for field in _SAME_FIELDS}
    )


def _units(
    scenario: Scenario, starts: Mapping[str, ProvinceStart], atlas: Atlas, rules: Rules
) -> Iterator[Unit]:
    """Yield the garrisons, then all units that the file names. ``starts``: of all provinces, by name."""
    garrison_numbers: Counter[str] = Counter()
    for place, start in starts.items():
        if starts_with_garrison(start, atlas, place):
            garrison_numbers[start.owner] += 1
            number = garrison_numbers[start.owner]
            unit = Unit(realm=start.owner, kind=UnitKind.GARRISON, number=number, place=place)
            yield _filled_unit(unit, start.garrison, start, rules)
    for realm, units in scenario.units.items():
        for unit_id, unit_start in units.items():
            aboard = f"{realm}/{unit_start.aboard}" if unit_start.aboard else None
            kind = UnitKind(unit_id[0])
            number = int(unit_id[1:])
            unit = Unit(
                realm=realm,
                kind=kind,
                number=number,
                place=unit_start.place,
                name=unit_start.name,
                aboard=aboard,
            )
            yield _filled_unit(unit, unit_start.troops, unit_start, rules)


def _filled_unit(
    unit: Unit, troops: Mapping[str, Any], start: ProvinceStart | UnitStart, rules: Rules
) -> Unit:
    """Return a new unit filled with ``troops`` and with the commanders and leader of its entry ``start``.

    Its retreat level is the usual one of the rules.
    """
    return unit.evolve(
        troops=_by_ranks(troops),
        commanders=tuple(state.Commander(**dict(entry)) for entry in start.commanders),
        leader=start.leader,
        retreat_level=rules.units.retreat_level,
    )


def _by_ranks(troops: Mapping[str, int | Mapping[int, int]]) -> dict[str, state.Ranks]:
    """Return troops of the file as the state stores them, without types of count 0 (W6)."""
    counts = {name: {1: count} if isinstance(count, int) else count for name, count in troops.items()}
    return {name: _all_ranks(by_rank) for name, by_rank in counts.items() if any(by_rank.values())}


def _all_ranks(by_rank: Mapping[int, int]) -> state.Ranks:
    return as_ranks(by_rank.get(rank, 0) for rank in range(1, 6))
