"""What leaders learn in battle (B2, B11)."""

from __future__ import annotations

from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import Contingent
from gm.games.medieval.combat.report import SkillGain
from gm.games.medieval.events.battle import CommanderImproved
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
