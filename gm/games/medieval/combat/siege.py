"""The siege before round 1 (B2), and what leaders learn in battle (B2, B11)."""

from __future__ import annotations

from decimal import Decimal

from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import Contingent, in_percent, siege_chance
from gm.games.medieval.combat.report import SiegeReport, SiegeRoll, SkillGain
from gm.games.medieval.events.battle import CommanderImproved, FortificationDamaged
from gm.games.medieval.state import Commander


def gain_skill(battle: Battle, contingent: Contingent, leader: Commander, tactic: str) -> None:
    """Raise a leader's rating, unless he gained in this tactic already this turn or is at the limit."""
    field, rules = battle.field, battle.field.rules.battle
    unit = field.unit(contingent.key)
    current = next(each for each in unit.commanders if each.name == leader.name)
    value = min(rules.skill_limit, getattr(current, tactic) + rules.skill_gain)
    if value <= getattr(current, tactic) or not field.gain_once(unit.realm, leader.name, tactic):
        return
    learnt = current.evolve(**{tactic: value})
    field.put(unit.evolve(commanders=tuple(learnt if each is current else each for each in unit.commanders)))
    battle.skills.append(SkillGain(realm=unit.realm, unit=unit.key, commander=leader.name, tactic=tactic, value=value))
    field.emit(CommanderImproved(realm=unit.realm, unit=unit.key, commander=leader.name, tactic=tactic, value=value))


def leaders_learn(battle: Battle, winners: tuple[str, ...]) -> None:
    """Winning leaders who did not retreat gain in each tactic that their troops used (B11)."""
    for contingent in battle.contingents:
        if not contingent.fights or contingent.realm not in winners or contingent.leader is None:
            continue
        used = {band.tactics for band in contingent.bands if band.tactics and band.present + band.fell}
        for tactic in sorted(used):
            gain_skill(battle, contingent, contingent.leader, tactic)


def besiege(battle: Battle) -> None:
    """Every troop with siege power, of a realm at war with the owner, tries the walls once; its leader may learn
    (B2)."""
    field = battle.field
    province = field.province(battle.place)
    level = province.fortification
    besiegers = [
        each
        for each in battle.contingents
        if battle.owner is not None
        and field.world.hostile(each.realm, battle.owner, battle.place)
        and any(band.siege_power for band in each.bands)
    ]
    if not level or not besiegers:
        return
    damage = province.fortification_damage
    rolls: list[SiegeRoll] = []
    for contingent in besiegers:
        found = _rolls(battle, contingent, level - damage)
        rolls += found
        done = sum(roll.damage for roll in found)
        damage += done
        if done and contingent.leader:
            gain_skill(battle, contingent, contingent.leader, "siege")
    battle.siege = SiegeReport(
        level=level, damage_before=province.fortification_damage, damage_after=damage, rolls=tuple(rolls)
    )
    if damage > province.fortification_damage:
        field.put_province(province.evolve(fortification_damage=damage))
        field.emit(FortificationDamaged(place=battle.place, level=level, damage=damage))


def _rolls(battle: Battle, contingent: Contingent, whole: int) -> list[SiegeRoll]:
    """One unit's rolls, of which at most ``whole`` do damage: one record for each of its troop types."""
    stream = battle.dice("siege")
    siegecraft = contingent.leader.siege if contingent.leader else 0
    counts: dict[tuple[str, int], int] = {}
    for band in contingent.bands:
        if band.siege_power:
            key = (band.troop, band.siege_power)
            counts[key] = counts.get(key, 0) + band.standing
    found = []
    for (troop, power), count in counts.items():
        chance = siege_chance(battle.field.rules.battle, power, siegecraft)
        damage = min(whole, sum(stream.chance(chance) for _ in range(count)))
        whole -= damage
        found.append(
            SiegeRoll(
                unit=contingent.key,
                troop=troop,
                rolls=count,
                chance=min(in_percent(chance), Decimal(100)),
                damage=damage,
            )
        )
    return found
