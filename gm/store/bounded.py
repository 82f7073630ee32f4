"""Limits for strangers' archives: names inside a folder, a directory of bounded size, files in pieces."""

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
    """An archive has more of something than any archive of its kind."""


class Bounded:
    """A file whose readers cannot read more at once than an archive's directory may have."""

    def __init__(self, file: BinaryIO, limit: int) -> None:
        """Open a window on a file that lets at most ``limit`` bytes be read."""
        self._file = file
        self._limit = limit
        self._end = file.seek(0, os.SEEK_END)
        self.seek = file.seek
        self.tell = file.tell
        self.seekable = file.seekable

    def read(self, size: int = -1) -> bytes:
        """Return ``size`` bytes; below zero the rest, which the library reads only at an archive's end."""
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
