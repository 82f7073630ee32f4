"""Armies go ashore: landings, amphibious rolls, and how often a fleet may (M8, M8.1, P7)."""

from __future__ import annotations

from collections import Counter

import pytest

from gm.core.values import FrozenMap
from gm.games.medieval.events.movement import ArmyUnloaded, LandingFailed, LandingSucceeded
from gm.games.medieval.orders.model import Unload
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.steps.loading import armies_unloaded
from gm.games.medieval.steps.turn import OrderSettled
from tests.medieval.movement import done, left, move, plans, sheet_of, written
from tests.medieval.testland import commander, make_world, run_steps, unit

COGS = {"Trading Cog": 4}


def fleet(place="Channel", *armies, realm="ENG", key="F1"):
    """A fleet of cogs with armies aboard."""
    ship = unit(f"{realm}/{key}", place, COGS)
    return (ship, *(each.evolve(place=place, aboard=ship.key) for each in armies))


def army(key="ENG/A1", troops=None, **more):
    return unit(key, "Channel", troops or {"Men-at-Arms": 1}, **more)


def land(world, landings, realm="ENG", seed="test"):
    return run_steps(world, [armies_unloaded], {realm: plans(F1=[f"unload: {{{landings}}}"])}, seed=seed)


@pytest.mark.clause("M8", "P7")
def test_with_permission_an_army_lands_and_both_have_no_move_points_left():
    played = land(make_world(*fleet("Channel", army())), "A1: Kent")
    assert (played.unit("ENG/A1").place, played.unit("ENG/A1").aboard) == ("Kent", None)
    assert (left(played, "ENG/A1"), left(played, "ENG/F1")) == (0, 0)
    assert done(played, "ENG/A1").landed
    assert done(played, "ENG/A1").landed_phase == 0
    assert (done(played, "ENG/A1").came_from, done(played, "ENG/A1").marched_phase) == (None, 0)
    assert [event.invasion for event in played.only(ArmyUnloaded)] == [False]


@pytest.mark.clause("M8", "W3")
def test_a_docked_fleet_unloads_where_it_is_and_no_fleet_over_reefs():
    docked = make_world(*fleet("London", army()))
    ashore = land(docked, "A1: London")
    assert (ashore.unit("ENG/A1").place, ashore.unit("ENG/A1").aboard) == ("London", None)
    assert land(docked, "A1: Kent").fate("ENG", "unload") == ("failed", "docked-elsewhere")
    off_flanders = make_world(*fleet("North Sea", army()), owners={"Flanders": "ENG"})
    assert land(off_flanders, "A1: Flanders").fate("ENG", "unload") == ("failed", "reefs")
    assert land(off_flanders, "A1: Bordeaux").fate("ENG", "unload") == ("failed", "no-border")


@pytest.mark.clause("M8", "P2")
def test_land_that_is_neither_permitted_nor_enemy_is_refused():
    played = land(make_world(*fleet("Channel", army())), "A1: Bordeaux")
    assert played.fate("ENG", "unload") == ("failed", "no-permission-to-enter")
    assert played.unit("ENG/A1").aboard == "ENG/F1"


@pytest.mark.clause("M8", "X1")
def test_the_chance_of_an_invasion_is_the_soldiers_total_combat():
    def chance(troops, **more):
        played = land(make_world(*fleet("Channel", army(troops=troops, **more))), "A1: Flanders")
        (rolled,) = [*played.only(LandingSucceeded), *played.only(LandingFailed)]
        return rolled.chance

    assert chance({"Crossbowmen": 1}) == 48
    assert chance({"Men-at-Arms": 2}) == 50
    assert chance({"Heavy Cavalry": 1}, commanders=[commander()]) == 70
    assert chance({"Men-at-Arms": 5}) == 100


@pytest.mark.clause("M8")
def test_a_failed_landing_costs_nothing_but_the_entry():
    world = make_world(*fleet("Channel", army(troops={"Siege Machine": 1})))
    played = land(world, "A1: Flanders", seed="1")
    assert [event.chance for event in played.only(LandingFailed)] == [5]
    assert played.fate("ENG", "unload") == ("failed", "landing-failed")
    assert played.world.units == world.units
    assert (left(played, "ENG/F1"), done(played, "ENG/F1").unloads) == (2, 0)


@pytest.mark.clause("M8", "B5.2")
def test_an_invasion_is_remembered_for_the_phase_of_landing():
    played = land(make_world(*fleet("Channel", army(troops={"Men-at-Arms": 4}))), "A1: Flanders")
    assert done(played, "ENG/A1").landed_phase == 1
    assert [event.invasion for event in played.only(ArmyUnloaded)] == [True]


@pytest.mark.clause("M8")
def test_all_that_a_realm_lands_in_one_province_shares_one_roll_and_allies_roll_apart():
    world = make_world(
        *fleet("Channel", army(), army("ENG/A2", {"Crossbowmen": 1}), army("AQU/A1", {"Heavy Infantry": 1})),
        *fleet("Channel", army("ENG/A3", {"Militia": 1}), key="F2"),
        allied=[("AQU", "ENG")],
    )
    orders = plans(F1=["unload: {A1: Flanders, A2: Flanders, AQU/A1: Flanders}"], F2=["unload: {A3: Flanders}"])
    played = run_steps(world, [armies_unloaded], {"ENG": orders})
    rolls = [*played.only(LandingSucceeded), *played.only(LandingFailed)]
    assert sorted((event.realm, event.chance) for event in rolls) == [("AQU", 34), ("ENG", 25 + 48 + 21)]


