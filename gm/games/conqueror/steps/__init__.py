"""The turn of Conqueror!, in the rules' order and words (CQ-21.1)."""

from __future__ import annotations

from gm.core.pipeline import Stage
from gm.games.conqueror.steps.closing import (
    calendar,
    cultural_influence,
    prestige,
    rebellion,
    score_and_end,
    winter_support,
)
from gm.games.conqueror.steps.fighting import execution
from gm.games.conqueror.steps.working import buying, computer_orders, intake, production, set_production

STAGES = (
    Stage("before", (intake, computer_orders, set_production, buying)),
    Stage("moves", (execution,)),
    Stage("season", (production, winter_support, rebellion, cultural_influence)),
    Stage("after", (prestige, score_and_end, calendar)),
)
