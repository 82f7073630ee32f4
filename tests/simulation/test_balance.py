"""The statistics against published figures; who is favoured in games that were made up, and what is chance."""

from collections.abc import Callable
from math import comb
from typing import Any

import pytest

from gm.core.dice import Dice
from gm.simulation.findings import (
    LEAST_GAMES,
    Findings,
    Interval,
    balance_of,
    fences,
    median_interval,
    quantile,
    quartiles,
    wilson,
)
from gm.simulation.report import balance_lines

CODES = tuple(f"R{number:02}" for number in range(23))
Fate = Callable[[str, Callable[[int], int]], tuple[int, bool]]


def fair(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
    """Final score and whether it lasts: every realm alike."""
    return 10 + draw(21), draw(100) < 80


def findings(fate: Fate, games: int = LEAST_GAMES, codes: tuple[str, ...] = CODES, seed: str = "s") -> Findings:
    """Made-up games in which each realm's fate is drawn."""
    return Findings(game(number, fate, codes, seed) for number in range(1, games + 1))


def game(number: int, fate: Fate, codes: tuple[str, ...], seed: str) -> dict[str, Any]:
    stream = Dice(seed, "made up")(number)
    ends = {code: fate(code, stream.below) for code in codes}
    best = max(score for score, _ in ends.values())
    return {
        "game": number,
        "seed": "",
        "turns": 1,
        "reason": "unfinished",
        "winners": [code for code, (score, _) in ends.items() if score == best][:1],
        "columns": ["score"],
        "realms": {
            code: {"bot": "any", "out": None if lasts else 1, "figures": [[12], [score]]}
            for code, (score, lasts) in ends.items()
        },
        "rules": {},
        "orders": 0,
        "failed": 0,
        "refused": 0,
        "refusals": [],
    }


def test_a_lottery_has_no_outlier() -> None:
    shuffled = tuple(CODES[place * 7 % len(CODES)] for place in range(len(CODES)))
    for seed in "abcde":
        verdict = balance_of(findings(fair, codes=shuffled, seed=seed))
        assert verdict is not None
        assert verdict.survival.outliers == verdict.growth.outliers == ()
        assert verdict.enough


def test_a_realm_that_dies_too_often_is_an_outlier_in_survival() -> None:
    def fate(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
        score, lasts = fair(code, draw)
        return score, lasts and not (code == "R05" and draw(100) < 45)

    verdict = balance_of(findings(fate))
    assert verdict is not None
    assert verdict.survival.outliers == ("R05",)
    assert verdict.growth.outliers == ()
    assert verdict.outliers == ("R05",)


def test_a_realm_that_grows_too_well_is_an_outlier_in_growth_and_in_wins() -> None:
    def fate(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
        score, lasts = fair(code, draw)
        return score + 9 * (code == "R11"), lasts

    verdict = balance_of(findings(fate))
    assert verdict is not None
    assert verdict.growth.outliers == ("R11",)
    assert verdict.favoured == ("R11",)
    assert verdict.survival.outliers == ()


def test_where_nearly_all_last_those_that_died_a_few_times_by_chance_are_no_outliers() -> None:
    deaths = {"R02": [1], "R07": [4, 90], "R20": [33, 150]}
    games = [game(number, lambda _, draw: (10 + draw(21), True), CODES, "s") for number in range(1, LEAST_GAMES + 1)]
    for code, numbers in deaths.items():
        for number in numbers:
            games[number - 1]["realms"][code]["out"] = 1
    verdict = balance_of(Findings(games))
    assert verdict is not None
    assert verdict.survival.realms["R20"].middle == 0.99
    # the middle half has no width here: without a least range, whoever died once would be an outlier
    assert sorted(each.middle for each in verdict.survival.realms.values())[5] == 1
    assert verdict.survival.outliers == ()


def test_few_games_give_no_verdict_and_say_so() -> None:
    verdict = balance_of(findings(fair, games=20))
    assert verdict is not None
    assert not verdict.enough
    assert balance_lines(verdict)[-1] == "These are 20 games; a verdict needs 200."


def test_so_few_realms_that_none_can_be_an_outlier_are_not_judged() -> None:
    assert balance_of(findings(fair, codes=CODES[:3])) is None


def test_the_verdict_names_the_outliers_with_their_figures() -> None:
    def fate(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
        return 10 + draw(5) + 30 * (code == "R01"), code != "R01"

    verdict = balance_of(findings(fate))
    assert verdict is not None
    lines = balance_lines(verdict)
    assert lines[0].startswith("Survival: outliers are R01 (0%); inside is ")
    assert lines[1].startswith("Growth: outliers are R01 (+30.0); inside is ")
    assert lines[2] == "First at the end: R01 certainly more than 3 times the fair share."


@pytest.mark.parametrize(
    ("successes", "tries", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I: the score method without continuity correction
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_is_that_of_the_literature(successes: int, tries: int, low: float, high: float) -> None:
    found = wilson(successes, tries)
    assert found.low == pytest.approx(low, abs=0.00005)
    assert found.high == pytest.approx(high, abs=0.00005)
    assert found.middle == successes / tries


def test_wilsons_interval_stays_between_nothing_and_all() -> None:
    for tries in range(1, 60):
        for successes in range(tries + 1):
            found = wilson(successes, tries)
            assert 0 <= found.low <= found.middle <= found.high <= 1
    assert (wilson(0, 9).low, wilson(9, 9).high) == (0.0, 1.0)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


def test_quantiles_lie_between_the_values_in_proportion() -> None:
    assert quantile([1, 2, 3, 4], 0.5) == 2.5
    assert quantile([1, 2, 3, 4], 0.25) == 1.75
    assert quantile([7], 0.9) == 7
    found = quartiles([5, 1, 3, 2, 4])
    assert (found.low, found.middle, found.high) == (2, 3, 4)
    with pytest.raises(ValueError, match="no values"):
        quartiles([])


def test_the_medians_interval_is_the_narrowest_that_holds_with_95_percent() -> None:
    for count in (6, 20, 101, 200):
        found = median_interval([float(value) for value in range(count)])
        skip = int(found.low)
        assert found.high == count - 1 - skip
        # so many values below and above: the chance that the median lies outside
        outside = 2 * sum(comb(count, heads) for heads in range(skip + 1)) / 2**count
        wider = 2 * sum(comb(count, heads) for heads in range(skip + 2)) / 2**count
        assert outside <= 0.05 < wider
    assert median_interval([3.0, 1.0, 2.0]).low == 1.0


def test_fences_are_tukeys_and_those_of_equal_values_as_wide_as_the_noise() -> None:
    assert fences([1, 2, 3, 4, 5]) == Interval(-1, 3, 7)
    assert fences([3, 3, 3, 3, 3]) == Interval(3, 3, 3)
    assert fences([3, 3, 3, 3, 3], noise=2) == Interval(0, 3, 6)
