"""After the battle: wounds, captures, skills, commanders, and what the survivors may still do (B11, B12,
P7).
"""

from decimal import Decimal

import pytest

from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.state import Unit
from tests.medieval.testland import Played, commander, make_world, unit
from tests.medieval.warfare import fought, report, rounds_of, sure_rules

WAR = [("ENG", "FRA")]


def ledger(played: Played) -> list[tuple[str, str, int, str]]:
    return [(change.unit, change.troop, change.count, change.cause) for change in played.only(TroopsChanged)]


@pytest.mark.clause("B11", "B14")
def test_the_partly_damaged_troop_dies_by_chance_on_both_sides() -> None:
    dies = {"ENG/A1": 0, "FRA/A1": 0}
    for seed in range(60):
        world = make_world(
            unit("ENG/A1", "Reims", {"Striker": 2, "Tough Target": (0, 0, 0, 1, 0)}, retreat_level=1),
            unit("FRA/A1", "Reims", {"Striker": (0, 4, 0, 0, 0), "Tough Target": 2}),
            war=WAR,
            owners={"Flanders": "ENG"},
        )
        battle = report(fought(world, seed=str(seed), by=sure_rules()))
        for roll in battle.wounded:
            assert (roll.troop, roll.hit_points) == ("Tough Target", 5)
            assert roll.damage == 2
            dies[roll.unit] += roll.dies
    assert 10 < dies["ENG/A1"] < 40
    assert 10 < dies["FRA/A1"] < 40


@pytest.mark.clause("B11")
def test_a_leader_gains_nothing_twice_a_turn_nor_when_he_retreated() -> None:
    john = commander("John")
    world = make_world(
        unit("ENG/A1", "Reims", {"Striker": 9}, commanders=[john], leader="John"),
        unit(
            "ENG/A2",
            "Reims",
            {"Striker": (0, 9, 0, 0, 0)},
            commanders=[commander("Rob")],
            leader="Rob",
            retreat_level=1,
        ),
        unit("FRA/A1", "Reims", {"Target": 12}),
        war=WAR,
        owners={"Flanders": "ENG"},
    )
    played = fought(world)
    assert [(skill.commander, skill.tactic) for skill in report(played).skills] == [("John", "infantry")]
    again = world.evolve(progress=played.world.progress)
    marked = fought(again)
    assert [skill.commander for skill in report(marked).skills] == ["John"]  # a new turn


@pytest.mark.clause("B12", "B7")
def test_who_falls_in_rank_five_is_drawn_between_troops_and_commander() -> None:
    first = []
    for seed in range(200):
        world = make_world(
            unit("ENG/A1", "Reims", {"Target": (0, 0, 0, 0, 3)}, commanders=[commander("John")]),
            unit("FRA/A1", "Reims", {"Striker": 1}),
            war=WAR,
        )
        played = fought(world, seed=str(seed), by=sure_rules(round_limit=1))
        first.append(bool(played.only(CommandersChanged)))
    assert 25 <= sum(first) <= 80  # one in four


@pytest.mark.clause("B12")
@pytest.mark.slow
def test_a_fallen_leaders_bonus_is_gone_once_he_is_removed() -> None:
    by = sure_rules(round_limit=4)
    by = by.evolve(battle=by.battle.evolve(tactics_divisor=1), commanders=by.commanders.evolve(combat=0))
    world = make_world(
        unit(
            "ENG/A1",
            "Reims",
            {"Heavy Infantry": (0, 0, 0, 0, 50)},
            commanders=[commander("John", infantry=100)],
            leader="John",
        ),
        unit("FRA/A1", "Reims", {"Target": 400, "Striker": (0, 0, 0, 0, 1)}),
        war=WAR,
    )
    for seed in range(200):
        battle = report(fought(world, seed=str(seed), by=by))
        lines = rounds_of(battle, "ENG/A1")
        if lines[1].fallen_commanders:
            break
    assert [line.caused[0].damage for line in lines[:2]] == [50, 50]
    assert max(line.caused[0].damage for line in lines[2:]) < 50


def survivors(place: str, owner: str, *more: Unit, allied: bool = False) -> Played:
    world = make_world(
        unit("ENG/A1", place, {"Striker": 9, "Heavy Infantry": 1}),
        unit("ENG/A2", "Kent"),
        unit("FRA/A1", place, {"Target": 1}),
        *more,
        war=WAR,
        allied=[("AQU", "ENG")] if allied else [],
        owners={place: owner},
    )
    moved = "transfer: {to: A2, troops: {Heavy Infantry: 1}}"
    orders = f"units: {{A1: {{plan: [{moved}, hold, march: Kent, pillage]}}}}"
    return fought(world, orders={"ENG": orders})


@pytest.mark.clause("B14", "W8")
def test_everybody_sees_the_report_and_every_loss_is_in_the_books() -> None:
    played = survivors("Reims", "FRA")
    assert all(event.visible_to("TEU") for event in played.events if event.audience == "public")
    assert ledger(played) == [("FRA/A1", "Target", -1, "killed")]
    battle = report(played)
    assert (battle.kind, battle.place, battle.phase, battle.owner) == ("land", "Reims", 1, "FRA")
    assert [(end.unit, end.outcome) for end in battle.ends] == [
        ("ENG/A1", "survived"),
        ("FRA/A1", "destroyed"),
    ]
    assert battle.units[0].base_combat == 934
    assert battle.units[0].hit_points == Decimal(12)
    assert played.world.progress.provinces["Reims"].battle
    assert not played.world.progress.provinces["Paris"].battle
