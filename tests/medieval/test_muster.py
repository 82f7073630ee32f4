"""Who of a unit takes part in a battle, and whom damage finds on deck (B13, M12)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.games.medieval.combat.battle import Battle, Field
from gm.games.medieval.combat.contingents import Contingent, ContingentStatus, Role
from gm.games.medieval.combat.fight import fight_it_out, fight_on
from gm.games.medieval.combat.muster import fill_marine_space, muster
from gm.games.medieval.combat.report import BattleRound
from gm.games.medieval.combat.setup import land_battle
from gm.games.medieval.state import Unit
from tests.medieval.testland import make_turn, make_world, unit, with_marks
from tests.medieval.warfare import sure_rules


def marines(space: int, **troops: tuple[int, ...]) -> Contingent:
    """Two in rank 1 and two in rank 2, as many of them on deck as there is space."""
    fleet = unit("ENG/F1", "Channel", {"Ship": 1})
    army = unit("ENG/A1", "Channel", troops or {"Tough Target": (2, 2, 0, 0, 0)}, aboard="ENG/F1")
    field = Field(replace(make_turn(make_world(fleet, army)), rules=sure_rules()))
    found = muster(field, army, Role.MARINES)
    fill_marine_space([found], space)
    return found


@pytest.mark.clause("B7", "B13")
def test_damage_stays_with_its_victim_while_he_stands_in_front() -> None:
    found = marines(4)
    front, behind = found.bands
    found.victim = front
    fill_marine_space([found], 3)
    assert (front.standing, behind.standing, behind.reserve) == (2, 1, 1)
    assert found.victim is front


@pytest.mark.clause("B7", "B13")
def test_damage_leaves_a_victim_who_went_below_decks_or_behind_others() -> None:
    below = marines(4)
    below.victim = below.bands[0]
    fill_marine_space([below], 0)
    assert below.victim is None
    beside = marines(2, Striker=(1, 0, 0, 0, 0), Target=(1, 0, 0, 0, 0))
    beside.victim = beside.bands[1]
    fill_marine_space([beside], 1)
    assert (beside.front_rank, beside.victim) == (1, None)
    behind = marines(4)
    behind.victim = behind.bands[1]
    fill_marine_space([behind], 4)
    assert behind.victim is None


def drawn_up(french: Unit, **options: int) -> Battle:
    """A battle in Reims before round 1 that tells of no round; the English came from Flanders, which is theirs."""
    world = make_world(unit("ENG/A1", "Reims", {"Target": 3}), french, war=[("ENG", "FRA")], owners={"Flanders": "ENG"})
    turn = make_turn(world)
    state = with_marks(turn.state, {"ENG/A1": {"came_from": "Flanders"}, "FRA/A1": {"came_from": "Paris"}})
    battle = land_battle(Field(replace(turn, state=state, rules=sure_rules(**options))), "Reims")
    assert battle is not None
    battle.recorded = False
    return battle


@pytest.mark.clause("B10", "B14")
def test_a_drawn_battle_of_which_no_round_is_told_ends_with_the_same_retreats() -> None:
    battle = drawn_up(unit("FRA/A1", "Reims", {"Target": 3}), round_limit=4)
    fight_it_out(battle)
    assert (battle.drawn, battle.rounds) == (True, [])
    assert battle.field.unit("ENG/A1").place == "Flanders"


@pytest.mark.clause("B9")
def test_a_battle_goes_on_with_the_retreats_at_the_end_of_its_last_round() -> None:
    fled = drawn_up(unit("FRA/A1", "Reims", {"Target": (0, 3, 0, 0, 0)}, retreat_level=1))
    fight_on(fled)
    assert (fled.round, fled.field.unit("FRA/A1").place) == (0, "Paris")
    fought_on = drawn_up(unit("FRA/A1", "Reims", {"Striker": 9}))
    fight_on(fought_on)
    assert fought_on.round == 2
    assert fought_on.by_key["ENG/A1"].state is ContingentStatus.DESTROYED


@pytest.mark.clause("B8.1", "B14")
def test_every_other_round_removes_casualties() -> None:
    rounds = [BattleRound(number=number, units=(), retreats=()) for number in (1, 2, 3, 4)]
    assert [each.removes_casualties for each in rounds] == [False, True, False, True]
