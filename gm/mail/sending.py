"""Send the messages of the outbox, each once.

Temporary failures are tried again later, permanent ones go to the GM.
"""

import smtplib
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from gm.core.diagnostics import says
from gm.core.values import Record
from gm.mail.outbox import Outbox, OutboxEntry, State
from gm.mail.parse import one_line
from gm.mail.settings import LoginError, MailSettings, Outward, mail_commands, refused, secret_of, tls_context
from gm.store.trust import require_confirmed

_CLOSING = 421
_TOO_LARGE = 552  # more than the server ever takes (RFC 1870)


class RefusedError(Exception):
    """A server refused a message, ``forever`` or for now. ``doubt``: it had received all of it."""

    def __init__(self, words: str, *, forever: bool, doubt: bool = False) -> None:
        super().__init__(words)
        self.words = words
        self.forever = forever
        self.doubt = doubt


class UnreachableError(Exception):
    """The mail server cannot be reached or used at all now; the text says why, for the GM.

    ``unsure``: the connection broke while a message was handed over, which the server may have accepted all
    the same.
    """

    def __init__(self, words: str, *, unsure: bool = False) -> None:
        super().__init__(words)
        self.unsure = unsure


Clock = Callable[[], datetime]
Arrived = Callable[[str], bool | None]  # whether a message's copy arrived, by its id; none: nobody can tell
Send = Callable[[tuple[str, ...], bytes], str]
"""Hands a message over for the first of the recipients; the others get copies. Returns why there is no copy.

Raises

``RefusedError`` and ``UnreachableError``, and then there is no copy either."""


class Delivery(Record):
    """The result of a round of sending: messages by their new state."""

    sent: tuple[OutboxEntry, ...] = ()
    failed: tuple[OutboxEntry, ...] = ()
    waiting: tuple[OutboxEntry, ...] = ()
    problem: str = ""

    def __add__(self, later: "Delivery") -> "Delivery":
        sent = (*self.sent, *later.sent)
        failed = (*self.failed, *later.failed)
        return Delivery(sent, failed, later.waiting, self.problem or later.problem)


def deliver(
    outbox: Outbox, outward: Outward, connect: Callable[[], Send], clock: Clock, arrived: Arrived | None
) -> Delivery:
    """Send the messages that are due.

    The lock is held. ``connect`` opens the connection when needed; ``arrived`` returns whether the GM's own
    mailbox holds the copy of a message, by id (None: there is no such mailbox).
    """
    send: Send | None = None
    problem = ""
    touched: list[str] = []
    for entry in outbox.open():
        now = clock()
        if entry.state is State.SENDING or entry.doubt:  # its sending was cut short
            copy = arrived(entry.id) if arrived is not None else False
            if copy:
                outbox.set_state(entry.id, State.SENT, now, str(says("its copy arrived")))
                touched.append(entry.id)
            if copy or copy is None or now < entry.at + timedelta(minutes=outward.grace_minutes):
                continue
        if entry.expires is not None and now > entry.expires:
            outbox.set_state(entry.id, State.EXPIRED, now)
            continue
        if problem or not entry.is_due(now):
            continue
        touched.append(entry.id)
        try:
            send = send or connect()
            _send(outbox, entry, send, outward, clock)
        except (UnreachableError, LoginError) as error:
            problem = str(error)
    return _delivery(outbox, touched, problem)


def _delivery(outbox: Outbox, touched: Iterable[str], problem: str) -> Delivery:
    """Return the result of a round; ``touched``: the messages that it dealt with."""
    entries = [outbox.entries[number] for number in touched]
    sent_entries = tuple(entry for entry in entries if entry.state is State.SENT)
    failed = tuple(entry for entry in entries if entry.state is State.FAILED)
    return Delivery(sent_entries, failed, outbox.open(), problem)


def _send(outbox: Outbox, entry: OutboxEntry, send: Send, outward: Outward, clock: Clock) -> None:
    """Send one message and record its state. Raises ``UnreachableError``."""
    data = outbox.path(entry.id).read_bytes()
    recipients = tuple(dict.fromkeys(address for address in (entry.to, outward.copy_to) if address))
    outbox.set_state(entry.id, State.SENDING, clock())
    try:
        words = send(recipients, data)
    except RefusedError as error:
        last = outbox.entries[entry.id].tries >= outward.tries
        state = State.FAILED if error.forever or last else State.LATER
        outbox.set_state(entry.id, state, clock(), error.words, doubt=error.doubt and state is State.LATER)
    except UnreachableError as error:
        if not error.unsure:
            outbox.set_state(entry.id, State.LATER, clock(), str(error))
        raise
    else:
        outbox.set_state(entry.id, State.SENT, clock(), words)


