"""The progress of a simulation, and the time left: one line on a terminal, ten elsewhere."""

import sys
import time
from collections.abc import Callable

import click

from gm.text.pages import counted

PROGRESS_LINES = 10  # without a terminal, so many lines of progress are written in all


class Progress:
    """Counts finished games, estimates the time left, and prints both to standard error."""

    def __init__(
        self,
        games: int,
        done: int,
        at_once: int,
        *,
        terminal: bool | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start the clock, and print the first line.

        ``games``: how many games the simulation has; ``done``: how many of them were finished before;
        ``at_once``: how many are played at a time; ``terminal``: whether standard error is one, found out
        if None; ``clock``: returns the time in seconds.
        """
        self._games = games
        self._before = done
        self._at_once = at_once
        self._terminal = sys.stderr.isatty() if terminal is None else terminal
        self._clock = clock
        self._began = clock()
        self._done = 0  # games that were finished since the clock was started
        self._turns = 0  # the turns of these games
        self._shown = 0  # the tenth of all games for which a line was printed last, without a terminal
        self._show(f"{self._head()}, playing ...")

    def add(self, turns: int) -> None:
        """Count one more finished game of ``turns`` turns, and show how far the simulation is."""
        self._done += 1
        self._turns += turns
        seconds_left = self.seconds_left()
        time_left = ""
        if seconds_left is not None and self._before + self._done < self._games:
            time_left = f", {time_words(seconds_left)} left"
        seconds = max(1e-9, self._clock() - self._began)  # never 0: it is a divisor
        self._show(f"{self._head()}, {self._turns / seconds:.1f} turns a second{time_left}")

    def seconds_left(self) -> float | None:
        """Return the estimated seconds until all games are finished; None before the first is.

        It is meant for the moment when a game has just been finished: then each of the others that are being
        played is half finished on average.
        """
        if not self._done:
            return None
        games_left = self._games - self._before - self._done
        others_in_play = min(self._at_once, games_left + 1) - 1  # without the one that has just been finished
        halves = others_in_play / 2  # so many games' worth of them is played, and as much is left
        return (self._clock() - self._began) * (games_left - halves) / (self._done + halves)

    def tell(self, text: str) -> None:
        """Clear the line of progress, and print a text in a line of its own."""
        self.end()
        click.echo(text, err=True)

    def end(self) -> None:
        """Clear the line of progress on the terminal."""
        if self._terminal:
            click.echo("\r\x1b[2K", err=True, nl=False, color=True)

    def _head(self) -> str:
        """Return how many games are finished, as ``3 of 20 games``."""
        return f"{self._before + self._done} of {counted(self._games, 'game')}"

    def _show(self, line: str) -> None:
        """Print a line: over the last one on a terminal; elsewhere only at each tenth of the games."""
        if self._terminal:
            click.echo(f"\r\x1b[2K{line}", err=True, nl=False, color=True)
            return
        tenth = (self._before + self._done) * PROGRESS_LINES // self._games
        if tenth > self._shown:
            self._shown = tenth
            click.echo(line, err=True)


def time_words(seconds: float) -> str:
    """Return a time in seconds for people: ``40 s``, ``7 min``, ``2 h 05 min``."""
    whole = max(1, round(seconds))
    if whole < 100:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"
