"""Fleets sail, hold, and flee when they have no anchorage (M4, M5, P4, P5, P9)."""

from __future__ import annotations

from collections import Counter

import pytest

from gm.games.medieval.events.ledger import TroopsChanged
from gm.games.medieval.events.movement import FleetFled, FleetHomeless, FleetSailed, FleetScuttled
from gm.games.medieval.orders.model import Hold, March, Sail
from gm.games.medieval.state import INDEPENDENTS
from gm.games.medieval.steps.movement import fleets_set_sail, homeless_fleets_depart, sail_cost, why_not_sail
from gm.games.medieval.steps.turn import Refusal
from gm.games.medieval.steps.workspace import Workspace
from tests.medieval.marks import marked, retreated, taken
from tests.medieval.movement import done, left, move, plans, sheet_of, written
from tests.medieval.testland import commander, make_turn, make_world, rules, run_steps, unit

COGS = {"Trading Cog": 2}
GALLEYS = {"Medium Galley": 2}


def sailed(world, *places, before=()):
    return move(world, {"ENG": plans(F1=[f"sail: {place}" for place in places])}, before=before)


@pytest.mark.clause("M4", "P3", "P4")
def test_a_fleet_sails_one_location_a_phase_for_one_each():
    played = sailed(make_world(unit("ENG/F1", "London", COGS)), "North Sea", "Channel")
    assert [(e.phase, e.origin, e.place) for e in played.only(FleetSailed)] == [
        (1, "London", "North Sea"),
        (2, "North Sea", "Channel"),
    ]
    assert left(played, "ENG/F1") == 0


@pytest.mark.clause("M4")
def test_armies_aboard_go_with_their_fleet():
    world = make_world(unit("ENG/F1", "London", COGS), unit("ENG/A1", "London", {"Militia": 1}, aboard="ENG/F1"))
    played = sailed(world, "Channel")
    assert played.unit("ENG/A1").place == "Channel"
    assert played.unit("ENG/A1").aboard == "ENG/F1"
    assert played.only(FleetSailed)[0].cargo == ("ENG/A1",)


@pytest.mark.clause("M4", "W2", "W3")
def test_docking_takes_a_harbour_permission_and_an_open_coast():
    at = make_world(unit("ENG/F1", "Channel", GALLEYS))
    assert sailed(at, "London").unit("ENG/F1").place == "London"
    assert sailed(at, "Kent").fates("ENG")[0][2] == "no-harbour"
    assert sailed(at, "Bordeaux").fates("ENG")[0][2] == "no-permission-to-dock"
    friends = make_world(unit("ENG/F1", "Channel", GALLEYS), realms={"AQU": {"passage": {"ENG"}}})
    assert sailed(friends, "Bordeaux").unit("ENG/F1").place == "Bordeaux"
    reefs = make_world(unit("ENG/F1", "North Sea", GALLEYS), owners={"Flanders": "ENG"})
    assert sailed(reefs, "Flanders").fates("ENG")[0][2] == "reefs"
    enemies = make_world(unit("ENG/F1", "Channel", GALLEYS), war=[("AQU", "ENG")])
    assert sailed(enemies, "Bordeaux").fates("ENG")[0][2] == "no-permission-to-dock"


@pytest.mark.clause("P4")
def test_docking_in_a_province_that_changed_owner_costs_two():
    world = make_world(unit("ENG/F1", "Channel", GALLEYS))
    played = sailed(world, "London", before=[marked("London", changed_owner=True)])
    assert (played.unit("ENG/F1").place, done(played, "ENG/F1").used) == ("London", 2)


@pytest.mark.clause("P4")
def test_docking_costs_one_where_the_owner_is_the_same():
    world = run_steps(make_world(), [marked("London", battle=True)]).world
    assert [sail_cost(world, rules(), place) for place in ("London", "Channel")] == [1, 1]


@pytest.mark.clause("M4", "O6")
def test_a_sail_that_fails_drops_the_other_sails_and_holds():
    world = make_world(unit("ENG/F1", "Channel", COGS))
    played = move(world, {"ENG": plans(F1=["sail: Baltic", "hold", "sail: North Sea"])})
    assert [reason for _, _, reason in played.fates("ENG")] == [
        "no-border",
        "earlier-move-failed",
        "earlier-move-failed",
    ]
    assert played.unit("ENG/F1").place == "Channel"


@pytest.mark.clause("P3", "P4")
def test_a_fleet_has_the_move_points_of_its_slowest_ship():
    world = make_world(unit("ENG/F1", "North Sea", {**COGS, **GALLEYS}))
    played = sailed(world, "Channel", "Alborg Bight", "Hanobukten")
    assert played.unit("ENG/F1").place == "Alborg Bight"
    assert played.fates("ENG")[-1][1:] == ("failed", "needs-move-points")


