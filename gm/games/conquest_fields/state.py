"""The state of a game of Conquest (CF-3): two sides, a position, and how it came about."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import Field

from gm.core.values import FrozenMap, Value
from gm.game.base import position
from gm.games.conquest_fields.board import Board
from gm.games.conquest_fields.moves import GREEN_SIDE, RED_SIDE, SIDES, Move, Position
from gm.games.conquest_fields.rules import Kind, Settings

COLOURS = {RED_SIDE: "#c83232", GREEN_SIDE: "#2f9e44"}
Reason = Literal["no fields", "circled", "resigned", "forfeited", "repeated", "limit"]


class Side(position.Party):
    """CF-3.3. ``kind``: who plays it; ``runs_missed`` in a row without a valid move; ``language`` that its player asked
    for in an order file, empty: that of the list of players."""

    kind: Kind = "human"
    language: str = ""
    runs_missed: int = Field(default=0, ge=0)


class HalfMove(Value):
    """CF-3.4, CF-10.3. Fields are called by their names; ``by`` is who chose it."""

    number: int
    side: str
    start: str
    end: str
    kind: Literal["grow", "jump"]
    conquered: tuple[str, ...]
    by: Kind


class Match(position.Position):
    """The whole game. ``rows`` is the position as text (CF-3.2), ``to_move`` the side that moves next, ``reason`` why
    it is over. ``seen`` counts each position with its side to move (CF-6.5)."""

    parties: FrozenMap[str, Side]
    settings: Settings
    rows: tuple[str, ...]
    to_move: str
    history: tuple[HalfMove, ...] = ()
    seen: FrozenMap[str, int] = FrozenMap()
    reason: Reason | None = None
    left_in_run: int = 0
    """Within a run only: how many half-moves two computers may still play in it; below 0: any number."""

    @property
    def number(self) -> int:
        """The number of the next half-move, which order files quote (CF-1.8)."""
        return len(self.history) + 1

    @property
    def mover(self) -> Side:
        """The side to move."""
        return self.parties[self.to_move]

    @cached_property
    def sides_played_by_people(self) -> int:
        """How many people play."""
        return sum(side.kind == "human" for side in self.parties.values())

    def position(self, board: Board) -> Position:
        """The position seen from the side to move."""
        return Position.read(board, self.rows, self.to_move)

    def fields(self, side: str) -> int:
        """How many fields a side owns."""
        return sum(row.count(side[0]) for row in self.rows)

    @property
    def last(self) -> HalfMove | None:
        """The half-move before this position."""
        return self.history[-1] if self.history else None


def seen_key(rows: tuple[str, ...], to_move: str) -> str:
    """A position with its side to move, as the count of repetitions knows it."""
    return "/".join((*rows, to_move))


def half_move(board: Board, match: Match, move: Move, by: Kind) -> HalfMove:
    """What the side to move does with a legal move."""
    won = match.position(board).conquers(board, move)
    return HalfMove(
        number=match.number,
        side=match.to_move,
        start=board.names[move.start],
        end=board.names[move.end],
        kind="jump" if move.jumps(board) else "grow",
        conquered=tuple(name for field, name in enumerate(board.names) if won >> field & 1),
        by=by,
    )


def broken(match: Match, board: Board) -> list[str]:
    """What must never be true between runs and is: a sentence each."""
    found = []
    try:
        at = match.position(board)
    except ValueError as error:
        return [str(error)]
    if at.own & at.enemy:
        found.append("a field has two owners")
    if match.to_move not in SIDES:
        found.append(f"it is nobody's turn: {match.to_move}")
    if match.left_in_run:
        found.append("half-moves of a run are left")
    if match.winners is None and not at.can_move(board):
        found.append("the side to move cannot move, and the game goes on")
    if (match.winners is None) != (match.reason is None):
        found.append("a game that is over has a reason, and no other")
    if match.winners is None and match.seen.get(seen_key(match.rows, match.to_move), 0) < 1:
        found.append("the position is not among those that were seen")
    return found
