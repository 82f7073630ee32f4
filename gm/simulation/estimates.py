"""Shares, medians and their 95% intervals from a number of games."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, modf, sqrt
from statistics import fmean, stdev

Z95 = 1.959963984540054  # the normal distribution's 97.5% point: 95% lie within so many standard errors


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with the interval that holds the true value with 95% confidence; or quartiles."""

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
    denominator = 1 + Z95**2 / tries
    centre = (share + Z95**2 / (2 * tries)) / denominator
    half_width = Z95 * sqrt(share * (1 - share) / tries + Z95**2 / (4 * tries**2)) / denominator
    # rounding could put an end outside of 0 and 1, or the share outside of the interval
    return Interval(
        max(0.0, min(share, centre - half_width)), share, min(1.0, max(share, centre + half_width))
    )


def share_by_game(counts: Iterable[tuple[float, int]]) -> Interval:
    """Return the share of successful tries with Wilson's interval, from (successes, tries) of each game.

    Tries of one game that succeed or fail together, as realms of one bot that win together, prove less than
    as many independent ones, and count as fewer.
    """
    games = list(counts)
    successes = sum(won for won, _ in games)
    tries = sum(played for _, played in games)
    share = successes / max(1, tries)
    spread = sum((won - share * played) ** 2 for won, played in games)
    # so many independent tries would give a share that is as uncertain
    independent_tries = float(tries)
    if spread:
        independent_tries = min(independent_tries, share * (1 - share) * tries**2 / spread)
    return wilson(share * independent_tries, independent_tries)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of ``values`` lies, interpolated between two of them.

    ``values`` are sorted, the smallest first.
    """
    fraction, index = modf((len(values) - 1) * share)
    low = values[int(index)]
    high = values[min(int(index) + 1, len(values) - 1)]
    return low + (high - low) * fraction


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
    chance = 0.0
    left_out = 0  # so many of the smallest values, and as many of the largest, lie outside the interval
    # the true median lies below the k-th smallest value with the chance of fewer than k heads in ``count``
    # throws of a coin
    for heads in range(count // 2):
        chance += comb(count, heads) / 2**count
        if chance > 0.025:
            break
        left_out = heads
    return Interval(ordered[left_out], quantile(ordered, 0.5), ordered[count - 1 - left_out])


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the mean with the 95% interval of Student's distribution.

    Raises ``ValueError`` for fewer than two values.
    """
    if len(values) < 2:
        raise ValueError("the spread of fewer than two values is unknown")
    degrees = len(values) - 1  # of freedom
    z = Z95
    # Student's 97.5% point from the normal one (Abramowitz and Stegun 26.7.5)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    t = z + sum(term / degrees**power for power, term in enumerate(terms, 1))
    half_width = t * stdev(values) / sqrt(len(values))
    middle = fmean(values)
    return Interval(middle - half_width, middle, middle + half_width)


def difference(before: Interval, after: Interval) -> Interval:
    """Return ``after`` minus ``before``, with the 95% interval of two independent estimates.

    For two shares it is Newcombe's hybrid score interval, which is made of Wilson's.
    """
    middle = after.middle - before.middle
    below = sqrt((after.middle - after.low) ** 2 + (before.high - before.middle) ** 2)
    above = sqrt((after.high - after.middle) ** 2 + (before.middle - before.low) ** 2)
    return Interval(middle - below, middle, middle + above)


def interval_words(interval: Interval | None, *, share: bool, sign: str = "") -> str:
    """Return an interval as ``12% (8–19)``; a dash for None.

    ``share``: whether its figures are shares, which are shown in percent; ``sign``: ``+`` for a difference,
    as in ``+1.4 (−0.6 to +3.4)``, without the percent sign.
    """
    if interval is None:
        return "–"
    size = 100 if share else 1
    digits = _digits(interval, size, share=share, signed=bool(sign))
    # adding 0 makes 0 of -0, which would be shown with a minus
    low, middle, high = (
        round(size * end, digits) + 0.0 for end in (interval.low, interval.middle, interval.high)
    )

    def figure(value: float) -> str:
        """Return an end of the interval, or its middle, as text."""
        return f"{value:{sign}.{digits}f}".replace("-", "−")

    percent = "%" if share and not sign else ""
    between = " to " if sign or low < 0 else "–"
    return f"{figure(middle)}{percent} ({figure(low)}{between}{figure(high)})"


def _digits(interval: Interval, size: int, *, share: bool, signed: bool) -> int:
    """Return the number of decimal places for an interval times ``size``: the wider it is, the fewer.

    ``signed``: whether it is that of a change. If 0 is outside such an interval, its ends get enough places,
    up to three, not to look like 0.
    """
    width = size * (interval.high - interval.low)
    if width >= 20 or (share and width >= 10):
        digits = 0
    elif width >= 1:
        digits = 1
    else:
        digits = 2
    if signed and (interval.low > 0 or interval.high < 0):
        while digits < 3 and 0 in (round(size * interval.low, digits), round(size * interval.high, digits)):
            digits += 1
    return digits
