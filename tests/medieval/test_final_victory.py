"""Who has cities enough, alone or with allies, and how a last turn is scored (V1, L20)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from gm.games.medieval.events.final import GameScored, VictoryNear, VictoryWon
from gm.games.medieval.state import INDEPENDENTS, World, pair
from gm.games.medieval.steps.realms import CityCount, largest_alliances, scores, victory_checked, victory_turns
from tests.medieval.testland import PROVINCES, REALMS, Played, atlas, make_turn, make_world, rules

ENG = frozenset({"ENG"})
BOTH = frozenset({"AQU", "ENG"})
FOUR = {"Paris": "ENG", "Bordeaux": "ENG", "Zeeland": "ENG"}
"""With London more than half of the seven cities."""


def checked(world: World, **victory: Any) -> Played:
    turn = make_turn(world)
    outcome = victory_checked(replace(turn, rules=rules().evolve(victory=rules().victory.evolve(**victory))))
    return Played(turn.state, outcome.state, outcome.events)


@pytest.mark.clause("V1")
@pytest.mark.parametrize(("cities", "total", "enough"), [(4, 8, True), (50, 101, False), (3, 7, False), (0, 0, False)])
def test_half_of_all_cities_is_enough_and_half_of_none_is_not(cities: int, total: int, *, enough: bool) -> None:
    assert CityCount({"ENG": cities}, frozenset(), total).suffices(ENG, rules()) is enough


@pytest.mark.clause("V1")
def test_cities_count_together_for_allies_only() -> None:
    cities = {"ENG": 4, "AQU": 4}
    assert CityCount(cities, frozenset({pair("AQU", "ENG")}), 8).suffices(BOTH, rules())
    assert not CityCount(cities, frozenset(), 8).suffices(BOTH, rules())


@pytest.mark.clause("V1")
def test_the_largest_alliances_are_those_that_a_search_through_all_sets_finds() -> None:
    codes = "ABCDE"
    every = [frozenset(found) for size in range(1, 6) for found in combinations(codes, size)]
    pairs = list(combinations(codes, 2))
    for drawn in range(0, 1 << len(pairs), 3):
        allied = frozenset(each for index, each in enumerate(pairs) if drawn >> index & 1)
        whole = [found for found in every if all(each in allied for each in combinations(sorted(found), 2))]
        largest = [found for found in whole if not any(found < other for other in whole)]
        assert largest_alliances(frozenset(codes), allied) == sorted(largest, key=sorted)


@pytest.mark.clause("V1", "L20")
def test_turns_are_counted_for_an_alliance_as_for_a_realm_and_told_in_one_order() -> None:
    now = CityCount({"ENG": 4, "AQU": 4}, frozenset({pair("AQU", "ENG")}), 8)
    world = make_world(victory_turns={"AQU+ENG": 3, "ENG": 1, "AQU": 2}, allied=[("AQU", "ENG")])
    found = victory_turns(world, now, None, rules())
    assert list(found.items()) == [(BOTH, 4), (frozenset({"AQU"}), 3), (ENG, 2)]


@pytest.mark.clause("V1")
def test_a_game_that_is_won_is_won_by_nobody_else() -> None:
    played = checked(make_world(owners=FOUR, winners=("FRA",), victory_turns={"ENG": 5}))
    assert played.world.winners == ("FRA",)
    assert not played.only(VictoryNear)
    assert not played.only(VictoryWon)


@pytest.mark.clause("V1", "L20")
def test_who_has_won_by_cities_is_not_scored_against_others_in_the_last_turn() -> None:
    played = checked(make_world(owners=FOUR, victory_turns={"ENG": 5}), last_turn=1)
    assert [each.realms for each in played.only(VictoryWon)] == [("ENG",)]
    assert not played.only(GameScored)


@pytest.mark.clause("V1")
def test_equal_scores_win_together_and_stand_in_the_order_of_their_codes() -> None:
    nobodys = make_world(owners={name: INDEPENDENTS for name, *_ in PROVINCES}, realms={"TEU": {"defeated": True}})
    world = nobodys.evolve(realms=dict(reversed(nobodys.realms.items())))
    living = sorted(REALMS.keys() - {"TEU"})
    assert scores(world, atlas(), rules()) == tuple((code, 0) for code in living)
    played = checked(world, last_turn=1)
    assert [each.realms for each in played.only(VictoryWon)] == [tuple(living)]
