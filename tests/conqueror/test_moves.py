"""What cases (tests/games/cases) cannot say of turns: chances, sums, single dice (CQ-6, CQ-7, CQ-15 to
CQ-17).
"""

from typing import Any

import pytest

from gm.core.pipeline import Outcome
from gm.games.conqueror.state import NEUTRAL, World
from tests.conqueror.turns import first_turn, of_kind, played, position, quiet


def picks(outcome: Outcome[World]) -> list[str]:
    """Whose orders were executed, in order."""
    kinds = ("Moved", "Fought", "Cancelled")
    events: list[Any] = [event for event in outcome.events if event.kind in kinds]
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    return [event.owner for event in events]


THREE = """moves:
  - {from: ARDEN, to: BRAY, armies: 1}
  - {from: ARDEN, to: CLUN, armies: 1}
  - {from: BRAY, to: ARDEN, armies: 1}
"""
ONE = "moves: [{from: LORN, to: DEAN, armies: 1}]\n"


@pytest.mark.clause("CQ-6.1", "CQ-6.2", "CQ-6.3", "CQ-21.3")
@pytest.mark.slow
def test_stacks_are_drawn_whatever_their_height_and_never_reordered() -> None:
    own = {"owner": "ARDEN", "control": 100}
    world = quiet(BRAY=own, CLUN=own, DEAN={"owner": "LORN", "control": 100})
    orders = {"arden": THREE, "lorn": ONE}
    firsts = 0
    shapes = set()
    for number in range(120):
        outcome = played(world, orders, seed=str(number))
        order = picks(outcome)
        firsts += order[0] == "LORN"
        shapes.add("".join(entry[0] for entry in order))
        mine = [(move.source, move.target) for move in of_kind(outcome, "Moved") if move.owner == "ARDEN"]
        assert mine == [("ARDEN", "BRAY"), ("ARDEN", "CLUN"), ("BRAY", "ARDEN")]
    assert shapes == {"LAAA", "ALAA", "AALA", "AAAL"}
    # a stack of one is drawn as often as a stack of three: half the time, not a quarter
    assert 40 < firsts < 80


@pytest.mark.clause("CQ-7.1", "CQ-7.2", "CQ-7.9", "CQ-22.5")
def test_a_battle_is_told_with_losses_and_draws() -> None:
    world = position(
        BRAY={"owner": "LORN", "control": 100, "fresh": 8, "fort": 3, "population": 8}, ARDEN={"fresh": 20}
    )
    outcome = first_turn(
        world,
        {"arden": "moves: [{from: ARDEN, to: BRAY, armies: all}]\n"},
        lambda fight: of_kind(fight, "Fought")[0].taken,
    )
    fight = of_kind(outcome, "Fought")[0]
    assert (fight.armies, fight.defenders, fight.fort) == (20, 8, 3)
    assert (fight.field[1], fight.siege[1]) == (5, 3)
    faces = [draw.partition("/")[2] for draw in fight.draws]
    assert faces == ["21"] * sum(fight.field) + ["41"] * sum(fight.siege)
    lost = sum(int(draw.partition("/")[0]) <= (11 if draw.endswith("/21") else 31) for draw in fight.draws)
    assert lost == fight.field[0] + fight.siege[0]
    assert of_kind(outcome, "Conquered")[0].armies == 20 - lost


@pytest.mark.clause("CQ-15.2", "CQ-21.3")
def test_one_number_is_drawn_for_each_province_with_an_owner() -> None:
    world = quiet(BRAY={"owner": "ARDEN", "control": 100})
    outcome = played(world, {"arden": "", "lorn": ""})
    rolled = next(event for event in of_kind(outcome, "DiceRolled") if "D4" in event.label)
    assert rolled.asked == (("100", 3),)
    assert rolled.label.startswith("turn 1 | ")


@pytest.mark.clause("CQ-17.1", "CQ-17.2", "CQ-17.3", "CQ-17.4")
def test_rank_follows_provinces_and_scores_are_counted_at_the_end() -> None:
    own = {"owner": "ARDEN", "control": 100, "population": 3, "fresh": 3}
    world = quiet(BRAY=own, CLUN=own, DEAN=own)
    outcome = played(world, {"arden": "", "lorn": ""})
    change = of_kind(outcome, "RankChanged")[0]
    assert (change.party, change.title, change.prestige, change.rose) == ("ARDEN", "Count", 2, True)
    state = outcome.state
    gold = state.parties["ARDEN"].gold
    expected = 5 + 9 + 10 + 20 + 3 * (3 + 9 + 5) + 2 * (1 + 0 + 2) + gold // 2
    assert state.parties["ARDEN"].score == expected
    fallen = played(
        state.with_provinces(state.provinces["DEAN"].owned_by(NEUTRAL)), {"arden": "", "lorn": ""}
    )
    assert not of_kind(fallen, "RankChanged")[0].rose
