"""Reasons for an advised half-move: the fields that it wins, and the counts of both sides then."""

from collections.abc import Iterator, Sequence
from typing import Any

from gm.game.answers import Advice, TriedOrder
from gm.game.base.hooks import formatter_of
from gm.game.base.writer import drawn, order_phrases
from gm.game.values import GameData
from gm.games.conquest_fields.choices import MOVE
from gm.games.conquest_fields.rules import members
from gm.games.conquest_fields.state import Match
from gm.text.languages import Translate


def advice(
    spec: Any,
    table: GameData,
    state: Match,
    party: str,
    sheet: Any,
    orders: Sequence[TriedOrder],
    translate: Translate,
) -> Iterator[Advice]:
    """Yield the half-move of the file ``sheet`` in words, with its effect; nothing if it has none.

    ``state``: the position before it; ``orders``: that of the half-move is the first.
    """
    move = sheet.orders.move
    board = table.board
    if move is None:
        return
    at = state.position(board)
    phrase = formatter_of(spec, table, (state,), translate).phrase
    start = board.names[move.start]
    end = board.names[move.end]
    won = [board.names[member] for member in members(at.enemy & board.near[move.end])]
    after = at.after(board, move)  # from the view of the other side
    ends = {"start": start, "end": end}
    figures = {"own": after.enemy.bit_count(), "enemy": after.own.bit_count(), "won": ", ".join(won)}
    kind = "jump" if move.jumps(board) else "grow"
    words = phrase(order_phrases("conquest-fields")[kind], **ends)
    if won:
        why = phrase("It wins {won}: you then have {own:field} against {enemy}.", **figures)
    else:
        why = phrase("You then have {own:field} against {enemy}.", **figures)
    if orders:
        order = orders[0]
        yield Advice(order.line, order.column, f"{words}.", why, weight=1, taken=(drawn(MOVE, start, end),))
