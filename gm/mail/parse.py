"""An incoming message, parsed by the standard library within limits of time and memory.

Nothing in a message is believed: values are decoded as far as they can be, shortened, and only shown or
compared.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.errors import MessageError
from email.message import Message
from email.utils import collapse_rfc2231_value, getaddresses, parsedate_to_datetime
from itertools import chain
from typing import Any

from gm.core.diagnostics import printable
from gm.core.values import Record
from gm.mail.bounded import HEADER_LIMIT, PARTS_LIMIT, Budget, read_bounded
from gm.mail.decoding import decoded, decoded_body, header_text
from gm.store.settings import checked_address

# a header with the game's id in every message that a game sends, by which one that comes back is recognised
OWN_HEADER = "X-GM-Game"
_VALUE = 10_000  # characters of a header line
_PARAMETERS = 4000  # characters of a header line with parameters
_ENCODED = 2000  # characters of a header line with addresses
_IDS = 50  # Message-IDs in one field
_LINES_OF_ONE_NAME = 50

_HEADER_END = re.compile(rb"\r?\n\r?\n")
_ID = re.compile(r"<([!-;=?-~]{1,248})>")
_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,100}\Z")
_MESSAGES = ("message/rfc822", "message/global")


class Header:
    """The fields of a message or of a part; a broken field is read as far as possible."""

    __slots__ = ("_fields",)

    def __init__(self, message: Message) -> None:
        self._fields = [(name.lower(), value) for name, value in message.raw_items()]

    def has(self, name: str | re.Pattern[str]) -> bool:
        """Return whether there is a field of this name, or one whose name matches a pattern."""
        names = [field for field, _ in self._fields]
        return name.lower() in names if isinstance(name, str) else any(map(name.match, names))

    def raw(self, name: str) -> list[str]:
        """Return the value of each line of this name, unfolded, with its encoded words as they are.

        Very long values are cut short, and lines beyond a limit left out.
        """
        values = [value[:_VALUE] for field, value in self._fields if field == name.lower()]
        return [" ".join(header_text(_bytes(value)).split()) for value in values[:_LINES_OF_ONE_NAME]]

    def first(self, name: str) -> str:
        """Return the value of the first line of this name as :meth:`raw` does; empty when there is none."""
        return next(iter(self.raw(name)), "")

    def line(self, name: str, length: int) -> str:
        """Return at most ``length`` characters of the first line of this name, decoded and printable."""
        return one_line(decoded(self.first(name)), length)

    def word(self, name: str) -> str:
        """Return the first word of the first line of this name, in small letters."""
        return re.split(r"[\s;]", self.first(name), maxsplit=1)[0].lower()

    def address(self, name: str) -> str:
        """Return the first bare address in the lines of this name; empty if there is none."""
        return next(iter(self.addresses(name)), "")

    def addresses(self, *names: str) -> tuple[str, ...]:
        """Return the bare addresses in the fields of these names, up to a limit; none if malformed."""
        with suppress(ValueError, IndexError, RecursionError):
            lines = chain.from_iterable(map(self.raw, names))
            addresses = getaddresses([line[:_ENCODED] for line in lines])
            return tuple(
                filter(None, (bare_address(address) for _, address in addresses[:_LINES_OF_ONE_NAME]))
            )
        return ()

    def ids(self, name: str) -> tuple[str, ...]:
        """Return the Message-IDs in a field, without their brackets; the last ones if there are too many."""
        matches = chain.from_iterable(map(_ID.finditer, self.raw(name)))
        return tuple(match[1] for match in matches)[-_IDS:]

    def message_id(self) -> str:
        """Return the message's own Message-ID; empty if there is none."""
        return next(iter(self.ids("Message-ID")), "")

    def date(self) -> datetime | None:
        """Return the date that the message claims, in UTC; without a zone it counts as UTC.

        None when there is no date that can be read.
        """
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            moment = parsedate_to_datetime(self.first("Date")[:200])
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        return None

    def parameter(self, field: str, name: str) -> str:
        """Return the parameter ``name`` of a field, decoded from either standard form (RFC 2231, RFC 2047).

        It is empty if the field has none, or is malformed.
        """
        value = self.first(field)[:_PARAMETERS]
        if name not in value.lower():
            return ""
        message: Message = Message()  # the library reads parameters of messages alone
        try:
            message[field] = value
            parameter = message.get_param(name, header=field)
            text = collapse_rfc2231_value(parameter) if isinstance(parameter, (str, tuple)) else ""
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, MessageError):
            return ""
        return decoded(text) if "=?" in text else text

    @property
    def encoding(self) -> str:
        return self.word("Content-Transfer-Encoding")


