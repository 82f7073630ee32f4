"""What becomes of the units of realms that are out, and of what is beyond a realm's limits (L18, L19)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.games.medieval.events.final import RealmDefeated
from gm.games.medieval.state import INDEPENDENTS, Unit
from gm.games.medieval.steps.realms import defeated_realms_removed
from tests.medieval.testland import Played, commander, make_world, run_steps, unit


def out(*units: Unit, realms: int = 1, **owners: str) -> Played:
    """England owns nothing any more, and units without troops; the realms that are out go."""
    world = make_world(*units, owners={"London": "FRA", "Kent": "FRA", **owners})
    played = run_steps(world, [defeated_realms_removed], phase=0)
    assert len(played.only(RealmDefeated)) == realms
    return played


def independents(played: Played) -> list[tuple[str, list[str]]]:
    return [
        (each.place, [who.name for who in each.commanders])
        for each in played.world.of_realm(INDEPENDENTS)
        if each.is_army
    ]


def led(key: str, place: str, name: str = "Hugo", **more: Any) -> Unit:
    return unit(key, place, commanders=[commander(name)], **more)


@pytest.mark.clause("L19")
def test_units_without_anybody_keep_no_commander_from_turning_independent() -> None:
    played = out(unit("ENG/A1", "Reims"), led("ENG/A2", "Reims"))
    assert not played.world.of_realm("ENG")
    assert independents(played) == [("Reims", ["Hugo"])]


@pytest.mark.clause("L19")
def test_a_commander_lost_at_sea_takes_no_other_with_him() -> None:
    played = out(led("ENG/F1", "Channel"), led("ENG/F2", "Bordeaux", "John"))
    assert not played.world.of_realm("ENG")
    assert independents(played) == [("Bordeaux", ["John"])]


@pytest.mark.clause("L19", "M7")
def test_a_guest_who_vanished_with_his_host_takes_no_other_with_him() -> None:
    played = out(
        led("DEN/F1", "Channel"),
        led("ENG/A1", "Channel", aboard="DEN/F1"),
        led("ENG/A2", "Reims", "John"),
        realms=2,
        Zeeland="FRA",
        Slavinia="FRA",
        Schleswig="FRA",
    )
    assert not played.world.of_realm("ENG")
    assert independents(played) == [("Reims", ["John"])]


@pytest.mark.clause("L19", "W6")
def test_namesakes_of_two_realms_that_go_out_together_bear_different_names() -> None:
    lost = {"Zeeland": "FRA", "Slavinia": "FRA", "Schleswig": "FRA"}
    played = out(led("DEN/A1", "Reims"), led("ENG/A1", "Reims"), realms=2, **lost)
    assert independents(played) == [("Reims", ["Hugo"]), ("Reims", ["Hugo 2"])]
