"""The text of an order file, in whatever format it was saved or packed.

Mail and files on the disk are read alike. What an unusable file may mean is never guessed: a *word of advice*
names the reason. Each word has a sentence: for mail in ``templates/mail/advice.yaml``, for files on the disk
in this module.
"""

import re
import zipfile
import zlib
from io import BytesIO
from pathlib import Path, PurePosixPath

from gm.campaign.receive import Submission
from gm.core.diagnostics import printable, says
from gm.core.yaml.source import SIZE_LIMIT
from gm.text.charsets import as_utf8, plain_spaces

READ_LIMIT = 2 * SIZE_LIMIT + 1  # bytes that are read of a file: as UTF-16 a text has twice its size
FILE_LIMIT = 128 * 1024  # bytes of an order file by mail, ten times as many as anybody ever wrote

_PGP_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"

_DOCUMENTS = re.compile(r"\.(docx?|odt|rtf|pdf|xlsx?|ods|pages|numbers|html?|mht|msg|wps)\Z", re.IGNORECASE)
_DOCUMENT_STARTS = (b"%PDF", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_ARCHIVES = re.compile(r"\.(7z|rar|gz|tgz|bz2|xz|zst|tar|cab|lzh|arj|ace)\Z", re.IGNORECASE)
_ARCHIVE_STARTS = (
    b"\x1f\x8b",  # gzip, 7z, rar, bzip2, xz, zstd
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
)
ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_NEVER_MATCHES = re.compile(r"(?!)")
_UNREADABLE_KINDS = (
    (
        "winmail",
        re.compile(r"application/(vnd\.)?ms-tnef\Z"),
        re.compile(r"\Awinmail\.dat\Z"),
        (b"\x78\x9f\x3e\x22",),
    ),
    ("signed", re.compile(r"application/(x-)?pkcs7-mime\Z"), re.compile(r"\.p7m\Z"), ()),
    ("encrypted", re.compile(r"application/pgp-encrypted\Z"), re.compile(r"\.(pgp|gpg)\Z"), ()),
    ("in-pieces", re.compile(r"message/partial\Z"), _NEVER_MATCHES, ()),
    ("elsewhere", re.compile(r"message/external-body\Z"), _NEVER_MATCHES, ()),
    ("picture", re.compile(r"(image|video|audio)/"), _NEVER_MATCHES, ()),
    ("document", _NEVER_MATCHES, _DOCUMENTS, (*_DOCUMENT_STARTS, b"{\\rtf")),
    ("archive", _NEVER_MATCHES, _ARCHIVES, _ARCHIVE_STARTS),
)
"""Files without readable orders: (word of advice, type in a mail, name, beginnings of the content)."""


def unsigned(text: str) -> str:
    """Return a text without the frame that PGP puts around signed text; the signature is not checked."""
    lines = text.split("\n")
    if _PGP_SIGNED not in lines:
        return text
    empty_line = lines.index(_PGP_SIGNED) + 1
    while empty_line < len(lines) and lines[empty_line].strip():  # PGP's own lines, e.g. "Hash: SHA256"
        empty_line += 1
    end = lines.index(_PGP_SIGNATURE, empty_line) if _PGP_SIGNATURE in lines[empty_line:] else len(lines)
    # PGP puts "- " before lines that begin with a dash
    return "\n".join(line.removeprefix("- ") for line in lines[empty_line + 1 : end])


_WHY_NOT = {
    "winmail": says("the file is packed as only Outlook can open it; save the orders as plain text"),
    "signed": says("the file is signed in a way that hides its text; save the orders as plain text"),
    "encrypted": says(
        "the file is encrypted, and the game has no key to read it; save the orders as plain text"
    ),
    "document": says("the file is a document of a word processor or the like; save the orders as plain text"),
    "archive": says("the file is an archive of a kind that pbem cannot open; unpack the order file first"),
    "zip-many": says("the zip archive holds several files; unpack the order file first"),
    "zip-nested": says("the zip archive holds another archive; unpack the order file first"),
    "zip-broken": says("the zip archive is empty or cannot be opened; unpack the order file first"),
    "too-large": says("the zip archive is far larger than any order file; unpack the order file first"),
}
"""Sentences why a file cannot be used, by the word of advice."""


def offered_file(path: Path) -> Submission:
    """Return the order file at a path as :func:`offered_data` does. Raises ``OSError``."""
    with path.open("rb") as opened:
        return offered_data(path.name, opened.read(READ_LIMIT))


def offered_data(name: str, data: bytes) -> Submission:
    """Return the order file in these bytes; if there is none, a submission with the problem.

    ``name``: its file name, which is shown and tells its type.
    """
    unpacked = unpacked_text(name, data, limit=SIZE_LIMIT)
    if isinstance(unpacked, str):
        return Submission(name, data, problem=_WHY_NOT[unpacked])
    # a file out of an archive is shown with the archive's name before its own
    return unpacked if unpacked.name == name else unpacked.evolve(name=f"{name}/{unpacked.name}")


def unpacked_text(name: str, data: bytes, charset: str = "", *, limit: int = FILE_LIMIT) -> Submission | str:
    """Return a file with its text in UTF-8, out of its zip archive and PGP signature, or a word of advice.

    A text longer than ``limit`` bytes is cut to one byte more. ``charset``: the one that a mail names.
    """
    advice = useless("", name, data)
    if advice:
        return advice
    if not data.startswith(ZIP_STARTS):
        return _text(name, data, charset, limit)
    unpacked = unzipped(data, limit)
    if isinstance(unpacked, str):
        return unpacked
    if _DOCUMENTS.search(unpacked.name) or unpacked.data.startswith(_DOCUMENT_STARTS):
        return "document"
    if unpacked.data.startswith((*ZIP_STARTS, *_ARCHIVE_STARTS)) or _ARCHIVES.search(unpacked.name):
        return "zip-nested"
    return _text(unpacked.name, unpacked.data, "", limit)


def _text(name: str, data: bytes, charset: str, limit: int) -> Submission | str:
    """Return a file with its text in UTF-8, without a PGP signature, or the word ``encrypted``.

    ``charset``: the one that a mail names; ``limit``: a text of more bytes is cut to one byte more.
    """
    decoded = as_utf8(data, charset).decode("utf-8", "surrogateescape")
    text = plain_spaces(decoded).encode("utf-8", "surrogateescape")
    if text.startswith(_PGP_SIGNED.encode()):
        text = unsigned(text.decode("utf-8", "replace")).encode()
    if PGP_MESSAGE.encode() in text[:2000]:
        return "encrypted"
    return Submission(name, text[: limit + 1])  # one byte more shows that it is too long


def useless(kind: str, name: str, data: bytes) -> str:
    """Return the word for the advice about a file that cannot hold orders (``picture``); empty if it can.

    ``kind``: its type in a mail, empty for a file on the disk; ``data``: its content, or the beginning of it.
    """
    lower_name = name.lower()
    for advice, kind_pattern, name_pattern, starts in _UNREADABLE_KINDS:
        if kind_pattern.match(kind) or name_pattern.search(lower_name) or data.startswith(starts):
            return advice
    return ""


# -- archives: whatever a zip archive says of itself, no more is unpacked than an order file may have --------

_ENTRIES = 100  # files that an archive may have
_OVERHEAD = 64 * 1024  # bytes that an archive may have beyond what is in it
# other methods unpack whole blocks at once, and a small block may become very large
_ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_CLUTTER = ("__macosx", "thumbs.db", "desktop.ini")


def unzipped(data: bytes, limit: int = FILE_LIMIT) -> Submission | str:
    """Return the one file in a zip archive, or the key of the advice why there is none, as ``zip-broken``.

    ``limit``: the most bytes that the file may have. Raises nothing, whatever the bytes are.
    """
    damage = (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError)
    nonsense = (RuntimeError, ValueError, LookupError, OverflowError)  # in the archive's directory
    try:
        return _only_file(data, limit) if len(data) <= limit + _OVERHEAD else "too-large"
    except (*damage, *nonsense):
        return "zip-broken"


def _only_file(data: bytes, limit: int) -> Submission | str:
    """Return the only file of a zip archive, or the word of advice for why there is none.

    ``limit``: the most bytes of its content. Raises the errors of a broken archive.
    """
    with zipfile.ZipFile(BytesIO(data)) as archive:
        if len(archive.filelist) > _ENTRIES:
            return "zip-many"
        files = []
        for entry in archive.infolist():
            # some systems put files of their own beside it: ``__MACOSX/._orders.yaml``, ``.DS_Store``
            parts = PurePosixPath(entry.filename.replace("\\", "/")).parts
            is_clutter = any(part.startswith(".") or part.lower() in _CLUTTER for part in parts)
            if not entry.is_dir() and not is_clutter:
                files.append(entry)
        if len(files) != 1:
            return "zip-many" if files else "zip-broken"
        (entry,) = files
        if entry.flag_bits & 1:  # it has a password
            return "encrypted"
        if entry.compress_type not in _ZIP_METHODS:
            return "archive"
        with archive.open(entry) as file:
            content = file.read(limit + 1)
    if len(content) > limit:
        return "too-large"
    return Submission(base_name(entry.filename) or "a file in a zip archive", content)


def base_name(name: str) -> str:
    """Return the last part of a file name that is a path, at most 80 characters of it, to be shown."""
    printed = printable(" ".join(name.split()))[:10_000]
    return re.split(r"[/\\]", printed)[-1][-80:]
