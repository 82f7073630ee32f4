"""Guests whose host has become their enemy (M6.1)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.games.medieval.events.battle import ArmyPutAshore, BattleFought
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.battles import sea_battles_fought
from tests.medieval.testland import Played, make_world, play, unit
from tests.medieval.warfare import fought

WAR = [("ENG", "FRA")]
SEA = "Channel"


def mutiny(*units: Unit, place: str = SEA, orders: Any = None, **more: Any) -> Played:
    world = make_world(*units, **{"war": WAR, **more})
    return fought(world, sea_battles_fought, orders=orders)


@pytest.mark.clause("M6.1")
def test_in_port_the_guest_is_put_ashore_and_the_land_battle_decides() -> None:
    world = make_world(
        unit("ENG/F1", "London", {"Trading Cog": 4}),
        unit("FRA/A1", "London", {"Heavy Infantry": 8}, aboard="ENG/F1"),
        unit("ENG/G1", "London", {"Peasant Rabble": 1}),
    )
    played = play(world, {"ENG": "headquarters: {declare_war: [FRA]}"})
    assert [each.unit for each in played.only(ArmyPutAshore)] == ["FRA/A1"]
    assert [(each.phase, each.report.kind, each.place) for each in played.only(BattleFought)] == [(1, "land", "London")]
    assert played.unit("FRA/A1").aboard is None
    assert played.world.provinces["London"].owner == "FRA"


@pytest.mark.clause("M6.1")
def test_war_on_ones_guest_at_sea_is_fought_out_in_phase_one() -> None:
    world = make_world(
        unit("ENG/F1", SEA, {"Royal Galleon": 4}),
        unit("FRA/A1", SEA, {"Peasant Rabble": 2}, aboard="ENG/F1"),
        allied=[],
    )
    played = play(world, {"ENG": "headquarters: {declare_war: [FRA]}"})
    (fight,) = played.only(BattleFought)
    assert (fight.phase, fight.report.mutiny, fight.winners) == (1, True, ("ENG",))
    assert "FRA/A1" not in played.world.units
