"""One message as it came: who says he wrote it, what sort of mail it is, and the order files in it.

Nothing in a message is believed: every value is shortened, made printable and only ever shown or compared. Reading
raises nothing, whatever the bytes are, and takes time and memory in proportion to them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from enum import StrEnum

from gm.kernel.campaign.receiving import Offer
from gm.kernel.diagnostics import printable
from gm.mail.attachments import PARTS_LIMIT, Find, find_files

OWN_HEADER = "X-GM-Game"
"""Stands in every message that a game sends, with the game's id: one that comes back is known by it."""

_SUBJECT_LENGTH = 200
_ID_LENGTH = 250
_ADDRESS_LENGTH = 254

_ID = re.compile(r"<([!-;=?-~]{1,248})>")
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?\Z")
_DAEMON = re.compile(r"(mailer-daemon|mail-daemon|postmaster|mailerdaemon)@", re.IGNORECASE)
_AWAY = re.compile(
    r"(auto(matic|mated)?[ -]?(reply|response)|out of (the )?office|autosvar|automatische antwort|abwesenheitsnotiz|"
    r"réponse automatique|respuesta automática|risposta automatica|automatisch antwoord|автоответ)\b",
    re.IGNORECASE,
)


class Kind(StrEnum):
    """What sort of message it is. Only a person's is read for orders, and only a person is answered (RFC 3834)."""

    PERSON = "person"
    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    LIST = "list"
    OWN = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One message. Addresses are bare, ``""`` where there is none; ``files`` are the candidates for orders, best first.

    ``advice`` names what its sender should know about the form of his mail (see :mod:`gm.mail.attachments`);
    ``authentication`` is what the GM's own server found out about the sender; ``bounce_of`` the id of our message that
    came back.
    """

    fingerprint: str
    message_id: str = ""
    sender: str = ""
    reply_to: str = ""
    recipients: tuple[str, ...] = ()
    subject: str = ""
    date: datetime | None = None
    kind: Kind = Kind.PERSON
    authentication: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    bounce_of: str = ""
    files: tuple[Offer, ...] = ()
    advice: tuple[str, ...] = ()


def read_letter(data: bytes, *, trusted: str = "") -> Letter:
    """The letter in a message's bytes. ``trusted``: the name (authserv-id) under which the GM's own server signs its
    Authentication-Results; what others wrote there is left out."""
    fingerprint = hashlib.sha256(data).hexdigest()
    try:
        message = message_from_bytes(data, policy=policy.compat32)
    except (RecursionError, ValueError, LookupError, AssertionError):
        return Letter(fingerprint=fingerprint, advice=("unreadable",))
    headers = _Headers(message)
    parts = _parts(message)
    kind = _kind(headers, message, parts)
    find = find_files(parts) if kind is Kind.PERSON else Find()
    return Letter(
        fingerprint=fingerprint,
        message_id=headers.message_id("Message-ID"),
        sender=headers.address("From"),
        reply_to=headers.address("Reply-To"),
        recipients=(*headers.addresses("To"), *headers.addresses("Cc")),
        subject=headers.line("Subject", _SUBJECT_LENGTH),
        date=headers.date(),
        kind=kind,
        authentication=_authentication(headers, trusted) if trusted else (),
        references=tuple(dict.fromkeys((*headers.ids("In-Reply-To"), *headers.ids("References")))),
        bounce_of=_bounced(headers, parts) if kind is Kind.BOUNCE else "",
        files=find.files,
        advice=find.advice,
    )


class _Headers:
    """A message's header lines as text that can be shown and compared. Broken ones are read as far as they go."""

    def __init__(self, message: Message) -> None:
        self._message = message

    def raw(self, name: str) -> list[str]:
        """Every line of this name, unfolded, at most 50."""
        return [" ".join(str(value).split())[:10_000] for value in (self._message.get_all(name) or [])[:50]]

    def line(self, name: str, length: int) -> str:
        """The first line of this name, decoded."""
        found = self.raw(name)
        return _printable(_decoded(found[0]))[:length] if found else ""

    def has(self, name: str) -> bool:
        return self._message.get(name) is not None

    def word(self, name: str) -> str:
        """The first word of a header, in small letters."""
        words = re.split(r"[\s;]+", self.raw(name)[0].strip(), maxsplit=1) if self.has(name) else [""]
        return words[0].lower()

    def addresses(self, name: str) -> tuple[str, ...]:
        """Every bare address in the lines of this name, at most 50."""
        try:
            found = getaddresses(self.raw(name))
        except (ValueError, IndexError, RecursionError):
            return ()
        return tuple(dict.fromkeys(bare for _, each in found[:50] if (bare := bare_address(each))))

    def address(self, name: str) -> str:
        return next(iter(self.addresses(name)), "")

    def ids(self, name: str) -> tuple[str, ...]:
        """The message ids in a header, without their brackets, the last fifty."""
        return tuple(match[1][:_ID_LENGTH] for line in self.raw(name) for match in _ID.finditer(line))[-50:]

    def message_id(self, name: str) -> str:
        return next(iter(self.ids(name)), "")

    def date(self) -> datetime | None:
        """What the message says, with an offset; none when that is no date."""
        try:
            found = parsedate_to_datetime(self.raw("Date")[0])
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
        except (IndexError, ValueError, TypeError, OverflowError):
            return None


