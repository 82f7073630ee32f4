"""The decision of the marshal of CONQUEST 0.0.2.

It plans a turn in several ways, and the others' turn likewise, plays each plan against each by the stages of
the turn, and draws one of its own by the weights of a mixed strategy that no answer exploits.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from operator import add, mul

import msgspec

from gm.core.dice import Dice, Stream
from gm.core.pipeline import run_stages
from gm.core.values import Record
from gm.game.portfolio import Rehearsal
from gm.game.values import GameData, View
from gm.games.conquest_structures.orders import Item, Line, Move, Orders
from gm.games.conquest_structures.planning import NOWHERE, Plan, Temper
from gm.games.conquest_structures.state import NEUTRAL, Conquest
from gm.games.conquest_structures.steps import STAGES

REHEARSED = STAGES[1:]  # Without the first, which only reports the PopCap
WON = 1000.0  # The value of a game that is won
ROUNDS = 60  # The rounds of regret matching
WEIGHTS = 10_000  # The sum of the whole weights of a mixed strategy, about
IMPATIENCE = 0.3  # The tolerance for worse plans grows by so much each turn: nobody waits for ever
RARE = 5  # A plan with less than one in so many of the largest weight is left out
# What counts in the value of a position (:func:`standings`)
WORTH = {"home": 15.0, "city": 10.0, "refinery": 5.5, "base": 4.0}
UNIT = {"infantry": 3.0, "tank": 10.0}
MARK = 1.0  # Lost for each mark of a unit
FORWARD = 2.0  # Divided by 1 + the steps from a unit to the nearest structure of others
UNFED = 1.5  # Lost for each point of supply that units need and sources lack
IDLE = 1.0  # Lost for each point of PopCap that no unit uses
AT_RISK = 0.4  # The part of a threatened structure's worth that is lost


class Breadth(Record):
    """The numbers of plans that the bot ``marshal`` compares: its own, and those of the others."""

    own: int
    others: int


class Marshal(Rehearsal[Orders]):
    """The planner of the marshal: it plays its plans against possible plans of the others, and draws one.

    ``tempers``: the profiles by which both sides plan; ``breadth``: how many plans are compared.
    """

    def __init__(self, view: View, tempers: Sequence[Temper], breadth: Breadth) -> None:
        super().__init__(view)
        self.tempers = tempers
        self.breadth = breadth
        self.answers = breadth.others
        self.tolerance = view.turn * IMPATIENCE  # for plans that are worse than the best (:func:`mixed`)
        self.dice = Dice(view.seed, "marshal")

    def orders(self) -> Orders:
        """Return one of the plans, drawn by the weights of a mixed strategy (:func:`mixed`)."""
        plans = self.candidates()
        values = [[self.value(plan, number) for number in range(self.answers)] for plan in plans]
        return plans[self.dice("choice").weighted(mixed(values, self.tolerance))]

    def candidates(self) -> list[Orders]:
        """Return plans of the profiles in turn and a variant of each (:meth:`varied`), without duplicates."""
        plans = self._plans(self.code, self.dice("own"), self.breadth.own)
        plans += [self.varied(plan, self.dice("varied")) for plan in plans]
        return [plan for number, plan in enumerate(plans) if plan not in plans[:number]]

    def answered(self, number: int) -> dict[str, Orders]:
        """Return the plan of this number of each of the others, by code."""
        return {code: plans[number] for code, plans in self._of_rivals.items()}

    def value(self, plan: Orders, number: int) -> float:
        """Return the value for the player of the turn with ``plan``, against the others' plans of ``number``.

        It is the player's own standing less half the best rival's and half the average of the rivals'; at the
        end of the game it is ``WON`` for a winner and ``-WON`` for the others.
        """
        turn = self.turn(self.state, {self.code: plan, **self.answer(number)}, "")
        after = run_stages(REHEARSED, turn).state
        if after.winners is not None:
            return WON * (1 if self.code in after.winners else -1)
        value_of_party = standings(self.table, after)
        rivals = [worth for code, worth in value_of_party.items() if code != self.code]
        return value_of_party.get(self.code, -WON) - 0.5 * max(rivals) - 0.5 * sum(rivals) / len(rivals)

    def varied(self, plan: Orders, dice: Stream) -> Orders:
        """Return the plan with a random move of one random unit, to any neighbour or none.

        It is unchanged if no unit can move.
        """
        mobile_units = list(chain.from_iterable(self.state.mobile(self.code, self.table.rules).values()))
        if not mobile_units:
            return plan
        unit = dice.choice(mobile_units)
        lines = list(_without(plan.lines, unit.number))
        targets = ("", *self.table.board.neighbours(unit.place))  # empty: it stays
        target = dice.choice(targets)
        if target:
            lines.append(Move(NOWHERE, (Item(number=unit.number),), unit.place, target))
        return Orders(tuple(lines))

    def _plans(self, code: str, dice: Stream, count: int) -> list[Orders]:
        """Return ``count`` plans of a party, by each profile in turn; they differ by chance."""
        tempers = [self.tempers[number % len(self.tempers)] for number in range(count)]
        return [Plan(self.table, self.state, code, temper, dice).orders() for temper in tempers]

    @cached_property
    def _of_rivals(self) -> Mapping[str, list[Orders]]:
        """The possible plans of each of the others, by code."""
        return {code: self._plans(code, self.dice(code), self.answers) for code in self.rivals()}


def _without(lines: Iterable[Line], number: int) -> Iterable[Line]:
    """Yield lines without the unit of this number; a move that no unit is left for is left out as well."""
    for line in lines:
        if not isinstance(line, Move):
            yield line
            continue
        items = tuple(item for item in line.items if item.number != number)
        if items:
            yield msgspec.structs.replace(line, items=items)


def standings(table: GameData, state: Conquest) -> dict[str, float]:
    """Return the value of a position for each party in the game, by code."""
    rules = table.rules
    strengths = _strengths(table, state)
    scores = dict.fromkeys(state.living, 0.0)
    for place, owner in state.owners.items():
        if owner in scores:
            worth = WORTH[rules.kind_name(place)]
            scores[owner] += worth - AT_RISK * worth * _threatened(table, strengths, place, owner)
    supply_needed = dict.fromkeys(scores, 0)
    for unit in state.units.values():
        if unit.owner in scores:
            kind = rules.units[unit.type]
            forward = FORWARD / (1 + _steps_to_goal(table, state, unit.place, unit.owner))
            scores[unit.owner] += UNIT[unit.type] - MARK * unit.marks + forward
            supply_needed[unit.owner] += kind.supply
    for code in scores:
        allowed, used, _ = state.capacity(code, rules)
        sources = sum(rules.kind_of(place).supply for place in state.owned_by(code))
        scores[code] -= UNFED * max(0, supply_needed[code] - sources) + IDLE * max(0, allowed - used)
    return scores


def _strengths(table: GameData, state: Conquest) -> dict[str, dict[str, int]]:
    """Return the strength of units by structure and party, for structures with units."""
    strengths_by_place: dict[str, dict[str, int]] = {}
    for unit in state.units.values():
        strength_of_party = strengths_by_place.setdefault(unit.place, {})
        strength_of_party[unit.owner] = (
            strength_of_party.get(unit.owner, 0) + table.rules.units[unit.type].strength
        )
    return strengths_by_place


def _threatened(table: GameData, strengths: Mapping[str, Mapping[str, int]], place: str, owner: str) -> bool:
    """Return whether a single other party has more strength next to a structure than its owner has in it."""
    near: dict[str, int] = {}  # strength by party
    for other in table.board.neighbours(place):
        for code, strength in strengths.get(other, {}).items():
            if code not in (owner, NEUTRAL):
                near[code] = near.get(code, 0) + strength
    return max(near.values(), default=0) > strengths.get(place, {}).get(owner, 0)


def _steps_to_goal(table: GameData, state: Conquest, place: str, code: str) -> int:
    """Return the number of links from a structure to the nearest that is not the party's; 0 without one."""
    nearest_first = table.board.steps[place].items()
    return next((steps for goal, steps in nearest_first if state.owners[goal] != code), 0)


