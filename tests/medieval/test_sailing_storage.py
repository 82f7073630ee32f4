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
from tests.medieval.testland import Played, commander, make_turn, make_world, rules, unit
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
@pytest.mark.parametrize(
    ("room", "overboard"),
    [
        (0, {"Heavy Cavalry": 3, "Longbowmen": 3}),
        (1, {"Heavy Cavalry": 2, "Longbowmen": 3}),
        (2, {"Heavy Cavalry": 1, "Longbowmen": 3}),
        (4, {"Longbowmen": 1}),
    ],
)
def test_the_other_fleet_takes_what_it_has_room_for_and_no_more(room: int, overboard: dict[str, int]) -> None:
    cargo = unit("ENG/A1", SEA, {"Heavy Cavalry": 3, "Longbowmen": 3}, aboard="ENG/F1", commanders=[commander()])
    full = unit("ENG/A7", SEA, {"Archers": 2}, aboard="ENG/F2")
    played = checked(cogs("ENG/F1", 0), cogs("ENG/F2", 1 + room), cargo, full)
    assert lost(played) == overboard
    moved = [each.troops for each in played.only(CargoMoved) if each.troops]
    both = {"Heavy Cavalry": 3, "Longbowmen": 3}
    assert moved == ([{name: count for name in both if (count := both[name] - overboard.get(name, 0))}] if room else [])


@pytest.mark.clause("M7")
def test_a_full_fleet_is_asked_for_nothing() -> None:
    played = checked(
        cogs("ENG/F1", 1),
        cogs("ENG/F2", 1),
        unit("ENG/A1", SEA, {"Archers": 3}, aboard="ENG/F1"),
        unit("ENG/A2", SEA, {"Archers": 2}, aboard="ENG/F2"),
    )
    assert not played.only(CargoMoved)
    assert played.world.units.keys() == played.before.units.keys()
    assert lost(played) == {"Archers": 1}


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


@pytest.mark.clause("M7")
def test_ships_in_a_garrison_take_nobody_aboard() -> None:
    played = checked(
        unit("ENG/G1", "London", {"Trading Cog": 5}),
        cogs("ENG/F1", 1, "London"),
        unit("AQU/A1", "London", {"Archers": 3}, aboard="ENG/F1"),
    )
    assert lost(played) == {"Archers": 1}
    assert not [each for each in played.world.units.values() if each.aboard == "ENG/G1"]


@pytest.mark.clause("M7")
def test_commanders_leave_a_fleet_without_ships_for_one_that_has_some() -> None:
    knight = unit("ENG/A1", SEA, commanders=[commander()], aboard="ENG/F1")
    alone = checked(cogs("ENG/F1", 0), cogs("ENG/F2", 0), knight)
    assert alone.unit("ENG/A1").aboard == "ENG/F1"
    played = checked(cogs("ENG/F1", 0), cogs("ENG/F2", 0), cogs("ENG/F3", 1), knight)
    assert played.unit("ENG/A1").aboard == "ENG/F3"


@pytest.mark.clause("M7")
def test_an_army_without_anybody_is_not_put_ashore_and_stops_no_other() -> None:
    played = checked(
        cogs("ENG/F1", 0, "London"),
        unit("ENG/A1", "London", aboard="ENG/F1"),
        unit("ENG/A2", "London", commanders=[commander()], aboard="ENG/F1"),
    )
    assert [each.army for each in played.only(CargoPutAshore)] == ["ENG/A2"]


@pytest.mark.clause("M7", "B5.2", "B9.1")
def test_commanders_put_ashore_on_enemy_land_have_invaded_it_and_marched_from_nowhere() -> None:
    played = checked(
        cogs("ENG/F1", 0, "Bordeaux"),
        unit("ENG/A1", "Bordeaux", commanders=[commander()], aboard="ENG/F1"),
        war=[("AQU", "ENG")],
    )
    done = played.world.done("ENG/A1")
    assert (done.landed, done.landed_phase, done.marched_phase, done.came_from) == (True, 1, 0, None)


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
