"""Battles at borders (M11)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.games.medieval.events.battle import BattleFought, UnitRetreated
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.battles import cross_border_battles_fought
from tests.medieval.testland import Played, make_world, play, unit
from tests.medieval.warfare import fought, outcome_of, report, sure_rules

WAR = [("ENG", "FRA")]


def marching(*units: Unit, came_from: dict[str, str], phase: int = 1, orders: Any = None, **more: Any) -> Played:
    """Units that already stand where they march to."""
    done = {key: {"came_from": place, "marched_phase": phase} for key, place in came_from.items()}
    world = make_world(*units, **{"war": WAR, **more})
    return fought(world, cross_border_battles_fought, done=done, orders=orders, phase=phase)


ENGLISH = unit("ENG/A1", "Reims", {"Striker": 5, "Heavy Infantry": 2})
FRENCH = unit("FRA/A1", "Flanders", {"Target": 3})
SWAP = {"ENG/A1": "Flanders", "FRA/A1": "Reims"}


@pytest.mark.clause("M11")
def test_armies_that_swap_places_fight_at_the_border_and_the_winner_arrives() -> None:
    played = marching(ENGLISH, FRENCH, came_from=SWAP)
    found = report(played)
    assert (found.kind, found.place, found.other_place) == ("border", "Flanders", "Reims")
    assert found.winners == ("ENG",)
    assert played.unit("ENG/A1").place == "Reims"
    assert played.only(BattleFought)[0].place == "Flanders - Reims"
    assert not any(mark.battle for mark in played.world.progress.provinces.values())


@pytest.mark.clause("M11", "P7")
def test_the_winner_marches_no_further_this_turn() -> None:
    orders = {"ENG": "units: {A1: {plan: [march: Flanders, march: Paris, pillage]}}"}
    played = marching(ENGLISH, FRENCH, came_from=SWAP, orders=orders)
    assert played.fate("ENG", "march: Flanders") == ("done", "")
    assert played.fate("ENG", "march: Paris") == ("failed", "fought-a-battle")
    assert len(played.fates("ENG")) == 2
    assert played.world.done("ENG/A1").spent


@pytest.mark.clause("M11")
def test_only_armies_on_that_border_in_that_phase_and_no_walls() -> None:
    played = marching(
        unit("ENG/A1", "Paris", {"Striker": 5}),
        unit("FRA/A1", "Flanders", {"Target": 3}),
        unit("FRA/A2", "Flanders", {"Target": 3}),
        unit("FRA/A3", "Flanders", {"Target": 3}),
        unit("FRA/G1", "Paris", {"Target": 3}),
        unit("ENG/A2", "Flanders", {"Striker": 5}),
        came_from={"ENG/A1": "Flanders", "FRA/A1": "Paris", "FRA/A2": "Reims"},
    )
    found = report(played)
    assert [each.unit for each in found.units] == ["ENG/A1", "FRA/A1"]
    assert found.fortification == 0
    before = make_world(ENGLISH, FRENCH, war=WAR)
    done = {key: {"came_from": place, "marched_phase": 1} for key, place in SWAP.items()}
    assert not fought(before, cross_border_battles_fought, done=done, phase=2).events


@pytest.mark.clause("M11", "B1")
def test_armies_not_at_war_pass_each_other_and_those_going_the_same_way_do_not_meet() -> None:
    assert not marching(ENGLISH, FRENCH, came_from=SWAP, war=[]).events
    together = {"ENG/A1": "Flanders", "FRA/A1": "Flanders"}
    assert not marching(ENGLISH, unit("FRA/A1", "Reims", {"Target": 1}), came_from=together).events


@pytest.mark.clause("M11", "B9.1")
def test_a_retreater_stays_where_it_had_marched_from() -> None:
    orders = {"FRA": "units: {A1: {plan: [pillage]}}"}
    played = marching(
        ENGLISH,
        unit("FRA/A1", "Flanders", {"Target": (0, 9, 0, 0, 0)}, retreat_level=1),
        came_from=SWAP,
        orders=orders,
    )
    assert played.unit("FRA/A1").place == "Reims"
    assert played.unit("ENG/A1").place == "Reims"
    done = played.world.done("FRA/A1")
    assert (done.spent, done.retreated, done.came_from, done.marched_phase) == (True, True, None, 0)
    assert played.fate("FRA", "pillage") == ("failed", "retreated-from-battle")
    assert [(each.place, each.to) for each in played.only(UnitRetreated)] == [("Flanders - Reims", "Reims")]


@pytest.mark.clause("M11", "B10")
def test_after_a_drawn_battle_both_are_back_where_they_started() -> None:
    world = make_world(unit("ENG/A1", "Reims", {"Target": 2}), unit("FRA/A1", "Flanders", {"Target": 2}), war=WAR)
    done = {key: {"came_from": place, "marched_phase": 1} for key, place in SWAP.items()}
    played = fought(world, cross_border_battles_fought, done=done, by=sure_rules(round_limit=3))
    assert report(played).result == "drawn"
    assert (played.unit("ENG/A1").place, played.unit("FRA/A1").place) == ("Flanders", "Reims")


@pytest.mark.clause("M11")
def test_the_dead_are_counted_where_they_marched_from() -> None:
    played = marching(ENGLISH, FRENCH, came_from=SWAP)
    assert outcome_of(report(played), "FRA/A1") == "destroyed"
    assert played.unit("FRA/A1").place == "Reims"


@pytest.mark.clause("M11", "M12")
def test_a_retreater_is_attacked_again_in_the_province_where_it_stayed() -> None:
    world = make_world(
        unit("ENG/A1", "Flanders", {"French Knights": 20}),
        unit("FRA/A1", "Reims", {"Heavy Infantry": (0, 30, 0, 0, 0)}, retreat_level=1),
        war=WAR,
        owners={"Flanders": "ENG"},
    )
    orders = {
        "ENG": "units: {A1: {plan: [march: Reims]}}",
        "FRA": "units: {A1: {plan: [march: Flanders]}}",
    }
    played = play(world, orders)
    battles = [(each.report.kind, each.place) for each in played.only(BattleFought)]
    assert battles == [("border", "Flanders - Reims"), ("land", "Reims")]
