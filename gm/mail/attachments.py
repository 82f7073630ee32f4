"""The order file in a message, whatever the mail programs between its player and us have done to it.

What cannot be used is never guessed at: the sender is told what to do instead. The words of advice are the names of
sentences in ``templates/mail/advice.yaml``.
"""

from __future__ import annotations

import binascii
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from email.message import Message
from io import BytesIO
from pathlib import PurePosixPath

from gm.kernel.campaign.receiving import Offer
from gm.kernel.diagnostics import printable
from gm.kernel.source import SIZE_LIMIT

PARTS_LIMIT = 100
"""So many parts of a message are looked at; one with more is no letter."""

_NAME_LENGTH = 80
_ZIP = b"PK\x03\x04"
_ORDERS = re.compile(r"(?m)^[ \t]*orders[ \t]*:[ \t]*['\"]?\d", re.IGNORECASE)
_FENCE = re.compile(r"(?m)^[ \t]*(?:```+|~~~+)[^\n`]*\n(.*?)^[ \t]*(?:```+|~~~+)[ \t]*$", re.DOTALL)
_SIGNATURE = re.compile(r"(?m)^-- ?$|^_{10,}$")
_TEXT_NAMES = (".yaml", ".yml", ".txt", ".text")
_WINMAIL = ("application/ms-tnef", "application/vnd.ms-tnef")
_ENCRYPTED = ("application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_DOCUMENTS = re.compile(r"\.(docx?|odt|rtf|pdf|xlsx?|ods|pages)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Find:
    """What a message holds: candidates for order files, best first, and words of advice, the most important first."""

    files: tuple[Offer, ...] = ()
    advice: tuple[str, ...] = ()


def find_files(parts: Iterable[Message]) -> Find:
    """Every file among a message's parts that may be orders. Attachments come before what stands in the text itself.

    Of a text, what stands between fences counts, or else what begins with a line ``orders: 1``; quoted lines never.
    """
    found = _Finding()
    for number, part in enumerate(parts):
        if number >= PARTS_LIMIT - 1:
            found.advise("too-many-parts")
            break
        found.look_at(part)
    return found.result()


class _Finding:
    """What was found so far in the parts of one message."""

    def __init__(self) -> None:
        self._attached: list[Offer] = []
        self._written: list[Offer] = []
        self._advice: dict[str, None] = {}
        self._html = False

    def advise(self, *words: str) -> None:
        self._advice |= dict.fromkeys(words)

    def look_at(self, part: Message) -> None:
        kind, name, data = part.get_content_type(), _name(part), _bytes(part)
        useless = _useless(kind, name, data)
        if useless:
            self.advise(useless)
        elif data[:4] == _ZIP:
            offers, problem = _unzipped(data)
            self._attached += offers
            self.advise(*problem)
        elif kind == "text/html" and not name:
            self._html = True
        elif len(data) > SIZE_LIMIT:
            self.advise("too-large")
        elif name:
            offer = _attached(part, name, data)
            self._attached += [offer] if offer else []
        elif kind == "text/plain":
            self._written += _written(part, data)

    def result(self) -> Find:
        files = tuple({offer.data: offer for offer in (self._attached or self._written)}.values())
        if files:
            # pictures in signatures and the like are nobody's business when the orders are there
            return Find(files, tuple(each for each in self._advice if each in ("zip-many", "too-large")))
        if self._html and not self._advice:
            self.advise("html-only")
        return Find((), tuple(self._advice) or ("no-file",))


def _useless(kind: str, name: str, data: bytes) -> str:
    """The word of advice for a part from which nobody can read orders; empty for any other."""
    if kind in _WINMAIL or name.lower() == "winmail.dat":
        return "winmail"
    if kind in _ENCRYPTED:
        return "encrypted"
    if _DOCUMENTS.search(name) or data[:4] == b"%PDF":
        return "document"
    return "picture" if kind.startswith("image/") else ""


def _name(part: Message) -> str:
    """The name under which a file came: shown and looked at for its ending, never used as a path."""
    try:
        name = part.get_filename("") or ""
    except (ValueError, LookupError, TypeError, AttributeError):
        name = ""
    name = re.split(r"[/\\]", printable(" ".join(name.split())))[-1]
    return name[-_NAME_LENGTH:]


def _bytes(part: Message) -> bytes:
    """A part as its sender had it, the transfer encoding undone as far as it can be."""
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError, binascii.Error):
        data = None
    return data if isinstance(data, bytes) else b""


