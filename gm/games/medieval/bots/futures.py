"""Possible results of a realm's orders: turns played by the game's own steps, with guesses about others.

A *temper* is a bot's profile that a realm may have: another realm is guessed to play by one of them.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from gm.core.dice import Dice
from gm.core.pipeline import Outcome
from gm.game.values import View
from gm.games.medieval.analysis.dealings import ALLIANCE, WAR
from gm.games.medieval.analysis.forecast import annexed_revenue
from gm.games.medieval.bots.judgement import Judgement
from gm.games.medieval.bots.plans import Plan
from gm.games.medieval.bots.playing import drafted
from gm.games.medieval.bots.relations import dares
from gm.games.medieval.data.clauses_data import BotProfile
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.orders.read import read_orders
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import total_upkeep
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled


class Futures:
    """One realm's trials of its plans for a turn, before it gives its orders.

    A future has a number, which decides the temper of each other realm and the dice of all turns: so it is
    always the same. ``tempers``: those that others may have; ``rivals``: the tempers that fit each other
    realm's deeds, by its code.
    """

    def __init__(
        self,
        view: View,
        tempers: Sequence[BotProfile],
        turns: int,
        judgement: Judgement,
        *,
        whole: View | None = None,
        own: BotProfile | None = None,
    ) -> None:
        """Prepare for trials.

        ``turns``: how many are played in a trial; ``whole``: the realm's view of the whole map, of which
        ``view`` may be a part; ``own``: the profile with which the realm plays on after its first turn, by
        default the first of ``tempers``.
        """
        self.view = view
        self.tempers = tempers
        self.turns = turns
        self.judgement = judgement
        self._own = own or tempers[0]
        self.rules = view.table.rules
        self.atlas = view.table.board
        self.world = self._with_guessed_gold(view.state)
        self._beyond = judgement.beyond(whole or view, view)  # the merit of what each realm has elsewhere
        other_codes = (
            code for code, realm in self.world.realms.items() if code != view.realm and not realm.defeated
        )
        self.rivals = {code: self._fitting_tempers(code) for code in other_codes}
        # computed once: the others' orders of this turn, by code, in each future
        self._answers: dict[str, Mapping[str, Orders]] = {}
        # another realm's orders of this turn, by (code, index of its temper, whether it begins a war)
        self._first_orders: dict[tuple[str, int, bool], Orders] = {}
        self._orders_of_plan: dict[bytes, Orders] = {}  # the realm's orders, by their file
        self._values: dict[tuple[bytes, str], float] = {}  # by (file, future)

    def trial(self, plan: Plan, number: int) -> float:
        """Return the value of the realm's position some turns after a plan, in the future ``number``."""
        return self._cached_value(plan, f"{number}", self.turns)

    def glance(self, plan: Plan, number: int) -> float:
        """Return the value of a plan right after this turn, in a future ``number`` of its own.

        It is not the future of this number that :meth:`trial` has.
        """
        return self._cached_value(plan, f"near {number}", 1)

    def _cached_value(self, plan: Plan, future: str, turns: int) -> float:
        """Return the value of a plan after so many turns of a future, computed once.

        A future (``3``, ``near 3``) is always asked about the same number of turns.
        """
        if (plan.data, future) not in self._values:
            self._values[plan.data, future] = self._value(plan, future, turns)
        return self._values[plan.data, future]

    def _value(self, plan: Plan, future: str, turns: int) -> float:
        """Return the value of a plan after so many turns of a future."""
        world = self.world
        realm = self.view.realm
        if plan.data not in self._orders_of_plan:
            self._orders_of_plan[plan.data] = self._read(world, realm, plan.data)
        orders = {**self._answer(future), realm: self._orders_of_plan[plan.data]}
        outcome = self._outcome_of_turn(world, orders, f"{future} 0")
        settled = (
            event for event in outcome.events if isinstance(event, OrderSettled) and event.audience == realm
        )
        # only in this turn: the orders of later turns are not the plan's
        failed = sum(event.fate is not OrderOutcome.DONE for event in settled)
        world = outcome.state
        tempers = {**self._tempers_in(future), realm: self._own}
        for turn in range(1, turns):
            if world.winners or world.realms[realm].defeated:
                break
            label = f"{future} {turn}"
            world = self._outcome_of_turn(world, self._orders_of_all(world, tempers, label), label).state
        return self.judgement.worth(world, realm, self.view.table, failed, self._beyond)

    def _outcome_of_turn(self, world: World, orders: Mapping[str, Orders], label: str) -> Outcome[World]:
        """Return the outcome of a turn with these orders, by code; ``label``: of its dice."""
        seed = f"{self.view.seed} future {label}"
        return play_turn(world, orders, rules=self.rules, atlas=self.atlas, seed=seed, collect_events=False)

    def _tempers_in(self, future: str) -> dict[str, BotProfile]:
        """Return the temper of each other realm in this future, by code: one that fits its past deeds."""
        dice = Dice(self.view.seed, "mood")(future)
        return {code: tempers[dice.below(len(tempers))] for code, tempers in self.rivals.items()}

    def _fitting_tempers(self, code: str) -> Sequence[BotProfile]:
        """Return the tempers that would have begun a realm's recent wars and alliances; all if none would."""
        deeds = {deal.what for deal in self.view.talk.dealings if deal.realm == code}
        fits = [
            temper
            for temper in self.tempers
            if (temper.war_percent or WAR not in deeds) and (temper.allies or ALLIANCE not in deeds)
        ]
        return fits or self.tempers

    def _answer(self, future: str) -> Mapping[str, Orders]:
        """Return the others' orders of this turn in a future, by code."""
        if future not in self._answers:
            self._answers[future] = {
                code: self._orders_of_first_turn(code, temper, f"{future} 0")
                for code, temper in self._tempers_in(future).items()
            }
        return self._answers[future]

    def _orders_of_first_turn(self, code: str, temper: BotProfile, label: str) -> Orders:
        """Return another realm's orders of this turn.

        Futures with the same temper share them, but for the one thing that a bot draws: whether it begins a
        war.
        """
        key = (code, self.tempers.index(temper), dares(self._seed(code, label)))
        if key not in self._first_orders:
            self._first_orders[key] = self._orders_of(self.world, code, temper, label)
        return self._first_orders[key]

    def _orders_of_all(
        self, world: World, tempers: Mapping[str, BotProfile], label: str
    ) -> dict[str, Orders]:
        """Return the orders of all realms that are left, by code, if they have these tempers.

        ``label``: of their dice, such as the future and the turn.
        """
        living = (code for code in tempers if not world.realms[code].defeated)
        return {code: self._orders_of(world, code, tempers[code], label) for code in living}

    def _orders_of(self, world: World, code: str, temper: BotProfile, label: str) -> Orders:
        """Return the orders that a realm of this temper gives in a world; ``label``: of its dice."""
        view = self.view.evolve(realm=code, turn=world.turn + 1, seed=self._seed(code, label), state=world)
        return self._read(world, code, drafted(view, temper).data())

    def _seed(self, code: str, label: str) -> str:
        return f"{self.view.seed} {label} {code}"

    def _read(self, world: World, code: str, data: bytes) -> Orders:
        """Return the orders in a bot's file; none if the file is rejected."""
        file = read_orders(data, "", world=world, rules=self.rules, atlas=self.atlas, game=self.view.game)
        return file.sheet or Orders(code, world.turn + 1)

    def _with_guessed_gold(self, world: World) -> World:
        """Return the world with guesses of the others' treasuries, which are unknown."""
        other_realms = (realm for code, realm in world.realms.items() if code != self.view.realm)
        return world.with_realms(
            *(other.evolve(treasury=self._guessed_treasury(world, other.code)) for other in other_realms)
        )

    def _guessed_treasury(self, world: World, code: str) -> Decimal:
        """Return a guess of a realm's gold: its revenue and 2/5 of its upkeep, and at least the upkeep."""
        upkeep = total_upkeep(world.of_realm(code), self.rules)
        return max(upkeep, annexed_revenue(world, code, self.rules, self.atlas) + upkeep * 2 / 5)
