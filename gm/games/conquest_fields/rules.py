"""The figures of the game as typed values; they are read from ``rules/conquest-fields/rules.yaml``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from gm.core.values import FrozenMap, Value

Strategy = Literal["random", "greedy", "minimax"]
OnMissing = Literal["wait", "random", "greedy", "minimax", "forfeit"]


Pace = Annotated[int, BeforeValidator(lambda value: 0 if value == "all" else value)]
"""CF-1.7: so many half-moves, or all of them, which is kept as 0."""

Kind = Literal["human", "random", "greedy", "minimax"]


class Settings(Value):
    """CF-2.2, CF-2.5: what is chosen when a game begins. What is left out is as the rules say."""

    red: Kind = Field("human", description="Who plays red: human, random, greedy or minimax")
    green: Kind = Field("human", description="Who plays green: human, random, greedy or minimax")
    red_player: str = Field("", description="Another name by which red's order files may call him", max_length=40)
    green_player: str = Field("", description="Another name by which green's order files may call him", max_length=40)
    half_moves_per_run: Pace | None = Field(
        None, description="Where two computers play: half-moves in a run, or all", ge=0
    )
    grace_runs: int | None = Field(None, description="So many runs may be missed", ge=0)
    on_missing: OnMissing | None = Field(
        None, description="What is done after that: wait, random, greedy, minimax or forfeit"
    )
    draw_repeats: int | None = Field(None, description="The same position so many times is a draw", ge=2)
    max_half_moves: int | None = Field(None, description="After so many half-moves the game is a draw", ge=1)
    minimax_depth: int | None = Field(None, description="How many half-moves minimax looks ahead", ge=1, le=9)

    def kind(self, side: str) -> str:
        """What plays a side."""
        return self.red if side == "RED" else self.green


class Defaults(Value):
    """CF-2.5: what a game is played with unless its GM says otherwise."""

    half_moves_per_run: Pace = Field(ge=0)
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
    """``rules.yaml``."""

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
