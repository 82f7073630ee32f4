"""The GM's journal: every command that changes a game leaves a line, chained to those before it.

It says what was done and when, never what is secret: no key, no address, no content of an order file.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from gm.kernel.store.journal import ACTIONS_FILE, Journal


def journal_of(folder: Path) -> Journal:
    """The journal of the game in a folder."""
    return Journal(folder / ACTIONS_FILE)


def note(folder: Path, did: str, at: datetime, **more: Any) -> None:
    """Add a line; the lock is held. ``did`` is the command's name, ``more`` plain data."""
    journal_of(folder).append({"at": at.isoformat(), "did": did, **more})
