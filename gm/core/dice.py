"""Labelled dice: every chance of a turn can be recomputed by anybody, in any language (W12).

A *stream* is named by a label, the joined parts of (turn, phase, step, place or realm, purpose). Its draws
are

    block(b) = HMAC-SHA-256(key = the game's seed as UTF-8, message = label + "\\n" + b in decimal)
               for b = 0, 1, 2, ...
    draw(i)  = the i-th run of eight bytes of block(0) + block(1) + ..., as a big-endian number
               in 0 .. 2^64 - 1

so a block holds four draws, and a draw depends on nothing but seed, label and index. The parts of a label
are joined by ``" | "``.

* a choice among ``n`` is ``floor(draw * n / 2^64)``, counted from 0;
* a chance ``p`` succeeds when ``draw < p * 2^64``, with ``p`` an exact fraction; every chance takes one draw,
  also a certain one, so that a rule that changes a chance does not shift the later draws.

Trials ask the same of any source of uniform numbers, without label or log (:class:`SamplingDice`).
"""

import hmac
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import shake_256
from itertools import accumulate, count, groupby, takewhile
from operator import itemgetter, mul
from struct import Struct
from typing import Any, TypeVar

T = TypeVar("T")
Source = Callable[[], float]  # gives uniform numbers from 0 up to, not including, 1
Asked = tuple[tuple[str, int], ...]  # (``3/20`` for a chance or ``6`` for a choice, how many draws in a row)

SPAN = 1 << 64  # how many values a draw can have
_DRAWS_A_BLOCK = 4
_draws_in = Struct(f">{_DRAWS_A_BLOCK}Q").unpack
_SAMPLES_A_BLOCK = 64  # of :func:`uniform`
_samples_in = Struct(f">{_SAMPLES_A_BLOCK}Q").unpack
_NEGLIGIBLE = 1e-17  # a probability that is this part of the greatest: added to it, a double does not change


