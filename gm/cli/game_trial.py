"""``pbem games --check``: on each of a game's maps, a game is begun, played, verified and reported on."""

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

TURNS = 3  # how many turns are played: each but the first reads what the one before it wrote
BOT = "random"
CRASH = "The details are in "  # how a failure speaks of the file with an error of the program or of a game
LAST_STEPS = 3  # how many frames of a traceback are shown, the last ones
_OUTPUT_LIMIT = 1_200  # how many characters of a failed command's output are shown, the last ones


class Tried(Record):
    """One thing about a game that was tried."""

    what: str  # in words: "its map is drawn"
    trouble: str = ""  # its problem, in words; empty if it works


def tried(name: str) -> Iterator[Tried]:
    """Try the game with this key, and yield each thing that was tried.

    After one that failed, those that need it are left out.
    """
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
    """Yield the names of the event classes in a game's package; none for the games of pbem itself."""
    package = type(spec).__module__.partition(".")[0]
    classes = list(Event.__subclasses__())
    while classes:
        event_class = classes.pop()
        classes += event_class.__subclasses__()
        if package != "gm" and event_class.__module__.partition(".")[0] == package:
            yield event_class.__name__


def _on_map(spec: GameSpec[Any], map_name: str, folder: Path) -> Iterator[Tried]:
    """Try a game on one map, in ``folder``; yield what was tried, up to the first failure."""
    game = str(folder / map_name)
    bot = BOT if BOT in spec.bots else next(iter(spec.bots), "")
    new_words = ("new", game, "--game", spec.key, "--map", map_name, "--seed", "check", "--bots", bot)
    # (what is tried, in words; the command line)
    steps: list[tuple[str, tuple[str, ...]]] = [
        (f"a game begins on {map_name}, with pages and templates", new_words)
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
    """Return why a bot gave no orders in a turn of the game in a folder; empty if all bots did."""
    for log in sorted(game.glob(f"*/*/{LOG_FILE}")):
        for line in log.read_text("utf-8").splitlines():
            record = json.loads(line)
            if record.get("event") == BotFailed.__name__:
                return f"the bot {record['bot']} of {record['realm']} gave no orders: {record['why']}"
    return ""


def _failure_text(error: click.ClickException) -> str:
    """Return the message of a failure; for an error of the program or the game, the end of its traceback.

    The file with the whole traceback, which the message names, is removed with the trial's folder.
    """
    cause = error.__cause__
    message = error.format_message()
    if cause is None or CRASH not in message:
        return message
    fault = game_at_fault(cause)
    frames = "".join(traceback.format_exception(cause, limit=-LAST_STEPS)).strip()
    return f"an error in {fault}\n{frames}" if fault else frames


def _trouble(words: tuple[str, ...]) -> str:
    """Run a command of this program in this process; return its problem, empty if there is none."""
    from gm.cli.app import gm

    output = StringIO()
    try:
        with redirect_stdout(output), redirect_stderr(output):
            code = gm.main(list(words), prog_name="pbem", standalone_mode=False)
    except click.ClickException as error:
        return _failure_text(error)
    except click.Abort:
        return "it was stopped"
    if not code:
        return ""
    return output.getvalue().strip()[-_OUTPUT_LIMIT:] or f"exit code {code}"
