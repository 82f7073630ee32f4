"""A run in the rules' order (CN-12.1, CN-12.2): the deployment, or the turns of the seats one after another."""

from __future__ import annotations

from gm.core.pipeline import Stage
from gm.games.conquestination.steps.attacking import attacks, redeployment
from gm.games.conquestination.steps.turns import deployment, end_of_run, next_seat, reinforcement, seats, still_to_play

STAGES = (
    Stage("deployment", (deployment, seats)),
    Stage("turns", (reinforcement, attacks, redeployment), again=still_to_play, opens=next_seat),
    Stage("end", (end_of_run,)),
)
"""In the stage of turns a phase is one seat's turn."""
