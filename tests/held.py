"""A bot that waits for a test, so that a run which is stopped in the middle has games left on any machine."""

import os
from pathlib import Path

from gm.game.bots import bots_by_name
from gm.game.values import View
from gm.games import game_spec
from tests.waiting import PATIENCE, wait_for

VARIABLE = "GM_TEST_HELD"
"""The environment variable that names the folder of the simulation that is held."""
HELD_BOT = "tests.held:Held"
"""The bot's name in ``--bots``."""


class Held:
    """A page that waits while there is a file :func:`hold_of` and a game of the simulation is finished."""

    name = "held"
    about = "waits for a test"

    def orders(self, view: View) -> bytes:
        if VARIABLE in os.environ:
            out = Path(os.environ[VARIABLE])
            wait_for(lambda: not (hold_of(out).exists() and finished(out)), "the test", patience=PATIENCE * 4)
        return bots_by_name(game_spec("medieval"))["page"].orders(view)


def hold_of(out: Path) -> Path:
    """Return the file that holds a simulation after its first game. ``out``: the folder of the simulation."""
    return out.with_suffix(".hold")


def finished(out: Path) -> int:
    """Return how many games of a simulation are finished."""
    games = out / "games.jsonl"
    return games.read_bytes().count(b"\n") if games.exists() else 0
