"""One message as it came: its claimed sender, its kind, and the order files in it.

Nothing in a message is believed: every value is shortened, made printable and only ever shown or compared.
Reading raises nothing, whatever the bytes are, and takes time and memory in proportion to them.

What programs send by themselves (RFC 3834 and its forerunners) is never answered, because two programs that
answer each other never stop, and never read for orders, because it may hold a letter of ours with a template
and a key in it. What came through a mailing list, or is marked as bulk mail, is read for orders, and they
count only with the right key.
"""

import hashlib
import re
import unicodedata
from datetime import datetime
from enum import StrEnum

from gm.campaign.receive import Submission
from gm.core.orders.keys import TOKEN
from gm.core.values import Record
from gm.mail.attachments import FoundFiles, find_files
from gm.mail.body_text import phrase, written_text
from gm.mail.bounces import Bounce, bounce_of, is_bounce
from gm.mail.parse import OWN_HEADER, Header, ParsedMessage, one_line, parse_message

_SUBJECT_LENGTH = 200
_SUBJECT_SEARCHED = 1000
_LINE_LENGTH = 1000

_LINK = re.compile(r"(?i)\b(?:[a-z][a-z0-9+.-]{1,20}://|www\.)\S*")
_MARK = re.compile(r"\[[^\[\]]{0,80}\bt\d{1,6} [A-Z0-9]{1,8}(?: [^\[\]]{0,30})?\]?")
_TOKEN_LIKE = re.compile(rf"\b{TOKEN}\b")
_KEY_LIKE = re.compile(
    r"\b[a-z]{3,12}(?:-[a-z]{2,12}){1,9}-\d{2}\b|\b(?:[a-z]{3,7} ){6}\d{2}\b", re.IGNORECASE
)


class Kind(StrEnum):
    """The kind of a letter's sender. Only a person is answered, or a list's letter with the right key."""

    PERSON = "person"
    AUTO_REPLY = "auto-reply"  # a program that writes by itself
    BOUNCE = "bounce"  # a mail server, about a letter that was not delivered
    LIST = "list"  # it came through a mailing list, or is marked as bulk mail
    OWN = "own"  # a game of pbem


class Letter(Record, kw_only=True):
    """One message. A text is empty if the message has none; addresses are bare (``anna@example.org``)."""

    fingerprint: str  # the SHA-256 of all its bytes
    content: str = ""  # the SHA-256 of the bytes after its header
    message_id: str = ""
    sender: str = ""  # the address that it claims
    subject: str = ""  # can be shown: without mark, tokens and keys
    whole_subject: str = ""  # may hold a reply token, which is as good as a key
    date: datetime | None = None  # that it claims
    kind: Kind = Kind.PERSON
    own_game: str = ""  # the game in our header, if the message is one of ours
    authentication: tuple[str, ...] = ()  # what the GM's own server found out about the sender
    references: tuple[str, ...] = ()  # the Message-IDs of the letters that it answers
    bounce: Bounce = Bounce()  # which of our messages could not be delivered, and why
    files: tuple[Submission, ...] = ()  # the candidates for order files
    advice: tuple[str, ...] = ()  # names of hints to its sender in ``templates/mail/advice.yaml``
    text: str = ""  # the beginning of the text that its sender wrote
    page: str = ""  # the beginning of the shown text, if its only text is a web page
    to: tuple[str, ...] = ()  # the addresses that it went to

    @property
    def shown_subject(self) -> str:
        """The subject for letters of ours: short, and without a stranger's links."""
        return _LINK.sub("(a link)", self.subject)[:100]

    @property
    def sent(self) -> str:
        """The date that the letter claims, as text; empty without one."""
        return f"{self.date:%Y-%m-%d %H:%M} UTC" if self.date else ""


