"""What has no room aboard: how much of it, to which other fleet, and who goes ashore (M7, M1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.ledger import TroopsChanged
from gm.games.medieval.events.movement import CargoMoved, CargoPutAshore
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.storage import fleet_storage_checked
from tests.medieval.testland import Played, make_turn, make_world, rules, unit
from tests.medieval.warfare import troop

SEA = "Channel"


def checked(*units: Unit, by: Rules | None = None, **more: Any) -> Played:
    """Fleet Storage Checked in phase 1. A cog carries a weight of 2; cavalry weighs 2, archers 1."""
    turn = replace(make_turn(make_world(*units, **more)), rules=by or rules())
    outcome = fleet_storage_checked(turn.at_step(fleet_storage_checked.name, 1))
    return Played(turn.state, outcome.state, outcome.events)


def few_numbers() -> Rules:
    return rules().evolve(units=rules().units.evolve(number_limit=1))


def cogs(key: str, count: int, place: str = SEA) -> Unit:
    return unit(key, place, {"Trading Cog": count} if count else {})


def lost(played: Played) -> dict[str, int]:
    return {each.troop: -each.count for each in played.only(TroopsChanged)}


@pytest.mark.clause("M7")
def test_what_weighs_nothing_stays_aboard_and_makes_no_room() -> None:
    by = rules().evolve(troops={**rules().troops, "Ghost": troop("Ghost", 1, weight=0)})
    played = checked(
        cogs("ENG/F1", 1),
        unit("AQU/A1", SEA, {"Ghost": 4}, aboard="ENG/F1"),
        unit("ENG/A1", SEA, {"Archers": 3}, aboard="ENG/F1"),
        by=by,
    )
    assert lost(played) == {"Archers": 1}
    assert played.unit("AQU/A1").count("Ghost") == 4


@pytest.mark.clause("M7", "L8.2", "W5")
def test_troops_are_lost_where_there_is_no_number_for_their_army_ashore() -> None:
    cargo = unit("ENG/A1", "London", {"Archers": 3}, aboard="ENG/F1")
    played = checked(cogs("ENG/F1", 1, "London"), cargo, by=few_numbers())
    assert [(each.count, each.cause) for each in played.only(TroopsChanged)] == [(-1, "lost")]
    assert not played.only(CargoPutAshore)


@pytest.mark.clause("M7", "L8.2", "W5")
def test_troops_are_lost_where_there_is_no_number_for_their_army_aboard_another_fleet() -> None:
    cargo = unit("ENG/A1", SEA, {"Archers": 3}, aboard="ENG/F1")
    played = checked(cogs("ENG/F1", 1), cogs("ENG/F2", 1), cargo, by=few_numbers())
    assert [(each.count, each.cause) for each in played.only(TroopsChanged)] == [(-1, "lost")]
    assert not played.only(CargoMoved)
