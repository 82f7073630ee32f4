"""What a realm can spend without letting its troops go unpaid (N2, L3, L9)."""

from __future__ import annotations

from decimal import Decimal

from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import World
from gm.games.medieval.steps.upkeep import total_upkeep


class Budget:
    """A realm's gold for the turn: upkeep is paid first, and a reserve stays.

    ``reserve`` is that many turns' upkeep, in percent. What is spent here is spent in no order: each spending says
    what it costs, and is refused when there is too little.
    """

    def __init__(self, world: World, realm: str, rules: Rules, reserve_percent: int) -> None:
        self.upkeep = total_upkeep(world.of_realm(realm), rules)
        self.reserve = self.upkeep * reserve_percent / 100
        self.left = max(Decimal(0), world.realms[realm].treasury - self.upkeep - self.reserve)

    def afford(self, cost: Decimal) -> bool:
        """Whether so much is left."""
        return cost <= self.left

    def spend(self, cost: Decimal) -> bool:
        """Spend so much, if it is left."""
        if cost > self.left:
            return False
        self.left -= cost
        return True
