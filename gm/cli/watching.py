"""Doing something again whenever files change: editors write in place, replace by rename, or take a file away first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

Stamp = tuple[int, int, int] | None
"""When a file was written last, its size and its inode; none while it is not there."""

INTERVAL = 0.2
"""Seconds between two looks."""
SETTLING = 0.05
"""Seconds that files must stay as they are before a change counts: an editor may still be writing."""
PATIENCE = 40
"""How many times to wait for that, of a file that never rests."""


def stamp(path: Path) -> Stamp:
    """What changes when the file does."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def changes(paths: Sequence[Path], sleep: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """Once at the start, then after every change of one of the files; never ends by itself.

    A file that vanishes counts as changed when it is there again.
    """
    seen: list[Stamp] | None = None
    while True:
        now = [stamp(path) for path in paths]
        if now != seen and None not in now:
            now = _settled(paths, now, sleep)
        if now != seen and None not in now:
            seen = now
            yield
        sleep(INTERVAL)


def _settled(paths: Sequence[Path], now: list[Stamp], sleep: Callable[[float], None]) -> list[Stamp]:
    for _ in range(PATIENCE):
        sleep(SETTLING)
        before, now = now, [stamp(path) for path in paths]
        if now == before:
            break
    return now
