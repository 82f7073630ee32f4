"""A message taken apart into its parts, in time and memory that depend on its size alone.

The standard library's parser is made for letters that mean well: nested parts cost it depth times lines, and it reads
all of ten thousand parts. Here no more is looked at than any letter has, and nothing is copied before it is wanted.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gm.mail.header import Header, read_header

PARTS_LIMIT = 100
"""So many parts of a message are looked at; one with more is no letter."""
_NODES_LIMIT = 400
_DEPTH_LIMIT = 20
_BOUNDARY_LENGTH = 200

_MESSAGES = ("message/rfc822", "message/global")
_UU_KINDS = ("x-uuencode", "uuencode", "x-uue", "uue")
_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_UU_BEGIN = re.compile(rb"(?m)^begin [0-7]{3,4} ([^\r\n]{1,200})\r?\n")
_UU_END = re.compile(rb"(?m)^end[ \t]*\r?$")


@dataclass(frozen=True, slots=True)
class Part:
    """A leaf of a message. ``inside`` are the headers of the messages that it was forwarded in, outermost first, and
    ``within`` the kinds of everything around it; ``data`` from ``start`` to ``end`` is its content as it was sent."""

    header: Header
    kind: str
    data: bytes
    start: int
    end: int
    inside: tuple[Header, ...] = ()
    within: tuple[str, ...] = ()

    @property
    def encoding(self) -> str:
        """The transfer encoding."""
        return self.header.word("Content-Transfer-Encoding")

    @property
    def size(self) -> int:
        """About so many bytes the content has; it is not decoded for this."""
        return (self.end - self.start) * 3 // 4 if self.encoding == "base64" else self.end - self.start

    def content(self) -> bytes:
        """The content with its transfer encoding undone, as far as that can be.

        What was not sent as base64 went through mail as lines of text, whose ends every server makes its own: they
        become those of a file here.
        """
        return decoded_body(self.data[self.start : self.end], self.encoding)

    def beginning(self, length: int) -> bytes:
        """The first bytes of the content."""
        return decoded_body(self.data[self.start : min(self.end, self.start + 2 * length)], self.encoding)[:length]


@dataclass(frozen=True, slots=True)
class Message:
    """A message taken apart: its header, its leaves in their order, and the headers of the messages inside it.

    ``within`` are the kinds of its outer parts; ``cut`` says that it had more parts than are looked at.
    """

    header: Header
    kind: str
    parts: tuple[Part, ...]
    messages: tuple[Header, ...]
    body: int
    cut: bool = False


def take_apart(data: bytes) -> Message:
    """A message's header and parts. Raises nothing, whatever the bytes are."""
    if b"\n" not in data[:2000] and b"\r" in data[:2000]:
        data = data.replace(b"\r", b"\n")  # lines as very old Macintosh programs end them
    header, body = read_header(data, 0, len(data))
    walk = _Walk()
    walk.look(_Place(data, header, body, len(data)))
    return Message(header, header.content_type(), tuple(walk.parts), tuple(walk.messages), body, walk.cut)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where something with a header stands, and what is around it."""

    data: bytes
    header: Header
    start: int
    end: int
    default: str = "text/plain"
    inside: tuple[Header, ...] = ()
    within: tuple[str, ...] = ()


class _Walk:
    """Goes through a message's tree until it has seen enough."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.messages: list[Header] = []
        self.cut = False
        self._seen = 0

    def look(self, at: _Place) -> None:
        self._seen += 1
        if self._seen > _NODES_LIMIT or len(self.parts) >= PARTS_LIMIT:
            self.cut = True
            return
        kind = at.header.content_type(at.default)
        deeper = (*at.within, kind)
        if len(deeper) > _DEPTH_LIMIT:
            self.cut = True
        elif kind.startswith("multipart/") and self._divided(at, kind, deeper):
            return
        elif kind in _MESSAGES:
            self._forwarded(at, deeper)
        else:
            # several parts without a boundary between them are a text
            leaf = "text/plain" if kind.startswith("multipart/") else kind
            self.parts.append(Part(at.header, leaf, at.data, at.start, at.end, at.inside, at.within))

    def _divided(self, at: _Place, kind: str, within: tuple[str, ...]) -> bool:
        """Look at each of several parts; whether there are any."""
        boundary = at.header.parameter("Content-Type", "boundary").rstrip()
        if not 0 < len(boundary) <= _BOUNDARY_LENGTH:
            return False
        default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        found = False
        for start, end in _segments(at.data, at.start, at.end, boundary.encode("utf-8", "replace")):
            found = True
            header, body = read_header(at.data, start, end)
            self.look(_Place(at.data, header, body, end, default, at.inside, within))
            if self.cut:
                break
        return found

    def _forwarded(self, at: _Place, within: tuple[str, ...]) -> None:
        """Look into a message that is a part of another; some programs encode it, though none should."""
        data, start, end = at.data, at.start, at.end
        if at.header.word("Content-Transfer-Encoding") in ("base64", "quoted-printable"):
            data = decoded_body(data[start:end], at.header.word("Content-Transfer-Encoding"))
            start, end = 0, len(data)
        header, body = read_header(data, start, end)
        self.messages.append(header)
        self.look(_Place(data, header, body, end, "text/plain", (*at.inside, header), within))


