"""The games that this program can play, by name: its own, and those of other installed packages.

A package brings a game by an entry point of the group ``gm.games``, whose name is the game's and whose value
is the module with its ``SPEC``: ``diplomacy = "gm_diplomacy.spec"``. What the game is besides code is in the
folders ``rules``, ``maps``, ``templates`` and ``examples`` of that package, as in this project. A game is
imported when it is asked for; packages are looked through for a name that is none of the program's own games.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from gm.core.diagnostics import did_you_mean, nearest, says
from gm.resources import add_root

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from gm.game.spec import GameSpec

ENTRY_POINTS = "gm.games"
GAMES = {
    "medieval": "gm.games.medieval.spec",
    "conquest-structures": "gm.games.conquest_structures.spec",
    "conquest-fields": "gm.games.conquest_fields.spec",
    "conquestination": "gm.games.conquestination.spec",
    "conqueror": "gm.games.conqueror.spec",
}
"""The games that come with the program: a game's name and the module whose ``SPEC`` describes it."""


LOADED: list[str] = []
"""The games of other packages that were loaded in this process."""


class BrokenGameError(Exception):
    """The game of another package cannot be loaded."""


@cache
def installed_games() -> "dict[str, EntryPoint]":
    """Return the games of other packages, by name, without any that has the name of one of ours."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=ENTRY_POINTS), key=lambda each: (each.name, each.value))
    return {each.name: each for each in reversed(found) if each.name not in GAMES}


def known_games() -> Iterator[str]:
    """Yield the names of all games, ours first; a search that ends among ours loads no other package."""
    yield from GAMES
    yield from sorted(installed_games())


def why_unknown(name: str) -> str:
    """Return the message about an unknown game; empty for a known one."""
    if name in GAMES or name in installed_games():
        return ""
    games = [*known_games()]
    near = nearest(name, games)
    if near is None:  # one word of a name of several
        word = nearest(name, dict.fromkeys(word for game in games for word in game.split("-")))
        alike = [game for game in games if word in game.split("-")]
        near = "' or '".join(alike) or None
    hint = did_you_mean(near) or says("there is {0}", ", ".join(games))
    return says("no game is called {0!r}; {1}", name, hint)


def game_module(name: str) -> str:
    """Return the module that describes the game of this name. Raises ``KeyError`` when there is none."""
    return GAMES[name] if name in GAMES else installed_games()[name].module


@cache
def game_spec(name: str) -> "GameSpec[Any]":
    """Return the game of this name.

    Raises ``KeyError`` when there is none, ``BrokenGameError`` for one of another package that cannot be
    loaded.
    """
    module = game_module(name)
    if name in GAMES:
        return _spec_in(module)
    try:
        spec = _spec_in(module)
        add_root(Path(str(import_module(module.partition(".")[0]).__file__)).parent)
    except Exception as error:
        label = f"the game {name!r} of the package {package_of(name)}"
        raise BrokenGameError(f"{label} cannot be loaded: {type(error).__name__}: {error}") from error
    if name not in GAMES:
        LOADED.append(name)
    if spec.key != name:
        raise BrokenGameError(
            f"the game {name!r} calls itself {spec.key!r}: its entry point must have that name"
        )
    return spec


def package_of(name: str) -> str:
    """Return the package that a game of this name comes with, and its version; empty for one of ours."""
    package = None if name in GAMES else installed_games()[name].dist
    return f"{package.name} {package.version}" if package else ""


def game_at_fault(error: BaseException) -> str:
    """Return the game of another package in which an error arose, and the place in it.

    Empty if none of its code ran.
    """
    packages = {game_module(name).partition(".")[0]: name for name in LOADED}
    game_name = ""
    for frame, line in walk_tb(error.__traceback__):
        module = str(frame.f_globals.get("__name__", ""))
        name = packages.get(module.partition(".")[0])
        if name is not None:
            place = f"{module}, line {line}, in {frame.f_code.co_name}"
            game_name = f"the game {name!r} of the package {package_of(name)} ({place})"
    return game_name


def _spec_in(module: str) -> "GameSpec[Any]":
    spec: GameSpec[Any] = import_module(module).SPEC
    return spec