class Chance:
    """A probability that is rolled against many times, cut to 0 .. 1, with precomputed thresholds."""

    def __init__(self, exact: Fraction) -> None:
        self.exact = max(Fraction(0), min(exact, Fraction(1)))
        # rounded up; a draw below this succeeds
        self.limit = -(-self.exact.numerator * SPAN // self.exact.denominator)
        self.asked = f"{self.exact.numerator}/{self.exact.denominator}"

    @cached_property
    def mean(self) -> Decimal:
        return Decimal(self.exact.numerator) / Decimal(self.exact.denominator)

    @cached_property
    def variance(self) -> Decimal:
        return self.mean * (1 - self.mean)


def _block(seed: str, label: str, number: int) -> tuple[int, ...]:
    """Return the four draws in block ``number`` of a stream."""
    return _draws_in(hmac.digest(seed.encode(), f"{label}\n{number}".encode(), "sha256"))


def uniform(seed: bytes) -> Iterator[float]:
    """Yield numbers in [0, 1) that follow from a seed, without end, for trials."""
    for block in count():
        hashed = shake_256(b"%d %b" % (block, seed)).digest(8 * _SAMPLES_A_BLOCK)
        # a double holds 53 bits of the 64
        yield from [(number >> 11) * 2.0**-53 for number in _samples_in(hashed)]


class Stream:
    """One label's draws, in order. :class:`Dice` makes it; one step uses it."""

    __slots__ = ("_block", "_count", "_runs", "_seed", "label", "outcomes", "private")

    def __init__(self, seed: str, label: str) -> None:
        """Start a stream with no draw made."""
        self.label = label
        self.outcomes: list[int] = []  # of all questions so far, one for each draw
        self.private = ""  # the realm whose affairs the rolls reveal; empty: everybody may see them
        self._runs: list[tuple[str | int, int]] = []  # (question, how many draws), as in ``Asked``
        self._seed = seed
        self._count = 0  # how many draws were made
        self._block: tuple[int, ...] = ()  # that of the next draw, or of the last in its block

    def draw(self) -> int:
        """Return the next draw, 0 .. 2^64 - 1, without an entry in ``outcomes``."""
        index = self._count % _DRAWS_A_BLOCK
        if index == 0:
            self._block = _block(self._seed, self.label, self._count // _DRAWS_A_BLOCK)
        self._count += 1
        return self._block[index]

    def below(self, n: int) -> int:
        """Return a number in 0 .. n - 1, each equally likely (to within n / 2^64). ``n`` is at least 1."""
        outcome = self.draw() * n >> 64
        self._runs.append((n, 1))
        self.outcomes.append(outcome)
        return outcome

    def chance(self, probability: Fraction) -> bool:
        """Return whether something of this probability happens. Below 0 counts as 0, above 1 as 1."""
        happens = self.draw() * probability.denominator < probability.numerator * SPAN
        self._runs.append((f"{probability.numerator}/{probability.denominator}", 1))
        self.outcomes.append(int(happens))
        return happens

    def successes(self, chance: Chance, tries: int) -> int:
        """Return how many of ``tries`` rolls against one chance succeed.

        It makes the same draws with the same outcomes as single rolls.
        """
        limit = chance.limit
        draw = self.draw
        outcomes = [1 if draw() < limit else 0 for _ in range(tries)]
        self.outcomes += outcomes
        self._runs.append((chance.asked, tries))
        return sum(outcomes)

    def percent(self, percent: int) -> bool:
        """Return whether something with a chance in percent happens."""
        return self.chance(Fraction(percent, 100))

    def choice(self, options: Sequence[T]) -> T:
        """Return one of ``options``, each equally likely. Raises ``IndexError`` when there are none."""
        return options[self.below(len(options))]

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """Return ``count`` of ``options`` in the order drawn, each equally likely.

        There must be that many.
        """
        remaining = list(options)
        return [remaining.pop(self.below(len(remaining))) for _ in range(count)]

    def weighted(self, weights: Sequence[int]) -> int:
        """Return the index of one of ``weights``, drawn in proportion to them. Their sum is at least 1."""
        point = self.below(sum(weights))
        for index, weight in enumerate(weights):
            point -= weight
            if point < 0:
                return index
        raise ValueError("weights must be non-negative and not all zero")

    @property
    def asked(self) -> Asked:
        """(question, number of draws) of all questions in order; equal ones in a row are one entry."""
        runs = [
            (str(what), sum([times for _, times in group]))
            for what, group in groupby(self._runs, itemgetter(0))
        ]
        return tuple([run for run in runs if run[1]])  # ``successes`` of no tries asked nothing


class Dice:
    """Makes the streams whose labels begin with one prefix, and stores them for the log."""

    __slots__ = ("_prefix", "_seed", "_streams")

    def __init__(self, seed: str, *prefix: object) -> None:
        self._seed = seed
        self._prefix = prefix
        self._streams: dict[str, Stream] = {}  # by label

    def __call__(self, *parts: object) -> Stream:
        """Return the stream whose label ends with these parts; asked for again, it goes on where it was."""
        label = " | ".join(str(part) for part in (*self._prefix, *parts))
        if label not in self._streams:
            self._streams[label] = Stream(self._seed, label)
        return self._streams[label]

    def private(self, realm: str, *parts: object) -> Stream:
        """Return a stream whose rolls reveal a realm's affairs: they are published to it alone (W8)."""
        stream = self(*parts)
        stream.private = realm
        return stream

    def rolled(self) -> Iterator[dict[str, Any]]:
        """Yield the fields of a :class:`DiceRolled` for each stream drawn from, in the order of asking."""
        for label, stream in self._streams.items():
            outcomes = tuple(stream.outcomes)
            if outcomes:
                yield {"label": label, "asked": stream.asked, "outcomes": outcomes, "private": stream.private}


def rolled_again(seed: str, label: str, questions: Asked) -> tuple[int, ...]:
    """Return the outcomes of these questions to the stream of a label.

    Raises ``ValueError`` for a malformed question.
    """
    stream = Stream(seed, label)
    for question, times in questions:
        numerator, slash, denominator = question.partition("/")
        if slash:
            stream.successes(Chance(Fraction(int(numerator), int(denominator))), times)
        else:
            for _ in range(times):
                stream.below(int(question))
    return tuple(stream.outcomes)


class SamplingStream(Stream):
    """A stream whose numbers come from ``source``; it has no label and records nothing.

    The successes of many equal rolls are drawn at once from their distribution.
    """

    __slots__ = ("drawn", "source")

    def __init__(self, source: Source) -> None:
        super().__init__("", "")
        self.source = source
        self.drawn = 0  # how many numbers were taken from the source, without those for ``successes``

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
        """Return an index with a probability in proportion to its weight."""
        # written out and not a call of ``below``, because fights on trial ask for this most
        self.drawn += 1
        point = int(self.source() * sum(weights))
        for index, weight in enumerate(weights):
            point -= weight
            if point < 0:
                return index
        raise ValueError("weights must be non-negative and not all zero")

    def successes(self, chance: Chance, tries: int) -> int:
        least, cumulated = successes_table(chance, tries)
        return least + bisect_right(cumulated, self.source())


class SamplingDice(Dice):
    """Gives the same :class:`SamplingStream` for every label."""

    __slots__ = ("lots",)

    def __init__(self, source: Source) -> None:
        super().__init__("")
        self.lots = SamplingStream(source)  # the stream of all labels

    def __call__(self, *parts: object) -> Stream:
        return self.lots


@lru_cache(4096)
def successes_table(chance: Chance, tries: int) -> tuple[int, list[float]]:
    """Return (least, cumulated) for so many tries of a chance, to draw the number of successes at once.

    A uniform number ``u`` in 0..1 means ``least + bisect_right(cumulated, u)`` successes.
    """
    return binomial_table(float(chance.exact), tries)


def binomial_table(chance: float, tries: int) -> tuple[int, list[float]]:
    """Return (least number of successes that is not negligibly rare, cumulated probabilities from it on).

    The last of the cumulated probabilities, which is 1, is left out.
    """
    if chance <= 0 or tries == 0:
        return 0, []
    if chance >= 1:
        return tries, []
    likeliest = min(tries, int((tries + 1) * chance))
    ratio = chance / (1 - chance)
    # each weight is a probability divided by that of the likeliest number; they are computed outwards from
    # it, because from the ends, whose weights a double may round to 0, the others could not be computed
    above = _falling(ratio * (tries - number + 1) / number for number in range(likeliest + 1, tries + 1))
    below = _falling(number / (ratio * (tries - number + 1)) for number in range(likeliest, 0, -1))
    weights = [*reversed(below), 1.0, *above]
    total = sum(weights)
    cumulated = list(accumulate(weight / total for weight in weights))
    return likeliest - len(below), cumulated[:-1]


def _falling(ratios: Iterable[float]) -> list[float]:
    """Return weights, each the one before it times the next ratio, up to the last that is not negligible."""
    return list(takewhile(lambda weight: weight >= _NEGLIGIBLE, accumulate(ratios, mul)))
