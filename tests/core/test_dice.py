"""Labelled dice, recomputed by hand from the written definition.

Dice for trials, with the same distributions.
"""

import hashlib
import random
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from gm.core.dice import Chance, Dice, SamplingDice, SamplingStream, Stream, binomial_table
from tests.likely import is_likely

KEYS = [f"seed {number}" for number in range(20)]


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, spelt out: this test shares no code with the dice."""
    key = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def draws_by_hand(seed: str, label: str) -> Iterator[int]:
    """The draws of a stream as the manual defines them."""
    block = 0
    while True:
        digest = hmac_sha256(seed.encode(), f"{label}\n{block}".encode())
        for start in (0, 8, 16, 24):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


@pytest.mark.clause("W12")
def test_published_test_vector() -> None:
    """For other implementations: seed "test", label "turn 1 | phase 2 | land_battles_fought | Minsk |
    hits".
    """
    stream = Dice("test", "turn 1", "phase 2", "land_battles_fought")("Minsk", "hits")
    assert stream.label == "turn 1 | phase 2 | land_battles_fought | Minsk | hits"
    assert " ".join(f"{stream.draw():016x}" for _ in range(6)) == (
        "32309b4390d2f480 d345514d76a10a20 1a38d4e1c6ddfd74 ef6f7ef961f2c374 f811cbc6ebaf5738 "
        "291c2a262f8fab67"
    )


@pytest.mark.clause("W12")
@pytest.mark.parametrize("label", ["", "a", "Volodymir | Étienne | hits", "x" * 200])
def test_every_draw_can_be_recomputed_from_seed_label_and_index(label: str) -> None:
    stream = Stream("a seed of any length " * 9, label)
    by_hand = draws_by_hand("a seed of any length " * 9, label)
    assert [stream.draw() for _ in range(11)] == [next(by_hand) for _ in range(11)]


@pytest.mark.clause("W12")
def test_choices_and_chances_follow_from_the_draws() -> None:
    stream = Stream("seed", "label")
    by_hand = draws_by_hand("seed", "label")
    for n in (1, 2, 6, 23, 1000):
        assert stream.below(n) == next(by_hand) * n // 2**64
    for chance in (
        Fraction(0),
        Fraction(1, 3),
        Fraction(369, 1000),
        Fraction(1),
        Fraction(3, 2),
        Fraction(-1, 2),
    ):
        assert stream.chance(chance) == (Fraction(next(by_hand), 2**64) < chance)


@pytest.mark.clause("W12")
def test_another_stream_changes_no_draw_of_this_one() -> None:
    alone = Dice("seed", "turn 1")
    crowded = Dice("seed", "turn 1")
    for place in ("Kent", "Minsk"):
        crowded(place, "hits").below(6)
    assert alone("Riga", "hits").draw() == crowded("Riga", "hits").draw()


def test_a_stream_asked_for_again_goes_on_where_it_stood() -> None:
    dice = Dice("seed")
    by_hand = draws_by_hand("seed", "Kent")
    assert [dice("Kent").draw(), dice("Kent").draw()] == [next(by_hand), next(by_hand)]


def test_every_chance_takes_one_draw_even_a_certain_one() -> None:
    stream = Stream("seed", "label")
    by_hand = draws_by_hand("seed", "label")
    stream.chance(Fraction(1))
    stream.percent(0)
    assert stream.draw() == [next(by_hand) for _ in range(3)][2]


def test_the_log_names_the_streams_that_were_drawn_from() -> None:
    dice = Dice("seed", "turn 1")
    dice("nobody asks")
    roll = dice("Kent").below(6)
    hit = dice("Kent").percent(50)
    asked = (("6", 1), ("1/2", 1))
    outcomes = (roll, int(hit))
    assert [*dice.rolled()] == [
        {"label": "turn 1 | Kent", "asked": asked, "outcomes": outcomes, "private": ""}
    ]


def test_nothing_can_be_chosen_from_nothing() -> None:
    with pytest.raises(IndexError):
        Stream("seed", "label").choice([])
    with pytest.raises(ValueError, match="weights"):
        Stream("seed", "label").weighted([0, 0])


@pytest.mark.parametrize("chance", [Fraction(1, 100), Fraction(21, 100), Fraction(1, 2), Fraction(369, 1000)])
def test_chances_come_as_often_as_they_should(chance: Fraction) -> None:
    trials = 100
    hits = sum(Stream(key, f"at {n}").chance(chance) for key, n in product(KEYS, range(trials)))
    assert is_likely(hits, trials * len(KEYS), chance)


@pytest.mark.parametrize("sides", [2, 3, 7, 25])
def test_choices_are_equally_likely(sides: int) -> None:
    stream = Stream("uniform", f"{sides} sides")
    rolls = [stream.below(sides) for _ in range(900)]
    for side in range(sides):
        assert is_likely(rolls.count(side), len(rolls), Fraction(1, sides), tail=Fraction(1, 1000 * sides))


@pytest.mark.clause("B6")
def test_weighted_choices_follow_their_weights() -> None:
    stream = Stream("weights", "10 and 15")
    picks = [stream.weighted([10, 0, 15]) for _ in range(2000)]
    assert picks.count(1) == 0
    assert is_likely(picks.count(0), len(picks), Fraction(10, 25))


def test_choice_picks_from_any_sequence() -> None:
    stream = Stream("choice", "of three")
    assert {stream.choice("abc") for _ in range(60)} == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("chance", "tries"), [(Fraction(3, 10), 1), (Fraction(34, 100), 20), (Fraction(99, 100), 45)]
)
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
    assert [*box.rolled()] == []


def test_successes_of_a_stream_are_its_chances_one_by_one() -> None:
    together = Stream("seed", "label")
    apart = Stream("seed", "label")
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