def read_letter(data: bytes, *, trusted: str = "") -> Letter:
    """Return the letter in a message's bytes.

    ``trusted``: the name (authserv-id) under which the GM's own server signs its Authentication-Results;
    others are ignored, and without a name all of them.
    """
    message = parse_message(data)
    header = message.header
    whole_subject = header.line("Subject", _SUBJECT_SEARCHED)
    kind = _kind_of(message)
    files = FoundFiles()
    bounce = Bounce()
    if kind in (Kind.PERSON, Kind.LIST):
        files = find_files(message)
        if kind is Kind.LIST and not files.files:
            files = FoundFiles()  # a list's letter counts for its orders alone: no text, no advice
        elif not files.files and _is_automatic(message, whole_subject, files.text):
            kind = Kind.AUTO_REPLY
            files = FoundFiles()
    elif kind is Kind.BOUNCE:
        bounce = bounce_of(message)
    results = header.raw("Authentication-Results") if trusted else []
    own_results = [
        line for line in results if re.split(r"[\s;]", line.strip(), maxsplit=1)[0].lower() == trusted.lower()
    ]
    # the GM's server adds its line at the top: lines under its name below it may be forged
    own_results = own_results[:1]
    return Letter(
        fingerprint=hashlib.sha256(data).hexdigest(),
        content=hashlib.sha256(memoryview(data)[message.body :]).hexdigest(),
        message_id=header.message_id(),
        sender=header.address("From"),
        subject=without_secrets(whole_subject)[:_SUBJECT_LENGTH],
        whole_subject=whole_subject,
        date=header.date(),
        kind=kind,
        own_game=header.line(OWN_HEADER, _SUBJECT_LENGTH) if kind is Kind.OWN else "",
        authentication=tuple(one_line(line, _LINE_LENGTH) for line in own_results),
        references=tuple(dict.fromkeys((*header.ids("In-Reply-To"), *header.ids("References")))),
        bounce=bounce,
        files=files.files,
        advice=files.advice,
        text=files.text,
        page=files.page,
        to=header.addresses("To", "Cc", "Delivered-To", "X-Original-To"),
    )


def without_secrets(subject: str) -> str:
    """Return a subject without the marks of our letters in it, and with "…" for each key or token."""
    return " ".join(without_keys(_MARK.sub("", subject)).split())


def without_keys(text: str) -> str:
    """Return a text with "…" in place of whatever looks like a key or a token."""
    return _KEY_LIKE.sub("…", _TOKEN_LIKE.sub("…", text))


_REACTION_KINDS = ("text/vnd.google.email-reaction+json", "text/x-reaction")
_CALENDAR_ANSWERS = ("reply", "counter", "declinecounter", "refresh")
_BEGINNING = 300  # characters of a text by which an automatic answer is recognised


def _is_automatic(message: ParsedMessage, subject: str, text: str) -> bool:
    """Return whether a letter without orders is an automatic answer.

    That is a note of absence, a calendar's answer to the deadline that we sent, or a reaction (an emoji).
    """
    if phrase("away").match(subject) or phrase("reaction").match(subject):
        return True
    beginning = text.strip()[:_BEGINNING]
    if phrase("away text").search(beginning) or phrase("reaction").match(beginning):
        return True
    for part in message.parts:
        method = part.header.parameter("Content-Type", "method").lower()
        if part.kind == "text/calendar" and method in _CALENDAR_ANSWERS:
            return True
        if part.kind in _REACTION_KINDS or part.header.word("Content-Disposition") == "reaction":
            return True
    return _is_emoji(text)


def _is_emoji(text: str) -> bool:
    """Return whether a text consists of emojis alone."""
    words = written_text(text).split()
    characters = "".join(word[:_BEGINNING] for word in words[:_BEGINNING])
    categories = set(map(unicodedata.category, characters))
    # symbols, and what modifies and joins them
    return "So" in categories and categories <= {"So", "Sk", "Mn", "Me", "Cf"}


def _kind_of(message: ParsedMessage) -> Kind:
    """Return the kind of a message's sender, by its headers."""
    header = message.header
    # it came with no address to return it to, as only programs may send it (RFC 5321)
    no_return = header.first("Return-Path").strip() == "<>"
    if header.has(OWN_HEADER):
        return Kind.OWN
    if is_bounce(message, no_return=no_return):
        return Kind.BOUNCE
    if no_return or message.kind == "multipart/report" or _says_it_is_automatic(header):
        return Kind.AUTO_REPLY
    if header.has(phrase("list header")) or header.word("Precedence") in ("list", "bulk", "junk"):
        return Kind.LIST
    return Kind.PERSON


def _says_it_is_automatic(header: Header) -> bool:
    """Return whether a header says that a program wrote the message by itself (RFC 3834, or older ways)."""
    if header.has("Auto-Submitted") and header.word("Auto-Submitted") != "no":
        return True
    precedence = header.word("Precedence")
    if header.has(phrase("automatic header")) or precedence in ("auto_reply", "auto-reply"):
        return True
    # the subject alone is not enough: a person who is away may write so above their orders
    is_away = phrase("away").match(header.line("Subject", _SUBJECT_LENGTH)) is not None
    return precedence in ("bulk", "junk") and is_away