class Part(Record):
    """A part of a message that has no parts itself."""

    header: Header
    kind: str  # its content type, like ``text/plain``
    payload: str  # its content as it was sent
    inside: tuple[Header, ...] = ()  # headers of the forwarded messages that it is in, outermost first

    @property
    def size(self) -> int:
        """The approximate number of bytes of the content, without decoding it."""
        return len(self.payload) * 3 // 4 if self.header.encoding == "base64" else len(self.payload)

    def content(self, length: int | None = None) -> bytes:
        """Return the decoded content, or at most its first ``length`` bytes.

        If it was not sent as base64, its lines end with LF.
        """
        # twice as much is enough in base64; of quoted-printable fewer bytes may be left
        payload = self.payload if length is None else self.payload[: 2 * length]
        return decoded_body(_bytes(payload), self.header.encoding)[:length]


@dataclass(slots=True)
class ParsedMessage:
    """A message with all its parts."""

    header: Header
    kind: str  # its content type, like ``multipart/mixed``
    body: int  # where the text begins, in bytes
    budget: Budget  # the rest of the limits
    parts: list[Part] = field(default_factory=list)  # in their order, also those of messages inside it
    messages: list[Header] = field(default_factory=list)  # the headers of the messages inside it
    cut: bool = False  # parts were left out because of a limit

    def add(self, message: Message, inside: tuple[Header, ...] = (), levels: int = 20) -> None:
        """Add a message or part, with all parts in it.

        ``inside``: the headers of the forwarded messages that it is in; ``levels``: how many levels of parts
        in it are read.
        """
        kind = _content_type(message)
        if len(self.parts) >= PARTS_LIMIT or levels < 0:
            self.cut = True
        elif kind in _MESSAGES:
            encoding = Header(message).encoding
            if encoding in ("base64", "quoted-printable") or not message.is_multipart():
                # some programs encode a message that is a part of another, which the standard forbids
                payload = _bytes(_source(message))
                # base64 has four characters for three bytes; of quoted-printable it is an estimate
                self.budget.decoded -= len(payload) * 3 // 4
                if self.budget.decoded < 0:
                    self.cut = True
                    return
                read = read_bounded(decoded_body(payload, encoding), self.budget)
                forwarded = read.message
                self.cut |= read.cut
            else:
                (forwarded,) = _inner(message)
            header = Header(forwarded)
            self.messages.append(header)
            self.add(forwarded, (*inside, header), levels - 1)
        elif message.is_multipart() and kind.startswith("multipart/"):
            for part in _inner(message):
                self.add(part, inside, levels - 1)
                if self.cut:
                    break
        else:
            # a multipart without parts: its boundary is missing, and all of it is a text
            part_kind = "text/plain" if kind.startswith("multipart/") else kind
            self.parts.append(Part(Header(message), part_kind, _source(message), inside))


def parse_message(data: bytes) -> ParsedMessage:
    """Return a message's header and parts, as far as the limits allow (``cut``: something was left out).

    Raises nothing, whatever the bytes are.
    """
    beginning = data[:2000]
    if b"\n" not in beginning and b"\r" in beginning:
        data = data.replace(b"\r", b"\n")  # lines as very old Macintosh programs end them
    end = _HEADER_END.search(data, 0, HEADER_LIMIT)
    text_start = end.end() if end else min(len(data), HEADER_LIMIT)
    # all encoded messages in it together may decode to no more bytes than it has itself
    budget = Budget(decoded=len(data))
    read = read_bounded(data, budget)
    parsed = ParsedMessage(Header(read.message), _content_type(read.message), text_start, budget)
    parsed.add(read.message)
    parsed.cut |= read.cut
    return parsed


def parse_header(beginning: bytes) -> Header:
    """Return the header of a message from its first bytes."""
    return Header(read_bounded(beginning[:HEADER_LIMIT], Budget(decoded=0)).message)


def _content_type(message: Message) -> str:
    """Return the type of a part in small letters; a malformed type counts as text."""
    kind = message.get_content_type()
    return kind if _TYPE.match(kind) else "text/plain"


def _inner(message: Message) -> list[Message]:
    """Return the parts of a multipart message, or the message in a ``message/`` part."""
    payload: Any = message.get_payload()
    return list(payload)


def _source(message: Message) -> str:
    """Return a part's content as it was sent, whatever its character set.

    For a part that the library has parsed as a message or several, it is put together again.
    """
    if not message.is_multipart():
        # ``get_payload`` would decode it by its character set
        payload: Any = vars(message)["_payload"]
        return payload if isinstance(payload, str) else ""
    return "\n".join(_header_source(part) + _source(part) for part in _inner(message))


def _header_source(message: Message) -> str:
    """Return a header as it was sent."""
    return "".join(f"{name}: {value}\n" for name, value in message.raw_items())


def _bytes(text: str) -> bytes:
    """Return the bytes of a text as the library makes it: ASCII, with surrogates for all other bytes."""
    return text.encode("utf-8", "surrogateescape")


def bare_address(text: str) -> str:
    """Return an address that can be compared and written to; empty for other text.

    Its domain is in small letters, and in ASCII.
    """
    with suppress(ValueError):
        return checked_address(text)
    return ""


def one_line(text: str, length: int = 10_000) -> str:
    """Return a text as one line of visible characters, at most ``length`` of them."""
    return printable(" ".join(text.split()))[:length]
