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

    ``what``: the bar's label; ``length``: the number of items if they have no ``len``. If neither is known,
    the bar only counts.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    bar = click.progressbar(items, length, what, show_pos=True, file=sys.stderr)
    began = time.monotonic()
    not_counted = 0  # items that the bar does not count yet
    is_shown = False
    try:
        for item in items:
            yield item
            not_counted += 1
            if time.monotonic() - began > PATIENCE:
                bar.update(not_counted)
                not_counted = 0
                is_shown = True
    finally:
        if is_shown:
            # clear the bar's line, and show the cursor, which click has hidden
            click.echo("\r\x1b[2K\x1b[?25h", err=True, nl=False, color=True)


class TurnProgress:
    """Shows on a terminal which step of a turn is being played, once the turn takes long.

    Elsewhere it writes a line for each step, if the environment asks for it. ``wanted``: whether it shows
    anything at all.
    """

    def __init__(self) -> None:
        self._on_terminal = sys.stderr.isatty()
        self.wanted = self._on_terminal or LINES in os.environ
        self._started = time.monotonic()
        self._is_shown = False  # whether the last step is on the terminal

    def show(self, stage: str, phase: int, title: str) -> None:
        """Print the step that is being played, once the turn takes longer than ``PATIENCE``.

        ``phase``: the number of its phase, 0 without one.
        """
        if time.monotonic() - self._started > PATIENCE:
            self._is_shown = True
            phase_words = [worded(says("phase {0}", phase))] if phase else []
            line = f"{': '.join((translate(stage), *phase_words, translate(title)))} ..."
            if self._on_terminal:
                click.echo(f"\r\x1b[2K{line}", err=True, nl=False, color=True)
            else:
                click.echo(line, err=True)

    def end(self) -> None:
        """Clear the line of the last step on the terminal."""
        if self._is_shown and self._on_terminal:
            click.echo("\r\x1b[2K", err=True, nl=False, color=True)
        self._is_shown = False
