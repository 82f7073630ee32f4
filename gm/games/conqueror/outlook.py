"""What a player can expect: income until winter, and what winter will cost (CQ-22.3, CQ-18.1)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from gm.game.preview import BookLine
from gm.game.values import GameData
from gm.games.conqueror.books import bill, support
from gm.games.conqueror.events import Bought, WinterPaid, Worked
from gm.games.conqueror.labour import labour
from gm.games.conqueror.land import Land
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.state import World
from gm.text.pages import counted


class Outlook(NamedTuple):
    """``income`` and ``support`` by province: gold a turn as things stand, and what its armies would cost in winter.

    ``turns``: how many turns still close up to and with winter.
    """

    income: dict[str, int]
    support: dict[str, int]
    turns: int

    @property
    def a_turn(self) -> int:
        """Gold a turn."""
        return sum(self.income.values())

    @property
    def until_winter(self) -> int:
        """Gold until winter."""
        return self.a_turn * self.turns

    @property
    def bill(self) -> int:
        """What winter will cost."""
        return sum(self.support.values())


def outlook(world: World, code: str, land: Land, rules: Rules) -> Outlook:
    """A player's estimates before the next turn, on present figures."""
    coming = world.turn + 1
    capital = world.parties[code].capital
    steps = land.steps_from(capital) if capital else {}
    owned = world.owned(code)
    income = {each.code: labour(each, coming, rules) if each.item == TAXES else 0 for each in owned}
    costs = {each.code: support(each, steps[each.code]) for each in owned if capital}
    return Outlook(income, costs, rules.turns_to_winter(coming))


def books(table: GameData, state: World, code: str, outcome: Any) -> Iterator[BookLine]:
    """What a turn does to a treasury, from a trial's outcome: purchases, taxes, winter; and what winter will want for
    the armies as they stand after it (CQ-12, CQ-22.3)."""
    land, rules, gold = table.board.land, state.settings.applied(table.rules), state.parties[code].gold

    def line(says: str, amount: int, *, total: bool = False) -> BookLine:
        return BookLine(says, None if total else Decimal(amount), Decimal(gold), total)

    yield line("in the treasury", 0, total=True)
    for event in outcome.events:
        match event:
            case Bought(party=party) if party == code:
                gold -= event.price
                yield line(f"buying {event.count} × {event.item} in {event.province}", -event.price)
            case Worked(party=party) if party == code and event.gold:
                gold += event.gold
                yield line(f"{event.province}: {event.item}", event.gold)
            case WinterPaid(party=party) if party == code:
                gold -= event.paid
                short = f" of the {event.due} that they want" if event.paid < event.due else ""
                yield line(f"winter: pay of the armies{short}", -event.paid)
    yield line("after the turn", 0, total=True)
    if outcome.state.parties[code].alive:
        coming = outlook(outcome.state, code, land, rules)
        says = f"winter, {counted(coming.turns, 'turn')} later, wants {coming.bill}; with taxes until then there are"
        yield BookLine(says, None, Decimal(gold + coming.until_winter), total=True)


def winter_bill(world: World, code: str, land: Land) -> int:
    """CQ-18.1: section 12 on present figures."""
    capital = world.parties[code].capital
    return bill(capital, world.owned(code), land) if capital else 0
