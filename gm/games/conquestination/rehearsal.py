"""The planner of the general of Conquestination.

It plans the coming turn with every profile, plays each plan through the run by the stages of the game,
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

MOODIER = 0.5  # What is added to the ``mood`` of a profile each time that it plans again


class Breadth(Record):
    """How much the general tries."""

    plans: int  # The plans that it compares
    positions: int  # The turns that it plays for all plans together


class Standing(Record):
    """Weights for a player's chance to win, fitted to whole games (rules/conquestination/standing.yaml)."""

    units: float  # Of the logarithm of units and income
    income: float  # Of the logarithm of the units of the next turn
    countries: float  # Of the logarithm of the number of countries
    largest: float  # Of the share of the units that are in the country with most of them
    front: float  # Of the logarithm of own units beside enemies to the enemies' there
    seat: float  # Of how late the player's turn comes

    def chances(self, table: GameData, state: Campaign) -> dict[str, float]:
        """Return the probabilities to win from a position, by player's code, without those that are 0."""
        if state.winners is not None:
            return dict.fromkeys(state.winners, 1 / len(state.winners))
        living = state.living
        next_index = living.index(state.current) if state.current in living else 0
        by_turn = (*living[next_index:], *living[:next_index])
        weights = {}
        for index, code in enumerate(by_turn):
            lateness = index / (len(living) - 1)  # two or more are left: else the game would be won
            weights[code] = exp(self._strength(table, state, code, lateness))
        total = sum(weights.values())
        return {code: weight / total for code, weight in weights.items()}

    def _strength(self, table: GameData, state: Campaign, code: str, lateness: float) -> float:
        """Return the weighted sum of a player's figures: the chances to win grow with its exponential.

        ``lateness``: when the player's turn comes, from 0 for the next player to 1 for the last.
        """
        near = table.board.neighbours
        countries = state.countries
        held = state.held(code)
        income = state.next_units(code, table.board, table.rules)
        own_countries = set(held)
        units = sum([countries[country].units for country in held])
        own_at_front = income  # new units may all be placed beside enemies
        front_of_enemies = set[str]()
        for country in held:
            strangers = [other for other in near[country] if other not in own_countries]
            if strangers:
                own_at_front += countries[country].units
                front_of_enemies.update(strangers)
        enemies_at_front = sum([countries[country].units for country in front_of_enemies])
        return (
            self.units * log(units + income)
            + self.income * log(1 + income)
            + self.countries * log(len(held))
            + self.largest * max([countries[country].units for country in held]) / units
            + self.front * log((own_at_front + 1) / (enemies_at_front + 1))
            + self.seat * lateness
        )


@cache
def standing() -> Standing:
    """Return the weights of a player's chance to win that come with the game."""
    return load_value(resource("rules", "conquestination", "standing.yaml"), Standing)


