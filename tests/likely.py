"""Whether chances come true as often as they should, by exact binomial tails.

Seeds are fixed: always or never.
"""

from fractions import Fraction
from math import comb


def is_likely(hits: int, tries: int, chance: Fraction, *, tail: Fraction = Fraction(1, 1000)) -> bool:
    """Whether so few or so many successes are no rarer than ``tail``, by the exact tails of the binomial."""
    good = chance.numerator
    all_ = chance.denominator
    ways = [comb(tries, k) * good**k * (all_ - good) ** (tries - k) for k in range(tries + 1)]
    total = all_**tries
    return sum(ways[: hits + 1]) * tail.denominator >= tail.numerator * total and (
        sum(ways[hits:]) * tail.denominator >= tail.numerator * total
    )
