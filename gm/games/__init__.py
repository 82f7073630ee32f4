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
"""The names of the games of other packages that were loaded in this process."""


class BrokenGameError(Exception):
    """The game of another package cannot be loaded."""


@cache
def installed_games() -> "dict[str, EntryPoint]":
    """Return the entry points of other packages' games, by name, without those named like a game of ours."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=ENTRY_POINTS), key=lambda each: (each.name, each.value))
    # reversed: of two games with one name, the first in this order is the last here and replaces the other
    return {each.name: each for each in reversed(found) if each.name not in GAMES}


def known_games() -> Iterator[str]:
    """Yield the names of all games, ours first.

    Other packages are looked for only when the caller reads on after ours.
    """
    yield from GAMES
    yield from sorted(installed_games())


def why_unknown(name: str) -> str:
    """Return the message about an unknown game; empty for a known one."""
    if name in GAMES or name in installed_games():
        return ""
    games = [*known_games()]
    near = nearest(name, games)
    if near is None:  # perhaps it is only one word of a game's name
        words = dict.fromkeys(word for game in games for word in game.split("-"))
        nearest_word = nearest(name, words)
        similar_games = [game for game in games if nearest_word in game.split("-")]
        # the question puts quotation marks around it
        near = "' or '".join(similar_games) or None
    hint = did_you_mean(near) or says("there is {0}", ", ".join(games))
    return says("no game is called {0!r}; {1}", name, hint)


def game_module(name: str) -> str:
    """Return the name of the module that describes a game. Raises ``KeyError`` for an unknown game."""
    return GAMES[name] if name in GAMES else installed_games()[name].module


@cache
def game_spec(name: str) -> "GameSpec[Any]":
    """Return the game of this name.

    Raises ``KeyError`` for an unknown game, ``BrokenGameError`` for a game of another package that cannot be
    loaded or calls itself by another name.
    """
    module = game_module(name)
    if name in GAMES:
        return _spec_in(module)
    try:
        spec = _spec_in(module)
        # its rules and templates are in its own package
        add_root(Path(str(import_module(module.partition(".")[0]).__file__)).parent)
    except Exception as error:
        label = f"the game {name!r} of the package {package_of(name)}"
        raise BrokenGameError(f"{label} cannot be loaded: {type(error).__name__}: {error}") from error
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
    """Return in words the game of another package whose code was at work when an error arose, and where.

    Empty if none was.
    """
    packages = {game_module(name).partition(".")[0]: name for name in LOADED}
    words = ""  # about the innermost frame that belongs to such a game
    for frame, line in walk_tb(error.__traceback__):
        module = str(frame.f_globals.get("__name__", ""))
        name = packages.get(module.partition(".")[0])
        if name is not None:
            place = f"{module}, line {line}, in {frame.f_code.co_name}"
            words = f"the game {name!r} of the package {package_of(name)} ({place})"
    return words


def _spec_in(module: str) -> "GameSpec[Any]":
    """Return the ``SPEC`` of the module of this name."""
    spec: GameSpec[Any] = import_module(module).SPEC
    return spec
