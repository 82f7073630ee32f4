"""Guests whose host has become their enemy (M6.1)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.games.medieval.events.battle import ArmyLostAtSea, ArmyPutAshore, BattleFought, FleetFormedByCapture
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.battles import sea_battles_fought
from tests.medieval.testland import Played, commander, make_world, play, unit
from tests.medieval.warfare import fought, report

WAR = [("ENG", "FRA")]
SEA = "Channel"


def mutiny(*units: Unit, place: str = SEA, orders: Any = None, **more: Any) -> Played:
    world = make_world(*units, **{"war": WAR, **more})
    return fought(world, sea_battles_fought, orders=orders)


def guest(**troops: int) -> Unit:
    return unit("FRA/A1", SEA, dict(troops), aboard="ENG/F1", marines=False)


@pytest.mark.clause("M6.1")
def test_all_guests_fight_without_marine_space_and_captured_ships_carry_them() -> None:
    played = mutiny(unit("ENG/F1", SEA, {"Prize": 4}), guest(Striker=8, Target=3))
    found = report(played)
    assert (found.kind, found.mutiny, found.winners) == ("sea", True, ("FRA",))
    assert [each.role for each in found.units] == ["fleet", "mutineers"]
    assert sum(each.count for each in found.units[1].troops) == 11
    (formed,) = played.only(FleetFormedByCapture)
    assert formed.unit == "FRA/F1"
    assert played.unit("FRA/F1").troops["Prize"] == (4, 0, 0, 0, 0)
    assert played.unit("FRA/A1").aboard == "FRA/F1"
    assert played.unit("FRA/A1").count("Striker") == 8
    assert played.world.done("FRA/F1").spent


@pytest.mark.clause("M6.1")
def test_without_a_captured_ship_the_guests_are_lost() -> None:
    played = mutiny(unit("ENG/F1", SEA, {"Hulk": 4}), guest(Striker=8))
    assert played.unit("FRA/A1").empty
    assert [each.unit for each in played.only(ArmyLostAtSea)] == ["FRA/A1"]
    assert report(played).winners == ("FRA",)


@pytest.mark.clause("M6.1")
def test_when_the_host_wins_the_guests_are_lost_with_their_commanders() -> None:
    played = mutiny(
        unit("ENG/F1", SEA, {"Ship": 9}),
        unit("FRA/A1", SEA, {"Target": 2, "Ram": 1}, aboard="ENG/F1", commanders=[commander("Jean")]),
    )
    assert played.unit("FRA/A1").empty
    assert report(played).winners == ("ENG",)
    assert [(each.commander, each.count) for each in played.only(CommandersChanged)] == [("Jean", -1)]
    assert sorted(
        (each.troop, each.count, each.cause) for each in played.only(TroopsChanged) if each.unit == "FRA/A1"
    ) == [
        ("Ram", -1, "lost"),
        ("Target", -2, "killed"),
    ]


@pytest.mark.clause("M6.1", "B13")
def test_the_hosts_soldiers_keep_his_side_alive_after_his_ships() -> None:
    played = mutiny(
        unit("ENG/F1", SEA, {"Ship": 1}),
        unit("ENG/A1", SEA, {"Striker": (0, 0, 2, 0, 0)}, aboard="ENG/F1"),
        guest(Striker=1, Target=20),
    )
    found = report(played)
    assert [each.role for each in found.units] == ["marines", "fleet", "mutineers"]
    assert len(found.rounds) > 2


@pytest.mark.clause("M6.1")
def test_guests_have_the_help_of_their_own_fleets_there() -> None:
    played = mutiny(unit("ENG/F1", SEA, {"Hulk": 2}), guest(Target=3), unit("FRA/F7", SEA, {"Ship": 2}))
    assert report(played).realms == ("ENG", "FRA")
    assert played.unit("FRA/A1").aboard == "FRA/F7"
    assert played.unit("FRA/A1").count("Target") == 3


@pytest.mark.clause("M6.1", "B9.3")
def test_a_fleet_cannot_flee_from_those_aboard() -> None:
    played = mutiny(unit("ENG/F1", SEA, {"Hulk": (0, 9, 0, 0, 0)}, retreat_level=1), guest(Striker=1))
    assert played.unit("ENG/F1").place == SEA
    assert played.unit("ENG/F1").empty


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


@pytest.mark.clause("M6.1", "B13")
def test_guests_who_have_no_soldier_able_to_fight_aboard_are_lost_without_a_battle() -> None:
    played = mutiny(
        unit("ENG/F1", SEA, {"Ship": 2}),
        unit("FRA/A1", SEA, {"Siege Machine": 1}, aboard="ENG/F1", commanders=[commander("Jean")]),
        orders={"FRA": "units: {A1: {plan: [march: Paris]}}"},
    )
    assert not played.only(BattleFought)
    assert played.unit("FRA/A1").empty
    assert played.fate("FRA", "march: Paris") == ("failed", "lost-as-mutineers")


@pytest.mark.clause("M6.1")
@pytest.mark.parametrize("troops", [{"Ram": 2}, {"Ram": 1, "Target": 1}, {}], ids=["machines", "soldiers", "commander"])
def test_guests_who_cannot_fight_alone_share_the_victory_of_another_army_of_theirs(troops: dict[str, int]) -> None:
    """14.C19: the guests of a realm are judged together, before the battle and after it."""
    staff = unit("FRA/A2", SEA, troops, aboard="ENG/F1", commanders=[] if troops else [commander("Jean")])
    played = mutiny(unit("ENG/F1", SEA, {"Prize": 4}), guest(Striker=8, Target=3), staff)
    assert report(played).winners == ("FRA",)
    assert not played.only(ArmyLostAtSea)
    assert not played.only(CommandersChanged)
    assert [played.unit(f"FRA/A{number}").aboard for number in (1, 2)] == ["FRA/F1", "FRA/F1"]
    assert {name: played.unit("FRA/A2").count(name) for name in troops} == troops


@pytest.mark.clause("M6.1")
def test_guests_who_cannot_fight_are_saved_by_their_own_fleet_or_lost_when_the_host_wins() -> None:
    """14.C19: they share the battle's outcome, whoever of their realm fights it."""
    staff = unit("FRA/A2", SEA, {"Ram": 1}, aboard="ENG/F1", commanders=[commander("Jean")])
    saved = mutiny(unit("ENG/F1", SEA, {"Hulk": 2}), staff, unit("FRA/F7", SEA, {"Ship": 3}))
    assert saved.unit("FRA/A2").aboard == "FRA/F7"
    lost = mutiny(unit("ENG/F1", SEA, {"Ship": 9}), staff, guest(Target=3))
    assert report(lost).winners == ("ENG",)
    assert lost.unit("FRA/A2").empty