class Rehearsal(portfolio.Rehearsal[Orders]):
    """The planner of the general: it plays its plans against possible turns of the others."""

    state: Campaign

    def __init__(self, view: View, tempers: Sequence[Temper], breadth: Breadth) -> None:
        """Prepare for what a party knows before the run.

        ``tempers``: the profiles by which all players plan; ``breadth``: how much is tried.
        """
        super().__init__(view)
        self.tempers = tempers
        self.breadth = breadth
        living = self.state.living
        is_deployment = self.state.run == 0
        all_play = self.state.current is None  # in every run, one after another; else one player in each
        # the number of runs in which every player has a turn, and the deployment
        self.runs = (1 if all_play else len(living)) + is_deployment
        # the players whose turns in this run come before the party's
        self.earlier = living[: living.index(self.code)] if all_play and not is_deployment else ()
        self._reached: dict[int, Campaign] = {}  # by number of the future: the position at the party's turn

    def orders(self) -> Orders:
        """Return the best plan; no orders if the party has no turn in any of the futures."""
        plans = list(self.candidates())
        if not plans:
            return NO_ORDERS
        # each trial plays so many runs
        return best_plan(plans, self.value, self.breadth.positions // self.runs)

    def candidates(self) -> Iterator[Orders]:
        """Yield plans for the party's turn, by each profile in turn.

        Each is for a position that the party may find then; there is none for a position in which the game is
        over for it. Each further plan of a profile depends more on chance.
        """
        for number in range(self.breadth.plans):
            state = self._before(number)
            if state.winners is None and not state.parties[self.code].out:
                times_before, index = divmod(number, len(self.tempers))
                temper = self.tempers[index]
                moodier = temper.evolve(mood=temper.mood + times_before * MOODIER)
                yield self._planned_orders(state, self.code, moodier, f"plan {number}")

    def value(self, plan: Orders, number: int) -> float:
        """Return the party's probability to win after every player had a turn, the party with this plan.

        If the deployment comes first, the plan is played in it. ``number``: that of the future, which selects
        the others' orders and the dice.
        """
        state = self.state
        orders = {**self.answer(number), self.code: plan}
        for index in range(self.runs):
            if index:  # the plan and the answers were for the first turn
                acting = state.living if state.current is None else (state.current,)
                orders = self._plans(state, acting, number, f"trial {number} {index}")
            turn = self.turn(state, orders, f"{self.seed} trial {number} {index}")
            outcome = self._from_own_turn(turn, number) if self.earlier else run_stages(STAGES, turn)
            state = outcome.state
            state = state.evolve(turn=state.turn + 1)  # as the program does between two turns
            if state.winners is not None or state.parties[self.code].out:
                break
        return standing().chances(self.table, state).get(self.code, 0.0)

    def _from_own_turn(self, turn: Turn, number: int) -> Outcome:
        """Return the outcome of a run in the future of this number, from the party's own turn on.

        The turns of the players before it do not depend on its plan: they are played for the first plan that
        is tried in this future, and the map that they lead to serves all others.
        """
        if number not in self._reached:
            self._reached[number] = self._played(turn)
        state = self._reached[number]
        later_turns = state.evolve(queue=self.state.living[len(self.earlier) :])
        # the first stage is the deployment: then come the turns and the end of the run, or only its end if
        # the game was won before the party's turn
        stages = STAGES[1:] if state.winners is None else STAGES[2:]
        # a phase is one player's turn: those who have acted had the phases before
        return run_stages(stages, turn.evolve(state=later_turns), first=len(state.acted) + 1)

    def _played(self, turn: Turn) -> Campaign:
        """Return the position after the turns of the players before the party, and of no others."""
        earlier_turns = turn.state.evolve(queue=self.earlier)
        state: Campaign = run_stages(STAGES[1:2], turn.evolve(state=earlier_turns)).state
        return state

    def _before(self, number: int) -> Campaign:
        """Return a possible position at the party's turn, after the players before it in the run."""
        if not self.earlier:
            return self.state
        played = self._played(self.turn(self.state, self.answer(number), f"{self.seed} before {number}"))
        return played.evolve(acting=None, acted=(), won_lines={})

    def answered(self, number: int) -> dict[str, Orders]:
        """Return possible orders of the others, by code; ``number`` selects the profiles."""
        return self._plans(self.state, self.rivals(), number, f"answer {number}")

    def _plans(self, state: Campaign, codes: Iterable[str], number: int, label: str) -> dict[str, Orders]:
        """Return possible orders of each player, by code, planned with a profile that ``number`` selects.

        ``label``: that of the dice.
        """
        plans = {}
        for index, code in enumerate(codes):
            temper = self.tempers[(number + index) % len(self.tempers)]
            plans[code] = self._planned_orders(state, code, temper, f"{label} {code}")
        return plans

    def _planned_orders(self, state: Campaign, code: str, temper: Temper, label: str) -> Orders:
        """Return a player's orders as planned with a profile. ``label``: that of the dice."""
        return Thought(self.table, state, code, temper, Dice(self.seed, "general")(label)).orders()
