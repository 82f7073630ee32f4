"""The text of an order file, in whatever format it was saved or packed.

Mail and files on the disk are read alike. An unusable file is never guessed at: a word names the reason. Mail
has a sentence of advice for each in ``templates/mail/advice.yaml``, files have those in this module.
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
# bytes of an order file that comes by mail; the longest that anybody wrote has a tenth of it
FILE_LIMIT = 128 * 1024

_PGP_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"

_DOCUMENTS = re.compile(r"\.(docx?|odt|rtf|pdf|xlsx?|ods|pages|numbers|html?|mht|msg|wps)\Z", re.IGNORECASE)
# those of office programs and of Outlook, too
_DOCUMENT_STARTS = (b"%PDF", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_ARCHIVES = re.compile(r"\.(7z|rar|gz|tgz|bz2|xz|zst|tar|cab|lzh|arj|ace)\Z", re.IGNORECASE)
_ARCHIVE_STARTS = (
    b"\x1f\x8b",
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
"""Parts without readable orders: advice for each, and the kinds, names and beginnings that show them."""


def unsigned(text: str) -> str:
    """Return a text without the frame that PGP puts around signed text; the signature is not checked."""
    lines = text.split("\n")
    if _PGP_SIGNED not in lines:
        return text
    start = lines.index(_PGP_SIGNED) + 1
    while start < len(lines) and lines[start].strip():  # "Hash: SHA256"
        start += 1
    end = lines.index(_PGP_SIGNATURE, start) if _PGP_SIGNATURE in lines[start:] else len(lines)
    return "\n".join(line.removeprefix("- ") for line in lines[start + 1 : end])


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
"""Why a file cannot be used, by the words of advice."""


def offered_file(path: Path) -> Submission:
    """Return the order file at a path. Raises ``OSError``."""
    with path.open("rb") as opened:
        return offered_data(path.name, opened.read(READ_LIMIT))


def offered_data(name: str, data: bytes) -> Submission:
    """Return the order file in these bytes. ``name``: its file name, which is shown and gives its type."""
    content = unpacked_text(name, data, limit=SIZE_LIMIT)
    if isinstance(content, str):
        return Submission(name, data, problem=_WHY_NOT[content])
    return content if content.name == name else content.evolve(name=f"{name}/{content.name}")


def unpacked_text(name: str, data: bytes, charset: str = "", *, limit: int = FILE_LIMIT) -> Submission | str:
    """Return a file as UTF-8, taken out of its archive and its signature, or a word of advice.

    Of a text that is longer than the limit, one byte more is returned. ``charset`` is the one that a mail
    names.
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
    """Return the text of a file in UTF-8 without its signature, or that it is encrypted."""
    decoded = as_utf8(data, charset).decode("utf-8", "surrogateescape")
    text = plain_spaces(decoded).encode("utf-8", "surrogateescape")
    if text.startswith(_PGP_SIGNED.encode()):
        text = unsigned(text.decode("utf-8", "replace")).encode()
    if PGP_MESSAGE.encode() in text[:2000]:
        return "encrypted"
    return Submission(name, text[: limit + 1])


def useless(kind: str, name: str, data: bytes) -> str:
    """Return the word of advice for a file that cannot hold orders; empty if it can.

    ``kind``: its type in a mail.
    """
    small = name.lower()
    for advice, kinds, names, starts in _UNREADABLE_KINDS:
        if kinds.match(kind) or names.search(small) or data.startswith(starts):
            return advice
    return ""


# -- archives: whatever a zip archive says of itself, no more is unpacked than an order file may have --------

_ENTRIES = 100
_OVERHEAD = 64 * 1024  # bytes that an archive may have beyond what is in it
# others unpack by blocks, and a small one may hold a very large
_ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_CLUTTER = ("__macosx", "thumbs.db", "desktop.ini")


def unzipped(data: bytes, limit: int = FILE_LIMIT) -> Submission | str:
    """Return the one file in a zip archive, or a word of advice. Raises nothing, whatever the bytes are."""
    try:
        return _only_file(data, limit) if len(data) <= limit + _OVERHEAD else "too-large"
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError):
        return "zip-broken"
    except (RuntimeError, ValueError, LookupError, OverflowError):  # the archive says nonsense of itself
        return "zip-broken"


def _only_file(data: bytes, limit: int) -> Submission | str:
    """Return the only file of a zip archive, or the word of advice for why there is none."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        if len(archive.filelist) > _ENTRIES:
            return "zip-many"
        offered = []
        for entry in archive.infolist():
            # what some systems put beside the file: ``__MACOSX/._orders.yaml``, ``.DS_Store``
            parts = PurePosixPath(entry.filename.replace("\\", "/")).parts
            if not entry.is_dir() and not any(
                part.startswith(".") or part.lower() in _CLUTTER for part in parts
            ):
                offered.append(entry)
        if len(offered) != 1:
            return "zip-many" if offered else "zip-broken"
        (entry,) = offered
        if entry.flag_bits & 1:
            return "encrypted"
        if entry.compress_type not in _ZIP_METHODS:
            return "archive"
        with archive.open(entry) as file:
            content = file.read(limit + 1)
    if len(content) > limit:
        return "too-large"
    return Submission(base_name(entry.filename) or "a file in a zip archive", content)


def base_name(name: str) -> str:
    """Return the last part of a file name, to be shown: the name may be a path to anywhere."""
    printed = printable(" ".join(name.split()))[:10_000]
    return re.split(r"[/\\]", printed)[-1][-80:]
