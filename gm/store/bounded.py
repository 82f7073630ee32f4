"""Limits for archives of strangers: names inside a folder, a directory of bounded size, files in pieces."""

import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from gm.store import StoreError

PIECE = 256 * 1024  # bytes that are unpacked at once

DAMAGE = (  # what reading a damaged archive may come to
    *(zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError),
    *(ArithmeticError, LookupError, TypeError, ValueError, RuntimeError),
)


class TooMuchError(StoreError):
    """An archive asks for more than any of its kind has."""


class Bounded:
    """A file of which no reader can take more at once than the directory of an archive may have."""

    def __init__(self, file: BinaryIO, limit: int) -> None:
        """Open a window on a file that lets at most ``limit`` bytes be read."""
        self._file = file
        self._limit = limit
        self._end = file.seek(0, os.SEEK_END)
        self.seek = file.seek
        self.tell = file.tell
        self.seekable = file.seekable

    def read(self, size: int = -1) -> bytes:
        """Return ``size`` bytes.

        Below zero the rest, which the library reads only at the end of an archive.
        """
        bytes_left = max(0, self._end - self._file.tell())
        amount = bytes_left if size < 0 else min(size, bytes_left)
        if amount > self._limit:
            raise TooMuchError("The archive lists more files than any game has.")
        return self._file.read(amount)


def pieces_of(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield a file's content, unpacking no more than the directory's size of it. Raises ``DAMAGE``."""
    with archive.open(entry) as opened:
        while piece := opened.read(PIECE):
            yield piece


def is_place(name: str) -> bool:
    """Return whether a name is a place inside a folder, on every system."""
    return not {*name.split("/")} & {"", ".", ".."} and not {*name} & {*"\\:\0"}
