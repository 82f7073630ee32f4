"""CF-5: growing, jumping, conquering. CF-6: who cannot move has lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.games.conquest_fields.state import GREEN_SIDE, RED_SIDE, Position, enemy_of
from tests.conquest_fields.boards import NAMES, board, move, small, start


@pytest.mark.clause("CF-13.1", "CF-5.2", "CF-5.6", "CF-6.1", "CF-6.2")
def test_growing_keeps_the_start_and_takes_the_enemy_beside_the_end() -> None:
    here = small("R.G", "...", "...")
    after = start(here).after(here, move(here, "a1-a2"))
    assert after.rows(here, GREEN_SIDE) == ("RRR", "...", "...")
    assert not after.can_move(here)


@pytest.mark.clause("CF-13.2", "CF-5.3", "CF-5.7")
def test_jumping_leaves_the_start_and_takes_only_what_is_next_to_the_end() -> None:
    here = small("R.G", "...", "...")
    after = start(here).after(here, move(here, "a1-b2"))
    assert after.rows(here, GREEN_SIDE) == ("..G", ".R.", "...")
    assert after.can_move(here)


@pytest.mark.clause("CF-13.3", "CF-4.11", "CF-5.5", "CF-6.1")
def test_a_jump_crosses_a_hole_but_not_a_blank() -> None:
    over_hole = small("R#.")
    assert [each.words(over_hole) for each in start(over_hole).moves(over_hole)] == ["a1-a3"]
    assert next(start(over_hole).moves(over_hole)).jumps(over_hole)
    assert not start(small("R .")).can_move(small("R ."))


@pytest.mark.clause("CF-5.4", "CF-5.1", "CF-5.9", "CF-5.8")
def test_moves_go_to_free_fields_within_two_steps_in_canonical_order() -> None:
    here = small("R..", ".G.", "..#")
    assert [each.words(here) for each in start(here).moves(here)] == ["a1-a2", "a1-a3", "a1-b1", "a1-c1"]
    assert [each.jumps(here) for each in start(here).moves(here)] == [False, True, False, True]


@pytest.mark.clause("CF-5.7")
def test_fields_that_were_won_win_nothing_further() -> None:
    here = small("R.GG")
    assert start(here).after(here, move(here, "a1-a2")).rows(here, GREEN_SIDE) == ("RRRG",)


@pytest.mark.clause("CF-6.4")
def test_on_a_full_board_who_moved_last_has_won() -> None:
    here = small("R.GGG")
    after = start(here).after(here, move(here, "a1-a2"))
    assert after.rows(here, GREEN_SIDE) == ("RRRGG",)
    assert not after.can_move(here)


@given(st.sampled_from(NAMES), st.lists(st.integers(0, 10_000), max_size=40))
def test_whatever_is_played_fields_are_owned_once_and_none_vanish(name: str, choices: list[int]) -> None:
    here = board(name)
    position, side = start(here), RED_SIDE
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
