"""Reasons for a unit's orders at home (O4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import ROUND_UP, Decimal
from typing import Any

from gm.games.medieval.advice.grounds import Because, Grounds, because
from gm.games.medieval.bots.groups import merit
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.state import Unit
from gm.games.medieval.state.strength import marine_space, soldiers, storage, upkeep
from gm.games.medieval.steps.construction import razed_gold, repair_work, work_on
from gm.games.medieval.steps.economy import province_revenue
from gm.text.pages import figure


def formed(grounds: Grounds, order: model.FormUnit, unit: Unit) -> Because:
    """Return the reason to form a unit: its troops and their combat value, or ships and their room (F5, F6).

    It is ``other`` if the unit was not formed.
    """
    new_unit = grounds.unit(order.new_id)
    if new_unit is None:
        return because("other")
    if new_unit.is_fleet:
        return because(
            "form fleet", place=unit.place, ships=new_unit.troop_count, room=storage(new_unit, grounds.rules)
        )
    figures = {"count": soldiers(new_unit, grounds.rules), "combat": grounds.combat([new_unit])}
    if unit.is_garrison:
        return because("form army", place=unit.place, **figures)
    return because("form split", unit=unit.id, **figures)


def recruited(grounds: Grounds, order: model.Recruit, unit: Unit) -> Because:
    """Return the reason to recruit: strangers near, and the own strength; for ships, their room (L4)."""
    troop = grounds.rules.troops[order.troop]
    if troop.ship:
        units = grounds.world.of_realm(grounds.realm)
        storage_now = sum(storage(member, grounds.rules) for member in units)
        return because("recruit ships", room=troop.storage * order.count, has=storage_now)
    combat = troop.total_combat * order.count
    figures = {"place": unit.place, "own": grounds.own_at(unit.place), "combat": combat}
    threat = grounds.near(unit.place)
    return because("recruit", threat=threat, **figures) if threat else because("recruit quiet", **figures)


def hired(grounds: Grounds, order: model.HireCommander, unit: Unit) -> Because:
    """Return the reason to hire a commander: the price, and the numbers of commanders and units (L5)."""
    own_units = grounds.after_first_events.of_realm(grounds.realm)
    serving = sum(len(member.commanders) for member in own_units)
    moving = sum(not member.is_garrison for member in own_units)
    return because("hire_commander", serving=serving, units=moving, price=grounds.rules.commanders.price)


def built(grounds: Grounds, order: model.Build, unit: Unit) -> Because:
    """Return the reason to build: its cost, and its benefit (L8)."""
    land = grounds.world.provinces[unit.place]
    work = work_on(order.structure, land.fortification + 1, grounds.rules)
    if order.structure is Structure.HARBOUR:
        seas = grounds.atlas.open_neighbours(land.name, sea=True)
        return because("build harbour", price=work.gold, place=land.name, seas=len(seas))
    if order.structure is Structure.FORTIFICATION:
        next_level = land.fortification + 1
        threat = grounds.near(land.name)
        return because(
            "build walls", price=work.gold, level=land.fortification, next=next_level, threat=threat
        )
    land_with_more = land.evolve(production_areas=land.production_areas + 1)
    atlas = grounds.atlas
    revenue = province_revenue(land_with_more, atlas, grounds.rules) - province_revenue(
        land, atlas, grounds.rules
    )
    turns = (work.gold / revenue).to_integral_value(ROUND_UP) if revenue else Decimal(0)
    return because("build fields", price=work.gold, revenue=revenue, turns=int(turns))


def repaired(grounds: Grounds, order: model.Repair, unit: Unit) -> Because:
    """Return the reason to repair walls: the price, their level, and the damaged levels (L8.1)."""
    land = grounds.world.provinces[unit.place]
    repaired_level = min(land.effective_fortification + 1, land.fortification)  # the one that is paid for
    work = repair_work(repaired_level, grounds.rules)
    return because(
        "repair", price=work.gold, level=land.fortification, damage=land.fortification_damage, place=land.name
    )


def razed(grounds: Grounds, order: model.Raze, unit: Unit) -> Because:
    """Return the reason to raze: its gain, and the enemies that could come (L10)."""
    land = grounds.world.provinces[unit.place]
    gained = razed_gold(order.structure, land.fortification, grounds.rules)
    return because("raze", gold=gained, threat=grounds.near(land.name), place=land.name)


def named(grounds: Grounds, order: model.Rename, unit: Unit) -> Because:
    """Return the reason for naming a unit (F7)."""
    return because("name")


def retreat_set(grounds: Grounds, order: model.SetRetreatLevel, unit: Unit) -> Because:
    """Return the reason for a retreat level: how many of the troops stand in the ranks up to it (B9)."""
    front = sum(sum(ranks[: order.level]) for ranks in unit.troops.values())
    count = unit.troop_count
    if front == count:
        return because("retreat never", count=count, level=order.level)
    return because("retreat_level", front=front, count=count, level=order.level)


def followed(grounds: Grounds, order: model.Follow, unit: Unit) -> Because:
    """Return the reason to follow another unit's retreat, the strength of both, or to follow none (B9.1)."""
    leader = grounds.unit(order.leader or "")
    own_combat = grounds.combat([unit])
    if leader:
        return because("follow", own=own_combat, theirs=grounds.combat([leader]))
    return because("follow nobody", own=own_combat)


