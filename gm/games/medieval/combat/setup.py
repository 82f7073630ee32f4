"""Who fights in a battle (B1, M6, M11, M12), the siege before round 1 (B2, B3), gains in skill (B2, B11)."""

from collections.abc import Iterable
from decimal import Decimal

from gm.games.medieval.combat.battle import BORDER, LAND, SEA, Battle, Field, has_ships, realms_of
from gm.games.medieval.combat.contingents import Contingent, Role, in_percent, siege_chance
from gm.games.medieval.combat.muster import enter_fortification, fill_marine_space, muster
from gm.games.medieval.combat.report import SiegeReport, SiegeRoll, SkillGain
from gm.games.medieval.events.battle import CommanderImproved, FortificationDamaged
from gm.games.medieval.state import Commander, Unit, strength


def land_battle(field: Field, place: str) -> Battle | None:
    """Return the battle in a province (M12), after its siege; None if no two units there are at war."""
    battle = assemble_battle(field, place)
    if battle is not None:
        besiege(battle)
        prepare_first_round(battle)
    return battle


def assemble_battle(field: Field, place: str) -> Battle | None:
    """Return the battle of the armies and garrisons in a province, before the siege.

    None if no two of them are at war.
    """
    present = [unit for unit in field.at(place) if strength.has_fighters(unit, field.rules)]
    realms_at_war = _at_war_here(field, present, place)
    contingents = [muster(field, unit, landing=True) for unit in present if unit.realm in realms_at_war]
    if not contingents:
        return None
    return Battle(field=field, kind=LAND, place=place, contingents=contingents, owner=field.last_owner(place))


def prepare_first_round(battle: Battle) -> None:
    """Put the defenders behind the walls that are left (B3), note who invades, and set the chances to hit.

    Behind the walls are the garrison and armies that are to defend fortifications, of the owner and its
    allies.
    """
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
    _set_all_chances(battle)


def border_battle(field: Field, place: str, other: str, marching: Iterable[Unit]) -> Battle | None:
    """Return the battle at the border of two provinces (M11); None if no enemies met there.

    ``marching``: the armies that crossed the border in this phase, in either direction.
    """
    armies = list(marching)
    at_war = field.world.at_war
    meeting = [
        unit
        for unit in armies
        if any(foe.place != unit.place and at_war(unit.realm, foe.realm) for foe in armies)
    ]
    if not meeting:
        return None
    contingents = [muster(field, unit) for unit in meeting]
    for contingent in contingents:
        contingent.invader = True  # nobody is at home at a border: after a drawn battle all go back
    battle = Battle(field=field, kind=BORDER, place=place, other_place=other, contingents=contingents)
    _set_all_chances(battle)
    return battle


def sea_battle(field: Field, sea: str) -> Battle | None:
    """Return the battle in a sea (M6) of enemy fleets, their marines (B13) and mutineers (M6.1).

    None without enemies.
    """
    present = field.at(sea)
    fleets = [unit for unit in present if has_ships(unit)]
    guests = mutineers(field, present)
    realms_at_war = _at_war_here(field, [*fleets, *guests], sea)
    fleets = [fleet for fleet in fleets if fleet.realm in realms_at_war]
    if not fleets:
        return None
    contingents = [muster(field, fleet, Role.FLEET) for fleet in fleets]
    for contingent in contingents:
        # a fleet that came in this phase goes back after a drawn battle
        contingent.invader = field.done(contingent.key).marched_phase == field.phase
    contingents += [muster(field, unit, Role.MUTINEERS) for unit in guests]
    contingents += _marines(field, present, fleets, realms_of(guests))
    contingents.sort(key=lambda contingent: contingent.unit.order)
    battle = Battle(field=field, kind=SEA, place=sea, contingents=contingents, mutiny=bool(guests))
    man_the_decks(battle)
    _set_all_chances(battle)
    return battle


def mutineers(field: Field, present: Iterable[Unit]) -> list[Unit]:
    """Return the armies aboard an enemy's fleet that fight it (M6.1).

    They are those with soldiers, and those with commanders if their realm has soldiers aboard the same fleet.
    Commanders aboard other fleets and armies of machines alone do not fight; the outcome counts for them too.
    """
    guests = [unit for unit in present if is_mutineer(field, unit)]
    with_soldiers = {
        army.key
        for army in guests
        if any(field.rules.troops[name].marine is not None for name in army.troops)  # not machines alone
    }
    groups_with_soldiers = {(army.aboard, army.realm) for army in guests if army.key in with_soldiers}
    return [
        army
        for army in guests
        if (army.aboard, army.realm) in groups_with_soldiers
        and (army.key in with_soldiers or army.commanders)
    ]


