"""The siege before round 1 (B2): machines against walls."""

from __future__ import annotations

from decimal import Decimal

from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.chances import in_percent, siege_chance
from gm.games.medieval.combat.contingents import Contingent
from gm.games.medieval.combat.report import SiegeReport, SiegeRoll
from gm.games.medieval.combat.skills import gain_skill
from gm.games.medieval.events.battle import FortificationDamaged


def besiege(battle: Battle) -> None:
    """Every troop with siege power, of a realm at war with the province's owner, tries the walls once (B2).

    Raises the fortification's damage, at most to its level; the leaders whose units did damage gain siegecraft.
    """
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
