"""Runs commands as users do, each in a process of its own, and keeps the median.

Two clocks are read. The processor's (user and system time of the child) is what figures are judged by: other work on
the machine disturbs it least. The wall's is what a person waits for, flushing to the disk included. P, the unit, is the
same for both: an empty Python start, by the same clock, timed between the runs.
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
    """The median of some runs, in seconds and in P."""

    processor: float
    wall: float
    memory: float
    in_p: float
    wall_in_p: float


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


def median(make: Callable[[], Sequence[str]], runs: int, fine: Sequence[int] = (0,)) -> Timing:
    """The median of ``runs`` runs after one that warms the caches; ``make`` prepares each and gives its command."""
    return medians([make], runs, fine)[0]


def medians(makes: Sequence[Callable[[], Sequence[str]]], runs: int, fine: Sequence[int] = (0,)) -> list[Timing]:
    """The same for several commands that are to be compared: they take turns, and each round has its own P, so that a
    slow minute of the machine falls on each alike and on P as well."""
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
    return [
        Timing(
            statistics.median(run.processor for run in its),
            statistics.median(run.wall for run in its),
            max(run.memory for run in its),
            _in_p([run.processor for run in its], [[run.processor for run in empty] for empty in rounds]),
            _in_p([run.wall for run in its], [[run.wall for run in empty] for empty in rounds]),
        )
        for its in found
    ]


def _in_p(seconds: Sequence[float], empty: Sequence[Sequence[float]]) -> float:
    """The median of some runs, each by the P of its round."""
    return statistics.median(each / statistics.median(its) for each, its in zip(seconds, empty, strict=True))


EMPTY = (sys.executable, "-c", "pass")


def gm(*arguments: str | Path) -> list[str]:
    """A ``gm`` command in this environment."""
    return [str(Path(sys.executable).with_name("gm")), *map(str, arguments)]
