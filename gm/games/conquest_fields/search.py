"""How the stronger levels look ahead: deeper and deeper, as long as a budget of positions lasts. That is counted and
never timed, so that a replay, on whatever machine, finds the same move."""

from collections.abc import Iterator

from gm.games.conquest_fields.rules import Board, members
from gm.games.conquest_fields.state import Move, Position

DEEPEST = 40  # So many half-moves ahead at most, on boards where hardly anything is left to do


class _Spent(Exception):  # noqa: N818 - the budget is; nothing went wrong
    """No position more may be looked at."""


class Search:
    """Looks ahead from a position (alpha-beta with iterative deepening). Values are whole numbers, seen from the side
    to move; ``win_value`` less the half-moves until then is what a win is worth (CF-7.7)."""

    def __init__(self, board: Board, position: Position, budget: int, win_value: int) -> None:
        self._board, self._position, self._left, self._win = board, position, budget, win_value
        self._field = sum(1 << field for field in range(len(board.cells))) & ~board.holes
        self._best: dict[Position, Position] = {}  # What was found best after a position, to be tried first
        self.depth = 0  # How many half-moves ahead it has looked, all of them

    def best_moves(self) -> list[Move]:
        """The moves of the greatest value that it could make sure of, in canonical order. There must be a move."""
        moves: dict[Position, Move] = {}
        for move in self._position.moves(self._board):
            moves.setdefault(self._position.after(self._board, move), move)
        if not moves:
            raise ValueError("there is no move to choose from")
        ranked, found = sorted(moves, key=lambda then: (then.lead, moves[then])), list(moves)
        try:
            while self.depth < DEEPEST and len(moves) > 1:
                found, most, ranked = self._looked(ranked, self.depth + 1)
                self.depth += 1
                if abs(most) > self._win - DEEPEST - 1:
                    break
        except _Spent:
            # the last depth that was looked through counts, and the first moves of all where there is none
            found = found if self.depth else ranked[:1]
        return sorted(moves[then] for then in found)

    def _looked(self, ranked: list[Position], depth: int) -> tuple[list[Position], int, list[Position]]:
        """(the best positions to move to, their value, all of them, the most promising first)."""
        found, most, values = list[Position](), -self._win, dict[Position, int]()
        for then in ranked:
            # a window from one below the best value: an equal one comes back exact
            value = values[then] = -self._value(then, 1, depth, -self._win, 1 - most)
            if value > most:
                found, most = [], value
            if value == most:
                found.append(then)
        return found, most, sorted(ranked, key=lambda then: -values[then])

    def _value(self, at: Position, made: int, depth: int, alpha: int, beta: int) -> int:
        """What a position is worth after so many half-moves, as far as it lies between the bounds."""
        if made == depth:
            return at.lead if at.can_move(self._board) else made - self._win
        after = sorted(self._after(at), key=lambda then: then.lead)
        if not after:
            return made - self._win
        if (first := self._best.get(at)) is not None:
            after.insert(0, first)
        best = -self._win
        for then in after:
            value = -self._value(then, made + 1, depth, -beta, -max(alpha, best))
            if value > best:
                best, self._best[at] = value, then
                if best >= beta:
                    break
        return best

    def _after(self, at: Position) -> Iterator[Position]:
        """The positions after each move; growing into a field counts once, from wherever it is done (CF-5.2)."""
        own, enemy = at
        near, far = self._board.near, self._board.far
        for end in members(self._field & ~(own | enemy)):
            beside = near[end]
            starts, grows = far[end] & own, beside & own
            self._left -= bool(grows) + starts.bit_count()
            if self._left < 0:
                raise _Spent
            won = enemy & beside
            kept, taken = enemy ^ won, own | 1 << end | won
            if grows:
                yield Position(kept, taken)
            for start in members(starts):
                yield Position(kept, taken ^ 1 << start)
