"""Computer players of Conquestination."""

from __future__ import annotations

from collections.abc import Mapping

from gm.game.base.bots import BaseBot
from gm.game.values import Bot
from gm.games.conquestination.bots.captain import captain_lines
from gm.games.conquestination.bots.gambler import gambler_lines

BOTS: Mapping[str, Bot] = {
    "captain": BaseBot(
        "captain",
        "gathers its units where a continent can be won, attacks while it is stronger, brings up those behind",
        captain_lines,
        lambda state: state.run,
    ),
    "random": BaseBot("random", "places, attacks and moves by chance", gambler_lines, lambda state: state.run),
}
"""By name."""
