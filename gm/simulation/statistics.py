"""Shares and medians with their intervals, quartiles, fences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, sqrt

Z95 = 1.959963984540054
"""The normal distribution's 97.5% point: 95% lie within so many standard errors."""
TUKEY = 1.5


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with the interval that holds the true value with 95% confidence."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True)
class Quartiles:
    """A quarter of the values lies below ``low``, half below ``middle``, three quarters below ``high``."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True)
class Fences:
    """What lies outside is an outlier."""

    low: float
    high: float

    def hold(self, value: float) -> bool:
        """Whether a value lies between the fences."""
        return self.low <= value <= self.high


def wilson(successes: float, tries: int) -> Interval:
    """A share with Wilson's score interval, which is right for few tries and for shares near 0 and 1.

    Nothing is known after no tries: 0 to 1.
    """
    if tries == 0:
        return Interval(0.0, 0.0, 1.0)
    share = successes / tries
    below = 1 + Z95**2 / tries
    centre = (share + Z95**2 / (2 * tries)) / below
    half = Z95 * sqrt(share * (1 - share) / tries + Z95**2 / (4 * tries**2)) / below
    # at the ends the formula gives 0 and 1 but for the last digits
    return Interval(max(0.0, min(share, centre - half)), share, min(1.0, max(share, centre + half)))


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the sorted ``values`` lies, between two of them in proportion."""
    at = (len(values) - 1) * share
    below = int(at)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (at - below)


def quartiles(values: Iterable[float]) -> Quartiles:
    """The quartiles of values in any order. Raises ``ValueError`` for no values."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values have no quartiles")
    return Quartiles(*(quantile(ordered, share) for share in (0.25, 0.5, 0.75)))


def median_interval(values: Sequence[float]) -> Interval:
    """The median with the 95% interval that the order of the values gives, whatever they are distributed like.

    Raises ``ValueError`` for no values.
    """
    ordered = sorted(values)
    count = len(ordered)
    total, skip = 0.0, 0
    # the true median lies below the k-th smallest value with the chance of fewer than k heads in ``count`` throws
    for heads in range(count // 2):
        total += comb(count, heads) / 2**count
        if total > 0.025:
            break
        skip = heads
    return Interval(ordered[skip], quantile(ordered, 0.5), ordered[count - 1 - skip])


def fences(values: Sequence[float], noise: float = 0.0) -> Fences:
    """Tukey's fences. ``noise``: the least range that means anything. Raises ``ValueError`` for no values."""
    found = quartiles(values)
    reach = TUKEY * max(found.high - found.low, noise)
    return Fences(found.low - reach, found.high + reach)
