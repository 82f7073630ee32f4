"""What sort of mail a message is: a person's, or one that a machine has written (RFC 3834 and what came before it).

What machines send is never answered, because two that answer each other never end, and never read for orders, because
it may hold a letter of ours with a template and a key in it. What only came through a list, or is marked as bulk by a
program that marks everything, is read, and counts with the right key alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from gm.mail.body_text import phrase
from gm.mail.parse import ParsedMessage, bare_address, one_line

OWN_HEADER = "X-GM-Game"
"""Stands in every message that a game sends, with the game's id: one that comes back is known by it."""

_SUBJECT = 200
_SEARCHED = 64 * 1024
"""Bytes of a report that are read."""

_STATUS_KINDS = ("message/delivery-status", "message/global-delivery-status")
_HEADER_KINDS = ("text/rfc822-headers", "message/rfc822-headers", "message/global-headers")
_LISTS = ("List-Id", "List-Post", "List-Unsubscribe", "List-Help", "Mailing-List", "X-Mailing-List", "X-BeenThere")
_AUTOMATIC_HEADERS = (
    "X-Autoreply",
    "X-Autorespond",
    "X-Autoresponse",
    "X-Auto-Reply-From",
    "X-Mail-Autoreply",
    "X-FC-MachineGenerated",
)
_DAEMON = re.compile(r"(mailer-daemon|mail-daemon|mailerdaemon|mdaemon|double-bounce)@", re.IGNORECASE)
_POSTMASTER = re.compile(r"postmaster@", re.IGNORECASE)
_ACTION = re.compile(r"(?im)^action:[ \t]*([a-z]+)")
_RECIPIENT = re.compile(r"(?im)^(?:final|original)-recipient:[ \t]*[a-z0-9-]{1,20};[ \t]*<?([^\s<>]{3,254})")
_STATUS = re.compile(r"(?im)^status:[ \t]*([245]\.\d{1,3}\.\d{1,3})")
_DIAGNOSTIC = re.compile(
    r"(?im)^diagnostic-code:[ \t]*(?:[a-z0-9-]+;[ \t]*)?([^\n]{1,300}(?:\n[ \t]+[^\n]{1,300}){0,3})"
)
_ORIGINAL_ID = re.compile(r"(?im)^[> \t]*(?:original-)?message-id:\s{0,80}<([!-;=?-~]{1,248})>")
_ORIGINAL_GAME = re.compile(rf"(?im)^[> \t]*{OWN_HEADER}:[ \t]{{0,80}}([^\n]{{1,200}})")


class Kind(StrEnum):
    """What sort of message it is. Only a person is answered, and whoever has the key."""

    PERSON = "person"
    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    LIST = "list"
    """It came over a mailing list, or through a program that marks all letters as if they did."""
    OWN = "own"


def kind_of(message: ParsedMessage) -> Kind:
    """The sort of a message."""
    header = message.header
    if header.has(OWN_HEADER):
        return Kind.OWN
    if _is_bounce(message):
        return Kind.BOUNCE
    if message.kind == "multipart/report" or _is_automatic(message):
        return Kind.AUTO_REPLY
    if any(map(header.has, _LISTS)) or header.word("Precedence") in ("list", "bulk", "junk"):
        return Kind.LIST
    return Kind.PERSON


def sounds_automatic(subject: str) -> bool:
    """Whether a subject is one with which programs answer. A person who is away may write it too, orders and all."""
    return phrase("away").match(subject) is not None


def _is_bounce(message: ParsedMessage) -> bool:
    header = message.header
    kinds = {part.kind for part in message.parts if not part.inside}
    report = header.parameter("Content-Type", "report-type").lower() if message.kind == "multipart/report" else ""
    if report == "delivery-status" or kinds.intersection(_STATUS_KINDS):
        return True
    if report or "message/disposition-notification" in kinds:
        return False
    sender = header.address("From")
    if header.has("X-Failed-Recipients") or _DAEMON.match(sender):
        return True
    no_return = _has_no_return_path(message)
    returned = phrase("returned").match(header.line("Subject", _SUBJECT))
    if returned and (no_return or _POSTMASTER.match(sender) or message.messages):
        return True
    # what may not be answered and holds a message, or the header of one, gives it back
    return no_return and (bool(message.messages) or any(part.kind in _HEADER_KINDS for part in message.parts))


