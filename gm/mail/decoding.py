"""Text and files as mail carries them: character sets, encoded words, transfer encodings (RFC 2045-2047)."""

import binascii
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header
from itertools import takewhile

from gm.text.charsets import known_charset

_ENCODED = 2000
_FILES = 100

_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_BASE64_PIECE = re.compile(rb"([^=]+)(=*)")
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]*")
_ODD_BYTES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UU_KINDS = ("x-uuencode", "uuencode", "x-uue", "uue")
_UU_BEGIN = re.compile(rb"(?m)^begin [0-7]{3,4} ([^\r\n]{1,200})\r?\n")
_UU_END = re.compile(rb"(?m)^end[ \t]*\r?$")


def unflowed(text: str, *, delete_space: bool) -> str:
    """Return a text whose long lines are joined again (RFC 3676), without stuffed spaces."""
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
    """Return a text with its encoded words (RFC 2047) decoded; malformed ones stay as they are."""
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
            # how the library hands over what was plain
            words.append(data.decode("raw_unicode_escape", "replace"))
        else:
            codec = known_charset(charset)
            words.append(data.decode(codec, "replace") if codec else header_text(data))
    return "".join(words)


def header_text(data: bytes) -> str:
    """Return the text of a header field: UTF-8, or else the usual encoding of Western programs."""
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8")
    return data.decode("cp1252", "replace")


def decoded_body(data: bytes, encoding: str) -> bytes:
    """Return a content with its transfer encoding undone, as far as that can be."""
    if encoding == "base64":
        return _unbase64(data.partition(b"\n--")[0])
    if encoding == "quoted-printable":
        data = binascii.a2b_qp(data)
    elif encoding in _UU_KINDS:
        return next((content for _, content in uuencoded(data)), b"")
    return data.replace(b"\r\n", b"\n")


def _unbase64(data: bytes) -> bytes:
    """Return decoded base64, in one piece or in several with padding each, as far as it is valid.

    A mailing list may have added a footer, which is no piece.
    """
    pieces: list[bytes] = []
    for piece in _BASE64_PIECE.finditer(data):
        letters = (
            _NO_BASE64.sub(b"", piece[1])
            if not pieces
            else _next_piece(piece[1], pieces, padded=bool(piece[2]))
        )
        if not letters:
            break
        usable = len(letters) - (len(letters) % 4 == 1)
        pieces.append(binascii.a2b_base64(letters[:usable] + b"=" * (-usable % 4)))
    return b"".join(pieces)


def _next_piece(text: bytes, earlier: Sequence[bytes], *, padded: bool) -> bytes:
    """Return the letters of the next piece of base64, after the padding of the piece ``earlier``.

    It is empty for other text: a piece is lines of letters alone, the last of which, without padding, must
    go on as text.
    """
    lines = text.strip().splitlines()
    pure = list(takewhile(_BASE64_LINE.fullmatch, map(bytes.strip, lines)))
    letters = b"".join(pure)
    if padded:
        return letters if len(pure) == len(lines) else b""
    return (
        letters
        if len(letters) % 4 == 0 and _goes_on(b"".join(earlier), binascii.a2b_base64(letters))
        else b""
    )


def _goes_on(text: bytes, continuation: bytes) -> bool:
    """Return whether decoded bytes continue the text above: a word mistaken for base64 gives other bytes."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return True
    if b"\0" in text:
        return True
    try:
        continuation.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not _ODD_BYTES.search(continuation)


def uuencoded(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files (name, content) in a text in the format from before MIME."""
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
    """Return a decoded line of a uuencoded file; empty for a malformed one."""
    line = line.rstrip(b"\r")
    # some programs write more characters than the line's length says
    length = (((line[0] - 32) & 63) * 4 + 5) // 3 if line else 0
    for part in (line, line[:length]):
        with suppress(binascii.Error):
            return binascii.a2b_uu(part) if part else b""
    return b""
