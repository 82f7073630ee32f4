"""Battles: chains of duels, each of which removes one army (CQ-7), and the rebels who start one (CQ-15)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gm.games.conqueror.rules import Rules
from gm.games.conqueror.state import Province

Choose = Callable[[int], int]
"""A uniform choice among so many, counted from 0."""


class Fought(NamedTuple):
    """How a battle ended: the armies left on each side, and both sides' losses in the field and in the siege."""

    attackers: int
    defenders: int
    field: tuple[int, int]
    siege: tuple[int, int]

    @property
    def taken(self) -> bool:
        """Whether the attackers have the province: the defenders are all gone, and somebody is left to move in."""
        return self.defenders == 0 and self.attackers > 0


def in_field_and_siege(armies: int, fort: int, rules: Rules) -> tuple[int, int]:
    """How many defenders stand in the field and how many inside works of this level (CQ-7.5)."""
    inside = min(armies, rules.garrison[fort])
    return armies - inside, inside


def defender_wins(fort: int, rules: Rules, choose: Choose) -> bool:
    """One duel against an army inside works of this level; 0: in the field (CQ-7.4)."""
    own = rules.duel.defender[fort]
    return choose(rules.duel.attacker + own) < own


def fought(attackers: int, armies: int, fort: int, rules: Rules, choose: Choose) -> Fought:
    """A battle of so many attackers against so many defenders behind works of this level (CQ-7.1 to CQ-7.8)."""
    field, inside = in_field_and_siege(armies, fort, rules)
    attackers, field_left, field_losses = _chain(attackers, field, 0, rules, choose)
    inside_left, siege_losses = inside, (0, 0)
    if not field_left:
        attackers, inside_left, siege_losses = _chain(attackers, inside, fort, rules, choose)
    return Fought(attackers, field_left + inside_left, field_losses, siege_losses)


def _chain(attackers: int, defenders: int, fort: int, rules: Rules, choose: Choose) -> tuple[int, int, tuple[int, int]]:
    """Duels until one side is gone: what is left of both, and what both lost."""
    attackers_lost = defenders_lost = 0
    while attackers_lost < attackers and defenders_lost < defenders:
        if defender_wins(fort, rules, choose):
            attackers_lost += 1
        else:
            defenders_lost += 1
    return attackers - attackers_lost, defenders - defenders_lost, (attackers_lost, defenders_lost)


def with_losses(province: Province, losses: int) -> Province:
    """The province after so many of its armies fell: those that have moved fall first (CQ-7.8)."""
    moved = min(province.moved, losses)
    return province.evolve(moved=province.moved - moved, fresh=province.fresh - (losses - moved))


def rebellion_percent(province: Province, rules: Rules) -> int:
    """CQ-15.2: the chance that it rebels, in percent."""
    base = rules.rebellion.base_percent.get(rules.control_word(province.control), 0)
    return min(rules.rebellion.cap_percent, base * rebels(province))


def rebels(province: Province) -> int:
    """CQ-15.3: how many would."""
    return max(0, province.population - province.armies)
