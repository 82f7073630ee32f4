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
# what the environment of a command has besides the desk's own
SURROUNDINGS = {
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONUNBUFFERED": "1",
    LINES: "1",
}


class Running:
    """A command that runs in a process of its own.

    ``words``: its command line, without ``pbem``; ``folder``: the directory in which it runs; ``text``: its
    standard input; ``language``: the code of the language that it speaks.
    """

    def __init__(self, words: Sequence[str], folder: Path, text: str, language: str) -> None:
        """Start the command of these ``words`` in a folder; its output goes to a temporary file.

        ``text``: its standard input; ``language``: the code of the language that it speaks.
        """
        self._output_folder = tempfile.TemporaryDirectory(prefix="pbem-desk-", ignore_cleanup_errors=True)
        handle, self._output_path = tempfile.mkstemp(dir=self._output_folder.name)
        with tempfile.TemporaryFile() as standard_input:
            standard_input.write(text.encode())
            standard_input.seek(0)
            self._process = subprocess.Popen(  # noqa: S603 - a list of words, and the program's own
                [sys.executable, "-m", "gm", *words],
                stdin=standard_input,
                stdout=handle,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=os.environ | SURROUNDINGS | {VARIABLE: language},
                # Ctrl-C in the desk's terminal ends the desk, and no turn in the middle
                start_new_session=True,
            )
        os.close(handle)

    async def lines(self) -> AsyncIterator[str]:
        """Yield the command's output in pieces, as it writes it, without colours; then remove its file."""
        decoder = getincrementaldecoder("utf-8")("replace")
        with self._output_folder, Path(self._output_path).open("rb") as output:
            is_running = True
            while is_running:
                # asked before reading: what a process has written when it ends is read once more
                is_running = self._process.poll() is None
                text = decoder.decode(output.read(), final=not is_running)
                if text:
                    yield click.unstyle(text)
                elif is_running:
                    await asyncio.sleep(PAUSE)

    @property
    def is_done(self) -> bool:
        """Whether the command has ended, and went well."""
        return self._process.poll() == 0
