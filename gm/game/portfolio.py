"""Bots by portfolio: several plans are tried in the same futures.

The more promising a plan, the more it is tried.

The budget is a number of trials and never a time: a replay, on whatever machine, finds the same plan.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from gm.core.pipeline import Turn
from gm.game.values import View

P = TypeVar("P")
Trial = Callable[[P, int], float]  # What becomes of a plan in the future of this number: the more the better


def best_plan(plans: Iterable[P], trial: Trial[P], budget: int) -> P:
    """Return the plan that does best (sequential halving).

    The budget is divided among as many rounds as it takes to halve the plans to one; each round tries all
    remaining plans equally often, in the same futures, and retains the better half. A future depends on
    nothing but its number, so that plans are compared and not their luck. Of equals the earlier one wins;
    plans that the budget does not reach are left out. Raises ``ValueError`` without a plan.
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
        first = tried
        tried += budget // rounds // len(sums)
        for number in range(first, tried):
            sums = {index: total + trial(candidates[index], number) for index, total in sums.items()}
        ranked = sorted(sums, key=lambda index: (-sums[index], index))
        better_half = ranked[: -(-len(ranked) // 2)]
        sums = {index: sums[index] for index in better_half}
    return candidates[min(sums)]


def improved(plan: P, changes: Callable[[P], Iterator[P]], trial: Trial[P], tries: int, budget: int) -> P:
    """Return the plan, improved as often as the budget allows.

    Each change is tried in the same futures as the plan and given up as soon as their sum is no better; one
    that is better after ``tries`` trials replaces the plan, and is changed in its turn. The budget may be
    exceeded by the trials of one change.
    """
    values: dict[int, float] = {}
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
    """Return a function of changes for :func:`improved` that offers each of these plans once, in order.

    Whatever plan it is asked for, it goes on with those that were not offered yet.
    """
    plans_left = iter(plans)
    return lambda _: plans_left


class Rehearsal(ABC, Generic[P]):
    """One party's trials before its orders. A future with the same number always comes out alike."""

    answers = 8  # So many ways in which the others may answer; the dice fall otherwise in every trial

    def __init__(self, view: View) -> None:
        """Prepare for the position that a party sees before the turn."""
        self.table = view.table
        self.state = view.state
        self.code = view.realm
        self.seed = view.seed
        self._answers: dict[int, Mapping[str, P]] = {}

    @abstractmethod
    def candidates(self) -> Iterable[P]:
        """Return the plans to choose from."""

    @abstractmethod
    def value(self, plan: P, number: int) -> float:
        """Return the value of a plan in the future of this number; higher is better."""

    @abstractmethod
    def answered(self, number: int) -> Mapping[str, P]:
        """Return possible orders of the others; ``number`` selects one variant.

        The others do not know this party's orders.
        """

    def answer(self, number: int) -> Mapping[str, P]:
        """Return the orders of the others in the future of this number, computed once."""
        variant = number % self.answers
        if variant not in self._answers:
            self._answers[variant] = self.answered(variant)
        return self._answers[variant]

    def rivals(self) -> list[str]:
        """Return the other parties still in the game, in seat order."""
        return [code for code in self.state.living if code != self.code]

    def turn(self, state: Any, orders: Mapping[str, P], seed: str) -> Turn[Any, Any, Any, P]:
        """Return a turn on trial; nobody reads its events."""
        rules = self.table.rules
        board = self.table.board
        return Turn(
            state=state,
            number=state.turn + 1,
            rules=rules,
            board=board,
            orders=orders,
            seed=seed,
            collect_events=False,
        )
