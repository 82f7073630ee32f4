"""A whole game in one zip archive with a list of hashes, so that any damage shows; the same game gives the same bytes.
Without keys it is for somebody who may replay turns but neither give orders nor know dice still to be rolled."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath

from gm.store import StoreError
from gm.store.change import CHANGE
from gm.store.disk import BUILDING, LOCK
from gm.store.formats import Format
from gm.store.inbox import fingerprint
from gm.store.keyless import without_secrets
from gm.store.trust import IMPORTED_FILE

ARCHIVE = Format("archive of a game", 1)
LIST = "archive.json"

FILES_LIMIT = 200_000
SIZE_LIMIT = 4 * 1024**3
"""Bytes of all files together: a game of two years has a tenth of it."""

_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError),
    *(ArithmeticError, LookupError, TypeError, ValueError, RuntimeError),
)
"""What reading a damaged archive may come to."""

_STAMP = (1980, 1, 1, 0, 0, 0)
OF_ONE_COPY = (IMPORTED_FILE, "mail/lease.json", "mail/restored.json")
"""What belongs to this copy of a game alone: it goes into no archive, and one in an archive counts for nothing."""


class BrokenArchiveError(StoreError):
    """The file is no archive of a game, or not all of it is there as it was written."""


def pack(folder: Path, newest: int, *, keys: bool = True) -> tuple[bytes, list[str]]:
    """The game in a folder as one archive. ``newest``: its newest turn; without ``keys``, nothing secret goes in but
    addresses that players wrote into order files, which are named."""
    files = {name: path.read_bytes() for name, path in _files(folder)}
    told: list[str] = []
    if not keys:
        files, told = without_secrets(files, newest)
    hashes = {name: fingerprint(data) for name, data in files.items()}
    listed = ARCHIVE.encode({"keys": keys, "turn": newest, "files": hashes})
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, data in ((LIST, listed), *files.items()):
            entry = zipfile.ZipInfo(name, _STAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, data)
    return target.getvalue(), told


def unpack(data: bytes) -> tuple[dict[str, bytes], bool]:
    """The files of an archive by name, and whether it has keys. Raises ``BrokenArchiveError`` and
    ``NewerFormatError``."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entries = archive.infolist()
            if any(entry.compress_type not in _PACKED for entry in entries):
                raise BrokenArchiveError("The archive is packed in a way that gm never packs one.")
            if len(entries) > FILES_LIMIT or sum(entry.file_size for entry in entries) > SIZE_LIMIT:
                raise BrokenArchiveError("The archive is larger than any game.")
            files = {entry.filename: archive.read(entry) for entry in entries if not entry.is_dir()}
        listed = ARCHIVE.current(json.loads(files.pop(LIST)), LIST)
        hashes, keys = dict(listed["files"]), bool(listed["keys"])
    except _DAMAGE as error:
        raise BrokenArchiveError(f"This is no archive of a game, or it is damaged: {error}.") from None
    wrong = sorted(hashes.keys() ^ files.keys())
    wrong += sorted(name for name in hashes.keys() & files.keys() if fingerprint(files[name]) != hashes[name])
    if wrong:
        raise BrokenArchiveError(f"The archive is damaged: {', '.join(wrong[:5])} is not as it was written.")
    for name in files:
        if not _safe(name):
            raise BrokenArchiveError(f"The archive holds a file called {name!r}, which is no place inside a game.")
    return {name: data for name, data in files.items() if name not in OF_ONE_COPY}, keys


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every file of a game, by name, but the lock and what killed runs left."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not path.is_symlink() and not _passing(parts) and "/".join(parts) not in OF_ONE_COPY:
            yield "/".join(parts), path


def _passing(parts: tuple[str, ...]) -> bool:
    """Whether a file is one that a command at work makes: a change that is half done would be carried out."""
    names = [part.lower() for part in parts]  # some disks tell big letters from small ones, others do not
    return any(name.startswith(".") and (name.endswith(BUILDING) or name in (LOCK, CHANGE)) for name in names)


def _safe(name: str) -> bool:
    path = PurePosixPath(name)
    inside = bool(path.parts) and not path.is_absolute() and ".." not in path.parts
    return inside and path.as_posix() == name and not _passing(path.parts) and not any(each in name for each in "\\:\0")
