"""``pbem desk``: the game master's week in the browser."""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import sys
import tempfile
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.cli.check import context_of
from gm.cli.options import argument, folder_or_default, gm_command, option
from gm.cli.output import Failure, as_failure, translated
from gm.cli.receive import take_in
from gm.cli.serving import serve
from gm.cli.session import game_time, open_campaign
from gm.cli.several import figures_of, games_below
from gm.cli.speech import VARIABLE, speaking, why_not_spoken
from gm.cli.status import status_data
from gm.cli.working import LINES
from gm.core.diagnostics import says
from gm.store.folder import GameFolder

if TYPE_CHECKING:
    from gm.campaign.receive import Submission
    from gm.desk.page import Lent


@gm_command("desk", document=True)
def command(
    folder: Annotated[Path | None, argument(required=False, type=click.Path(path_type=Path, exists=True))],
    port: Annotated[int | None, option("--port", type=click.IntRange(1024, 65535), metavar="N")],
    language: str | None,
    *,
    no_browser: bool,
) -> None:
    """Run the week of your games in your browser."""
    if not (find_spec("uvicorn") and find_spec("starlette") and find_spec("python_multipart")):
        raise Failure(says("'pbem desk' needs the extra 'play': pip install 'pbem-gm[play]'."))
    from gm.desk.server import Desk, application

    why_not = why_not_spoken(language) if language is not None else ""
    if why_not:
        raise click.BadParameter(why_not, param_hint="'--language'")
    root = folder_or_default(folder).resolve()
    games = games_below(root)
    if not games:  # the folder is one of a game, or inside one
        root = GameFolder.find(root).path
    place = root if games else root.parent  # the directory in which the desk runs its commands
    desk = Desk(lent_to(root), place, language or "")
    serve(root, partial(application, desk), port, browser=not no_browser, what="desk")


def lent_to(root: Path) -> Lent:
    """Return the functions of the commands that the desk uses, for a folder of games or for one game."""
    from gm.desk.page import Lent

    return Lent(
        games=lambda: {path.name: path for path in games_below(root) or [root]},
        overview=overview,
        game=lambda path: open_campaign(path, drawings=False),
        moment=lambda campaign: game_time(campaign, None),
        secret=lambda: secrets.token_hex(8),
        status=status_data,
        context=context_of,
        receive=lambda folder, offers, late, code: received(folder, offers, code, take_late=late),
        run=Running,
        in_words=in_words,
    )


def overview(folder: Path, language: str) -> Mapping[str, Any]:
    """Return a game's line in the list of games, as ``pbem status`` prints it: the values by column.

    ``language``: the code of the language of the words.
    """
    with speaking(language):
        return figures_of(folder, None)


def received(
    folder: Path, offers: Sequence[Submission], language: str, *, take_late: bool
) -> tuple[str, bool]:
    """Receive the order files ``offers``; return (the outcomes in words, whether all were accepted).

    ``language``: the code of the language of the words; ``take_late``: accept files after the deadline, too.
    """
    with speaking(language):
        reception = take_in(folder, lambda: offers, None, take_late=take_late)
        return click.unstyle(reception.text()), not reception.is_refused


def in_words(error: Exception, language: str) -> str:
    """Return the message of an error in a language, without colours."""
    with speaking(language):
        failure = error if isinstance(error, click.ClickException) else as_failure(error)
        return click.unstyle(translated(failure).format_message())


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
