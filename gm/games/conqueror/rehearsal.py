"""The planner of the sovereign of Conqueror! in a game of two.

It plans the turn with several profiles, plays each plan through the game's own steps against possible orders
of the other, takes the plan with the best chance to win, and then tries that plan with its stack of orders
changed a little.
"""

from collections.abc import Iterator
from math import exp, log

from gm.core.dice import Dice, Stream
from gm.core.pipeline import run_stages
from gm.game import portfolio
from gm.game.portfolio import best_plan
from gm.game.values import View
from gm.games.conqueror.figures import labour, winter
from gm.games.conqueror.rules import RECRUIT
from gm.games.conqueror.state import Orders, World
from gm.games.conqueror.steps import STAGES
from gm.games.conqueror.tempers import Planner, Temper, in_duel, tempers

THINKERS = ("sovereign", "marshal")  # Whose plans it compares, and how it thinks that the other decides
PLANS = 16  # plans that are tried
TRIALS = 96  # trials of them; then as many trials of the best one's variations
STRAYS = ("guard", "drill", "prize", "alarm", "bargain", "army", "sight", "rebels")
ARMIES = 2.85
LABOUR = 2.13
GOLD = 0.31
"""What makes a power likely to win a duel: weights of logarithms, fitted to 18,000 positions of 1,500 games.
duchies between programs (logit)."""


class Rehearsal(portfolio.Rehearsal[Orders]):
    """The planner of the sovereign in a game of two: it plays its plans against possible orders of the other.

    The other's treasury is not known.
    """

    def __init__(self, view: View) -> None:
        """Take a view. The others' gold is unknown; it is assumed to be the income of a turn."""
        super().__init__(view)
        world: World = view.state
        self.seed = f"{view.seed} {view.turn}"
        self.rules = world.settings.applied(view.table.rules)
        # it is thought to be what his provinces make in a turn
        other_parties = (code for code in world.parties if code != self.code)
        self.state = world.with_parties({code: {"gold": self._made(world, code)} for code in other_parties})

    def _made(self, world: World, code: str) -> int:
        """Return the labour of a player's provinces in one turn."""
        return sum(labour(province, world.turn + 1, self.rules) for province in world.owned(code))

    def orders(self) -> Orders:
        """Return the best plan."""
        best_orders = best_plan(self.candidates(), self.value, TRIALS)
        return best_plan(variations(best_orders), self.value, TRIALS)

    def candidates(self) -> Iterator[Orders]:
        """Yield the plans: of each profile unchanged, and then of profiles that stray from it."""
        for number in range(PLANS):
            chance = self._chance(f"plan {number}")
            temper = in_duel(tempers()[THINKERS[number % len(THINKERS)]])
            yield self._thought(
                self.code, temper if number < len(THINKERS) else strayed(temper, chance), chance
            )

    def value(self, plan: Orders, number: int) -> float:
        """Return the party's chance to win after a turn with this plan."""
        turn = self.turn(self.state, {**self.answer(number), self.code: plan}, f"{self.seed} trial {number}")
        return self._chances(run_stages(STAGES, turn).state.evolve(turn=turn.number))

    def answered(self, number: int) -> dict[str, Orders]:
        temper = in_duel(tempers()[THINKERS[number % len(THINKERS)]])
        return {
            code: self._thought(code, temper, self._chance(f"answer {number} {code}"))
            for code in self.rivals()
            if self.state.parties[code].alive
        }

    def _chances(self, world: World) -> float:
        """Return the probability that the party wins, from 0 to 1.

        Only armies count that winter does not send home, if all provinces work for taxes until then.
        """
        if world.winners is not None:
            return (self.code in world.winners) / max(1, len(world.winners))
        weights = {}
        for code, player in world.parties.items():
            if player.capital is None:
                continue
            own_provinces = world.owned(code)
            total_labour = sum(labour(province, world.turn + 1, self.rules) for province in own_provinces)
            gold = player.gold + total_labour * self.rules.turns_to_winter(world.turn + 1)
            leave = winter(player.capital, gold, own_provinces, self.table.board)[1]
            armies = sum(province.armies for province in own_provinces) - sum(leave.values())
            weights[code] = exp(
                ARMIES * log(1 + armies) + LABOUR * log(1 + total_labour) + GOLD * log(5 + player.gold)
            )
        return weights.get(self.code, 0.0) / sum(weights.values())

    def _thought(self, code: str, temper: Temper, chance: Stream) -> Orders:
        return Planner(self.state, code, self.table.board, self.rules, temper, chance).orders()

    def _chance(self, label: str) -> Stream:
        return Dice(self.seed, "sovereign")(label)


def strayed(temper: Temper, chance: Stream) -> Temper:
    """Return a profile with its figures multiplied or divided by a random factor of at most e.

    Its wanted chance of winning an attack, in percent, stays between 20 and 95.
    """

    def factor() -> float:
        return exp((chance.below(2001) - 1000) / 1000)

    open_odds = min(80, max(5, round((100 - temper.chance) * factor())))
    return temper.evolve(
        chance=100 - open_odds, **{name: round(getattr(temper, name) * factor()) for name in STRAYS}
    )


def variations(plan: Orders) -> Iterator[Orders]:
    """Yield the plan, then slightly changed plans.

    These lack all moves, or one of them, or have fewer or all armies in one, or lack all orders of a kind.
    """
    yield plan
    moves = plan.moves
    for at, move in enumerate(moves):
        before = moves[:at]
        after = moves[at + 1 :]
        yield plan.evolve(moves=(*before, *after))
        # nothing is left for a later move from there
        other_moves = [other for other in after if other.source != move.source]
        yield plan.evolve(moves=(*before, move.evolve(everything=True), *other_moves))
        if move.armies > 1:
            yield plan.evolve(moves=(*before, move.evolve(armies=move.armies - 1), *after))
    yield plan.evolve(buy=())
    yield plan.evolve(buy=tuple(purchase for purchase in plan.buy if purchase.item == RECRUIT))
    yield plan.evolve(production=())
    if len(moves) > 1:
        yield plan.evolve(moves=())
