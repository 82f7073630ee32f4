"""Computer players of CONQUEST 0.0.2."""

from __future__ import annotations

from collections.abc import Mapping

from gm.game.base.bots import BaseBot
from gm.game.values import Bot
from gm.games.conquest_structures.bots.marshal import marshal_lines
from gm.games.conquest_structures.bots.wanderer import wanderer_lines

BOTS: Mapping[str, Bot] = {
    "marshal": BaseBot(
        "marshal", "builds what it can, guards its home, takes the nearest city that it can win", marshal_lines
    ),
    "random": BaseBot("random", "builds and moves by chance", wanderer_lines),
}
"""By name."""
