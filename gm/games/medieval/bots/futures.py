"""Possible results of a realm's orders: turns by the game's own steps, with guesses about others."""

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
    """One realm's trials before its orders.

    A future with the same number always comes out alike. ``rivals``: the profiles that each of the others may
    have; ``own``: the profile with which the realm plays on, by default the first of ``rivals``.
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
        """Prepare for trials. ``turns``: how many are played; ``whole``: the view of the whole map."""
        self.view = view
        self.tempers = tempers
        self.turns = turns
        self.judgement = judgement
        self._own = own or tempers[0]
        self.rules = view.table.rules
        self.atlas = view.table.board
        self.world = self._funded(view.state)
        self._beyond = judgement.beyond(whole or view, view)
        other_codes = (
            code for code, realm in self.world.realms.items() if code != view.realm and not realm.defeated
        )
        self.rivals = {code: self._fitting(code) for code in other_codes}
        self._answers: dict[str, Mapping[str, Orders]] = {}
        self._first: dict[tuple[str, int, bool], Orders] = {}
        self._known: dict[bytes, Orders] = {}
        self._worths: dict[tuple[bytes, str], float] = {}

    def trial(self, plan: Plan, number: int) -> float:
        """Return the value of the realm's position some turns after a plan, in the future ``number``."""
        return self._tried(plan, f"{number}", self.turns)

    def glance(self, plan: Plan, number: int) -> float:
        """Return a plan's value right after this turn, in separate futures."""
        return self._tried(plan, f"near {number}", 1)

    def _tried(self, plan: Plan, future: str, turns: int) -> float:
        if (plan.data, future) not in self._worths:
            self._worths[plan.data, future] = self._worth(plan, future, turns)
        return self._worths[plan.data, future]

    def _worth(self, plan: Plan, future: str, turns: int) -> float:
        """Return the value of a plan after ``turns`` turns of a future."""
        world = self.world
        realm = self.view.realm
        if plan.data not in self._known:
            self._known[plan.data] = self._read(world, realm, plan.data)
        tempers = {**self._moods(future), realm: self._own}
        outcome = self._played(world, {**self._answer(future), realm: self._known[plan.data]}, f"{future} 0")
        settled = (
            event for event in outcome.events if isinstance(event, OrderSettled) and event.audience == realm
        )
        failed = sum(event.fate is not OrderOutcome.DONE for event in settled)
        world = outcome.state
        for at in range(1, turns):
            if world.winners or world.realms[realm].defeated:
                break
            label = f"{future} {at}"
            world = self._played(world, self._thoughts(world, tempers, label), label).state
        return self.judgement.worth(world, realm, self.view.table, failed, self._beyond)

    def _played(self, world: World, orders: Mapping[str, Orders], label: str) -> Outcome[World]:
        seed = f"{self.view.seed} future {label}"
        return play_turn(world, orders, rules=self.rules, atlas=self.atlas, seed=seed, collect_events=False)

    def _moods(self, future: str) -> dict[str, BotProfile]:
        """Return the profile of each of the others in this future, one that fits its past deeds."""
        dice = Dice(self.view.seed, "mood")(future)
        return {code: tempers[dice.below(len(tempers))] for code, tempers in self.rivals.items()}

    def _fitting(self, code: str) -> Sequence[BotProfile]:
        """Return the profiles that would have begun a realm's recent wars and alliances.

        All, if none fits.
        """
        did = {deal.what for deal in self.view.talk.dealings if deal.realm == code}
        fits = [
            temper
            for temper in self.tempers
            if (temper.war_percent or WAR not in did) and (temper.allies or ALLIANCE not in did)
        ]
        return fits or self.tempers

    def _answer(self, future: str) -> Mapping[str, Orders]:
        if future not in self._answers:
            moods = self._moods(future).items()
            self._answers[future] = {
                code: self._first_thought(code, mood, f"{future} 0") for code, mood in moods
            }
        return self._answers[future]

    def _first_thought(self, code: str, temper: BotProfile, label: str) -> Orders:
        """Return a realm's orders of this turn, one of a few variants for all futures."""
        key = (code, self.tempers.index(temper), dares(self._seed(code, label)))
        if key not in self._first:
            self._first[key] = self._thought(self.world, code, temper, label)
        return self._first[key]

    def _thoughts(self, world: World, tempers: Mapping[str, BotProfile], label: str) -> dict[str, Orders]:
        living = (code for code in tempers if not world.realms[code].defeated)
        return {code: self._thought(world, code, tempers[code], label) for code in living}

    def _thought(self, world: World, code: str, temper: BotProfile, label: str) -> Orders:
        view = self.view.evolve(realm=code, turn=world.turn + 1, seed=self._seed(code, label), state=world)
        return self._read(world, code, drafted(view, temper).data())

    def _seed(self, code: str, label: str) -> str:
        return f"{self.view.seed} {label} {code}"

    def _read(self, world: World, code: str, data: bytes) -> Orders:
        file = read_orders(data, "", world=world, rules=self.rules, atlas=self.atlas, game=self.view.game)
        return file.sheet or Orders(code, world.turn + 1)

    def _funded(self, world: World) -> World:
        """Return the world with the others' treasuries, which are unknown, just enough for their upkeep."""
        other_realms = (realm for code, realm in world.realms.items() if code != self.view.realm)
        return world.with_realms(
            *(seat.evolve(treasury=self._guess(world, seat.code)) for seat in other_realms)
        )

    def _guess(self, world: World, code: str) -> Decimal:
        upkeep = total_upkeep(world.of_realm(code), self.rules)
        return max(upkeep, annexed_revenue(world, code, self.rules, self.atlas) + upkeep * 2 / 5)
