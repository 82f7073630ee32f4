"""Runs commands as users do, each in a process of its own, and keeps the median.

Two clocks are read. The processor's (user and system time of the child) is what figures are judged by: other
work on the machine disturbs it least. The wall's is what a person waits for, flushing to the disk included.
P, the unit, is the same for both: an empty Python start, by the same clock, timed between the runs.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

EMPTY = (sys.executable, "-c", "pass")
"""The command of an empty Python start."""
Prepared = Callable[[], Sequence[str]]
"""What prepares a run and returns its command."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command."""

    processor: float
    """Seconds of the processor."""
    wall: float
    """Seconds of the wall clock."""
    memory: float
    """The most MiB that it had at a time."""
    said: str = ""
    """What it printed."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The medians of some runs."""

    processor: float
    """Seconds of the processor."""
    wall: float
    """Seconds of the wall clock."""
    memory: float
    """The most MiB of any run."""
    in_p: float
    """The processor's time in P."""
    wall_in_p: float
    """The time of the wall clock in P."""
    least: float
    """The least of the runs in P, of the processor's time."""
    most: float
    """The most of them."""


def once(command: Sequence[str], fine: Sequence[int] = (0,)) -> Run:
    """Run a command. Raises ``SystemExit`` with what it said when its exit code is not in ``fine``."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        # wait4, for the figures of this child alone
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
        if child.returncode not in fine:
            raise SystemExit(f"{' '.join(command)} failed:\n{text}")
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, text)


def empty_starts(runs: int) -> list[Run]:
    """Return so many runs of the unit."""
    return [once(EMPTY) for _ in range(runs)]


def empty_p() -> float:
    """Return the P of this moment: seconds of the processor that an empty start takes."""
    return median_processor(empty_starts(5))


def median_processor(runs: Sequence[Run]) -> float:
    """Return the median of some runs' seconds of the processor."""
    return statistics.median(run.processor for run in runs)


def median_wall(runs: Sequence[Run]) -> float:
    """Return the median of some runs' seconds of the wall clock."""
    return statistics.median(run.wall for run in runs)


def median(prepare: Prepared, runs: int, fine: Sequence[int] = (0,)) -> Timing:
    """Return the median of ``runs`` runs after one that warms the caches."""
    return medians([prepare], runs, fine)[0]


def medians(prepares: Sequence[Prepared], runs: int, fine: Sequence[int] = (0,)) -> list[Timing]:
    """Return the medians of several commands that are to be compared.

    They take turns, and each round has its own P, so that a slow minute of the machine falls on each alike
    and on P as well.
    """
    for prepare in prepares:
        once(prepare(), fine)
    runs_of_each: list[list[Run]] = [[] for _ in prepares]
    empty_of_rounds: list[list[Run]] = []
    for _ in range(runs):
        empty: list[Run] = []
        for prepare, own in zip(prepares, runs_of_each, strict=True):
            empty += empty_starts(3)
            own.append(once(prepare(), fine))
        empty_of_rounds.append(empty + empty_starts(3))
    return [_timing(own, empty_of_rounds) for own in runs_of_each]


def _timing(runs: Sequence[Run], empty_of_rounds: Sequence[Sequence[Run]]) -> Timing:
    """Return what some runs took, each by the P of its round: that of the round's empty starts."""
    processor = []
    wall = []
    for run, empty in zip(runs, empty_of_rounds, strict=True):
        processor.append(run.processor / median_processor(empty))
        wall.append(run.wall / median_wall(empty))
    return Timing(
        processor=median_processor(runs),
        wall=median_wall(runs),
        memory=max(run.memory for run in runs),
        in_p=statistics.median(processor),
        wall_in_p=statistics.median(wall),
        least=min(processor),
        most=max(processor),
    )


def gm(*arguments: str | Path) -> list[str]:
    """Return a ``gm`` command in this environment."""
    return [str(Path(sys.executable).with_name("gm")), *map(str, arguments)]
