"""Battles at borders (M11)."""

from __future__ import annotations

import pytest

from gm.games.medieval.events.battle import BattleFought
from tests.medieval.testland import make_world, play, unit

WAR = [("ENG", "FRA")]


@pytest.mark.clause("M11", "M12")
def test_a_retreater_is_attacked_again_in_the_province_where_it_stayed() -> None:
    world = make_world(
        unit("ENG/A1", "Flanders", {"French Knights": 20}),
        unit("FRA/A1", "Reims", {"Heavy Infantry": (0, 30, 0, 0, 0)}, retreat_level=1),
        war=WAR,
        owners={"Flanders": "ENG"},
    )
    orders = {
        "ENG": "units: {A1: {plan: [march: Reims]}}",
        "FRA": "units: {A1: {plan: [march: Flanders]}}",
    }
    played = play(world, orders)
    battles = [(each.report.kind, each.place) for each in played.only(BattleFought)]
    assert battles == [("border", "Flanders - Reims"), ("land", "Reims")]
