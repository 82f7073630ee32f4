"""A bot that is a program: it reads a JSON document from standard input and writes its order file.

Each turn the command is started once, without a shell, with

    {"format": 1, "game": id, "plays": game, "realm": code, "turn": n, "key": words, "seed": text,
     "position": {...}, "private": {...}, "map": {...}, "rules": {...}, "talk": {...}}

It ends by itself within the time limit, with exit status 0. What it writes is an ordinary order file; nothing
that it does can stop the turn.
"""

import json
import os
import signal
import subprocess
import threading
from contextlib import suppress
from typing import IO, Any

from gm.core.codec import to_plain
from gm.core.diagnostics import says
from gm.core.values import Record
from gm.game.bots import BotError
from gm.game.spec import GameSpec
from gm.game.values import View
from gm.store.settings import PROGRAM
from gm.store.trust import words_of

# The version of the document: it rises when something in it changes its meaning, not when entries come
FORMAT = 1
SECONDS = 20.0  # how long a program may take for a turn
ANSWER_LIMIT = 1024 * 1024  # bytes that an answer may have: far more than any order file
_COMPLAINT_LIMIT = 64 * 1024  # bytes of its standard error output that are read
_GRACE = 2.0  # seconds for the pipes to run dry once the program has ended


class ProgramBot(Record):
    """A bot that runs ``command``, written as in a shell, for each of its turns.

    ``seconds``: how long it may take for a turn.
    """

    command: str
    spec: GameSpec[Any]
    seconds: float = SECONDS

    @property
    def name(self) -> str:
        return f"{PROGRAM}{self.command}"

    @property
    def about(self) -> str:
        return says("The program '{0}' plays.", self.command)

    def orders(self, view: View) -> bytes:
        """Return the program's order file.

        Raises ``BotError`` if it cannot start, takes too long, fails or writes nothing.
        """
        document = json.dumps(document_of(self.spec, view), ensure_ascii=False).encode()
        return answer_of(self.command, document, self.seconds)


def document_of(spec: GameSpec[Any], view: View) -> dict[str, Any]:
    """Return the input of a bot's program, as plain data.

    ``turn`` is the number that its order file must quote.
    """
    common = {"realm": view.realm, "turn": spec.quoted(view.state), "key": view.key, "seed": view.seed}
    position = to_plain(spec.program_view(view.table, view.state, view.realm))
    talk = {"talk": to_plain(view.talk)} if spec.recall else {}
    return {"format": FORMAT, "game": view.game, "plays": spec.key, **common, **position, **talk}


def _start(command: str) -> subprocess.Popen[bytes]:
    """Start a command without a shell, with pipes for its input, output and errors; return its process.

    Raises ``BotError`` if it cannot be parsed or started.
    """
    try:
        words = words_of(command)
    except ValueError as error:
        raise BotError(says("the command {0!r} cannot be understood: {1}", command, error)) from None
    if not words:
        raise BotError(says("there is no command after 'program:'"))
    pipe = subprocess.PIPE
    try:
        # in a session of its own, so that ``_end`` can end all processes that it starts
        return subprocess.Popen(  # noqa: S603 - the GM's own command, and no shell
            words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
    except OSError as error:
        raise BotError(
            says("the program {0!r} cannot be started: {1}", words[0], error.strerror or error)
        ) from None


def answer_of(command: str, document: bytes, seconds: float) -> bytes:
    """Run a command with a document as its input and return its output.

    Raises ``BotError`` if it cannot start, takes more than ``seconds``, fails, or writes nothing or too much.
    """
    process = _start(command)
    assert process.stdin and process.stdout and process.stderr  # noqa: S101, PT018 - asked for above
    # by a pipe and not by a file: it holds a key and a realm's secrets, and the disk may be full
    writer = threading.Thread(target=_feed, args=(process.stdin, document), daemon=True)
    writer.start()
    answer = _Reader(process.stdout, ANSWER_LIMIT, process)
    complaint = _Reader(process.stderr, _COMPLAINT_LIMIT)
    try:
        status = process.wait(seconds)
    except subprocess.TimeoutExpired:
        raise BotError(says("it gave no answer within {0:g} seconds", seconds)) from None
    finally:
        # even if the program has ended: it may have left processes behind, and none outlives its turn
        _end(process)
        for thread in (answer, complaint, writer):
            thread.join(_GRACE)
    if answer.too_much:
        raise BotError(says("its answer is longer than {0} bytes", ANSWER_LIMIT))
    if status != 0:
        raise BotError(says("it ended with exit status {0}{1}", status, complaint.last_line()))
    if not answer.data.strip():
        raise BotError(says("it wrote nothing{0}", complaint.last_line()))
    return bytes(answer.data)


class _Reader(threading.Thread):
    """Reads a pipe to its end, in a thread that starts at once.

    It stores the first ``limit`` bytes in ``data``. When there are more, it ends ``process`` if one is given,
    and sets ``too_much``; else it goes on reading.
    """

    def __init__(self, pipe: IO[bytes], limit: int, process: subprocess.Popen[bytes] | None = None) -> None:
        """Start to read a pipe; a ``process`` that writes more than ``limit`` bytes into it is ended."""
        super().__init__(daemon=True)
        self.data = bytearray()
        self.too_much = False
        self._pipe = pipe
        self._limit = limit
        self._process = process
        self.start()

    def run(self) -> None:
        """Read the pipe to its end, or until the process is ended for writing too much."""
        with suppress(OSError, ValueError), self._pipe:
            while chunk := os.read(self._pipe.fileno(), 65536):
                room = self._limit - len(self.data)
                self.data += chunk[:room]
                if len(chunk) > room and self._process is not None:
                    self.too_much = True
                    _end(self._process)
                    return

    def last_line(self) -> str:
        """Return a colon and the last line that the program wrote; empty if it wrote nothing."""
        last_line = bytes(self.data).decode("utf-8", "replace").strip().split("\n")[-1].strip()
        return f": {last_line}" if last_line else ""


def _feed(pipe: IO[bytes], document: bytes) -> None:
    """Write a document into a pipe and close it; a program need not read it to its end."""
    with suppress(OSError, ValueError), pipe:
        pipe.write(document)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End all processes that a program started, and the program if it still runs; then wait for its end.

    On Windows only the program is ended.
    """
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # Windows
            process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
