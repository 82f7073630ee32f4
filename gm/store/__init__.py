"""The game folder and all that is in it: the only place that reads and writes a game.

A part is imported when something of it is asked for: who only has to know a file's version does not pay for the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gm.store.deadlines import Deadline
    from gm.store.folder import (
        GameFolder,
        log_bytes,
        log_of_lines,
        read_state,
        state_bytes,
        turn_bytes,
        turn_name,
    )
    from gm.store.formats import Format
    from gm.store.inbox import Arrival, Inbox, Receipt, fingerprint
    from gm.store.lock import locked
    from gm.store.problems import (
        BrokenFolderError,
        FolderBusyError,
        NewerFormatError,
        NoGameFolderError,
        StoreError,
    )
    from gm.store.settings import Player, Players, Settings

__all__ = [
    "Arrival",
    "BrokenFolderError",
    "Deadline",
    "FolderBusyError",
    "Format",
    "GameFolder",
    "Inbox",
    "NewerFormatError",
    "NoGameFolderError",
    "Player",
    "Players",
    "Receipt",
    "Settings",
    "StoreError",
    "fingerprint",
    "locked",
    "log_bytes",
    "log_of_lines",
    "read_state",
    "state_bytes",
    "turn_bytes",
    "turn_name",
]

_PARTS = {
    "deadlines": ("Deadline",),
    "folder": ("GameFolder", "log_bytes", "log_of_lines", "read_state", "state_bytes", "turn_bytes", "turn_name"),
    "formats": ("Format",),
    "inbox": ("Arrival", "Inbox", "Receipt", "fingerprint"),
    "lock": ("locked",),
    "problems": ("BrokenFolderError", "FolderBusyError", "NewerFormatError", "NoGameFolderError", "StoreError"),
    "settings": ("Player", "Players", "Settings"),
}
_PART_OF = {name: part for part, names in _PARTS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _PART_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PART_OF[name]}"), name)
