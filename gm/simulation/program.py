"""The fingerprint of the code and the rules that a simulated game depends on."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from pathlib import Path

import gm
from gm.games import GAMES
from gm.resources import resource


@cache
def program_mark(game: str) -> str:
    """Of every file of the core, the game, its rules and the playing of games: equal marks play equal games.

    Raises ``KeyError`` for a game that is not there.
    """
    package = Path(str(gm.__file__)).parent
    own = Path(str(import_module(GAMES[game]).__file__)).parent
    shared = (package / each for each in ("core", "text", "game", "campaign"))
    folders = (*shared, own, package / "simulation", resource("rules") / game)
    made = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".yaml", ".json")):
            made.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0".encode())
            made.update(hashlib.sha256(path.read_bytes()).digest())
    return made.hexdigest()[:16]
