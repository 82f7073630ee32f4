"""Provinces change hands (M13, M13.1), garrisons are made and turned out (W5, L8.2, L12), and who is told."""

from collections import Counter
from decimal import Decimal

import pytest

from gm.games.medieval.events import TroopsChanged
from gm.games.medieval.events.movement import (
    GarrisonShipsCaptured,
    GarrisonShipsScuttled,
    GarrisonTurnedOut,
    HarbourDestroyed,
)
from gm.games.medieval.state import INDEPENDENTS
from gm.games.medieval.state.strength import total_combat
from gm.games.medieval.steps.conquest import hand_over, province_ownership_changes, why_not_pillage
from gm.games.medieval.steps.turn import Workspace
from gm.games.medieval.steps.units import settle_garrison, turn_out
from tests.medieval.testland import commander, make_turn, make_world, rules, run_steps, unit

FOOT = {"Men-at-Arms": 3}


def conquest(*units, seed="test", **more):
    return run_steps(make_world(*units, **more), [province_ownership_changes], seed=seed)


def owner(played, place):
    return played.world.provinces[place].owner


@pytest.mark.clause("M13")
def test_the_largest_invader_takes_it_all_his_armies_together_and_too_weak_a_one_leaves_it_to_nobody():
    war = [("ENG", "FRA"), ("DEN", "FRA")]
    played = conquest(
        unit("ENG/A1", "Reims", {"Militia": 2}),
        unit("ENG/A2", "Reims", {"Militia": 1}, commanders=[commander()]),
        unit("DEN/A1", "Reims", {"Heavy Cavalry": 3}),
        war=war,
    )
    assert owner(played, "Reims") == "ENG"
    machines = unit("DEN/A1", "Reims", {"Siege Machine": 1})
    alone = make_turn(make_world(unit("ENG/A1", "Reims", {"Militia": 3}), war=war)).at_step("conquest", 1)
    assert province_ownership_changes(alone).state.provinces["Reims"].owner == "ENG"
    assert not list(alone.dice.rolled())
    few = rules_with_conquest(300)
    assert few(unit("ENG/A1", "Reims", {"Militia": 2}), machines, war=war) == "FRA"


def rules_with_conquest(combat):
    """Conquest under other rules data: the total combat needed is data."""
    from msgspec.structs import replace

    def played(*units, **more):
        turn = make_turn(make_world(*units, **more))
        changed = rules().evolve(movement=rules().movement.evolve(conquest_combat=combat))
        after = province_ownership_changes(replace(turn, rules=changed).at_step("x", 1)).state
        return after.provinces["Reims"].owner

    return played


@pytest.mark.clause("M13")
def test_equal_numbers_go_by_total_combat_and_then_by_a_draw():
    war = [("ENG", "FRA"), ("DEN", "FRA")]
    stronger = conquest(
        unit("ENG/A1", "Reims", {"Militia": 2}), unit("DEN/A1", "Reims", {"Heavy Infantry": 2}), war=war
    )
    assert owner(stronger, "Reims") == "DEN"
    owners = Counter()
    for seed in range(40):
        drawn = conquest(
            unit("ENG/A1", "Reims", {"Militia": 2}),
            unit("DEN/A1", "Reims", {"Militia": 2}),
            war=war,
            seed=str(seed),
        )
        owners[owner(drawn, "Reims")] += 1
    assert set(owners) == {"ENG", "DEN"}
    assert min(owners.values()) >= 8


@pytest.mark.clause("M13.1")
def test_the_harbour_is_destroyed_one_time_in_ten():
    destroyed = 0
    for seed in range(300):
        played = conquest(unit("ENG/A1", "Bordeaux", FOOT), war=[("AQU", "ENG")], seed=str(seed))
        assert bool(played.only(HarbourDestroyed)) is not played.world.provinces["Bordeaux"].harbour
        destroyed += bool(played.only(HarbourDestroyed))
    assert 15 <= destroyed <= 48


@pytest.mark.clause("M13.1")
def test_a_garrisons_ships_are_scuttled_or_captured_into_the_new_garrison():
    ships = {"Trading Cog": 20, "Carrack": 20}
    played = conquest(
        unit("AQU/G1", "Bordeaux", ships), unit("ENG/A1", "Bordeaux", FOOT), war=[("AQU", "ENG")], seed="3"
    )
    assert played.world.provinces["Bordeaux"].harbour
    (won,), (lost,) = played.only(GarrisonShipsCaptured), played.only(GarrisonShipsScuttled)
    assert {name: won.troops.get(name, 0) + lost.troops.get(name, 0) for name in ships} == ships
    garrison = played.world.garrison("Bordeaux")
    assert {name: garrison.count(name) for name in won.troops} == won.troops
    assert won.unit == garrison.key
    assert 0 < won.troops.get("Carrack", 0) < won.troops["Trading Cog"] < 15
    books = Counter()
    for event in played.only(TroopsChanged):
        books[event.realm] += event.count
    assert books == {"AQU": -40, "ENG": sum(won.troops.values())}


