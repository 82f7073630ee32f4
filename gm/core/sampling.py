"""Dice for trials: the questions of :mod:`gm.core.dice` answered from any source of uniform numbers, without label or
log; the successes of many equal rolls are drawn at once from their distribution."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, takewhile
from operator import mul

from gm.core.dice import SPAN, Chance, Dice, Stream

Source = Callable[[], float]  # gives uniform numbers from 0 up to, not including, 1

_NEGLIGIBLE = 1e-17  # of the likeliest number of successes: a double cannot tell it from 0


class SamplingStream(Stream):
    """A stream without a label and without a memory. Everything of a :class:`Stream` is in its distribution."""

    __slots__ = ("_tables", "drawn", "source")

    def __init__(self, source: Source) -> None:
        super().__init__("", "")
        self.source = source
        self._tables: dict[tuple[Chance, int], tuple[int, list[float]]] = {}
        self.drawn = 0  # so many numbers so far, those of :meth:`successes` left out

    def draw(self) -> int:
        self.drawn += 1
        return int(self.source() * SPAN)

    def below(self, n: int) -> int:
        self.drawn += 1
        return int(self.source() * n)

    def chance(self, probability: Fraction) -> bool:
        self.drawn += 1
        return self.source() * probability.denominator < probability.numerator

    def weighted(self, weights: Sequence[int]) -> int:
        # without another call: fights of trials ask for this all the time
        self.drawn += 1
        point = int(self.source() * sum(weights))
        for index, weight in enumerate(weights):
            point -= weight
            if point < 0:
                return index
        raise ValueError("weights must be non-negative and not all zero")

    def successes(self, chance: Chance, tries: int) -> int:
        least, cumulated = self.table(chance, tries)
        return least + bisect_right(cumulated, self.source())

    def table(self, chance: Chance, tries: int) -> tuple[int, list[float]]:
        """(least, cumulated): a number u in 0..1 stands for ``least + bisect_right(cumulated, u)`` successes."""
        found = self._tables.get((chance, tries))
        if found is None:
            found = self._tables[chance, tries] = binomial_table(float(chance.exact), tries)
        return found


class SamplingDice(Dice):
    """Hands out one and the same :class:`SamplingStream` under every label."""

    __slots__ = ("lots",)

    def __init__(self, source: Source) -> None:
        super().__init__("")
        self.lots = SamplingStream(source)

    def __call__(self, *parts: object) -> Stream:
        return self.lots


def binomial_table(chance: float, tries: int) -> tuple[int, list[float]]:
    """(least number of successes to be reckoned with, cumulated probabilities from it on without the last, 1)."""
    if chance <= 0 or tries == 0:
        return 0, []
    if chance >= 1:
        return tries, []
    likeliest = min(tries, int((tries + 1) * chance))
    ratio = chance / (1 - chance)
    # outwards from the likeliest number, so that nothing vanishes before it has been reached
    above = _falling(ratio * (tries - number + 1) / number for number in range(likeliest + 1, tries + 1))
    below = _falling(number / (ratio * (tries - number + 1)) for number in range(likeliest, 0, -1))
    weights = [*reversed(below), 1.0, *above]
    total = sum(weights)
    cumulated = list(accumulate(each / total for each in weights))
    return likeliest - len(below), cumulated[:-1]


def _falling(ratios: Iterable[float]) -> list[float]:
    return list(takewhile(lambda weight: weight >= _NEGLIGIBLE, accumulate(ratios, mul)))
