"""One run of the benchmark: where its files lie, its table, and how turns of a game are timed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.table import Table
from bench.timing import EMPTY, Timing, empty_p, gm, medians, once

PARTS = ("start", "load", "read", "resolve", "write")


class Bench:
    """A run of the benchmark.

    ``scratch``, a folder, is thrown away in the end, and nothing in it before: for minutes after many files
    were deleted, Linux takes longer to make new ones (ext4 passes their places over).
    """

    def __init__(self, scratch: Path, *, quick: bool) -> None:
        self.scratch = scratch
        self.quick = quick
        self.table = Table()
        self.runs = 3 if quick else 7
        """How often a command is timed."""
        self._copies = 0

    def turn(self, game: Path, *options: str, runs: int = 0) -> Timing:
        """Return the timing of ``pbem turn`` on copies of a game, which stays as it is.

        ``runs``: how often it is timed; 0: as often as any command.
        """
        return self.turns([game], *options, runs=runs)[0]

    def turns(self, games: Sequence[Path], *options: str, runs: int = 0) -> list[Timing]:
        """Return the timings of ``pbem turn`` for games that are to be compared."""
        prepares = [partial(self._turn, game, options) for game in games]
        return medians(prepares, runs or self.runs)

    def _turn(self, game: Path, options: Sequence[str]) -> list[str]:
        """Return the command of a turn on a fresh copy of a game."""
        return [*gm("turn", "--early", *options, "--game"), self._copy(game)]

    def parts(self, game: Path, *options: str) -> dict[str, float]:
        """Play a turn on a copy of a game once; return what :mod:`bench.stages` says of its parts.

        These are seconds of the processor by part, and how many ``orders`` and ``units`` there were.
        """
        command = [EMPTY[0], "-m", "bench.stages", self._copy(game), *options]
        last_line = once(command).said.splitlines()[-1]
        parts: dict[str, float] = json.loads(last_line)
        return parts

    def show_parts(self, name: str, game: Path, *options: str) -> None:
        """Print a line for each part of a turn, in P."""
        runs = []
        for _ in range(self.runs):
            p = empty_p()
            seconds = self.parts(game, *options)
            runs.append({part: seconds[part] / p for part in PARTS})
        for part in PARTS:
            self.table.figures_of(f"    {part}, {name}", [run[part] for run in runs], "P")

    def _copy(self, game: Path) -> str:
        """Return the folder of a fresh copy of a game."""
        self._copies += 1
        copy = self.scratch / f"copy-{self._copies}"
        shutil.copytree(game, copy)
        return str(copy)
