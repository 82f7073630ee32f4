"""The computer's strategies: pure functions of the position (CF-7), also as players that send order files."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import get_args

from gm.core.dice import Dice
from gm.game.bots import BaseBot
from gm.game.values import Bot, View
from gm.games.conquest_fields.rules import Board, Rules, Strategy
from gm.games.conquest_fields.search import Search
from gm.games.conquest_fields.state import Match, Move, Position

Choice = Callable[[int], int]  # Returns one of so many numbers from 0 on, each equally likely


def random_move(board: Board, position: Position, choose: Choice) -> Move:
    """Return any legal move (CF-7.2). There must be one."""
    moves = list(position.moves(board))
    return moves[choose(len(moves))]


def greedy_moves(board: Board, position: Position) -> list[Move]:
    """Return the moves that win at once, else those with the greatest lead, in canonical order (CF-7.4)."""
    position_after = {move: position.after(board, move) for move in position.moves(board)}
    winning = [move for move, after in position_after.items() if not after.can_move(board)]
    if winning:
        return winning
    enemys_least_lead = min(after.lead for after in position_after.values())
    return [move for move, after in position_after.items() if after.lead == enemys_least_lead]


def greedy_move(board: Board, position: Position, choose: Choice) -> Move:
    """Return a greedy move (CF-7.4). There must be a legal one."""
    best = greedy_moves(board, position)
    return best[choose(len(best))]


def minimax_depth(board: Board, rules: Rules) -> int:
    """Return how many half-moves minimax looks ahead on this board (CF-7.6)."""
    size = len(board.cells)
    fitting = (depth for depth in rules.minimax_depth if depth.fields is None or size <= depth.fields)
    return next(fitting).half_moves


STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)  # The weakest first


def chosen_move(strategy: str, match: Match, board: Board, rules: Rules, choose: Choice) -> Move:
    """Return the move of a strategy; there must be a legal one.

    All but minimax draw by chance (CF-7.2, CF-7.4, CF-7.8).
    """
    position = match.position(board)
    if strategy == "random":
        return random_move(board, position, choose)
    if strategy == "greedy":
        return greedy_move(board, position, choose)
    budget = rules.levels.get(strategy)
    if budget:
        best = Search(board, position, budget, rules.win_value).best_moves()
        return best[choose(len(best))]
    # the only other strategy is minimax
    depth = match.settings.minimax_depth or minimax_depth(board, rules)
    return minimax_move(board, position, depth, rules.win_value)


def minimax_move(board: Board, position: Position, depth: int, win_value: int) -> Move:
    """Return the best move ``depth`` half-moves ahead (alpha-beta), the first of equals (CF-7.6 to CF-7.8).

    There must be one. Values are whole numbers, from the view of the side to move in their position.
    """

    def ordered(position: Position) -> list[tuple[Position, Move]]:
        """Return (position after it, move) for each move, the most promising first.

        In this order alpha-beta can skip most of the others.
        """
        after = [(position.after(board, move), move) for move in position.moves(board)]
        # each lead is that of the other side, which is to move then: the smallest first
        after.sort(key=lambda pair: (pair[0].lead, pair[1]))
        return after

    def value_of(position: Position, made: int, alpha: int, beta: int) -> int:
        """Return the value of a position after ``made`` half-moves, as far as it is between the bounds."""
        # CF-7.7: a lost position counts as that also at the limit of depth; the sooner lost, the worse
        if not position.can_move(board):
            return made - win_value
        if made == depth:
            return position.lead
        best = -win_value
        for then, _ in ordered(position):
            best = max(best, -value_of(then, made + 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best

    promising = ordered(position)
    if not promising:
        raise ValueError("there is no move to choose from")
    (then, best_move), *others = promising
    most = -value_of(then, 1, -win_value, win_value)
    for then, move in others:
        # the bounds begin one below the best value, so that an equal value is exact: then order decides
        value = -value_of(then, 1, -win_value, 1 - most)
        if value > most or (value == most and move < best_move):
            most = value
            best_move = move
    return best_move


def _lines(strategy: Strategy, view: View) -> list[str]:
    """Return the lines of a strategy's order file, below its head.

    They are only a comment if it is not the strategy's turn, or if the game is over.
    """
    match = view.state
    board = view.table.board
    if match.winners is not None or match.to_move != view.realm:
        return ["# it is not its turn"]
    stream = Dice(view.seed)(strategy, match.number)
    move = chosen_move(strategy, match, board, view.table.rules, stream.below)
    return [f"move: {{from: {board.names[move.start]}, to: {board.names[move.end]}}}"]


BOTS: Mapping[str, Bot] = {
    "random": BaseBot("random", "plays any move, without a plan", partial(_lines, "random")),
    "greedy": BaseBot("greedy", "takes what it can get at once", partial(_lines, "greedy")),
    "minimax": BaseBot("minimax", "looks some half-moves ahead", partial(_lines, "minimax")),
    "veteran": BaseBot(
        "veteran", "looks as far ahead as thousands of positions go", partial(_lines, "veteran")
    ),
    "master": BaseBot("master", "looks further still: the strongest", partial(_lines, "master")),
}
