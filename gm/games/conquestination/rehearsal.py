"""The planner of the general of Conquestination.

It plans the coming turn with every profile, plays each plan through the run by the very stages of the game,
against possible orders of the others and with random dice, and chooses the plan with the best chance to win.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import exp, log

from gm.core.dice import Dice
from gm.core.pipeline import run_stages
from gm.core.values import Record
from gm.core.yaml.models import load_value
from gm.game import portfolio
from gm.game.portfolio import best_plan
from gm.game.values import GameData, View
from gm.games.conquestination.orders import NO_ORDERS, Orders, Outcome, Turn
from gm.games.conquestination.profiles import Temper
from gm.games.conquestination.state import Campaign
from gm.games.conquestination.steps import STAGES
from gm.games.conquestination.tempers import Thought
from gm.resources import resource

MOODIER = 0.5  # By so much chance sways a temper more each time that it is asked again


class Breadth(Record):
    """The number of plans that the general compares, and of positions that it may play them out to."""

    plans: int
    positions: int


class Standing(Record):
    """Weights for a player's chance to win, fitted to whole games (rules/conquestination/standing.yaml)."""

    units: float
    income: float
    countries: float
    largest: float
    front: float
    seat: float

    def chances(self, table: GameData, state: Campaign) -> dict[str, float]:
        """Return each player's chance to win from here; 0 for those who are out."""
        if state.winners is not None:
            return dict.fromkeys(state.winners, 1 / len(state.winners))
        order = state.living
        at = order.index(state.current) if state.current in order else 0
        seats = enumerate((*order[at:], *order[:at]))
        weights = {
            code: exp(self._strength(table, state, code, seat / (len(order) - 1))) for seat, code in seats
        }
        total = sum(weights.values())
        return {code: weight / total for code, weight in weights.items()}

    def _strength(self, table: GameData, state: Campaign, code: str, seat: float) -> float:
        """Return a player's strength. ``seat``: from 0 for the next player to 1 for the last."""
        near = table.board.neighbours
        countries = state.countries
        held = state.held(code)
        income = state.next_units(code, table.board, table.rules)
        own_countries = set(held)
        units = sum([countries[country].units for country in held])
        own = income
        reached = set[str]()
        for country in held:
            strangers = [other for other in near[country] if other not in own_countries]
            if strangers:
                own += countries[country].units
                reached.update(strangers)
        enemy = sum([countries[country].units for country in reached])
        return (
            self.units * log(units + income)
            + self.income * log(1 + income)
            + self.countries * log(len(held))
            + self.largest * max([countries[country].units for country in held]) / units
            + self.front * log((own + 1) / (enemy + 1))
            + self.seat * seat
        )


@cache
def standing() -> Standing:
    """Return the weights of a standing, as shipped."""
    return load_value(resource("rules", "conquestination", "standing.yaml"), Standing)


class Rehearsal(portfolio.Rehearsal[Orders]):
    """The planner of the general: it plays its plans against possible turns of the others."""

    state: Campaign

    def __init__(self, view: View, tempers: Sequence[Temper], breadth: Breadth) -> None:
        """Prepare for a view; ``earlier``: the players before this one in the run."""
        super().__init__(view)
        self.tempers = tempers
        self.breadth = breadth
        self.turns = (1 if self.state.current is None else len(self.state.living)) + (self.state.run == 0)
        living = self.state.living
        self.earlier = (
            living[: living.index(self.code)] if self.state.run and self.state.current is None else ()
        )
        self._reached: dict[int, Campaign] = {}

    def orders(self) -> Orders:
        """Return the best plan."""
        plans = list(self.candidates())
        return best_plan(plans, self.value, self.breadth.positions // self.turns) if plans else NO_ORDERS

    def candidates(self) -> Iterator[Orders]:
        """Yield plans of each profile in turn, ever more by chance, for the map at the party's turn."""
        for number in range(self.breadth.plans):
            state = self._before(number)
            if state.winners is None and not state.parties[self.code].out:
                again, at = divmod(number, len(self.tempers))
                temper = self.tempers[at].evolve(mood=self.tempers[at].mood + again * MOODIER)
                yield self._thought(state, self.code, temper, f"plan {number}")

    def value(self, plan: Orders, number: int) -> float:
        """Return the party's chance to win after a round of turns with this plan.

        After the deployment that round is played, too.
        """
        state = self.state
        orders = {**self.answer(number), self.code: plan}
        for at in range(self.turns):
            if at:
                acting = state.living if state.current is None else (state.current,)
                orders = self._thoughts(state, acting, number, f"trial {number} {at}")
            turn = self.turn(state, orders, f"{self.seed} trial {number} {at}")
            state = (self._from_own(turn, number) if self.earlier else run_stages(STAGES, turn)).state
            state = state.evolve(turn=state.turn + 1)
            if state.winners is not None or state.parties[self.code].out:
                break
        return standing().chances(self.table, state).get(self.code, 0.0)

    def _from_own(self, turn: Turn, number: int) -> Outcome:
        """Return the outcome of a run in the future of this number, from the party's own turn on.

        The turns of the players before it do not depend on its plan: they are played for the first plan that
        is tried in this future, and the map that they lead to serves all others.
        """
        if number not in self._reached:
            self._reached[number] = self._played(turn)
        state = self._reached[number]
        later_turns = state.evolve(queue=self.state.living[len(self.earlier) :])
        stages = STAGES[1:] if state.winners is None else STAGES[2:]
        return run_stages(stages, turn.evolve(state=later_turns), first=len(state.acted) + 1)

    def _played(self, turn: Turn) -> Campaign:
        """Return the run up to the party's own turn."""
        state: Campaign = run_stages(
            STAGES[1:2], turn.evolve(state=turn.state.evolve(queue=self.earlier))
        ).state
        return state

    def _before(self, number: int) -> Campaign:
        """Return a possible map at the party's turn, after those before it in the run have played."""
        if not self.earlier:
            return self.state
        played = self._played(self.turn(self.state, self.answer(number), f"{self.seed} before {number}"))
        return played.evolve(acting=None, acted=(), won_lines={})

    def answered(self, number: int) -> dict[str, Orders]:
        return self._thoughts(self.state, self.rivals(), number, f"answer {number}")

    def _thoughts(self, state: Campaign, codes: Iterable[str], number: int, label: str) -> dict[str, Orders]:
        """Return possible orders of each player, planned with a random profile."""
        moods = {code: self.tempers[(number + at) % len(self.tempers)] for at, code in enumerate(codes)}
        return {code: self._thought(state, code, mood, f"{label} {code}") for code, mood in moods.items()}

    def _thought(self, state: Campaign, code: str, temper: Temper, label: str) -> Orders:
        return Thought(self.table, state, code, temper, Dice(self.seed, "general")(label)).orders()
