"""Forming, naming, arranging and dismissing units (F5-F7, F9, F10)."""

import pytest

from gm.core.pipeline import Step
from gm.games.medieval.orders.model import FormUnit, Order, Orders, SetRanks, Written
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.turn import Outcome, Turn
from gm.games.medieval.steps.units import (
    new_armies_formed,
    new_fleets_formed,
    reassigned,
    troops_reassigned_to_ranks,
    why_not_rank,
)
from tests.medieval.testland import Played, make_world, rules, run_steps, unit


@pytest.mark.clause("F9", "W6")
@pytest.mark.parametrize(
    ("have", "ranks", "after", "too_many"),
    [
        ((6, 0, 0, 0, 0), {4: 4}, (2, 0, 0, 4, 0), 0),
        ((6, 0, 0, 0, 0), {1: 1, 5: 5}, (1, 0, 0, 0, 5), 0),
        ((0, 0, 0, 6, 0), {1: 2}, (2, 0, 0, 4, 0), 0),
        ((2, 0, 3, 1, 0), {3: 1, 4: 2}, (1, 0, 3, 2, 0), 0),
        ((4, 0, 0, 0, 0), {1: 2, 3: 2, 5: 3}, (2, 0, 2, 0, 0), 3),
        ((4, 0, 0, 0, 0), {2: 9}, (0, 4, 0, 0, 0), 5),
    ],
)
def test_named_troops_change_rank_and_the_others_stay(have, ranks, after, too_many):
    assert reassigned(have, ranks) == (after, too_many)


HERE = Written(1, 1, "order")
FORM = [new_armies_formed, new_fleets_formed]


def given(*orders: Order, steps: list[Step], units: tuple[Unit, ...] = ()) -> Played:
    """England's orders, also those that the reader of files would not let pass."""
    world = make_world(*units, provinces={"Kent": {"fortification": 1, "harbour": True}})
    return run_steps(world, steps, {"ENG": Orders("ENG", 1, units=orders)}, phase=0)


def ends(played: Played) -> list[tuple[str, str]]:
    return [(fate, reason) for _, fate, reason in played.fates("ENG")]


@pytest.mark.clause("F6", "W5")
def test_the_garrison_of_a_fort_with_a_harbour_forms_no_fleet_without_a_city() -> None:
    played = given(FormUnit(HERE, "Kent", "F7", ""), steps=FORM, units=(unit("ENG/G2", "Kent"),))
    assert ends(played) == [("failed", "fleet-needs-city-harbour")]


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
    refusal = why_not_rank(army, SetRanks(HERE, "A1", "Archers", counts), rules())
    assert refusal is not None
    assert (refusal.reason, refusal.figures["limit"]) == ("rank-out-of-range", 5)
    played = given(SetRanks(HERE, "A1", "Archers", counts), steps=[troops_reassigned_to_ranks], units=(army,))
    assert played.world.units == played.before.units
