"""Captures, and battles that are not fought, or not for longer than they should be (B1, B10, B11, M6, M11)."""

from __future__ import annotations

import pytest

from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.events.battle import FleetFormedByCapture
from gm.games.medieval.events.ledger import TroopsChanged
from gm.games.medieval.steps.battles import sea_battles_fought
from tests.medieval.testland import make_world, unit
from tests.medieval.warfare import fought, report, sure_rules, troop

WAR = [("ENG", "FRA")]
SEA = "Channel"


# -- captures (B11) ----------------------------------------------------------------------------------------------------


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
