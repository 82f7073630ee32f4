"""Bounces: our letters that servers return, in a machine-readable report (RFC 3464) or in words of their own.

A bounce comes from a sender that looks like a server: by its address, by its name, or by giving none. A
person's letter about an address that does not work is no bounce, whatever it quotes.
"""

import html
import re
from collections.abc import Iterator

from gm.core.values import Record
from gm.mail.body_text import phrase
from gm.mail.parse import OWN_HEADER, ParsedMessage, bare_address, one_line

_SUBJECT = 200
_NAME = 100
_SEARCHED = 64 * 1024  # bytes of each part of a report that are read
_SEARCHED_AT_MOST = 4 * _SEARCHED  # and of all its parts
_SAID = 6000  # characters at the beginning in which a server says what has happened
_RECIPIENTS = 20
_MARKS = 20

_STATUS_KINDS = ("message/delivery-status", "message/global-delivery-status")
_HEADER_KINDS = ("text/rfc822-headers", "message/rfc822-headers", "message/global-headers")
_TEXTS = ("text/plain", "text/html")
_ORIGINAL_GAME = re.compile(rf"(?im)^[> \t]*{OWN_HEADER}:[ \t]{{0,80}}([^\n]{{1,200}})")
_OWN_ID = re.compile(r"(?<![\w.])gm\.[0-9a-f]{32}@[\w.-]{1,200}\w")
_SUBJECT_MARK = re.compile(r"\[([^\[\]\n]{1,80}) t(\d{1,6}) ([A-Z0-9]{1,8})[ \]]")
_ADDRESS = re.compile(r"(?<![\w.+-])[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[\w.-]{1,200}\w")
_TAG = re.compile(r"<[^<>]{0,2000}>")


class Bounce(Record):
    """A message that came back for good: id, reason in the server's words, unreachable addresses.

    ``failed``: not just a delay. ``marks``: ids of ours anywhere in it. ``game`` and ``realm``: those of the
    message. Each is empty where the report does not say.
    """

    message: str = ""
    says: str = ""
    recipients: tuple[str, ...] = ()
    game: str = ""
    realm: str = ""
    failed: bool = False
    marks: tuple[str, ...] = ()

    @property
    def messages(self) -> tuple[str, ...]:
        """The ids of the message that came back, the likeliest first."""
        return tuple(dict.fromkeys(filter(None, (self.message, *self.marks))))


def is_bounce(message: ParsedMessage, *, no_return: bool) -> bool:
    """Return whether a letter is a bounce. ``no_return``: it came with no address to return it to."""
    header = message.header
    kinds = {part.kind for part in message.parts if not part.inside}
    report = (
        header.parameter("Content-Type", "report-type").lower() if message.kind == "multipart/report" else ""
    )
    if report == "delivery-status" or kinds.intersection(_STATUS_KINDS):
        return True
    if report or "message/disposition-notification" in kinds:
        return False
    sender = header.address("From")
    if header.has("X-Failed-Recipients") or phrase("daemon").match(sender):
        return True
    subject = header.line("Subject", _SUBJECT)
    is_returned = phrase("returned").match(subject) is not None
    if is_returned and message.messages:
        return True
    # what may not be answered and holds a message, or the header of one, gives it back
    if no_return and (message.messages or kinds.intersection(_HEADER_KINDS)):
        return True
    if not (no_return or _is_server(message)):
        return False
    return is_returned or phrase("not delivered").search(_said(message)) is not None


def _is_server(message: ParsedMessage) -> bool:
    """Return whether the sender looks like a mail server, or is missing."""
    header = message.header
    sender = header.line("From", _SUBJECT)
    address = header.address("From")
    name = sender.partition("<")[0].strip(" \"'")[:_NAME]
    if not address:
        return not name or phrase("daemon name").match(name) is not None
    return phrase("server").match(address) is not None or phrase("daemon name").match(name) is not None