def changed(world, change, *arguments, **more):
    """The world after a change that steps make, and its events."""
    work = Workspace(make_turn(world))
    change(work, *arguments, **more)
    return work.finish(), work.events


@pytest.mark.clause("W5", "L8.2")
def test_every_province_with_city_or_fortification_has_exactly_one_garrison():
    world = make_world(provinces={"Kent": {"fortification": 0}})
    fort = world.with_provinces(world.provinces["Kent"].evolve(fortification=1))
    made, _ = changed(fort, settle_garrison, "Kent")
    assert (made.garrison("Kent").key, made.garrison("Kent").empty) == ("ENG/G2", True)
    assert changed(made, settle_garrison, "Kent")[0] == made
    gone = made.with_provinces(made.provinces["Kent"].evolve(fortification=0))
    assert changed(gone, settle_garrison, "Kent")[0].garrison("Kent") is None
    manned = gone.with_units([made.garrison("Kent").add("Militia", (1, 0, 0, 0, 0))])
    with pytest.raises(ValueError, match=r"^the garrison ENG/G2 at Kent is not empty$"):
        changed(manned, settle_garrison, "Kent")
    with pytest.raises(ValueError, match=r"^ENG cannot pay 100\.01 for upkeep$"):
        changed(manned, Workspace.pay, "ENG", Decimal("-100.01"), "upkeep")


@pytest.mark.clause("L8.2")
def test_what_is_turned_out_of_a_garrison_forms_a_new_army_and_a_new_fleet():
    knight = commander()
    inside = {"Men-at-Arms": (1, 0, 2, 0, 0), "Carrack": 2}
    world = make_world(
        unit("ENG/G1", "London", inside, commanders=[knight], leader="Sir John"), unit("ENG/A1", "Kent", FOOT)
    )
    after, events = changed(world, turn_out, world.units["ENG/G1"])
    assert (after.units["ENG/A2"].troops, after.units["ENG/A2"].place) == (
        {"Men-at-Arms": (1, 0, 2, 0, 0)},
        "London",
    )
    assert (after.units["ENG/A2"].commanders, after.units["ENG/A2"].leader) == ((knight,), "Sir John")
    assert after.units["ENG/F1"].troops == {"Carrack": (2, 0, 0, 0, 0)}
    assert after.units["ENG/G1"].empty
    assert [event.unit for event in events if isinstance(event, GarrisonTurnedOut)] == ["ENG/A2", "ENG/F1"]
    ships, _ = changed(world, turn_out, world.units["ENG/G1"], soldiers=False)
    assert ships.units["ENG/G1"].troops == {"Men-at-Arms": (1, 0, 2, 0, 0)}


@pytest.mark.clause("L12", "W5")
def test_a_gift_changes_only_the_owner_and_turns_the_garrison_out():
    world = make_world(
        unit("ENG/G1", "London", {"Longbowmen": 2, "Carrack": 1}),
        provinces={"London": {"permissions": {"DEN"}}},
    )
    after, events = changed(world, hand_over, "London", "AQU")
    london = after.provinces["London"]
    assert (london.owner, london.annexed_to, london.fortification, london.harbour) == ("AQU", "ENG", 2, True)
    assert london.permissions == frozenset()
    assert (after.garrison("London").realm, after.garrison("London").empty) == ("AQU", True)
    assert after.units["ENG/A1"].count("Longbowmen") == 2
    assert after.units["ENG/F1"].count("Carrack") == 1
    assert "ENG/G1" not in after.units
    assert len(events) == 2


@pytest.mark.clause("L12", "W7")
def test_a_ceded_province_is_independent_and_has_no_troops():
    after, _ = changed(make_world(), hand_over, "London", INDEPENDENTS)
    assert after.provinces["London"].owner == INDEPENDENTS
    assert after.garrison("London").realm == INDEPENDENTS
    assert after.garrison("London").empty


@pytest.mark.clause("M14")
def test_the_combat_that_pillage_needs_is_enough_and_nobody_aboard_pillages() -> None:
    army = unit("ENG/A1", "Kent", FOOT)
    needs = total_combat(army, rules())
    for more, reason in ((0, None), (1, "too-weak-to-pillage")):
        by = rules().evolve(movement=rules().movement.evolve(pillage_combat=needs + more))
        refusal = why_not_pillage(make_world(army), by, army, already=False)
        assert (refusal.reason if refusal else None) == reason
    aboard = army.evolve(aboard="ENG/F1")
    refusal = why_not_pillage(make_world(army), rules(), aboard, already=False)
    assert refusal is not None
    assert refusal.reason == "aboard-fleet"
