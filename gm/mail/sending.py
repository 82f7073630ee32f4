"""Sending what is in the outbox: each message once; what fails for now again later, what fails for good to the GM."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from gm.kernel.diagnostics import printable
from gm.mail.login import LoginError, secret_of, tls_context
from gm.mail.outbox import Outbox, Posted, State
from gm.mail.settings import Outward, PostSettings, Security


class RefusedError(Exception):
    """A server did not take a message; ``forever`` when trying again is of no use."""

    def __init__(self, words: str, *, forever: bool) -> None:
        super().__init__(words)
        self.words = words
        self.forever = forever


class UnreachableError(Exception):
    """The mail server cannot be reached or used at all now: what is wrong, for the GM.

    ``unsure``: the connection broke while a message was handed over, which the server may have taken all the same.
    """

    def __init__(self, words: str, *, unsure: bool = False) -> None:
        super().__init__(words)
        self.unsure = unsure


class Transport(Protocol):
    """A connection over which messages go out."""

    def send(self, recipients: tuple[str, ...], data: bytes) -> None:
        """Hand a message over; it is for the first of the recipients, the others get copies. Raises ``RefusedError``
        and ``UnreachableError``."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a round of sending came to: messages by what became of them."""

    sent: tuple[Posted, ...] = ()
    failed: tuple[Posted, ...] = ()
    waiting: tuple[Posted, ...] = ()
    problem: str = ""


def deliver(
    outbox: Outbox,
    settings: PostSettings,
    connect: Callable[[], Transport],
    clock: Callable[[], datetime],
    arrived: Callable[[str], bool] | None,
) -> Delivery:
    """Send what is due. The lock is held.

    ``connect`` opens the connection when there is something to send; ``arrived`` says whether the GM's own mailbox
    holds the copy of a message, by id (none: there is no such mailbox).
    """
    transport: Transport | None = None
    problem = ""
    touched: list[str] = []
    for posted in outbox.open():
        now = clock()
        if posted.expires is not None and now > posted.expires and posted.state is not State.SENDING:
            outbox.mark(posted.id, State.EXPIRED, now)
            continue
        if posted.state is State.SENDING and not _settled(outbox, posted, settings.outward, now, arrived):
            continue
        if outbox.find(posted.id).state is State.SENT:
            touched.append(posted.id)
            continue
        if problem or now < posted.due:
            continue
        touched.append(posted.id)
        try:
            transport = transport or connect()
            _send(outbox, posted, transport, settings.outward, clock)
        except UnreachableError as error:
            problem = str(error)
    found = [outbox.find(number) for number in touched]
    return Delivery(
        sent=tuple(each for each in found if each.state is State.SENT),
        failed=tuple(each for each in found if each.state is State.FAILED),
        waiting=outbox.open(),
        problem=problem,
    )


def _settled(
    outbox: Outbox, posted: Posted, outward: Outward, now: datetime, arrived: Callable[[str], bool] | None
) -> bool:
    """Whether it is known, or has to be taken as known, what became of a message whose sending was cut short."""
    if arrived is not None and arrived(posted.id):
        outbox.mark(posted.id, State.SENT, now, "its copy arrived")
        return True
    return now >= posted.at + timedelta(minutes=outward.grace_minutes)


def _send(
    outbox: Outbox, posted: Posted, transport: Transport, outward: Outward, clock: Callable[[], datetime]
) -> None:
    data = outbox.path(posted.id).read_bytes()
    recipients = tuple(dict.fromkeys(each for each in (posted.to, outward.copy_to) if each))
    outbox.mark(posted.id, State.SENDING, clock())
    try:
        transport.send(recipients, data)
    except RefusedError as error:
        last = outbox.find(posted.id).tries >= outward.tries
        outbox.mark(posted.id, State.FAILED if error.forever or last else State.LATER, clock(), error.words)
    except UnreachableError as error:
        if not error.unsure:
            outbox.mark(posted.id, State.LATER, clock(), str(error))
        raise
    else:
        outbox.mark(posted.id, State.SENT, clock())


