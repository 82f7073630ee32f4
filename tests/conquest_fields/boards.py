"""Boards and positions to test with: those that come with the program, and small ones from rows of text."""

from collections.abc import Iterable
from functools import cache

from gm.games.conquest_fields.rules import Board, Rules
from gm.games.conquest_fields.spec import SPEC
from gm.games.conquest_fields.state import RED_SIDE, Move, Position

NAMES = (
    "squares4-6x6",
    "squares8-10x10-hole",
    "hexagon-5-hole",
    "hexagon-conquest-1.0",
    "triangles-7x6",
    "training-victory",
    "training-one-move",
    "training-2x3",
    "test-hexagons-horizontal",
)
"""The nine of CF-4.14, in its order."""


@cache
def board(name: str) -> Board:
    """A board that comes with the program."""
    board = SPEC.shipped_table(name).board
    assert isinstance(board, Board)
    return board


@cache
def rules() -> Rules:
    """The rules as shipped."""
    rules = SPEC.shipped_table(NAMES[0]).rules
    assert isinstance(rules, Rules)
    return rules


def small(*rows: str, topology: str = "squares4") -> Board:
    """A board with this start position."""
    return Board(name="small", title="small", topology=topology, rows=rows)


def start(of: Board) -> Position:
    """Its start position, red to move."""
    return Position.read(of, of.rows, RED_SIDE)


def wandered(of: Board, choices: Iterable[int]) -> Position:
    """The position after half-moves that numbers choose, one after another, as long as there are any."""
    position = start(of)
    for choice in choices:
        moves = list(position.moves(of))
        if not moves:
            break
        position = position.after(of, moves[choice % len(moves)])
    return position


def move(of: Board, words: str) -> Move:
    """A move from words such as ``c1-c2``."""
    first, last = words.split("-")
    return Move(of.by_name[first], of.by_name[last])


def names(of: Board, fields: int) -> str:
    """A set of fields as names in canonical order."""
    return " ".join(name for field, name in enumerate(of.names) if fields >> field & 1)


def words(of: Board, made: Move) -> str:
    """A move in such words."""
    return f"{of.names[made.start]}-{of.names[made.end]}"