def _segments(data: bytes, start: int, end: int, boundary: bytes) -> Iterator[tuple[int, int]]:
    """Where the parts between the lines of a boundary begin and end. A last one without its end reaches to the end."""
    line = re.compile(rb"\n--" + re.escape(boundary) + rb"(--)?[ \t]*\r?(?=\n|\Z)")
    begin = -1
    # a boundary may stand in the very first line, after the line end of the header
    for match in line.finditer(data, max(0, start - 1), end):
        if begin >= 0:
            stop = match.start()
            yield begin, max(begin, stop - 1 if data[stop - 1 : stop] == b"\r" else stop)
        if match[1]:
            return
        begin = min(match.end() + 1, end)
    if begin >= 0:
        yield begin, end


def decoded_body(data: bytes, encoding: str) -> bytes:
    """A content with its transfer encoding undone."""
    if encoding == "base64":
        return _from_base64(data)
    if encoding == "quoted-printable":
        data = binascii.a2b_qp(data)
    elif encoding in _UU_KINDS:
        return next((content for _, content in uuencoded(data)), b"")
    return data.replace(b"\r\n", b"\n")


def _from_base64(data: bytes) -> bytes:
    """Base64 as far as it is some: a mailing list may have written its footer below it."""
    data = _NO_BASE64.sub(b"", data.partition(b"\n--")[0].partition(b"=")[0])
    usable = len(data) - (len(data) % 4 == 1)
    try:
        return binascii.a2b_base64(data[:usable] + b"=" * (-usable % 4))
    except binascii.Error:  # pragma: no cover - what is left is always base64
        return b""


def uuencoded(text: bytes) -> Iterator[tuple[str, bytes]]:
    """The files (name, content) that stand in a text the way mail carried them before MIME."""
    at = 0
    for _ in range(PARTS_LIMIT):
        begin = _UU_BEGIN.search(text, at)
        end = _UU_END.search(text, begin.end()) if begin else None
        if begin is None or end is None:
            return
        lines = text[begin.end() : end.start()].split(b"\n")
        yield begin[1].decode("utf-8", "replace").strip(), b"".join(map(_uu_line, lines))
        at = end.end()


def _uu_line(line: bytes) -> bytes:
    line = line.rstrip(b"\r")
    try:
        return binascii.a2b_uu(line) if line else b""
    except binascii.Error:
        # some programs write more characters than the line's length says
        length = (((line[0] - 32) & 63) * 4 + 5) // 3
        try:
            return binascii.a2b_uu(line[:length])
        except binascii.Error:
            return b""
