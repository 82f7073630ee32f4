"""A message of ours as bytes: headers that no text of a player's can add to, and a text that every program shows."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr

from gm.kernel.diagnostics import printable
from gm.mail.letter import OWN_HEADER
from gm.mail.outbox import Outgoing, message_id
from gm.mail.settings import PostSettings

ANSWERS = frozenset({"receipt", "advice"})
"""Kinds of message that answer somebody's: RFC 3834 calls them auto-replied, the others auto-generated."""


def domain_of(settings: PostSettings) -> str:
    """The right side of our message ids."""
    return settings.sender.rpartition("@")[2]


def message_bytes(letter: Outgoing, settings: PostSettings, game: str, now: datetime) -> bytes:
    """The whole message. Raises ``ValueError`` for an address that could not stand in a header."""
    message = EmailMessage(policy=SMTP)
    message["From"] = formataddr((printable(settings.sender_name), settings.sender))
    message["To"] = letter.to
    message["Subject"] = one_line(letter.subject)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{message_id(game, letter.once, domain_of(settings))}>"
    message["Auto-Submitted"] = "auto-replied" if letter.kind in ANSWERS else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message[OWN_HEADER] = one_line(game)
    if letter.answers:
        message["In-Reply-To"] = message["References"] = f"<{letter.answers}>"
    for name, value in letter.headers.items():
        message[name] = one_line(value)
    message.set_content(letter.text)
    if letter.html:
        message.add_alternative(letter.html, subtype="html")
    for each in letter.enclosures:
        main, _, sub = each.kind.partition("/")
        if main == "text":
            message.add_attachment(each.data.decode("utf-8"), subtype=sub, filename=each.name)
        else:
            message.add_attachment(each.data, maintype=main, subtype=sub, filename=each.name)
    return message.as_bytes()


def one_line(text: str) -> str:
    """A text that is safe as a header's value."""
    return printable(" ".join(text.split()))[:200]
