"""Positions and half-moves: who owns which fields, what a side may do, and what becomes of it (CF-5, CF-6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gm.games.conquest_fields.board import GREEN, RED, Board, members

RED_SIDE, GREEN_SIDE = "RED", "GREEN"
SIDES = (RED_SIDE, GREEN_SIDE)


def enemy_of(side: str) -> str:
    """The other side."""
    return GREEN_SIDE if side == RED_SIDE else RED_SIDE


class Move(NamedTuple):
    """A half-move: from an own field to a free one. Moves sort in canonical order (CF-5.9)."""

    start: int
    end: int

    def jumps(self, board: Board) -> bool:
        """Whether it is a jump, which leaves its start field free, and no growing (CF-5.2, CF-5.3)."""
        return not board.near[self.start] >> self.end & 1

    def words(self, board: Board) -> str:
        """E.g. ``c1-c2``, as an order file may say it (CF-8.2)."""
        return f"{board.names[self.start]}-{board.names[self.end]}"


class Position(NamedTuple):
    """Who owns what, seen from the side to move: sets of fields (see :mod:`gm.games.conquest_fields.board`)."""

    own: int
    enemy: int

    @classmethod
    def start(cls, board: Board, side: str) -> Position:
        """The board's start position, with ``side`` to move."""
        return cls.read(board, board.rows, side)

    @classmethod
    def read(cls, board: Board, rows: tuple[str, ...], side: str) -> Position:
        """The position that rows of text show. Raises ``ValueError`` for rows that are not of this board."""
        red, green = board.owned(rows, RED), board.owned(rows, GREEN)
        return cls(red, green) if side == RED_SIDE else cls(green, red)

    def rows(self, board: Board, side: str) -> tuple[str, ...]:
        """The position as rows of text; ``side`` is the one to move."""
        return board.text(*(self if side == RED_SIDE else (self.enemy, self.own)))

    @property
    def lead(self) -> int:
        """How many fields more the side to move owns than its enemy."""
        return self.own.bit_count() - self.enemy.bit_count()

    def moves(self, board: Board) -> Iterator[Move]:
        """Every legal half-move, in canonical order."""
        taken, reach = self.own | self.enemy, board.reach
        for start in members(self.own):
            for end in members(reach[start] & ~taken):
                yield Move(start, end)

    def can_move(self, board: Board) -> bool:
        """Whether there is any; a side that has to move and cannot has lost (CF-6.1)."""
        taken, reach = self.own | self.enemy, board.reach
        return any(reach[start] & ~taken for start in members(self.own))

    def conquers(self, board: Board, move: Move) -> int:
        """The enemy's fields that a move wins: those next to its end, and no others (CF-5.6, CF-5.7)."""
        return self.enemy & board.near[move.end]

    def after(self, board: Board, move: Move) -> Position:
        """The position after a legal move, seen from the other side, which then has to move."""
        near = board.near
        end = 1 << move.end
        won = self.enemy & near[move.end]
        own = self.own | end | won
        if not near[move.start] & end:
            own ^= 1 << move.start
        return Position(self.enemy ^ won, own)
