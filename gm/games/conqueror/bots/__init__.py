"""Computer players of Conqueror!."""

from __future__ import annotations

from collections.abc import Mapping

from gm.games.conqueror.bots.chance import chance_lines
from gm.games.conqueror.bots.steward import steward_lines
from gm.kernel.bots import Bot
from gm.kernel.plain.bots import PlainBot

BOTS: Mapping[str, Bot] = {
    "steward": PlainBot(
        "steward",
        "plays as the rules let the computer play a seat: farms first, then armies, attacks while it is stronger",
        steward_lines,
    ),
    "random": PlainBot("random", "moves, builds and buys by chance", chance_lines),
}
"""By name."""
