"""The decision of the marshal of CONQUEST 0.0.2.

It plans a turn in several ways, guesses how the others may plan theirs, plays each against each by the very
stages of the turn, and draws a plan among those that no answer makes a bad choice.
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

REHEARSED = STAGES[1:]  # Counting what may be built changes nothing
WON = 1000.0
ROUNDS = 60  # So often each side learns what it would rather have done
WEIGHTS = 10_000  # What is drawn with, as whole numbers
IMPATIENCE = 0.3  # By so much more a turn he gives what looks worse a chance: nobody waits for ever
RARE = 5  # What is chosen less than one time in so many of the best is left out
WORTH = {"home": 15.0, "city": 10.0, "refinery": 5.5, "base": 4.0}
UNIT = {"infantry": 3.0, "tank": 10.0}
MARK = 1.0
FORWARD = 2.0
UNFED = 1.5
IDLE = 1.0
AT_RISK = 0.4


class Breadth(Record):
    """The numbers of plans that the marshal compares: its own, and those of the others."""

    own: int
    others: int


class Marshal(Rehearsal[Orders]):
    """The planner of the marshal: it plays its plans against possible plans of the others, and draws one."""

    def __init__(self, view: View, tempers: Sequence[Temper], breadth: Breadth) -> None:
        super().__init__(view)
        self.tempers = tempers
        self.breadth = breadth
        self.answers = breadth.others
        self.tolerance = view.turn * IMPATIENCE
        self.dice = Dice(view.seed, "marshal")

    def orders(self) -> Orders:
        """Return a plan, drawn among those that no answer makes a bad choice."""
        plans = self.candidates()
        values = [[self.value(plan, number) for number in range(self.answers)] for plan in plans]
        return plans[self.dice("choice").weighted(mixed(values, self.tolerance))]

    def candidates(self) -> list[Orders]:
        """Return the plan of each profile, and variants with another move of one unit, without duplicates."""
        plans = self._plans(self.code, self.dice("own"), self.breadth.own)
        plans += [self.varied(plan, self.dice("varied")) for plan in plans]
        return [plan for number, plan in enumerate(plans) if plan not in plans[:number]]

    def answered(self, number: int) -> dict[str, Orders]:
        return {code: plans[number] for code, plans in self._of_rivals.items()}

    def value(self, plan: Orders, number: int) -> float:
        """Return the value of the turn for the player.

        It is the player's own standing less that of the rivals, most of all the best one's.
        """
        turn = self.turn(self.state, {self.code: plan, **self.answer(number)}, "")
        after = run_stages(REHEARSED, turn).state
        if after.winners is not None:
            return WON * (1 if self.code in after.winners else -1)
        value_of_party = standings(self.table, after)
        rivals = [worth for code, worth in value_of_party.items() if code != self.code]
        return value_of_party.get(self.code, -WON) - 0.5 * max(rivals) - 0.5 * sum(rivals) / len(rivals)

    def varied(self, plan: Orders, dice: Stream) -> Orders:
        """Return the plan with another move of a unit: to any neighbour, or to stay."""
        able = list(chain.from_iterable(self.state.mobile(self.code, self.table.rules).values()))
        if not able:
            return plan
        unit = dice.choice(able)
        lines = list(_without(plan.lines, unit.number))
        targets = ("", *self.table.board.neighbours(unit.place))
        target = dice.choice(targets)
        if target:
            lines.append(Move(NOWHERE, (Item(number=unit.number),), unit.place, target))
        return Orders(tuple(lines))

    def _plans(self, code: str, dice: Stream, count: int) -> list[Orders]:
        """Return possible plans of a party, of each profile in turn."""
        tempers = [self.tempers[number % len(self.tempers)] for number in range(count)]
        return [Plan(self.table, self.state, code, temper, dice).orders() for temper in tempers]

    @cached_property
    def _of_rivals(self) -> Mapping[str, list[Orders]]:
        """The possible plans of the others, each in every variant."""
        return {code: self._plans(code, self.dice(code), self.answers) for code in self.rivals()}


def _without(lines: Iterable[Line], number: int) -> Iterable[Line]:
    """Yield lines with a unit left out of their moves; a move without units is left out as well."""
    for line in lines:
        if not isinstance(line, Move):
            yield line
        elif items := tuple(item for item in line.items if item.number != number):
            yield msgspec.structs.replace(line, items=items)


def standings(table: GameData, state: Conquest) -> dict[str, float]:
    """Return the value of each party's structures, units and prospects."""
    rules = table.rules
    strengths = _strengths(table, state)
    scores = dict.fromkeys(state.living, 0.0)
    for place, owner in state.owners.items():
        if owner in scores:
            worth = WORTH[rules.kind_name(place)]
            scores[owner] += worth - AT_RISK * worth * _threatened(table, strengths, place, owner)
    lines = dict.fromkeys(scores, 0)
    for unit in state.units.values():
        if unit.owner in scores:
            kind = rules.units[unit.type]
            forward = FORWARD / (1 + _steps_to_goal(table, state, unit.place, unit.owner))
            scores[unit.owner] += UNIT[unit.type] - MARK * unit.marks + forward
            lines[unit.owner] += kind.supply
    for code in scores:
        allowed, used, _ = state.capacity(code, rules)
        sources = sum(rules.kind_of(place).supply for place in state.owned_by(code))
        scores[code] -= UNFED * max(0, lines[code] - sources) + IDLE * max(0, allowed - used)
    return scores


