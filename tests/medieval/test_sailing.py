"""Fleets sail, hold, and flee when they have no anchorage (M4, M5, P4, P5, P9)."""

from __future__ import annotations

from collections import Counter

import pytest

from gm.games.medieval.events.movement import FleetFled
from gm.games.medieval.orders.model import Hold, March, Sail
from gm.games.medieval.steps.movement import fleets_set_sail, homeless_fleets_depart, sail_cost, why_not_sail
from gm.games.medieval.steps.turn import Refusal
from gm.games.medieval.steps.workspace import Workspace
from tests.medieval.marks import marked, retreated, taken
from tests.medieval.movement import done, move, plans, sheet_of, written
from tests.medieval.testland import commander, make_turn, make_world, rules, run_steps, unit

COGS = {"Trading Cog": 2}
GALLEYS = {"Medium Galley": 2}


def sailed(world, *places, before=()):
    return move(world, {"ENG": plans(F1=[f"sail: {place}" for place in places])}, before=before)


@pytest.mark.clause("P4")
def test_docking_in_a_province_that_changed_owner_costs_two():
    world = make_world(unit("ENG/F1", "Channel", GALLEYS))
    played = sailed(world, "London", before=[marked("London", changed_owner=True)])
    assert (played.unit("ENG/F1").place, done(played, "ENG/F1").used) == ("London", 2)


@pytest.mark.clause("P4")
def test_docking_costs_one_where_the_owner_is_the_same():
    world = run_steps(make_world(), [marked("London", battle=True)]).world
    assert [sail_cost(world, rules(), place) for place in ("London", "Channel")] == [1, 1]


@pytest.mark.clause("M4", "O6", "O6.1")
def test_an_army_that_is_told_to_sail_does_not_and_holds_first_where_that_stands_first():
    world = make_world(unit("ENG/A1", "Kent", {"Militia": 1}))
    sail = Sail(written("sail", 2), "Channel")
    alone = run_steps(world, [fleets_set_sail], {"ENG": sheet_of("ENG", A1=[sail])})
    assert alone.fates("ENG") == [("sail", "failed", "only-fleets-sail")]
    behind = move(world, {"ENG": sheet_of("ENG", A1=[Hold(written("hold", 1)), sail])})
    assert behind.fates("ENG") == [("hold", "done", ""), ("sail", "failed", "only-fleets-sail")]


@pytest.mark.clause("W6.1", "M4")
def test_a_fleet_without_ships_does_not_sail_and_only_fleets_do():
    world = make_world(unit("ENG/F1", "Channel", commanders=[commander()]), unit("ENG/A1", "Kent", {"Militia": 1}))
    assert sailed(world, "North Sea").fates("ENG")[0][2] == "fleet-without-ships"
    army = why_not_sail(Workspace(make_turn(world)), world.units["ENG/A1"], "Channel")
    assert army == Refusal("only-fleets-sail")
    fleet = {"ENG": sheet_of("ENG", F1=[March(written("F1 march"), "Kent")])}
    assert move(world, fleet).fates("ENG") == [("F1 march", "failed", "only-armies-march")]


@pytest.mark.clause("M4", "W2")
def test_a_fleet_never_goes_from_province_to_province():
    world = make_world(unit("NOR/F1", "Scania", COGS), realms={"DEN": {"passage": {"NOR"}}})
    refusal = why_not_sail(Workspace(make_turn(world)), world.units["NOR/F1"], "Zeeland")
    assert refusal == Refusal("fleet-cannot-cross-land", {"place": "Scania", "other": "Zeeland"})


@pytest.mark.clause("P7", "M4")
def test_a_fleet_that_retreated_does_nothing_more():
    world = make_world(unit("ENG/F1", "Channel", COGS))
    played = sailed(world, "North Sea", before=[retreated("ENG/F1")])
    assert played.fate("ENG", "sail") == ("failed", "unit-retreated")


# -- M5 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("M5")
def test_the_sea_that_a_homeless_fleet_flees_to_is_drawn_among_the_connected_ones():
    world = make_world(
        unit("ENG/F1", "London", COGS),
        unit("ENG/A1", "London", {"Militia": 1}, aboard="ENG/F1"),
        owners={"London": "FRA"},
        war=[("ENG", "FRA")],
    )
    places = Counter()
    for seed in range(40):
        played = move(world, seed=str(seed))
        assert played.unit("ENG/A1").place == played.unit("ENG/F1").place
        places[played.unit("ENG/F1").place] += 1
    assert set(places) == {"North Sea", "Channel"}
    assert min(places.values()) >= 8


@pytest.mark.clause("M5")
def test_a_fleet_that_has_an_anchorage_again_stays():
    world = make_world(unit("ENG/F1", "London", COGS), owners={"London": "FRA"}, war=[("ENG", "FRA")])
    from gm.games.medieval.steps.bookkeeping import phase_opens

    played = run_steps(world, [phase_opens, taken("London", "ENG"), homeless_fleets_depart])
    assert not played.only(FleetFled)
    assert done(played, "ENG/F1").homeless_phase is None
