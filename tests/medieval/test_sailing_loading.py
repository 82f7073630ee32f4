"""Armies go aboard (M2, M3, M8.1) and what has no room goes elsewhere or overboard (M7)."""

from __future__ import annotations

import pytest

from gm.games.medieval.events.ledger import TroopsChanged
from gm.games.medieval.events.movement import CargoOverboard
from gm.games.medieval.state.strength import storage, weight
from gm.games.medieval.steps.loading import fleets_load_armies
from tests.medieval.movement import move, plans
from tests.medieval.testland import make_world, rules, run_steps, unit


def load(world, *armies, before=()):
    return run_steps(world, [*before, fleets_load_armies], {"ENG": plans(F1=[f"load: [{', '.join(armies)}]"])})


# -- M7 ----------------------------------------------------------------------------------------------------------------


def overboard(played):
    return [(e.unit, e.troop, e.count) for e in played.only(TroopsChanged) if e.cause == "overboard"]


@pytest.mark.clause("M7", "M1")
def test_ships_may_leave_a_laden_fleet_and_the_cargo_is_settled():
    world = make_world(
        unit("ENG/F1", "Channel", {"Trading Cog": 2}),
        unit("ENG/F2", "Channel", {"Trading Cog": 1}),
        unit("ENG/A1", "Channel", {"Men-at-Arms": 4}, aboard="ENG/F1"),
    )
    played = move(world, {"ENG": plans(F1=["transfer: {to: F2, troops: {Trading Cog: 1}}"])})
    assert played.unit("ENG/A2").aboard == "ENG/F2"
    assert not played.only(CargoOverboard)
    for fleet in ("ENG/F1", "ENG/F2"):
        aboard = played.world.cargo(fleet)
        assert sum(weight(army, rules()) for army in aboard) <= storage(played.unit(fleet), rules())
