"""A message of ours as bytes: headers that no text of a player's can add to, and a text that every program shows.

The same message is the same bytes in every run: nothing in it is drawn by chance.
"""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, formataddr
from typing import Any

from gm.core.diagnostics import printable
from gm.mail.classify import OWN_HEADER
from gm.mail.outbox import Outgoing, message_id
from gm.mail.settings import PostSettings

ANSWERS = frozenset({"receipt", "advice"})
"""Kinds of message that answer somebody's: RFC 3834 calls them auto-replied, the others auto-generated."""

_SUBJECT_LENGTH = 200
_LINE_LENGTH = 900
"""Characters of a header line that stays whole; servers take up to 998."""
_WHOLE = ("subject", "message-id", "in-reply-to", "references", "list-unsubscribe")


class _Policy(EmailPolicy):
    """As for SMTP, but ids and addresses stay whole: the library would encode a long one, and no program knows it
    then."""

    def fold_binary(self, name: str, value: Any) -> bytes:
        text = str(value)
        if name.lower() in _WHOLE and text.isascii() and text.isprintable():
            return f"{name}: {text}\r\n".encode("ascii")
        return super().fold_binary(name, value)


_SMTP = _Policy(linesep="\r\n", cte_type="7bit")
"""Seven bits: every server takes them, and none rewrites what it passes on."""


def domain_of(settings: PostSettings) -> str:
    """The right side of our message ids."""
    return settings.sender.rpartition("@")[2]


def message_bytes(letter: Outgoing, number: str, settings: PostSettings, game: str, now: datetime) -> bytes:
    """The whole message; ``number`` is its own in the outbox.

    Raises ``ValueError`` for an address that could not stand in a header.
    """
    message = EmailMessage(policy=_SMTP)
    message["From"] = formataddr((printable(settings.sender_name), settings.sender))
    message["To"] = letter.to
    message["Subject"] = one_line(letter.subject)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{message_id(number, domain_of(settings))}>"
    message["Auto-Submitted"] = "auto-replied" if letter.kind in ANSWERS else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message[OWN_HEADER] = one_line(game)
    if letter.answers:
        message["In-Reply-To"] = message["References"] = f"<{letter.answers}>"
    for name, value in letter.headers.items():
        message[name] = one_line(value, _LINE_LENGTH)
    message.set_content(letter.text)
    if letter.html:
        message.add_alternative(letter.html, subtype="html")
    for each in letter.enclosures:
        kind, *more = (part.strip() for part in each.kind.split(";"))
        main, _, sub = kind.partition("/")
        if main == "text":
            params = dict(each.partition("=")[::2] for each in more)
            message.add_attachment(each.data.decode("utf-8"), subtype=sub, filename=each.name, params=params)
        else:
            message.add_attachment(each.data, maintype=main, subtype=sub, filename=each.name)
    _set_boundaries(message, f"gm.{number}")
    return message.as_bytes()


def _set_boundaries(message: EmailMessage, mark: str) -> None:
    """The lines between the parts: ``=_`` stands in no text that is encoded, and the mark in none that is not."""
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_{mark}.{number}")


def one_line(text: str, length: int = _SUBJECT_LENGTH) -> str:
    """A text that is safe as a header's value."""
    return printable(" ".join(text.split()))[:length]
