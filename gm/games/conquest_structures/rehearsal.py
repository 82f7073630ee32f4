"""How the marshal of CONQUEST 0.0.2 decides.

He plans a turn in several ways, guesses how the others may plan theirs, plays each against each by the very
stages of the turn, and draws among what no answer of theirs makes a bad choice.
"""

from collections.abc import Mapping, Sequence
from operator import add, mul

import msgspec

from gm.core.dice import Dice, Stream
from gm.core.pipeline import Turn, run_stages
from gm.core.values import Record
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
    """How many plans of his own the marshal compares, and against how many of the others'."""

    own: int
    others: int


def considered(view: View, tempers: Sequence[Temper], breadth: Breadth) -> Orders:
    """His orders for the turn."""
    dice = Dice(view.seed, "marshal")
    rivals = [code for code in view.state.living if code != view.realm]
    mine = _plans(view, view.realm, tempers, dice("own"), breadth.own)
    mine += [varied(view, each, dice("varied")) for each in mine]
    mine = [each for at, each in enumerate(mine) if each not in mine[:at]]
    theirs = {code: _plans(view, code, tempers, dice(code), breadth.others) for code in rivals}
    values = []
    for plan in mine:
        answers = ({code: plans[at] for code, plans in theirs.items()} for at in range(breadth.others))
        values.append([_value(view, {view.realm: plan, **answer}) for answer in answers])
    return mine[dice("choice").weighted(mixed(values, view.turn * IMPATIENCE))]


def _plans(view: View, code: str, tempers: Sequence[Temper], dice: Stream, count: int) -> list[Orders]:
    """Return what a party might order, in each temper by turns."""
    return [Plan(view.table, view.state, code, tempers[at % len(tempers)], dice).orders() for at in range(count)]


def varied(view: View, plan: Orders, dice: Stream) -> Orders:
    """Return the plan with another way for one of the units that can move: to any neighbour, or to stay."""
    able = [unit for units in view.state.mobile(view.realm, view.table.rules).values() for unit in units]
    if not able:
        return plan
    unit = dice.choice(able)
    lines: list[Line] = []
    for line in plan.lines:
        items = tuple(item for item in line.items if item.number != unit.number) if isinstance(line, Move) else ()
        lines += [msgspec.structs.replace(line, items=items)] if items else [] if isinstance(line, Move) else [line]
    ways = ("", *view.table.board.neighbours(unit.place))
    if target := dice.choice(ways):
        lines.append(Move(NOWHERE, (Item(number=unit.number),), unit.place, target))
    return Orders(tuple(lines))


def _value(view: View, orders: Mapping[str, Orders]) -> float:
    """Return what the turn would be worth to him.

    His own standing less that of his rivals, most of all the best one's.
    """
    table = view.table
    state = view.state
    turn: Turn[Conquest, object, object, Orders] = Turn(
        state=state, number=state.turn + 1, rules=table.rules, board=table.board, orders=orders, seed="", told=False
    )
    after = run_stages(REHEARSED, turn).state
    if after.winners is not None:
        return WON * (1 if view.realm in after.winners else -1)
    standing = standings(table, after)
    rivals = [value for code, value in standing.items() if code != view.realm]
    return standing.get(view.realm, -WON) - 0.5 * max(rivals) - 0.5 * sum(rivals) / len(rivals)


def standings(table: GameData, state: Conquest) -> dict[str, float]:
    """Return what each party's structures, units and prospects are worth."""
    rules = table.rules
    strengths = _strengths(table, state)
    found = dict.fromkeys(state.living, 0.0)
    for place, owner in state.owners.items():
        if owner in found:
            worth = WORTH[rules.kind_name(place)]
            found[owner] += worth - AT_RISK * worth * _threatened(table, strengths, place, owner)
    lines = dict.fromkeys(found, 0)
    for unit in state.units.values():
        if unit.owner in found:
            kind = rules.units[unit.type]
            forward = FORWARD / (1 + _steps_to_goal(table, state, unit.place, unit.owner))
            found[unit.owner] += UNIT[unit.type] - MARK * unit.marks + forward
            lines[unit.owner] += kind.supply
    for code in found:
        allowed, used, _ = state.capacity(code, rules)
        sources = sum(rules.kind_of(place).supply for place in state.owned_by(code))
        found[code] -= UNFED * max(0, lines[code] - sources) + IDLE * max(0, allowed - used)
    return found


def _strengths(table: GameData, state: Conquest) -> dict[str, dict[str, int]]:
    """Return the strength of each party in each structure that anybody is in."""
    found: dict[str, dict[str, int]] = {}
    for unit in state.units.values():
        there = found.setdefault(unit.place, {})
        there[unit.owner] = there.get(unit.owner, 0) + table.rules.units[unit.type].strength
    return found


def _threatened(table: GameData, strengths: Mapping[str, Mapping[str, int]], place: str, owner: str) -> bool:
    """Return whether one other party next door is stronger than who stands there."""
    near: dict[str, int] = {}
    for other in table.board.neighbours(place):
        for code, each in strengths.get(other, {}).items():
            near[code] = near.get(code, 0) + each * (code not in (owner, NEUTRAL))
    return max(near.values(), default=0) > strengths.get(place, {}).get(owner, 0)


def _steps_to_goal(table: GameData, state: Conquest, place: str, code: str) -> int:
    """Return how far it is from a structure to the nearest that is not the party's."""
    ways = table.board.steps[place].items()  # the nearest first
    return next((far for goal, far in ways if state.owners[goal] != code), 0)


def mixed(values: Sequence[Sequence[float]], tolerance: float) -> list[int]:
    """Return how readily to choose each row of what plans are worth against each of the others' answers, so that
    no answer finds it out: both sides learn, round by round, what they would rather have done (regret
    matching). Half of what the others do stays as it comes: they do not see through everything either. What
    is worse by less than ``tolerance`` has a chance, too.
    """
    rows = len(values)
    columns = len(values[0])
    regrets = [0.0] * rows
    answers = [0.0] * columns
    sums = [0.0] * rows
    for _ in range(ROUNDS):
        ours = _shares(regrets)
        theirs = [(each + 1 / columns) / 2 for each in _shares(answers)]
        gains = [sum(map(mul, theirs, row)) for row in values]
        expected = sum(map(mul, ours, gains))
        losses = [sum(ours[at] * values[at][column] for at in range(rows)) for column in range(columns)]
        regrets = [regret + gain - expected for regret, gain in zip(regrets, gains, strict=True)]
        mean = sum(losses) / columns
        answers = [answer + mean - loss for answer, loss in zip(answers, losses, strict=True)]
        sums = list(map(add, sums, ours))
    weights = [int(WEIGHTS * each / ROUNDS) for each in sums]
    worst = max(gains) - tolerance
    tried = [int(WEIGHTS * max(0.0, gain - worst) / (tolerance + 1) / rows) for gain in gains]
    return [one * (one * RARE >= max(weights)) + other for one, other in zip(weights, tried, strict=True)]


def _shares(regrets: Sequence[float]) -> list[float]:
    kept = [max(0.0, each) for each in regrets]
    total = sum(kept)
    return [each / total for each in kept] if total else [1 / len(kept)] * len(kept)
