"""Why orders are advised: what an attack meets, what a province's work brings."""

from collections.abc import Iterator, Sequence
from typing import Any

from gm.game.answers import Advice, TriedOrder
from gm.game.base.hooks import formatter_of
from gm.game.values import GameData
from gm.games.conqueror.figures import labour
from gm.games.conqueror.state import World
from gm.text.languages import Translate


def advice(
    spec: Any, table: GameData, state: World, party: str, sheet: Any, orders: Sequence[TriedOrder], translate: Translate
) -> Iterator[Advice]:
    """Yield each order in words, with its reason."""
    formatter = formatter_of(spec, table, (state,), translate)
    board = table.board
    rules = state.settings.applied(table.rules)
    moves = {(move.written.line, move.written.column): move for move in sheet.orders.moves}
    bought = {(purchase.written.line, purchase.written.column): purchase for purchase in sheet.orders.buy}
    for order in orders:
        move = moves.get((order.line, order.column))
        buy = bought.get((order.line, order.column))
        if buy is not None:
            figures = {"province": translate(board.by_id[buy.province].name), "item": formatter.called(buy.item)}
            words = formatter.phrase("{province} finishes with gold: {count} {item}.", count=buy.count, **figures)
            yield Advice(order.line, order.column, words, formatter.phrase("It is there before all moves of the turn."))
            continue
        if move is None:
            name, _, work = order.order.partition(": ")
            province = state.provinces.get(name)
            if province is None:
                continue
            figures = {"province": translate(board.by_id[name].name), "work": formatter.called(work)}
            words = formatter.phrase("{province} works on: {work}.", **figures)
            why = formatter.phrase("Its labour is {labour} a turn.", labour=labour(province, state.turn + 1, rules))
            yield Advice(order.line, order.column, words, why)
            continue
        there = state.provinces[move.target]
        ends = {"source": translate(board.by_id[move.source].name), "target": translate(board.by_id[move.target].name)}
        many = str(move.armies) if isinstance(move.armies, int) else translate("all")
        if there.owner == party:
            words = formatter.phrase("Move {armies} from {source} to {target}.", armies=many, **ends)
            why = formatter.phrase("It is yours, with {armies:army|armies}, and needs more.", armies=there.armies)
        else:
            words = formatter.phrase("Attack {target} from {source} with {armies}.", armies=many, **ends)
            why = formatter.phrase("It is defended by {armies:army|armies}.", armies=there.armies)
        yield Advice(order.line, order.column, words, why)
