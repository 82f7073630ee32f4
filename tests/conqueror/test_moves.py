"""CQ-5, CQ-6, CQ-7: moves, stacks, battles, in whole turns."""

from __future__ import annotations

from typing import Any

import pytest

from gm.core.pipeline import Outcome
from gm.games.conqueror.state import NEUTRAL, World
from tests.conqueror.turns import fates, first_turn, messages, of_kind, orders_in, played, position, quiet, read

TAKE_BRAY = "moves: [{from: ARDEN, to: BRAY, armies: 4}]\n"


def armies(outcome: Outcome[World], *codes: str) -> list[int]:
    return [outcome.state.provinces[code].armies for code in codes]


@pytest.mark.clause("CQ-5.1", "CQ-5.2", "CQ-6.4")
def test_into_an_own_province_armies_move() -> None:
    world = quiet(BRAY={"owner": "ARDEN", "control": 100, "population": 3})
    outcome = played(world, {"arden": "moves: [{from: ARDEN, to: BRAY, armies: 3}]\n"})
    assert [(each.source, each.target, each.armies) for each in of_kind(outcome, "Moved")] == [("ARDEN", "BRAY", 3)]
    assert armies(outcome, "ARDEN", "BRAY") == [2, 4]


@pytest.mark.clause("CQ-5.3", "CQ-5.4")
def test_armies_that_have_arrived_go_no_further_this_turn_and_are_fresh_the_next() -> None:
    world = quiet(BRAY={"owner": "ARDEN", "control": 100, "fresh": 1, "population": 3})
    moves = "moves: [{from: ARDEN, to: BRAY, armies: 3}, {from: BRAY, to: CLUN, armies: all}]\n"
    outcome = played(world, {"arden": moves})
    assert of_kind(outcome, "Fought")[0].armies == 1
    assert outcome.state.provinces["BRAY"].fresh == 3
    assert outcome.state.provinces["BRAY"].moved == 0


@pytest.mark.clause("CQ-5.5")
def test_a_province_that_all_armies_leave_stays_owned() -> None:
    world = quiet(BRAY={"owner": "ARDEN", "control": 100, "population": 3})
    after = played(world, {"arden": "moves: [{from: ARDEN, to: BRAY, armies: all}]\n"}).state
    assert (after.provinces["ARDEN"].owner, after.provinces["ARDEN"].armies) == ("ARDEN", 0)


@pytest.mark.clause("CQ-5.6", "CQ-7.9", "CQ-7.10")
def test_an_empty_province_is_taken_without_a_duel() -> None:
    world = quiet(BRAY={"fresh": 0, "population": 1, "stored": {"farms": 3}})
    outcome = played(world, {"arden": TAKE_BRAY})
    fight = of_kind(outcome, "Fought")[0]
    bray = outcome.state.provinces["BRAY"]
    assert (fight.draws, fight.taken, bray.owner, bray.armies) == ((), True, "ARDEN", 4)
    assert (dict(bray.stored), bray.item, bray.conquered_on, bray.status) == ({}, "taxes", 1, "empire")
    # for the conquest, and for the taxes
    assert bray.control == 40 - 10 - 1


@pytest.mark.clause("CQ-5.7", "CQ-20.4")
def test_too_many_armies_are_trimmed_from_the_later_order() -> None:
    world = quiet(CLUN={"owner": "ARDEN", "control": 100}, BRAY={"owner": "ARDEN", "control": 100})
    more = ", {from: ARDEN, to: BRAY, armies: 1}"
    text = f"moves: [{{from: ARDEN, to: BRAY, armies: 4}}, {{from: ARDEN, to: CLUN, armies: 4}}{more}]\n"
    reading = read(world, "arden", text)
    assert messages(reading) == [
        "warning CQ-5.7: ARDEN has only 1 left to send; 4 is trimmed to that",
        "error CQ-20.4: ARDEN has nothing left to send",
    ]
    assert [each.armies for each in orders_in(reading).moves] == [4, 1]
    outcome = played(world, {"arden": text.replace(more, "")})
    assert fates(outcome, "ARDEN") == [("done", ""), ("reduced", "fewer-armies")]


def picks(outcome: Outcome[World]) -> list[str]:
    """Whose orders were executed, in order."""
    kinds = ("Moved", "Fought", "Cancelled")
    found: list[Any] = [event for event in outcome.events if event.kind in kinds]
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    return [each.owner for each in found]


THREE = """moves:
  - {from: ARDEN, to: BRAY, armies: 1}
  - {from: ARDEN, to: CLUN, armies: 1}
  - {from: BRAY, to: ARDEN, armies: 1}
"""
ONE = "moves: [{from: LORN, to: DEAN, armies: 1}]\n"


