"""Dice for trials: the same distributions as the dice of a turn, a few numbers at a time."""

from __future__ import annotations

import random
from bisect import bisect_right
from fractions import Fraction
from math import comb

import pytest

from gm.core.dice import Chance, Stream
from gm.core.sampling import SamplingDice, SamplingStream, binomial_table
from tests.likely import is_likely


@pytest.mark.parametrize(("chance", "tries"), [(Fraction(3, 10), 1), (Fraction(34, 100), 20), (Fraction(99, 100), 45)])
def test_the_table_is_the_binomial_distribution(chance: Fraction, tries: int) -> None:
    least, cumulated = binomial_table(float(chance), tries)
    below = 0.0
    for hits in range(tries + 1):
        exact = float(comb(tries, hits) * chance**hits * (1 - chance) ** (tries - hits))
        if hits < least:
            assert exact < 1e-15
            continue
        upto = cumulated[hits - least] if hits - least < len(cumulated) else 1.0
        assert upto - below == pytest.approx(exact, abs=1e-14)
        below = upto


def test_many_tries_and_certain_ones_are_no_trouble() -> None:
    assert binomial_table(0.0, 7) == (0, [])
    assert binomial_table(1.0, 7) == (7, [])
    assert binomial_table(0.5, 0) == (0, [])
    least, cumulated = binomial_table(0.99, 20_000)
    assert least > 19_000
    assert cumulated == sorted(cumulated)
    middle = least + bisect_right(cumulated, 0.5)
    assert middle == 19_800


def test_lots_answer_every_question_of_a_stream() -> None:
    lots = SamplingStream(random.Random(4).random)  # noqa: S311
    chance = Chance(Fraction(34, 100))
    assert is_likely(sum(lots.successes(chance, 20) for _ in range(100)), 2000, chance.exact)
    assert is_likely(sum(lots.chance(Fraction(1, 3)) for _ in range(900)), 900, Fraction(1, 3))
    assert is_likely(sum(lots.below(4) == 2 for _ in range(900)), 900, Fraction(1, 4))
    assert is_likely(sum(lots.weighted((3, 0, 1)) == 2 for _ in range(900)), 900, Fraction(1, 4))
    assert {lots.choice("abc") for _ in range(60)} == set("abc")
    assert 0 <= lots.draw() < 2**64
    assert lots.outcomes == []
    with pytest.raises(ValueError, match="weights"):
        lots.weighted(())


def test_one_source_serves_all_labels() -> None:
    box = SamplingDice(random.Random(1).random)  # noqa: S311
    assert box("Kent", "hits") is box("Minsk", "barracks")
    assert box.rolled == ()


def test_successes_of_a_stream_are_its_chances_one_by_one() -> None:
    together, apart = Stream("seed", "label"), Stream("seed", "label")
    chance = Chance(Fraction(369, 1000))
    assert together.successes(chance, 50) == sum(apart.chance(chance.exact) for _ in range(50))
    assert together.outcomes == apart.outcomes
    assert together.draw() == apart.draw()


@pytest.mark.parametrize("exact", [Fraction(-1, 2), Fraction(0), Fraction(1, 3), Fraction(1), Fraction(3, 2)])
def test_a_chance_knows_its_limit_mean_and_variance(exact: Fraction) -> None:
    chance = Chance(exact)
    inside = max(Fraction(0), min(exact, Fraction(1)))
    assert chance.exact == inside
    for draw in (0, 2**64 // 3, 2**64 // 3 + 1, 2**64 - 1):
        assert (draw < chance.limit) == (Fraction(draw, 2**64) < inside)
    assert float(chance.mean) == pytest.approx(float(inside))
    assert float(chance.variance) == pytest.approx(float(inside * (1 - inside)))
