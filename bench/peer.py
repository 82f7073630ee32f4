"""The Python peer on the same machine: a turn of ``diplomacy`` as a whole process, beside ours.

It lives in an environment of its own in the user's cache folder, made when it is needed: nothing of it is
ever imported by gm. Where it does not install, its line says why.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.timing import Timing, median, once
from gm.cli.table_cache import cache_folder

PINNED = "diplomacy==1.1.2"
PATIENCE = 600
"""Seconds that installing may take."""

PREPARE = """
import json, random, sys
from diplomacy import Game
from diplomacy.utils.export import to_saved_game_format
game, chance = Game(), random.Random(3)
while sum(len(power.units) for power in game.powers.values()) < 27 or not (
    game.get_current_phase().endswith("M")
):
    possible = game.get_all_possible_orders()
    for name in game.powers:
        places = game.get_orderable_locations(name)
        game.set_orders(name, [chance.choice(possible[at]) for at in places if possible[at]])
    game.process()
with open(sys.argv[1], "w") as file:
    json.dump(to_saved_game_format(game), file)
"""
TURN = """
import json, sys
from diplomacy.utils.export import from_saved_game_format, to_saved_game_format
with open(sys.argv[1]) as file:
    game = from_saved_game_format(json.load(file))
possible = game.get_all_possible_orders()
for name in game.powers:
    game.set_orders(name, [possible[at][-1] for at in game.get_orderable_locations(name) if possible[at]])
game.process()
with open(sys.argv[1] + ".after", "w") as file:
    json.dump(to_saved_game_format(game), file)
"""


def peers_turn(scratch: Path, runs: int) -> Timing | str:
    """Load, 27 orders, process, save; or why it could not be measured."""
    python = cache_folder() / "bench-peer" / "bin" / "python"
    try:
        if not _works(python):
            subprocess.run(
                [sys.executable, "-m", "venv", "--clear", python.parents[1]], check=True, capture_output=True
            )
            install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PINNED]
            subprocess.run(install, check=True, capture_output=True, timeout=PATIENCE)
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines() or ["no reason was given"]
        return f"{PINNED} does not install here: {said[-1][:60]}"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{PINNED} does not install here: {type(error).__name__}"
    saved = scratch / "peer.json"
    once([str(python), "-c", PREPARE, str(saved)])
    return median(lambda: [str(python), "-c", TURN, str(saved)], runs)


def _works(python: Path) -> bool:
    if not python.is_file():
        return False
    return subprocess.run([python, "-c", "import diplomacy"], capture_output=True).returncode == 0
