"""What is true of every world between two turns, whatever was ordered: a guard against bugs of ours."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from gm.core.diagnostics import says
from gm.core.values import CENT
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state.realm import INDEPENDENTS
from gm.games.medieval.state.unit import Unit, UnitKind, in_order
from gm.games.medieval.state.world import TurnProgress, World


def broken_invariants(world: World, rules: Rules, atlas: Atlas) -> list[str]:
    """Return a sentence for each violation of an invariant by a world between turns."""
    if tuple(world.provinces) != atlas.provinces:  # the other checks look provinces up
        return [says("the provinces are not those of the map, in its order")]
    return [
        *_realm_problems(world),
        *_relation_problems(world),
        *_province_problems(world, rules, atlas),
        *_owner_problems(world, rules),
        *_garrison_problems(world, atlas),
        *_unit_problems(world, rules, atlas),
        *_place_problems(world, atlas),
        *_troop_problems(world, rules, atlas),
        *_leader_problems(world, rules),
        *_limit_problems(world, rules),
    ]


def _realm_problems(world: World) -> Iterator[str]:
    """Yield the violations about the order of realms, the turn's progress and each realm."""
    if list(world.realms) != sorted(world.realms):
        yield says("realms are not in the order of their codes")
    if world.progress != TurnProgress():
        yield says("the turn's progress is not empty")
    for code in world.realms:
        yield from _problems_of(world, code)


def _problems_of(world: World, code: str) -> Iterator[str]:
    """Yield the violations about a realm."""
    realm = world.realms[code]
    if realm.code != code or code == INDEPENDENTS:
        yield says("{0} is not a realm's code", code)
    if realm.treasury < 0 or realm.treasury != realm.treasury.quantize(CENT):
        yield says("{0} has a treasury of {1}", code, realm.treasury)
    if realm.missed_turns < 0:
        yield says("{0} has missed {1} turns", code, realm.missed_turns)
    strangers = (realm.refuses | realm.passage) - (set(world.realms) - {code})
    if strangers:
        yield says("{0} refuses or grants passage to {1}", code, sorted(strangers))
    if realm.defeated and (world.of_realm(code) or world.owned_by(code)):
        yield says("{0} is defeated and still has units or provinces", code)


def _relation_problems(world: World) -> Iterator[str]:
    """Yield the violations about victory, relations and passage."""
    yield from (
        says("{0} won and is not a realm", winner) for winner in world.winners if winner not in world.realms
    )
    for name, turns in world.victory_turns.items():
        if turns < 1 or not set(name.split("+")) <= set(world.realms):
            yield says("victory_turns has {0!r}: {1}", name, turns)
    for a, b in sorted(world.wars | world.alliances):
        if a >= b or a not in world.realms or b not in world.realms:
            yield says("{0} and {1} are not a pair of realms", a, b)
    yield from (
        says("{0} and {1} are allied and at war", a, b) for a, b in sorted(world.wars & world.alliances)
    )
    for code, realm in world.realms.items():
        enemies = (other for other in sorted(realm.passage) if world.at_war(code, other))
        yield from (says("{0} grants passage to its enemy {1}", code, other) for other in enemies)


def _province_problems(world: World, rules: Rules, atlas: Atlas) -> Iterator[str]:
    """Yield a sentence about each thing that is wrong with a province."""
    damage_limit = rules.economy.damage_limit
    fortification_limit = rules.construction.fortification_limit
    for name, province in world.provinces.items():
        if province.name != name:
            yield says("{0} calls itself {1}", name, province.name)
        if not 0 <= province.damage <= damage_limit:
            yield says("{0} has damage {1}", name, province.damage)
        if not 0 <= province.fortification <= fortification_limit:
            yield says("{0} has fortification level {1}", name, province.fortification)
        if not 0 <= province.fortification_damage <= province.fortification:
            yield (
                says(
                    "{0} has fortification damage {1} of {2}",
                    name,
                    province.fortification_damage,
                    province.fortification,
                )
            )
        if not 0 <= province.production_areas <= atlas.locations[name].production_limit:
            yield says("{0} has {1} production areas", name, province.production_areas)
        if province.harbour and not atlas.has_coast(name):
            yield says("{0} has a harbour and no coast", name)


def _owner_problems(world: World, rules: Rules) -> Iterator[str]:
    """Yield the violations about owners, annexations and permissions."""
    owners = {*world.realms, INDEPENDENTS}
    for name, province in world.provinces.items():
        owner = province.owner
        permissions = sorted(province.permissions)
        codes_named = (owner, province.annexed_to or INDEPENDENTS, *permissions)
        yield from (
            says("{0} names {1}, which is not a realm", name, code)
            for code in codes_named
            if code not in owners
        )
        if province.annexed_to == INDEPENDENTS:
            yield says("{0} is annexed to the independents", name)
        is_away = province.annexed_to not in (None, owner)
        if not 0 <= province.turns_away < (rules.economy.annexation_turns if is_away else 1):
            yield says(
                "{0}, of {1}, annexed to {2}, is {3} turns away",
                name,
                owner,
                province.annexed_to,
                province.turns_away,
            )
        enemies = [other for other in permissions if owner != INDEPENDENTS and world.at_war(owner, other)]
        yield from (
            says("{0} gives special permission to its owner's enemy {1}", name, other) for other in enemies
        )


