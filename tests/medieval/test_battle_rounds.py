"""Rounds: who strikes, whom hits find, when the fallen leave, who is captured (B1-B8, B10, B11, M11)."""

from decimal import Decimal
from fractions import Fraction

import pytest

from gm.games.medieval.combat.contingents import attack_chance, siege_chance, wound_chance
from gm.games.medieval.combat.report import TroopCount
from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.events.battle import BattleFought, FleetFormedByCapture, UnitDestroyed
from gm.games.medieval.state import strength
from gm.games.medieval.steps.conquest import sea_battles_fought
from tests.medieval.testland import commander, make_world, play, rules, unit
from tests.medieval.warfare import damage_caused, fought, report, rounds_of, sure_rules, troop

WAR = [("ENG", "FRA")]


@pytest.mark.clause("B8")
def test_three_troops_of_two_point_one_fall_at_three_five_and_seven_damage() -> None:
    fallen = []
    for damage in range(1, 8):
        world = make_world(
            unit("ENG/A1", "Reims", {"Striker": damage}), unit("FRA/A1", "Reims", {"Odd Target": 3}), war=WAR
        )
        last = report(fought(world, by=sure_rules(round_limit=1))).ends[1].losses
        rolled = report(fought(world, by=sure_rules(round_limit=1))).wounded
        died_of_wounds = sum(wound.dies for wound in rolled if wound.unit == "FRA/A1")
        fallen.append(sum(loss.count for loss in last) - died_of_wounds)
    assert fallen == [0, 0, 1, 1, 2, 2, 3]


@pytest.mark.clause("X12", "B10")
def test_a_long_battle_is_fought_to_its_end() -> None:
    by = rules().evolve(troops={**rules().troops, "Stubborn": troop("Stubborn", 10, 5)})
    world = make_world(
        unit("ENG/A1", "Reims", {"Stubborn": 6}), unit("FRA/A1", "Reims", {"Stubborn": 6}), war=WAR
    )
    battle = report(fought(world, by=by))
    assert len(battle.rounds) >= 18
    assert battle.result == "won"


@pytest.mark.clause("X15", "B8.1", "B5.1", "B14")
def test_the_example_battle_behind_the_walls() -> None:
    """Walls add their combat and hit-points to the infantry's, and both rounds end as worked out."""
    shipped = sure_rules()
    walls = shipped.fortifications[1].evolve(foot_combat=60, foot_hit_points=Decimal(1))
    by = shipped.evolve(
        troops={
            **shipped.troops,
            "Cavalry": troop("Cavalry", 100, 3, kind=TroopClass.MOUNTED),
            "Infantry": troop("Infantry", 25, 1),
        },
        fortifications=(shipped.fortifications[0], walls, *shipped.fortifications[2:]),
    )
    world = make_world(
        unit("ENG/A2", "Minsk", {"Cavalry": 2}),
        unit("LIT/G1", "Minsk", {"Infantry": 2}),
        war=[("ENG", "LIT")],
    )
    for seed in range(1000):
        played = fought(world, by=by, seed=str(seed))
        battle = report(played)
        if [damage_caused(line) for line in rounds_of(battle, "LIT/G1")] == [2, 1]:
            break
    assert [damage_caused(line) for line in rounds_of(battle, "ENG/A2")] == [2, 2]
    assert [(unit.total_combat, unit.hit_points) for unit in battle.units] == [(200, 6), (80, 4)]
    assert [line.total_taken for line in rounds_of(battle, "ENG/A2")] == [2, 3]
    assert [line.total_taken for line in rounds_of(battle, "LIT/G1")] == [2, 4]
    last = battle.rounds[1].units
    assert last[0].casualties == (TroopCount(troop="Cavalry", count=1),)
    assert last[1].casualties == (TroopCount(troop="Infantry", count=2),)
    assert [line.remaining for line in last] == [0, 0]
    assert battle.wounded == ()
    assert battle.winners == ("ENG",)
    assert [event.unit for event in played.only(UnitDestroyed)] == ["LIT/G1"]
    assert played.unit("LIT/G1").empty
    assert played.world.progress.provinces["Minsk"].battle


