"""One message as it came: who says he wrote it, what sort of mail it is, and the order files in it.

Nothing in a message is believed: every value is shortened, made printable and only ever shown or compared. Reading
raises nothing, whatever the bytes are, and takes time and memory in proportion to them.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime

from gm.campaign.receive import Offer
from gm.mail.attachments import FoundFiles, find_files
from gm.mail.classify import NO_BOUNCE, OWN_HEADER, Bounce, Kind, bounce_of, kind_of, sounds_automatic
from gm.mail.parse import Header, one_line, parse_message

_SUBJECT_LENGTH = 200
_SUBJECT_SEARCHED = 1000
_LINE_LENGTH = 1000
_RECIPIENTS = 50

_LINK = re.compile(r"(?i)\b(?:[a-z][a-z0-9+.-]{1,20}://|www\.)\S*")
_MARK = re.compile(r"\[[^\[\]]{0,80}\bt\d{1,6} [A-Z0-9]{1,8}(?: [^\[\]]{0,30})?\]?")
_TOKEN_LIKE = re.compile(r"\b[a-z2-7]{4}-\s?[a-z2-7]{4}-\s?[a-z2-7]{4}\b")
_KEY_LIKE = re.compile(r"\b[a-z]{3,12}(?:-[a-z]{2,12}){1,9}-\d{2}\b|\b(?:[a-z]{3,7} ){6}\d{2}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One message. Addresses are bare, ``""`` where there is none; ``files`` are the candidates for orders.
    ``fingerprint`` is the SHA-256 of all its bytes, ``content`` of those after its header. ``subject`` can be shown;
    ``whole_subject`` may hold a reply token, which is as good as a key. ``advice`` names what its sender should know
    about the form of his mail (see :mod:`gm.mail.attachments`); ``authentication`` is what the GM's own server found
    out about the sender; ``bounce`` says which message of ours came back for good, and why."""

    fingerprint: str
    content: str = ""
    message_id: str = ""
    sender: str = ""
    reply_to: str = ""
    recipients: tuple[str, ...] = ()
    subject: str = ""
    whole_subject: str = ""
    date: datetime | None = None
    kind: Kind = Kind.PERSON
    own_game: str = ""
    """The game that a letter with our header says it is of."""
    authentication: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    bounce: Bounce = NO_BOUNCE
    files: tuple[Offer, ...] = ()
    advice: tuple[str, ...] = ()
    text: str = ""
    """The beginning of what a person wrote, as it came."""

    @property
    def shown_subject(self) -> str:
        """The subject as it can stand in a letter of ours: short, and without a link that a stranger put there."""
        return _LINK.sub("(a link)", self.subject)[:100]

    @property
    def sent(self) -> str:
        """When the letter says that it was written."""
        return f"{self.date:%Y-%m-%d %H:%M} UTC" if self.date else ""


def read_letter(data: bytes, *, trusted: str = "") -> Letter:
    """The letter in a message's bytes. ``trusted``: the name (authserv-id) under which the GM's own server signs its
    Authentication-Results; what others wrote there is left out."""
    message = parse_message(data)
    header = message.header
    whole = header.line("Subject", _SUBJECT_SEARCHED)
    kind, found, bounce = kind_of(message), FoundFiles(), NO_BOUNCE
    if kind in (Kind.PERSON, Kind.LIST):
        found = find_files(message)
        if kind is Kind.LIST and not found.files:
            found = FoundFiles()
        elif not found.files and sounds_automatic(whole):
            kind, found = Kind.AUTO_REPLY, FoundFiles()
    elif kind is Kind.BOUNCE:
        bounce = bounce_of(message)
    return Letter(
        fingerprint=hashlib.sha256(data).hexdigest(),
        content=hashlib.sha256(memoryview(data)[message.body :]).hexdigest(),
        message_id=header.message_id(),
        sender=header.address("From"),
        reply_to=header.address("Reply-To"),
        recipients=(*header.addresses("To"), *header.addresses("Cc"))[:_RECIPIENTS],
        subject=without_secrets(whole)[:_SUBJECT_LENGTH],
        whole_subject=whole,
        date=header.date(),
        kind=kind,
        own_game=header.line(OWN_HEADER, _SUBJECT_LENGTH) if kind is Kind.OWN else "",
        authentication=_authentication(header, trusted) if trusted else (),
        references=tuple(dict.fromkeys((*header.ids("In-Reply-To"), *header.ids("References")))),
        bounce=bounce,
        files=found.files,
        advice=found.advice,
        text=found.text,
    )


def without_secrets(subject: str) -> str:
    """A subject without what is as good as a key: the mark at its end, a token, a key that somebody wrote there."""
    return " ".join(without_keys(_MARK.sub("", subject)).split())


def without_keys(text: str) -> str:
    """A text without anything in it that looks like a key or a token."""
    return _KEY_LIKE.sub("…", _TOKEN_LIKE.sub("…", text))


def _authentication(header: Header, trusted: str) -> tuple[str, ...]:
    """The line that the trusted server put in. It stands in front of what a sender may have forged under its name."""
    lines = header.raw("Authentication-Results")
    mine = [line for line in lines if re.split(r"[\s;]", line.strip(), maxsplit=1)[0].lower() == trusted.lower()]
    return tuple(one_line(line, _LINE_LENGTH) for line in mine[:1])