def mixed(values: Sequence[Sequence[float]], tolerance: float) -> list[int]:
    """Return the weight of each plan in a mixed strategy that no answer of the others exploits.

    ``values``: a row for each plan, with its value against each of the others' answers. The strategy comes
    from regret matching: round by round, both sides give more weight to what would have been better. Half of
    the others' answers is uniformly random, because they do not play perfectly either. A plan that is worse
    than the best by less than ``tolerance`` gets some weight, too; a learned weight below 1/``RARE`` of the
    largest is 0.
    """
    rows = len(values)
    columns = len(values[0])
    regrets = [0.0] * rows  # for each plan, what it would have gained more than the strategies so far
    answer_regrets = [0.0] * columns  # the same for each answer
    share_sums = [0.0] * rows  # the shares of each plan in all rounds
    for _ in range(ROUNDS):
        own_shares = _shares(regrets)
        answer_shares = [(share + 1 / columns) / 2 for share in _shares(answer_regrets)]
        gains = [sum(map(mul, answer_shares, row)) for row in values]
        expected = sum(map(mul, own_shares, gains))
        regrets = [regret + gain - expected for regret, gain in zip(regrets, gains, strict=True)]
        losses = [sum(own_shares[at] * values[at][column] for at in range(rows)) for column in range(columns)]
        mean = sum(losses) / columns
        answer_regrets = [regret + mean - loss for regret, loss in zip(answer_regrets, losses, strict=True)]
        share_sums = list(map(add, share_sums, own_shares))
    learned = [int(WEIGHTS * total / ROUNDS) for total in share_sums]
    # by the values in the last round
    tolerated = _tolerated(gains, tolerance)
    least = max(learned) / RARE
    common = [weight if weight >= least else 0 for weight in learned]
    return list(map(add, common, tolerated))


def _tolerated(gains: Sequence[float], tolerance: float) -> list[int]:
    """Return a weight for each plan: above 0 if it is worse than the best by less than ``tolerance``.

    ``gains``: the value of each plan.
    """
    limit = max(gains) - tolerance
    # together at most ``WEIGHTS``, even if all plans are equally good
    return [int(WEIGHTS * max(0.0, gain - limit) / (tolerance + 1) / len(gains)) for gain in gains]


def _shares(regrets: Sequence[float]) -> list[float]:
    """Return the share of each choice in the next round: by its regret above 0, equal if there is none."""
    weights = [max(0.0, regret) for regret in regrets]
    total = sum(weights)
    if not total:
        return [1 / len(weights)] * len(weights)
    return [weight / total for weight in weights]
