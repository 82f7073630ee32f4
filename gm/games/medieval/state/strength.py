"""Figures of units from their troops and the rules: soldiers, ships, combat, weight, storage, move-points."""

from collections.abc import Iterable
from decimal import Decimal

from gm.core.values import cached_per_context
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import Unit, UnitProgress, World


@cached_per_context
def soldiers(unit: Unit, rules: Rules) -> int:
    """Return the number of a unit's soldiers (no ships, no commanders), who are also its workers (L8)."""
    return sum(sum(ranks) for name, ranks in unit.troops.items() if not rules.troops[name].ship)


def ships(unit: Unit, rules: Rules) -> int:
    """Return the number of ships of a unit."""
    return unit.troop_count - soldiers(unit, rules)


@cached_per_context
def has_fighters(unit: Unit, rules: Rules) -> bool:
    """Return whether this is an army or garrison with a soldier or commander in it (W13)."""
    return not unit.is_fleet and (bool(unit.commanders) or soldiers(unit, rules) > 0)


def enemy_troops_at(
    world: World, rules: Rules, realm: str, place: str, present: Iterable[Unit] | None = None
) -> bool:
    """Return whether an enemy army or garrison with a soldier or commander is at a place (W13).

    Armies aboard fleets there count too. ``present``: the units to look at, by default all at the place.
    """
    units = world.at(place) if present is None else present
    other_units = (unit for unit in units if unit.realm != realm and has_fighters(unit, rules))
    return any(world.hostile(realm, unit.realm, place) for unit in other_units)


def total_combat(unit: Unit, rules: Rules, *, ships_too: bool = False, commanders: bool = True) -> int:
    """Return attacks times combat of a unit's soldiers, without any modifier (X1).

    Ships are left out unless ``ships_too``; ``commanders``: whether they count as well.
    """
    total = sum(
        rules.troops[name].total_combat * sum(ranks)
        for name, ranks in unit.troops.items()
        if ships_too or not rules.troops[name].ship
    )
    if commanders:
        total += rules.commanders.attacks * rules.commanders.combat * len(unit.commanders)
    return total


def hit_points(unit: Unit, rules: Rules) -> Decimal:
    """Return the hit points of all troops and commanders of a unit, without any modifier (T1, T5)."""
    troops = sum(
        (rules.troops[name].hit_points * sum(ranks) for name, ranks in unit.troops.items()), Decimal(0)
    )
    return troops + rules.commanders.hit_points * len(unit.commanders)


def weight(unit: Unit, rules: Rules) -> int:
    """Return the weight of an army in a fleet's storage; commanders weigh nothing (T1)."""
    return sum(rules.troops[name].weight * sum(ranks) for name, ranks in unit.troops.items())


def storage(fleet: Unit, rules: Rules) -> int:
    """Return the weight that a fleet's ships can carry."""
    return sum(rules.troops[name].storage * sum(ranks) for name, ranks in fleet.troops.items())


def marine_space(fleet: Unit, rules: Rules) -> int:
    """Return how many soldiers aboard a fleet may fight as marines (B13)."""
    return sum(rules.troops[name].marine_space * sum(ranks) for name, ranks in fleet.troops.items())


def pace(unit: Unit, rules: Rules) -> int:
    """Return the move-points of a unit in a turn: those of its slowest troop type (P3).

    An army of commanders alone has theirs. Garrisons and empty units have 0.
    """
    if unit.is_garrison or unit.empty:
        return 0
    if not unit.troops:
        return rules.movement.commanders_move_points if unit.is_army else 0
    return min(rules.troops[name].move_points for name in unit.troops)


def move_points_left(unit: Unit, done: UnitProgress, rules: Rules) -> int:
    """Return the move-points that a unit may still use this turn (P3, P6, P7), never below 0.

    ``done``: its progress.
    """
    return 0 if done.spent else max(0, pace(unit, rules) - done.used)


def upkeep(units: Iterable[Unit], rules: Rules) -> Decimal:
    """Return the upkeep of these units' troops and commanders, in gold, not rounded."""
    counts: dict[str, int] = {}
    commanders = 0
    for unit in units:
        commanders += len(unit.commanders)
        for troop, ranks in unit.troops.items():
            counts[troop] = counts.get(troop, 0) + sum(ranks)
    troops = sum((rules.troops[troop].upkeep * count for troop, count in counts.items()), Decimal(0))
    return troops + rules.commanders.upkeep * commanders


@cached_per_context
def unit_upkeep(unit: Unit, rules: Rules) -> Decimal:
    """Return the upkeep of one unit's troops and commanders, in gold, not rounded."""
    return upkeep((unit,), rules)
