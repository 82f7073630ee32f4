"""The statistics against published figures and by hand."""

from __future__ import annotations

from math import comb

import pytest

from gm.simulation.findings import Interval, median_interval, quantile, quartiles, wilson
from gm.simulation.summary import fences


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
