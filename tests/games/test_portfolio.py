"""Plans tried out: the best is found within the budget, all in the same futures."""

from collections.abc import Iterator

import pytest

from gm.game.portfolio import best_plan, improved, once


@pytest.mark.parametrize(
    ("worth", "budget", "best"),
    [
        ([3], 0, 0),
        ([1, 2], 2, 1),
        ([1, 5, 2, 4, 3], 30, 1),
        ([4, 4, 4], 30, 0),  # of equals the first
        ([1, 2, 3, 9], 4, 1),  # two rounds of two trials: the others are not reached
        ([0, 0, 0, 0, 0, 0, 0, 1], 24, 7),
    ],
)
def test_the_best_plan_is_found(worth: list[int], budget: int, best: int) -> None:
    assert best_plan(range(len(worth)), lambda plan, _: worth[plan], budget) == best


@pytest.mark.parametrize("count", [2, 3, 7, 12])
@pytest.mark.parametrize("budget", [1, 10, 97])
def test_the_budget_is_kept_and_all_that_are_left_are_tried_in_the_same_futures(
    count: int, budget: int
) -> None:
    tried: dict[int, list[int]] = {}

    def trial(plan: int, number: int) -> float:
        tried.setdefault(plan, []).append(number)
        return plan / count + (number % 3)

    best = best_plan([*range(count), 0], trial, budget)
    assert sum(map(len, tried.values())) <= budget
    assert all(numbers == list(range(len(numbers))) for numbers in tried.values())
    if budget > count * 4:
        assert best == count - 1
        assert len(tried[best]) == max(map(len, tried.values()))


def test_luck_of_a_future_is_the_same_for_all() -> None:
    assert (
        best_plan(["worse", "better"], lambda plan, number: (number * 37 % 100) + (plan == "better"), 20)
        == "better"
    )


def test_no_plan_is_an_error() -> None:
    with pytest.raises(ValueError, match="no plan"):
        best_plan([], lambda plan, number: 0.0, 10)


def neighbours(plan: int) -> Iterator[int]:
    yield from (plan - 1, plan + 1)


def test_a_plan_is_improved_step_by_step_until_no_change_is_better() -> None:
    assert improved(0, neighbours, lambda plan, _: -abs(plan - 5), 3, 1000) == 5
    assert improved(0, neighbours, lambda plan, number: -abs(plan - 5) + number, 3, 1000) == 5
    assert improved(0, neighbours, lambda plan, _: 0.0, 3, 1000) == 0


@pytest.mark.parametrize("budget", [0, 1, 7, 20])
def test_changes_cost_no_more_than_the_budget_and_one_change(budget: int) -> None:
    tried: list[tuple[int, int]] = []

    def trial(plan: int, number: int) -> float:
        tried.append((plan, number))
        return float(plan)

    best = improved(0, neighbours, trial, 3, budget)
    assert len(tried) <= budget + 5
    assert len(set(tried)) == len(tried)
    assert best == {0: 0, 1: 0, 7: 1, 20: 6}[budget]


def test_a_change_that_is_no_better_is_given_up_at_once() -> None:
    tried: list[tuple[int, int]] = []

    def trial(plan: int, number: int) -> float:
        tried.append((plan, number))
        return {0: 1.0, 1: 2.0 if number == 0 else 0.0, -1: 0.0}[plan]

    assert improved(0, neighbours, trial, 4, 100) == 0
    assert [number for plan, number in tried if plan == -1] == [0]
    assert [number for plan, number in tried if plan == 1] == [0, 1]


def test_plans_of_which_each_is_compared_once_with_the_best_so_far() -> None:
    tried: list[int] = []

    def trial(plan: int, number: int) -> float:
        tried.append(plan)
        return {0: 1.0, 3: 2.0, 1: 0.5, 4: 3.0}[plan] + number

    assert improved(0, once([3, 1, 4]), trial, 2, 100) == 4
    assert tried == [0, 3, 0, 3, 1, 4, 4]
