"""The odds: amphibious chance, chance to hit, siege (X1-X3, B2, B5)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from gm.games.medieval.combat.contingents import attack_chance, siege_chance, wound_chance
from gm.games.medieval.combat.report import Modifier
from gm.games.medieval.state import strength
from tests.medieval.testland import commander, make_world, rules, unit
from tests.medieval.warfare import fought, report, troop


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


@pytest.mark.clause("B5", "B14")
def test_each_class_gets_its_own_tactics_and_only_from_its_own_leader() -> None:
    john = commander("John", infantry=40, cavalry=80, siege=10, naval=90)
    world = make_world(
        unit("ENG/A1", "Flanders", {"Heavy Infantry": 100, "Heavy Cavalry": 50}, commanders=[john], leader="John"),
        unit("ENG/A2", "Flanders", {"Heavy Infantry": 100}, commanders=[commander("Idle", infantry=99)]),
        unit("FRA/A1", "Flanders", {"Siege Machine": 10}),
        war=[("ENG", "FRA")],
    )
    units = {each.unit: each for each in report(fought(world, by=rules())).units}
    assert units["ENG/A1"].total_combat == 3400 * Decimal("1.2") + 3500 * Decimal("1.4") + 20
    assert units["ENG/A2"].total_combat == 3400 + 20
    assert units["ENG/A1"].modifiers == (
        Modifier(kind="tactics", name="John", figures={"cavalry": 80, "infantry": 40, "divisor": 200}),
    )
    assert units["ENG/A2"].modifiers == units["FRA/A1"].modifiers == ()


@pytest.mark.clause("B5.2", "B14")
@pytest.mark.parametrize(("phase", "share"), [(2, Decimal("0.7")), (3, Decimal(1))])
def test_a_landing_weakens_only_in_its_own_phase(phase: int, share: Decimal) -> None:
    world = make_world(
        unit("ENG/A1", "Flanders", {"Heavy Infantry": 10, "Elite Marines": 10}),
        unit("FRA/A1", "Flanders", {"Siege Machine": 1}),
        war=[("ENG", "FRA")],
        owners={"Flanders": "ENG"},
    )
    played = fought(world, phase=phase, done={"ENG/A1": {"landed_phase": 2, "landed": True}}, by=rules())
    landed = report(played).units[0]
    assert landed.total_combat == 340 * share + 300
    assert [each.figures for each in landed.modifiers] == ([{"Heavy Infantry": -30}] if phase == 2 else [])