def bare_address(text: str) -> str:
    """An address that can be compared and written to, its domain in small letters; empty for anything else."""
    text = text.strip()
    if len(text) > _ADDRESS_LENGTH or not _ADDRESS.match(text):
        return ""
    local, _, domain = text.rpartition("@")
    return f"{local}@{domain.lower()}"


def _printable(text: str) -> str:
    return printable(" ".join(text.split()))


def _decoded(text: str) -> str:
    try:
        return str(make_header(decode_header(text)))
    except (ValueError, LookupError, TypeError, AssertionError, MessageError):
        return text


def _parts(message: Message) -> list[Message]:
    """The leaves of a message, forwarded messages included, in their order and not more than can be wanted."""
    found: list[Message] = []
    for part in _walk(message, 0):
        found.append(part)
        if len(found) >= PARTS_LIMIT:
            break
    return found


def _walk(message: Message, depth: int) -> Iterator[Message]:
    if depth > 20:
        return
    payload = message.get_payload()
    if isinstance(payload, list):
        for part in payload:
            if isinstance(part, Message):
                yield from _walk(part, depth + 1)
    else:
        yield message


def _kind(headers: _Headers, message: Message, parts: list[Message]) -> Kind:
    if headers.has(OWN_HEADER):
        return Kind.OWN
    report = _parameter(message, "report-type") if message.get_content_type() == "multipart/report" else None
    types = {part.get_content_type() for part in parts}
    if report in ("delivery-status", "feedback-report") or "message/delivery-status" in types:
        return Kind.BOUNCE
    if headers.raw("Return-Path")[:1] == ["<>"] and report is None and not headers.has("Auto-Submitted"):
        return Kind.BOUNCE
    if headers.has("X-Failed-Recipients") or _DAEMON.match(headers.address("From")):
        return Kind.BOUNCE
    if headers.has("List-Id") or headers.has("List-Post") or headers.word("Precedence") == "list":
        return Kind.LIST
    if report is not None or _automatic(headers):
        return Kind.AUTO_REPLY
    return Kind.PERSON


def _automatic(headers: _Headers) -> bool:
    """RFC 3834, the older headers that mean the same, and subjects that no person writes."""
    if headers.has("Auto-Submitted") and headers.word("Auto-Submitted") != "no":
        return True
    if any(headers.has(name) for name in ("X-Autoreply", "X-Autorespond", "X-Autoresponse", "X-Auto-Reply-From")):
        return True
    if headers.word("Precedence") in ("auto_reply", "bulk", "junk"):
        return True
    return bool(_AWAY.match(headers.line("Subject", _SUBJECT_LENGTH)))


def _parameter(message: Message, name: str) -> str | None:
    found = message.get_param(name)
    return found.lower() if isinstance(found, str) else None


def _authentication(headers: _Headers, trusted: str) -> tuple[str, ...]:
    """The lines that the trusted server put in. It stands in front of what a sender may have forged under its name."""
    lines = headers.raw("Authentication-Results")
    mine = [line for line in lines if re.split(r"[\s;]", line.strip(), maxsplit=1)[0].lower() == trusted.lower()]
    return tuple(_printable(line)[:1000] for line in mine[:1])


def _bounced(headers: _Headers, parts: list[Message]) -> str:
    """Which message came back: its id stands in the part of it that the bounce holds, or in the thread's headers."""
    for part in parts:
        if part.get("Message-ID"):
            return _Headers(part).message_id("Message-ID")
        if part.get_content_type() in ("text/rfc822-headers", "message/rfc822-headers"):
            text = part.get_payload()
            match = re.search(r"(?im)^message-id:\s*<([!-;=?-~]{1,248})>", text if isinstance(text, str) else "")
            if match:
                return match[1]
    return next(iter((*headers.ids("In-Reply-To"), *headers.ids("References"))), "")
