"""Moves for the map's arrows: from the log of a turn, and from the plans of an order file."""

import pytest

from gm.games.medieval.events.battle import UnitRetreated
from gm.games.medieval.events.movement import ArmyLoaded, ArmyUnloaded, FleetFled, FleetSailed, UnitMarched
from gm.games.medieval.report.map_marks import FLIGHT, MARCH, SAIL, Move, moves_by_phase, planned_moves
from tests.medieval.testland import make_world, read_orders, unit


@pytest.mark.clause("M9", "M4")
def test_marches_voyages_and_flights_become_moves_each_once() -> None:
    events = [
        UnitMarched(realm="ENG", unit="ENG/A1", origin="London", place="Kent"),
        UnitMarched(realm="ENG", unit="ENG/A2", origin="London", place="Kent"),
        FleetSailed(realm="ENG", fleet="ENG/F1", origin="London", place="Channel"),
        FleetFled(realm="FRA", fleet="FRA/F1", origin="Calais", place="Channel"),
        UnitRetreated(realm="ENG", unit="ENG/A1", place="Kent", to="London"),
        UnitRetreated(realm="FRA", unit="FRA/A1", place="Paris", to="Paris"),
    ]
    assert moves_by_phase(events, make_world())[0] == (
        Move("ENG", MARCH, "London", "Kent"),
        Move("ENG", SAIL, "London", "Channel"),
        Move("FRA", FLIGHT, "Calais", "Channel"),
        Move("ENG", FLIGHT, "Kent", "London"),
    )


@pytest.mark.clause("M3", "M8")
def test_going_aboard_and_ashore_is_seen_from_where_the_fleet_lies() -> None:
    events = [
        ArmyLoaded(realm="ENG", army="ENG/A1", fleet="ENG/F1", place="London", sea="Channel"),
        FleetSailed(realm="ENG", fleet="ENG/F1", origin="Channel", place="North Sea"),
        ArmyUnloaded(realm="ENG", army="ENG/A1", fleet="ENG/F1", place="Flanders"),
        ArmyUnloaded(realm="ENG", army="ENG/A2", fleet="ENG/F2", place="Calais"),
        ArmyUnloaded(realm="ENG", army="ENG/A3", fleet="ENG/F9", place="Calais"),
    ]
    after = make_world(unit("ENG/F2", "Channel", {"Trading Cog": 1}))
    assert moves_by_phase(events, after)[0] == (
        Move("ENG", MARCH, "London", "Channel"),
        Move("ENG", SAIL, "Channel", "North Sea"),
        Move("ENG", MARCH, "North Sea", "Flanders"),
        Move("ENG", MARCH, "Channel", "Calais"),
    )


@pytest.mark.clause("O5")
def test_plans_are_followed_from_where_their_units_stand_new_ones_included() -> None:
    world = make_world(
        unit("ENG/A1", "London", {"Men-at-Arms": 1}),
        unit("ENG/F1", "Channel", {"Trading Cog": 1}),
        unit("ENG/G1", "London", {"Archers": 2}),
    )
    sheet = read_orders(
        world,
        {
            "ENG": """
units:
  A1: {plan: [hold, {march: Kent}, {march: London}, pillage]}
  F1: {plan: [{unload: {A1: Flanders}}]}
  London:
    form: {A7: New}
  A7: {plan: [{march: Flanders}]}
"""
        },
    )["ENG"]
    assert planned_moves(sheet, world) == (
        Move("ENG", MARCH, "London", "Kent"),
        Move("ENG", MARCH, "Kent", "London"),
        Move("ENG", MARCH, "Channel", "Flanders"),
        Move("ENG", MARCH, "London", "Flanders"),
    )
