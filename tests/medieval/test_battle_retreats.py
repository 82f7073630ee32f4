"""Retreats: who, when, where to, and what it costs (B9-B9.2, B7.1, P7, W13, X8, X18, X23)."""

from typing import Any

import pytest
from msgspec.structs import replace

from gm.games.medieval.combat.battle import Field
from gm.games.medieval.combat.retreats import invaders_retreat, units_retreat
from gm.games.medieval.combat.setup import land_battle
from gm.games.medieval.handbook.figures import RuleFigures
from gm.games.medieval.state import Unit
from tests.medieval.testland import Played, atlas, make_turn, make_world, rules, unit
from tests.medieval.warfare import fought, outcome_of, report, sure_rules

WAR = [("ENG", "FRA")]


def in_reims(*units: Unit, done: Any = None, orders: Any = None, by: Any = None, **more: Any) -> Played:
    """A battle in French Reims between an English army in retreat and the French; Flanders is English."""
    world = make_world(*units, **{"war": WAR, "owners": {"Flanders": "ENG"}, **more})
    return fought(world, done=done, orders=orders, by=by)


def coward(key: str = "ENG/A1", **more: Any) -> Unit:
    """Nobody in rank 1 and retreat level 1: retreats after round 1."""
    return unit(key, "Reims", {"Striker": (0, 9, 0, 0, 0)}, retreat_level=1, **more)


STRIKERS = unit("FRA/A1", "Reims", {"Striker": 4})


PEASANT = unit("ENG/A1", "Reims", {"Target": (0, 1, 0, 0, 0)}, retreat_level=1)


@pytest.mark.clause("B9")
def test_the_other_reading_of_the_marked_is_a_switch_of_the_rules() -> None:
    """14.C24: a game master who reads it otherwise changes the data, and the handbook says what holds."""
    assert len(report(in_reims(PEASANT, STRIKERS, by=sure_rules(marked_retreat=False))).rounds) == 2
    for held, says in (
        (True, "Troops behind the retreat level leave with the unit"),
        (False, "retreats no more"),
    ):
        ruled = rules().evolve(battle=rules().battle.evolve(marked_retreat=held))
        assert says in RuleFigures(ruled, atlas())("rule.marked_retreat")


@pytest.mark.clause("B9", "M10")
def test_garrisons_and_defenders_of_walls_never_retreat() -> None:
    world = make_world(
        unit("ENG/A1", "Minsk", {"Striker": 1}),
        unit("LIT/A1", "Minsk", {"Target": (0, 3, 0, 0, 0)}, retreat_level=1),
        unit("LIT/A2", "Minsk", {"Target": (0, 3, 0, 0, 0)}, retreat_level=1, defend_fortifications=False),
        unit("LIT/G1", "Minsk", {"Target": (0, 3, 0, 0, 0)}, retreat_level=1),
        war=[("ENG", "LIT")],
    )
    battle = report(fought(world))
    assert [outcome_of(battle, key) for key in ("LIT/A1", "LIT/A2", "LIT/G1")] == [
        "destroyed",
        "retreated",
        "destroyed",
    ]
    ruin = world.with_provinces(world.provinces["Minsk"].evolve(fortification_damage=2))
    assert outcome_of(report(fought(ruin)), "LIT/A1") == "retreated"


@pytest.mark.clause("B9.1")
def test_it_goes_back_where_it_came_from_else_to_a_drawn_neighbour() -> None:
    owners = {"Flanders": "ENG", "Paris": "ENG"}
    back = in_reims(coward(), STRIKERS, owners=owners, done={"ENG/A1": {"came_from": "Paris"}})
    assert back.unit("ENG/A1").place == "Paris"
    seen = set()
    for seed in range(20):
        world = make_world(coward(), STRIKERS, war=WAR, owners=owners)
        seen.add(fought(world, seed=str(seed)).unit("ENG/A1").place)
    assert seen == {"Flanders", "Paris"}


@pytest.mark.clause("B9.1")
def test_landed_troops_go_to_a_province_or_stay_but_never_back_to_their_ships() -> None:
    marks = {"ENG/A1": {"landed": True, "landed_phase": 1, "came_from": "Paris"}}
    owners = {"Flanders": "ENG", "Paris": "ENG"}
    seen = set()
    for seed in range(20):
        world = make_world(coward(), STRIKERS, war=WAR, owners=owners)
        seen.add(fought(world, seed=str(seed), done=marks).unit("ENG/A1").place)
    assert seen == {"Flanders", "Paris"}
    stuck = in_reims(coward(), STRIKERS, owners={}, done=marks)
    assert stuck.unit("ENG/A1").place == "Reims"


@pytest.mark.clause("B9", "W12")
@pytest.mark.parametrize("leave", [units_retreat, invaders_retreat])
def test_for_who_has_left_no_other_way_is_drawn(leave: Any) -> None:
    """The drawn places are on the report's list of dice, and whoever is drawn for next depends on them."""
    owners = dict.fromkeys(("Flanders", "Paris", "Bordeaux", "Kent"), "ENG")
    # the French want to leave as well, and cannot
    world = make_world(coward(), coward("FRA/A1"), war=WAR, owners=owners)
    field = Field(replace(make_turn(world), rules=sure_rules()))
    battle = land_battle(field, "Reims")
    assert battle is not None
    for contingent in battle.contingents:
        contingent.invader = contingent.realm == "ENG"
    assert [retreat.unit for retreat in leave(battle)] == ["ENG/A1"]
    assert (leave(battle), len(battle.dice("retreat").outcomes)) == ((), 1)
