"""The levels that look further than the strategies of the rules: what they find, and that they count and
never time.

The whole table of strength is in ``maps/conquest-fields/README.md``, with the command that makes it.
"""

from typing import get_args

import pytest

from gm.games.conquest_fields.bots import BOTS, STRATEGIES, chosen_move
from gm.games.conquest_fields.rules import Kind, OnMissing
from gm.games.conquest_fields.search import Search
from gm.games.conquest_fields.spec import DRAWING, SPEC
from gm.games.conquest_fields.state import Move
from gm.simulation.plan import make_plan
from tests.conquest_fields.boards import NAMES, board, move, rules, start, words
from tests.conquest_fields.matches import begun, run, table
from tests.conquest_fields.test_strategies import plain_value
from tests.series import counted, leads, series, winners

WIN = rules().win_value
LEVELS = {**rules().levels}


def equals(name: str, depth: int) -> list[Move]:
    """The best moves of looking so far ahead without any pruning."""
    here = board(name)
    at = start(board(name))
    values = {move: -plain_value(here, at.after(here, move), 1, depth) for move in at.moves(here)}
    return [move for move, value in values.items() if value == max(values.values())]


@pytest.mark.parametrize("name", NAMES[5:])
def test_what_a_search_finds_is_what_all_lines_of_play_say(name: str) -> None:
    here = board(name)
    at = start(board(name))
    for budget in (60, 400, 3000):
        search = Search(here, at, budget, WIN)
        moves = search.best_moves()
        assert moves
        if search.depth in (1, 2, 3):
            ends = {at.after(here, move) for move in equals(name, search.depth)}
            assert {at.after(here, move) for move in moves} == ends, (budget, search.depth)


def test_a_greater_budget_looks_further_and_the_same_one_as_far() -> None:
    here = board("squares4-6x6")
    at = start(board("squares4-6x6"))
    searches = [Search(here, at, budget, WIN) for budget in (300, 300, 9000)]
    moves = [search.best_moves() for search in searches]
    assert moves[0] == moves[1]
    assert searches[0].depth == searches[1].depth < searches[2].depth


def test_it_finds_the_only_move_that_wins_and_stops() -> None:
    here = board("training-one-move")
    search = Search(here, start(here), 10**6, WIN)
    assert [words(here, move) for move in search.best_moves()] == ["c1-c2"]
    assert search.depth < 5, "a sure win needs no further look"
    assert Search(here, start(here), 1, WIN).best_moves() == [move(here, "c1-c2")], (
        "the budget does not suffice at all"
    )


def test_levels_are_strategies_in_every_list() -> None:
    assert STRATEGIES[:3] == ("random", "greedy", "minimax")
    assert {*LEVELS} == {*STRATEGIES[3:]} <= {*get_args(Kind)} & {*get_args(OnMissing)} & {*BOTS} & DRAWING
    assert sorted(LEVELS.values()) == [*LEVELS.values()], "the strongest last"


@pytest.mark.clause("CF-1.5", "CF-11.1")
def test_a_level_plays_in_the_persons_run_and_draws_among_equals() -> None:
    at = table()
    outcome = run(at, begun(at, green="veteran"), "move: a1-b1")
    played = outcome.state.history
    assert [half_move.by for half_move in played] == ["human", "veteran"]
    rolled = [event.label for event in outcome.events if event.kind == "DiceRolled"]
    assert [label.rpartition(" | ")[2] for label in rolled] == ["D4 equal move"]
    assert run(at, begun(at, green="veteran"), "move: a1-b1").state == outcome.state, (
        "the same dice, the same move"
    )


def test_a_game_of_old_whose_rules_know_no_levels_plays_minimax() -> None:
    match = begun(table("training-2x3"))
    for strategy in LEVELS:
        move = chosen_move(strategy, match, board("training-2x3"), rules().evolve(levels={}), lambda n: 0)
        assert words(board("training-2x3"), move) == "a1-b2"


@pytest.mark.long(20)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("weaker", "stronger"), [("greedy", "minimax"), ("minimax", "veteran"), ("veteran", "master")]
)
def test_the_ladder_of_strength_by_simulation(weaker: str, stronger: str) -> None:
    """Each against the next, as ``pbem simulate`` plays them."""

    plan, _ = make_plan(
        SPEC, SPEC.maps()["squares4-6x6"], bots=f"{stronger},{weaker}", turns=300, seed="strength"
    )
    wins = counted(series(plan, 6, leads(stronger, weaker)), winners)
    assert wins[stronger] > wins[weaker], wins
