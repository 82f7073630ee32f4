"""Limits for archives from strangers.

An archive's directory is bounded in size, its files are unpacked in pieces, no name leads out of a folder.
"""

import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from gm.core.diagnostics import says
from gm.store import StoreError

PIECE = 256 * 1024  # bytes that are unpacked at once

DAMAGE = (  # what the libraries may raise for a damaged archive
    *(zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError),
    *(ArithmeticError, LookupError, TypeError, ValueError, RuntimeError),
)


class TooMuchError(StoreError):
    """An archive has more of something than any archive of its kind."""


class Bounded:
    """A file of which at most ``limit`` bytes are read at once.

    ``zipfile`` reads an archive's directory at once, so that the limit bounds the directory.
    """

    def __init__(self, file: BinaryIO, limit: int) -> None:
        self._file = file
        self._limit = limit
        self._end = file.seek(0, os.SEEK_END)  # the file's size
        # what ``zipfile`` calls besides :meth:`read`
        self.seek = file.seek
        self.tell = file.tell
        self.seekable = file.seekable

    def read(self, size: int = -1) -> bytes:
        """Return the next ``size`` bytes, or all that are left if it is negative.

        Raises ``TooMuchError`` for more than the limit.
        """
        bytes_left = max(0, self._end - self._file.tell())
        amount = bytes_left if size < 0 else min(size, bytes_left)
        if amount > self._limit:
            raise TooMuchError(says("The archive lists more files than any game has."))
        return self._file.read(amount)


def pieces_of(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield the content of an archive's entry in pieces, and no more than the size that the directory names.

    Raises ``DAMAGE``.
    """
    with archive.open(entry) as opened:
        while piece := opened.read(PIECE):
            yield piece


def is_place(name: str) -> bool:
    """Return whether a file's name, with ``/`` between its parts, stays inside a folder on every system."""
    return not {*name.split("/")} & {"", ".", ".."} and not {*name} & {*"\\:\0"}
