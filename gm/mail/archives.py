"""The one file of a zip archive. Whatever it says of itself, no more is unpacked than an order file may have."""

from __future__ import annotations

import re
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath

from gm.core.diagnostics import printable

FILE_LIMIT = 128 * 1024
"""Bytes of an order file that comes by mail; the longest that anybody wrote has a tenth of it."""

ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
_OTHERS = (b"\x1f\x8b", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd")
_OTHER_NAMES = re.compile(r"\.(7z|rar|gz|tgz|bz2|xz|zst|tar|cab|lzh|arj|ace)\Z", re.IGNORECASE)

_ENTRIES = 100
_OVERHEAD = 64 * 1024
"""Bytes that an archive may have beyond what is in it."""
# the others unpack a block at a time, and a small block may hold a very large one
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_CLUTTER = ("__macosx", "thumbs.db", "desktop.ini")


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What is in an archive: the one file's name and content, or else a word of advice."""

    name: str = ""
    data: bytes = b""
    advice: str = ""


def is_zip(beginning: bytes) -> bool:
    """Whether a file is a zip archive, by its first bytes."""
    return beginning.startswith((ZIP, _EMPTY_ZIP))


def is_other_archive(name: str, beginning: bytes) -> bool:
    """Whether a file is an archive of a kind that is not opened here."""
    return beginning.startswith(_OTHERS) or _OTHER_NAMES.search(name) is not None


def unzipped(data: bytes) -> Unpacked:
    """The one file in a zip archive. Raises nothing, whatever the bytes are."""
    if len(data) > FILE_LIMIT + _OVERHEAD:
        return Unpacked(advice="too-large")
    try:
        return _only_file(data)
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        zlib.error,
        EOFError,
        OSError,
        RuntimeError,
        ValueError,
        LookupError,
        OverflowError,
        NotImplementedError,
    ):
        return Unpacked(advice="zip-broken")


def _only_file(data: bytes) -> Unpacked:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        if len(archive.filelist) > _ENTRIES:
            return Unpacked(advice="zip-many")
        entries = [each for each in archive.infolist() if not each.is_dir() and not _clutter(each.filename)]
        if len(entries) != 1:
            return Unpacked(advice="zip-many" if entries else "zip-broken")
        (entry,) = entries
        if entry.flag_bits & 1:
            return Unpacked(advice="encrypted")
        if entry.compress_type not in _METHODS:
            return Unpacked(advice="archive")
        with archive.open(entry) as file:
            content = file.read(FILE_LIMIT + 1)
    if len(content) > FILE_LIMIT:
        return Unpacked(advice="too-large")
    return Unpacked(base_name(entry.filename) or "a file in a zip archive", content)


def _clutter(name: str) -> bool:
    """What some systems put into archives beside the file: ``__MACOSX/._orders.yaml``, ``.DS_Store``."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(part.startswith(".") or part.lower() in _CLUTTER for part in parts)


def base_name(name: str) -> str:
    """The last part of a name, to be shown: it may have been made as a path to anywhere."""
    return re.split(r"[/\\]", printable(" ".join(name.split())))[-1][-80:]
