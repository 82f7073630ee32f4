"""Why orders are advised: what an attack meets, what a province's work brings."""

from collections.abc import Iterator, Sequence
from typing import Any

from gm.game.answers import Advice, TriedOrder
from gm.game.base.hooks import formatter_of
from gm.game.base.writer import order_phrases
from gm.game.values import GameData
from gm.games.conqueror.figures import labour
from gm.games.conqueror.state import World
from gm.text.languages import Translate


def advice(
    spec: Any, table: GameData, state: World, party: str, sheet: Any, orders: Sequence[TriedOrder], translate: Translate
) -> Iterator[Advice]:
    """Yield each order in words, with its reason."""
    adviser = Adviser(table, state, party, formatter_of(spec, table, (state,), translate))
    moves = {(each.written.line, each.written.column): each for each in sheet.orders.moves}
    bought = {(each.written.line, each.written.column): each for each in sheet.orders.buy}
    for order in orders:
        place = (order.line, order.column)
        if place in bought:
            words, why = adviser.purchase(bought[place])
            weight = 1
        elif place in moves:
            words, why = adviser.move(moves[place])
            weight = 0 if adviser.is_own(moves[place].target) else 2
        else:
            words, why = adviser.line(*order.order.split(": ", 1))
            weight = 0
        if words:
            yield Advice(order.line, order.column, f"{words}.", why, weight)


class Adviser:
    """What a position says for a party's orders."""

    def __init__(self, table: GameData, state: World, party: str, tell: Any) -> None:
        self.board = table.board
        self.rules = state.settings.applied(table.rules)
        self.state = state
        self.party = party
        self.tell = tell
        self.phrases = order_phrases("conqueror")

    def is_own(self, province: str) -> bool:
        """Return whether a province is the party's."""
        return self.state.provinces[province].owner == self.party

    def purchase(self, buy: Any) -> tuple[str, str]:
        """Return what gold finishes, and when."""
        item = self.tell.called(buy.item)
        words = self.tell.phrase(self.phrases["buy"], start=self._name(buy.province), count=buy.count, item=item)
        return words, self.tell.phrase("It is there before all moves of the turn.")

    def move(self, move: Any) -> tuple[str, str]:
        """Return where armies go, and how many are there."""
        there = self.state.provinces[move.target]
        tell = self.tell
        is_number = isinstance(move.armies, int)
        armies = tell.phrase("{armies:army|armies}", armies=move.armies) if is_number else tell.translate("all")
        figures = {"armies": armies, "start": self._name(move.source), "end": self._name(move.target)}
        if there.owner == self.party:
            why = tell.phrase("It is yours, with {armies:army|armies}, and needs more.", armies=there.armies)
            return tell.phrase(self.phrases["move"], **figures), why
        why = tell.phrase("It is defended by {armies:army|armies}.", armies=there.armies)
        return tell.phrase(self.phrases["move.foreign"], **figures), why

    def line(self, name: str, value: str = "") -> tuple[str, str]:
        """Return what a province works on, and how fast; or what reports show. Nothing for what is neither."""
        tell = self.tell
        if name == "show_internal_moves":
            shown = tell.translate({"true": "yes", "false": "no"}.get(value, value))
            return tell.phrase(self.phrases["report"], show=shown), ""
        if name not in self.state.provinces:
            return "", ""
        words = tell.phrase(self.phrases["work"], start=self._name(name), item=tell.called(value))
        speed = labour(self.state.provinces[name], self.state.turn + 1, self.rules)
        return words, tell.phrase("Its labour is {labour} a turn.", labour=speed)

    def _name(self, province: str) -> str:
        return str(self.tell.translate(self.board.by_id[province].name))