@pytest.mark.clause("CQ-6.1", "CQ-6.2", "CQ-6.3", "CQ-21.3")
def test_stacks_are_drawn_whatever_their_height_and_never_reordered() -> None:
    own = {"owner": "ARDEN", "control": 100}
    world = quiet(BRAY=own, CLUN=own, DEAN={"owner": "LORN", "control": 100})
    orders = {"arden": THREE, "lorn": ONE}
    firsts, shapes = 0, set()
    for number in range(120):
        outcome = played(world, orders, seed=str(number))
        order = picks(outcome)
        firsts += order[0] == "LORN"
        shapes.add("".join(each[0] for each in order))
        mine = [(each.source, each.target) for each in of_kind(outcome, "Moved") if each.owner == "ARDEN"]
        assert mine == [("ARDEN", "BRAY"), ("ARDEN", "CLUN"), ("BRAY", "ARDEN")]
    assert shapes == {"LAAA", "ALAA", "AALA", "AAAL"}
    # a stack of one is drawn as often as a stack of three: half the time, not a quarter
    assert 40 < firsts < 80


@pytest.mark.clause("CQ-6.4", "CQ-6.5", "CQ-6.8")
def test_a_move_out_of_a_province_that_was_attacked_is_cancelled_whole() -> None:
    world = quiet(
        BRAY={"owner": "ARDEN", "control": 100, "fresh": 6}, DEAN={"owner": "LORN", "control": 100, "fresh": 1}
    )
    orders = {
        "arden": "moves: [{from: BRAY, to: ARDEN, armies: 3}]\n",
        "lorn": "moves: [{from: DEAN, to: BRAY, armies: 1}]\n",
    }
    attacked_first = first_turn(world, orders, lambda outcome: picks(outcome)[0] == "LORN")
    assert fates(attacked_first, "ARDEN") == [("failed", "source-attacked")]
    lost = of_kind(attacked_first, "Fought")[0].field[1]
    assert armies(attacked_first, "BRAY", "ARDEN") == [6 - lost, 5]
    moved_first = first_turn(world, orders, lambda outcome: picks(outcome)[0] == "ARDEN")
    assert fates(moved_first, "ARDEN") == [("done", "")]


@pytest.mark.clause("CQ-6.4", "CQ-6.5")
def test_a_move_to_a_province_that_was_lost_is_cancelled() -> None:
    world = quiet(
        BRAY={"owner": "ARDEN", "control": 100, "fresh": 0}, DEAN={"owner": "LORN", "control": 100, "fresh": 5}
    )
    orders = {
        "arden": "moves: [{from: ARDEN, to: BRAY, armies: 3}]\n",
        "lorn": "moves: [{from: DEAN, to: BRAY, armies: 4}]\n",
    }
    outcome = first_turn(world, orders, lambda each: picks(each)[0] == "LORN")
    assert fates(outcome, "ARDEN") == [("failed", "target-lost")]
    assert armies(outcome, "ARDEN", "BRAY") == [5, 4]


@pytest.mark.clause("CQ-6.6")
def test_an_attack_from_an_attacked_province_goes_with_those_who_are_left() -> None:
    world = quiet(
        BRAY={"owner": "ARDEN", "control": 100, "fresh": 4, "population": 4},
        DEAN={"owner": "LORN", "control": 100, "fresh": 3},
        CLUN={"owner": NEUTRAL, "fresh": 1},
    )
    orders = {
        "arden": "moves: [{from: BRAY, to: CLUN, armies: 4}]\n",
        "lorn": "moves: [{from: DEAN, to: BRAY, armies: 3}]\n",
    }

    def thinned(outcome: Outcome[World]) -> bool:
        fights = of_kind(outcome, "Fought")
        return fights[0].owner == "LORN" and not fights[0].taken and fights[0].field[1] > 0

    outcome = first_turn(world, orders, thinned)
    first, second = of_kind(outcome, "Fought")
    assert second.armies == 4 - first.field[1]
    assert fates(outcome, "ARDEN") == [("reduced", "fewer-armies")]
    lost = first_turn(world, orders, lambda each: of_kind(each, "Fought")[0].taken and picks(each)[0] == "LORN")
    assert fates(lost, "ARDEN") == [("failed", "source-lost")]


@pytest.mark.clause("CQ-6.6")
def test_an_attack_is_cancelled_when_nobody_is_left_to_go() -> None:
    world = quiet(
        BRAY={"owner": "ARDEN", "control": 100, "fresh": 4, "population": 4},
        DEAN={"owner": "LORN", "control": 100, "fresh": 4},
    )
    orders = {
        "arden": "moves: [{from: BRAY, to: CLUN, armies: 2}, {from: BRAY, to: CLUN, armies: 2}]\n",
        "lorn": "moves: [{from: DEAN, to: BRAY, armies: 4}]\n",
    }
    outcome = first_turn(world, orders, lambda each: ("failed", "none-left") in fates(each, "ARDEN"))
    assert picks(outcome)[0] == "LORN"
    assert fates(outcome, "ARDEN")[1] == ("failed", "none-left")


@pytest.mark.clause("CQ-6.7")
def test_an_attack_on_what_has_become_own_is_a_move() -> None:
    world = quiet(CLUN={"owner": "ARDEN", "control": 100, "fresh": 5}, BRAY={"fresh": 0})
    moves = "moves: [{from: ARDEN, to: BRAY, armies: 2}, {from: CLUN, to: BRAY, armies: 3}]\n"
    outcome = played(world, {"arden": moves})
    assert [each.kind for each in outcome.events if each.kind in ("Fought", "Moved")] == ["Fought", "Moved"]
    assert outcome.state.provinces["BRAY"].armies == 5