def _strengths(table: GameData, state: Conquest) -> dict[str, dict[str, int]]:
    """Return the strength of each party in each structure with units."""
    strengths_by_place: dict[str, dict[str, int]] = {}
    for unit in state.units.values():
        strength_of_party = strengths_by_place.setdefault(unit.place, {})
        strength_of_party[unit.owner] = (
            strength_of_party.get(unit.owner, 0) + table.rules.units[unit.type].strength
        )
    return strengths_by_place


def _threatened(table: GameData, strengths: Mapping[str, Mapping[str, int]], place: str, owner: str) -> bool:
    """Return whether one other party next door is stronger than the units in a structure."""
    near: dict[str, int] = {}
    for other in table.board.neighbours(place):
        for code, strength in strengths.get(other, {}).items():
            if code not in (owner, NEUTRAL):
                near[code] = near.get(code, 0) + strength
    return max(near.values(), default=0) > strengths.get(place, {}).get(owner, 0)


def _steps_to_goal(table: GameData, state: Conquest, place: str, code: str) -> int:
    """Return the number of links from a structure to the nearest that is not the party's."""
    steps_to = table.board.steps[place].items()  # the nearest first
    return next((far for goal, far in steps_to if state.owners[goal] != code), 0)


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
    regrets = [0.0] * rows
    answers = [0.0] * columns
    sums = [0.0] * rows
    for _ in range(ROUNDS):
        own_shares = _shares(regrets)
        answer_shares = [(share + 1 / columns) / 2 for share in _shares(answers)]
        gains = [sum(map(mul, answer_shares, row)) for row in values]
        expected = sum(map(mul, own_shares, gains))
        losses = [sum(own_shares[at] * values[at][column] for at in range(rows)) for column in range(columns)]
        regrets = [regret + gain - expected for regret, gain in zip(regrets, gains, strict=True)]
        mean = sum(losses) / columns
        answers = [answer + mean - loss for answer, loss in zip(answers, losses, strict=True)]
        sums = list(map(add, sums, own_shares))
    learned = [int(WEIGHTS * total / ROUNDS) for total in sums]
    tolerated = _tolerated(gains, tolerance)
    least = max(learned) / RARE
    common = [weight if weight >= least else 0 for weight in learned]
    return list(map(add, common, tolerated))


def _tolerated(gains: Sequence[float], tolerance: float) -> list[int]:
    """Return a weight for each plan worse than the best by less than a tolerance; 0 for the others."""
    worst = max(gains) - tolerance
    return [int(WEIGHTS * max(0.0, gain - worst) / (tolerance + 1) / len(gains)) for gain in gains]


def _shares(regrets: Sequence[float]) -> list[float]:
    gains = [max(0.0, regret) for regret in regrets]
    total = sum(gains)
    return [weight / total for weight in gains] if total else [1 / len(gains)] * len(gains)
