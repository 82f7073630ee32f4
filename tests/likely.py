"""Whether chances come true as often as they should, by exact binomial tails.

Seeds are fixed: always or never.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from math import comb


def is_likely(hits: int, tries: int, chance: Fraction, *, tail: Fraction = Fraction(1, 1000)) -> bool:
    """Whether so few or so many successes are no rarer than ``tail``, by the exact tails of the binomial."""
    least = tail * chance.denominator**tries
    fewer = range(hits, -1, -1)
    more = range(hits, tries + 1)
    return all(_reach(least, (_ways(tries, chance, count) for count in counts)) for counts in (fewer, more))


def _ways(tries: int, chance: Fraction, hits: int) -> int:
    """In how many ways so many tries succeed, of the chance's denominator to the power of the tries."""
    good = chance.numerator
    return comb(tries, hits) * good**hits * (chance.denominator - good) ** (tries - hits)


def _reach(least: Fraction, ways: Iterator[int]) -> bool:
    """Whether these come to ``least``; those that are no longer needed are not worked out."""
    return any(total >= least for total in accumulate(ways))
