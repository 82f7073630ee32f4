"""How good a position is for a realm: what it has against what the strongest of the others has."""

from gm.core.values import Value
from gm.game.values import GameData
from gm.games.medieval.analysis.forecast import annexed_revenue
from gm.games.medieval.bots.survey import force_of
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import total_upkeep


class Judgement(Value):
    """What counts how much (``rules/medieval/bots/strategist.yaml``)."""

    city: float
    province: float
    revenue: float
    power: float
    gold: float
    rival: float
    failed: float
    victory: float

    def worth(self, world: World, realm: str, table: GameData, failed: int) -> float:
        """The realm's own worth, less a part of the strongest rival's. ``failed``: so many orders came to nothing."""
        if world.winners:
            return self.victory if realm in world.winners else -self.victory
        others = (code for code, each in world.realms.items() if code != realm and not each.defeated)
        rival = max((self._has(world, code, table) for code in others), default=0.0)
        own = self._has(world, realm, table)
        gold = float(world.realms[realm].treasury - total_upkeep(world.of_realm(realm), table.rules))
        return own + self.gold * gold - self.rival * rival - self.failed * failed

    def _has(self, world: World, code: str, table: GameData) -> float:
        lands = world.owned_by(code)
        cities = sum(table.board.city(land.name) is not None for land in lands)
        revenue = float(annexed_revenue(world, code, table.rules, table.board))
        power = sum(force_of(unit, table.rules).power for unit in world.of_realm(code))
        return self.city * cities + self.province * len(lands) + self.revenue * revenue + self.power * power
