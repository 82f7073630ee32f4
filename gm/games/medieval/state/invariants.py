"""What is true of every world between two turns, whatever was ordered: a guard against bugs of ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gm.games.medieval.atlas import Atlas
from gm.games.medieval.rules import Rules
from gm.games.medieval.state.progress import TurnProgress
from gm.games.medieval.state.province import Province
from gm.games.medieval.state.realm import INDEPENDENTS, Realm
from gm.games.medieval.state.unit import Unit
from gm.games.medieval.state.world import World
from gm.kernel.model import CENT


def broken_invariants(world: World, rules: Rules, atlas: Atlas) -> list[str]:
    """One sentence for each thing that is wrong with the world; empty when it is sound.

    Looks at identity (W5, W12), places (W2, W5), numbers (W4, W6, W10), relations (F1, F3), and the limits that a turn
    enforces (V2, L18). It must hold after every turn and for every start position.
    """
    return [
        *_realm_problems(world, atlas),
        *_victory_problems(world),
        *_relation_problems(world),
        *_province_problems(world, rules, atlas),
        *_garrison_problems(world, atlas),
        *_unit_problems(world, rules, atlas),
        *_limit_problems(world, rules),
    ]


def _realm_problems(world: World, atlas: Atlas) -> Iterator[str]:
    if list(world.realms) != sorted(world.realms):
        yield "realms are not in the order of their codes"
    if world.progress != TurnProgress():
        yield "the turn's progress is not empty"
    for code, realm in world.realms.items():
        if realm.code != code or code == INDEPENDENTS:
            yield f"{code} is not a realm's code"
        if realm.treasury < 0 or realm.treasury != realm.treasury.quantize(CENT):
            yield f"{code} has a treasury of {realm.treasury}"
        if realm.missed_turns < 0:
            yield f"{code} has missed {realm.missed_turns} turns"
        strangers = (realm.refuses | realm.passage) - (set(world.realms) - {code})
        if strangers:
            yield f"{code} refuses or grants passage to {sorted(strangers)}"
        if realm.defeated and (world.of_realm(code) or world.owned_by(code)):
            yield f"{code} is defeated and still has units or provinces"


def _victory_problems(world: World) -> Iterator[str]:
    for winner in world.winners:
        if winner not in world.realms:
            yield f"{winner} won and is no realm"
    for name, turns in world.victory_turns.items():
        if turns < 1 or not set(name.split("+")) <= set(world.realms):
            yield f"victory_turns has {name!r}: {turns}"


def _relation_problems(world: World) -> Iterator[str]:
    for a, b in sorted(world.wars | world.alliances):
        if a >= b or a not in world.realms or b not in world.realms:
            yield f"{a} and {b} are no pair of realms"
    for a, b in sorted(world.wars & world.alliances):
        yield f"{a} and {b} are allied and at war"
    for code, realm in world.realms.items():
        for other in sorted(realm.passage):
            if world.at_war(code, other):
                yield f"{code} grants passage to its enemy {other}"


def _province_problems(world: World, rules: Rules, atlas: Atlas) -> Iterator[str]:
    if tuple(world.provinces) != atlas.provinces:
        yield "the provinces are not those of the map, in its order"
        return
    for name, province in world.provinces.items():
        yield from _owner_problems(world, rules, province)
        if province.name != name:
            yield f"{name} calls itself {province.name}"
        if not 0 <= province.damage <= rules.economy.damage_limit:
            yield f"{name} has damage {province.damage}"
        if not 0 <= province.fortification <= rules.construction.fortification_limit:
            yield f"{name} has fortification level {province.fortification}"
        if not 0 <= province.fortification_damage <= province.fortification:
            yield f"{name} has fortification damage {province.fortification_damage} of {province.fortification}"
        if not 0 <= province.production_areas <= atlas.locations[name].production_limit:
            yield f"{name} has {province.production_areas} production areas"
        if province.harbour and not atlas.has_coast(name):
            yield f"{name} has a harbour and no coast"


def _owner_problems(world: World, rules: Rules, province: Province) -> Iterator[str]:
    name = province.name
    for code in (province.owner, province.annexed_to or INDEPENDENTS, *sorted(province.permissions)):
        if code != INDEPENDENTS and code not in world.realms:
            yield f"{name} names {code}, which is no realm"
    if province.annexed_to == INDEPENDENTS:
        yield f"{name} is annexed to the independents"
    away = province.annexed_to not in (None, province.owner)
    if not 0 <= province.turns_away < (rules.economy.annexation_turns if away else 1):
        yield f"{name}, of {province.owner}, annexed to {province.annexed_to}, is {province.turns_away} turns away"
    if province.owner != INDEPENDENTS:
        for other in sorted(province.permissions):
            if world.at_war(province.owner, other):
                yield f"{name} gives special permission to its owner's enemy {other}"


def _garrison_problems(world: World, atlas: Atlas) -> Iterator[str]:
    for name, province in world.provinces.items():
        garrisons = [unit for unit in world.at(name) if unit.is_garrison]
        wanted = 1 if atlas.city(name) or province.fortification else 0
        if len(garrisons) != wanted:
            yield f"{name} has {len(garrisons)} garrisons instead of {wanted}"
        for garrison in garrisons:
            if garrison.realm != province.owner:
                yield f"{garrison.key} guards {name}, which belongs to {province.owner}"
            if garrison.aboard:
                yield f"{garrison.key} is a garrison aboard {garrison.aboard}"


def _unit_problems(world: World, rules: Rules, atlas: Atlas) -> Iterator[str]:
    if list(world.units.values()) != sorted(world.units.values(), key=lambda unit: unit.order):
        yield "the units are not in order"
    for key, unit in world.units.items():
        if unit.key != key:
            yield f"{key} is listed for {unit.key}"
        realm = world.realms.get(unit.realm)
        if unit.realm != INDEPENDENTS and (realm is None or realm.defeated):
            yield f"{key} belongs to no living realm"
        if not 1 <= unit.number <= (len(atlas.provinces) if unit.is_garrison else rules.units.number_limit):
            yield f"{key} has a number out of range"
        if not 1 <= unit.retreat_level <= rules.units.ranks:
            yield f"{key} retreats at level {unit.retreat_level}"
        if unit.empty and not unit.is_garrison:
            yield f"{key} is empty"
        yield from _place_problems(world, atlas, unit)
        yield from _troop_problems(world, rules, atlas, unit)
        yield from _leader_problems(world, rules, unit)


def _place_problems(world: World, atlas: Atlas, unit: Unit) -> Iterator[str]:
    if unit.place not in atlas.locations:
        yield f"{unit.key} is in {unit.place}, which is not on the map"
        return
    at_sea = atlas.is_sea(unit.place)
    if unit.aboard:
        fleet = world.units.get(unit.aboard)
        if not unit.is_army or fleet is None or not fleet.is_fleet:
            yield f"{unit.key} is aboard {unit.aboard}, which is no fleet for it"
        elif fleet.place != unit.place:
            yield f"{unit.key} is in {unit.place}, aboard {fleet.key} in {fleet.place}"
    elif at_sea and not unit.is_fleet:
        yield f"{unit.key} walks on {unit.place}"
    if unit.is_fleet and not at_sea and not atlas.has_coast(unit.place):
        yield f"{unit.key} sails on dry land in {unit.place}"


def _troop_problems(world: World, rules: Rules, atlas: Atlas, unit: Unit) -> Iterator[str]:
    harbour_city = unit.is_garrison and world.provinces[unit.place].harbour and atlas.city(unit.place) is not None
    for name, ranks in unit.troops.items():
        if name not in rules.troops:
            yield f"{unit.key} has {name}, which is no troop type"
            continue
        if min(ranks) < 0 or not any(ranks):
            yield f"{unit.key} has {name} in ranks {ranks}"
        ship = rules.troops[name].ship
        if (ship and not (unit.is_fleet or harbour_city)) or (unit.is_fleet and not ship):
            yield f"{unit.key} has {name}, which cannot be in it"


def _leader_problems(world: World, rules: Rules, unit: Unit) -> Iterator[str]:
    for commander in unit.commanders:
        ratings = (commander.infantry, commander.cavalry, commander.siege, commander.naval)
        if min(ratings) < 0 or max(ratings) > rules.battle.skill_limit:
            yield f"{unit.key} has {commander.name} with ratings {ratings}"
    if unit.leader is not None and unit.lead_commander is None:
        yield f"{unit.key} is led by {unit.leader}, who is not in it"
    seen, at = {unit.id}, unit.follow
    while at is not None:
        if at in seen:
            yield f"{unit.key} follows itself"
            return
        seen.add(at)
        followed = world.unit(unit.realm, at)
        at = followed.follow if followed is not None else None


def _limit_problems(world: World, rules: Rules) -> Iterator[str]:
    annexed = Counter(province.annexed_to for province in world.provinces.values())
    for code in (*world.realms, INDEPENDENTS):
        names = Counter(c.name for unit in world.of_realm(code) for c in unit.commanders)
        for name, count in sorted(names.items()):
            if count > 1:
                yield f"{code} has {count} commanders called {name}"
        realm: Realm | None = world.realms.get(code)
        if realm is None:
            continue
        limits = rules.statuses[realm.status]
        if names.total() > limits.commanders:
            yield f"{code} has {names.total()} commanders, {limits.commanders} at most"
        if annexed[code] > limits.annexed_provinces:
            yield f"{code} has annexed {annexed[code]} provinces, {limits.annexed_provinces} at most"
