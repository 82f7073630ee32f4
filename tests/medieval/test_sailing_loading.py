"""Armies go aboard (M2, M3, M8.1) and what has no room goes elsewhere or overboard (M7)."""

from __future__ import annotations

import pytest

from gm.games.medieval.events.ledger import TroopsChanged
from gm.games.medieval.events.movement import CargoOverboard
from gm.games.medieval.orders.model import Board, Load
from gm.games.medieval.state.strength import storage, weight
from gm.games.medieval.steps.loading import armies_prepare_to_board, fleets_load_armies
from tests.medieval.movement import move, plans, sheet_of, written
from tests.medieval.testland import make_world, rules, run_steps, unit

FOOT = {"Men-at-Arms": 3}
COGS = {"Trading Cog": 2}


def load(world, *armies, before=()):
    return run_steps(world, [*before, fleets_load_armies], {"ENG": plans(F1=[f"load: [{', '.join(armies)}]"])})


# -- M2 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("M2")
def test_boarding_is_for_armies_and_for_the_fleets_of_other_realms_that_are_no_enemies():
    world = make_world(unit("ENG/A1", "Kent", FOOT), unit("ENG/F1", "Channel", COGS), war=[("DEN", "ENG")])
    orders = sheet_of(
        "ENG",
        F1=[Board(written("fleet", 1), "AQU")],
        A1=[Board(written("own", 2), "ENG"), Board(written("enemy", 3), "DEN")],
    )
    assert run_steps(world, [armies_prepare_to_board], {"ENG": orders}).fates("ENG") == [
        ("own", "failed", "board-foreign-realm"),
        ("enemy", "failed", "board-enemy-fleet"),
        ("fleet", "failed", "only-armies-board"),
    ]


# -- M3 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("M3")
def test_only_fleets_load_and_nobody_loads_an_enemy_or_a_unit_that_is_not_there():
    world = make_world(
        unit("ENG/F1", "Channel", COGS),
        unit("ENG/A1", "Kent", FOOT),
        unit("DEN/A1", "Kent", FOOT),
        war=[("DEN", "ENG")],
    )
    orders = sheet_of(
        "ENG",
        A1=[Load(written("army", 1), ("A1",))],
        F1=[Load(written("enemy", 2), ("DEN/A1",)), Load(written("none", 3), ("A44",))],
    )
    assert run_steps(world, [fleets_load_armies], {"ENG": orders}).fates("ENG") == [
        ("army", "failed", "only-fleets-load"),
        ("enemy", "failed", "army-of-enemy"),
        ("none", "failed", "no-such-army"),
    ]


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
