"""The figures of the game as typed values; they are read from ``rules/conquest-fields/numbers.yaml``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from gm.kernel.model import FrozenMap, Value

Strategy = Literal["random", "greedy", "minimax"]
OnMissing = Literal["wait", "random", "greedy", "minimax", "forfeit"]


class Defaults(Value):
    """CF-2.5: what a game is played with unless its GM says otherwise."""

    half_moves_per_run: int = Field(ge=0)
    """How many half-moves one run plays where two computers play each other; 0: all of them."""
    grace_runs: int = Field(ge=0)
    on_missing: OnMissing
    draw_repeats: int = Field(ge=2)
    max_half_moves: int = Field(ge=1)


class Depth(Value):
    """CF-7.6: up to so many fields (none: any number) minimax looks so many half-moves ahead."""

    fields: int | None
    half_moves: int = Field(ge=1)


class JumpOver(Value):
    """CF-5.5: what a jump may cross."""

    own: Literal[True]
    enemy: Literal[True]
    hole: Literal[True]
    blank: Literal[False]


class Rules(Value):
    """``numbers.yaml``."""

    first: Literal["red", "green"]
    defaults: Defaults
    minimax_depth: tuple[Depth, ...]
    win_value: int = Field(ge=1000)
    jump_over: JumpOver
    colours: FrozenMap[str, str]

    @field_validator("minimax_depth")
    @classmethod
    def _for_every_board(cls, depths: tuple[Depth, ...]) -> tuple[Depth, ...]:
        if not depths or depths[-1].fields is not None:
            raise ValueError("the last entry must be for boards of any size (fields: null)")
        return depths
