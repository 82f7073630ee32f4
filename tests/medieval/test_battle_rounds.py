"""Rounds: who strikes, whom hits find, when the fallen leave (B1, B4, B6-B8, B10, X12, X15)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.games.medieval.combat.report import BattleReport, TroopCount
from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.events.battle import BattleFought, UnitDestroyed
from gm.games.medieval.state import INDEPENDENTS
from tests.medieval.testland import make_world, rules, unit
from tests.medieval.warfare import damage_caused, fought, outcome_of, report, rounds_of, sure_rules, troop

WAR = [("ENG", "FRA")]


@pytest.mark.clause("B1", "M12")
def test_realms_not_at_war_watch() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 2}),
        unit("AQU/A1", "Reims", {"Striker": 2}),
        unit("FRA/A1", "Reims", {"Target": 1}),
        war=WAR,
        allied=[("AQU", "ENG")],
    )
    found = report(fought(world))
    assert found.realms == ("ENG", "FRA")
    assert [each.unit for each in found.units] == ["ENG/A1", "FRA/A1"]
    assert not fought(make_world(*world.units.values())).only(BattleFought)


@pytest.mark.clause("B1")
def test_an_ally_of_both_sides_watches() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 2}),
        unit("AQU/A1", "Reims", {"Striker": 2}),
        unit("FRA/A1", "Reims", {"Target": 1}),
        war=WAR,
        allied=[("AQU", "ENG"), ("AQU", "FRA")],
    )
    assert report(fought(world)).realms == ("ENG", "FRA")


@pytest.mark.clause("B1", "B7")
def test_allies_at_war_with_the_shooter_shield_each_other_by_rank_and_others_do_not() -> None:
    def losses(*, aquitaine_at_war: bool) -> BattleReport:
        world = make_world(
            unit("ENG/A1", "Reims", {"Striker": 3}),
            unit("FRA/A1", "Reims", {"Target": (0, 0, 6, 0, 0)}),
            unit("AQU/A1", "Reims", {"Target": 3}),
            unit("DEN/A1", "Reims", {"Target": 1}),
            war=[*WAR, ("AQU", "DEN"), *([("AQU", "ENG")] if aquitaine_at_war else [])],
            allied=[("AQU", "FRA")],
        )
        return report(fought(world, by=sure_rules(round_limit=1)))

    shielded = losses(aquitaine_at_war=True)
    assert rounds_of(shielded, "AQU/A1")[0].taken == 3
    assert rounds_of(shielded, "FRA/A1")[0].taken == 0
    unshielded = losses(aquitaine_at_war=False)
    assert rounds_of(unshielded, "AQU/A1")[0].taken == 0
    assert rounds_of(unshielded, "FRA/A1")[0].taken == 3


@pytest.mark.clause("B4", "B8.1")
def test_the_fallen_strike_once_more_until_an_even_round_removes_them() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 3}), unit("FRA/A1", "Reims", {"Striker": (0, 0, 0, 0, 1)}), war=WAR
    )
    found = report(fought(world))
    assert [damage_caused(each) for each in rounds_of(found, "FRA/A1")] == [1, 1]
    assert rounds_of(found, "FRA/A1")[0].casualties == ()
    assert rounds_of(found, "FRA/A1")[1].casualties == (TroopCount(troop="Striker", count=1),)
    assert [damage_caused(each) for each in rounds_of(found, "ENG/A1")] == [3, 3]
    assert len(found.rounds) == 2
    assert found.winners == ("ENG",)
    assert outcome_of(found, "FRA/A1") == "destroyed"


@pytest.mark.clause("B4")
def test_troops_of_every_rank_strike() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": (1, 1, 1, 1, 1), "Twin": (0, 0, 0, 0, 2)}),
        unit("FRA/A1", "Reims", {"Target": 50}),
        war=WAR,
    )
    first = rounds_of(report(fought(world)), "ENG/A1")[0]
    assert [(each.troop, each.count, each.damage) for each in first.caused] == [("Striker", 5, 5), ("Twin", 2, 4)]


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


@pytest.mark.clause("B7", "X8")
def test_damage_beyond_a_units_hit_points_passes_on() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 4}),
        unit("FRA/A1", "Reims", {"Peasant Rabble": 1}),
        unit("FRA/A2", "Reims", {"Tough Target": (0, 9, 0, 0, 0)}),
        war=WAR,
    )
    found = report(fought(world))
    assert rounds_of(found, "FRA/A1")[0].taken == Decimal("0.9")
    assert rounds_of(found, "FRA/A2")[0].taken == Decimal("3.1")


@pytest.mark.clause("B7")
def test_in_a_rank_the_cheapest_type_falls_first_and_damage_stays_with_the_unit() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 3}),
        unit("FRA/A1", "Reims", {"Tough Target": 2, "Cheap Target": 2}),
        unit("FRA/A2", "Reims", {"Cheap Target": (0, 5, 0, 0, 0)}),
        war=WAR,
    )
    by = sure_rules(round_limit=2)
    found = report(fought(world, by=by))
    second = rounds_of(found, "FRA/A1")[1]
    assert second.casualties == (TroopCount(troop="Cheap Target", count=2),)
    assert second.remaining == 4  # of the 5 that the tough one can bear
    assert rounds_of(found, "FRA/A2")[1].total_taken == 0


@pytest.mark.clause("B7")
def test_ranks_of_several_units_work_together() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 6}),
        unit("FRA/A1", "Reims", {"Target": (0, 9, 0, 0, 0)}),
        unit("FRA/A2", "Reims", {"Target": (4, 0, 9, 0, 0)}),
        war=WAR,
    )
    found = report(fought(world))
    assert rounds_of(found, "FRA/A2")[0].taken == 4
    assert rounds_of(found, "FRA/A1")[0].taken == 2


@pytest.mark.clause("B6")
def test_when_all_enemies_are_marked_further_hits_are_lost() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 50}),
        unit("FRA/A1", "Reims", {"Target": 2}),
        unit("AQU/A1", "Reims", {"Target": 2}),
        war=WAR,
        allied=[("AQU", "FRA")],
    )
    found = report(fought(world))
    assert [damage_caused(each) for each in rounds_of(found, "ENG/A1")] == [50, 50]
    assert [each.total_taken for each in rounds_of(found, "FRA/A1")] == [2, 2]
    assert found.realms == ("ENG", "FRA")


@pytest.mark.clause("B6", "M12", "W7")
def test_three_enemies_fight_a_three_way_battle() -> None:
    world = make_world(
        unit("ENG/A1", "Flanders", {"Striker": 100}),
        unit("FRA/A1", "Flanders", {"Target": 100}),
        unit(f"{INDEPENDENTS}/A1", "Flanders", {"Target": 100}),
        war=WAR,
    )
    found = report(fought(world))
    assert found.realms == ("ENG", "FRA", "IND")
    first = {each.unit: each.taken for each in found.rounds[0].units}
    assert first["FRA/A1"] + first["IND/A1"] == 100
    assert 25 < first["FRA/A1"] < 75
    assert found.winners == ("ENG",)


@pytest.mark.clause("W7", "B1", "M12")
def test_independents_fight_every_intruder_but_one_with_special_permission() -> None:
    world = make_world(
        unit("ENG/A1", "Flanders", {"Striker": 2}),
        unit("AQU/A1", "Flanders", {"Striker": 2}),
        unit(f"{INDEPENDENTS}/A1", "Flanders", {"Target": 1}),
        provinces={"Flanders": {"permissions": frozenset({"AQU"})}},
    )
    assert report(fought(world)).realms == ("ENG", "IND")
    assert report(fought(world)).units[-1].leader is None


@pytest.mark.clause("B10")
def test_a_battle_that_nobody_can_win_is_drawn_and_the_invaders_go_home() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Target": 3}),
        unit("FRA/A1", "Reims", {"Target": 3}),
        war=WAR,
        owners={"Flanders": "ENG"},
    )
    played = fought(world, by=sure_rules(round_limit=7), done={"ENG/A1": {"came_from": "Flanders"}})
    found = report(played)
    assert (len(found.rounds), found.result, found.winners) == (7, "drawn", ())
    assert played.unit("ENG/A1").place == "Flanders"
    assert played.unit("FRA/A1").place == "Reims"
    assert found.rounds[-1].retreats[0].to == "Flanders"


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
