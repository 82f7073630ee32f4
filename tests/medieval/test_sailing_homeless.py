"""Fleets that have no anchorage: which flee, and what becomes of ships that go down and of those aboard (M5, P7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.games.medieval.events.ledger import CommandersChanged
from gm.games.medieval.events.movement import FleetFled, FleetScuttled
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.bookkeeping import phase_opens
from gm.games.medieval.steps.movement import homeless_fleets_depart
from tests.medieval.marks import taken
from tests.medieval.testland import Played, commander, make_turn, make_world, rules, run_steps, unit

COGS = {"Trading Cog": 2}


def aground(*units: Unit, numbers: int = 99) -> Played:
    """Fleets that the time since the last turn has made homeless, in the first phase; no higher numbers than these."""
    by = rules().evolve(units=rules().units.evolve(number_limit=numbers))
    turn = replace(make_turn(make_world(*units, war=[("ENG", "FRA")], owners={"London": "FRA"})), rules=by)
    opened = phase_opens(turn.at_step(phase_opens.name, 1)).state
    outcome = homeless_fleets_depart(replace(turn, state=opened).at_step(homeless_fleets_depart.name, 1))
    return Played(turn.state, outcome.state, outcome.events)


@pytest.mark.clause("M5")
def test_a_fleet_flees_though_another_has_its_anchorage_again() -> None:
    world = make_world(
        unit("ENG/F1", "London", COGS),
        unit("ENG/F2", "Bordeaux", COGS),
        owners={"London": "FRA"},
        war=[("ENG", "FRA"), ("AQU", "ENG")],
    )
    played = run_steps(world, [phase_opens, taken("London", "ENG"), homeless_fleets_depart])
    assert [each.fleet for each in played.only(FleetFled)] == ["ENG/F2"]


@pytest.mark.clause("M5", "W6")
def test_an_empty_fleet_is_never_homeless_and_hides_no_other_that_is() -> None:
    played = aground(unit("ENG/F1", "London"), unit("ENG/F2", "London", COGS))
    assert [each.fleet for each in played.only(FleetFled)] == ["ENG/F2"]


@pytest.mark.clause("M5")
def test_commanders_of_a_fleet_without_ships_do_not_sail_away_but_stand_ashore() -> None:
    john = commander()
    played = aground(unit("ENG/F1", "London", commanders=[john]))
    assert (played.unit("ENG/A1").place, played.unit("ENG/A1").commanders) == ("London", (john,))
    assert played.unit("ENG/F1").empty
    assert not played.events  # there are no ships to scuttle


@pytest.mark.clause("M5", "P7")
def test_where_ships_go_down_the_armies_aboard_stand_ashore_and_nobody_moves_any_more() -> None:
    played = aground(unit("ENG/F1", "Paris", COGS), unit("ENG/A1", "Paris", {"Archers": 1}, aboard="ENG/F1"))
    assert [each.troops for each in played.only(FleetScuttled)] == [COGS]
    assert played.unit("ENG/A1").aboard is None
    assert played.unit("ENG/F1").empty
    assert [played.world.done(key).spent for key in ("ENG/A1", "ENG/F1")] == [True, True]
    assert played.world.units.keys() == played.before.units.keys()


@pytest.mark.clause("M5", "L8.2", "W5")
def test_a_commander_ashore_is_lost_where_his_realm_has_no_number_for_an_army() -> None:
    played = aground(
        unit("ENG/F1", "Paris", COGS, commanders=[commander()]), unit("ENG/A1", "Kent", {"Archers": 1}), numbers=1
    )
    assert [(each.commander, each.cause) for each in played.only(CommandersChanged)] == [("Sir John", "lost")]
