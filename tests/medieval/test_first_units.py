"""Forming, naming, arranging and dismissing units (F5-F7, F9, F10)."""

from __future__ import annotations

import pytest

from gm.games.medieval.steps.units import (
    reassigned,
)


def form(maker: str, *new_ids: str) -> dict[str, str]:
    return {"ENG": f"units:\n  {maker}:\n    form:\n" + "".join(f"      {each}: The Lions\n" for each in new_ids)}


# -- F9 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("F9", "W6")
@pytest.mark.parametrize(
    ("have", "wanted", "after", "too_many"),
    [
        ((6, 0, 0, 0, 0), {4: 4}, (2, 0, 0, 4, 0), 0),
        ((6, 0, 0, 0, 0), {1: 1, 5: 5}, (1, 0, 0, 0, 5), 0),
        ((0, 0, 0, 6, 0), {1: 2}, (2, 0, 0, 4, 0), 0),
        ((2, 0, 3, 1, 0), {3: 1, 4: 2}, (1, 0, 3, 2, 0), 0),
        ((4, 0, 0, 0, 0), {1: 2, 3: 2, 5: 3}, (2, 0, 2, 0, 0), 3),
        ((4, 0, 0, 0, 0), {2: 9}, (0, 4, 0, 0, 0), 5),
    ],
)
def test_named_troops_change_rank_and_the_others_stay(have, wanted, after, too_many):
    assert reassigned(have, wanted) == (after, too_many)
