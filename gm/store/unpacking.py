"""Take a game out of its archive, in pieces, so that the largest needs little memory.

An archive from a stranger may be a bomb: a small file that fills the disk. Its content may be only a limited
number of times larger than the archive itself, as a whole and file by file, and that is checked before
anything is unpacked. No more of a file is unpacked than the archive's directory says.
"""

import json
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import PurePosixPath
from typing import IO, BinaryIO, cast

from gm.store import StoreError
from gm.store.archive import ARCHIVE, LIST, OF_ONE_COPY, is_passing
from gm.store.bounded import DAMAGE, Bounded, TooMuchError, is_place, pieces_of
from gm.store.disk import Files
from gm.store.inbox import fingerprint_of

FILES_LIMIT = 200_000
SIZE_LIMIT = 4 * 1024**3  # bytes of all files together: a game of two years has a tenth of it
# bytes of an archive's directory, which is read at once: so many files have 20 MB
DIRECTORY_LIMIT = 24 * 1024**2
LIST_FLOOR = 64 * 1024  # bytes of the list of hashes
LIST_LIMIT = 500  # bytes of the list beside them, for each file

RATIO = 200  # times that a file may be larger than it is packed
FLOOR = 1024**2  # bytes that it may have in any case
RATIO_OF_ALL = 100  # the same for all files and the archive itself
FLOOR_OF_ALL = 16 * 1024**2  # the same
"""Logs become ten times smaller, pages five times; blanks without end a thousand times."""


class BrokenArchiveError(StoreError):
    """The file is no archive of a game, or is incomplete or changed."""


@contextmanager
def unpacked(file: BinaryIO) -> Iterator[tuple[Files, bool]]:
    """Yield the files of an archive by name, each read when needed, and whether it has keys.

    All of them have been compared with their hashes. Raises ``BrokenArchiveError``, ``NewerFormatError``.
    """
    with _opened(file) as archive:
        entries = _checked_entries(archive, file.seek(0, os.SEEK_END))
        hashes, keys = _list(archive, entries)
        _compare(archive, entries, hashes)
        for name in entries:
            _refuse_outside(name)
        entries_left = [entry for name, entry in entries.items() if not OF_ONE_COPY.match(name)]
        yield Files({entry.filename: partial(_pieces, archive, entry) for entry in entries_left}), keys


@contextmanager
def _opened(file: BinaryIO) -> Iterator[zipfile.ZipFile]:
    """Yield the opened archive. Raises ``BrokenArchiveError``."""
    try:
        archive = zipfile.ZipFile(cast("IO[bytes]", Bounded(file, DIRECTORY_LIMIT)))
    except TooMuchError as error:
        raise BrokenArchiveError(str(error)) from None
    except DAMAGE as error:
        raise _damaged(error) from None
    with archive:
        yield archive


def _damaged(error: Exception) -> BrokenArchiveError:
    return BrokenArchiveError(f"This is not an archive of a game, or it is damaged: {error}.")


def _checked_entries(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """Return the entries of an archive of ``size`` bytes, by name, without folders and without unpacking."""
    entries = archive.infolist()
    if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
        raise BrokenArchiveError("The archive was not packed by pbem.")
    whole = sum(entry.file_size for entry in entries)
    if len(entries) > FILES_LIMIT or whole > SIZE_LIMIT:
        raise BrokenArchiveError("The archive is larger than any game.")
    for entry in entries:
        if entry.file_size > RATIO * entry.compress_size + FLOOR:
            raise BrokenArchiveError(_bomb(f"The file {entry.filename!r} in the archive", entry.file_size))
    if whole > RATIO_OF_ALL * size + FLOOR_OF_ALL:
        raise BrokenArchiveError(_bomb("All that is in the archive", whole))
    if sum(entry.compress_size for entry in entries) > size:
        raise BrokenArchiveError("The archive is damaged: files in it share their bytes.")
    return {entry.filename: entry for entry in entries if not entry.filename.endswith("/")}


def _bomb(what: str, size: int) -> str:
    return (
        f"{what} would have {size / 1e6:.0f} MB, far more than a game of this size has: nothing is unpacked."
    )


def _list(archive: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo]) -> tuple[Mapping[str, object], bool]:
    """Return the hashes of an archive's files, and whether it has keys.

    The list is removed from the entries.
    """
    try:
        entry = entries.pop(LIST)
        if entry.file_size > LIST_FLOOR + LIST_LIMIT * len(entries):
            raise BrokenArchiveError(
                "The archive is damaged: its list of files is longer than the number of files."
            )
        listed = ARCHIVE.current(json.loads(b"".join(_pieces(archive, entry))), LIST)
        return dict(listed["files"]), bool(listed["keys"])
    except DAMAGE as error:
        raise _damaged(error) from None


def _compare(
    archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo], hashes: Mapping[str, object]
) -> None:
    """Raise ``BrokenArchiveError`` unless an archive holds exactly the files of its list."""
    wrong: Sequence[str] = sorted(hashes.keys() ^ entries.keys())
    if not wrong:
        wrong = [
            name
            for name in sorted(entries)
            if fingerprint_of(_pieces(archive, entries[name])) != hashes[name]
        ]
    if wrong:
        raise BrokenArchiveError(
            f"The archive is damaged: {', '.join(wrong[:5])} has changed since it was written."
        )


def _pieces(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield a file's content. Raises ``BrokenArchiveError``."""
    try:
        yield from pieces_of(archive, entry)
    except DAMAGE as error:
        raise _damaged(error) from None


def _refuse_outside(name: str) -> None:
    """Raise ``BrokenArchiveError`` for a name that is no place inside a game."""
    if not is_place(name) or is_passing(PurePosixPath(name).parts):
        raise BrokenArchiveError(
            f"The archive holds a file called {name!r}, which is not a place inside a game."
        )
