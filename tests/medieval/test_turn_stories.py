"""Fifty turns of all sorts, half of their orders illegal, go as they went before: each fate, each change
(O2). Why each is right, the other tests say; these hold what no sentence is about. Whoever changes what
happens in one of them changes the turns of running games: see ``EDITION`` in
gm/games/medieval/data/edition.py.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.medieval.turnground import NUMBERS, TURNS, kept_turn, played, story


def test_there_are_turns_to_be_told() -> None:
    assert len(NUMBERS) == 50


@pytest.mark.clause("O2", "W12")
@pytest.mark.parametrize("number", NUMBERS)
def test_a_turn_goes_as_it_went_before(number: int, golden: Callable[[Path, str], None]) -> None:
    golden(TURNS / f"{number:02}.txt", story(played(*kept_turn(number))))
