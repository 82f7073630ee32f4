"""What sort of mail a message is: a person's, or one that a machine has written (RFC 3834 and what came before it).

The rule is careful to one side: what machines send is never answered, because two that answer each other never end,
and never read for orders, because it may hold a letter of ours with a template and a key in it. What only came through
a list, or is marked as bulk by a program that marks everything, is read, and counts with the right key alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from gm.mail.header import bare_address, one_line
from gm.mail.mime import Message, Part

OWN_HEADER = "X-GM-Game"
"""Stands in every message that a game sends, with the game's id: one that comes back is known by it."""

_SUBJECT = 200
_SEARCHED = 64 * 1024
"""Bytes of a report that are read."""

_STATUS_KINDS = ("message/delivery-status", "message/global-delivery-status")
_HEADER_KINDS = ("text/rfc822-headers", "message/rfc822-headers", "message/global-headers")

_AUTOMATIC = (
    "X-Autoreply",
    "X-Autorespond",
    "X-Autoresponse",
    "X-Auto-Reply-From",
    "X-Mail-Autoreply",
    "X-FC-MachineGenerated",
)
_DAEMON = re.compile(r"(mailer-daemon|mail-daemon|mailerdaemon|mdaemon|double-bounce)@", re.IGNORECASE)
_POSTMASTER = re.compile(r"postmaster@", re.IGNORECASE)

# how programs begin the subjects of their answers, in the languages that they come in
_AWAY = re.compile(
    r"\s*(\[[^\]]{1,30}\]\s*)?("
    r"auto(matic|mated)?[ -]?(reply|response|responder)|out[ -]of[ -](the[ -])?office|on vacation|away from (my|the)|"
    r"automatische antwort|abwesenheits|abwesend|réponse automatique|absence du bureau|message d.absence|"
    r"respuesta automática|fuera de la oficina|resposta automática|ausência|risposta automatica|fuori (sede|ufficio)|"
    r"automatisch antwoord|afwezig|automatiskt? svar|autosvar|automaattinen vastaus|automatyczna odpowiedź|"
    r"autoodpowiedź|poza biurem|nieobecno|automatická odpově|automatikus válasz|răspuns automat|otomatik yanıt|"
    r"автоответ|автоматический ответ|автоматична відповідь|аўтаматычны адказ|αυτόματη απάντηση|自动答复|"
    r"自動返信|自動回覆)",
    re.IGNORECASE,
)
_RETURNED = re.compile(
    r"\s*(undeliver(ed|able)|delivery status notification|mail delivery (failed|failure|system)|delivery (has )?failed|"
    r"delivery failure|failure notice|returned (mail|to sender)|mail system error|message not delivered|"
    r"mail could not be delivered|nicht zustellbar|unzustellbar|non remis|non distribu|no se puede entregar|"
    r"impossibile recapitare|onbestelbaar|nie można dostarczyć|niedostarczon|недоставлен)",
    re.IGNORECASE,
)
_DELAYED = re.compile(r"delay|warning|still trying|will be retried|verzögert|retard", re.IGNORECASE)
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


def kind_of(message: Message) -> Kind:
    """The sort of a message."""
    header = message.header
    if header.has(OWN_HEADER):
        return Kind.OWN
    if _is_bounce(message):
        return Kind.BOUNCE
    if message.kind == "multipart/report" or _is_automatic(message):
        return Kind.AUTO_REPLY
    if _is_list(message):
        return Kind.LIST
    return Kind.PERSON


def sounds_automatic(subject: str) -> bool:
    """Whether a subject is one with which programs answer. A person who is away may write it too, orders and all."""
    return _AWAY.match(subject) is not None


def _is_bounce(message: Message) -> bool:
    header = message.header
    report = header.parameter("Content-Type", "report-type").lower() if message.kind == "multipart/report" else ""
    if report == "delivery-status" or any(_outer(part, _STATUS_KINDS) for part in message.parts):
        return True
    if report or any(_outer(part, ("message/disposition-notification",)) for part in message.parts):
        return False
    sender, subject = header.address("From"), header.line("Subject", _SUBJECT)
    if header.has("X-Failed-Recipients") or _DAEMON.match(sender):
        return True
    no_return = _nowhere(message)
    if _RETURNED.match(subject) and (no_return or _POSTMASTER.match(sender) or message.messages):
        return True
    # what may not be answered and holds a message, or the header of one, gives it back
    holds = bool(message.messages) or any(part.kind in _HEADER_KINDS for part in message.parts)
    return no_return and holds