class SmtpTransport:
    """An SMTP server (RFC 5321), over TLS unless it is on this machine.

    Raises ``UnreachableError``, ``LoginError`` and ``UnconfirmedError`` when it is made.
    """

    def __init__(self, settings: MailSettings, folder: Path) -> None:
        """Connect and log in. Raises ``UnreachableError``, ``LoginError``, ``UnconfirmedError``."""
        require_confirmed(folder, *mail_commands(settings))
        outward = settings.outward
        self._sender = settings.sender
        self._where = f"{outward.host}:{outward.port or 'usual port'}"
        try:
            self._server = _connected(outward, folder)
        except ssl.SSLError as error:
            words = str(getattr(error, "verify_message", "") or error.reason or error).rstrip(".")
            problem = says("The mail server {0} could not prove its identity: {1}.", self._where, words)
            raise UnreachableError(problem) from None
        except smtplib.SMTPAuthenticationError as error:
            raise refused(outward, _reply(error.smtp_code, error.smtp_error)) from None
        except (OSError, smtplib.SMTPException) as error:
            raise UnreachableError(
                says("The mail server {0} cannot be used now: {1}.", self._where, _words(error))
            ) from None

    def send(self, recipients: tuple[str, ...], data: bytes) -> str:
        """Hand over a message; return the server's reply. Raises ``RefusedError``, ``UnreachableError``."""
        player, *copies = recipients
        try:
            # what a server has against us concerns every message, unless this one is too large
            options = [f"SIZE={len(data)}"] if self._server.has_extn("size") else []
            code, words = self._server.mail(self._sender, options)
            if code not in (250, _TOO_LARGE):
                self._reset()
                wrong = says(
                    "The mail server {0} accepts no mail from {1} now: {2}",
                    self._where,
                    self._sender,
                    _reply(code, words),
                )
                raise UnreachableError(wrong)
            self._expect((code, words), 250)
            self._expect(self._server.rcpt(player), 250, 251)
            answers = [self._server.rcpt(address) for address in copies]
            refused = [_reply(code, words) for code, words in answers if code not in (250, 251)]
            self._expect(self._server.docmd("DATA"), 354)
        except (OSError, smtplib.SMTPException) as error:
            raise UnreachableError(
                says("The connection to the mail server broke: {0}.", _words(error))
            ) from None
        # as it goes over the line: a leading dot is doubled, and a dot alone ends it (RFC 5321, 4.5.2)
        lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n").split(b"\n")
        try:
            # from here on the server may take the message although its answer does not reach us
            self._server.send(
                b"".join(b"." * line.startswith(b".") + line + b"\r\n" for line in lines) + b".\r\n"
            )
            answer = self._server.getreply()
        except (OSError, smtplib.SMTPException) as error:
            raise UnreachableError(
                says("The connection to the mail server broke: {0}.", _words(error)), unsure=True
            ) from None
        self._expect(answer, 250, doubt=True)
        return says("without a copy: {0}", "; ".join(refused)) if refused else ""

    def _expect(self, answer: tuple[int, bytes], *good: int, doubt: bool = False) -> None:
        """Continue after a good answer; end the message after any other, without a copy.

        So nobody gets anything where the player's address is refused. ``doubt``: the server had the whole
        message before its answer.
        """
        code, words = answer
        if code in good:
            return
        if code == _CLOSING:
            raise UnreachableError(
                says("The mail server {0} closes: {1}", self._where, _reply(code, words)), unsure=doubt
            )
        self._reset()
        forever = 500 <= code < 600
        raise RefusedError(_reply(code, words), forever=forever, doubt=doubt and not forever)

    def _reset(self) -> None:
        with suppress(OSError, smtplib.SMTPException):  # if it is gone, the next message finds out
            self._server.rset()

    def close(self) -> None:
        with suppress(OSError, smtplib.SMTPException):
            self._server.quit()


def _connected(outward: Outward, folder: Path) -> smtplib.SMTP:
    """Return a connection to the server, with encryption and login as set."""
    trusted = None if outward.security == "none" else tls_context(outward, folder)
    server: smtplib.SMTP
    if outward.security == "tls":
        server = smtplib.SMTP_SSL(outward.host, outward.port or 465, timeout=outward.timeout, context=trusted)
    else:
        server = smtplib.SMTP(outward.host, outward.port or 587, timeout=outward.timeout)
    try:
        if outward.security == "starttls":
            server.starttls(context=trusted)
        server.ehlo_or_helo_if_needed()
        secret = secret_of(outward, folder) if outward.user else ""
        if outward.user and outward.oauth2_command:
            proof = f"user={outward.user}\x01auth=Bearer {secret}\x01\x01"
            server.auth(
                "XOAUTH2", lambda challenge=None: proof if challenge is None else "", initial_response_ok=True
            )
        elif outward.user:
            server.login(outward.user, secret)
    except BaseException:
        server.close()
        raise
    return server


def _reply(code: int, words: bytes | str) -> str:
    """Return a server's reply on one line."""
    return f"{code} {one_line(words.decode('utf-8', 'replace') if isinstance(words, bytes) else words, 200)}"


def _words(error: Exception) -> str:
    """Return an error of the connection in words."""
    if isinstance(error, smtplib.SMTPNotSupportedError) and "STARTTLS" in str(error):
        return says("it does not offer STARTTLS, and pbem sends nothing unencrypted")
    if isinstance(error, smtplib.SMTPResponseException):
        return _reply(error.smtp_code, error.smtp_error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return one_line(str(error), 200).rstrip(".") or type(error).__name__
