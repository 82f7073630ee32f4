"""CF-7: what the computer plays."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.core.dice import Dice
from gm.games.conquest_fields.bots import (
    greedy_move,
    greedy_moves,
    minimax_depth,
    minimax_move,
    random_move,
)
from gm.games.conquest_fields.rules import Board
from gm.games.conquest_fields.state import Move, Position
from tests.conquest_fields.boards import NAMES, board, move, rules, start, wandered, words

WIN = rules().win_value
FIRST = {
    "squares4-6x6": (10, 4, "a1-a2"),
    "squares8-10x10-hole": (16, 6, "a1-a2"),
    "hexagon-5-hole": (24, 9, "a3-a4"),
    "hexagon-conquest-1.0": (6, 2, "a1-a2"),
    "triangles-7x6": (8, 4, "a1-a2"),
    "training-victory": (6, 1, "c1-b1"),
    "training-one-move": (19, 1, "c1-c2"),
    "training-2x3": (4, 2, "a1-b2"),
    "test-hexagons-horizontal": (5, 1, "a1-a2"),
}
"""Of red's first half-move: how many there are, how many of them greedy finds best, and what minimax
plays."""


def plain_value(here: Board, position: Position, made: int, depth: int) -> int:
    """What minimax without any pruning finds, written down as the clauses say it."""
    if not position.can_move(here):
        return made - WIN
    if made == depth:
        return position.lead
    return max(
        -plain_value(here, position.after(here, move), made + 1, depth) for move in position.moves(here)
    )


def plain_minimax(here: Board, position: Position, depth: int) -> Move:
    values = {move: -plain_value(here, position.after(here, move), 1, depth) for move in position.moves(here)}
    return min(move for move, value in values.items() if value == max(values.values()))


@pytest.mark.clause("CF-13.10", "CF-7.4", "CF-7.6", "CF-7.8")
@pytest.mark.parametrize("name", NAMES)
def test_reds_first_half_move_on_each_board(name: str) -> None:
    here = board(name)
    chosen = words(here, minimax_move(here, start(here), minimax_depth(here, rules()), WIN))
    assert (len(list(start(here).moves(here))), len(greedy_moves(here, start(here))), chosen) == FIRST[name]


@pytest.mark.clause("CF-13.7", "CF-6.2", "CF-7.4")
def test_win_in_one_move_has_one_such_move_and_greedy_finds_it() -> None:
    here = board("training-one-move")
    moves = start(here).moves(here)
    winning = [words(here, move) for move in moves if not start(here).after(here, move).can_move(here)]
    assert winning == ["c1-c2"]
    assert [words(here, move) for move in greedy_moves(here, start(here))] == winning
    after = start(here).after(here, move(here, "c1-c2"))
    assert [here.names[field] for field in range(16) if after.own >> field & 1] == ["d1"]  # circled, not gone


@pytest.mark.clause("CF-13.8")
def test_victory_is_yours_whatever_red_begins_with() -> None:
    here = board("training-victory")
    lengths = {}
    for way in start(here).moves(here):
        # a value of WIN - n is a win at half-way n
        value = -plain_value(here, start(here).after(here, way), 1, 9)
        lengths[words(here, way)] = WIN - value
    assert list(lengths) == ["a3-b2", "c1-b1", "c1-b2", "c1-c2", "c3-b2", "c3-c2"]
    assert (lengths["c1-b1"], lengths["c1-b2"]) == (3, 9)
    assert all(3 <= length <= 9 for length in lengths.values())


@pytest.mark.clause("CF-13.9", "CF-7.3", "CF-7.5")
def test_on_two_by_three_minimax_jumps_and_greedy_falls_for_growing() -> None:
    here = board("training-2x3")
    wins = {
        words(here, move): -plain_value(here, start(here).after(here, move), 1, 5)
        for move in start(here).moves(here)
    }
    assert wins == {"a1-b1": 2 - WIN, "a1-b2": WIN - 3, "a2-b1": WIN - 3, "a2-b2": 2 - WIN}
    assert minimax_move(here, start(here), 5, WIN) == move(here, "a1-b2")
    assert [words(here, move) for move in greedy_moves(here, start(here))] == ["a1-b1", "a2-b2"]


@pytest.mark.clause("CF-7.7", "CF-7.8")
@settings(deadline=None)
@given(
    st.lists(st.integers(0, 10_000), max_size=12), st.integers(1, 3), st.sampled_from([*NAMES[5:], NAMES[3]])
)
def test_pruning_never_changes_what_minimax_plays(choices: list[int], depth: int, name: str) -> None:
    here = board(name)
    position = wandered(here, choices)
    if position.can_move(here):
        shallow = min(depth, 2) if len(here.cells) > 20 else depth
        assert minimax_move(here, position, shallow, WIN) == plain_minimax(here, position, shallow)


@pytest.mark.clause("CF-7.4", "CF-11.1")
def test_greedy_draws_among_equals_in_canonical_order() -> None:
    here = board("squares4-6x6")
    equals = greedy_moves(here, start(here))
    assert [greedy_move(here, start(here), lambda n, at=at: at) for at in range(4)] == equals  # type: ignore[misc]


@pytest.mark.clause("CF-7.1", "CF-7.2")
def test_random_draws_among_all_moves() -> None:
    here = board("squares4-6x6")
    every = list(start(here).moves(here))
    assert [random_move(here, start(here), lambda n, at=at: at) for at in range(len(every))] == every  # type: ignore[misc]
    seen = {random_move(here, start(here), Dice("seed")("D1", n).below) for n in range(200)}
    assert seen == set(every)


Player = Callable[[Board, Position, Callable[[int], int]], Move]


def minimax_player(here: Board, position: Position, choose: Callable[[int], int]) -> Move:
    return minimax_move(here, position, minimax_depth(here, rules()), WIN)


def score(here: Board, red: Player, green: Player, seed: str, limit: int = 200) -> Fraction:
    """What red gets out of one game (CF-6.8)."""
    position = start(here)
    dice = Dice(seed)
    for half_move in range(1, limit + 1):
        mover = red if half_move % 2 else green
        position = position.after(here, mover(here, position, dice(half_move).below))
        if not position.can_move(here):
            return Fraction(half_move % 2)
    return Fraction(1, 2)


def tournament(first: Player, second: Player, boards: tuple[str, ...], games: int) -> Fraction:
    """The share of points that ``first`` gets, both colours played on each board."""
    points = [
        score(board(name), first, second, f"{name} {n}")
        if n % 2
        else 1 - score(board(name), second, first, f"{n}")
        for name, n in product(boards, range(games))
    ]
    return sum(points, Fraction(0)) / len(points)


@pytest.mark.slow
@pytest.mark.clause("CF-7.1", "CF-7.3")
def test_in_a_tournament_greedy_clearly_beats_random() -> None:
    assert tournament(greedy_move, random_move, NAMES[:5], 20) > Fraction(9, 10)


@pytest.mark.slow
@pytest.mark.clause("CF-7.5")
def test_in_a_tournament_minimax_clearly_beats_greedy() -> None:
    assert tournament(
        minimax_player, greedy_move, ("squares4-6x6", "triangles-7x6", "hexagon-conquest-1.0"), 10
    ) > Fraction(8, 10)
