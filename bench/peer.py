"""Times the Python peer on the same machine: a turn of ``diplomacy`` as a whole process, beside ours.

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
    """Return the timing of the peer's turn (load, 27 orders, process, save), or why there is none."""
    python = cache_folder() / "bench-peer" / "bin" / "python"
    try:
        if not _works(python):
            _install(python)
    except subprocess.CalledProcessError as error:
        lines = error.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[-1] if lines else "no reason was given"
        return f"{PINNED} does not install here: {reason[:60]}"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{PINNED} does not install here: {type(error).__name__}"
    saved = scratch / "peer.json"
    once([str(python), "-c", PREPARE, str(saved)])
    return median(lambda: [str(python), "-c", TURN, str(saved)], runs)


def _install(python: Path) -> None:
    """Make the environment of a Python that stands in its ``bin``, and install the peer there.

    Raises ``CalledProcessError``, ``OSError`` or ``TimeoutExpired``.
    """
    environment = [sys.executable, "-m", "venv", "--clear", str(python.parents[1])]
    subprocess.run(environment, check=True, capture_output=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PINNED]
    subprocess.run(install, check=True, capture_output=True, timeout=PATIENCE)


def _works(python: Path) -> bool:
    """Return whether an environment's Python is there and has the peer."""
    if not python.is_file():
        return False
    trial = subprocess.run([python, "-c", "import diplomacy"], capture_output=True)
    return trial.returncode == 0
