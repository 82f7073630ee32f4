"""The strategies of CF-7 as computer players that send order files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gm.core.dice import Dice
from gm.game.base.bots import BaseBot
from gm.game.values import Bot, View
from gm.games.conquest_fields.rules import Strategy
from gm.games.conquest_fields.state import Match
from gm.games.conquest_fields.strategies import STRATEGIES, chosen_move, minimax_depth

ABOUT = {
    "random": "plays any move, without a plan",
    "greedy": "takes what it can get at once",
    "minimax": "looks some half-moves ahead",
}


def _lines(strategy: Strategy) -> Callable[[View], list[str]]:
    def lines(view: View) -> list[str]:
        match: Match = view.state
        board = view.table.board.board
        if match.winners is not None or match.to_move != view.realm:
            return ["# it is not its turn"]
        depth = match.settings.minimax_depth or minimax_depth(board, view.table.rules)
        stream = Dice(view.seed)(strategy, match.number)
        move = chosen_move(strategy, board, match.position(board), view.table.rules, depth, stream.below)
        return [f"move: {{from: {board.names[move.start]}, to: {board.names[move.end]}}}"]

    return lines


BOTS: Mapping[str, Bot] = {
    name: BaseBot(name, ABOUT[name], _lines(name), lambda match: match.number) for name in STRATEGIES
}
"""By name."""
