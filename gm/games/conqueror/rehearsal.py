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

THINKERS = ("sovereign", "marshal")  # The profiles whose plans it compares; the other may have either of them
PLANS = 16  # The plans that are tried
TRIALS = 96  # The trials of them all; then as many trials of the best one's variations
STRAYS = ("guard", "drill", "prize", "alarm", "bargain", "army", "sight", "rebels")  # The figures that vary
# The weights of the logarithms of a power's armies, labour and gold for its chance to win a duel: fitted
# (logit) to 18,000 positions of 1,500 games between bots
ARMIES = 2.85
LABOUR = 2.13
GOLD = 0.31


class Rehearsal(portfolio.Rehearsal[Orders]):
    """The planner of the sovereign in a game of two."""

    def __init__(self, view: View) -> None:
        """Prepare for what a party knows before the turn.

        The other's gold is unknown; it is assumed to be the labour of a turn.
        """
        super().__init__(view)
        world: World = view.state
        self.seed = f"{view.seed} {view.turn}"
        self.rules = world.settings.applied(view.table.rules)
        other_parties = (code for code in world.parties if code != self.code)
        self.state = world.with_parties({code: {"gold": self._labour(world, code)} for code in other_parties})

    def _labour(self, world: World, code: str) -> int:
        """Return the labour of a player's provinces in the turn to be played."""
        return sum(labour(province, world.turn + 1, self.rules) for province in world.owned(code))

    def orders(self) -> Orders:
        """Return the best variation of the plan that does best in the trials."""
        best_orders = best_plan(self.candidates(), self.value, TRIALS)
        return best_plan(variations(best_orders), self.value, TRIALS)

    def candidates(self) -> Iterator[Orders]:
        """Yield the plans of the profiles as they are, and then of profiles with random changes."""
        for number in range(PLANS):
            dice = self._dice(f"plan {number}")
            temper = self._temper(number)
            if number >= len(THINKERS):
                temper = strayed(temper, dice)
            yield self._planned_orders(self.code, temper, dice)

    def value(self, plan: Orders, number: int) -> float:
        """Return the probability that the party wins after a turn with this plan, in trial ``number``."""
        turn = self.turn(self.state, {**self.answer(number), self.code: plan}, f"{self.seed} trial {number}")
        return self._chance_to_win(run_stages(STAGES, turn).state.evolve(turn=turn.number))

    def answered(self, number: int) -> dict[str, Orders]:
        """Return the orders that a profile plans for the others, by code; ``number`` selects the profile."""
        temper = self._temper(number)
        return {
            code: self._planned_orders(code, temper, self._dice(f"answer {number} {code}"))
            for code in self.rivals()
            if self.state.parties[code].alive
        }

    def _temper(self, number: int) -> Temper:
        """Return the profile that ``number`` selects, in its form for a game of two; profiles recur."""
        return in_duel(tempers()[THINKERS[number % len(THINKERS)]])

    def _chance_to_win(self, world: World) -> float:
        """Return the probability that the party wins, from 0 to 1.

        Armies that would desert in winter, if all provinces worked for taxes until then, do not count.
        """
        if world.winners is not None:
            # equals share the victory
            return (self.code in world.winners) / max(1, len(world.winners))
        weights = {}
        for code, player in world.parties.items():
            if player.capital is None:
                continue
            own_provinces = world.owned(code)
            total_labour = self._labour(world, code)
            gold = player.gold + total_labour * self.rules.turns_to_winter(world.turn + 1)
            _, deserters = winter(player.capital, gold, own_provinces, self.table.board)
            armies = sum(province.armies for province in own_provinces) - sum(deserters.values())
            # 1 and 5 are added, since there is no logarithm of nothing
            weights[code] = exp(
                ARMIES * log(1 + armies) + LABOUR * log(1 + total_labour) + GOLD * log(5 + player.gold)
            )
        return weights.get(self.code, 0.0) / sum(weights.values())

    def _planned_orders(self, code: str, temper: Temper, dice: Stream) -> Orders:
        """Return the orders that the profile ``temper`` plans for a player."""
        return Planner(self.state, code, self.table.board, self.rules, temper, dice).orders()

    def _dice(self, label: str) -> Stream:
        return Dice(self.seed, "sovereign")(label)


def strayed(temper: Temper, stream: Stream) -> Temper:
    """Return a profile with each figure of ``STRAYS`` multiplied or divided by a random factor of at most e.

    So is the risk that it takes in an attack: 100 percent less its wanted chance of winning. The risk stays
    between 5 and 80.
    """

    def factor() -> float:
        """Return e to a random power from -1 to 1, in thousandths."""
        return exp((stream.below(2001) - 1000) / 1000)

    risk = min(80, max(5, round((100 - temper.chance) * factor())))
    figures = {name: round(getattr(temper, name) * factor()) for name in STRAYS}
    return temper.evolve(chance=100 - risk, **figures)


def variations(plan: Orders) -> Iterator[Orders]:
    """Yield the plan, then plans with one change.

    For each move: without it, with all armies, or with one army fewer; then with no purchases, with those of
    recruits only, without new work, and without any move.
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
