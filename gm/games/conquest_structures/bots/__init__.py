"""Computer players of CONQUEST 0.0.2."""

from __future__ import annotations

from collections.abc import Mapping

from gm.games.conquest_structures.bots.marshal import marshal_lines
from gm.games.conquest_structures.bots.wanderer import wanderer_lines
from gm.kernel.bots import Bot
from gm.kernel.plain.bots import PlainBot

BOTS: Mapping[str, Bot] = {
    "marshal": PlainBot(
        "marshal", "builds what it can, guards its home, takes the nearest city that it can win", marshal_lines
    ),
    "random": PlainBot("random", "builds and moves by chance", wanderer_lines),
}
"""By name."""
