"""The odds: amphibious chance, chance to hit, siege (X1-X3, B2, B5)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from gm.games.medieval.combat.contingents import attack_chance, siege_chance, wound_chance
from gm.games.medieval.state import strength
from tests.medieval.testland import commander, rules, unit
from tests.medieval.warfare import troop


@pytest.mark.clause("X1", "B5")
def test_total_combat_is_attacks_times_combat() -> None:
    assert troop("Knight", 35, attacks=2).total_combat == 70
    army = unit("ENG/A1", "Kent", {"Heavy Cavalry": 3, "Siege Machine": 1}, commanders=[commander()])
    assert strength.total_combat(army, rules()) == 3 * 70 + 5 + rules().commanders.attacks * rules().commanders.combat


def hit_chance(*figures: int, **modifiers: int) -> Fraction:
    return attack_chance(rules().battle.best_chance_percent, *figures, **modifiers).exact


@pytest.mark.clause("X2", "B5")
def test_tactics_add_their_share_of_the_base_chance() -> None:
    battle = rules().battle
    assert hit_chance(30, 46, battle.tactics_divisor) == Fraction(369, 1000)
    knights = rules().troops["Crusader Knights"]
    assert hit_chance(knights.combat, 20, battle.tactics_divisor) == Fraction(495, 1000)
    assert hit_chance(30, 46, battle.tactics_divisor_fortified) == Fraction(346, 1000)


@pytest.mark.clause("B5")
def test_modifiers_multiply_and_stop_at_ninety_nine_percent() -> None:
    assert hit_chance(40, 0, 200, fortification=50) == Fraction(60, 100)
    assert hit_chance(40, 100, 200, fortification=50, amphibious=-30) == Fraction(63, 100)
    assert hit_chance(60, 0, 200, marine=-10) == Fraction(54, 100)
    assert hit_chance(60, 100, 200, fortification=67) == Fraction(99, 100)


@pytest.mark.clause("X3", "B2")
def test_siegecraft_adds_its_share_of_the_siege_power() -> None:
    assert siege_chance(rules().battle, 30, 42) == Fraction(363, 1000)


@pytest.mark.clause("B11")
def test_a_wound_kills_in_proportion_to_the_hit_points() -> None:
    assert wound_chance(Decimal(2), Decimal(3)) == Fraction(2, 3)
    assert wound_chance(Decimal("0.9"), Decimal("2.1")) == Fraction(3, 7)
