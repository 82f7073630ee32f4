"""The eight stages of a turn, in the rules' order (CS-1.2, CS-15.1)."""

from __future__ import annotations

from gm.core.pipeline import Stage
from gm.games.conquest_structures.steps.conflict import capture, crossings, meetings
from gm.games.conquest_structures.steps.moving import build, movement, popcap
from gm.games.conquest_structures.steps.supplying import ending, penalty, restoration, supply

STAGES = (
    Stage("1 PopCap", (popcap,)),
    Stage("2 build", (build,)),
    Stage("3 movement", (movement,)),
    Stage("4 conflict and capture", (crossings, meetings, capture)),
    Stage("5 supply", (supply,)),
    Stage("6 penalty", (penalty,)),
    Stage("7 restoration", (restoration,)),
    Stage("8 victory, defeat and concession", (ending,)),
)
