"""Whose plan has something to do: what may wait, what goes on in another phase, what ends with its unit (M0, O6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gm.games.medieval.state import Unit
from gm.games.medieval.steps.bookkeeping import something_left_to_do
from gm.games.medieval.steps.turn import Plans, Turn
from gm.games.medieval.steps.workspace import may_wait
from tests.medieval.testland import make_turn, make_world, unit, with_marks


def turn_with(*units: Unit, orders: str = "", **done: Any) -> Turn:
    turn = make_turn(make_world(*units), {"ENG": orders} if orders else {})
    return replace(turn, state=with_marks(turn.state, {units[0].key: done}), phase=1)


@pytest.mark.clause("O6")
def test_a_transfer_waits_only_if_nothing_but_transfers_and_pillage_comes_after_it() -> None:
    army, other = unit("ENG/A1", "Kent", {"Longbowmen": 5}), unit("ENG/A2", "Kent", {"Longbowmen": 1})
    give = "transfer: {to: A2, troops: {Longbowmen: 1}}"
    plans = Plans(turn_with(army, other, orders=f"units: {{A1: {{plan: [{give}, pillage, march: Flanders, {give}]}}}}"))
    assert may_wait(plans, army) == {0: False, 1: False, 2: True, 3: True}


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
