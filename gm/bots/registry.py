"""The bot of a name, as the players' list or the command line has it.

    conqueror                   the game's own, or an installed package's (entry points ``gm.bots``)
    my_package.players:Careful  a class or object in a module that Python can import
    program:python3 my_bot.py   a program that reads the position and writes orders (:mod:`gm.bots.program`)

Names come from the GM alone. A package's entry point is named ``game.name`` (``medieval.careful``), or just
``name`` for a bot that plays any game.
"""

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gm.core.diagnostics import did_you_mean, nearest, says, shown
from gm.game.bots import FindBot, bots_by_name
from gm.game.spec import GameSpec
from gm.game.values import Bot
from gm.store.settings import PROGRAM
from gm.store.trust import Command, require_confirmed

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "gm.bots"


def bots_of(spec: GameSpec[Any], folder: Path) -> FindBot:
    """Return a function that finds a bot of a game by its name. ``folder``: that of the game.

    It raises ``ValueError`` for an unknown bot, and ``UnconfirmedError`` for code or a program that an
    imported archive names and that nobody has confirmed.
    """
    return partial(bot_named, spec, folder=folder)


def bot_command(spec: GameSpec[Any], name: str) -> Command | None:
    """Return the command or module that a bot's name makes this machine run.

    None for an empty name, a bot of the game and an installed one: they run nothing that is new to the
    machine.
    """
    if (
        not name
        or name in bots_by_name(spec)
        or (not name.startswith(PROGRAM) and name in installed_bots(spec))
    ):
        return None
    does = says("runs a program") if name.startswith(PROGRAM) else says("loads code of a Python module")
    return Command("players.yaml", does, {"bot": name})


def bot_named(spec: GameSpec[Any], name: str, folder: Path | None = None) -> Bot:
    """Return the bot of this name.

    ``folder`` is that of the game whose files hold the name; None if the GM has just typed it. Raises
    ``ValueError`` for an unknown bot, or one that cannot be loaded; with a folder also ``UnconfirmedError``,
    for code or a program from an imported archive that nobody has confirmed.
    """
    if name in spec.bots:
        return spec.bots[name]
    if name in spec.thinkers:
        return spec.thinkers[name]
    if folder is not None:
        command = bot_command(spec, name)
        if command:
            require_confirmed(folder, command)
    if name.startswith(PROGRAM):
        from gm.bots.program import ProgramBot

        return ProgramBot(name.removeprefix(PROGRAM).strip(), spec)
    return _loaded(spec, name)


def _loaded(spec: GameSpec[Any], name: str) -> Bot:
    """Return an installed bot, or the bot in ``module:Class``; a class is called without arguments.

    Raises ``ValueError`` if there is none, or it cannot be loaded.
    """
    installed = installed_bots(spec)
    module, _, attribute = name.partition(":")
    if name not in installed and not (module and attribute):
        known_names = (*bots_by_name(spec), *installed)
        hint = did_you_mean(nearest(name, known_names)) or says(
            "there are {0}, module:Class and program:COMMAND", ", ".join(known_names)
        )
        raise ValueError(says("no bot is called {0}: {1}", shown(name), hint))
    try:
        if name in installed:
            bot_or_class = installed[name].load()
        else:
            bot_or_class = attrgetter(attribute)(import_module(module))
        bot = bot_or_class() if isinstance(bot_or_class, type) else bot_or_class
    except Exception as error:
        raise ValueError(
            says("the bot {0} cannot be loaded: {1}: {2}", shown(name), type(error).__name__, error)
        ) from error
    if not callable(getattr(bot, "orders", None)):
        raise ValueError(says("{0} is not a bot: it has no function 'orders'", shown(name)))
    return cast("Bot", bot)


def installed_bots(spec: GameSpec[Any]) -> "Mapping[str, EntryPoint]":
    """Return the bots of other packages that can play the game, by the names that commands use for them.

    A package calls its bot ``GAME.NAME``, or ``NAME`` alone if it can play any game. If several have one
    name, the first by the alphabet counts.
    """
    from importlib.metadata import entry_points

    entry_points_by_name: dict[str, EntryPoint] = {}
    for entry_point in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry_point: entry_point.name):
        game, dot, name = entry_point.name.rpartition(".")
        if not dot or game == spec.key:
            entry_points_by_name.setdefault(name, entry_point)
    return entry_points_by_name
