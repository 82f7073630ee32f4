"""Plans tried out: the best is found within the budget, all in the same futures."""

import pytest

from gm.game.portfolio import best_plan


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
def test_the_budget_is_kept_and_all_that_are_left_are_tried_in_the_same_futures(count: int, budget: int) -> None:
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
    assert best_plan(["worse", "better"], lambda plan, number: (number * 37 % 100) + (plan == "better"), 20) == "better"


def test_no_plan_is_an_error() -> None:
    with pytest.raises(ValueError, match="no plan"):
        best_plan([], lambda plan, number: 0.0, 10)
