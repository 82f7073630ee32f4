"""Text and files as mail carries them: character sets, encoded words, transfer encodings (RFC 2045-2047)."""

import binascii
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header
from itertools import takewhile

from gm.text.charsets import known_charset

_ENCODED = 2000  # characters of a text with encoded words
_FILES = 100  # uuencoded files in a text

_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_BASE64_PIECE = re.compile(rb"([^=]+)(=*)")
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]*")
_ODD_BYTES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UU_KINDS = ("x-uuencode", "uuencode", "x-uue", "uue")
_UU_BEGIN = re.compile(rb"(?m)^begin [0-7]{3,4} ([^\r\n]{1,200})\r?\n")
_UU_END = re.compile(rb"(?m)^end[ \t]*\r?$")


def unflowed(text: str, *, delete_space: bool) -> str:
    """Return a text of the format "flowed" (RFC 3676) with its divided lines joined again.

    A line that goes on in the next one ends with a space, which is removed with ``delete_space``; a space in
    front of a line is removed.
    """
    lines: list[list[str]] = []  # the pieces of each line
    goes_on = False
    for line in text.split("\n"):
        piece = line[1:] if line.startswith(" ") else line
        if goes_on and not line.startswith(">"):
            lines[-1].append(piece)
        else:
            lines.append([piece])
        # "-- " is the line above a signature
        goes_on = piece.endswith(" ") and piece != "-- " and bool(piece.strip())
        if goes_on and delete_space:
            lines[-1][-1] = piece[:-1]
    return "\n".join("".join(pieces).rstrip() for pieces in lines)


def decoded(text: str) -> str:
    """Return a text with its encoded words (RFC 2047) decoded; malformed ones stay as they are.

    A very long text with encoded words is cut short.
    """
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
            # text between encoded words: the library has encoded it in this way
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
    """Return a content without its transfer encoding (``base64`` ...), as far as it can be decoded.

    Of uuencoded content only the first file is returned. If it is neither in base64 nor uuencoded, its lines
    end with LF.
    """
    if encoding == "base64":
        return _unbase64(data.partition(b"\n--")[0])
    if encoding == "quoted-printable":
        data = binascii.a2b_qp(data)
    elif encoding in _UU_KINDS:
        return next((content for _, content in uuencoded(data)), b"")
    return data.replace(b"\r\n", b"\n")


def _unbase64(data: bytes) -> bytes:
    """Return decoded base64, as far as it is valid.

    It may have several pieces, each with padding (``=``) at its end. Behind them may be a footer that a
    mailing list has added, which is no piece.
    """
    pieces: list[bytes] = []
    for match in _BASE64_PIECE.finditer(data):
        if pieces:
            letters = _next_piece(match[1], pieces, padded=bool(match[2]))
        else:
            letters = _NO_BASE64.sub(b"", match[1])
        if not letters:
            break
        usable = len(letters)
        if usable % 4 == 1:  # a single letter is less than a byte
            usable -= 1
        pieces.append(binascii.a2b_base64(letters[:usable] + b"=" * (-usable % 4)))
    return b"".join(pieces)


def _next_piece(text: bytes, earlier: Sequence[bytes], *, padded: bool) -> bytes:
    """Return the letters of base64 in the text behind the padding of earlier pieces; empty if it is a footer.

    A piece with padding (``padded``) is lines of letters alone. One without is as many such lines as there
    are, if they decode to bytes that continue the ``earlier`` decoded pieces.
    """
    lines = text.strip().splitlines()
    letter_lines = list(takewhile(_BASE64_LINE.fullmatch, map(bytes.strip, lines)))
    letters = b"".join(letter_lines)
    if padded:
        return letters if len(letter_lines) == len(lines) else b""
    if len(letters) % 4 == 0 and _goes_on(b"".join(earlier), binascii.a2b_base64(letters)):
        return letters
    return b""


def _goes_on(text: bytes, continuation: bytes) -> bool:
    """Return whether ``continuation``, decoded from base64, can be the rest of the content after ``text``.

    After a text it must be text itself: an ordinary word, decoded as if it were base64, is none. After other
    bytes anything can follow.
    """
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
    """Yield (name, content) of each uuencoded file in a text, up to a limit: the format from before MIME."""
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
    # the first character says how many bytes the line has; some programs write more characters than they
    # take: ``length`` is how many of them are needed, as in the library's old module ``uu``
    length = (((line[0] - 32) & 63) * 4 + 5) // 3 if line else 0
    for usable in (line, line[:length]):
        with suppress(binascii.Error):
            return binascii.a2b_uu(usable) if usable else b""
    return b""
