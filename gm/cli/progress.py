"""The progress of a simulation, and the time left: one line on a terminal, ten elsewhere."""

import sys
import time
from collections.abc import Callable

import click

from gm.cli.output import counted

PROGRESS_LINES = 10  # without a terminal, so many lines of progress are written in all


class Progress:
    """Counts finished games and estimates the time left. ``at_once``: how many games are played at a time."""

    def __init__(
        self,
        games: int,
        done: int,
        at_once: int,
        *,
        terminal: bool | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start the clock. ``games``: of the simulation; ``done``: those finished before."""
        self._games = games
        self._before = done
        self._at_once = at_once
        self._terminal = sys.stderr.isatty() if terminal is None else terminal
        self._clock = clock
        self._began = clock()
        self._done = self._turns = self._shown = 0
        self._show(f"{self._head()}, playing ...")

    def add(self, turns: int) -> None:
        """Count one more finished game of ``turns`` turns."""
        self._done += 1
        self._turns += turns
        seconds_left = self.seconds_left()
        tail = (
            f", {time_words(seconds_left)} left"
            if seconds_left is not None and self._before + self._done < self._games
            else ""
        )
        speed = self._turns / max(1e-9, self._clock() - self._began)
        self._show(f"{self._head()}, {speed:.1f} turns a second{tail}")

    def seconds_left(self) -> float | None:
        """Return the estimated seconds until all games are finished; None before the first is.

        When a game is finished, each of the others that are being played is half finished on average.
        """
        if not self._done:
            return None
        games_left = self._games - self._before - self._done
        interrupted = (min(self._at_once, games_left + 1) - 1) / 2
        return (self._clock() - self._began) * (games_left - interrupted) / (self._done + interrupted)

    def tell(self, text: str) -> None:
        """Print a text in a line of its own."""
        self.end()
        click.echo(text, err=True)

    def end(self) -> None:
        """Leave the terminal clean."""
        if self._terminal:
            click.echo("\r\x1b[2K", err=True, nl=False, color=True)

    def _head(self) -> str:
        return f"{self._before + self._done} of {counted(self._games, 'game')}"

    def _show(self, line: str) -> None:
        """Print a line: over the last one on a terminal, at each tenth elsewhere."""
        if self._terminal:
            click.echo(f"\r\x1b[2K{line}", err=True, nl=False, color=True)
            return
        tenth = (self._before + self._done) * PROGRESS_LINES // self._games
        if tenth > self._shown:
            self._shown = tenth
            click.echo(line, err=True)


def time_words(seconds: float) -> str:
    """Return a time for people: ``40 s``, ``7 min``, ``2 h 05 min``."""
    whole = max(1, round(seconds))
    if whole < 100:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"
