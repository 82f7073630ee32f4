"""Positions, half-moves and the state of a game of Conquest (CF-3, CF-5, CF-6)."""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, Self

from gm.core.diagnostics import message_of, says
from gm.core.values import Natural, Value
from gm.game.base import position
from gm.games.conquest_fields.rules import GREEN, RED, Board, Kind, Rules, Settings, members

RED_SIDE = "RED"
GREEN_SIDE = "GREEN"
SIDES = (RED_SIDE, GREEN_SIDE)


def enemy_of(side: str) -> str:
    """Return the other side."""
    return GREEN_SIDE if side == RED_SIDE else RED_SIDE


class Move(NamedTuple):
    """A half-move from an own field to a free one, by number. Moves sort in canonical order (CF-5.9)."""

    start: int
    end: int

    def jumps(self, board: Board) -> bool:
        """Return whether the move is a jump, which leaves its start free; else it grows (CF-5.2, CF-5.3)."""
        return not board.near[self.start] >> self.end & 1


class Position(NamedTuple):
    """The owners of fields, from the view of the side to move.

    Sets of fields are described in :mod:`gm.games.conquest_fields.rules`.
    """

    own: int  # The set of fields of the side to move
    enemy: int  # The set of fields of the other side

    @classmethod
    def read(cls, board: Board, rows: tuple[str, ...], side: str) -> Self:
        """Return the position that rows of text show; ``side`` is the one to move.

        Raises ``ValueError`` for rows that are not of this board.
        """
        red = board.owned(rows, RED)
        green = board.owned(rows, GREEN)
        return cls(red, green) if side == RED_SIDE else cls(green, red)

    def rows(self, board: Board, side: str) -> tuple[str, ...]:
        """Return the position as rows of text; ``side`` is the one to move."""
        if side == RED_SIDE:
            return board.text(self.own, self.enemy)
        return board.text(self.enemy, self.own)

    @property
    def lead(self) -> int:
        """The number of own fields less that of the enemy's, for the side to move."""
        return self.own.bit_count() - self.enemy.bit_count()

    def moves(self, board: Board) -> Iterator[Move]:
        """Yield every legal half-move, in the order of the fields where they start, then of their ends."""
        occupied = self.own | self.enemy
        reach = board.reach
        for start in members(self.own):
            for end in members(reach[start] & ~occupied):
                yield Move(start, end)

    def can_move(self, board: Board) -> bool:
        """Return whether the side to move has a legal move; without one it has lost (CF-6.1)."""
        occupied = self.own | self.enemy
        reach = board.reach
        return any(reach[start] & ~occupied for start in members(self.own))

    def conquers(self, board: Board, move: Move) -> int:
        """Return the set of enemy fields that a move wins: those next to its end (CF-5.6, CF-5.7)."""
        return self.enemy & board.near[move.end]

    def after(self, board: Board, move: Move) -> "Position":
        """Return the position after a legal move, seen from the other side, which then has to move."""
        near = board.near
        end = 1 << move.end
        won = self.enemy & near[move.end]
        own = self.own | end | won
        is_jump = not near[move.start] & end
        if is_jump:  # a jump leaves the field where it starts
            own ^= 1 << move.start
        return Position(own=self.enemy ^ won, enemy=own)


COLOURS = {RED_SIDE: "#c83232", GREEN_SIDE: "#2f9e44"}
Reason = Literal["no fields", "circled", "resigned", "forfeited", "repeated", "limit", "voted"]


class Side(position.Party):
    """CF-3.3: one of the two sides.

    ``kind``: who plays it, a person or a strategy; ``language``: what its player asked for in an order file,
    empty for that of the list of players; ``runs_missed``: the runs in a row without a valid move.
    """

    kind: Kind = "human"
    language: str = ""
    runs_missed: Natural = 0


class HalfMove(Value):
    """CF-3.4, CF-10.3: a half-move that was played.

    ``start``, ``end`` and ``conquered``: names of fields; ``by``: the kind of player that chose it.
    """

    number: int
    side: str
    start: str
    end: str
    kind: Literal["grow", "jump"]
    conquered: tuple[str, ...]
    by: Kind


class Match(position.Position):
    """The whole game.

    ``rows``: the position as text (CF-3.2); ``to_move``: the side that moves next; ``seen``: how often each
    position occurred with the same side to move (CF-6.5), by its rows and that side, joined by ``/``;
    ``reason``: why the game is over. ``left_in_run`` counts within a run only.
    """

    parties: Mapping[str, Side]  # By code
    settings: Settings
    rows: tuple[str, ...]
    to_move: str
    history: tuple[HalfMove, ...] = ()
    seen: Mapping[str, int] = {}  # By ``key``
    reason: Reason | None = None
    # How many half-moves two computers may still play; below 0: any number
    left_in_run: int = 0

    @property
    def number(self) -> int:
        """The number of the next half-move, which order files quote, unlike that of the run (CF-1.8)."""
        return len(self.history) + 1

    quoted = number

    @property
    def key(self) -> str:
        """The position and the side to move as one text: a key of ``seen``."""
        return "/".join((*self.rows, self.to_move))

    @property
    def times_seen(self) -> int:
        """How often this position occurred with this side to move (CF-6.5)."""
        return self.seen.get(self.key, 0)

    @property
    def mover(self) -> Side:
        """The side to move."""
        return self.parties[self.to_move]

    @property
    def sides_played_by_people(self) -> int:
        """The number of sides that people play."""
        return sum(side.kind == "human" for side in self.parties.values())

    def position(self, board: Board) -> Position:
        """Return the position seen from the side to move."""
        return Position.read(board, self.rows, self.to_move)

    def fields(self, side: str) -> int:
        """Return how many fields a side owns."""
        sign = side[0]  # ``R`` for RED, ``G`` for GREEN
        return sum(row.count(sign) for row in self.rows)

    def broken(self, board: Board, rules: Rules) -> list[str]:
        """Return sentences about what is wrong with a game between runs (CF-3.2); empty if sound."""
        try:
            now = self.position(board)
        except ValueError as error:
            return [message_of(error)]
        over = self.winners is not None
        violations = {
            says("a field has two owners"): now.own & now.enemy,
            says("it is nobody's turn: {0}", self.to_move): self.to_move not in SIDES,
            says("half-moves of a run are left"): self.left_in_run,
            says("the side to move cannot move, and the game goes on"): not over and not now.can_move(board),
            says("a game that is over has a reason, and no other"): over == (self.reason is None),
            says("the position is not among those that were seen"): not over and not self.times_seen,
        }
        return [fault for fault, holds in violations.items() if holds]
