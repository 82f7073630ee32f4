"""The game folder and all that is in it: the only place that reads and writes a game."""

from gm.kernel.store.deadlines import Deadline
from gm.kernel.store.folder import (
    GameFolder,
    log_bytes,
    read_state,
    state_bytes,
    turn_bytes,
    turn_name,
)
from gm.kernel.store.formats import Format
from gm.kernel.store.inbox import Arrival, Inbox, Receipt, fingerprint
from gm.kernel.store.lock import locked
from gm.kernel.store.problems import BrokenFolderError, FolderBusyError, NewerFormatError, NoGameFolderError, StoreError
from gm.kernel.store.settings import Player, Players, Settings

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
    "read_state",
    "state_bytes",
    "turn_bytes",
    "turn_name",
]
