"""One run at a time: whoever changes a game holds its lock, and the system lets go of it when the run dies."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gm.store import FolderBusyError

LOCK = ".lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the game's lock. Raises ``FolderBusyError`` at once when somebody else does, ``OSError`` in a read-only
    folder."""
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            take(handle)
        except OSError as error:
            if not is_held(error):
                raise
            raise FolderBusyError(
                f"Another gm is working on the game in {folder} at this moment. Wait until it is done and try again."
            ) from None
        yield
    finally:
        os.close(handle)


def is_held(error: OSError) -> bool:
    """Whether :func:`take` failed because another run holds the lock, and not because there are no locks here."""
    return error.errno in (errno.EWOULDBLOCK, errno.EACCES, errno.EAGAIN, errno.EDEADLK)


if sys.platform == "win32":
    import msvcrt

    def take(handle: int) -> None:
        """Lock an open file for this process, until it is closed. Raises ``OSError``."""
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def take(handle: int) -> None:
        """Lock an open file or folder for this process, until it is closed. Raises ``OSError``."""
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
