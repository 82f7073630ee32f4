"""``--game-name``: for which game a map is that is named without a game's folder. Mostly the map itself says it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gm.games import GAMES, game_spec

if TYPE_CHECKING:
    from gm.game.spec import GameSpec

F = TypeVar("F", bound=Callable[..., Any])


def game_name_option(function: F) -> F:
    """The option; its value is none unless it was said."""
    about = f"For which game the map is, if its name does not say it: {', '.join(GAMES)}."
    return click.option("--game-name", "game_name", metavar="GAME", help=about)(function)


def game_with_map(map_name: str | None, game_name: str | None) -> GameSpec[Any]:
    """The game that was said, else the one with a map of this name, else the first.

    Raises ``click.BadParameter`` for a game that there is not.
    """
    if game_name is not None and game_name not in GAMES:
        there = f"there is {', '.join(GAMES)}"
        raise click.BadParameter(f"no game is called {game_name!r}; {there}", param_hint="'--game-name'")
    return game_spec(game_name or (map_name and home_of(map_name)) or next(iter(GAMES)))


def home_of(map_name: str) -> str | None:
    """The game of whose maps one has this name, or lies at this path."""
    for key in GAMES:
        maps = game_spec(key).maps()
        path = Path(map_name).resolve()
        if map_name in maps or any(path in (folder, folder / "map.yaml") for folder in maps.values()):
            return key
    return None
