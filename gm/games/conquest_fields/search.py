"""The search of the stronger levels: deeper and deeper, as long as a budget of positions lasts.

The budget is a number and never a time, so that a replay, on whatever machine, finds the same move.
"""

from operator import itemgetter

from gm.games.conquest_fields.rules import Board, members
from gm.games.conquest_fields.state import Move, Position

# A position after a move: (lead of the side to move there, set of its fields, set of its enemy's)
Then = tuple[int, int, int]
_LEAD = itemgetter(0)
DEEPEST = 40  # The most half-moves that are looked ahead: nearly full boards would leave budget for more


class _Spent(Exception):  # noqa: N818 - no error: it ends a search
    """The budget of positions is spent."""


class Search:
    """Looks ahead from a position (alpha-beta with iterative deepening).

    Values are whole numbers, from the view of the side to move; a win is worth ``win_value`` less the
    half-moves until then (CF-7.7).
    """

    def __init__(self, board: Board, position: Position, budget: int, win_value: int) -> None:
        """Prepare a search.

        ``budget``: how many positions may be looked at; ``win_value``: the value of a win at once (CF-7.7).
        """
        self._board = board
        self._position = position
        self._budget_left = budget
        self._win = win_value
        self._playable = sum(1 << field for field in range(len(board.cells))) & ~board.holes
        self._reach = board.reach
        # by (own fields, enemy's fields): the position after the best move found so far, to be tried first
        self._best: dict[tuple[int, int], Then] = {}
        self.depth = 0  # the number of half-moves up to which every move was looked at

    def best_moves(self) -> list[Move]:
        """Return the moves with the greatest value that the search proved, in canonical order.

        There must be a move.
        """
        moves: dict[Position, Move] = {}  # the first move to each next position
        for move in self._position.moves(self._board):
            moves.setdefault(self._position.after(self._board, move), move)
        if not moves:
            raise ValueError("there is no move to choose from")
        ranked = sorted(moves, key=lambda then: (then.lead, moves[then]))
        best = list(moves)
        try:
            while self.depth < DEEPEST and len(moves) > 1:
                best, most, ranked = self._best_positions(ranked, self.depth + 1)
                self.depth += 1
                is_decided = abs(most) > self._win - DEEPEST - 1  # won or lost: no deeper look changes it
                if is_decided:
                    break
        except _Spent:
            # an incomplete depth does not count; without a complete one, the most promising move is best
            if not self.depth:
                best = ranked[:1]
        return sorted(moves[then] for then in best)

    def _best_positions(
        self, ranked: list[Position], depth: int
    ) -> tuple[list[Position], int, list[Position]]:
        """Return (best next positions, their value, all next positions with the best first), at this depth.

        ``ranked``: all next positions, in the order in which they are looked at.
        """
        best = list[Position]()
        most = -self._win
        values = dict[Position, int]()
        for then in ranked:
            # the bounds begin one below the best value, so that an equal value is exact
            value = values[then] = -self._value(*then, then.lead, 1, depth, -self._win, 1 - most)
            if value > most:
                best = []
                most = value
            if value == most:
                best.append(then)
        return best, most, sorted(ranked, key=lambda then: -values[then])

    def _value(self, own: int, enemy: int, lead: int, made: int, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a position after ``made`` half-moves, as far as it is between the bounds.

        ``own``, ``enemy``: sets of fields; ``lead``: the difference of their numbers; ``depth``: how many
        half-moves are looked at; ``alpha`` and ``beta`` are the bounds.
        """
        # without a move the side has lost: the later, the better
        if made == depth:
            return lead if self._can_move(own, enemy) else made - self._win
        after = self._after(own, enemy, lead)
        if not after:
            return made - self._win
        after.sort(key=_LEAD)
        first = self._best.get((own, enemy))
        if first is not None:
            after.insert(0, first)  # it comes again in its place, which changes no value
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
        free = self._playable & ~(own | enemy)
        reach = self._reach
        while own:
            start = own & -own
            if reach[start.bit_length() - 1] & free:
                return True
            own ^= start
        return False

    def _after(self, own: int, enemy: int, lead: int) -> list[Then]:
        """Return the positions after each move of the side with the fields ``own``.

        Their number is taken from the budget; raises ``_Spent`` if that is too small. ``enemy``, ``lead``: as
        in :meth:`_value`. Growing into a field is one move, from wherever it is done (CF-5.2).
        """
        near = self._board.near
        far = self._board.far
        outcomes = list[Then]()
        for end in members(self._playable & ~(own | enemy)):
            beside = near[end]
            starts = far[end] & own
            grows = beside & own
            self._budget_left -= bool(grows) + starts.bit_count()
            if self._budget_left < 0:
                raise _Spent
            won = enemy & beside
            enemy_after = enemy ^ won
            own_after = own | 1 << end | won
            # from the view of the other side, which loses what this side wins
            lead_after = -lead - 2 * won.bit_count()
            if grows:
                outcomes.append((lead_after - 1, enemy_after, own_after))
            for start in members(starts):
                outcomes.append((lead_after, enemy_after, own_after ^ 1 << start))
        return outcomes
