"""Which numbers a new unit may have, and small orders to units that are carried out whole or not (F5, F6, F9, F10)."""

from __future__ import annotations

import pytest

from gm.core.pipeline import Step
from gm.core.values import FrozenMap
from gm.games.medieval.orders.model import Disband, FormUnit, Order, Orders, SetRanks, Written
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.turn import Outcome, Turn
from gm.games.medieval.steps.units import (
    new_armies_formed,
    new_fleets_formed,
    troops_disbanded,
    troops_reassigned_to_ranks,
    why_not_rank,
)
from tests.medieval.testland import Played, make_world, rules, run_steps, unit

HERE = Written(1, 1, "order")
FORM = [new_armies_formed, new_fleets_formed]


def given(*orders: Order, steps: list[Step], units: tuple[Unit, ...] = ()) -> Played:
    """England's orders, also those that the reader of files would not let pass."""
    world = make_world(*units, provinces={"Kent": {"fortification": 1, "harbour": True}})
    return run_steps(world, steps, {"ENG": Orders("ENG", 1, units=orders)}, phase=0)


def ends(played: Played) -> list[tuple[str, str]]:
    return [(fate, reason) for _, fate, reason in played.fates("ENG")]


@pytest.mark.clause("F5", "F6", "W5")
@pytest.mark.parametrize("new_id", ["A0", "A100", "F100", "A", "", "X3", "G3", "A²", "A1x", "A-1"])
def test_there_are_units_from_1_to_the_limit_and_no_others(new_id: str) -> None:
    played = given(FormUnit(HERE, "London", new_id, ""), steps=FORM)
    assert ends(played) == [("failed", "number-out-of-range")]
    assert played.world.units == played.before.units


@pytest.mark.clause("F5", "F6", "W5")
@pytest.mark.parametrize("new_id", ["A1", "A99", "F99"])
def test_the_limit_itself_is_a_number_and_a_unit_needs_no_name(new_id: str) -> None:
    played = given(FormUnit(HERE, "London", new_id, ""), steps=FORM)
    assert ends(played) == [("done", "")]
    assert played.unit(f"ENG/{new_id}").name is None


@pytest.mark.clause("F6", "W5")
def test_the_garrison_of_a_fort_with_a_harbour_forms_no_fleet_without_a_city() -> None:
    played = given(FormUnit(HERE, "Kent", "F7", ""), steps=FORM, units=(unit("ENG/G2", "Kent"),))
    assert ends(played) == [("failed", "fleet-needs-city-harbour")]


@pytest.mark.clause("F5", "W5")
def test_two_units_cannot_form_the_same_one() -> None:
    both = (FormUnit(HERE, "London", "A5", ""), FormUnit(HERE, "A1", "A5", ""))
    played = given(*both, steps=FORM, units=(unit("ENG/A1", "Kent", {"Archers": 1}),))
    assert ends(played) == [("done", ""), ("failed", "number-taken")]
    assert played.unit("ENG/A5").place == "London"


@pytest.mark.clause("W5", "W6.1")
def test_the_number_of_a_unit_formed_this_turn_stays_taken_when_it_is_gone() -> None:
    def vanish(turn: Turn) -> Outcome:
        return Outcome(turn.state.with_units(removed=["ENG/A5"]))

    steps = [new_armies_formed, Step("vanish", (), vanish), new_armies_formed]
    played = given(FormUnit(HERE, "London", "A5", ""), steps=steps)
    assert ends(played) == [("done", ""), ("failed", "number-taken")]


@pytest.mark.clause("F9")
@pytest.mark.parametrize("counts", [{0: 1}, {6: 1}, {1: -1}, {1: 1, 6: 1}])
def test_a_rank_that_is_none_and_a_count_below_zero_are_refused(counts: dict[int, int]) -> None:
    army = unit("ENG/A1", "London", {"Archers": 2})
    refusal = why_not_rank(army, SetRanks(HERE, "A1", "Archers", FrozenMap(counts)), rules())
    assert refusal is not None
    assert (refusal.reason, refusal.figures["limit"]) == ("rank-out-of-range", 5)
    played = given(
        SetRanks(HERE, "A1", "Archers", FrozenMap(counts)), steps=[troops_reassigned_to_ranks], units=(army,)
    )
    assert played.world.units == played.before.units


@pytest.mark.clause("F10")
def test_all_that_there_are_can_be_disbanded_and_nothing_of_a_unit_that_is_not_there() -> None:
    orders = (Disband(HERE, "A1", "Archers", 2), Disband(HERE, "A77", "Archers", 2))
    played = given(*orders, steps=[troops_disbanded], units=(unit("ENG/A1", "London", {"Archers": 2}),))
    assert ends(played) == [("done", ""), ("failed", "unit-not-yours")]
    assert played.unit("ENG/A1").empty
