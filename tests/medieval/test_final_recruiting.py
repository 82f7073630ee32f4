"""Troops built and commanders hired in cities (L4, L5)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.core.dice import Dice
from gm.games.medieval.events.final import CommanderHired, TroopsBuilt
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.orders.model import HireCommander, Orders, Recruit, Written
from gm.games.medieval.steps.recruiting import (
    affordable,
    commanders_hired,
    drawn_commander,
    free_names,
    troops_built,
)
from tests.medieval.marks import marked, taken
from tests.medieval.testland import commander, make_world, rules, run_steps, unit

HERE = Written(1, 1, "order")


def recruit(world, text: str, *before):
    orders = {"ENG": f"units:\n  London:\n    recruit: {{{text}}}\n"}
    return run_steps(world, [*before, troops_built], orders, phase=0)


@pytest.mark.clause("L4", "W6")
def test_new_troops_stand_in_rank_one_of_the_garrison():
    world = make_world(unit("ENG/G1", "London", {"Longbowmen": (0, 0, 0, 2, 0)}))
    played = recruit(world, "Longbowmen: 3, Trading Cog: 1")
    assert played.unit("ENG/G1").troops == {"Longbowmen": (3, 0, 0, 2, 0), "Trading Cog": (1, 0, 0, 0, 0)}
    assert played.world.realms["ENG"].treasury == 100 - 3 * 5 - 4
    assert [(e.troop, e.count, e.cause) for e in played.only(TroopsChanged)] == [
        ("Longbowmen", 3, "recruited"),
        ("Trading Cog", 1, "recruited"),
    ]
    assert [(e.unit, e.place, e.troops) for e in played.only(TroopsBuilt)] == [
        ("ENG/G1", "London", {"Longbowmen": 3}),
        ("ENG/G1", "London", {"Trading Cog": 1}),
    ]


@pytest.mark.clause("L4", "W4")
def test_the_resource_value_limits_all_types_together_in_file_order():
    played = recruit(make_world(), "Longbowmen: 4, Men-at-Arms: 4, Heavy Cavalry: 1")
    assert [fate for _, fate, _ in played.fates("ENG")] == ["done", "reduced", "failed"]
    assert {reason for *_, reason in played.fates("ENG")} == {"", "resource-too-little"}
    garrison = played.unit("ENG/G1")
    assert (garrison.count("Longbowmen"), garrison.count("Men-at-Arms")) == (4, 2)


@pytest.mark.clause("L4", "L3.1")
def test_as_many_as_the_gold_allows_and_the_cheaper_are_still_tried():
    played = recruit(make_world(realms={"ENG": {"treasury": 18}}), "Heavy Cavalry: 3, Longbowmen: 1, Peasant Rabble: 2")
    assert played.fate("ENG", "Heavy Cavalry") == ("reduced", "gold-too-little")
    assert played.fate("ENG", "Longbowmen") == ("failed", "gold-too-little")
    assert played.fate("ENG", "Peasant Rabble") == ("reduced", "gold-too-little")
    assert played.unit("ENG/G1").count("Heavy Cavalry") == 2
    assert played.world.realms["ENG"].treasury == 0


@pytest.mark.clause("L4")
def test_the_city_must_have_been_held_all_turn_and_a_battle_there_is_fine():
    assert recruit(make_world(), "Longbowmen: 1", marked("London", battle=True)).fate("ENG", "Long") == ("done", "")
    retaken = recruit(make_world(), "Longbowmen: 1", marked("London", changed_owner=True))
    assert retaken.fate("ENG", "Longbowmen") == ("failed", "city-not-held")
    won = recruit(make_world(), "Longbowmen: 1", marked("London", owner_at_start="FRA"))
    assert won.fate("ENG", "Longbowmen") == ("failed", "city-not-held")


@pytest.mark.clause("L4")
def test_only_types_of_the_citys_list_and_ships_only_with_a_harbour():
    sheet = Orders("ENG", 1, units=(Recruit(HERE, "London", "Spanish Knights", 1),))
    played = run_steps(make_world(), [troops_built], {"ENG": sheet}, phase=0)
    assert played.fate("ENG", "order") == ("failed", "not-recruited-here")
    inland = recruit(
        make_world(provinces={"London": {"harbour": False}}),
        "Trading Cog: 1, Longbowmen: 1",
    )
    assert inland.fate("ENG", "Trading Cog") == ("failed", "ships-need-harbour")
    assert inland.fate("ENG", "Longbowmen") == ("done", "")


@pytest.mark.clause("L4", "W5")
def test_only_garrisons_of_cities_recruit():
    world = make_world(unit("ENG/A1", "London", {"Archers": 1}), provinces={"Kent": {"fortification": 1}})
    fort = make_world(unit("ENG/G2", "Kent"), provinces={"Kent": {"fortification": 1}})
    for start, who in ((world, "A1"), (fort, "Kent")):
        sheet = Orders("ENG", 1, units=(Recruit(HERE, who, "Longbowmen", 1), HireCommander(HERE, who, 1)))
        played = run_steps(start, [troops_built, commanders_hired], {"ENG": sheet}, phase=0)
        assert [reason for *_, reason in played.fates("ENG")] == ["recruit-needs-city", "hire-needs-city"]


@pytest.mark.clause("L4")
def test_a_garrison_that_was_lost_recruits_for_nobody():
    played = recruit(make_world(), "Longbowmen: 1", taken("London", "FRA", changed_owner=True))
    assert played.fate("ENG", "Longbowmen")[0] == "failed"


@pytest.mark.clause("L4", "L5", "F7")
def test_nobody_is_recruited_for_a_unit_that_is_not_there():
    sheet = Orders("ENG", 1, units=(Recruit(HERE, "A77", "Longbowmen", 1), HireCommander(HERE, "A77", 1)))
    played = run_steps(make_world(), [troops_built, commanders_hired], {"ENG": sheet})
    assert [fate[1:] for fate in played.fates("ENG")] == [("failed", "unit-not-yours")] * 2


@pytest.mark.clause("L3.1", "L4")
def test_what_costs_nothing_needs_no_gold():
    assert affordable(3, Decimal(0), Decimal(0)) == 3


# -- L5 ----------------------------------------------------------------------------------------------------------------


def hire(world, count: int, seed: str = "test"):
    orders = {"ENG": f"units:\n  London:\n    hire_commander: {count}\n"}
    return run_steps(world, [commanders_hired], orders, phase=0, seed=seed)


ROYAL = {"ENG": {"status": "royalty"}}


@pytest.mark.clause("L5", "T5")
def test_royalty_hires_commanders_into_the_garrison_of_a_city():
    played = hire(make_world(realms=ROYAL), 2)
    hired = played.unit("ENG/G1").commanders
    assert len(hired) == 2
    assert len({who.name for who in hired}) == 2
    assert played.world.realms["ENG"].treasury == 70
    assert [event.commander for event in played.only(CommanderHired)] == [who.name for who in hired]
    assert [(event.count, event.cause) for event in played.only(CommandersChanged)] == [(1, "hired"), (1, "hired")]


@pytest.mark.clause("L5", "V2")
def test_commoners_hire_nobody_and_royalty_has_five_at_most():
    assert hire(make_world(), 1).fate("ENG", "hire_commander") == ("failed", "commanders-need-royalty")
    serving = [commander(f"Hugh {number}") for number in range(4)]
    world = make_world(unit("ENG/A1", "Kent", commanders=serving), realms=ROYAL)
    assert hire(world, 1).fate("ENG", "hire_commander") == ("done", "")
    assert hire(world, 2).fate("ENG", "hire_commander") == ("failed", "commanders-limit")


@pytest.mark.clause("L5", "V2")
def test_who_was_hired_in_one_city_counts_in_the_next():
    world = make_world(owners={"Paris": "ENG"}, realms={"ENG": {"status": "royalty", "treasury": 999}})
    orders = "units:\n  London:\n    hire_commander: 3\n  Paris:\n    hire_commander: 3\n"
    played = run_steps(world, [commanders_hired], {"ENG": orders}, phase=0)
    assert sorted(fate for _, *fate in played.fates("ENG")) == [["done", ""], ["failed", "commanders-limit"]]
    assert sum(event.count for event in played.only(CommandersChanged)) == 3


@pytest.mark.clause("L5", "L3.1")
def test_an_order_to_hire_is_carried_out_whole_or_not_at_all():
    world = make_world(realms={"ENG": {"status": "royalty", "treasury": 29}})
    played = hire(world, 2)
    assert played.fate("ENG", "hire_commander") == ("failed", "gold-too-little")
    assert played.world.realms["ENG"].treasury == 29
    assert hire(world, 1).world.realms["ENG"].treasury == 14


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


@pytest.mark.clause("L4", "L5")
def test_nothing_is_not_an_order():
    sheet = Orders("ENG", 1, units=(Recruit(HERE, "London", "Longbowmen", 0), HireCommander(HERE, "London", 0)))
    played = run_steps(make_world(realms=ROYAL), [troops_built, commanders_hired], {"ENG": sheet}, phase=0)
    assert {reason for *_, reason in played.fates("ENG")} == {"amount-not-positive"}
    assert played.world.realms["ENG"].treasury == Decimal(100)
