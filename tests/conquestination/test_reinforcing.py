"""CN-5.4, CN-6: how many units come, and where they go by default."""

from __future__ import annotations

import pytest

from gm.games.conquestination.state import (
    Country,
    continent_bonus,
    placed_by_default,
    reinforcements,
    to_deploy,
)
from tests.conquestination.lands import made, rules, shipped

RULES = rules().reinforcement


@pytest.mark.clause("CN-14.1", "CN-6.4", "CN-16.1")
def test_a_continents_bonus_is_half_its_countries_and_one_for_a_single_one() -> None:
    assert [continent_bonus(size, RULES) for size in (1, 2, 3, 5, 6)] == [1, 1, 1, 2, 3]
    four = shipped("four-shores")
    assert [continent_bonus(len(four.continent(each)), RULES) for each in "ABCD"] == [1, 1, 3, 1]
    assert [continent_bonus(len(shipped("test-5").continent(each)), RULES) for each in "PQ"] == [1, 1]


@pytest.mark.clause("CN-14.1", "CN-6.2", "CN-6.3", "CN-6.5")
def test_eleven_countries_with_two_whole_continents_bring_seven() -> None:
    held = ["A1", "A2", "B1", "B2", "C1", "C2", "C3", "C4", "C5", "C6", "D1"]
    share = reinforcements(held, shipped("four-shores"), RULES)
    assert share == (3, (("C", 3), ("D", 1)), 0)
    assert share.units == 7


@pytest.mark.clause("CN-14.1", "CN-6.3")
def test_two_countries_bring_nothing_unless_there_is_a_minimum() -> None:
    assert reinforcements(["A1", "B1"], shipped("four-shores"), RULES).units == 0
    assert reinforcements(["A1"], shipped("four-shores"), RULES.evolve(min_reinforcement=3)).units == 3


@pytest.mark.clause("CN-14.7", "CN-5.4")
def test_three_players_on_four_shores_deploy_five_six_and_six() -> None:
    assert [to_deploy(13, 3, dealt, rules().deployment) for dealt in (5, 4, 4)] == [5, 6, 6]


@pytest.mark.clause("CN-6.8")
def test_units_nobody_placed_go_where_the_enemy_is_strongest() -> None:
    land = shipped("test-5")
    holdings = {
        "P1": Country(owner="red", units=1),
        "P2": Country(owner="red", units=2),
        "P3": Country(owner="blue", units=4),
        "Q1": Country(owner="red", units=1),
        "Q2": Country(owner="blue", units=2),
    }
    # P2 faces 4 with 2; Q1 faces 4 and 2 with 1; P1 has no enemy
    assert placed_by_default("red", 3, holdings, land) == {"Q1": 3}
    assert placed_by_default("red", 5, holdings, land) == {"P2": 1, "Q1": 4}


@pytest.mark.clause("CN-6.8")
def test_equals_go_to_the_lowest_and_a_player_alone_fills_his_first_country() -> None:
    land = shipped("test-5")
    all_red = {country: Country(owner="red", units=1) for country in land.countries}
    assert placed_by_default("red", 2, all_red, land) == {"P1": 2}
    assert placed_by_default("blue", 2, all_red, land) == {}
    assert placed_by_default("red", 0, all_red, land) == {}
    split = {**all_red, "P2": Country(owner="blue", units=2)}
    assert placed_by_default("red", 1, split, land) == {"P1": 1}


def test_a_bonus_needs_the_whole_continent_of_a_random_map_too() -> None:
    land = made("seed")
    letter = max(land.continents, key=lambda each: len(land.continent(each)))
    whole = land.continent(letter)
    assert dict(reinforcements(whole, land, RULES).continents)[letter] == len(whole) // 2
    assert letter not in dict(reinforcements(whole[1:], land, RULES).continents)
