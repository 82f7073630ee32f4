"""CF-5: growing, jumping, conquering. CF-6: who cannot move has lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gm.games.conquest_fields.state import RED_SIDE, Position, enemy_of
from tests.conquest_fields.boards import NAMES, board, start


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
