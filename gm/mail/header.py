"""The header of a message or of a part of one: fields that nobody believes, as text that can be shown and compared.

Only so much of a header is read, so that no line of it can take long, however its sender has made it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import collapse_rfc2231_value, getaddresses, parsedate_to_datetime

from gm.core.addresses import checked_address
from gm.core.diagnostics import printable

HEADER_LIMIT = 256 * 1024
"""Bytes of a header; what comes after them counts as text."""

_FIELDS = 1000
_LINES = 50
"""Fields of one name that are looked at."""
_VALUE = 10_000
_PARAMETERS = 4000
_ENCODED = 2000
_IDS = 50

_FIELD = re.compile(rb"([!-9;-~]{1,100})[ \t]*:(.*)", re.DOTALL)
_ID = re.compile(r"<([!-;=?-~]{1,248})>")
_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,100}\Z")
_CHARSET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:+-]{0,39}\Z")
# families of character sets that mail is written in; Python's other codecs are no such thing, and some are slow
_CHARSETS = re.compile(
    r"(ascii|utf-(7|8|16(-[lb]e)?|32(-[lb]e)?)|iso8859-\d+|cp\d+|koi8-[rut]|mac-\w+|gb2312|gbk|gb18030|hz|big5(hkscs)?|"
    r"shift_jis\w*|euc_\w+|iso2022_\w+|johab|tis-620|kz1048|ptcp154|hp-roman8)\Z"
)
_ALIASES = {
    "x-sjis": "shift_jis",
    "x-gbk": "gbk",
    "x-mac-cyrillic": "mac-cyrillic",
    "unicode-1-1-utf-7": "utf-7",
    "iso-8859-8-i": "iso8859-8",
}


class Header:
    """The fields of one header. Every question about them has an answer; a broken field is read as far as it goes."""

    __slots__ = ("_fields",)

    def __init__(self, fields: Sequence[tuple[str, bytes]] = ()) -> None:
        self._fields = fields

    def has(self, name: str) -> bool:
        wanted = name.lower()
        return any(each == wanted for each, _ in self._fields)

    def raw(self, name: str) -> list[str]:
        """Every line of this name, unfolded."""
        wanted = name.lower()
        found = [value for each, value in self._fields if each == wanted]
        return [" ".join(_text(value[:_VALUE]).split()) for value in found[:_LINES]]

    def first(self, name: str) -> str:
        """The first line of this name as it stands there; empty when there is none."""
        return next(iter(self.raw(name)), "")

    def line(self, name: str, length: int) -> str:
        """The first line of this name, decoded and printable."""
        return one_line(decoded(self.first(name)))[:length]

    def word(self, name: str) -> str:
        """The first word of a field, in small letters."""
        return re.split(r"[\s;]", self.first(name), maxsplit=1)[0].lower()

    def addresses(self, name: str) -> tuple[str, ...]:
        """The bare addresses in the lines of this name."""
        try:
            found = getaddresses([line[:_ENCODED] for line in self.raw(name)])
        except (ValueError, IndexError, RecursionError):
            return ()
        bare = (bare_address(each) for _, each in found[:_LINES])
        return tuple(dict.fromkeys(each for each in bare if each))

    def address(self, name: str) -> str:
        """The first of them, or nothing."""
        return next(iter(self.addresses(name)), "")

    def ids(self, name: str) -> tuple[str, ...]:
        """The message ids in a field, without their brackets; of very many the last."""
        return tuple(match[1] for line in self.raw(name) for match in _ID.finditer(line))[-_IDS:]

    def message_id(self) -> str:
        """The message's own id, or nothing."""
        return next(iter(self.ids("Message-ID")), "")

    def date(self) -> datetime | None:
        """What the message says when it was written; none when that is no date."""
        try:
            found = parsedate_to_datetime(self.first("Date")[:200])
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, TypeError, IndexError, OverflowError):
            return None

    def content_type(self, default: str = "text/plain") -> str:
        """The kind of what follows, in small letters; what is no kind at all counts as text."""
        if not self.has("Content-Type"):
            return default
        word = self.word("Content-Type")
        return word if _TYPE.match(word) else "text/plain"

    def parameter(self, field: str, name: str) -> str:
        """A parameter of a field, decoded whichever way it was written (RFC 2231, RFC 2047); empty without one."""
        value = self.first(field)[:_PARAMETERS]
        if name not in value.lower():
            return ""
        carrier = Message()
        try:
            carrier[field] = value
            found = carrier.get_param(name, header=field)
            text = collapse_rfc2231_value(found) if isinstance(found, (str, tuple)) else ""
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, MessageError):
            return ""
        return decoded(text) if "=?" in text else text

    def file_name(self) -> str:
        """The name under which a file came: only to be shown, and looked at for its ending."""
        return self.parameter("Content-Disposition", "filename") or self.parameter("Content-Type", "name")


def read_header(data: bytes, start: int, end: int) -> tuple[Header, int]:
    """The header that begins at ``start``, and where what follows it begins."""
    fields: list[tuple[str, list[bytes]]] = []
    limit = min(end, start + HEADER_LIMIT)
    at, length = start, 0
    while at < limit:
        stop = data.find(b"\n", at, limit)
        after = limit if stop < 0 else stop + 1
        line = data[at:after].rstrip(b"\r\n")
        match = _FIELD.match(line)
        if not line:
            at = after
            break
        if line[:1] in (b" ", b"\t"):
            if fields and length < _VALUE:  # what is longer than is ever read needs no more
                fields[-1][1].append(line)
                length += len(line)
        elif match:
            length = len(match[2])
            if len(fields) < _FIELDS:
                fields.append((match[1].decode("ascii").lower(), [match[2]]))
        elif not line.startswith((b"From ", b">From ")):  # mbox files separate messages with such lines
            break
        at = after
    return Header([(name, b" ".join(lines)) for name, lines in fields]), at


def bare_address(text: str) -> str:
    """An address that can be compared and written to, its domain in small letters; empty for anything else."""
    try:
        return checked_address(text)
    except ValueError:
        return ""


def one_line(text: str) -> str:
    """A text as one line in which every character can be seen."""
    return printable(" ".join(text.split()))


def decoded(text: str) -> str:
    """A text with its encoded words (RFC 2047) read; those that cannot be stay as they are."""
    if "=?" not in text:
        return text
    text = text[:_ENCODED]
    try:
        chunks = decode_header(text)
    except (ValueError, MessageError):
        return text
    return "".join(_chunk(data, charset) for data, charset in chunks)


def _chunk(data: bytes | str, charset: str | None) -> str:
    if isinstance(data, str):
        return data
    if charset is None:
        return data.decode("raw_unicode_escape", "replace")  # how the library hands over what was not encoded
    codec = known_charset(charset)
    return data.decode(codec, "replace") if codec else _text(data)


def known_charset(name: str) -> str:
    """Python's name of a character set that mail may be written in; empty for any other word."""
    name = _ALIASES.get(name.strip().lower(), name.strip())
    if not _CHARSET_NAME.match(name):
        return ""
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return ""
    if found in ("ascii", "iso8859-1"):
        return "cp1252"  # what programs mean that say so
    return found if _CHARSETS.match(found) else ""


def _text(data: bytes) -> str:
    """Bytes of a header field: UTF-8 nowadays, or what Western programs used to write."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
