"""Seventy battles of all sorts go as they went before, round by round (B, M6, M11, M12).

The other tests of battles say why each is right; these hold what no sentence is about. Whoever changes what
happens in one of them changes the turns of running games: see ``EDITION`` in
gm/games/medieval/data/edition.py. Three are kept to be read, of the others a hash.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.medieval.battleground import STEPS, battles, ground_rules, story
from tests.medieval.cases import battles_told

STORIES = Path(__file__).with_name("data") / "battles"
NUMBERS = {"land": 25, "border": 12, "sea": 33}


@pytest.mark.clause("B4", "B6", "B7", "B8", "B9", "B11", "B12", "B13")
@pytest.mark.parametrize(
    ("kind", "number"), [(kind, number) for kind in STEPS for number in range(1, NUMBERS[kind] + 1)]
)
def test_a_battle_goes_as_it_went_before(kind: str, number: int, golden: Callable[[Path, str], None]) -> None:
    played = battles(kind, number)
    golden(STORIES / f"{kind}-{number:02}.txt", story(played))
    for sentence in battles_told(played, ground_rules()):
        assert re.fullmatch(r"[A-Z0-9].*\.", sentence), sentence
        assert not {"none", "nothing", ""} & set(sentence.removesuffix(".").split(" ")), sentence
