"""Where the armies of lost fleets go, what of them drowns, and who cannot flee any more (B9, B12, M6.1, P7)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.games.medieval.state import Unit
from gm.games.medieval.steps.battles import sea_battles_fought
from tests.medieval.testland import Played, make_world, unit
from tests.medieval.warfare import fought, sure_rules, troop

SEA = "Channel"


def wrecked(aboard: dict[str, int], *others: Unit, orders: Any = None) -> Played:
    """ENG/F1, with ENG/A1 aboard, takes the two hits of a battle that the other fleets win without a loss."""
    by = sure_rules()
    by = by.evolve(troops={**by.troops, "Horse": troop("Horse", 0, weight=2)})
    world = make_world(
        unit("ENG/F1", SEA, {"Hulk": 2}),
        unit("ENG/A1", SEA, aboard, aboard="ENG/F1", marines=False),
        unit("FRA/F1", SEA, {"Ship": 1}),
        *others,
        war=[("ENG", "FRA")],
    )
    return fought(world, sea_battles_fought, by=by, orders=orders)


def fleet(number: int, ships: int, kind: str = "Ship") -> Unit:
    """So many ships in the last rank, each with room for a weight of two."""
    return unit(f"ENG/F{number}", SEA, {kind: (0, 0, 0, 0, ships)})


@pytest.mark.clause("B12")
def test_where_no_fleet_has_room_for_all_the_one_with_most_takes_what_it_can() -> None:
    played = wrecked({"Target": 5}, fleet(2, 1), fleet(3, 2))
    army = played.unit("ENG/A1")
    assert (army.aboard, army.count("Target")) == ("ENG/F3", 4)


@pytest.mark.clause("B12", "M7")
def test_no_more_drown_than_have_no_room() -> None:
    played = wrecked({"Horse": 3}, fleet(2, 3), unit("ENG/A2", SEA, {"Target": 1}, aboard="ENG/F2", marines=False))
    assert (played.unit("ENG/A1").aboard, played.unit("ENG/A1").count("Horse")) == ("ENG/F2", 2)


@pytest.mark.clause("B12", "O6")
def test_the_plan_of_an_army_that_drowns_whole_is_over() -> None:
    full = unit("ENG/A2", SEA, {"Target": 2}, aboard="ENG/F2", marines=False)
    played = wrecked({"Target": 2}, fleet(2, 1), full, orders={"ENG": "units: {A1: {plan: [pillage]}}"})
    assert played.unit("ENG/A1").empty
    assert played.fate("ENG", "pillage") == ("failed", "lost-at-sea")


@pytest.mark.clause("M6.1", "P7")
def test_guests_put_ashore_have_landed_and_move_no_more() -> None:
    world = make_world(
        unit("ENG/F1", "London", {"Hulk": 1}),
        unit("FRA/A1", "London", {"Target": 2}, aboard="ENG/F1"),
        war=[("ENG", "FRA")],
    )
    played = fought(world, sea_battles_fought)
    done = played.world.done("FRA/A1")
    assert (played.unit("FRA/A1").aboard, done.spent, done.landed) == (None, True, True)


@pytest.mark.clause("M6.1", "O6")
def test_the_plan_of_guests_who_lost_against_their_host_is_over() -> None:
    world = make_world(
        unit("ENG/F1", SEA, {"Ship": 9}),
        unit("FRA/A1", SEA, {"Target": 2, "Ram": 1}, aboard="ENG/F1"),
        war=[("ENG", "FRA")],
    )
    played = fought(world, sea_battles_fought, orders={"FRA": "units: {A1: {plan: [pillage]}}"})
    assert played.unit("FRA/A1").empty
    assert played.fate("FRA", "pillage") == ("failed", "lost-as-mutineers")


@pytest.mark.clause("B9")
def test_a_follower_of_whom_all_are_marked_does_not_get_away() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 2}),
        unit("FRA/A1", "Reims", {"Target": (1, 5, 0, 0, 0)}, retreat_level=1),
        unit("FRA/A2", "Reims", {"Target": 1}, follow="A1"),
        war=[("ENG", "FRA")],
    )
    played = fought(world, by=sure_rules(), done={"FRA/A1": {"came_from": "Paris"}})
    assert [played.unit(f"FRA/A{number}").place for number in (1, 2)] == ["Paris", "Reims"]
    assert played.unit("FRA/A2").empty
