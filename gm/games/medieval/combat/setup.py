"""The sides of a battle (B1, M6, M11, M12), and the events before and after its rounds.

Before round 1 these are the siege and its defenders (B2, B3), after the last the skills that leaders gain
(B2, B11).
"""

from collections.abc import Iterable
from decimal import Decimal

from gm.games.medieval.combat.battle import BORDER, LAND, SEA, Battle, Field, has_ships, realms_of
from gm.games.medieval.combat.contingents import Contingent, Role, in_percent, siege_chance
from gm.games.medieval.combat.muster import enter_fortification, fill_marine_space, muster
from gm.games.medieval.combat.report import SiegeReport, SiegeRoll, SkillGain
from gm.games.medieval.events.battle import CommanderImproved, FortificationDamaged
from gm.games.medieval.state import Commander, Unit, strength


def land_battle(field: Field, place: str) -> Battle | None:
    """Return the battle in a province (M12) after its siege; None when no two units there are at war."""
    battle = assemble_battle(field, place)
    if battle is not None:
        besiege(battle)
        committed(battle)
    return battle


def assemble_battle(field: Field, place: str) -> Battle | None:
    """Return the armies and garrisons in a province that will fight, before the siege.

    None when no two are at war.
    """
    present = [unit for unit in field.at(place) if strength.has_fighters(unit, field.rules)]
    hostile = _at_war_here(field, present, place)
    contingents = [muster(field, unit, landing=True) for unit in present if unit.realm in hostile]
    if not contingents:
        return None
    return Battle(field=field, kind=LAND, place=place, contingents=contingents, owner=field.last_owner(place))


def committed(battle: Battle) -> None:
    """Settle which defenders are behind the remaining walls (B3), and prepare round 1."""
    owner = battle.owner
    world = battle.field.world
    rules = battle.field.rules
    row = rules.fortification(battle.field.province(battle.place).effective_fortification)
    inside = [
        contingent
        for contingent in battle.contingents
        if owner is not None
        and (contingent.role is Role.GARRISON or contingent.unit.defend_fortifications)
        and (contingent.realm == owner or world.allied(contingent.realm, owner))
    ]
    if row and inside:
        battle.fortification = row.level
        enter_fortification(rules, row, inside, battle.field)
    for contingent in battle.contingents:
        contingent.invader = owner is not None and world.hostile(contingent.realm, owner, battle.place)
    _drawn_up(battle)


def border_battle(field: Field, place: str, other: str, marching: Iterable[Unit]) -> Battle | None:
    """Return the battle of armies that marched over one border in opposite directions (M11).

    None without enemies.
    """
    marching = list(marching)
    at_war = field.world.at_war
    meeting = [
        unit
        for unit in marching
        if any(foe.place != unit.place and at_war(unit.realm, foe.realm) for foe in marching)
    ]
    if not meeting:
        return None
    contingents = [muster(field, unit) for unit in meeting]
    for contingent in contingents:
        contingent.invader = True
    return _drawn_up(
        Battle(field=field, kind=BORDER, place=place, other_place=other, contingents=contingents)
    )


def sea_battle(field: Field, sea: str) -> Battle | None:
    """Return the battle in a sea (M6): enemy fleets, their marines (B13), mutineers (M6.1).

    None without enemies.
    """
    present = field.at(sea)
    fleets = [unit for unit in present if has_ships(unit)]
    guests = mutineers(field, present)
    hostile = _at_war_here(field, [*fleets, *guests], sea)
    fleets = [fleet for fleet in fleets if fleet.realm in hostile]
    if not fleets:
        return None
    contingents = [muster(field, fleet, Role.FLEET) for fleet in fleets]
    for contingent in contingents:
        contingent.invader = field.done(contingent.key).marched_phase == field.phase
    contingents += [muster(field, unit, Role.MUTINEERS) for unit in guests]
    contingents += _marines(field, present, fleets, realms_of(guests))
    contingents.sort(key=lambda contingent: contingent.unit.order)
    battle = Battle(field=field, kind=SEA, place=sea, contingents=contingents, mutiny=bool(guests))
    man_the_decks(battle)
    return _drawn_up(battle)


def mutineers(field: Field, present: Iterable[Unit]) -> list[Unit]:
    """Return the guests of enemies who fight their host.

    All of a realm aboard one fleet, if soldiers are among them (M6.1). Machines and commanders aboard other
    fleets, and armies of machines alone, share the outcome and take no part.
    """
    guests = [unit for unit in present if is_mutineer(field, unit)]
    soldiers = {
        army.key
        for army in guests
        if any(field.rules.troops[name].marine is not None for name in army.troops)
    }
    able = {(army.aboard, army.realm) for army in guests if army.key in soldiers}
    return [
        army
        for army in guests
        if (army.aboard, army.realm) in able and (army.key in soldiers or army.commanders)
    ]


def is_mutineer(field: Field, unit: Unit) -> bool:
    """Return whether this army is aboard a fleet, with ships, of a realm that is now its enemy (M6.1)."""
    if unit.aboard is None or unit.empty:
        return False
    host = field.unit(unit.aboard)
    return has_ships(host) and field.world.at_war(unit.realm, host.realm)


