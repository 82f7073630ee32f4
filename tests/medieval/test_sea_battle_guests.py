"""Armies aboard other realms' fleets, and where those of lost fleets go (B10, B12, B13, M6.1)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.events.ledger import CommandersChanged
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.battles import sea_battles_fought
from tests.medieval.testland import Played, commander, make_world, unit
from tests.medieval.warfare import fought, outcome_of, report, rounds_of, sure_rules, troop

WAR = [("ENG", "FRA")]
SEA = "Channel"
REAR = (0, 0, 0, 0, 50)


def at_sea(*units: Unit, limit: int = 200, war: Any = WAR, **more: Any) -> Played:
    by = sure_rules(round_limit=limit)
    great = troop("Great Hulk", 0, 9, kind=TroopClass.TRANSPORT, storage=2, capture_chance=0, weight=0)
    by = by.evolve(troops={**by.troops, great.name: great})
    return fought(make_world(*units, war=war, **more), sea_battles_fought, by=by)


@pytest.mark.clause("B10", "B4")
def test_soldiers_who_are_only_marked_keep_their_side_in_a_mutiny() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 12}),
        unit("FRA/A1", SEA, {"Target": 1}, aboard="ENG/F1"),
        unit("NOR/F1", SEA, {"Great Hulk": (0, 3, 0, 0, 0)}, retreat_level=1),
        war=[*WAR, ("ENG", "NOR")],
    )
    first, second = report(played).rounds
    assert [line.taken for line in first.units if line.unit == "FRA/A1"] == [1]
    assert [each.unit for each in first.retreats] == ["NOR/F1"]
    assert [each.troop for line in second.units for each in line.casualties] == ["Target"]


@pytest.mark.clause("M6.1", "B12")
def test_no_other_fleet_of_the_enemy_takes_his_guests_aboard() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Hulk": 1}),
        unit("ENG/F2", SEA, {"Hulk": REAR}),
        unit("FRA/A1", SEA, {"Striker": 1}, aboard="ENG/F1"),
        limit=4,
    )
    assert report(played).result == "drawn"
    assert played.unit("FRA/A1").empty


@pytest.mark.clause("B11", "B12")
def test_own_armies_find_no_more_room_in_a_fleet_because_it_has_prizes() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Hulk": 2}),
        unit("ENG/A1", SEA, {"Target": 9}, aboard="ENG/F1", marines=False),
        unit("ENG/F2", SEA, {"Ship": (0, 0, 0, 0, 1)}),
        unit("FRA/F1", SEA, {"Ship": 1, "Prize": 1}),
    )
    assert dict(played.unit("ENG/F2").troops) == {"Prize": (1, 0, 0, 0, 0), "Ship": (0, 0, 0, 0, 1)}
    assert (played.unit("ENG/A1").aboard, played.unit("ENG/A1").count("Target")) == ("ENG/F2", 4)


@pytest.mark.clause("M6.1")
def test_a_commander_whose_mutinous_soldiers_have_all_fallen_is_lost() -> None:
    guests = unit("FRA/A1", SEA, {"Target": 2, "Ram": 1}, aboard="ENG/F1", commanders=[commander("Jean")])
    played = at_sea(unit("ENG/F1", SEA, {"Hulk": 9, "Ship": (0, 0, 0, 0, 1)}), guests)
    assert report(played).winners == ("ENG",)
    assert [(each.commander, each.cause) for each in played.only(CommandersChanged)] == [("Jean", "lost")]
    assert played.unit("FRA/A1").empty


@pytest.mark.clause("M6.1", "B10")
def test_while_the_mutiny_is_undecided_machines_without_soldiers_stay_aboard() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 1}),
        unit("FRA/A1", SEA, {"Target": 1, "Ram": 1}, aboard="ENG/F1"),
        unit("FRA/F1", SEA, {"Hulk": REAR}),
        limit=4,
    )
    found = report(played)
    assert (found.mutiny, found.result) == (True, "drawn")
    assert dict(played.unit("FRA/A1").troops) == {"Ram": (1, 0, 0, 0, 0)}


@pytest.mark.clause("M6.1")
def test_there_is_no_mutiny_aboard_a_fleet_without_ships() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, commanders=[commander("Admiral")]),
        unit("FRA/A1", SEA, {"Target": 1}, aboard="ENG/F1"),
        unit("ENG/F2", SEA, {"Ship": 1}),
        unit("FRA/F1", SEA, {"Hulk": 1}),
    )
    assert not report(played).mutiny
    assert [each.unit for each in report(played).units] == ["ENG/F2", "FRA/F1"]


@pytest.mark.clause("B13")
def test_one_enemy_in_common_with_the_fleet_is_enough_for_marines_of_an_ally() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 1}),
        unit("NOR/A1", SEA, {"Target": 1}, aboard="ENG/F1"),
        unit("FRA/F1", SEA, {"Hulk": 1}),
        unit("DEN/F1", SEA, {"Hulk": 1}),
        war=[*WAR, ("DEN", "ENG"), ("FRA", "NOR")],
        allied=[("ENG", "NOR")],
    )
    assert ("NOR/A1", "marines") in [(each.unit, each.role) for each in report(played).units]


@pytest.mark.clause("B12", "B13")
def test_marines_whose_fleet_is_lost_wait_for_another_with_those_from_below() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 1}),
        unit("ENG/A1", SEA, {"Target": (0, 0, 0, 3, 0)}, aboard="ENG/F1"),
        unit("ENG/F2", SEA, {"Hulk": REAR}),
        unit("FRA/F1", SEA, {"Ship": (0, 0, 0, 0, 1), "Hulk": REAR}),
        limit=4,
    )
    found = report(played)
    assert len(rounds_of(found, "ENG/F1")) == 2
    assert outcome_of(found, "ENG/A1") == "survived"
    assert (played.unit("ENG/A1").aboard, played.unit("ENG/A1").count("Target")) == ("ENG/F2", 2)
