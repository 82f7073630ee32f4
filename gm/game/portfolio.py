"""Bots that choose among several plans: all are tried in the same futures, the better ones more often.

A future is what the dice and the others may do; it depends on nothing but its number. The budget is a number
of trials and never a time, so that a replay finds the same plan on any machine.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from gm.core.pipeline import Turn
from gm.game.values import View

P = TypeVar("P")
Trial = Callable[[P, int], float]  # Returns the value of a plan in the future of this number: more is better


def best_plan(plans: Iterable[P], trial: Trial[P], budget: int) -> P:
    """Return the plan that does best (sequential halving).

    The ``budget`` of trials is divided among as many rounds as it takes to halve the plans to one. Each round
    tries all remaining plans equally often, in the same futures, and keeps the better half. Of equally good
    plans the earlier one wins. If there are more plans than trials in a round, the last ones are left out.
    Raises ``ValueError`` without a plan.
    """
    candidates: list[P] = []
    for plan in plans:
        if plan not in candidates:
            candidates.append(plan)
    if not candidates:
        raise ValueError("there is no plan to choose from")
    rounds = max(1, (len(candidates) - 1).bit_length())
    candidates = candidates[: max(1, budget // rounds)]
    sums = dict.fromkeys(range(len(candidates)), 0.0)  # of values, by the index of each remaining plan
    tried = 0
    for _ in range(rounds):
        if len(sums) == 1:
            break
        first_future = tried
        tried += budget // rounds // len(sums)
        for number in range(first_future, tried):
            sums = {index: total + trial(candidates[index], number) for index, total in sums.items()}
        ranked = sorted(sums, key=lambda index: (-sums[index], index))
        better_half = ranked[: -(-len(ranked) // 2)]  # rounded up: of three the better two
        sums = {index: sums[index] for index in better_half}
    return candidates[min(sums)]  # only one index is left


def improved(plan: P, changes: Callable[[P], Iterator[P]], trial: Trial[P], tries: int, budget: int) -> P:
    """Return the plan, improved as often as the ``budget`` of trials allows.

    ``changes`` yields other plans to try instead of one. Each is tried in the same futures as the plan, and
    given up as soon as the sum of its values is no better. One that is still better after ``tries`` trials
    replaces the plan, and its changes are tried next. The trials of one change may exceed the budget.
    """
    values: dict[int, float] = {}  # of the plan, by future
    tried_plans = [plan]
    waiting = changes(plan)
    while budget > 0:
        changed = next(waiting, None)
        if changed is None:
            break
        if changed in tried_plans:
            continue
        tried_plans.append(changed)
        gain = 0.0
        changed_values = dict[int, float]()
        for number in range(tries):
            if number not in values:
                values[number] = trial(plan, number)
                budget -= 1
            changed_values[number] = trial(changed, number)
            budget -= 1
            gain += changed_values[number] - values[number]
            if gain <= 0:
                break
        else:
            plan = changed
            values = changed_values
            waiting = changes(changed)
    return plan


def once(plans: Iterable[P]) -> Callable[[P], Iterator[P]]:
    """Return a function ``changes`` for :func:`improved` that yields each of these plans once, in order.

    For whatever plan it is called, it goes on with the plans that it has not yielded yet.
    """
    plans_left = iter(plans)
    return lambda _: plans_left


class Rehearsal(ABC, Generic[P]):
    """One party's trials of plans before it gives its orders."""

    answers = 8  # So many variants of the others' orders are tried; the dice are others in every future

    def __init__(self, view: View) -> None:
        """Prepare for the position that a party sees before the turn."""
        self.table = view.table
        self.state = view.state
        self.code = view.realm
        self.seed = view.seed
        self._answers: dict[int, Mapping[str, P]] = {}  # by variant: the others' orders, by code

    @abstractmethod
    def candidates(self) -> Iterable[P]:
        """Return the plans to choose from."""

    @abstractmethod
    def value(self, plan: P, number: int) -> float:
        """Return the value of a plan in the future of this number; higher is better."""

    @abstractmethod
    def answered(self, number: int) -> Mapping[str, P]:
        """Return possible orders of the others, by code, in the variant ``number``.

        The others do not know this party's orders.
        """

    def answer(self, number: int) -> Mapping[str, P]:
        """Return the orders of the others, by code, in the future of this number: one of the variants."""
        variant = number % self.answers
        if variant not in self._answers:
            self._answers[variant] = self.answered(variant)
        return self._answers[variant]

    def rivals(self) -> list[str]:
        """Return the codes of the other parties that are still in the game, in seat order."""
        return [code for code in self.state.living if code != self.code]

    def turn(self, state: Any, orders: Mapping[str, P], seed: str) -> Turn[Any, Any, Any, P]:
        """Return the next turn from ``state``, to be tried with orders by code; nobody reads its events."""
        return Turn(
            state=state,
            number=state.turn + 1,
            rules=self.table.rules,
            board=self.table.board,
            orders=orders,
            seed=seed,
            collect_events=False,
        )