@pytest.mark.clause("CQ-6.7")
def test_an_attack_hits_whoever_has_the_province_by_then() -> None:
    world = quiet(DEAN={"owner": "LORN", "control": 100, "fresh": 5}, BRAY={"fresh": 0})
    orders = {
        "arden": "moves: [{from: ARDEN, to: BRAY, armies: 4}]\n",
        "lorn": "moves: [{from: DEAN, to: BRAY, armies: 4}]\n",
    }
    outcome = first_turn(world, orders, lambda each: picks(each)[0] == "LORN")
    second = of_kind(outcome, "Fought")[1]
    assert (second.owner, second.defender, second.defenders) == ("ARDEN", "LORN", 4)


@pytest.mark.clause("CQ-6.6")
def test_a_province_won_back_sends_nobody_who_has_moved() -> None:
    world = quiet(
        BRAY={"owner": "ARDEN", "control": 100, "fresh": 1}, DEAN={"owner": "LORN", "control": 100, "fresh": 2}
    )
    orders = {
        "arden": "moves: [{from: ARDEN, to: BRAY, armies: 5}, {from: BRAY, to: CLUN, armies: 1}]\n",
        "lorn": "moves: [{from: DEAN, to: BRAY, armies: 2}]\n",
    }

    def lost_before(outcome: Outcome[World]) -> bool:
        return picks(outcome)[0] == "LORN" and of_kind(outcome, "Fought")[0].taken

    # the first order was a move when it was planned: into a province that is lost it does not go
    assert fates(first_turn(world, orders, lost_before), "ARDEN") == [
        ("failed", "target-lost"),
        ("failed", "source-lost"),
    ]


@pytest.mark.clause("CQ-7.1", "CQ-7.2", "CQ-7.9", "CQ-22.5")
def test_a_battle_is_told_with_losses_and_draws() -> None:
    world = position(
        BRAY={"owner": "LORN", "control": 100, "fresh": 8, "fort": 3, "population": 8}, ARDEN={"fresh": 20}
    )
    outcome = first_turn(
        world,
        {"arden": "moves: [{from: ARDEN, to: BRAY, armies: all}]\n"},
        lambda each: of_kind(each, "Fought")[0].taken,
    )
    fight = of_kind(outcome, "Fought")[0]
    assert (fight.armies, fight.defenders, fight.fort) == (20, 8, 3)
    assert (fight.field[1], fight.siege[1]) == (5, 3)
    faces = [draw.partition("/")[2] for draw in fight.draws]
    assert faces == ["21"] * sum(fight.field) + ["41"] * sum(fight.siege)
    lost = sum(int(draw.partition("/")[0]) <= (11 if draw.endswith("/21") else 31) for draw in fight.draws)
    assert lost == fight.field[0] + fight.siege[0]
    assert of_kind(outcome, "Conquered")[0].armies == 20 - lost


@pytest.mark.clause("CQ-7.11", "CQ-18.1")
def test_a_capital_that_falls_moves_at_once_and_with_the_last_province_a_player_is_out() -> None:
    world = quiet(
        ARDEN={"fresh": 0}, CLUN={"owner": "LORN", "control": 100, "fresh": 5}, BRAY={"owner": "ARDEN", "control": 100}
    )
    take = "moves: [{from: CLUN, to: ARDEN, armies: 4}]\n"
    moved = played(world, {"lorn": take, "arden": ""})
    told = of_kind(moved, "CapitalMoved")[0]
    assert (told.party, told.formerly, told.capital) == ("ARDEN", "ARDEN", "BRAY")
    assert moved.state.parties["ARDEN"].capital == "BRAY"
    last = world.with_provinces(world.provinces["BRAY"].owned_by(NEUTRAL))
    gone = played(last, {"lorn": take, "arden": ""})
    assert gone.state.parties["ARDEN"].capital is None
    assert (gone.state.parties["ARDEN"].out, gone.state.parties["ARDEN"].status) == (True, "eliminated")
    assert (gone.state.winners, gone.state.ended_by) == (("LORN",), "alone")
    assert [each.party for each in of_kind(gone, "Eliminated")] == ["ARDEN"]


@pytest.mark.clause("CQ-7.11")
def test_a_capital_stays_where_it_is_when_another_province_falls() -> None:
    own = {"owner": "ARDEN", "control": 100, "fresh": 0, "population": 9}
    world = quiet(BRAY=own, CLUN=own, DEAN={"owner": "LORN", "control": 100, "fresh": 2})
    outcome = played(world, {"lorn": "moves: [{from: DEAN, to: BRAY, armies: 2}]\n", "arden": ""})
    assert of_kind(outcome, "CapitalMoved") == []
    assert outcome.state.parties["ARDEN"].capital == "ARDEN"
