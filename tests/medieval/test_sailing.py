"""Fleets sail, hold, flee, load and land armies, and lose what has no room (M3-M5, M7, M8, P4, P5, P7,
P9).
"""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import TroopsChanged
from gm.games.medieval.events.movement import (
    CargoMoved,
    CargoOverboard,
    CargoPutAshore,
    FleetFled,
    FleetScuttled,
    LandingSucceeded,
)
from gm.games.medieval.orders.model import Hold, March, Sail
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import Unit
from gm.games.medieval.state.strength import storage, weight
from gm.games.medieval.steps.bookkeeping import phase_opens
from gm.games.medieval.steps.loading import armies_unloaded
from gm.games.medieval.steps.movement import fleets_set_sail, homeless_fleets_depart, sail_cost, why_not_sail
from gm.games.medieval.steps.outcomes import OrderSettled, Refusal
from gm.games.medieval.steps.transfers import fleet_storage_checked
from gm.games.medieval.steps.turn import Workspace
from tests.medieval.marks import marked, retreated, taken
from tests.medieval.movement import done, move, plans, sheet_of, written
from tests.medieval.testland import Played, commander, make_turn, make_world, rules, run_steps, unit
from tests.medieval.warfare import troop

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
    world = make_world(
        unit("ENG/F1", "Channel", commanders=[commander()]), unit("ENG/A1", "Kent", {"Militia": 1})
    )
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


def aground(*units: Unit) -> Played:
    """Fleets that the time since the last turn has made homeless, in the first phase."""
    turn = make_turn(make_world(*units, war=[("ENG", "FRA")], owners={"London": "FRA"}))
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
    assert [event.fleet for event in played.only(FleetFled)] == ["ENG/F2"]


@pytest.mark.clause("M5", "W6")
def test_an_empty_fleet_is_never_homeless_and_hides_no_other_that_is() -> None:
    played = aground(unit("ENG/F1", "London"), unit("ENG/F2", "London", COGS))
    assert [event.fleet for event in played.only(FleetFled)] == ["ENG/F2"]


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
    assert [event.troops for event in played.only(FleetScuttled)] == [COGS]
    assert played.unit("ENG/A1").aboard is None
    assert played.unit("ENG/F1").empty
    assert [played.world.done(key).spent for key in ("ENG/A1", "ENG/F1")] == [True, True]
    assert played.world.units.keys() == played.before.units.keys()


@pytest.mark.clause("M7", "M1")
def test_ships_may_leave_a_laden_fleet_and_the_cargo_is_settled():
    world = make_world(
        unit("ENG/F1", "Channel", {"Trading Cog": 2}),
        unit("ENG/F2", "Channel", {"Trading Cog": 1}),
        unit("ENG/A1", "Channel", {"Men-at-Arms": 4}, aboard="ENG/F1"),
    )
    played = move(world, {"ENG": plans(F1=["transfer: {to: F2, troops: {Trading Cog: 1}}"])})
    assert played.unit("ENG/A2").aboard == "ENG/F2"
    assert not played.only(CargoOverboard)
    for fleet in ("ENG/F1", "ENG/F2"):
        aboard = played.world.cargo(fleet)
        assert sum(weight(army, rules()) for army in aboard) <= storage(played.unit(fleet), rules())


SEA = "Channel"


def checked(*units: Unit, by: Rules | None = None, **more: Any) -> Played:
    """Fleet Storage Checked in phase 1. A cog carries a weight of 2; cavalry weighs 2, archers 1."""
    turn = replace(make_turn(make_world(*units, **more)), rules=by or rules())
    outcome = fleet_storage_checked(turn.at_step(fleet_storage_checked.name, 1))
    return Played(turn.state, outcome.state, outcome.events)


def few_numbers() -> Rules:
    return rules().evolve(units=rules().units.evolve(number_limit=1))


def cogs(key: str, count: int, place: str = SEA) -> Unit:
    return unit(key, place, {"Trading Cog": count} if count else {})


def lost(played: Played) -> dict[str, int]:
    return {event.troop: -event.count for event in played.only(TroopsChanged)}


@pytest.mark.clause("M7")
def test_what_weighs_nothing_stays_aboard_and_makes_no_room() -> None:
    by = rules().evolve(troops={**rules().troops, "Ghost": troop("Ghost", 1, weight=0)})
    played = checked(
        cogs("ENG/F1", 1),
        unit("AQU/A1", SEA, {"Ghost": 4}, aboard="ENG/F1"),
        unit("ENG/A1", SEA, {"Archers": 3}, aboard="ENG/F1"),
        by=by,
    )
    assert lost(played) == {"Archers": 1}
    assert played.unit("AQU/A1").count("Ghost") == 4


@pytest.mark.clause("M7", "L8.2", "W5")
def test_troops_are_lost_where_there_is_no_number_for_their_army_ashore() -> None:
    cargo = unit("ENG/A1", "London", {"Archers": 3}, aboard="ENG/F1")
    played = checked(cogs("ENG/F1", 1, "London"), cargo, by=few_numbers())
    assert [(event.count, event.cause) for event in played.only(TroopsChanged)] == [(-1, "lost")]
    assert not played.only(CargoPutAshore)


@pytest.mark.clause("M7", "L8.2", "W5")
def test_troops_are_lost_where_there_is_no_number_for_their_army_aboard_another_fleet() -> None:
    cargo = unit("ENG/A1", SEA, {"Archers": 3}, aboard="ENG/F1")
    played = checked(cogs("ENG/F1", 1), cogs("ENG/F2", 1), cargo, by=few_numbers())
    assert [(event.count, event.cause) for event in played.only(TroopsChanged)] == [(-1, "lost")]
    assert not played.only(CargoMoved)


FOUR_COGS = {"Trading Cog": 4}


def fleet(place="Channel", *armies, realm="ENG", key="F1"):
    """A fleet of cogs with armies aboard."""
    ship = unit(f"{realm}/{key}", place, FOUR_COGS)
    return (ship, *(army.evolve(place=place, aboard=ship.key) for army in armies))


def army(key="ENG/A1", troops=None, **more):
    return unit(key, "Channel", troops or {"Men-at-Arms": 1}, **more)


def land(world, landings, realm="ENG", seed="test"):
    return run_steps(world, [armies_unloaded], {realm: plans(F1=[f"unload: {{{landings}}}"])}, seed=seed)


@pytest.mark.clause("O2", "M8", "P2")
def test_whose_permission_was_asked_is_named_when_an_ally_s_army_is_refused():
    """14.C21: not the fleet's realm asked, but the army's."""
    guest = unit("NOR/A1", "Channel", {"Heavy Infantry": 4}, aboard="ENG/F1")
    world = make_world(unit("ENG/F1", "Channel", {"Royal Galleon": 5}), guest, war=[("AQU", "ENG")])
    played = land(world, "NOR/A1: Bordeaux")
    (refused,) = played.only(OrderSettled)
    assert refused.reason == "guest-not-permitted"
    said = MedievalFormatter(world).reason(refused.reason, refused.figures)[1]
    assert said == "Bordeaux belongs to Aqu, who is at peace with Nor and has not let its armies in"


@pytest.mark.clause("M8", "W12")
def test_one_landing_in_four_of_chance_25_succeeds():
    outcomes = Counter()
    for seed in range(200):
        played = land(make_world(*fleet("Channel", army())), "A1: Flanders", seed=str(seed))
        outcomes[bool(played.only(LandingSucceeded))] += 1
    assert 30 <= outcomes[True] <= 72