@pytest.mark.clause("M11", "M12")
def test_a_retreater_is_attacked_again_in_the_province_where_it_stayed() -> None:
    world = make_world(
        unit("ENG/A1", "Flanders", {"French Knights": 20}),
        unit("FRA/A1", "Reims", {"Heavy Infantry": (0, 30, 0, 0, 0)}, retreat_level=1),
        war=WAR,
        owners={"Flanders": "ENG"},
    )
    orders = {"ENG": "units: {A1: {plan: [march: Reims]}}", "FRA": "units: {A1: {plan: [march: Flanders]}}"}
    played = play(world, orders)
    battles = [(event.report.kind, event.place) for event in played.only(BattleFought)]
    assert battles == [("border", "Flanders - Reims"), ("land", "Reims")]


@pytest.mark.clause("X1", "B5")
def test_total_combat_is_attacks_times_combat() -> None:
    assert troop("Knight", 35, attacks=2).total_combat == 70
    army = unit("ENG/A1", "Kent", {"Heavy Cavalry": 3, "Siege Machine": 1}, commanders=[commander()])
    assert (
        strength.total_combat(army, rules())
        == 3 * 70 + 5 + rules().commanders.attacks * rules().commanders.combat
    )


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


SEA = "Channel"


@pytest.mark.clause("B11", "M6.1")
def test_ships_of_two_types_captured_by_mutineers_make_one_new_fleet() -> None:
    by = sure_rules()
    other = troop("Other Prize", 0, kind=TroopClass.TRANSPORT, storage=2, capture_chance=100, weight=0)
    by = by.evolve(troops={**by.troops, "Other Prize": other})
    world = make_world(
        unit("ENG/F1", SEA, {"Prize": 2, "Other Prize": 3}),
        unit("FRA/A1", SEA, {"Striker": 9}, aboard="ENG/F1"),
        war=WAR,
    )
    played = fought(world, sea_battles_fought, by=by)
    assert [event.unit for event in played.only(FleetFormedByCapture)] == ["FRA/F1"]
    assert {name: played.unit("FRA/F1").count(name) for name in ("Prize", "Other Prize")} == {
        "Prize": 2,
        "Other Prize": 3,
    }


@pytest.mark.clause("B11", "B13")
def test_a_captor_without_an_army_takes_nobody_aboard() -> None:
    by = sure_rules()
    captive = troop("Captive", 0, capture_chance=100)
    by = by.evolve(troops={**by.troops, "Captive": captive})
    world = make_world(
        unit("ENG/F1", SEA, {"Ship": 9}),
        unit("FRA/F1", SEA, {"Ship": 1}),
        unit("FRA/A1", SEA, {"Captive": 1}, aboard="FRA/F1"),
        war=WAR,
    )
    played = fought(world, sea_battles_fought, by=by)
    assert [(capture.troop, capture.rolls, capture.count) for capture in report(played).captures] == [
        ("Captive", 1, 0)
    ]
    assert not played.only(FleetFormedByCapture)


@pytest.mark.clause("B2")
def test_machines_of_two_types_do_no_more_damage_than_there_are_walls() -> None:
    by = sure_rules()
    other = troop("Other Ram", 0, kind=TroopClass.SIEGE, siege_power=100, capture_chance=100, marine=None)
    by = by.evolve(troops={**by.troops, "Other Ram": other})
    world = make_world(
        unit("ENG/G1", "London", {"Target": 1}), unit("FRA/A1", "London", {"Ram": 9, "Other Ram": 9}), war=WAR
    )
    siege = report(fought(world, by=by, last_owners={"London": "ENG"})).siege
    assert siege is not None
    assert (siege.level, siege.damage_after, [roll.damage for roll in siege.rolls]) == (2, 2, [2, 0])
