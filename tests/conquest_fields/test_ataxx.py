"""The moves on 8-neighbour squares against published figures of Ataxx (``ataxx.yaml``), which nobody here
has made.
"""

import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from gm.core.yaml.models import load_data
from gm.games.conquest_fields.rules import Board, members
from gm.games.conquest_fields.search import Search
from gm.games.conquest_fields.state import GREEN_SIDE, RED_SIDE, Position
from tests.conquest_fields.boards import small

FIGURES: Any = load_data(Path(__file__).with_name("ataxx.yaml"))[0]
QUICK = 10_000  # So many lines of play are followed in the normal tests
CASES = [
    pytest.param(figure["fen"], depth, count, marks=pytest.mark.slow if count > QUICK else ())
    for figure in FIGURES
    for depth, count in enumerate(figure["counts"], 1)
]


def placed(fen: str) -> tuple[Board, Position]:
    """A board and a position as the published figures write them."""
    text, to_move = fen.split()
    rows = (
        re.sub(r"\d", lambda match: "." * int(match[0]), text)
        .translate(str.maketrans("xo-", "RG#"))
        .split("/")
    )
    board = small(*rows, topology="squares8")
    return board, Position.read(board, board.rows, RED_SIDE if to_move == "x" else GREEN_SIDE)


def distinct(board: Board, at: Position) -> set[Position]:
    """The positions after each move: growing into a field is one, from wherever it is done."""
    return {at.after(board, move) for move in at.moves(board)}


def lines_of_play(board: Board, at: Position, depth: int) -> int:
    after = distinct(board, at)
    return len(after) if depth == 1 else sum(lines_of_play(board, then, depth - 1) for then in after)


@pytest.mark.clause("CF-4.5", "CF-4.7", "CF-4.11", "CF-5.2", "CF-5.3", "CF-5.4", "CF-5.5", "CF-5.6", "CF-5.7")
@pytest.mark.parametrize(("fen", "depth", "count"), CASES)
def test_as_many_lines_of_play_as_the_published_figures_say(fen: str, depth: int, count: int) -> None:
    assert lines_of_play(*placed(fen), depth) == count


def test_there_are_at_least_23_figures() -> None:
    assert len(CASES) >= 23
    assert sum(not case.marks for case in CASES) >= 20


@pytest.mark.parametrize("fen", [figure["fen"] for figure in FIGURES])
def test_the_search_sees_the_same_moves(fen: str) -> None:
    board, at = placed(fen)
    positions = Search(board, at, 10_000, 10_000)._after(*at, at.lead)
    seen = [Position(own, enemy) for _, own, enemy in positions]
    assert [lead for lead, *_ in positions] == [position.lead for position in seen]
    assert set(seen) == distinct(board, at)
    assert len(seen) == len(set(seen))
    assert all(not position.own & position.enemy for position in seen)
    assert set(chain.from_iterable(members(position.own | position.enemy) for position in seen)) <= set(
        range(len(board.cells))
    )