def _garrison_problems(world: World, atlas: Atlas) -> Iterator[str]:
    """Yield the violations about garrisons."""
    garrisons = world.of_kind(UnitKind.GARRISON)
    counts = Counter(garrison.place for garrison in garrisons)
    for name, province in world.provinces.items():
        needed = 1 if atlas.city(name) or province.fortification else 0
        if counts.get(name, 0) != needed:
            yield says("{0} has {1} garrisons instead of {2}", name, counts[name], needed)
    for garrison in garrisons:
        guarded = world.provinces.get(garrison.place)
        if guarded is not None and garrison.realm != guarded.owner:
            yield says("{0} guards {1}, which belongs to {2}", garrison.key, garrison.place, guarded.owner)
        if garrison.aboard:
            yield says("{0} is a garrison aboard {1}", garrison.key, garrison.aboard)


def _unit_problems(world: World, rules: Rules, atlas: Atlas) -> Iterator[str]:
    """Yield a sentence about each thing that is wrong with a unit, or with the order of units."""
    if list(world.units.values()) != in_order(world.units.values()):
        yield says("the units are not in order")
    living = {code for code, realm in world.realms.items() if not realm.defeated} | {INDEPENDENTS}
    limits = dict.fromkeys(UnitKind, rules.units.number_limit) | {UnitKind.GARRISON: len(atlas.provinces)}
    for key, unit in world.units.items():
        if unit.key != key:
            yield says("{0} is listed for {1}", key, unit.key)
        if unit.realm not in living:
            yield says("{0} belongs to no living realm", key)
        if not 1 <= unit.number <= limits[unit.kind]:
            yield says("{0} has a number out of range", key)
        if not 1 <= unit.retreat_level <= rules.units.ranks:
            yield says("{0} retreats at level {1}", key, unit.retreat_level)
        if not unit.troops and not unit.commanders and not unit.is_garrison:
            yield says("{0} is empty", key)


def _place_problems(world: World, atlas: Atlas) -> Iterator[str]:
    """Yield the violations about the places of units."""
    for unit in world.units.values():
        place = atlas.locations.get(unit.place)
        if place is None:
            yield says("{0} is in {1}, which is not on the map", unit.key, unit.place)
            continue
        if unit.aboard:
            fleet = world.units.get(unit.aboard)
            if not unit.is_army or fleet is None or not fleet.is_fleet:
                yield says("{0} is aboard {1}, which is not a fleet for it", unit.key, unit.aboard)
            elif fleet.place != unit.place:
                yield says("{0} is in {1}, aboard {2} in {3}", unit.key, unit.place, fleet.key, fleet.place)
        elif place.sea and not unit.is_fleet:
            yield says("{0} walks on {1}", unit.key, unit.place)
        if not place.sea and unit.is_fleet and not atlas.has_coast(unit.place):
            yield says("{0} sails on dry land in {1}", unit.key, unit.place)


def _troop_problems(world: World, rules: Rules, atlas: Atlas) -> Iterator[str]:
    """Yield the violations about troops."""
    for kind in UnitKind:
        for unit in world.of_kind(kind):
            for name, ranks in unit.troops.items():
                troop = rules.troops.get(name)
                if troop is None:
                    yield says("{0} has {1}, which is not a troop type", unit.key, name)
                    continue
                if min(ranks) < 0 or not any(ranks):
                    yield says("{0} has {1} in ranks {2}", unit.key, name, ranks)
                # the garrison of a city with a harbour keeps the ships that are built there
                in_port = (
                    unit.is_garrison
                    and world.provinces[unit.place].harbour
                    and atlas.city(unit.place) is not None
                )
                is_misplaced = not troop.ship if kind is UnitKind.FLEET else troop.ship and not in_port
                if is_misplaced:
                    yield says("{0} has {1}, which cannot be in it", unit.key, name)


def _leader_problems(world: World, rules: Rules) -> Iterator[str]:
    """Yield the violations about commanders, leaders and followers."""
    for unit in world.units.values():
        for commander in unit.commanders:
            ratings = (commander.infantry, commander.cavalry, commander.siege, commander.naval)
            if min(ratings) < 0 or max(ratings) > rules.battle.skill_limit:
                yield says("{0} has {1} with ratings {2}", unit.key, commander.name, ratings)
        if unit.leader is not None and unit.lead_commander is None:
            yield says("{0} is led by {1}, who is not in it", unit.key, unit.leader)
        if unit.follow is not None and _follows_itself(world, unit):
            yield says("{0} follows itself", unit.key)


def _follows_itself(world: World, unit: Unit) -> bool:
    """Return whether the unit that a unit follows, the one that this follows and so on form a circle."""
    seen_ids = {unit.id}
    followed_id = unit.follow
    while followed_id is not None and followed_id not in seen_ids:
        seen_ids.add(followed_id)
        followed = world.unit(unit.realm, followed_id)
        followed_id = followed.follow if followed is not None else None
    return followed_id is not None


def _limit_problems(world: World, rules: Rules) -> Iterator[str]:
    """Yield the violations of limits and of unique names."""
    annexed = Counter(province.annexed_to for province in world.provinces.values())
    for code in (*world.realms, INDEPENDENTS):
        names = Counter(chain.from_iterable(unit.commander_names for unit in world.of_realm(code)))
        repeated = ((name, count) for name, count in sorted(names.items()) if count > 1)
        yield from (says("{0} has {1} commanders called {2}", code, count, name) for name, count in repeated)
        if code == INDEPENDENTS:
            continue
        limits = rules.statuses[world.realms[code].status]
        if names.total() > limits.commanders:
            yield says("{0} has {1} commanders, {2} at most", code, names.total(), limits.commanders)
        if annexed[code] > limits.annexed_provinces:
            yield says(
                "{0} has annexed {1} provinces, {2} at most", code, annexed[code], limits.annexed_provinces
            )
