"""From a bot's name, as the players' list or the command line has it, to the bot.

    conqueror                     one that comes with the game, or with an installed package (entry points ``gm.bots``)
    my_package.players:Careful    a class or object in a module that Python can import
    program:python3 my_bot.py     any program that reads the position and writes orders

Names come from the GM alone. A package's entry point is named ``game.name`` (``medieval.careful``), or just ``name``
for a bot that plays any game. A program is started once each turn, without a shell, and reads one JSON document:

    {"format": 1, "game": id, "plays": game, "realm": code, "turn": n, "key": words, "seed": text,
     "position": {...}, "private": {...}, "map": {...}, "rules": {...}}

It ends by itself within the time limit, with exit status 0, and what it writes is an ordinary order file; nothing that
it does can stop the turn.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gm.core.codec import to_plain
from gm.core.diagnostics import did_you_mean, nearest, shown
from gm.core.values import Record
from gm.game.bots import BotError, FindBot
from gm.game.spec import GameSpec
from gm.game.values import Bot, View
from gm.store.settings import PROGRAM
from gm.store.trust import Command, require_confirmed

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "gm.bots"


def bots_of(spec: GameSpec[Any], folder: Path) -> FindBot:
    """What finds the bots of a folder's game by name; it raises ``UnconfirmedError`` for an archive's, unconfirmed."""
    return partial(bot_named, spec, folder=folder)


def bot_command(spec: GameSpec[Any], name: str) -> Command | None:
    """What a bot's name makes this machine run; none for a bot of the game's own or of an installed package."""
    if not name or name in spec.bots or (not name.startswith(PROGRAM) and name in installed_bots(spec)):
        return None
    does = "runs a program" if name.startswith(PROGRAM) else "loads code of a Python module"
    return Command("players.yaml", does, {"bot": name})


def bot_named(spec: GameSpec[Any], name: str, folder: Path | None = None) -> Bot:
    """The bot of this name; ``folder``: of the game in whose files the name stands, none: the GM has just typed it.
    Raises ``ValueError`` for one that there is not, or that cannot be loaded."""
    if name in spec.bots:
        return spec.bots[name]
    if folder is not None and (command := bot_command(spec, name)):
        require_confirmed(folder, command)
    if name.startswith(PROGRAM):
        return ProgramBot(name.removeprefix(PROGRAM).strip(), spec)
    installed = installed_bots(spec)
    module, _, attribute = name.partition(":")
    if name not in installed and not (module and attribute):
        known = (*spec.bots, *installed)
        hint = did_you_mean(nearest(name, known)) or f"there are {', '.join(known)}, module:Class and program:COMMAND"
        raise ValueError(f"no bot is called {shown(name)}: {hint}")
    try:
        found = installed[name].load() if name in installed else attrgetter(attribute)(import_module(module))
        made = found() if isinstance(found, type) else found
    except Exception as error:
        raise ValueError(f"the bot {shown(name)} cannot be loaded: {type(error).__name__}: {error}") from error
    if not callable(getattr(made, "orders", None)):
        raise ValueError(f"{shown(name)} is no bot: it has no function 'orders'")
    bot: Bot = made
    return bot


def installed_bots(spec: GameSpec[Any]) -> Mapping[str, EntryPoint]:
    """The bots of other packages that can play the game, by the name by which they are called here."""
    from importlib.metadata import entry_points

    found: dict[str, EntryPoint] = {}
    for each in sorted(entry_points(group=ENTRY_POINTS), key=lambda each: each.name):
        game, dot, name = each.name.rpartition(".")
        if not dot or game == spec.key:
            found.setdefault(name, each)
    return found


# -- programs ----------------------------------------------------------------------------------------------------------

FORMAT = 1
"""The version of the document. It rises when something in it changes its meaning; entries may be added at any time."""
SECONDS = 20.0  # how long a program may take for a turn
ANSWER_LIMIT = 1024 * 1024  # bytes that an answer may have: far more than any order file
_COMPLAINT_LIMIT = 64 * 1024
_GRACE = 2.0  # seconds for the pipes to run dry once the program has ended


class ProgramBot(Record):
    """``command`` as it is typed in a shell; its first word is looked up as a shell would."""

    command: str
    spec: GameSpec[Any]
    seconds: float = SECONDS

    @property
    def name(self) -> str:
        return f"{PROGRAM}{self.command}"

    @property
    def about(self) -> str:
        return f"The program '{self.command}' plays."

    def orders(self, view: View) -> bytes:
        """Its answer. Raises ``BotError`` when it cannot be started, takes too long, fails, or says nothing."""
        document = json.dumps(document_of(self.spec, view), ensure_ascii=False).encode()
        return answer_of(self.command, document, self.seconds)


def document_of(spec: GameSpec[Any], view: View) -> dict[str, Any]:
    """What the program is told, as plain data."""
    common = {name: getattr(view, name) for name in ("realm", "turn", "key", "seed")}
    seen = to_plain(spec.program_view(view.table, view.state, view.realm))
    return {"format": FORMAT, "game": view.game, "plays": spec.key, **common, **seen}


def answer_of(command: str, document: bytes, seconds: float) -> bytes:
    """Run a command with a document as its input; what it writes. Raises ``BotError``, see :class:`ProgramBot`."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotError(f"the command {command!r} cannot be understood: {error}") from None
    if not words:
        raise BotError("there is no command after 'program:'")
    pipe = subprocess.PIPE
    try:
        # a file, not a pipe: a program that does not read to the end is within its rights
        with tempfile.TemporaryFile() as given:
            given.write(document)
            given.seek(0)
            process = subprocess.Popen(  # noqa: S603 - the GM's own command, and no shell
                words, stdin=given, stdout=pipe, stderr=pipe, start_new_session=True
            )
    except OSError as error:
        raise BotError(f"the program {words[0]!r} cannot be started: {error.strerror or error}") from None
    assert process.stdout and process.stderr  # noqa: S101, PT018 - asked for above
    answer, complaint = _Reader(process.stdout, ANSWER_LIMIT, process), _Reader(process.stderr, _COMPLAINT_LIMIT)
    try:
        status = process.wait(seconds)
    except subprocess.TimeoutExpired:
        raise BotError(f"it gave no answer within {seconds:g} seconds") from None
    finally:
        # also what it has started and left behind: nothing of a bot outlives its turn
        _end(process)
        answer.join(_GRACE)
        complaint.join(_GRACE)
    if answer.too_much:
        raise BotError(f"its answer is longer than {ANSWER_LIMIT} bytes")
    if status != 0:
        raise BotError(f"it ended with exit status {status}{complaint.last_line()}")
    if not answer.data.strip():
        raise BotError(f"it wrote nothing{complaint.last_line()}")
    return bytes(answer.data)


class _Reader(threading.Thread):
    """Reads a pipe to its end, and keeps so much of it; ``process`` is ended when there is more. It starts at once."""

    def __init__(self, pipe: IO[bytes], limit: int, process: subprocess.Popen[bytes] | None = None) -> None:
        super().__init__(daemon=True)
        self.data, self.too_much = bytearray(), False
        self._pipe, self._limit, self._process = pipe, limit, process
        self.start()

    def run(self) -> None:
        with suppress(OSError, ValueError), self._pipe:
            while chunk := os.read(self._pipe.fileno(), 65536):
                room = self._limit - len(self.data)
                self.data += chunk[:room]
                if len(chunk) > room and self._process is not None:
                    self.too_much = True
                    _end(self._process)
                    return

    def last_line(self) -> str:
        """The last thing that it said, behind a colon; empty when it said nothing."""
        last_line = bytes(self.data).decode("utf-8", "replace").strip().split("\n")[-1].strip()
        return f": {last_line}" if last_line else ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program and its children; one that has ended already stays ended."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
