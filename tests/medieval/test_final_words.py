"""What a proclamation may be, and whom gold reaches (L2, L13)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.games.medieval.orders.model import Proclamation, SendGold, Written
from gm.games.medieval.steps.economy import (
    flagged_words,
    why_not_proclaim,
    why_not_send_gold,
)
from tests.medieval.testland import make_world, rules, unit

HERE = Written(1, 1, "order")
LIMIT = rules().economy.proclamation_length


@pytest.mark.clause("L13")
def test_a_proclamation_may_be_as_long_as_the_limit_and_no_longer() -> None:
    assert why_not_proclaim(Proclamation(HERE, "x" * LIMIT), False, False, rules()) is None
    refusal = why_not_proclaim(Proclamation(HERE, "x" * (LIMIT + 1)), False, False, rules())
    assert refusal is not None
    assert (refusal.reason, refusal.figures["has"]) == ("proclamation-too-long", LIMIT + 1)


@pytest.mark.clause("L13")
def test_words_are_flagged_whatever_stands_around_them() -> None:
    word = rules().economy.flagged_words[0]
    for text in (word, f"Oh,{word.upper()}!", f"({word})"):
        assert flagged_words(text, rules()) == (word,)
    assert flagged_words(f"{word}x", rules()) == ()


@pytest.mark.clause("L2")
def test_gold_reaches_a_garrison_and_not_an_army() -> None:
    world = make_world(unit("LIT/A1", "Kent", {"Men-at-Arms": 1}))
    order = SendGold(HERE, "LIT", Decimal(1))
    refusal = why_not_send_gold(world, "ENG", order, frozenset({"Kent", "London"}))
    assert refusal is not None
    assert refusal.reason == "gold-no-way"
    assert why_not_send_gold(world, "ENG", order, frozenset({"Minsk"})) is None