def bounce_of(message: ParsedMessage) -> Bounce:
    """Return the content of a bounce; an empty one for a mere delay."""
    header = message.header
    report = "\n".join(_report_texts(message, _STATUS_KINDS))
    actions = {match[1].lower() for match in phrase("action").finditer(report)}
    subject = header.line("Subject", _SUBJECT)
    if "failed" not in actions and (actions or _is_delayed(message, subject)):
        return Bounce()
    reason = phrase("diagnosis").search(report) or phrase("status").search(report)
    # the id stands in the message that the bounce holds, or in what it holds of its header, or in the
    # thread's
    texts = _report_texts(message, (*_HEADER_KINDS, *_STATUS_KINDS, *_TEXTS))
    ids = [*(part.message_id() for part in message.messages), *_first_in(texts, phrase("original id"))]
    ids += [*header.ids("In-Reply-To"), *header.ids("References")]
    games = [
        *(part.line(OWN_HEADER, _SUBJECT) for part in message.messages),
        *_first_in(texts, _ORIGINAL_GAME),
    ]
    everything = list(_everything(message, subject))
    mark = next(filter(None, map(_SUBJECT_MARK.search, everything)), None)
    if mark:
        games.append(mark[1])
    says = reason[1] if reason else subject
    return Bounce(
        message=next(filter(None, ids), ""),
        says=one_line(says, _SUBJECT),
        recipients=_recipients(message, report),
        game=one_line(next(filter(None, games), "")),
        realm=mark[3] if mark else "",
        failed=True,
        marks=_marks(message, everything),
    )


def _marks(message: ParsedMessage, texts: list[str]) -> tuple[str, ...]:
    """Return the ids of ours in the header and in the texts of a report."""
    header = message.header
    ids = dict.fromkeys((*header.ids("In-Reply-To"), *header.ids("References")))
    for text in texts:
        ids |= dict.fromkeys(_OWN_ID.findall(text))
    return tuple(number for number in ids if _OWN_ID.fullmatch(number))[:_MARKS]


def _is_delayed(message: ParsedMessage, subject: str) -> bool:
    """Return whether a server writes in words of its own that it still tries."""
    if phrase("returned").match(subject) is None and phrase("delayed").search(subject):
        return True
    return phrase("still trying").search(_said(message)) is not None


def _recipients(message: ParsedMessage, report: str) -> tuple[str, ...]:
    """Return the addresses that the message could not reach, as far as the report has them.

    Those of its fields, or else every address that a server writes above its quotation of the message.
    """
    fields: list[str] = []
    # of each recipient it tells in a paragraph of its own
    for block in re.split(r"\n[ \t]*\n", report):
        action = phrase("action").search(block)
        if action is None or action[1].lower() == "failed":
            fields += phrase("recipient").findall(block)
    named_addresses = tuple(dict.fromkeys(filter(None, map(bare_address, fields))))
    if named_addresses:
        return named_addresses[:_RECIPIENTS]
    addresses = [*message.header.addresses("X-Failed-Recipients", "X-Actual-Recipient")]
    subject = message.header.line("Subject", _SUBJECT)
    for text in (_said(message), subject):
        addresses += _ADDRESS.findall(text)
    return tuple(dict.fromkeys(filter(None, map(bare_address, addresses))))[:_RECIPIENTS]


def _said(message: ParsedMessage) -> str:
    """Return the server's own words: the beginning of the first text that is not empty."""
    for text in _report_texts(message, _TEXTS):
        if text.strip():
            return text[:_SAID]
    return ""


def _everything(message: ParsedMessage, subject: str) -> Iterator[str]:
    """Yield each text of a report, of the message inside it too, however it is packed."""
    yield subject
    for header in message.messages:
        yield header.line("Subject", _SUBJECT)
        yield f"<{header.message_id()}>"
    bytes_left = _SEARCHED_AT_MOST
    for part in message.parts:
        if bytes_left <= 0:
            return
        text = part.content(min(bytes_left, _SEARCHED)).decode("utf-8", "replace")
        bytes_left -= _SEARCHED
        yield text


def _first_in(texts: list[str], pattern: re.Pattern[str]) -> Iterator[str]:
    return (match[1] for match in map(pattern.search, texts) if match)


def _report_texts(message: ParsedMessage, kinds: tuple[str, ...]) -> list[str]:
    """Return the beginnings of these parts of a report, those of the first kind first."""
    parts = [part for part in message.parts if part.kind in kinds and not part.inside]
    parts.sort(key=lambda part: kinds.index(part.kind))
    texts = []
    for part in parts:
        text = part.content(_SEARCHED).decode("utf-8", "replace").replace("\r\n", "\n")
        if part.kind == "text/html":
            text = html.unescape(_TAG.sub(" ", text))
        texts.append(text)
    return texts
