"""Runs commands as users do, each in a process of its own, and keeps the median."""

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
class Timing:
    """The median of some runs: seconds by the clock, how many empty Python starts that is, and the most MiB."""

    seconds: float
    starts: float
    memory: float


def once(command: Sequence[str], fine: Sequence[int] = (0,)) -> tuple[float, float]:
    """Run a command; (seconds, MiB). Raises ``SystemExit`` with what it said when its exit code is not in ``fine``."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        # wait4, for the memory of this child alone
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in fine:
            said.seek(0)
            raise SystemExit(f"{' '.join(command)} failed:\n{said.read().decode(errors='replace')}")
    return seconds, usage.ru_maxrss / 1024


def median(make: Callable[[], Sequence[str]], runs: int) -> Timing:
    """The median of ``runs`` runs after one that warms the caches; ``make`` prepares each and gives its command.

    Empty starts are timed in between, so that a busy machine slows both sides of the ratio.
    """
    once(make())
    empty, timings = [], []
    for _ in range(runs):
        empty += [once(EMPTY)[0] for _ in range(3)]
        timings.append(once(make()))
    seconds = statistics.median(seconds for seconds, _ in timings)
    return Timing(seconds, seconds / statistics.median(empty), max(memory for _, memory in timings))


EMPTY = (sys.executable, "-c", "pass")


def gm(*arguments: str | Path) -> list[str]:
    """A ``gm`` command in this environment."""
    return [str(Path(sys.executable).with_name("gm")), *map(str, arguments)]
