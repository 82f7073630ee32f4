"""Captures, and battles that are not fought, or not for longer than they should be (B1, B10, B11, M6, M11)."""

from __future__ import annotations

import pytest

from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.events.battle import FleetFormedByCapture
from gm.games.medieval.events.ledger import TroopsChanged
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.battles import cross_border_battles_fought, sea_battles_fought
from tests.medieval.testland import commander, make_world, unit
from tests.medieval.warfare import fought, report, reports, sure_rules, troop

WAR = [("ENG", "FRA")]
SEA = "Channel"


# -- captures (B11) ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("B11")
def test_machines_go_to_an_army_of_the_battle_and_never_to_a_fleet_in_the_harbour() -> None:
    world = make_world(
        unit("TEU/A1", "Riga", {"Striker": 1}),
        unit("TEU/F1", "Riga", {"Ship": 9}, commanders=[commander(f"Admiral {number}") for number in range(20)]),
        unit("ENG/A1", "Riga", {"Ram": 1}),
        war=[("ENG", "TEU")],
    )
    assert [(each.captor, each.into) for each in report(fought(world)).captures] == [("TEU", "TEU/A1")]


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
    assert [each.unit for each in played.only(FleetFormedByCapture)] == ["FRA/F1"]
    assert {name: played.unit("FRA/F1").count(name) for name in ("Prize", "Other Prize")} == {
        "Prize": 2,
        "Other Prize": 3,
    }


@pytest.mark.clause("B11", "M6.1")
def test_without_a_free_number_for_a_fleet_nothing_is_captured() -> None:
    by = sure_rules()
    by = by.evolve(units=by.units.evolve(number_limit=1))
    world = make_world(
        unit("ENG/F1", SEA, {"Prize": 2}),
        unit("FRA/A1", SEA, {"Striker": 9}, aboard="ENG/F1"),
        unit("FRA/F1", "Bordeaux", {"Ship": 1}),
        war=WAR,
    )
    played = fought(world, sea_battles_fought, by=by)
    assert [(each.rolls, each.count, each.captor) for each in report(played).captures] == [(2, 0, "")]
    assert [(each.unit, each.cause) for each in played.only(TroopsChanged) if each.troop == "Prize"] == [
        ("ENG/F1", "killed")
    ]


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
    assert [(each.troop, each.rolls, each.count) for each in report(played).captures] == [("Captive", 1, 0)]
    assert not played.only(FleetFormedByCapture)


# -- who fights whom, and how long (B1, B10) ---------------------------------------------------------------------------


@pytest.mark.clause("W7", "B1")
def test_special_permission_holds_within_a_battle_too() -> None:
    world = make_world(
        unit("ENG/A1", "Flanders", {"Target": 9}),
        unit("AQU/A1", "Flanders", {"Striker": 2}),
        unit("IND/A1", "Flanders", {"Target": 1}),
        war=[("AQU", "ENG")],
        provinces={"Flanders": {"permissions": frozenset({"AQU"})}},
    )
    assert report(fought(world, by=sure_rules(round_limit=2))).wars == (("AQU", "ENG"), ("ENG", "IND"))


@pytest.mark.clause("B10", "B13")
def test_marines_of_a_guest_do_not_keep_a_battle_going_when_their_hosts_enemy_is_gone() -> None:
    world = make_world(
        unit("ENG/F1", SEA, {"Ship": 9}),
        unit("AQU/A1", SEA, {"Target": 2}, aboard="ENG/F1"),
        unit("NOR/F1", SEA, {"Hulk": 1}),
        unit("FRA/F1", SEA, {"Hulk": 9}),
        war=[("ENG", "NOR"), ("AQU", "NOR"), ("FRA", "NOR"), ("AQU", "FRA")],
    )
    found = report(fought(world, sea_battles_fought))
    assert (found.realms, found.result) == (("AQU", "ENG", "FRA", "NOR"), "won")
    assert len(found.rounds) == 2


@pytest.mark.clause("M11")
def test_the_march_of_an_army_destroyed_at_the_border_has_not_been_made() -> None:
    world = make_world(unit("ENG/A1", "Reims", {"Striker": 5}), unit("FRA/A1", "Flanders", {"Target": 3}), war=WAR)
    done = {
        "ENG/A1": {"came_from": "Flanders", "marched_phase": 1},
        "FRA/A1": {"came_from": "Reims", "marched_phase": 1},
    }
    orders = {"FRA": "units: {A1: {plan: [march: Flanders]}}"}
    played = fought(world, cross_border_battles_fought, done=done, orders=orders)
    assert played.fate("FRA", "march: Flanders") == ("failed", "destroyed-in-battle")


@pytest.mark.clause("M6", "B10")
def test_a_sea_of_a_drawn_battle_sees_another_when_a_fleet_flees_there() -> None:
    world = make_world(
        unit("ENG/F1", SEA, {"Hulk": 2}),
        unit("FRA/F1", SEA, {"Hulk": 2}),
        unit("NOR/F1", "Alborg Bight", {"Hulk": (1, 1, 0, 0, 0)}, retreat_level=1),
        unit("TEU/F1", "Alborg Bight", {"Ship": 1}),
        unit("TEU/F2", "Hanobukten", {"Ship": 1}),
        war=[*WAR, ("NOR", "TEU"), ("FRA", "NOR")],
    )
    done = {"NOR/F1": {"came_from": SEA}}
    played = fought(world, sea_battles_fought, by=sure_rules(round_limit=3), done=done)
    told = [(each.place, each.realms, each.result) for each in reports(played)]
    assert told == [
        (SEA, ("ENG", "FRA"), "drawn"),
        ("Alborg Bight", ("NOR", "TEU"), "won"),
        (SEA, ("ENG", "FRA", "NOR"), "drawn"),
    ]


