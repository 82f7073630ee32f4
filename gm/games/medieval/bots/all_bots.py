"""The bots that come with the game, by name."""

from __future__ import annotations

from collections.abc import Mapping

from gm.game.bots import Bot
from gm.games.medieval.bots.playing import LocalForces, TemperedBot

BOTS: Mapping[str, Bot] = {
    bot.name: bot for bot in (LocalForces(), TemperedBot("builder"), TemperedBot("conqueror"), TemperedBot("raider"))
}
