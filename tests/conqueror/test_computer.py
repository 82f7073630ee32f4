"""CQ-18, CQ-20.1: how the computer plays seats without a person."""

from __future__ import annotations

from typing import Any

import pytest

from gm.game.base.position import NOBODY
from gm.games.conqueror.bots import needed_against, plan_of, weight_of_defence
from gm.games.conqueror.state import Orders, World
from tests.conqueror.powers import board, province, rules
from tests.conqueror.turns import of_kind, opened, played, quiet


def plan(world: World, code: str = "ARDEN") -> Orders:
    return plan_of(world, code, board(), rules(), lambda many: 0)


@pytest.mark.clause("CQ-18.1", "CQ-18.2")
def test_the_computer_buys_recruits_where_it_is_threatened_as_long_as_winter_is_paid() -> None:
    world = quiet(gold=40, BRAY={"owner": "LORN", "control": 100, "fresh": 8})
    bought = plan(world).buy
    # 8 against 5: three recruits at 8; the bill of 6 armies is 3, then 4, then 5
    assert [(each.province, each.item, each.count) for each in bought] == [("ARDEN", "recruit", 3)]
    assert plan(world.with_party("ARDEN", gold=12)).buy[0].count == 1
    assert plan(world.with_party("ARDEN", gold=9)).buy == ()
    neutrals = quiet(gold=40, BRAY={"fresh": 8})
    assert plan(neutrals).buy == ()


@pytest.mark.clause("CQ-18.2")
def test_the_computer_saves_its_capital_first_and_then_what_is_worth_most() -> None:
    own = {"owner": "ARDEN", "control": 100, "fresh": 1, "population": 3}
    world = quiet(gold=20, BRAY=own, CLUN={**own, "population": 9}, DEAN={"owner": "LORN", "fresh": 3})
    # a recruit costs 10 in a primitive province, and winter will cost 2
    assert [(each.province, each.count) for each in plan(world).buy] == [("CLUN", 1)]
    richer = plan(world.with_party("ARDEN", gold=60)).buy
    assert [each.province for each in richer] == ["CLUN", "BRAY"]
    pressed = world.with_provinces(
        world.provinces["ARDEN"].evolve(fresh=0), world.provinces["BRAY"].owned_by("LORN").evolve(fresh=2)
    )
    assert plan(pressed).buy[0].province == "ARDEN"


@pytest.mark.clause("CQ-18.3")
@pytest.mark.parametrize(
    ("changes", "item"),
    [
        ({"BRAY": {"owner": "LORN", "fresh": 9}}, "recruit"),
        ({"ARDEN": {"control": 39}}, "diplomat"),
        ({"ARDEN": {"control": 39, "culture": 1, "population": 2}}, "farms"),
        ({"ARDEN": {"population": 2}}, "farms"),
        ({"ARDEN": {"fresh": 200}, "gold": 0}, "taxes"),
        ({"BRAY": {"owner": "ARDEN"}, "CLUN": {"owner": "ARDEN"}}, "advance"),
        ({"BRAY": {"owner": "ARDEN"}, "CLUN": {"owner": "ARDEN"}, "ARDEN": {"culture": 1}}, "develop"),
        ({"BRAY": {"owner": "ARDEN"}, "CLUN": {"owner": "ARDEN"}, "ARDEN": {"culture": 3}}, "taxes"),
        ({}, "recruit"),
    ],
)
def test_what_the_computer_lets_a_province_work_on(changes: dict[str, Any], item: str) -> None:
    world = quiet(**changes)
    orders = {each.province: each.item for each in plan(world).production}
    assert orders.get("ARDEN", world.provinces["ARDEN"].item) == item


@pytest.mark.clause("CQ-18.4")
def test_the_computer_attacks_what_is_worth_most_for_its_effort() -> None:
    assert weight_of_defence(province(fresh=8, fort=3), rules()) == 5 * 11 + 3 * 31
    assert needed_against(province(fresh=8, fort=3), rules()) == 16
    assert needed_against(province(fresh=0), rules()) == 1
    # CLUN 11 points for 4 armies, BRAY 10 points for 3
    moves = plan(quiet()).moves
    assert [(each.source, each.target, each.armies) for each in moves] == [("ARDEN", "BRAY", 4)]
    assert plan(quiet(ARDEN={"fresh": 3})).moves == ()
    both = plan(quiet(BRAY={"owner": "ARDEN", "fresh": 6}, CLUN={"fresh": 1, "population": 9})).moves
    assert (both[0].source, both[0].target) == ("BRAY", "CLUN")
    assert len({each.target for each in both}) == len(both)


@pytest.mark.clause("CQ-18.5")
def test_the_computer_sends_what_stands_inside_to_the_border_five_orders_at_most() -> None:
    own = {"owner": "ARDEN", "fresh": 1}
    world = quiet(BRAY=own, CLUN=own, DEAN={"fresh": 9}, ESK={"fresh": 9})
    assert [(each.source, each.target, each.armies) for each in plan(world).moves] == [("ARDEN", "BRAY", 4)]
    europe = opened("europe859")
    everything = {
        code: each.owned_by("WESS").evolve(fresh=4) for code, each in europe.provinces.items() if code != "KIEV"
    }
    large = europe.with_provinces(*everything.values())
    found = plan_of(large, "WESS", board("europe859"), rules(), lambda many: 0)
    assert len(found.moves) == rules().limits.moves


@pytest.mark.clause("CQ-2.3", "CQ-18.4", "CQ-20.1")
def test_the_computer_plays_a_seat_without_a_person() -> None:
    world = quiet().with_party("ARDEN", controller=NOBODY)
    outcome = played(world, {"lorn": ""})
    assert [(each.owner, each.target) for each in of_kind(outcome, "Fought")] == [("ARDEN", "BRAY")]
    assert outcome.state.plans == {}


@pytest.mark.clause("CQ-20.1")
def test_a_silent_player_stands_still_for_three_turns_and_then_the_computer_plays_until_a_file_comes() -> None:
    world = quiet(ARDEN={"item": "fort"})
    for missed in (1, 2, 3):
        outcome = played(world, {"lorn": ""})
        assert of_kind(outcome, "Fought") == []
        assert outcome.state.provinces["ARDEN"].item == "fort"
        assert outcome.state.parties["ARDEN"].missed == missed
        world = outcome.state
    fourth = played(world, {"lorn": ""})
    assert [each.party for each in of_kind(fourth, "ComputerPlays")] == ["ARDEN"]
    assert [each.owner for each in of_kind(fourth, "Fought")] == ["ARDEN"]
    back = played(world, {"arden": "", "lorn": ""})
    assert of_kind(back, "Fought") == []
    assert back.state.parties["ARDEN"].missed == 0