def walls_defended(grounds: Grounds, order: model.SetDefendFortifications, unit: Unit) -> Because:
    """Return the reason to defend walls: their height, and the enemies that could come (M10)."""
    land = grounds.world.provinces.get(unit.place)
    level = land.effective_fortification if land else 0
    return because("defend_fortifications", level=level, threat=grounds.near(unit.place))


def marines_set(grounds: Grounds, order: model.SetMarines, unit: Unit) -> Because:
    """Return the reason for marines: the unit's soldiers, and how many its fleet has space for (B13)."""
    fleet = grounds.world.units.get(unit.aboard or "")
    space = marine_space(fleet, grounds.rules) if fleet else 0
    return because("marines", count=soldiers(unit, grounds.rules), space=space)


def led(grounds: Grounds, order: model.SetLeader, unit: Unit) -> Because:
    """Return the reason to appoint a leader (F7): the merit, and the best of the other commanders'.

    Without other commanders it is told with the number of troops.
    """
    # a commander may lead a unit, and leave it in the same turn
    before = grounds.world.units.get(unit.key, unit)
    commanders = (*unit.commanders, *before.commanders)
    leader = next((commander for commander in commanders if commander.name == order.commander), None)
    if leader is None:
        return because("other")
    other_merits = [merit(commander, unit) for commander in unit.commanders if commander.name != leader.name]
    own_merit = merit(leader, unit)
    if other_merits:
        return because("leader best", merit=own_merit, other=max(other_merits))
    return because("leader", merit=own_merit, count=unit.troop_count)


def ranked(grounds: Grounds, order: model.SetRanks, unit: Unit) -> Because:
    """Return the reason for ranks: a troop's hit points, and the troops before and behind it (F9)."""
    # counts are by rank
    first_rank = min(order.counts)
    last_rank = max(order.counts)
    front = sum(sum(ranks[: first_rank - 1]) for ranks in unit.troops.values())
    behind = sum(sum(ranks[last_rank:]) for ranks in unit.troops.values())
    hits = figure(grounds.rules.troops[order.troop].hit_points)
    return because("ranks", hits=hits, front=front, behind=behind)


def disbanded(grounds: Grounds, order: model.Disband, unit: Unit) -> Because:
    """Return the reason to disband: the upkeep of these troops, and of all units (F10, L3)."""
    cost = grounds.rules.troops[order.troop].upkeep * order.count
    return because("disband", upkeep=cost, whole=upkeep(grounds.world.of_realm(grounds.realm), grounds.rules))


def dismissed(grounds: Grounds, order: model.DisbandCommander, unit: Unit) -> Because:
    """Return the reason to dismiss a commander: its upkeep, and that of all units (F10, L3)."""
    cost = grounds.rules.commanders.upkeep
    return because("disband", upkeep=cost, whole=upkeep(grounds.world.of_realm(grounds.realm), grounds.rules))


UNIT_REASONS: Mapping[type, Callable[[Grounds, Any, Unit], Because]] = {
    model.FormUnit: formed,
    model.Recruit: recruited,
    model.HireCommander: hired,
    model.Build: built,
    model.Repair: repaired,
    model.Raze: razed,
    model.Rename: named,
    model.SetRetreatLevel: retreat_set,
    model.Follow: followed,
    model.SetDefendFortifications: walls_defended,
    model.SetMarines: marines_set,
    model.SetLeader: led,
    model.SetRanks: ranked,
    model.Disband: disbanded,
    model.DisbandCommander: dismissed,
}
"""The function that chooses the reason, by the type of the order."""

ON_LAND = frozenset({model.Build, model.Repair, model.Raze})
"""The types of orders that mean something in a province only."""
