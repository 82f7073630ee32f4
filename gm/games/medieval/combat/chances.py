"""The odds of battle as exact fractions: to hit, to breach walls, to die of wounds (B2, B5, B11)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from gm.core.dice import Chance
from gm.games.medieval.data.rules import Battle

NEVER = Chance(Fraction(0))


def hit_chance(
    rules: Battle,
    combat: int,
    tactics: int,
    divisor: int,
    *,
    fortification: int = 0,
    amphibious: int = 0,
    marine: int = 0,
) -> Fraction:
    """The chance of one attack to hit (B5): combat plus tactics, then times each modifier (all in percent)."""
    modifiers = (fortification, amphibious, marine)
    return attack_chance(rules.best_chance_percent, combat, tactics, divisor, *modifiers).exact


@lru_cache(maxsize=4096)
def attack_chance(
    best: int, combat: int, tactics: int, divisor: int, fortification: int, amphibious: int, marine: int
) -> Chance:
    """The same, ready to be rolled against; equal figures give the same object."""
    chance = combat * (1 + Fraction(tactics, divisor)) / 100
    for percent in (fortification, amphibious, marine):
        if percent:
            chance *= Fraction(100 + percent, 100)
    return Chance(min(chance, Fraction(best, 100)))


def siege_chance(rules: Battle, siege_power: int, siegecraft: int) -> Fraction:
    """The chance of one troop with siege power to damage a fortification (B2)."""
    return siege_power * (1 + Fraction(siegecraft, rules.siegecraft_divisor)) / 100


def wound_chance(damage: Decimal, hit_points: Decimal) -> Fraction:
    """The chance of a partly damaged troop to die at the end of the battle (B11)."""
    return Fraction(damage) / Fraction(hit_points)


def in_percent(chance: Fraction) -> Decimal:
    """A chance as percent with two decimals, for a report."""
    return (Decimal(chance.numerator * 100) / Decimal(chance.denominator)).quantize(Decimal("0.01"))