def _attached(part: Message, name: str, data: bytes) -> Offer | None:
    """An attachment as a candidate: one with the ending of a text file, or any that reads like orders."""
    text = _text(data, part.get_content_charset())
    if not name.lower().endswith(_TEXT_NAMES) and (b"\0" in text or not _looks_like_orders(text)):
        return None
    return Offer(name, text)


def _looks_like_orders(data: bytes) -> bool:
    return bool(_ORDERS.search(data[:20_000].decode("utf-8", "replace")))


def _text(data: bytes, charset: str | None) -> bytes:
    """A text's bytes in UTF-8. What is UTF-8 already stays byte for byte what its player has on his disk."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").encode()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return data
    for name in (charset or "", "windows-1252"):
        try:
            return data.decode(name).encode()
        except (LookupError, ValueError):
            continue
    return data.decode("latin-1").encode()


def _written(part: Message, data: bytes) -> list[Offer]:
    """The orders in the text of the message itself."""
    text = _text(data, part.get_content_charset()).decode("utf-8", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    if part.get_param("format") == "flowed":
        text = _unflowed(text, delete_space=part.get_param("delsp") == "yes")
    fenced = [match[1] for match in _FENCE.finditer(text) if _ORDERS.search(match[1])]
    if fenced:
        return [Offer("the text of the mail", each.encode()) for each in fenced]
    start = re.search(r"(?m)^orders[ \t]*:[ \t]*['\"]?\d", text, re.IGNORECASE)
    if start is None:
        return []
    body = _SIGNATURE.split(text[start.start() :], maxsplit=1)[0]
    kept = [line for line in body.split("\n") if not line.startswith(">")]
    return [Offer("the text of the mail", "\n".join(kept).rstrip("\n").encode() + b"\n")]


def _unflowed(text: str, *, delete_space: bool) -> str:
    """RFC 3676: long lines put together again, and the one space taken off that was put before others."""
    lines: list[str] = []
    joins = False
    for line in text.split("\n"):
        plain = line[1:] if line.startswith(" ") else line
        if joins and not line.startswith(">"):
            lines[-1] += plain
        else:
            lines.append(plain)
        joins = plain.endswith(" ") and plain != "-- " and bool(plain.strip())
        if joins and delete_space:
            lines[-1] = lines[-1][:-1]
    return "\n".join(line.rstrip() for line in lines)


def _unzipped(data: bytes) -> tuple[list[Offer], tuple[str, ...]]:
    """The one file of a zip archive. Never more than a file's size limit is unpacked, whatever the archive says."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            if len(archive.filelist) > PARTS_LIMIT:
                return [], ("zip-many",)
            entries = [each for each in archive.infolist() if not each.is_dir() and not _hidden(each.filename)]
            if len(entries) != 1:
                return [], ("zip-many" if entries else "zip-broken",)
            (entry,) = entries
            if entry.flag_bits & 1:
                return [], ("encrypted",)
            with archive.open(entry) as file:
                content = file.read(SIZE_LIMIT + 1)
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        OSError,
        RuntimeError,
        ValueError,
    ):
        return [], ("zip-broken",)
    if len(content) > SIZE_LIMIT:
        return [], ("too-large",)
    name = re.split(r"[/\\]", printable(entry.filename))[-1][-_NAME_LENGTH:]
    return [Offer(name or "zip", _text(content, None))], ()


def _hidden(name: str) -> bool:
    """What some systems put into archives beside the file: ``__MACOSX/._orders.yaml``, ``.DS_Store``."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)
