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
    """``runs``: how often a command is timed.

    ``scratch`` is thrown away in the end, and nothing in it before: for

    minutes after many files were deleted, Linux takes longer to make new ones (ext4 passes their places
    over).
    """

    def __init__(self, scratch: Path, quick: bool) -> None:
        self.scratch, self.quick, self.table = scratch, quick, Table()
        self.runs = 3 if quick else 7
        self._copies = 0

    def turn(self, game: Path, *options: str, runs: int = 0) -> Timing:
        """``pbem turn`` on copies of a game, which stays as it is."""
        return self.turns([game], *options, runs=runs)[0]

    def turns(self, games: Sequence[Path], *options: str, runs: int = 0) -> list[Timing]:
        """The same for games whose timings are to be compared."""
        return medians([partial(self._turn, game, options) for game in games], runs or self.runs)

    def _turn(self, game: Path, options: Sequence[str]) -> list[str]:
        return [*gm("turn", "--early", *options, "--game"), self._copy(game)]

    def parts(self, game: Path, *options: str) -> dict[str, float]:
        """The same turn once, in parts (:mod:`bench.stages`): seconds of the processor, ``orders`` and
        ``units``.
        """
        command = [EMPTY[0], "-m", "bench.stages", self._copy(game), *options]
        found: dict[str, float] = json.loads(once(command).said.splitlines()[-1])
        return found

    def show_parts(self, what: str, game: Path, *options: str) -> None:
        """A line for each part of a turn, in P."""
        runs = []
        for _ in range(self.runs):
            p = empty_p()
            runs.append({part: seconds / p for part, seconds in self.parts(game, *options).items()})
        for part in PARTS:
            self.table.figures_of(f"    {part}, {what}", [run[part] for run in runs], "P")

    def _copy(self, game: Path) -> str:
        self._copies += 1
        copy = self.scratch / f"copy-{self._copies}"
        shutil.copytree(game, copy)
        return str(copy)