@pytest.mark.clause("O6.1", "P5")
def test_a_fleet_holds_at_m4_and_its_first_hold_is_free():
    world = make_world(unit("ENG/F1", "North Sea", COGS))
    played = move(world, {"ENG": plans(F1=["hold", "sail: Channel", "hold"])})
    assert [(e.phase, e.place) for e in played.only(FleetSailed)] == [(2, "Channel")]
    assert done(played, "ENG/F1").used == 2
    first = run_steps(world, [fleets_set_sail], {"ENG": plans(F1=["hold"])})
    assert first.fates("ENG") == [("F1 hold", "done", "")]


@pytest.mark.clause("P5")
def test_a_fleet_that_cannot_pay_for_a_hold_has_not_held():
    world = make_world(unit("ENG/F1", "London", COGS))
    played = move(world, {"ENG": plans(F1=["hold", "sail: North Sea", "sail: Channel", "hold"])})
    assert played.fates("ENG")[-1][1:] == ("failed", "hold-needs-move-points")
    assert (done(played, "ENG/F1").used, done(played, "ENG/F1").holds) == (2, 1)


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


@pytest.mark.clause("P9")
def test_a_docked_fleet_that_lost_permission_is_safe_and_may_sail_out():
    world = make_world(unit("ENG/F1", "Bordeaux", COGS))
    assert not move(world).only(FleetHomeless)
    assert sailed(world, "Channel").unit("ENG/F1").place == "Channel"


# -- M5 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("M5", "P7")
def test_a_fleet_whose_harbour_an_enemy_takes_loses_its_sails_and_flees_in_the_next_phase():
    world = make_world(
        unit("ENG/F1", "Bordeaux", GALLEYS),
        unit("FRA/A1", "Bordeaux", {"Heavy Cavalry": 3}),
        realms={"AQU": {"passage": {"ENG"}}},
        war=[("ENG", "FRA"), ("AQU", "FRA")],
    )
    played = move(world, {"ENG": plans(F1=["hold", "sail: Channel", "hold"])})
    assert played.world.provinces["Bordeaux"].owner == "FRA"
    assert [(e.phase, e.fleet) for e in played.only(FleetHomeless)] == [(1, "ENG/F1")]
    assert [(e.phase, e.place) for e in played.only(FleetFled)] == [(2, "Channel")]
    assert played.fate("ENG", "sail") == ("failed", "fleet-homeless")
    assert done(played, "ENG/F1").spent
    assert left(played, "ENG/F1") == 0


@pytest.mark.clause("M5")
def test_a_fleet_homeless_before_the_phases_may_still_sail_in_phase_one():
    world = make_world(unit("ENG/F1", "Kent", COGS))
    played = sailed(world, "Channel", "North Sea")
    assert [event.phase for event in played.only(FleetHomeless)] == [1]
    assert [(e.phase, e.place) for e in played.only(FleetSailed)] == [(1, "Channel"), (2, "North Sea")]
    assert not played.only(FleetFled)


@pytest.mark.clause("M5")
def test_a_fleet_homeless_before_the_phases_that_does_not_sail_flees_in_phase_one():
    world = make_world(unit("ENG/F1", "Kent", COGS))
    played = move(world, {"ENG": plans(F1=["hold", "sail: Channel"])})
    assert [(e.phase, e.place) for e in played.only(FleetFled)] == [(1, "Channel")]
    assert played.fate("ENG", "sail") == ("failed", "fleet-homeless")


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
def test_without_a_connected_sea_the_ships_are_scuttled_and_all_others_stand_ashore():
    lost = commander("Sir Walter")
    world = make_world(
        unit("ENG/F1", "Paris", COGS, commanders=[lost]),
        unit("ENG/A1", "Paris", {"Militia": 1}, aboard="ENG/F1"),
        realms={"FRA": {"passage": {"ENG"}}},
    )
    played = move(world)
    assert played.only(FleetScuttled)[0].troops == COGS
    assert [(e.troop, e.count, e.cause) for e in played.only(TroopsChanged)] == [("Trading Cog", -2, "scuttled")]
    assert played.unit("ENG/A1").aboard is None
    assert played.unit("ENG/F1").empty
    assert (played.unit("ENG/A2").commanders, played.unit("ENG/A2").place) == ((lost,), "Paris")


@pytest.mark.clause("M5", "P1")
def test_a_fleet_in_an_independent_harbour_needs_special_permission_to_stay():
    lands = {"Flanders": {"harbour": True}}
    stranger = make_world(unit("ENG/F1", "Flanders", COGS), provinces=lands)
    assert move(stranger).only(FleetFled)
    guest = make_world(
        unit("ENG/F1", "Flanders", COGS), provinces={"Flanders": {"harbour": True, "permissions": {"ENG"}}}
    )
    assert guest.provinces["Flanders"].owner == INDEPENDENTS
    assert not move(guest).only(FleetFled)


@pytest.mark.clause("M5")
def test_a_fleet_that_has_an_anchorage_again_stays():
    world = make_world(unit("ENG/F1", "London", COGS), owners={"London": "FRA"}, war=[("ENG", "FRA")])
    from gm.games.medieval.steps.bookkeeping import phase_opens

    played = run_steps(world, [phase_opens, taken("London", "ENG"), homeless_fleets_depart])
    assert not played.only(FleetFled)
    assert done(played, "ENG/F1").homeless_phase is None
