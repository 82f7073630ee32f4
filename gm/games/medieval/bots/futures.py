"""What may come of a realm's orders: turns played by the game's own steps, with guesses of what the others order."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from gm.core.dice import Dice
from gm.core.pipeline import Outcome
from gm.game.values import View
from gm.games.medieval.analysis.forecast import annexed_revenue
from gm.games.medieval.bots.judgement import Judgement
from gm.games.medieval.bots.plans import Plan
from gm.games.medieval.bots.playing import drafted
from gm.games.medieval.bots.sheet import Sheet
from gm.games.medieval.data.clauses_data import BotProfile
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.orders.read import read_root
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import total_upkeep
from gm.games.medieval.steps.turn import Fate, OrderSettled


class Futures:
    """One realm's trials before its orders. What has a number comes out alike whenever it is asked for."""

    def __init__(self, view: View, tempers: Sequence[BotProfile], turns: int, judgement: Judgement) -> None:
        self.view, self.tempers, self.turns, self.judgement = view, tempers, turns, judgement
        self.rules, self.atlas = view.table.rules, view.table.board
        self.world = self._funded(view.state)
        self._answers: dict[int, Mapping[str, Orders]] = {}
        self._known: dict[bytes, Orders] = {}

    def trial(self, plan: Plan, number: int) -> float:
        """How good the realm's position is a few turns after a plan; ``number``: in which future."""
        world, realm = self.world, self.view.realm
        if plan.data not in self._known:
            self._known[plan.data] = self._read(world, realm, plan.sheet)
        tempers = {**self._moods(number), realm: self.tempers[plan.temper]}
        outcome = self._played(world, {**self._answer(number), realm: self._known[plan.data]}, f"{number} 0")
        settled = (each for each in outcome.events if isinstance(each, OrderSettled) and each.audience == realm)
        failed, world = sum(each.fate is not Fate.DONE for each in settled), outcome.state
        for at in range(1, self.turns):
            if world.winners or world.realms[realm].defeated:
                break
            label = f"{number} {at}"
            world = self._played(world, self._thoughts(world, tempers, label), label).state
        return self.judgement.worth(world, realm, self.view.table, failed)

    def _played(self, world: World, orders: Mapping[str, Orders], label: str) -> Outcome[World]:
        seed = f"{self.view.seed} future {label}"
        return play_turn(world, orders, rules=self.rules, atlas=self.atlas, seed=seed)

    def _moods(self, number: int) -> dict[str, BotProfile]:
        """Which temper each of the others has in the future of this number."""
        dice = Dice(self.view.seed, "mood")(f"{number}")
        codes = [code for code, each in self.world.realms.items() if code != self.view.realm and not each.defeated]
        return {code: self.tempers[dice.below(len(self.tempers))] for code in codes}

    def _answer(self, number: int) -> Mapping[str, Orders]:
        if number not in self._answers:
            self._answers[number] = self._thoughts(self.world, self._moods(number), f"{number} 0")
        return self._answers[number]

    def _thoughts(self, world: World, tempers: Mapping[str, BotProfile], label: str) -> dict[str, Orders]:
        living = (code for code in tempers if not world.realms[code].defeated)
        return {code: self._read(world, code, self._thought(world, code, tempers[code], label)) for code in living}

    def _thought(self, world: World, code: str, temper: BotProfile, label: str) -> Sheet:
        seed = f"{self.view.seed} {label} {code}"
        return drafted(self.view.evolve(realm=code, turn=world.turn + 1, seed=seed, state=world), temper)

    def _read(self, world: World, code: str, sheet: Sheet) -> Orders:
        root, game = sheet.root(), self.view.game
        orders, _ = read_root(root, world=world, rules=self.rules, atlas=self.atlas, game=game)
        return orders or Orders(code, world.turn + 1)

    def _funded(self, world: World) -> World:
        """What the others have in their treasuries is unknown: they are thought to live from hand to mouth."""
        others = (each for code, each in world.realms.items() if code != self.view.realm)
        return world.with_realms(*(each.evolve(treasury=self._guess(world, each.code)) for each in others))

    def _guess(self, world: World, code: str) -> Decimal:
        upkeep = total_upkeep(world.of_realm(code), self.rules)
        return max(upkeep, annexed_revenue(world, code, self.rules, self.atlas) + upkeep * 2 / 5)
