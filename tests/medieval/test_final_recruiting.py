"""Troops built and commanders hired in cities (L4, L5)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.core.dice import Dice
from gm.games.medieval.orders.model import HireCommander, Orders, Recruit, Written
from gm.games.medieval.steps.recruiting import (
    affordable,
    commanders_hired,
    drawn_commander,
    free_names,
    troops_built,
)
from tests.medieval.testland import make_world, rules, run_steps, unit

HERE = Written(1, 1, "order")


def recruit(world, text: str, *before):
    orders = {"ENG": f"units:\n  London:\n    recruit: {{{text}}}\n"}
    return run_steps(world, [*before, troops_built], orders, phase=0)


@pytest.mark.clause("L4", "W5")
def test_only_garrisons_of_cities_recruit():
    world = make_world(unit("ENG/A1", "London", {"Archers": 1}), provinces={"Kent": {"fortification": 1}})
    fort = make_world(unit("ENG/G2", "Kent"), provinces={"Kent": {"fortification": 1}})
    for start, who in ((world, "A1"), (fort, "Kent")):
        sheet = Orders("ENG", 1, units=(Recruit(HERE, who, "Longbowmen", 1), HireCommander(HERE, who, 1)))
        played = run_steps(start, [troops_built, commanders_hired], {"ENG": sheet}, phase=0)
        assert [reason for *_, reason in played.fates("ENG")] == ["recruit-needs-city", "hire-needs-city"]


@pytest.mark.clause("L3.1", "L4")
def test_what_costs_nothing_needs_no_gold():
    assert affordable(3, Decimal(0), Decimal(0)) == 3


# -- L5 ----------------------------------------------------------------------------------------------------------------


def hire(world, count: int, seed: str = "test"):
    orders = {"ENG": f"units:\n  London:\n    hire_commander: {count}\n"}
    return run_steps(world, [commanders_hired], orders, phase=0, seed=seed)


@pytest.mark.clause("L5", "T5", "W12")
def test_each_tactic_is_the_lower_of_two_draws_and_some_commanders_are_better():
    stream = Dice("seed")("hired")
    drawn = [drawn_commander(stream, set(), rules()) for _ in range(500)]
    ratings = [rating for who in drawn for rating in (who.infantry, who.cavalry, who.siege, who.naval)]
    assert min(ratings) == 1
    assert max(ratings) > 50
    # the lower of two draws of 1..60 is 20.5 on average; of 2000 the mean lies within 1.5 all but certainly
    assert abs(sum(ratings) / len(ratings) - 20.5) < 1.5
    check = Dice("seed")("hired")
    check.below(len(rules().commander_names))
    assert drawn[0].infantry == min(check.below(60), check.below(60)) + 1


@pytest.mark.clause("L5", "W6")
def test_names_are_unique_in_the_realm_even_when_all_are_borne():
    names = rules().commander_names
    assert free_names(set(names[1:]), rules()) == [names[0]]
    assert free_names(set(names), rules())[0] == f"{names[0]} 2"
    nameless = rules().evolve(commander_names=())
    assert [free_names(taken, nameless) for taken in (set(), {"Commander"})] == [["Commander"], ["Commander 2"]]
