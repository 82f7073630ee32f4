"""CF-4, CF-5: what is next to what, on any board; what holds whatever is played."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.games.conquest_fields.choices import half_moves_ahead
from gm.games.conquest_fields.rules import TOPOLOGIES, members
from gm.games.conquest_fields.state import RED_SIDE, Position, enemy_of
from tests.conquest_fields.boards import NAMES, board, small, start, wandered


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
        own = here.owned(here.rows, side)
        enemy = here.owned(here.rows, "G" if side == "R" else "R")
        return sorted(
            (
                here.near[field].bit_count(),
                (here.reach[field] & own).bit_count(),
                (here.reach[field] & enemy).bit_count(),
            )
            for field in members(own)
        )

    assert seen("R") == seen("G")


@given(st.sampled_from(NAMES), st.lists(st.integers(0, 10_000), max_size=40))
def test_whatever_is_played_fields_are_owned_once_and_none_vanish(name: str, choices: list[int]) -> None:
    here = board(name)
    position = start(here)
    side = RED_SIDE
    for choice in choices:
        moves = list(position.moves(here))
        assert bool(moves) == position.can_move(here)
        if not moves:
            break
        assert moves == sorted(set(moves))
        taken = moves[choice % len(moves)]
        won = position.conquers(here, taken)
        after = position.after(here, taken)
        assert after.own & after.enemy == 0
        assert (after.own | after.enemy) & here.holes == 0
        # a growing move adds one field; a jump moves one; what is won changes hands
        assert after.own == position.enemy & ~won
        grown = 0 if taken.jumps(here) else 1
        assert after.enemy.bit_count() == position.own.bit_count() + grown + won.bit_count()
        side = enemy_of(side)
        assert Position.read(here, after.rows(here, side), side) == after
        position = after


@given(
    st.sampled_from(("training-2x3", "squares4-6x6", "triangles-7x6")),
    st.lists(st.integers(0, 10_000), max_size=20),
)
def test_every_half_move_after_the_next_two_can_be_ordered_ahead(name: str, choices: list[int]) -> None:
    """Also one to a field that a jump has freed."""
    here = board(name)
    position = wandered(here, choices)
    offered = {(begin, end) for begin, ends in half_moves_ahead(here, position) for end in ends}
    for first in position.moves(here):
        answered = position.after(here, first)
        for answer in answered.moves(here):
            for later in answered.after(here, answer).moves(here):
                assert (here.names[later.start], here.names[later.end]) in offered
