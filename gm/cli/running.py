"""A running command of the desk: a process of its own, whose lines are read while it writes them.

It writes into a file. So it goes on to its end when the page, or the desk itself, is gone.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import click

from gm.cli.speech import VARIABLE
from gm.cli.working import LINES

PAUSE = 0.05  # seconds between two looks at what a command has written
SURROUNDINGS = {
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONUNBUFFERED": "1",
    LINES: "1",
}


class Running:
    """A command that was started in a folder. ``text``: its standard input; ``language``: what it speaks."""

    def __init__(self, words: Sequence[str], folder: Path, text: str, language: str) -> None:
        """Start the command; its output goes to a temporary file."""
        self._kept = tempfile.TemporaryDirectory(prefix="pbem-desk-", ignore_cleanup_errors=True)
        handle, self._lines = tempfile.mkstemp(dir=self._kept.name)
        with tempfile.TemporaryFile() as typed:
            typed.write(text.encode())
            typed.seek(0)
            self._process = subprocess.Popen(  # noqa: S603 - a list of words, and the program's own
                [sys.executable, "-m", "gm", *words],
                stdin=typed,
                stdout=handle,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=os.environ | SURROUNDINGS | {VARIABLE: language},
                # Ctrl-C in the desk's terminal ends the desk, and no turn in the middle
                start_new_session=True,
            )
        os.close(handle)

    async def lines(self) -> AsyncIterator[str]:
        """Yield what the command writes until it ends."""
        decoder = getincrementaldecoder("utf-8")("replace")
        with self._kept, Path(self._lines).open("rb") as lines:
            running = True
            while running:
                running = self._process.poll() is None
                text = decoder.decode(lines.read(), final=not running)
                if text:
                    yield click.unstyle(text)
                elif running:
                    await asyncio.sleep(PAUSE)

    @property
    def is_done(self) -> bool:
        """Whether the command has ended, and went well."""
        return self._process.poll() == 0
