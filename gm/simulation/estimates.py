"""Shares, medians and their 95% intervals from a number of games."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, modf, sqrt
from statistics import fmean, stdev

Z95 = 1.959963984540054  # the normal distribution's 97.5% point: 95% lie within so many standard errors


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with the interval that holds the true value with 95% confidence.

    Or the quartiles of values.
    """

    low: float
    middle: float
    high: float

    @property
    def rounded(self) -> list[float]:
        """Return the three figures to four places, as in data."""
        return [round(value, 4) for value in (self.low, self.middle, self.high)]


def wilson(successes: float, tries: float) -> Interval:
    """Return a share with Wilson's score interval, right for few tries and for shares near 0 and 1.

    After no tries it goes from 0 to 1.
    """
    if tries == 0:
        return Interval(0.0, 0.0, 1.0)
    share = successes / tries
    below = 1 + Z95**2 / tries
    centre = (share + Z95**2 / (2 * tries)) / below
    half = Z95 * sqrt(share * (1 - share) / tries + Z95**2 / (4 * tries**2)) / below
    # at the ends the formula gives 0 and 1 but for the last digits
    return Interval(max(0.0, min(share, centre - half)), share, min(1.0, max(share, centre + half)))


def share_by_game(counts: Iterable[tuple[float, int]]) -> Interval:
    """Return the share of successful tries, from (successes, tries) of each game.

    Where tries of one game succeed together, as realms of one bot that win together, they prove less than as
    many independent ones, and count as fewer (Wilson's).
    """
    games = list(counts)
    successes = sum(won for won, _ in games)
    tries = sum(played for _, played in games)
    share = successes / max(1, tries)
    spread = sum((won - share * played) ** 2 for won, played in games)
    free = min(float(tries), share * (1 - share) * tries**2 / spread) if spread else float(tries)
    return wilson(share * free, free)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of the sorted ``values`` lies, interpolated between two."""
    part, below = modf((len(values) - 1) * share)
    low = values[int(below)]
    high = values[min(int(below) + 1, len(values) - 1)]
    return low + (high - low) * part


def quartiles(values: Iterable[float]) -> Interval:
    """Return the quartiles of values in any order. Raises ``ValueError`` for no values."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values have no quartiles")
    return Interval(*(quantile(ordered, share) for share in (0.25, 0.5, 0.75)))


def median_interval(values: Sequence[float]) -> Interval:
    """Return the median with the 95% interval that the values' order gives, whatever their distribution."""
    ordered = sorted(values)
    count = len(values)
    total = 0.0
    skip = 0
    # the true median lies below the k-th smallest value with the chance of fewer than k heads in ``count``
    # throws
    for heads in range(count // 2):
        total += comb(count, heads) / 2**count
        if total > 0.025:
            break
        skip = heads
    return Interval(ordered[skip], quantile(ordered, 0.5), ordered[count - 1 - skip])


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the mean with the 95% interval of Student's distribution.

    Raises ``ValueError`` for fewer than two values.
    """
    if len(values) < 2:
        raise ValueError("the spread of fewer than two values is unknown")
    free = len(values) - 1
    z = Z95
    # Student's 97.5% point from the normal one (Abramowitz and Stegun 26.7.5)
    parts = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    half = (
        (z + sum(part / free**power for power, part in enumerate(parts, 1)))
        * stdev(values)
        / sqrt(len(values))
    )
    middle = fmean(values)
    return Interval(middle - half, middle, middle + half)


def difference(before: Interval, after: Interval) -> Interval:
    """Return ``after`` minus ``before``, with the 95% interval of two independent estimates.

    For two shares it is Newcombe's hybrid score interval, which is made of Wilson's.
    """
    middle = after.middle - before.middle
    less = sqrt((after.middle - after.low) ** 2 + (before.high - before.middle) ** 2)
    more = sqrt((after.high - after.middle) ** 2 + (before.middle - before.low) ** 2)
    return Interval(middle - less, middle, middle + more)