@pytest.mark.clause("M6")
def test_a_fleet_that_flees_into_a_harbour_fights_nobody_there() -> None:
    world = make_world(
        unit("ENG/F1", SEA, {"Hulk": (1, 1, 0, 0, 0)}, retreat_level=1),
        unit("FRA/F1", SEA, {"Ship": 1}),
        unit("FRA/F2", "London", {"Ship": 1}),
        war=WAR,
    )
    played = fought(world, sea_battles_fought, done={"ENG/F1": {"came_from": "London"}})
    assert played.unit("ENG/F1").place == "London"
    assert [each.place for each in reports(played)] == [SEA]


@pytest.mark.clause("M11")
@pytest.mark.parametrize(
    ("french", "came_from"),
    [
        (unit("FRA/A1", "Flanders"), "Reims"),
        (unit("FRA/A1", "Flanders", {"Target": 1}, aboard="FRA/F1"), "Reims"),
        (unit("FRA/A1", "Flanders", {"Target": 1}), None),
    ],
    ids=["an empty army", "an army aboard", "an army from nowhere"],
)
def test_at_a_border_nobody_meets(french: Unit, came_from: str | None) -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 5}), french, unit("FRA/F1", "Flanders", {"Ship": 1}), war=WAR
    )
    done = {
        "ENG/A1": {"came_from": "Flanders", "marched_phase": 1},
        "FRA/A1": {"came_from": came_from, "marched_phase": 1},
    }
    assert not fought(world, cross_border_battles_fought, done=done).events


@pytest.mark.clause("M11", "W12")
def test_borders_are_fought_over_in_the_order_of_the_map() -> None:
    marches = {"ENG/A1": ("Riga", "Pomerania"), "FRA/A1": ("Pomerania", "Riga")}
    marches |= {"ENG/A2": ("Reims", "Paris"), "FRA/A2": ("Paris", "Reims")}
    marches |= {"ENG/A3": ("Flanders", "Schleswig"), "FRA/A3": ("Schleswig", "Flanders")}
    world = make_world(*(unit(key, place, {"Striker": 5}) for key, (place, _) in marches.items()), war=WAR)
    done = {key: {"came_from": origin, "marched_phase": 1} for key, (_, origin) in marches.items()}
    places = [(each.place, each.other_place) for each in reports(fought(world, cross_border_battles_fought, done=done))]
    assert places == [("Flanders", "Schleswig"), ("Reims", "Paris"), ("Pomerania", "Riga")]


@pytest.mark.clause("M6", "B10")
def test_after_a_drawn_battle_at_sea_those_who_came_to_it_go_back() -> None:
    world = make_world(unit("ENG/F1", SEA, {"Hulk": 2}), unit("FRA/F1", SEA, {"Hulk": 2}), war=WAR)
    done = {"ENG/F1": {"came_from": "North Sea", "marched_phase": 1}, "FRA/F1": {"came_from": "North Sea"}}
    played = fought(world, sea_battles_fought, by=sure_rules(round_limit=2), done=done)
    assert report(played).result == "drawn"
    assert [played.unit(key).place for key in ("ENG/F1", "FRA/F1")] == ["North Sea", SEA]


@pytest.mark.clause("B12")
def test_the_army_of_a_lost_fleet_goes_aboard_the_first_that_has_just_enough_room() -> None:
    world = make_world(
        unit("ENG/F1", SEA, {"Hulk": 1}),
        unit("ENG/A1", SEA, {"Target": 2}, aboard="ENG/F1", marines=False),
        unit("ENG/F2", SEA, {"Hulk": (0, 0, 0, 0, 1)}),
        unit("ENG/F3", SEA, {"Ship": (0, 0, 0, 0, 9)}),
        unit("FRA/F1", SEA, {"Ship": 1}),
        war=WAR,
    )
    played = fought(world, sea_battles_fought)
    assert played.unit("ENG/A1").aboard == "ENG/F2"
    assert played.unit("ENG/A1").count("Target") == 2


@pytest.mark.clause("B12", "B11")
def test_whose_fleet_sinks_of_its_wounds_in_a_harbour_goes_ashore_there() -> None:
    world = make_world(
        unit("ENG/F1", SEA, {"Hulk": 1, "War Dhow": (0, 1, 0, 0, 0)}, retreat_level=1),
        unit("ENG/A1", SEA, {"Target": 2}, aboard="ENG/F1", marines=False),
        unit("FRA/F1", SEA, {"Ship": 2}),
        war=WAR,
    )
    for seed in range(60):
        done = {"ENG/F1": {"came_from": "London"}}
        played = fought(world, sea_battles_fought, done=done, seed=str(seed))
        if played.unit("ENG/F1").empty:
            break
    army = played.unit("ENG/A1")
    assert (army.place, army.aboard, army.count("Target")) == ("London", None, 2)
    assert [(each.fleet, each.army, each.to) for each in report(played).rescues] == [("ENG/F1", "ENG/A1", "London")]
    assert played.world.done("ENG/A1").landed


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
    assert (siege.level, siege.damage_after, [each.damage for each in siege.rolls]) == (2, 2, [2, 0])
