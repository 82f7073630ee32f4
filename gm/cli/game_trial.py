"""``pbem games --check``: a game is begun on each of its maps, played, verified and reported of."""

import json
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from gm.core.values import BotFailed, Event, Record
from gm.game.spec import GameSpec
from gm.games import BrokenGameError, game_at_fault, game_spec
from gm.store.folder import LOG_FILE

TURNS = 3  # so many are played: from the second on, what was written of the first is read
BOT = "random"
CRASH = "The details are in "  # how a failure speaks of the file with an error of the program or of a game
LAST_STEPS = 3  # of the way to an error so many are shown
_TOLD = 1_200  # characters that are shown of what a command said when it failed


class Tried(Record):
    """One thing that was tried, and its problem; empty if it works."""

    what: str
    trouble: str = ""


def tried(name: str) -> Iterator[Tried]:
    """Try a game and yield each thing that was tried; steps that need a failed one are left out."""
    try:
        spec = game_spec(name)
    except BrokenGameError as error:
        yield Tried("it can be loaded", str(error))
        return
    yield Tried("it can be loaded")
    twice = sorted(event_name for event_name, count in Counter(_event_names(spec)).items() if count > 1)
    yield Tried(
        "each event has a name of its own", f"two classes are called {', '.join(twice)}" if twice else ""
    )
    with TemporaryDirectory(prefix="pbem-check-") as folder:
        for map_name in spec.maps():
            yield from _on_map(spec, map_name, Path(folder))


def _event_names(spec: GameSpec[Any]) -> Iterator[str]:
    """Yield the names of the event classes of the package that the game comes with."""
    package = type(spec).__module__.partition(".")[0]
    classes = list(Event.__subclasses__())
    while classes:
        kind = classes.pop()
        classes += kind.__subclasses__()
        if package != "gm" and kind.__module__.partition(".")[0] == package:
            yield kind.__name__


def _on_map(spec: GameSpec[Any], map_name: str, folder: Path) -> Iterator[Tried]:
    """Yield the trials of a game on one map, up to the first failure."""
    game = str(folder / map_name)
    bot = BOT if BOT in spec.bots else next(iter(spec.bots), "")
    begun = ("new", game, "--game", spec.key, "--map", map_name, "--seed", "check", "--bots", bot)
    steps: list[tuple[str, tuple[str, ...]]] = [
        (f"a game begins on {map_name}, with pages and templates", begun)
    ]
    steps += [
        (f"turn {turn} of it is played by {bot}", ("turn", "--game", game)) for turn in range(1, TURNS + 1)
    ]
    steps += [
        (
            "its turns are verified and come out the same when played again",
            ("verify", "--replay", "--game", game),
        ),
        ("its last turn is reported of again", ("report", "--bot-reports", "--game", game)),
        ("its map is drawn", ("map", "show", "--game", game, "--out", f"{game}.svg")),
    ]
    for what, words in steps:
        trouble = _trouble(words) or _bot_trouble(Path(game))
        yield Tried(what, trouble)
        if trouble:
            return


def _bot_trouble(game: Path) -> str:
    """Return why a bot of the game gave no orders in a turn; nothing if all gave some."""
    for log in sorted(game.glob(f"*/*/{LOG_FILE}")):
        for line in log.read_text("utf-8").splitlines():
            record = json.loads(line)
            if record.get("event") == BotFailed.__name__:
                return f"the bot {record['bot']} of {record['realm']} gave no orders: {record['why']}"
    return ""


def _told(error: click.ClickException) -> str:
    """Return the message of a failure, with the last frames of its traceback.

    They are shown because the crash file is removed with the trial's folder.
    """
    cause = error.__cause__
    message = error.format_message()
    if cause is None or CRASH not in message:
        return message
    fault = game_at_fault(cause)
    steps = "".join(traceback.format_exception(cause, limit=-LAST_STEPS)).strip()
    return f"an error in {fault}\n{steps}" if fault else steps


def _trouble(words: tuple[str, ...]) -> str:
    """Run a command of this program in this process; return its problem, empty if there is none."""
    from gm.cli.app import gm

    output = StringIO()
    try:
        with redirect_stdout(output), redirect_stderr(output):
            code = gm.main(list(words), prog_name="pbem", standalone_mode=False)
    except click.ClickException as error:
        return _told(error)
    except click.Abort:
        return "it was stopped"
    return output.getvalue().strip()[-_TOLD:] or f"exit code {code}" if code else ""
