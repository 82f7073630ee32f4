"""The import of a game from its archive, in pieces, so that the largest archive needs little memory.

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

from gm.core.diagnostics import message_of, says
from gm.store import StoreError
from gm.store.archive import ARCHIVE, LIST, OF_ONE_COPY, is_passing
from gm.store.bounded import DAMAGE, Bounded, TooMuchError, is_place, pieces_of
from gm.store.disk import Files
from gm.store.inbox import fingerprint_of

FILES_LIMIT = 200_000
SIZE_LIMIT = 4 * 1024**3  # bytes of all files together: a game of two years has a tenth of it
# bytes of an archive's directory, which is read at once; with FILES_LIMIT files it has 20 MB
DIRECTORY_LIMIT = 24 * 1024**2
LIST_FLOOR = 64 * 1024  # bytes that the list of hashes may have in any case
LIST_LIMIT = 500  # bytes that it may have besides, for each file

# Packed, logs become ten times smaller, pages five times; nothing but blanks a thousand times.
RATIO = 200  # a file may be so many times larger than it is packed
FLOOR = 1024**2  # so many bytes it may have in any case
RATIO_OF_ALL = 100  # all files together may be so many times larger than the archive
FLOOR_OF_ALL = 16 * 1024**2  # so many bytes they may have in any case


class BrokenArchiveError(StoreError):
    """The file is no archive of a game, is damaged or changed, or would be dangerous to unpack."""


@contextmanager
def unpacked(file: BinaryIO) -> Iterator[tuple[Files, bool]]:
    """Yield (the files of an archive by name, whether it has keys). Each file is read when it is needed.

    All files have been compared with their hashes. Files of one copy of a game (:data:`OF_ONE_COPY`) are left
    out. Raises ``BrokenArchiveError`` for a damaged or dangerous archive, and as :func:`_listed_hashes`.
    """
    with _opened(file) as archive:
        entries = _checked_entries(archive, file.seek(0, os.SEEK_END))
        hashes, keys = _listed_hashes(archive, entries)
        _compare(archive, entries, hashes)
        for name in entries:
            _refuse_outside(name)
        game_entries = [entry for name, entry in entries.items() if not OF_ONE_COPY.match(name)]
        yield Files({entry.filename: partial(_pieces, archive, entry) for entry in game_entries}), keys


@contextmanager
def _opened(file: BinaryIO) -> Iterator[zipfile.ZipFile]:
    """Yield the opened archive. Raises ``BrokenArchiveError`` if its directory is damaged or too long."""
    try:
        archive = zipfile.ZipFile(cast("IO[bytes]", Bounded(file, DIRECTORY_LIMIT)))
    except TooMuchError as error:
        raise BrokenArchiveError(message_of(error)) from None
    except DAMAGE as error:
        raise _damaged(error) from None
    with archive:
        yield archive


def _damaged(error: Exception) -> BrokenArchiveError:
    """Return the error to raise for an error of the library that reads archives."""
    return BrokenArchiveError(says("This is not an archive of a game, or it is damaged: {0}.", error))


def _checked_entries(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """Return the entries of an archive's files by name, without folders. Nothing is unpacked.

    ``size``: bytes of the archive. Raises ``BrokenArchiveError`` for one that pbem has not packed, that is
    damaged, or that may be a bomb.
    """
    entries = archive.infolist()
    if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
        raise BrokenArchiveError(says("The archive was not packed by pbem."))
    size_of_all = sum(entry.file_size for entry in entries)
    if len(entries) > FILES_LIMIT or size_of_all > SIZE_LIMIT:
        raise BrokenArchiveError(says("The archive is larger than any game."))
    for entry in entries:
        if entry.file_size > RATIO * entry.compress_size + FLOOR:
            raise BrokenArchiveError(
                _bomb(says("The file {0!r} in the archive", entry.filename), entry.file_size)
            )
    if size_of_all > RATIO_OF_ALL * size + FLOOR_OF_ALL:
        raise BrokenArchiveError(_bomb(says("All that is in the archive"), size_of_all))
    if sum(entry.compress_size for entry in entries) > size:
        raise BrokenArchiveError(says("The archive is damaged: files in it share their bytes."))
    return {entry.filename: entry for entry in entries if not entry.filename.endswith("/")}


def _bomb(what: str, size: int) -> str:
    """Return the sentence about a part of an archive that would unpack to too many bytes."""
    return says(
        "{0} would have {1:.0f} MB, far more than a game of this size has: nothing is unpacked.",
        what,
        size / 1e6,
    )


def _listed_hashes(
    archive: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo]
) -> tuple[Mapping[str, object], bool]:
    """Return (the hashes of an archive's files by name, whether it has the players' keys) from its list.

    The list's own entry is removed from ``entries``, so that only the game's files are left there. Raises
    ``BrokenArchiveError`` for a damaged list, ``BrokenFolderError`` for one without a version, and
    ``NewerFormatError``.
    """
    try:
        entry = entries.pop(LIST)
        if entry.file_size > LIST_FLOOR + LIST_LIMIT * len(entries):
            raise BrokenArchiveError(
                says("The archive is damaged: its list of files is too long for so few files.")
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
            says("The archive is damaged: {0} has changed since it was written.", ", ".join(wrong[:5]))
        )


def _pieces(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield the content of an entry in pieces. Raises ``BrokenArchiveError`` if it is damaged."""
    try:
        yield from pieces_of(archive, entry)
    except DAMAGE as error:
        raise _damaged(error) from None


def _refuse_outside(name: str) -> None:
    """Raise ``BrokenArchiveError`` for a name that is no place inside a game."""
    if not is_place(name) or is_passing(PurePosixPath(name).parts):
        raise BrokenArchiveError(
            says("The archive holds a file called {0!r}, which is not a place inside a game.", name)
        )
