"""Phases, and what the turn remembers of plans and units (M0, M15, O2, O5, W6.1)."""

from __future__ import annotations

import pytest

from gm.core.events import PhaseLimitReached
from gm.core.pipeline import Step, run_stages
from gm.games.medieval.orders.model import Hold, March, Unload
from gm.games.medieval.pipeline import MOVEMENT
from gm.games.medieval.steps.bookkeeping import movement_ends, phase_opens
from gm.games.medieval.steps.turn import Outcome
from tests.medieval.movement import move, plans, sheet_of, written
from tests.medieval.testland import make_turn, make_world, run_steps, unit

FOOT = {"Men-at-Arms": 3}


@pytest.mark.clause("M0", "M15")
def test_phases_go_on_until_nobody_has_anything_left_and_then_one_extra_runs():
    world = make_world(unit("ENG/A1", "London", {"Heavy Cavalry": 1}))
    for orders, expected in ((plans(A1=["hold", "march: Kent"]), 3), (plans(A1=["hold"]), 2), ("", 2)):
        ran = []
        turn = make_turn(world, {"ENG": orders} if orders else {})
        run_stages((MOVEMENT,), turn, lambda stage, phase, title, ran=ran: ran.append(phase))
        assert max(ran) == expected
    assert MOVEMENT.extra == 1


@pytest.mark.clause("M0")
def test_the_hard_limit_ends_the_phases_and_the_gm_is_told():
    order = [Hold(written(str(line), line)) for line in range(1, 60)]
    world = make_world(unit("ENG/A1", "London"))

    # stands in for a bug: what was dealt with comes up again in every phase
    def forget(turn):
        return Outcome(turn.state.evolve(progress=turn.state.progress.evolve(settled={})))

    stage = MOVEMENT.evolve(steps=(*MOVEMENT.steps, Step("forget", (), forget)))
    turn = make_turn(world, {"ENG": sheet_of("ENG", A1=order)})
    outcome = run_stages((stage,), turn)
    (told,) = [event for event in outcome.events if isinstance(event, PhaseLimitReached)]
    assert (told.limit, told.audience) == (40, "gm")


@pytest.mark.clause("O2", "O5", "P7")
def test_a_plan_ends_with_its_unit():
    world = make_world(unit("ENG/A1", "Kent", FOOT))

    def vanish(turn):
        return Outcome(turn.state.with_units(removed=["ENG/A1"]))

    steps = [Step("vanish", (), vanish), phase_opens, movement_ends]
    played = run_steps(world, steps, {"ENG": plans(A1=["march: London", "pillage"])})
    assert played.fates("ENG") == [
        ("A1 march: London", "failed", "unit-gone"),
        ("A1 pillage", "failed", "unit-gone"),
    ]


@pytest.mark.clause("O2", "O8")
def test_orders_to_a_unit_that_never_was_fail_once():
    played = move(make_world(), {"ENG": sheet_of("ENG", A44=[March(written("x"), "Kent")])})
    assert played.fates("ENG") == [("x", "failed", "no-such-unit")]


@pytest.mark.clause("O6", "O6.1")
def test_a_fleet_holds_before_an_impossible_march_behind_it_fails():
    world = make_world(unit("ENG/F1", "London", {"Trading Cog": 2}), unit("ENG/A1", "London", FOOT, aboard="ENG/F1"))
    entries = [
        Unload(written("unload", 1), {"A1": "London"}),
        Hold(written("hold", 2)),
        March(written("march", 3), "Kent"),
    ]
    played = move(world, {"ENG": sheet_of("ENG", F1=entries)})
    assert played.fates("ENG") == [
        ("unload", "done", ""),
        ("hold", "done", ""),
        ("march", "failed", "only-armies-march"),
    ]
