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


@dataclass(frozen=True, slots=True)
class Run:
    """One run: seconds of the processor and of the wall clock, the most MiB, and what it printed."""

    processor: float
    wall: float
    memory: float
    said: str = ""


@dataclass(frozen=True, slots=True)
class Timing:
    """The median of some runs, in seconds and in P.

    The least and the most of them in P, of the processor's time.
    """

    processor: float
    wall: float
    memory: float
    in_p: float
    wall_in_p: float
    least: float
    most: float


def once(command: Sequence[str], fine: Sequence[int] = (0,)) -> Run:
    """Run a command. Raises ``SystemExit`` with what it said when its exit code is not in ``fine``."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        # wait4, for the figures of this child alone
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
        if child.returncode not in fine:
            raise SystemExit(f"{' '.join(command)} failed:\n{text}")
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, text)


def empty_starts(runs: int) -> list[Run]:
    """So many runs of the unit."""
    return [once(EMPTY) for _ in range(runs)]


def empty_p() -> float:
    """Return the P of this moment: seconds of the processor that an empty start takes."""
    return statistics.median(run.processor for run in empty_starts(5))


def median(make: Callable[[], Sequence[str]], runs: int, fine: Sequence[int] = (0,)) -> Timing:
    """The median of ``runs`` runs after one that warms the caches.

    ``make`` prepares each and gives its command.
    """
    return medians([make], runs, fine)[0]


def medians(
    makes: Sequence[Callable[[], Sequence[str]]], runs: int, fine: Sequence[int] = (0,)
) -> list[Timing]:
    """The same for several commands that are to be compared: they take turns, and each round has its own P,
    so that a slow minute of the machine falls on each alike and on P as well.
    """
    for make in makes:
        once(make(), fine)
    found: list[list[Run]] = [[] for _ in makes]
    rounds: list[list[Run]] = []
    for _ in range(runs):
        empty: list[Run] = []
        for make, its in zip(makes, found, strict=True):
            empty += empty_starts(3)
            its.append(once(make(), fine))
        rounds.append(empty + empty_starts(3))
    return [_timing(its, rounds) for its in found]


def _timing(runs: Sequence[Run], rounds: Sequence[Sequence[Run]]) -> Timing:
    """Return what some runs took, each by the P of its round."""
    processor = []
    wall = []
    for run, empty in zip(runs, rounds, strict=True):
        processor.append(run.processor / statistics.median(each.processor for each in empty))
        wall.append(run.wall / statistics.median(each.wall for each in empty))
    return Timing(
        statistics.median(run.processor for run in runs),
        statistics.median(run.wall for run in runs),
        max(run.memory for run in runs),
        statistics.median(processor),
        statistics.median(wall),
        min(processor),
        max(processor),
    )


EMPTY = (sys.executable, "-c", "pass")


def gm(*arguments: str | Path) -> list[str]:
    """A ``gm`` command in this environment."""
    return [str(Path(sys.executable).with_name("gm")), *map(str, arguments)]
