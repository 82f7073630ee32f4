"""Bounces: letters of servers about a letter of ours that could not be delivered.

They hold a machine-readable report (RFC 3464), or say it in words of their own. Their sender looks like a
server: by its address, by its name, or by giving none. A person's letter about an address that does not work
is no bounce, whatever it quotes.
"""

import html
import re
from collections.abc import Iterator

from gm.core.values import Record
from gm.mail.body_text import phrase
from gm.mail.parse import OWN_HEADER, ParsedMessage, bare_address, one_line

_SUBJECT = 200  # characters of a header line
_NAME = 100  # characters of a sender's name
_SEARCHED = 64 * 1024  # bytes of each part of a report that are read
_SEARCHED_AT_MOST = 4 * _SEARCHED  # bytes of all parts that are read
_SAID = 6000  # characters at the beginning in which a server says what has happened
_RECIPIENTS = 20
_IDS = 20

_STATUS_KINDS = ("message/delivery-status", "message/global-delivery-status")
_HEADER_KINDS = ("text/rfc822-headers", "message/rfc822-headers", "message/global-headers")
_TEXTS = ("text/plain", "text/html")
_ORIGINAL_GAME = re.compile(rf"(?im)^[> \t]*{OWN_HEADER}:[ \t]{{0,80}}([^\n]{{1,200}})")
_OWN_ID = re.compile(r"(?<![\w.])gm\.[0-9a-f]{32}@[\w.-]{1,200}\w")
_SUBJECT_MARK = re.compile(r"\[([^\[\]\n]{1,80}) t(\d{1,6}) ([A-Z0-9]{1,8})[ \]]")
_ADDRESS = re.compile(r"(?<![\w.+-])[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[\w.-]{1,200}\w")
_TAG = re.compile(r"<[^<>]{0,2000}>")


class Bounce(Record):
    """What a bounce says. Each field is empty where it does not say it, and all are for a mere delay."""

    message: str = ""  # the Message-ID of the letter that was not delivered
    says: str = ""  # the reason, in the server's words
    recipients: tuple[str, ...] = ()  # the unreachable addresses
    game: str = ""  # the game that sent the letter
    realm: str = ""  # the code in the letter's subject
    failed: bool = False  # the letter will not be delivered
    own_ids: tuple[str, ...] = ()  # all Message-IDs in it that have the form of ours

    @property
    def messages(self) -> tuple[str, ...]:
        """The Message-IDs that the undelivered letter may have, the likeliest first."""
        return tuple(dict.fromkeys(filter(None, (self.message, *self.own_ids))))


def is_bounce(message: ParsedMessage, *, no_return: bool) -> bool:
    """Return whether a letter is a bounce. ``no_return``: it came with no address to return it to."""
    header = message.header
    kinds = {part.kind for part in message.parts if not part.inside}
    is_report = message.kind == "multipart/report"
    report_type = header.parameter("Content-Type", "report-type").lower() if is_report else ""
    if report_type == "delivery-status" or kinds.intersection(_STATUS_KINDS):
        return True
    # another report, such as one that a letter was read
    if report_type or "message/disposition-notification" in kinds:
        return False
    sender = header.address("From")
    if header.has("X-Failed-Recipients") or phrase("daemon").match(sender):
        return True
    subject = header.line("Subject", _SUBJECT)
    is_returned = phrase("returned").match(subject) is not None
    if is_returned and message.messages:
        return True
    # a letter that may not be answered, with a message or its header inside, returns that message
    if no_return and (message.messages or kinds.intersection(_HEADER_KINDS)):
        return True
    if not (no_return or _is_server(message)):
        return False
    return is_returned or phrase("not delivered").search(_said(message)) is not None


def _is_server(message: ParsedMessage) -> bool:
    """Return whether the sender looks like a mail server, by address or name, or is missing."""
    header = message.header
    from_line = header.line("From", _SUBJECT)
    address = header.address("From")
    name = from_line.partition("<")[0].strip(" \"'")[:_NAME]
    if not address:
        return not name or phrase("daemon name").match(name) is not None
    return phrase("server").match(address) is not None or phrase("daemon name").match(name) is not None