def _outer(part: Part, kinds: tuple[str, ...]) -> bool:
    """Whether a part is of one of these kinds and not of a message that is only forwarded."""
    return part.kind in kinds and not part.inside


def _nowhere(message: Message) -> bool:
    """Whether the message came with no address to return it to, as only machines may send it (RFC 5321)."""
    return message.header.first("Return-Path").strip() == "<>"


def _is_list(message: Message) -> bool:
    names = ("List-Id", "List-Post", "List-Unsubscribe", "List-Help", "Mailing-List", "X-Mailing-List", "X-BeenThere")
    precedence = message.header.word("Precedence")
    return any(message.header.has(name) for name in names) or precedence in ("list", "bulk", "junk")


def _is_automatic(message: Message) -> bool:
    """RFC 3834, and the older headers that mean the same."""
    header = message.header
    if header.has("Auto-Submitted") and header.word("Auto-Submitted") != "no":
        return True
    if any(header.has(name) for name in _AUTOMATIC):
        return True
    precedence = header.word("Precedence")
    if precedence in ("auto_reply", "auto-reply"):
        return True
    if precedence in ("bulk", "junk") and sounds_automatic(header.line("Subject", _SUBJECT)):
        return True
    return _nowhere(message)


# -- bounces -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bounce:
    """Which message came back for good, by its id, why in the server's words, and to whom it could not go.

    Without an id nothing is certain: the report is about a delay, or about no message that it names. ``recipients`` are
    empty where the report does not say.
    """

    message: str = ""
    says: str = ""
    recipients: tuple[str, ...] = ()
    game: str = ""
    """The game whose message it was, as far as the report gives its header back."""


NO_BOUNCE = Bounce()
"""Nothing came back, or nobody can say what."""


def bounce_of(message: Message) -> Bounce:
    """What a bounce is about."""
    report = "\n".join(_report_texts(message, _STATUS_KINDS))
    actions = {match[1].lower() for match in _ACTION.finditer(report)}
    if actions and "failed" not in actions:
        return NO_BOUNCE
    if not actions and _DELAYED.search(message.header.line("Subject", _SUBJECT)):
        return NO_BOUNCE
    return Bounce(_returned_id(message), _why(message, report), _failed(report), _returned_game(message))


def _failed(report: str) -> tuple[str, ...]:
    """Whom a report names as not reached: it tells of each recipient in a paragraph of its own."""
    found = []
    for block in re.split(r"\n[ \t]*\n", report):
        action, names = _ACTION.search(block), _RECIPIENT.findall(block)
        if names and (action is None or action[1].lower() == "failed"):
            found += [bare_address(name) for name in names]
    return tuple(dict.fromkeys(each for each in found if each))


def _returned_id(message: Message) -> str:
    """The id stands in the message that the bounce holds, or in what it holds of its header, or in the thread's."""
    for header in message.messages:
        if header.message_id():
            return header.message_id()
    for text in _report_texts(message, (*_HEADER_KINDS, *_STATUS_KINDS, "text/plain")):
        if match := _ORIGINAL_ID.search(text):
            return match[1]
    return next(iter((*message.header.ids("In-Reply-To"), *message.header.ids("References"))), "")


def _returned_game(message: Message) -> str:
    for header in message.messages:
        if header.has(OWN_HEADER):
            return header.line(OWN_HEADER, _SUBJECT)
    texts = _report_texts(message, (*_HEADER_KINDS, "text/plain"))
    return next((one_line(match[1]) for text in texts if (match := _ORIGINAL_GAME.search(text))), "")


def _why(message: Message, report: str) -> str:
    found = _DIAGNOSTIC.search(report) or _STATUS.search(report)
    return one_line(found[1] if found else message.header.line("Subject", _SUBJECT))[:_SUBJECT]


def _report_texts(message: Message, kinds: tuple[str, ...]) -> list[str]:
    """The beginnings of these parts of a report, those of the first kind first."""
    found = sorted((part for part in message.parts if _outer(part, kinds)), key=lambda part: kinds.index(part.kind))
    return [part.beginning(_SEARCHED).decode("utf-8", "replace").replace("\r\n", "\n") for part in found]
