"""Ports of loopback that belong to one run of the tests, however many runs there are at the same time.

A port that was free a moment ago may be somebody else's when a server binds it. So ports come in blocks, and
who holds the first one of a block has all of it: the system lets it go when the run ends, however it ends.
"""

import os
import socket
from contextlib import suppress

LOWEST = 20_000
HIGHEST = 30_000
BLOCK = 16
"""Below the ports that systems give to connections, so that none of these takes one."""


class Ports:
    """A block of ports that no other run takes. Raises ``RuntimeError`` when there is none left."""

    def __init__(self) -> None:
        blocks = range(LOWEST, HIGHEST, BLOCK)
        # two runs that begin together do not look at the same blocks in the same order
        begin = os.getpid() * 7 % len(blocks)
        for base in (*blocks[begin:], *blocks[:begin]):
            if (guard := _bound(base)) is None:
                continue
            if all(_is_free(base + offset) for offset in range(1, BLOCK)):
                self._guard = guard
                self._left = iter(range(base + 1, base + BLOCK))
                return
            guard.close()
        raise RuntimeError(f"no {BLOCK} ports in a row are free between {LOWEST} and {HIGHEST}")

    def take(self) -> int:
        """A port of the block that was not taken before."""
        return next(self._left)

    def close(self) -> None:
        """Let others have the block."""
        self._guard.close()


def _bound(port: int) -> socket.socket | None:
    """A socket that holds a port and listens to nobody; none when somebody has it."""
    listener = socket.socket()
    with suppress(OSError):
        listener.bind(("127.0.0.1", port))
        return listener
    listener.close()
    return None


def _is_free(port: int) -> bool:
    listener = _bound(port)
    if listener is not None:
        listener.close()
    return listener is not None