@contextmanager
def smtp_connections(settings: PostSettings, folder: Path) -> Iterator[Callable[[], Transport]]:
    """A way to open the connection to the game's mail server; it is closed at the end of the ``with``."""
    opened: list[SmtpTransport] = []

    def connect() -> Transport:
        opened.append(SmtpTransport(settings, folder))
        return opened[-1]

    try:
        yield connect
    finally:
        for each in opened:
            each.close()


class SmtpTransport:
    """An SMTP server (RFC 5321), over TLS unless it is on this machine. Raises ``UnreachableError`` and
    ``LoginError`` when it is made."""

    def __init__(self, settings: PostSettings, folder: Path) -> None:
        outward = settings.outward
        self._sender = settings.sender
        self._where = f"{outward.host}:{outward.port or 'usual port'}"
        try:
            self._server = _connected(outward, folder)
            _log_in(self._server, outward, folder)
        except ssl.SSLError as error:
            raise UnreachableError(
                f"The mail server {self._where} could not prove that it is the right one: {error}"
            ) from None
        except smtplib.SMTPAuthenticationError as error:
            raise LoginError(f"The mail server does not let {outward.user} in: {_reply(error)}") from None
        except (OSError, smtplib.SMTPException) as error:
            raise UnreachableError(f"The mail server {self._where} cannot be used now: {_words(error)}") from None

    def send(self, recipients: tuple[str, ...], data: bytes) -> None:
        try:
            refused = self._server.sendmail(self._sender, recipients, data)
        except smtplib.SMTPRecipientsRefused as error:
            code, words = error.recipients[recipients[0]]
            self._refuse(code, words)
        except smtplib.SMTPResponseException as error:
            if error.smtp_code == 421:
                raise UnreachableError(f"The mail server {self._where} closes: {_reply(error)}") from None
            self._refuse(error.smtp_code, error.smtp_error)
        except (OSError, smtplib.SMTPException) as error:
            raise UnreachableError(f"The connection to the mail server broke: {_words(error)}", unsure=True) from None
        else:
            if recipients[0] in refused:
                # only the copy was taken: for the player it was not sent
                self._refuse(*refused[recipients[0]])

    def _refuse(self, code: int, words: bytes | str) -> None:
        text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
        raise RefusedError(f"{code} {printable(' '.join(text.split()))[:200]}", forever=500 <= code < 600) from None

    def close(self) -> None:
        with suppress(OSError, smtplib.SMTPException):
            self._server.quit()


def _connected(outward: Outward, folder: Path) -> smtplib.SMTP:
    if outward.security is Security.TLS:
        context = tls_context(outward, folder)
        return smtplib.SMTP_SSL(outward.host, outward.port or 465, timeout=outward.timeout, context=context)
    server = smtplib.SMTP(outward.host, outward.port or 587, timeout=outward.timeout)
    if outward.security is Security.STARTTLS:
        server.starttls(context=tls_context(outward, folder))
    return server


def _log_in(server: smtplib.SMTP, outward: Outward, folder: Path) -> None:
    if not outward.user:
        return
    secret = secret_of(outward, folder)
    if outward.oauth2_command:
        proof = f"user={outward.user}\1auth=Bearer {secret}\1\1"
        server.ehlo_or_helo_if_needed()
        server.auth("XOAUTH2", lambda challenge=None: proof if challenge is None else "", initial_response_ok=True)
    else:
        server.login(outward.user, secret)


def _reply(error: smtplib.SMTPResponseException) -> str:
    text = error.smtp_error.decode("utf-8", "replace") if isinstance(error.smtp_error, bytes) else error.smtp_error
    return f"{error.smtp_code} {printable(' '.join(text.split()))[:200]}"


def _words(error: Exception) -> str:
    return printable(" ".join(str(error).split()))[:200] or type(error).__name__
