"""Battles at sea: fleets, marines, retreats, wrecks, mutinies (M6, M6.1, B9.3, B10-B13)."""

from typing import Any

import pytest

from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.battle import ArmyPutAshore, BattleFought
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.conquest import sea_battles_fought
from tests.medieval.testland import Played, commander, make_world, play, rules, unit
from tests.medieval.warfare import fought, report, sure_rules

WAR = [("ENG", "FRA")]
SEA = "Channel"


def at_sea(
    *units: Unit,
    by: Rules | None = None,
    done: Any = None,
    orders: Any = None,
    seed: str = "test",
    **more: Any,
) -> Played:
    world = make_world(*units, **{"war": WAR, **more})
    return fought(world, sea_battles_fought, by=by, done=done, orders=orders, seed=seed)


@pytest.mark.clause("X10", "M6", "M8")
def test_the_battle_comes_first_then_the_survivor_unloads() -> None:
    world = make_world(
        unit("ENG/F1", "North Sea", {"Royal Galleon": 12}),
        unit("ENG/A1", "North Sea", {"Heavy Infantry": 20}, aboard="ENG/F1"),
        unit("FRA/F2", "Alborg Bight", {"Trading Cog": 1}),
        war=WAR,
        owners={"Flanders": "FRA"},
    )
    orders = {
        "ENG": "units: {F1: {plan: [sail: Channel, unload: {A1: Flanders}]}}",
        "FRA": "units: {F2: {plan: [sail: Channel]}}",
    }
    played = play(world, orders)
    assert [event.place for event in played.only(BattleFought)] == [SEA]
    assert played.unit("ENG/A1").place == "Flanders"
    assert played.unit("ENG/A1").aboard is None
    assert played.world.provinces["Flanders"].owner == "ENG"


@pytest.mark.clause("M6")
def test_fleets_that_swap_seas_pass_each_other() -> None:
    world = make_world(
        unit("ENG/F1", "North Sea", {"Royal Galleon": 3}), unit("FRA/F1", SEA, {"Royal Galleon": 3}), war=WAR
    )
    orders = {"ENG": "units: {F1: {plan: [sail: Channel]}}", "FRA": "units: {F1: {plan: [sail: North Sea]}}"}
    assert not play(world, orders).only(BattleFought)


def coward(key: str, place: str = SEA, **more: Any) -> Unit:
    return unit(key, place, {"Ship": (0, 9, 0, 0, 0)}, retreat_level=1, **more)


@pytest.mark.clause("B9.1")
def test_a_fleet_flees_to_a_sea_without_enemies_first_and_to_harbours_only_of_its_own_or_permitted() -> None:
    enemy = unit("FRA/F1", SEA, {"Ship": 1, "Hulk": 30})
    elsewhere = unit("FRA/F2", "North Sea", {"Hulk": 1})

    def flees_to(*more_units: Unit, came_from: str | None = None, **more: Any) -> set[str]:
        marks = {"ENG/F1": {"came_from": came_from}}
        return {
            at_sea(coward("ENG/F1"), enemy, *more_units, done=marks, seed=str(seed), **more)
            .unit("ENG/F1")
            .place
            for seed in range(25)
        }

    assert flees_to() == {"London", "North Sea", "Alborg Bight"}
    assert flees_to(came_from="North Sea") == {"North Sea"}
    assert flees_to(came_from="London") == {"London"}
    assert "North Sea" not in flees_to(elsewhere, came_from="North Sea")
    allied = {"AQU": {"passage": frozenset({"ENG"})}}
    assert flees_to(realms=allied) == {"London", "North Sea", "Alborg Bight", "Bordeaux"}


@pytest.mark.clause("B9", "B9.1")
def test_following_fleets_flee_to_the_same_sea() -> None:
    for seed in range(10):
        played = at_sea(
            coward("ENG/F1"),
            unit("ENG/F2", SEA, {"Hulk": 9}, follow="F1"),
            unit("FRA/F1", SEA, {"Ship": 1, "Hulk": 30}),
            seed=str(seed),
            done={"ENG/F2": {"came_from": "North Sea"}},
        )
        assert played.unit("ENG/F2").place == played.unit("ENG/F1").place


@pytest.mark.clause("B5", "B12")
def test_ships_fight_under_their_fleets_leader_and_marines_under_their_own() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Royal Galleon": 2}, commanders=[commander("Drake", naval=50)], leader="Drake"),
        unit(
            "ENG/A1",
            SEA,
            {"Elite Marines": 4},
            aboard="ENG/F1",
            commanders=[commander("John", infantry=90)],
            leader="John",
        ),
        unit("FRA/F1", SEA, {"Hulk": 1}),
        by=rules().evolve(troops={**rules().troops, "Hulk": sure_rules().troops["Hulk"]}),
    )
    marines, fleet, _ = report(played).units
    guard = rules().commanders.attacks * rules().commanders.combat
    assert fleet.total_combat == 172 * 5 // 4 + guard
    assert marines.total_combat == 174
    assert {skill.tactic for skill in report(played).skills} == {"naval", "infantry"}


@pytest.mark.clause("B13", "B14")
def test_the_points_of_a_unit_are_told_from_the_start_until_it_leaves() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": (0, 1, 0, 0, 0), "Hulk": (0, 9, 0, 0, 0)}),
        unit("ENG/A1", SEA, {"Target": 3}, aboard="ENG/F1"),
        unit("ENG/A2", SEA, {"Target": 3}, aboard="ENG/F1"),
        unit("FRA/F1", SEA, {"Ship": 1, "Hulk": 9}),
        by=sure_rules(round_limit=5, marines_replaced=True),
    )
    points = {
        unit.unit: [int(left) for left in report(played).points_left(unit)] for unit in report(played).units
    }
    hulks = {"ENG/F1": [10] * 6, "FRA/F1": [10, 9, 8, 7, 6, 5]}
    assert points == {"ENG/A1": [2, 1, 1, 0, 0], "ENG/A2": [0], **hulks}


@pytest.mark.clause("M6.1")
def test_in_port_the_guest_is_put_ashore_and_the_land_battle_decides() -> None:
    world = make_world(
        unit("ENG/F1", "London", {"Trading Cog": 4}),
        unit("FRA/A1", "London", {"Heavy Infantry": 8}, aboard="ENG/F1"),
        unit("ENG/G1", "London", {"Peasant Rabble": 1}),
    )
    played = play(world, {"ENG": "headquarters: {declare_war: [FRA]}"})
    assert [event.unit for event in played.only(ArmyPutAshore)] == ["FRA/A1"]
    assert [(event.phase, event.report.kind, event.place) for event in played.only(BattleFought)] == [
        (1, "land", "London")
    ]
    assert played.unit("FRA/A1").aboard is None
    assert played.world.provinces["London"].owner == "FRA"


@pytest.mark.clause("M6.1")
def test_war_on_ones_guest_at_sea_is_fought_out_in_phase_one() -> None:
    world = make_world(
        unit("ENG/F1", SEA, {"Royal Galleon": 4}),
        unit("FRA/A1", SEA, {"Peasant Rabble": 2}, aboard="ENG/F1"),
        allied=[],
    )
    played = play(world, {"ENG": "headquarters: {declare_war: [FRA]}"})
    (fight,) = played.only(BattleFought)
    assert (fight.phase, fight.report.mutiny, fight.winners) == (1, True, ("ENG",))
    assert "FRA/A1" not in played.world.units