@pytest.mark.clause("M8", "W12")
def test_landings_are_rolled_for_in_the_order_of_the_map_and_then_of_realms():
    world = make_world(
        *fleet("Channel", army("ENG/A1"), army("ENG/A2"), army("AQU/A1"), army("DEN/A1")),
        owners={"Bordeaux": "FRA", "Kent": "FRA"},
        war=[("ENG", "FRA")],
    )
    played = land(world, "DEN/A1: Flanders, A1: Bordeaux, A2: Flanders, AQU/A1: Flanders")
    rolls = [event for event in played.events if isinstance(event, LandingSucceeded | LandingFailed)]
    assert [(event.realm, event.place) for event in rolls] == [
        ("AQU", "Flanders"),
        ("DEN", "Flanders"),
        ("ENG", "Flanders"),
        ("ENG", "Bordeaux"),
    ]


@pytest.mark.clause("M8", "O2")
def test_of_an_army_named_twice_the_second_name_fails_for_its_own_reason():
    world = make_world(*fleet("Channel", army()))
    order = Unload(written("twice"), FrozenMap({"A1": "Kent", "ENG/A1": "North Sea"}))
    played = run_steps(world, [armies_unloaded], {"ENG": sheet_of("ENG", F1=[order])})
    assert played.fates("ENG") == [("twice", "reduced", "unload-into-sea")]


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


@pytest.mark.clause("M8", "O2")
def test_an_entry_of_which_a_part_got_ashore_is_reduced():
    world = make_world(*fleet("Channel", army(), army("ENG/A2")))
    played = land(world, "A1: Kent, A2: Bordeaux")
    assert played.fate("ENG", "unload") == ("reduced", "no-permission-to-enter")
    assert (played.unit("ENG/A1").aboard, played.unit("ENG/A2").aboard) == (None, "ENG/F1")


@pytest.mark.clause("M8.1")
def test_all_unloads_of_one_step_count_as_one():
    world = make_world(*fleet("Channel", army(), army("ENG/A2")))
    played = move(world, {"ENG": plans(F1=["unload: {A1: Kent}", "unload: {A2: London}"])})
    assert (played.unit("ENG/A1").place, played.unit("ENG/A2").place) == ("Kent", "London")
    assert done(played, "ENG/F1").unloads == 1


@pytest.mark.clause("M8.1", "M3")
def test_after_an_unload_a_fleet_loads_and_unloads_once_more_and_no_further():
    world = make_world(
        *fleet("Channel", army()),
        unit("ENG/A2", "Kent", {"Men-at-Arms": 1}),
        unit("ENG/A3", "Kent", {"Men-at-Arms": 1}),
    )
    entries = ["unload: {A1: Kent}", "load: [A2]", "unload: {A2: London}", "load: [A3]", "unload: {A2: London}"]
    played = move(world, {"ENG": plans(F1=entries)})
    assert [fate for _, fate, _ in played.fates("ENG")] == ["done", "done", "done", "failed", "failed"]
    assert played.fates("ENG")[3][2] == "loaded-after-unloading"
    assert (played.unit("ENG/A2").place, played.unit("ENG/A3").place) == ("London", "Kent")


@pytest.mark.clause("M8.1")
def test_a_third_unload_is_refused_even_with_armies_left_aboard():
    world = make_world(*fleet("Channel", army(), army("ENG/A2"), army("ENG/A3")))
    entries = ["unload: {A1: Kent}", "hold", "unload: {A2: Kent}", "load: [A1]", "unload: {A3: Kent}"]
    played = move(world, {"ENG": plans(F1=entries)})
    assert played.fates("ENG")[2][1] == "done"
    assert played.fates("ENG")[-1][1:] == ("failed", "unloaded-enough")


@pytest.mark.clause("O5", "M3", "M4", "M8")
def test_a_fleet_loads_sails_and_unloads_in_one_phase():
    world = make_world(unit("ENG/F1", "London", COGS), unit("ENG/A1", "London", {"Men-at-Arms": 3}))
    played = move(world, {"ENG": plans(F1=["load: [A1]", "sail: Channel", "unload: {A1: Kent}"])})
    assert [event.phase for event in played.only(ArmyUnloaded)] == [1]


@pytest.mark.clause("M3", "P7")
def test_the_armys_other_entries_are_tried_after_the_landing():
    world = make_world(*fleet("Channel", army(troops={"Men-at-Arms": 3})))
    orders = plans(F1=["unload: {A1: Kent}"], A1=["pillage", "march: London"])
    played = move(world, {"ENG": orders})
    assert played.fate("ENG", "pillage") == ("done", "")
    assert played.fate("ENG", "march") == ("failed", "needs-move-points")


@pytest.mark.clause("M8")
def test_only_fleets_unload_and_only_what_is_aboard_and_each_army_once():
    world = make_world(*fleet("Channel", army()), unit("ENG/A2", "Kent", {"Militia": 1}))
    orders = sheet_of(
        "ENG",
        A2=[Unload(written("army", 1), FrozenMap({"A1": "Kent"}))],
        F1=[
            Unload(written("ashore", 2), FrozenMap({"A2": "Kent"})),
            Unload(written("sea", 3), FrozenMap({"A1": "North Sea"})),
            Unload(written("good", 4), FrozenMap({"A1": "Kent"})),
            Unload(written("again", 5), FrozenMap({"A1": "London"})),
        ],
    )
    assert sorted(run_steps(world, [armies_unloaded], {"ENG": orders}).fates("ENG")) == [
        ("again", "failed", "army-unloaded-twice"),
        ("army", "failed", "only-fleets-unload"),
        ("ashore", "failed", "army-not-aboard"),
        ("good", "done", ""),
        ("sea", "failed", "unload-into-sea"),
    ]
