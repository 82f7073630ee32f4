"""The figures of the game as typed values; they are read from ``rules/conquest-fields/rules.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta
from pydantic import BeforeValidator

from gm.core.values import Natural, Positive, Value, check_fields

Strategy = Literal["random", "greedy", "minimax"]
OnMissing = Literal["wait", "random", "greedy", "minimax", "forfeit"]


Pace = Annotated[int, BeforeValidator(lambda value: 0 if value == "all" else value)]
"""CF-1.7: so many half-moves, or all of them, which is kept as 0."""

Kind = Literal["human", "random", "greedy", "minimax"]


class Settings(Value):
    """CF-2.2, CF-2.5: what is chosen when a game begins. What is left out is as the rules say."""

    red: Annotated[Kind, Meta(description="Who plays red: human, random, greedy or minimax")] = "human"
    green: Annotated[Kind, Meta(description="Who plays green: human, random, greedy or minimax")] = "human"
    red_player: Annotated[
        str, Meta(description="Another name by which red's order files may call him", max_length=40)
    ] = ""
    green_player: Annotated[
        str, Meta(description="Another name by which green's order files may call him", max_length=40)
    ] = ""
    half_moves_per_run: Annotated[
        Annotated[Pace, Meta(ge=0)] | None, Meta(description="Where two computers play: half-moves in a run, or all")
    ] = None
    grace_runs: Annotated[Natural | None, Meta(description="So many runs may be missed")] = None
    on_missing: Annotated[
        OnMissing | None, Meta(description="What is done after that: wait, random, greedy, minimax or forfeit")
    ] = None
    draw_repeats: Annotated[
        Annotated[int, Meta(ge=2)] | None, Meta(description="The same position so many times is a draw")
    ] = None
    max_half_moves: Annotated[Positive | None, Meta(description="After so many half-moves the game is a draw")] = None
    minimax_depth: Annotated[
        Annotated[int, Meta(ge=1, le=9)] | None, Meta(description="How many half-moves minimax looks ahead")
    ] = None

    def kind(self, side: str) -> Kind:
        """What plays a side."""
        return self.red if side == "RED" else self.green


class Defaults(Value):
    """CF-2.5: what a game is played with unless its GM says otherwise."""

    half_moves_per_run: Annotated[Pace, Meta(ge=0)]
    """How many half-moves one run plays where two computers play each other; 0: all of them."""
    grace_runs: Natural
    on_missing: OnMissing
    draw_repeats: Annotated[int, Meta(ge=2)]
    max_half_moves: Positive


class Depth(Value):
    """CF-7.6: up to so many fields (none: any number) minimax looks so many half-moves ahead."""

    fields: int | None
    half_moves: Positive


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
    win_value: Annotated[int, Meta(ge=1000)]
    jump_over: JumpOver
    colours: Mapping[str, str]

    @check_fields("minimax_depth")
    @staticmethod
    def _for_every_board(depths: tuple[Depth, ...]) -> tuple[Depth, ...]:
        if not depths or depths[-1].fields is not None:
            raise ValueError("the last entry must be for boards of any size (fields: null)")
        return depths