def man_the_decks(battle: Battle) -> None:
    """Fill each fleet's marine space, at first and whenever marines fell (B13).

    In a mutiny none leaves it.
    """
    for fleet in battle.contingents:
        if fleet.role is not Role.FLEET or not fleet.fights:
            continue
        aboard = [contingent for contingent in battle.aboard(fleet) if contingent.fights]
        troops = battle.field.rules.troops
        space = sum(troops[band.troop].marine_space * band.standing for band in fleet.bands if band.ship)
        if battle.mutiny:
            space = max(
                space, sum(contingent.standing() for contingent in aboard if contingent.role is Role.MARINES)
            )
        fill_marine_space(aboard, space)


def _at_war_here(field: Field, units: Iterable[Unit], place: str) -> set[str]:
    realms = realms_of(units)
    return {a for a in realms if any(field.world.hostile(a, b, place) for b in realms)}


def _marines(
    field: Field, present: list[Unit], fleets: list[Unit], mutinous: tuple[str, ...]
) -> list[Contingent]:
    """Return the marines that fight at sea."""
    # the willing who are at war with an enemy of their fleet (B13)
    at_war = field.world.at_war
    enemies = {
        fleet.key: [foe for foe in {*realms_of(fleets), *mutinous} if at_war(fleet.realm, foe)]
        for fleet in fleets
    }
    return [
        muster(field, unit, Role.MARINES)
        for unit in present
        if unit.aboard in enemies
        and unit.marines
        and not unit.empty
        and not is_mutineer(field, unit)
        and any(at_war(unit.realm, foe) for foe in enemies[unit.aboard])
    ]


def _drawn_up(battle: Battle) -> Battle:
    for contingent in battle.contingents:
        battle.set_chances(contingent)
    return battle


def gain_skill(battle: Battle, contingent: Contingent, leader: Commander, tactic: str) -> None:
    """Raise a leader's rating, unless they gained in this tactic already this turn or are at the limit."""
    field = battle.field
    rules = battle.field.rules.battle
    unit = field.unit(contingent.key)
    current = next(commander for commander in unit.commanders if commander.name == leader.name)
    value = min(rules.skill_limit, getattr(current, tactic) + rules.skill_gain)
    if value <= getattr(current, tactic) or not field.gain_once(unit.realm, leader.name, tactic):
        return
    learnt = current.evolve(**{tactic: value})
    field.put(
        unit.evolve(
            commanders=tuple(learnt if commander is current else commander for commander in unit.commanders)
        )
    )
    battle.skills.append(
        SkillGain(realm=unit.realm, unit=unit.key, commander=leader.name, tactic=tactic, value=value)
    )
    field.emit(
        CommanderImproved(realm=unit.realm, unit=unit.key, commander=leader.name, tactic=tactic, value=value)
    )


def leaders_learn(battle: Battle, winners: tuple[str, ...]) -> None:
    """Raise the tactics of winning leaders who did not retreat, those that their troops used (B11)."""
    for contingent in battle.contingents:
        if not contingent.fights or contingent.realm not in winners or contingent.leader is None:
            continue
        for tactic in sorted(
            {band.tactics for band in contingent.bands if band.tactics and band.present + band.fell}
        ):
            gain_skill(battle, contingent, contingent.leader, tactic)


def besiege(battle: Battle) -> None:
    """Roll all troops with siege power at war with the owner against the walls.

    Their leaders may learn (B2).
    """
    field = battle.field
    province = field.province(battle.place)
    level = province.fortification
    besiegers = [
        contingent
        for contingent in battle.contingents
        if battle.owner is not None
        and field.world.hostile(contingent.realm, battle.owner, battle.place)
        and any(band.siege_power for band in contingent.bands)
    ]
    if not level or not besiegers:
        return
    damage = province.fortification_damage
    rolls: list[SiegeRoll] = []
    for contingent in besiegers:
        siege_rolls = _rolls(battle, contingent, level - damage)
        rolls += siege_rolls
        damage_done = sum(roll.damage for roll in siege_rolls)
        damage += damage_done
        if damage_done and contingent.leader:
            gain_skill(battle, contingent, contingent.leader, "siege")
    before = province.fortification_damage
    battle.siege = SiegeReport(level=level, damage_before=before, damage_after=damage, rolls=tuple(rolls))
    if damage > before:
        field.put_province(province.evolve(fortification_damage=damage))
        field.emit(FortificationDamaged(place=battle.place, level=level, damage=damage))


def _rolls(battle: Battle, contingent: Contingent, whole: int) -> list[SiegeRoll]:
    """Return one unit's rolls, a record for each troop type; at most ``whole`` rolls do damage."""
    stream = battle.dice("siege")
    siegecraft = contingent.leader.siege if contingent.leader else 0
    counts: dict[tuple[str, int], int] = {}
    for band in contingent.bands:
        if band.siege_power:
            key = (band.troop, band.siege_power)
            counts[key] = counts.get(key, 0) + band.standing
    siege_rolls = []
    for (troop, power), count in counts.items():
        chance = siege_chance(battle.field.rules.battle, power, siegecraft)
        damage = min(whole, sum(stream.chance(chance) for _ in range(count)))
        whole -= damage
        percent = min(in_percent(chance), Decimal(100))
        siege_rolls.append(
            SiegeRoll(unit=contingent.key, troop=troop, rolls=count, chance=percent, damage=damage)
        )
    return siege_rolls
