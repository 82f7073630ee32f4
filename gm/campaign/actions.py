"""The GM's journal: every command that changes a game leaves a line, chained to those before it.

It says what was done and when, never what is secret: no key, no address, no content of an order file.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from gm.campaign.open import Campaign
from gm.store.journal import ACTIONS_FILE, Journal, last_chain


def journal_of(folder: Path) -> Journal:
    """The journal of the game in a folder."""
    return Journal(folder / ACTIONS_FILE)


def note(folder: Path, did: str, at: datetime, **more: Any) -> None:
    """Add a line; the lock is held. ``did`` is the command's name, ``more`` plain data."""
    journal_of(folder).append({"at": at.isoformat(), "did": did, **more, **post_ends(folder)})


def post_ends(folder: Path) -> dict[str, dict[str, str]]:
    """Where the journals of a game's post end now: that nobody cuts them short, a line of the GM's journal says so."""
    ends = {path.name: last_chain(path) for path in sorted((folder / "mail").glob("*.jsonl"))}
    return {"post": ends} if ends else {}


def turn_played(campaign: Campaign, turn: int) -> datetime | None:
    """When a turn was played; none when nobody noted it."""
    entries = journal_of(campaign.folder.path).entries
    told = [entry["at"] for entry in entries if entry["did"] == "turn" and entry.get("turn") == turn]
    return datetime.fromisoformat(told[-1]) if told else None
