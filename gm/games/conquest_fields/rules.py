"""The figures of the game as typed values; they are read from ``rules/conquest-fields/rules.yaml``."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from pydantic import BeforeValidator

from gm.core.values import Natural, Positive, Value, check_fields
from gm.game.base.position import GameSettings

Strategy = Literal["random", "greedy", "minimax"]
OnMissing = Literal["wait", "random", "greedy", "minimax", "forfeit"]
Pace = Annotated[int, BeforeValidator(lambda value: 0 if value == "all" else value)]  # CF-1.7: all are kept as 0
Kind = Literal["human", "random", "greedy", "minimax"]


class Defaults(Value):
    """CF-2.5: what a game is played with unless its GM says otherwise."""

    half_moves_per_run: Annotated[Pace, Meta(ge=0)]  # How many one run plays where two computers play each other
    grace_runs: Natural
    on_missing: OnMissing
    draw_repeats: Annotated[int, Meta(ge=2)]
    max_half_moves: Positive


class Settings(GameSettings):
    """CF-2.2, CF-2.5: what is chosen when a game begins. What is left out is as the rules say."""

    in_rules: ClassVar[Mapping[str, str]] = {name: f"defaults.{name}" for name in Defaults.__struct_fields__}

    red: Kind = "human"
    green: Kind = "human"
    red_player: Annotated[str, Meta(max_length=40)] = ""
    green_player: Annotated[str, Meta(max_length=40)] = ""
    half_moves_per_run: Annotated[Pace, Meta(ge=0)] | None = None
    grace_runs: Natural | None = None
    on_missing: OnMissing | None = None
    draw_repeats: Annotated[int, Meta(ge=2)] | None = None
    max_half_moves: Positive | None = None
    minimax_depth: Annotated[int, Meta(ge=1, le=9)] | None = None

    def kind(self, side: str) -> Kind:
        """What plays a side."""
        return self.red if side == "RED" else self.green


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
