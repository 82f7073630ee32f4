"""Rounds: who strikes, whom hits find, when the fallen leave (B1, B4, B6-B8, B10, X12, X15)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.games.medieval.combat.report import TroopCount
from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.events.battle import UnitDestroyed
from tests.medieval.testland import make_world, rules, unit
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
        died_of_wounds = sum(each.dies for each in rolled if each.unit == "FRA/A1")
        fallen.append(sum(each.count for each in last) - died_of_wounds)
    assert fallen == [0, 0, 1, 1, 2, 2, 3]


@pytest.mark.clause("X12", "B10")
def test_a_long_battle_is_fought_to_its_end() -> None:
    by = rules().evolve(troops={**rules().troops, "Stubborn": troop("Stubborn", 10, 5)})
    world = make_world(unit("ENG/A1", "Reims", {"Stubborn": 6}), unit("FRA/A1", "Reims", {"Stubborn": 6}), war=WAR)
    found = report(fought(world, by=by))
    assert len(found.rounds) >= 18
    assert found.result == "won"


@pytest.mark.clause("X15", "B8.1", "B5.1", "B14")
def test_the_example_battle_behind_the_walls() -> None:
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
        found = report(played)
        if [damage_caused(each) for each in rounds_of(found, "LIT/G1")] == [2, 1]:
            break
    assert [damage_caused(each) for each in rounds_of(found, "ENG/A2")] == [2, 2]
    assert [(each.total_combat, each.hit_points) for each in found.units] == [(200, 6), (80, 4)]
    assert [each.total_taken for each in rounds_of(found, "ENG/A2")] == [2, 3]
    assert [each.total_taken for each in rounds_of(found, "LIT/G1")] == [2, 4]
    last = found.rounds[1].units
    assert last[0].casualties == (TroopCount(troop="Cavalry", count=1),)
    assert last[1].casualties == (TroopCount(troop="Infantry", count=2),)
    assert [each.remaining for each in last] == [0, 0]
    assert found.wounded == ()
    assert found.winners == ("ENG",)
    assert [event.unit for event in played.only(UnitDestroyed)] == ["LIT/G1"]
    assert played.unit("LIT/G1").empty
    assert played.world.progress.provinces["Minsk"].battle
