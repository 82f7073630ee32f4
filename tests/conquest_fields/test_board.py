"""CF-4: fields, their names, and what is next to what."""

from __future__ import annotations

import pytest

from gm.games.conquest_fields.board import TOPOLOGIES, members
from tests.conquest_fields.boards import NAMES, board, small


@pytest.mark.parametrize("topology", sorted(TOPOLOGIES))
def test_neighbours_are_neighbours_of_each_other(topology: str) -> None:
    ragged = small("..#..", " ....", ".. ..", "#....", topology=topology)
    for distance in (ragged.near, ragged.far):
        for field, others in enumerate(distance):
            assert not others >> field & 1
            assert all(distance[other] >> field & 1 for other in members(others))


@pytest.mark.clause("CF-15.1")
@pytest.mark.parametrize("name", NAMES[:5])
def test_large_boards_look_the_same_to_both_sides(name: str) -> None:
    def seen(side: str) -> list[tuple[int, int, int]]:
        """Each own field by what surrounds it: neighbours, own and enemy fields within reach."""
        here = board(name)
        own, enemy = here.owned(here.rows, side), here.owned(here.rows, "G" if side == "R" else "R")
        return sorted(
            (here.near[each].bit_count(), (here.reach[each] & own).bit_count(), (here.reach[each] & enemy).bit_count())
            for each in members(own)
        )

    assert seen("R") == seen("G")
