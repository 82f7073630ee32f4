"""What a player can expect: income until winter, and what winter will cost (CQ-22.3, CQ-18.1)."""

from __future__ import annotations

from typing import NamedTuple

from gm.games.conqueror.books import bill, support
from gm.games.conqueror.labour import labour
from gm.games.conqueror.land import Land
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.state import World


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


def winter_bill(world: World, code: str, land: Land) -> int:
    """CQ-18.1: section 12 on present figures."""
    capital = world.parties[code].capital
    return bill(capital, world.owned(code), land) if capital else 0
