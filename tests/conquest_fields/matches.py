"""Games, order files and runs to test with."""

from collections.abc import Mapping
from typing import Any

from gm.core.pipeline import Outcome
from gm.game.values import GameData, OrderFile
from gm.games.conquest_fields.rules import Board, Settings
from gm.games.conquest_fields.spec import SPEC
from gm.games.conquest_fields.state import Match
from tests.conquest_fields.boards import rules

GAME = "cf-demo"


def table(name: str = "squares4-6x6") -> GameData:
    """Rules and a board that comes with the program."""
    return SPEC.shipped_table(name)


def small_table(*rows: str, topology: str = "squares4") -> GameData:
    """Rules and a board with this start position."""
    return GameData(rules(), Board(name="small", title="small", topology=topology, rows=rows))


def begun(at: GameData, seed: str = "seed", **settings: Any) -> Match:
    """A new game on a board."""
    spec: Any = SPEC
    match = spec.opening(at, spec.chosen(Settings(**settings), at.board, 0), seed)
    assert isinstance(match, Match)
    return match


def read(at: GameData, match: Match, text: str, side: str = "", turn: int | None = None) -> OrderFile:
    """An order file of the side to move, below whose head ``text`` stands."""
    quoted = match.number if turn is None else turn
    data = f"game: {GAME}\nturn: {quoted}\nplayer: {side or match.to_move.lower()}\n{text}\n".encode()
    return SPEC.read_orders(at, match, data, "orders.yaml", game=GAME, realm=None, key=None)


def run(at: GameData, match: Match, text: str | None = None, seed: str = "seed") -> Outcome[Match]:
    """A run: with this order of the side to move, or without any."""
    sheets: Mapping[str, Any] = {}
    if text is not None:
        reading = read(at, match, text)
        assert reading.sheet is not None, reading.diagnostics
        sheets = {match.to_move: reading.sheet}
    return SPEC.play(at, match, sheets, seed)
