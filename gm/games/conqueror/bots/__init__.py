"""Computer players of Conqueror!."""

from __future__ import annotations

from collections.abc import Mapping

from gm.game.base.bots import BaseBot
from gm.game.values import Bot
from gm.games.conqueror.bots.chance import chance_lines
from gm.games.conqueror.bots.steward import steward_lines

BOTS: Mapping[str, Bot] = {
    "steward": BaseBot(
        "steward",
        "plays as the rules let the computer play a seat: farms first, then armies, attacks while it is stronger",
        steward_lines,
    ),
    "random": BaseBot("random", "moves, builds and buys by chance", chance_lines),
}
"""By name."""