def bounce_of(message: ParsedMessage) -> Bounce:
    """Return the content of a bounce; an empty one for a mere delay."""
    header = message.header
    report = "\n".join(_report_texts(message, _STATUS_KINDS))
    actions = {match[1].lower() for match in phrase("action").finditer(report)}
    subject = header.line("Subject", _SUBJECT)
    # the report names no failure, only a delay or the like; or without one the text says that it still tries
    if "failed" not in actions and (actions or _is_delayed(message, subject)):
        return Bounce()
    reason = phrase("diagnosis").search(report) or phrase("status").search(report)
    # the undelivered message or its header may be inside, as a part or as text; the likeliest places first
    texts = _report_texts(message, (*_HEADER_KINDS, *_STATUS_KINDS, *_TEXTS))
    ids = [
        *(inner.message_id() for inner in message.messages),
        *_first_in(texts, phrase("original id")),
        *header.ids("In-Reply-To"),
        *header.ids("References"),
    ]
    games = [inner.line(OWN_HEADER, _SUBJECT) for inner in message.messages]
    games += _first_in(texts, _ORIGINAL_GAME)
    all_texts = list(_all_texts(message, subject))
    subject_mark = next(filter(None, map(_SUBJECT_MARK.search, all_texts)), None)
    if subject_mark:  # (game, turn, realm)
        games.append(subject_mark[1])
    says = reason[1] if reason else subject
    return Bounce(
        message=next(filter(None, ids), ""),
        says=one_line(says, _SUBJECT),
        recipients=_recipients(message, report),
        game=one_line(next(filter(None, games), "")),
        realm=subject_mark[3] if subject_mark else "",
        failed=True,
        own_ids=_own_ids(message, all_texts),
    )


def _own_ids(message: ParsedMessage, texts: list[str]) -> tuple[str, ...]:
    """Return the Message-IDs in the form of ours that are in the header and in the texts of a bounce."""
    header = message.header
    ids = dict.fromkeys((*header.ids("In-Reply-To"), *header.ids("References")))
    for text in texts:
        ids |= dict.fromkeys(_OWN_ID.findall(text))
    return tuple(message_id for message_id in ids if _OWN_ID.fullmatch(message_id))[:_IDS]


def _is_delayed(message: ParsedMessage, subject: str) -> bool:
    """Return whether a server writes, in words of its own, that it still tries to deliver the letter."""
    if phrase("returned").match(subject) is None and phrase("delayed").search(subject):
        return True
    return phrase("still trying").search(_said(message)) is not None


def _recipients(message: ParsedMessage, report: str) -> tuple[str, ...]:
    """Return the addresses that the message could not reach, as far as the bounce has them.

    They are those in the fields of its ``report``, or else every address in the server's own words.
    """
    fields: list[str] = []
    # a report has a paragraph for each recipient
    for paragraph in re.split(r"\n[ \t]*\n", report):
        # of some it may say that their letter was delivered, or is only delayed
        action = phrase("action").search(paragraph)
        if action is None or action[1].lower() == "failed":
            fields += phrase("recipient").findall(paragraph)
    reported_addresses = tuple(dict.fromkeys(filter(None, map(bare_address, fields))))
    if reported_addresses:
        return reported_addresses[:_RECIPIENTS]
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


def _all_texts(message: ParsedMessage, subject: str) -> Iterator[str]:
    """Yield the texts of a bounce in which the marks of our letters may be.

    They are its subject, the subjects and ids of the messages inside, and its parts, up to a limit of bytes.
    """
    yield subject
    for header in message.messages:
        yield header.line("Subject", _SUBJECT)
        yield f"<{header.message_id()}>"
    bytes_left = _SEARCHED_AT_MOST
    for part in message.parts:
        if bytes_left <= 0:
            return
        text = part.content(min(bytes_left, _SEARCHED)).decode("utf-8", "replace")
        bytes_left -= _SEARCHED  # a short part counts as a whole one
        yield text


def _first_in(texts: list[str], pattern: re.Pattern[str]) -> Iterator[str]:
    """Yield the first group of the first match in each text that has one."""
    return (match[1] for match in map(pattern.search, texts) if match)


def _report_texts(message: ParsedMessage, kinds: tuple[str, ...]) -> list[str]:
    """Return the beginnings of the parts of these kinds as plain text, those of the first kind first.

    Parts of messages inside this one are left out.
    """
    parts = [part for part in message.parts if part.kind in kinds and not part.inside]
    parts.sort(key=lambda part: kinds.index(part.kind))
    texts = []
    for part in parts:
        text = part.content(_SEARCHED).decode("utf-8", "replace").replace("\r\n", "\n")
        if part.kind == "text/html":
            text = html.unescape(_TAG.sub(" ", text))
        texts.append(text)
    return texts
