"""Whose plan has something to do: what may wait, what goes on in another phase, what ends with its unit (M0, O6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gm.core.frozen import FrozenMap
from gm.games.medieval.events.movement import ProvincePillaged
from gm.games.medieval.orders.model import Hold, Orders, Pillage, PlanEntry, Written
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.bookkeeping import movement_ends, phase_opens, something_left_to_do
from gm.games.medieval.steps.conquest import provinces_pillaged
from gm.games.medieval.steps.turn import Plans, Turn
from gm.games.medieval.steps.workspace import may_wait
from tests.medieval.testland import make_turn, make_world, run_steps, unit

HERE = Written(1, 1, "order")


def turn_with(*units: Unit, orders: str = "", **done: Any) -> Turn:
    turn = make_turn(make_world(*units), {"ENG": orders} if orders else {})
    first = units[0].key
    return replace(turn, state=turn.state.with_done({first: turn.state.done(first).evolve(**done)}), phase=1)


@pytest.mark.clause("O6")
def test_a_transfer_waits_only_if_nothing_but_transfers_and_pillage_comes_after_it() -> None:
    army, other = unit("ENG/A1", "Kent", {"Longbowmen": 5}), unit("ENG/A2", "Kent", {"Longbowmen": 1})
    give = "transfer: {to: A2, troops: {Longbowmen: 1}}"
    plans = Plans(turn_with(army, other, orders=f"units: {{A1: {{plan: [{give}, pillage, march: Flanders, {give}]}}}}"))
    assert may_wait(plans, army) == {0: False, 1: False, 2: True, 3: True}


@pytest.mark.clause("M14", "O5")
def test_the_plan_of_a_garrison_may_stand_under_its_provinces_name() -> None:
    world = make_world(unit("ENG/G1", "London", {"Heavy Infantry": 20}))
    for name in ("London", "G1"):
        plan: dict[str, tuple[PlanEntry, ...]] = {name: (Pillage(HERE),)}
        sheet = Orders("ENG", 1, plans=FrozenMap(plan))
        played = run_steps(world, [provinces_pillaged], {"ENG": sheet})
        assert [each.unit for each in played.only(ProvincePillaged)] == ["ENG/G1"]


@pytest.mark.clause("M0", "M5")
def test_a_homeless_fleet_prolongs_the_phases_without_orders() -> None:
    fleet = unit("ENG/F1", "Kent", {"Trading Cog": 1})
    homeless = turn_with(fleet, homeless_phase=1)
    assert something_left_to_do(homeless)
    assert not something_left_to_do(turn_with(fleet))
    sunk = replace(homeless, state=homeless.state.with_units(removed=["ENG/F1"]))
    assert not something_left_to_do(sunk)


@pytest.mark.clause("M0", "P7")
def test_the_plan_of_a_unit_that_retreated_prolongs_nothing() -> None:
    army = unit("ENG/A1", "Kent", {"Longbowmen": 5})
    orders = "units: {A1: {plan: [march: Flanders]}}"
    assert something_left_to_do(turn_with(army, orders=orders))
    assert not something_left_to_do(turn_with(army, orders=orders, retreated=True))


@pytest.mark.clause("O6", "M0")
@pytest.mark.parametrize(("name", "reason"), [("A77", "no-such-unit"), ("A1/B", "no-such-unit")])
def test_the_plan_of_a_unit_that_is_not_there_ends_when_the_phase_opens(name: str, reason: str) -> None:
    plan: dict[str, tuple[PlanEntry, ...]] = {name: (Hold(HERE),)}
    played = run_steps(make_world(), [phase_opens], {"ENG": Orders("ENG", 1, plans=FrozenMap(plan))})
    assert [found for *_, found in played.fates("ENG")] == [reason]


@pytest.mark.clause("O2", "O6")
@pytest.mark.parametrize(("name", "why"), [("A77", "unit-gone"), ("A1/B", "unit-gone"), ("Paris", "no-garrison")])
def test_what_is_left_of_the_plan_of_a_unit_that_is_gone_is_settled_at_the_end(name: str, why: str) -> None:
    plan: dict[str, tuple[PlanEntry, ...]] = {name: (Hold(HERE), Hold(HERE))}
    played = run_steps(make_world(), [phase_opens, movement_ends], {"ENG": Orders("ENG", 1, plans=FrozenMap(plan))})
    gone = "no-such-unit" if why == "unit-gone" else why
    assert [(fate, reason) for _, fate, reason in played.fates("ENG")] == [("failed", gone)] * 2
