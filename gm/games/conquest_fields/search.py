"""The search of the stronger levels: deeper and deeper, as long as a budget of positions lasts.

The budget is a number and never a time, so that a replay, on whatever machine, finds the same move.
"""

from operator import itemgetter

from gm.games.conquest_fields.rules import Board, members
from gm.games.conquest_fields.state import Move, Position

# A position after a move: the lead of the side to move there, its fields, its enemy's
Then = tuple[int, int, int]
_LEAD = itemgetter(0)
DEEPEST = 40  # So many half-moves ahead at most, on boards where hardly anything is left to do


class _Spent(Exception):  # noqa: N818 - the budget is; nothing went wrong
    """The budget of positions is spent."""


class Search:
    """Looks ahead from a position (alpha-beta with iterative deepening).

    Values are whole numbers, from the view of the side to move; a win is worth ``win_value`` less the
    half-moves until then (CF-7.7).
    """

    def __init__(self, board: Board, position: Position, budget: int, win_value: int) -> None:
        """Prepare a search with a budget of positions."""
        self._board = board
        self._position = position
        self._left = budget
        self._win = win_value
        self._field = sum(1 << field for field in range(len(board.cells))) & ~board.holes
        self._reach = board.reach
        # What was found best after a position, to be tried first
        self._best: dict[tuple[int, int], Then] = {}
        self.depth = 0  # How many half-moves ahead it has looked, all of them

    def best_moves(self) -> list[Move]:
        """Return the moves with the greatest value that the search proved, in canonical order.

        There must be a move.
        """
        moves: dict[Position, Move] = {}
        for move in self._position.moves(self._board):
            moves.setdefault(self._position.after(self._board, move), move)
        if not moves:
            raise ValueError("there is no move to choose from")
        ranked = sorted(moves, key=lambda then: (then.lead, moves[then]))
        best = list(moves)
        try:
            while self.depth < DEEPEST and len(moves) > 1:
                best, most, ranked = self._looked(ranked, self.depth + 1)
                self.depth += 1
                if abs(most) > self._win - DEEPEST - 1:
                    break
        except _Spent:
            # the last depth that was looked through counts, and the first moves of all where there is none
            best = best if self.depth else ranked[:1]
        return sorted(moves[then] for then in best)

    def _looked(self, ranked: list[Position], depth: int) -> tuple[list[Position], int, list[Position]]:
        """Return the best next positions, their value, and all next positions, the most promising first."""
        best = list[Position]()
        most = -self._win
        values = dict[Position, int]()
        for then in ranked:
            # a window from one below the best value: an equal one comes back exact
            value = values[then] = -self._value(*then, then.lead, 1, depth, -self._win, 1 - most)
            if value > most:
                best = []
                most = value
            if value == most:
                best.append(then)
        return best, most, sorted(ranked, key=lambda then: -values[then])

    def _value(self, own: int, enemy: int, lead: int, made: int, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a position after ``made`` half-moves, as far as it is between the bounds."""
        if made == depth:
            return lead if self._can_move(own, enemy) else made - self._win
        after = self._after(own, enemy, lead)
        if not after:
            return made - self._win
        after.sort(key=_LEAD)
        first = self._best.get((own, enemy))
        if first is not None:
            after.insert(0, first)
        best = -self._win
        if made + 1 == depth:  # where most of the time goes
            for then in after:
                value = -then[0] if self._can_move(then[1], then[2]) else self._win - depth
                if value > best:
                    best = value
                    self._best[own, enemy] = then
                    if best >= beta:
                        break
            return best
        for then in after:
            value = -self._value(then[1], then[2], then[0], made + 1, depth, -beta, -max(alpha, best))
            if value > best:
                best = value
                self._best[own, enemy] = then
                if best >= beta:
                    break
        return best

    def _can_move(self, own: int, enemy: int) -> bool:
        """Return whether the side with these ``own`` fields has a legal move.

        The same as ``Position.can_move``, without making a position: the search calls it for each of them.
        """
        free = self._field & ~(own | enemy)
        reach = self._reach
        while own:
            start = own & -own
            if reach[start.bit_length() - 1] & free:
                return True
            own ^= start
        return False

    def _after(self, own: int, enemy: int, lead: int) -> list[Then]:
        """Return the positions after each move.

        Growing into a field counts once, from wherever it is done (CF-5.2).
        """
        near = self._board.near
        far = self._board.far
        outcomes = list[Then]()
        for end in members(self._field & ~(own | enemy)):
            beside = near[end]
            starts = far[end] & own
            grows = beside & own
            self._left -= bool(grows) + starts.bit_count()
            if self._left < 0:
                raise _Spent
            won = enemy & beside
            kept = enemy ^ won
            taken = own | 1 << end | won
            left = -lead - 2 * won.bit_count()
            if grows:
                outcomes.append((left - 1, kept, taken))
            for start in members(starts):
                outcomes.append((left, kept, taken ^ 1 << start))
        return outcomes
