"""Reasons for advised orders: what an attack meets, what a province's work yields."""

from collections.abc import Iterator, Sequence
from typing import Any

from gm.game.answers import Advice, TriedOrder, times_in_ten
from gm.game.base.hooks import formatter_of
from gm.game.base.writer import drawn, order_phrases
from gm.game.values import GameData
from gm.games.conqueror.choices import BUY, MOVE, WORK
from gm.games.conqueror.figures import labour
from gm.games.conqueror.odds import MOST, Siege, share_taken
from gm.games.conqueror.state import World
from gm.text.languages import Translate
from gm.text.words import EventFormatter


def advice(
    spec: Any,
    table: GameData,
    state: World,
    party: str,
    sheet: Any,
    orders: Sequence[TriedOrder],
    translate: Translate,
) -> Iterator[Advice]:
    """Yield each of a party's ``orders`` that can be put into words, with its reason.

    ``state``: the position before the turn, ``sheet``: the whole file.
    """
    adviser = Adviser(table, state, party, formatter_of(spec, table, (state,), translate), sheet.orders.moves)
    # an order as it was tried and as it was read are the same if they stand at the same place
    moves = {(move.written.line, move.written.column): move for move in sheet.orders.moves}
    bought = {(buy.written.line, buy.written.column): buy for buy in sheet.orders.buy}
    for order in orders:
        place = (order.line, order.column)
        advised = _of_order(adviser, order, bought.get(place), moves.get(place))
        if advised.words:
            yield advised.evolve(words=f"{advised.words}.")


def _of_order(adviser: "Adviser", order: TriedOrder, buy: Any, move: Any) -> Advice:
    """Return one order in words, with its reason; without words if it is another entry of the file.

    ``buy``, ``move``: the purchase or the move that it is; None for other orders.
    """
    if buy is not None:
        words, why = adviser.purchase(buy)
        return Advice(order.line, order.column, words, why, weight=1, taken=adviser.drawn_purchase(buy))
    if move is not None:
        words, why = adviser.move(move)
        # attacks come before purchases, the surest first; a march to an own province only serves them
        weight = 0 if adviser.is_own(move.target) else 2 + adviser.share(move.target)
        return Advice(order.line, order.column, words, why, weight, move.target, adviser.drawn_moves(move))
    name, _, value = order.order.partition(": ")
    words, why = adviser.line(name, value)
    return Advice(order.line, order.column, words, why, taken=adviser.drawn_work(name, value))


class Adviser:
    """Finds the reasons for a party's orders in a position."""

    def __init__(
        self, table: GameData, state: World, party: str, formatter: EventFormatter, moves: Sequence[Any] = ()
    ) -> None:
        """Prepare for a position before the turn.

        ``formatter``: puts figures into words; ``moves``: all moves among the party's orders.
        """
        self.moves = moves
        self.board = table.board
        self.rules = state.settings.applied(table.rules)
        self.state = state
        self.party = party
        self.formatter = formatter
        self.order_patterns = order_phrases("conqueror")  # by the order's word

    def is_own(self, province: str) -> bool:
        """Return whether a province is the party's."""
        return self.state.provinces[province].owner == self.party

    def purchase(self, buy: Any) -> tuple[str, str]:
        """Return (order, reason) in words for a purchase."""
        item = self.formatter.called(buy.item)
        words = self.formatter.phrase(
            self.order_patterns["buy"], start=self._name(buy.province), count=buy.count, item=item
        )
        return words, self.formatter.phrase("It is there before all moves of the turn.")

    def move(self, move: Any) -> tuple[str, str]:
        """Return (order, reason) in words for a move: what is at its target, and for an attack its odds."""
        target = self.state.provinces[move.target]
        formatter = self.formatter
        is_number = isinstance(move.armies, int)
        armies = (
            formatter.phrase("{armies:army|armies}", armies=move.armies)
            if is_number
            else formatter.translate("all")
        )
        figures = {"armies": armies, "start": self._name(move.source), "end": self._name(move.target)}
        if target.owner == self.party:
            why = formatter.phrase(
                "It is yours, with {armies:army|armies}, and needs more.", armies=target.armies
            )
            return formatter.phrase(self.order_patterns["move"], **figures), why
        speed = labour(target, self.state.turn + 1, self.rules)
        if not target.armies:
            why = formatter.phrase("Nobody defends it, and its labour is {labour} a turn.", labour=speed)
            return formatter.phrase(self.order_patterns["move.foreign"], **figures), why
        chance = times_in_ten(self.share(move.target), formatter.translate)
        attack = {"armies": target.armies, "chance": chance, "labour": speed}
        why = formatter.phrase(
            "{armies:army holds|armies hold} it, yours win {chance}, and its labour is {labour} a turn.",
            **attack,
        )
        return formatter.phrase(self.order_patterns["move.foreign"], **figures), why

    def share(self, target: str) -> float:
        """Return the chance, from 0 to 1, that all moves to a province together take it (CQ-6, CQ-7)."""
        province = self.state.provinces[target]
        stack = tuple(min(MOST, self._armies_of(move)) for move in self.moves if move.target == target)
        return share_taken(Siege("", stack, min(MOST, province.armies), province.fort), self.rules)

    def _armies_of(self, move: Any) -> int:
        """Return how many armies a move sends, at most all of its province."""
        armies = self.state.provinces[move.source].armies
        return min(move.armies, armies) if isinstance(move.armies, int) else armies

    def drawn_moves(self, move: Any) -> tuple[Any, ...]:
        """Return all moves to the target of ``move``, as the page's order writer stores them."""
        together = (other for other in self.moves if other.target == move.target)
        return tuple(drawn(MOVE, other.source, other.target, armies=other.armies) for other in together)

    def drawn_purchase(self, buy: Any) -> tuple[Any, ...]:
        """Return the only row that the page's order writer stores for a purchase, in a tuple."""
        return (drawn(BUY, buy.province, item=buy.item, count=buy.count),)

    def drawn_work(self, name: str, item: str) -> tuple[Any, ...]:
        """Return the work ``item`` of the province ``name`` as the page's order writer stores it.

        Empty if ``name`` is another entry of the file.
        """
        return (drawn(WORK, name, item=item),) if name in self.state.provinces else ()

    def line(self, name: str, value: str = "") -> tuple[str, str]:
        """Return (order, reason) in words for an entry ``name: value``; empty for an unknown name.

        The entry is a province with what it works on, or the one about reports, which has no reason.
        """
        formatter = self.formatter
        if name == "show_internal_moves":
            answer = formatter.translate({"true": "yes", "false": "no"}.get(value, value))
            return formatter.phrase(self.order_patterns["report"], show=answer), ""
        if name not in self.state.provinces:
            return "", ""
        words = formatter.phrase(
            self.order_patterns["work"], start=self._name(name), item=formatter.called(value)
        )
        speed = labour(self.state.provinces[name], self.state.turn + 1, self.rules)
        return words, formatter.phrase("Its labour is {labour} a turn.", labour=speed)

    def _name(self, province: str) -> str:
        return str(self.formatter.translate(self.board.by_id[province].name))
