"""Who meets whom (B1, M6, M6.1, M11, M12), and what is settled before round 1 (B2, B3)."""

from __future__ import annotations

from collections.abc import Iterable

from gm.games.medieval.combat.battle import BORDER, LAND, SEA, Battle, Field, has_ships, realms_of
from gm.games.medieval.combat.contingents import Contingent, Role
from gm.games.medieval.combat.muster import (
    enter_fortification,
    fill_marine_space,
    muster_aboard,
    muster_ashore,
    muster_fleet,
)
from gm.games.medieval.combat.siege import besiege
from gm.games.medieval.combat.summary import units_in_battle
from gm.games.medieval.state import Unit, strength


def land_battle(field: Field, place: str) -> Battle | None:
    """The battle in a province (M12), besieged and committed; none when no two units there are at war."""
    battle = gathered(field, place)
    if battle is not None:
        besiege(battle)
        committed(battle)
    return battle


def gathered(field: Field, place: str) -> Battle | None:
    """The armies and garrisons in a province that will fight, before the siege; none when no two are at war."""
    present = [unit for unit in field.at(place) if strength.has_fighters(unit, field.rules)]
    hostile = _at_war_here(field, present, place)
    contingents = [muster_ashore(field, unit, landing=True) for unit in present if unit.realm in hostile]
    if not contingents:
        return None
    return Battle(field=field, kind=LAND, place=place, contingents=contingents, owner=field.last_owner(place))


def committed(battle: Battle) -> None:
    """After the siege: settle who defends what is left of the walls (B3), and draw the battle up for round 1."""
    _commit(battle)
    owner, hostile = battle.owner, battle.field.world.hostile
    for contingent in battle.contingents:
        contingent.invader = owner is not None and hostile(contingent.realm, owner, battle.place)
    _drawn_up(battle)


def border_battle(field: Field, place: str, other: str, marching: Iterable[Unit]) -> Battle | None:
    """The battle of armies that marched over one border in opposite directions (M11); none without enemies."""
    marching = list(marching)
    at_war = field.world.at_war
    meeting = [
        unit for unit in marching if any(foe.place != unit.place and at_war(unit.realm, foe.realm) for foe in marching)
    ]
    if not meeting:
        return None
    contingents = [muster_ashore(field, unit, landing=False) for unit in meeting]
    for contingent in contingents:
        contingent.invader = True
    return _drawn_up(Battle(field=field, kind=BORDER, place=place, other_place=other, contingents=contingents))


def sea_battle(field: Field, sea: str) -> Battle | None:
    """The battle in a sea (M6): enemy fleets, their marines (B13) and mutineers (M6.1); none without enemies."""
    present = field.at(sea)
    fleets = [unit for unit in present if has_ships(unit)]
    guests = mutineers(field, present)
    hostile = _at_war_here(field, [*fleets, *guests], sea)
    fleets = [fleet for fleet in fleets if fleet.realm in hostile]
    if not fleets:
        return None
    contingents = [muster_fleet(field, fleet) for fleet in fleets]
    for contingent in contingents:
        contingent.invader = field.done(contingent.key).marched_phase == field.phase
    contingents += [muster_aboard(field, unit, Role.MUTINEERS) for unit in guests]
    contingents += _marines(field, present, fleets, realms_of(guests))
    contingents.sort(key=lambda each: each.unit.order)
    battle = Battle(field=field, kind=SEA, place=sea, contingents=contingents, mutiny=bool(guests))
    man_the_decks(battle)
    return _drawn_up(battle)


def mutineers(field: Field, present: Iterable[Unit]) -> list[Unit]:
    """The guests of enemies who fight their host: all of a realm aboard one fleet, if soldiers are among them (M6.1).
    Machines and commanders aboard other fleets, and armies of machines alone, share the outcome and take no part."""
    guests = [unit for unit in present if is_mutineer(field, unit)]
    soldiers = {each.key for each in guests if any(field.rules.troops[name].marine is not None for name in each.troops)}
    able = {(each.aboard, each.realm) for each in guests if each.key in soldiers}
    return [each for each in guests if (each.aboard, each.realm) in able and (each.key in soldiers or each.commanders)]


def is_mutineer(field: Field, unit: Unit) -> bool:
    """Whether this army is aboard a fleet, with ships, of a realm that is now its enemy (M6.1)."""
    if unit.aboard is None or unit.empty:
        return False
    host = field.unit(unit.aboard)
    return has_ships(host) and field.world.at_war(unit.realm, host.realm)


def man_the_decks(battle: Battle) -> None:
    """Fill each fleet's marine space, at first and whenever marines fell (B13); in a mutiny nobody is sent below."""
    for fleet in battle.contingents:
        if fleet.role is not Role.FLEET or not fleet.fights:
            continue
        aboard = [each for each in battle.aboard(fleet) if each.fights]
        troops = battle.field.rules.troops
        space = sum(troops[band.troop].marine_space * band.standing for band in fleet.bands if band.ship)
        if battle.mutiny:
            space = max(space, sum(each.standing() for each in aboard if each.role is Role.MARINES))
        fill_marine_space(aboard, space)


def _at_war_here(field: Field, units: Iterable[Unit], place: str) -> set[str]:
    """The realms of these units that are at war with another of them (B1)."""
    realms = realms_of(units)
    return {a for a in realms if any(field.world.hostile(a, b, place) for b in realms)}


def _marines(field: Field, present: list[Unit], fleets: list[Unit], mutinous: tuple[str, ...]) -> list[Contingent]:
    """The armies aboard that fight as marines: willing, and at war with an enemy of their fleet (B13)."""
    at_war = field.world.at_war
    enemies = {
        fleet.key: [foe for foe in {*realms_of(fleets), *mutinous} if at_war(fleet.realm, foe)] for fleet in fleets
    }
    return [
        muster_aboard(field, unit, Role.MARINES)
        for unit in present
        if unit.aboard in enemies
        and unit.marines
        and not unit.empty
        and not is_mutineer(field, unit)
        and any(at_war(unit.realm, foe) for foe in enemies[unit.aboard])
    ]


def _commit(battle: Battle) -> None:
    """Settle who defends the fortification, after the siege and for the whole battle (B3)."""
    province = battle.field.province(battle.place)
    row = battle.field.rules.fortification(province.effective_fortification)
    owner = battle.owner
    if row is None or owner is None:
        return
    inside = [
        each
        for each in battle.contingents
        if (each.role is Role.GARRISON or each.unit.defend_fortifications)
        and (each.realm == owner or battle.field.world.allied(each.realm, owner))
    ]
    if inside:
        battle.fortification = row.level
        enter_fortification(battle.field.rules, row, inside, battle.field)


def _drawn_up(battle: Battle) -> Battle:
    """The battle ready for round 1, its units on record as they are now (B14)."""
    for contingent in battle.contingents:
        battle.set_chances(contingent)
    battle.units = units_in_battle(battle)
    return battle
