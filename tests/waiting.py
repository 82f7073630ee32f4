"""Tests wait until something is so, never for a time."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 120.0
"""Seconds until what does not come is given up: the machine may have much else to do."""
PAUSE = 0.02
"""Seconds between two looks."""


def wait_for(condition: Callable[[], object], subject: str, patience: float = PATIENCE) -> None:
    """Wait until a condition holds.

    Raises ``TimeoutError``, which says what was waited for.
    """
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {patience:.0f} seconds for {subject}")
        time.sleep(PAUSE)


def is_running(pid: int) -> bool:
    """Return whether a process runs; one that has ended and that nobody has asked about does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def until(page: Any, script: str) -> None:
    """Wait until a script in a page says yes.

    The page's policy forbids the ``eval`` that Playwright's own ``wait_for_function`` polls with.
    """
    end = time.monotonic() + PATIENCE
    while not page.evaluate(script):
        if time.monotonic() > end:
            pytest.fail(f"never came true: {script}")
        page.wait_for_timeout(1000 * PAUSE)


def drawn(page: Any) -> None:
    """Wait until a page has answered what happened to it, laid itself out and drawn it: two of its frames."""
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
    )
