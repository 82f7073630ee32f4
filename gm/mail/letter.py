"""One message as it came: its claimed sender, its sort, and the order files in it.

Nothing in a message is believed: every value is shortened, made printable and only ever shown or compared.
Reading raises nothing, whatever the bytes are, and takes time and memory in proportion to them.

What machines send (RFC 3834 and what came before it) is never answered, because two that answer each other
never end, and never read for orders, because it may hold a letter of ours with a template and a key in it.
What only came through a list, or is marked as bulk by a program that marks everything, is read, and counts
with the right key alone.
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
from gm.mail.parse import OWN_HEADER, ParsedMessage, one_line, parse_message

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
    """The sort of a sender. Only a person is answered, or a message with the key.

    A message is a list's if it came through one, or is marked so.
    """

    PERSON = "person"
    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    LIST = "list"
    OWN = "own"


class Letter(Record, kw_only=True):
    """One message.

    Addresses are bare, ``""`` where there is none; ``files`` are the candidates for orders. ``fingerprint``
    is the SHA-256 of all its bytes, ``content`` of those after its header. ``subject`` can be shown;
    ``whole_subject`` may hold a reply token, which is as good as a key. ``advice`` names hints to its sender
    about the form of the mail (see :mod:`gm.mail.attachments`); ``authentication``: the findings of the GM's
    own server about the sender; ``bounce``: our message that came back for good, and why; ``own_game``: the
    game in our own header, ``text`` the beginning of a person's text, ``page`` that of a letter that is a web
    page alone, ``to`` its recipients.
    """

    fingerprint: str
    content: str = ""
    message_id: str = ""
    sender: str = ""
    subject: str = ""
    whole_subject: str = ""
    date: datetime | None = None
    kind: Kind = Kind.PERSON
    own_game: str = ""
    authentication: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    bounce: Bounce = Bounce()
    files: tuple[Submission, ...] = ()
    advice: tuple[str, ...] = ()
    text: str = ""
    page: str = ""
    to: tuple[str, ...] = ()

    @property
    def shown_subject(self) -> str:
        """The subject for letters of ours: short, and without a stranger's links."""
        return _LINK.sub("(a link)", self.subject)[:100]

    @property
    def sent(self) -> str:
        """The date that the letter claims."""
        return f"{self.date:%Y-%m-%d %H:%M} UTC" if self.date else ""


def read_letter(data: bytes, *, trusted: str = "") -> Letter:
    """Return the letter in a message's bytes.

    ``trusted``: the name (authserv-id) under which the GM's own server signs its Authentication-Results;
    others are ignored.
    """
    message = parse_message(data)
    header = message.header
    whole = header.line("Subject", _SUBJECT_SEARCHED)
    kind = _kind_of(message)
    files = FoundFiles()
    bounce = Bounce()
    if kind in (Kind.PERSON, Kind.LIST):
        files = find_files(message)
        if kind is Kind.LIST and not files.files:
            files = FoundFiles()
        elif not files.files and _answers_itself(message, whole, files.text):
            kind = Kind.AUTO_REPLY
            files = FoundFiles()
    elif kind is Kind.BOUNCE:
        bounce = bounce_of(message)
    # of Authentication-Results the trusted server's own stands in front of what a sender may have forged
    # under its name
    results = header.raw("Authentication-Results") if trusted else []
    own_results = [
        line for line in results if re.split(r"[\s;]", line.strip(), maxsplit=1)[0].lower() == trusted.lower()
    ]
    return Letter(
        fingerprint=hashlib.sha256(data).hexdigest(),
        content=hashlib.sha256(memoryview(data)[message.body :]).hexdigest(),
        message_id=header.message_id(),
        sender=header.address("From"),
        subject=without_secrets(whole)[:_SUBJECT_LENGTH],
        whole_subject=whole,
        date=header.date(),
        kind=kind,
        own_game=header.line(OWN_HEADER, _SUBJECT_LENGTH) if kind is Kind.OWN else "",
        authentication=tuple(one_line(line, _LINE_LENGTH) for line in own_results[:1]),
        references=tuple(dict.fromkeys((*header.ids("In-Reply-To"), *header.ids("References")))),
        bounce=bounce,
        files=files.files,
        advice=files.advice,
        text=files.text,
        page=files.page,
        to=header.addresses("To", "Cc", "Delivered-To", "X-Original-To"),
    )


def without_secrets(subject: str) -> str:
    """Return a subject without its secrets: the mark at its end, tokens and keys."""
    return " ".join(without_keys(_MARK.sub("", subject)).split())


def without_keys(text: str) -> str:
    """Return a text without anything that looks like a key or a token."""
    return _KEY_LIKE.sub("…", _TOKEN_LIKE.sub("…", text))


_REACTION_KINDS = ("text/vnd.google.email-reaction+json", "text/x-reaction")
_CALENDAR_ANSWERS = ("reply", "counter", "declinecounter", "refresh")
_BEGINNING = 300  # characters of a text that tell what answers


def _answers_itself(message: ParsedMessage, subject: str, text: str) -> bool:
    """Return whether a letter without orders was written by a program.

    A note of absence, a calendar's answer to a deadline, a reaction.
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
    return _is_sign(text)


def _is_sign(text: str) -> bool:
    """Return whether a text is only one or two emojis."""
    signs = written_text(text).split()
    characters = "".join(sign[:_BEGINNING] for sign in signs[:_BEGINNING])
    kinds = set(map(unicodedata.category, characters))
    return "So" in kinds and kinds <= {"So", "Sk", "Mn", "Me", "Cf"}


def _kind_of(message: ParsedMessage) -> Kind:
    """Return the sort of sender, by the headers."""
    header = message.header
    precedence = message.header.word("Precedence")
    # it came with no address to return it to, as only machines may send it (RFC 5321)
    no_return = header.first("Return-Path").strip() == "<>"
    if header.has(OWN_HEADER):
        return Kind.OWN
    if is_bounce(message, no_return=no_return):
        return Kind.BOUNCE
    if (
        # RFC 3834, and the older headers that mean the same
        (header.has("Auto-Submitted") and header.word("Auto-Submitted") != "no")
        or header.has(phrase("automatic header"))
        or precedence in ("auto_reply", "auto-reply")
        # a person who is away may have such a subject, too, orders and all
        or (precedence in ("bulk", "junk") and phrase("away").match(header.line("Subject", _SUBJECT_LENGTH)))
        or message.kind == "multipart/report"
        or no_return
    ):
        return Kind.AUTO_REPLY
    if header.has(phrase("list header")) or precedence in ("list", "bulk", "junk"):
        return Kind.LIST
    return Kind.PERSON
