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
    """The median of some runs: seconds by the clock, and the most memory that any of them had, in MiB."""

    seconds: float
    memory: float


def once(command: Sequence[str], fine: Sequence[int] = (0,)) -> Timing:
    """Run a command. Raises ``SystemExit`` with what it said when its exit code is not one of ``fine``."""
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
    return Timing(seconds, usage.ru_maxrss / 1024)


def median(make: Callable[[], Sequence[str]], runs: int) -> Timing:
    """The median of ``runs`` runs after one that warms the disk cache; ``make`` prepares each, gives its command."""
    once(make())
    timings = [once(make()) for _ in range(runs)]
    return Timing(statistics.median(t.seconds for t in timings), max(t.memory for t in timings))


def python(*arguments: str) -> list[str]:
    """A Python command in this environment."""
    return [sys.executable, *arguments]


def gm(*arguments: str | Path) -> list[str]:
    """A ``gm`` command in this environment."""
    return [str(Path(sys.executable).with_name("gm")), *map(str, arguments)]
