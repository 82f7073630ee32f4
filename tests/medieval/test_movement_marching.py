"""Armies march: borders, permission, move-points, holds (M9, P1-P5, P9, W3)."""

from __future__ import annotations

import pytest

from gm.games.medieval.state.strength import pace
from gm.games.medieval.steps.movement import armies_march, defend_fortifications_changed, why_not_march
from gm.games.medieval.steps.turn import Refusal
from gm.games.medieval.steps.workspace import Workspace
from tests.medieval.marks import retreated
from tests.medieval.movement import move, plans
from tests.medieval.testland import commander, make_turn, make_world, rules, run_steps, unit

FOOT = {"Men-at-Arms": 3}
HORSE = {"Heavy Cavalry": 3}


def marched(world, province, key="ENG/A1", before=()):
    """One march in phase 1, alone: where the army is then, and why it failed if it did."""
    realm, unit_id = key.split("/")
    played = run_steps(world, [*before, armies_march], {realm: plans(**{unit_id: [f"march: {province}"]})})
    return played, played.fate(realm, "march")[1]


@pytest.mark.clause("P3")
def test_move_points_are_the_least_of_the_troops_and_two_for_commanders_alone():
    led = [commander()]
    assert pace(unit("ENG/A1", "Kent", {**FOOT, **HORSE}), rules()) == 2
    assert pace(unit("ENG/A1", "Kent", HORSE, commanders=led), rules()) == 3
    assert pace(unit("ENG/A1", "Kent", commanders=led), rules()) == rules().movement.commanders_move_points == 2
    assert pace(unit("ENG/A1", "Kent"), rules()) == 0


@pytest.mark.clause("W3", "M9")
def test_mountains_block_a_march_and_there_is_none_into_a_sea_or_past_the_border():
    world = make_world(unit("AQU/A1", "Bordeaux", HORSE))
    assert marched(world, "Savoy", "AQU/A1")[1] == "mountains"
    assert marched(world, "Minsk", "AQU/A1")[1] == "no-border"
    refusal = why_not_march(Workspace(make_turn(world)), world.units["AQU/A1"], "Channel")
    assert refusal == Refusal("no-border", {"place": "Bordeaux", "other": "Channel"})


@pytest.mark.clause("M9", "P7")
def test_an_army_that_retreated_this_turn_does_not_march():
    world = make_world(unit("ENG/A1", "London", FOOT))
    played = move(world, {"ENG": plans(A1=["march: Kent"])}, before=[retreated("ENG/A1")])
    assert played.unit("ENG/A1").place == "London"
    assert played.fate("ENG", "march") == ("failed", "unit-retreated")


@pytest.mark.clause("M10", "W5")
def test_garrisons_have_no_choice_about_the_walls():
    from gm.games.medieval.orders.model import Orders, SetDefendFortifications, Written

    order = SetDefendFortifications(Written(1, 1, "G1 defend_fortifications: no"), "G1", False)
    sheet = Orders(realm="ENG", turn=1, units=(order,))
    played = run_steps(make_world(), [defend_fortifications_changed], {"ENG": sheet})
    assert played.fates("ENG") == [("G1 defend_fortifications: no", "failed", "only-armies-choose-walls")]
