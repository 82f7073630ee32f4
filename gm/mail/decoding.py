"""Text and files as mail carries them: character sets, encoded words, transfer encodings (RFC 2045, 2047, 3676)."""

import binascii
import codecs
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header
from itertools import takewhile

from gm.mail.phrases import mail_data

_ENCODED, _FILES = 2000, 100

_CHARSET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:+-]{0,39}\Z")
_BOMS = {"utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)}
_SEVEN_BITS = ("utf-7", "hz")  # their bytes are good UTF-8, too: only the mail's word tells them from it
_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_BASE64_PIECE = re.compile(rb"([^=]+)(=*)")
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]*")
_ODD_BYTES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UU_KINDS = ("x-uuencode", "uuencode", "x-uue", "uue")
_UU_BEGIN = re.compile(rb"(?m)^begin [0-7]{3,4} ([^\r\n]{1,200})\r?\n")
_UU_END = re.compile(rb"(?m)^end[ \t]*\r?$")


def as_utf8(data: bytes, charset: str = "") -> bytes:
    """A text's bytes in UTF-8. What is UTF-8 already stays byte for byte what its player has on his disk. ``charset``
    is what the mail calls it, and it is asked only when the bytes do not say it themselves."""
    known = known_charset(charset) if charset else ""
    wide = known if known.startswith(("utf-16", "utf-32")) else _wide(data)
    marked = next((name for name, marks in _BOMS.items() if data.startswith(marks)), "")
    if not marked and wide and b"\0" in data:
        marked = wide
    elif not marked and (known in _SEVEN_BITS or known.startswith("iso2022")):
        marked = known
    if marked:
        return data.decode(marked, "replace").encode("utf-8", "replace")
    with suppress(UnicodeDecodeError):
        return data if data.decode("utf-8") else b""
    for name in (known or "cp1252", "cp1252"):
        with suppress(ValueError):
            return data.decode(name).encode("utf-8", "replace")
    return data.decode("latin-1").encode()


def _wide(data: bytes) -> str:
    """UTF-16 without a mark: every other byte of a text in any European language is zero."""
    some = data[:2000]
    half = len(some) // 2
    if half < 8:
        return ""
    if some[1::2].count(0) > half * 0.7 and not some[0::2].count(0):
        return "utf-16-le"
    return "utf-16-be" if some[0::2].count(0) > half * 0.7 and not some[1::2].count(0) else ""


def unflowed(text: str, *, delete_space: bool) -> str:
    """RFC 3676: long lines put together again, and the one space taken off that was put before others."""
    lines: list[list[str]] = []
    joins = False
    for line in text.split("\n"):
        plain = line[1:] if line.startswith(" ") else line
        if joins and not line.startswith(">"):
            lines[-1].append(plain)
        else:
            lines.append([plain])
        joins = plain.endswith(" ") and plain != "-- " and bool(plain.strip())
        if joins and delete_space:
            lines[-1][-1] = plain[:-1]
    return "\n".join("".join(line).rstrip() for line in lines)


def decoded(text: str) -> str:
    """A text with its encoded words (RFC 2047) read; those that cannot be stay as they are."""
    if "=?" not in text:
        return text
    text = text[:_ENCODED]
    try:
        chunks: Sequence[tuple[bytes | str, str | None]] = decode_header(text)
    except (ValueError, MessageError):
        return text
    words = []
    for data, charset in chunks:
        if isinstance(data, str):
            words.append(data)
        elif charset is None:
            words.append(data.decode("raw_unicode_escape", "replace"))  # how the library hands over what was plain
        else:
            codec = known_charset(charset)
            words.append(data.decode(codec, "replace") if codec else header_text(data))
    return "".join(words)


def known_charset(name: str) -> str:
    """Python's name of a character set that mail may be written in; empty for any other word."""
    charsets = mail_data("charsets.yaml")
    name = charsets["aliases"].get(name.strip().lower(), name.strip())
    if not _CHARSET_NAME.match(name):
        return ""
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return ""
    if found in ("ascii", "iso8859-1"):
        return "cp1252"  # what programs mean that say so
    return found if re.fullmatch("|".join(charsets["families"]), found) else ""


def header_text(data: bytes) -> str:
    """Bytes of a header field: UTF-8 nowadays, or what Western programs used to write."""
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8")
    return data.decode("cp1252", "replace")


def decoded_body(data: bytes, encoding: str) -> bytes:
    """A content with its transfer encoding undone, as far as that can be."""
    if encoding == "base64":
        return _unbase64(data.partition(b"\n--")[0])
    if encoding == "quoted-printable":
        data = binascii.a2b_qp(data)
    elif encoding in _UU_KINDS:
        return next((content for _, content in uuencoded(data)), b"")
    return data.replace(b"\r\n", b"\n")


def _unbase64(data: bytes) -> bytes:
    """Return what was encoded as base64, in one piece or in several that are padded each, as far as it is some: a
    mailing list may have written its footer below it, whose words are no piece."""
    found: list[bytes] = []
    for piece in _BASE64_PIECE.finditer(data):
        letters = _NO_BASE64.sub(b"", piece[1]) if not found else _next_piece(piece[1], found, padded=bool(piece[2]))
        if not letters:
            break
        usable = len(letters) - (len(letters) % 4 == 1)
        found.append(binascii.a2b_base64(letters[:usable] + b"=" * (-usable % 4)))
    return b"".join(found)


def _next_piece(text: bytes, found: Sequence[bytes], *, padded: bool) -> bytes:
    """Return the letters of one more piece of base64 behind the padding of those that were ``found``; none when it is
    something else: lines of nothing but letters, of which the last ones without padding go on as a text."""
    lines = text.strip().splitlines()
    pure = list(takewhile(_BASE64_LINE.fullmatch, map(bytes.strip, lines)))
    letters = b"".join(pure)
    if padded:
        return letters if len(pure) == len(lines) else b""
    return letters if len(letters) % 4 == 0 and _goes_on(b"".join(found), binascii.a2b_base64(letters)) else b""


def _goes_on(text: bytes, more: bytes) -> bool:
    """Return whether bytes go on as the text above them does: a mere word that is taken for base64 makes odd ones."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return True
    if b"\0" in text:
        return True
    try:
        more.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not _ODD_BYTES.search(more)


def uuencoded(text: bytes) -> Iterator[tuple[str, bytes]]:
    """The files (name, content) that stand in a text the way mail carried them before MIME."""
    at = 0
    for _ in range(_FILES):
        begin = _UU_BEGIN.search(text, at)
        end = _UU_END.search(text, begin.end()) if begin else None
        if begin is None or end is None:
            return
        lines = text[begin.end() : end.start()].split(b"\n")
        yield begin[1].decode("utf-8", "replace").strip(), b"".join(map(_uu_line, lines))
        at = end.end()


def _uu_line(line: bytes) -> bytes:
    line = line.rstrip(b"\r")
    # some programs write more characters than the line's length says
    length = (((line[0] - 32) & 63) * 4 + 5) // 3 if line else 0
    for part in (line, line[:length]):
        with suppress(binascii.Error):
            return binascii.a2b_uu(part) if part else b""
    return b""
