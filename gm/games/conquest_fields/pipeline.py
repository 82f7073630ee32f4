"""A run in the rules' order (CF-10.1): a person's half-move, then the computer's until a person must move."""

from __future__ import annotations

from gm.core.pipeline import Stage
from gm.games.conquest_fields.steps.half_moves import (
    computer_half_move,
    computer_is_to_move,
    end_of_run,
    human_half_move,
    pace,
)

STAGES = (
    Stage("person", (human_half_move, pace)),
    Stage("computer", (computer_half_move,), again=computer_is_to_move),
    Stage("end", (end_of_run,)),
)
