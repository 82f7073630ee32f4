"""What a GM may correct between runs: who owns a field, and whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gm.game.base.amending import Correction, the_one
from gm.game.values import GameData
from gm.games.conquest_fields.board import FREE, GREEN, RED, Board
from gm.games.conquest_fields.moves import SIDES
from gm.games.conquest_fields.playing import tested
from gm.games.conquest_fields.state import Match, seen_key

OWNERS = {"RED": RED, "GREEN": GREEN, "FREE": FREE}


def _field(table: GameData, match: Match, words: Sequence[str]) -> tuple[Any, str]:
    board: Board = table.board.board
    playable = [name for field, name in enumerate(board.names) if not board.holes >> field & 1]
    name, owner = the_one(words[0], playable, "field"), the_one(words[1], OWNERS, "owner")
    row, column = board.cells[board.by_name[name]]
    rows = list(match.rows)
    rows[row] = rows[row][:column] + OWNERS[owner] + rows[row][column + 1 :]
    told = f"{name} is free" if owner == "FREE" else f"{name} is {owner.lower()}'s"
    return _counted(match.evolve(rows=tuple(rows)), board), told


def _turn(table: GameData, match: Match, words: Sequence[str]) -> tuple[Any, str]:
    side = the_one(words[0], SIDES, "side")
    return _counted(match.evolve(to_move=side), table.board.board), f"{side.lower()} is to move"


def _counted(match: Match, board: Board) -> Match:
    """A corrected position is one more that was seen; it may also be the end."""
    if match.winners is not None:
        raise ValueError("the game is over; take its last turn back instead")
    key = seen_key(match.rows, match.to_move)
    return tested(match.evolve(seen=match.seen.with_item(key, max(1, match.seen.get(key, 0)))), board)[0]


CORRECTIONS: Mapping[str, Correction] = {
    "field": Correction("field FIELD OWNER    e.g. field c4 RED, or FREE", _field),
    "turn": Correction("turn SIDE    e.g. turn GREEN: that side moves next", _turn),
}
"""What can be corrected, and how it is written."""