def is_mutineer(field: Field, unit: Unit) -> bool:
    """Return whether this army is aboard a fleet, with ships, of a realm that is now its enemy (M6.1)."""
    if unit.aboard is None or unit.empty:
        return False
    host = field.unit(unit.aboard)
    return has_ships(host) and field.world.at_war(unit.realm, host.realm)


def man_the_decks(battle: Battle) -> None:
    """Fill each fleet's marine space, before round 1 and after marines have died (B13).

    In a mutiny no marine has to leave it when a fleet loses ships.
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
    """Return the codes of the realms that are at war at a place with another one of these units' realms."""
    realms = realms_of(units)
    return {a for a in realms if any(field.world.hostile(a, b, place) for b in realms)}


def _marines(
    field: Field, present: list[Unit], fleets: list[Unit], mutinous: tuple[str, ...]
) -> list[Contingent]:
    """Return the marines that fight at sea (B13).

    They are armies aboard these fleets that are to fight as marines, and that are at war with an enemy of
    their fleet themselves. ``mutinous``: the realms with mutineers.
    """
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


def _set_all_chances(battle: Battle) -> None:
    """Set the chances to hit of all units in the battle (B5)."""
    for contingent in battle.contingents:
        battle.set_chances(contingent)


def gain_skill(battle: Battle, contingent: Contingent, leader: Commander, tactic: str) -> None:
    """Raise a leader's rating, unless they gained in this tactic already this turn or are at the limit.

    Emits CommanderImproved.
    """
    field = battle.field
    rules = battle.field.rules.battle
    unit = field.unit(contingent.key)
    # ``leader`` has the ratings from before the battle
    current = next(commander for commander in unit.commanders if commander.name == leader.name)
    value = min(rules.skill_limit, getattr(current, tactic) + rules.skill_gain)
    if value <= getattr(current, tactic) or not field.gain_once(unit.realm, leader.name, tactic):
        return
    improved = current.evolve(**{tactic: value})
    commanders = tuple(improved if commander is current else commander for commander in unit.commanders)
    field.put(unit.evolve(commanders=commanders))
    battle.skills.append(
        SkillGain(realm=unit.realm, unit=unit.key, commander=leader.name, tactic=tactic, value=value)
    )
    field.emit(
        CommanderImproved(realm=unit.realm, unit=unit.key, commander=leader.name, tactic=tactic, value=value)
    )


def leaders_learn(battle: Battle, winners: tuple[str, ...]) -> None:
    """Raise the ratings of winning leaders who did not retreat, in the tactics that their troops used (B11).

    ``winners``: realm codes.
    """
    for contingent in battle.contingents:
        if not contingent.fights or contingent.realm not in winners or contingent.leader is None:
            continue
        # whoever was in reserve all the time did not fight
        tactics = {band.tactics for band in contingent.bands if band.tactics and band.present + band.fell}
        for tactic in sorted(tactics):
            gain_skill(battle, contingent, contingent.leader, tactic)


def besiege(battle: Battle) -> None:
    """Roll for all troops with siege power, of realms at war with the owner, to damage the walls (B2).

    Leaders of units that did damage may gain in skill. Emits FortificationDamaged.
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
    before = province.fortification_damage
    damage = before
    rolls: list[SiegeRoll] = []
    for contingent in besiegers:
        rolls_of_unit = _siege_rolls(battle, contingent, level - damage)
        rolls += rolls_of_unit
        damage_done = sum(roll.damage for roll in rolls_of_unit)
        damage += damage_done
        if damage_done and contingent.leader:
            gain_skill(battle, contingent, contingent.leader, "siege")
    battle.siege = SiegeReport(level=level, damage_before=before, damage_after=damage, rolls=tuple(rolls))
    if damage > before:
        field.put_province(province.evolve(fortification_damage=damage))
        field.emit(FortificationDamaged(place=battle.place, level=level, damage=damage))


def _siege_rolls(battle: Battle, contingent: Contingent, level_left: int) -> list[SiegeRoll]:
    """Return one unit's rolls, a record for each troop type; in all they do at most ``level_left`` damage."""
    stream = battle.dice("siege")
    siegecraft = contingent.leader.siege if contingent.leader else 0
    counts: dict[tuple[str, int], int] = {}  # by troop type and its siege power
    for band in contingent.bands:
        if band.siege_power:
            key = (band.troop, band.siege_power)
            counts[key] = counts.get(key, 0) + band.standing
    siege_rolls = []
    for (troop, power), count in counts.items():
        chance = siege_chance(battle.field.rules.battle, power, siegecraft)
        damage = min(level_left, sum(stream.chance(chance) for _ in range(count)))
        level_left -= damage
        percent = min(in_percent(chance), Decimal(100))  # the chance may come to more than 1
        siege_rolls.append(
            SiegeRoll(unit=contingent.key, troop=troop, rolls=count, chance=percent, damage=damage)
        )
    return siege_rolls
