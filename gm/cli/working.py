"""The display of a command that takes long: a bar, or the step of the turn that is being played."""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

import click

from gm.cli.speech import translate, worded
from gm.core.diagnostics import says

T = TypeVar("T")
PATIENCE = 0.7  # seconds of work before progress is shown
LINES = "GM_PROGRESS"  # the variable of the environment that asks for lines of progress


def in_turn(items: Iterable[T], what: str, length: int | None = None) -> Iterator[T]:
    """Yield these items, with a progress bar on the terminal when they take long.

    ``length``: their number, if they do not know it themselves; without any, the bar counts.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    bar = click.progressbar(items, length, what, show_pos=True, file=sys.stderr)
    began = time.monotonic()
    behind = 0
    is_shown = False
    try:
        for item in items:
            yield item
            behind += 1
            if time.monotonic() - began > PATIENCE:
                bar.update(behind)
                behind = 0
                is_shown = True
    finally:
        if is_shown:
            # an empty line, and the cursor again
            click.echo("\r\x1b[2K\x1b[?25h", err=True, nl=False, color=True)


class TurnProgress:
    """Shows on a terminal, and only when the turn takes long, which event is being played.

    Elsewhere it writes a line for each, if the environment asks for it.
    """

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self.wanted = self._terminal or LINES in os.environ
        self._started = time.monotonic()
        self._shown = False

    def show(self, stage: str, phase: int, title: str) -> None:
        """Print the present step of a turn that takes long."""
        if time.monotonic() - self._started > PATIENCE:
            self._shown = True
            where = [worded(says("phase {0}", phase))] if phase else []
            line = f"{': '.join((translate(stage), *where, translate(title)))} ..."
            if self._terminal:
                click.echo(f"\r\x1b[2K{line}", err=True, nl=False, color=True)
            else:
                click.echo(line, err=True)

    def end(self) -> None:
        if self._shown and self._terminal:
            click.echo("\r\x1b[2K", err=True, nl=False, color=True)
        self._shown = False