def _has_no_return_path(message: ParsedMessage) -> bool:
    """Whether the message came with no address to return it to, as only machines may send it (RFC 5321)."""
    return message.header.first("Return-Path").strip() == "<>"


def _is_automatic(message: ParsedMessage) -> bool:
    """RFC 3834, and the older headers that mean the same."""
    header, precedence = message.header, message.header.word("Precedence")
    return (
        (header.has("Auto-Submitted") and header.word("Auto-Submitted") != "no")
        or any(map(header.has, _AUTOMATIC_HEADERS))
        or precedence in ("auto_reply", "auto-reply")
        or (precedence in ("bulk", "junk") and sounds_automatic(header.line("Subject", _SUBJECT)))
        or _has_no_return_path(message)
    )


@dataclass(frozen=True, slots=True)
class Bounce:
    """Which message came back for good, by its id, why in the server's words, and to whom it could not go. Without an
    id nothing is certain: the report is about a delay, or about no message that it names. ``game``: whose message it
    was; it and ``recipients`` are empty where the report does not say."""

    message: str = ""
    says: str = ""
    recipients: tuple[str, ...] = ()
    game: str = ""


NO_BOUNCE = Bounce()


def bounce_of(message: ParsedMessage) -> Bounce:
    """What a bounce is about."""
    report = "\n".join(_report_texts(message, _STATUS_KINDS))
    actions = {match[1].lower() for match in _ACTION.finditer(report)}
    subject = message.header.line("Subject", _SUBJECT)
    if "failed" not in actions and (actions or phrase("delayed").search(subject)):
        return NO_BOUNCE
    found = _DIAGNOSTIC.search(report) or _STATUS.search(report)
    says = one_line(found[1] if found else subject, _SUBJECT)
    return Bounce(_returned_id(message), says, _failed_recipients(report), _returned_game(message))


def _failed_recipients(report: str) -> tuple[str, ...]:
    """Whom a report names as not reached: it tells of each recipient in a paragraph of its own."""
    found: list[str] = []
    for block in re.split(r"\n[ \t]*\n", report):
        action = _ACTION.search(block)
        if action is None or action[1].lower() == "failed":
            found += map(bare_address, _RECIPIENT.findall(block))
    return tuple(dict.fromkeys(each for each in found if each))


def _returned_id(message: ParsedMessage) -> str:
    """The id stands in the message that the bounce holds, or in what it holds of its header, or in the thread's."""
    texts = _report_texts(message, (*_HEADER_KINDS, *_STATUS_KINDS, "text/plain"))
    found = [each for header in message.messages if (each := header.message_id())]
    found += [match[1] for text in texts if (match := _ORIGINAL_ID.search(text))]
    return next(iter((*found, *message.header.ids("In-Reply-To"), *message.header.ids("References"))), "")


def _returned_game(message: ParsedMessage) -> str:
    texts = _report_texts(message, (*_HEADER_KINDS, "text/plain"))
    found = [header.line(OWN_HEADER, _SUBJECT) for header in message.messages if header.has(OWN_HEADER)]
    return next(iter((*found, *(one_line(match[1]) for text in texts if (match := _ORIGINAL_GAME.search(text))))), "")


def _report_texts(message: ParsedMessage, kinds: tuple[str, ...]) -> list[str]:
    """The beginnings of these parts of a report, those of the first kind first."""
    found = [part for part in message.parts if part.kind in kinds and not part.inside]
    found.sort(key=lambda part: kinds.index(part.kind))
    return [part.beginning(_SEARCHED).decode("utf-8", "replace").replace("\r\n", "\n") for part in found]
