"""Send the messages of the outbox, each once.

Temporary failures are tried again later, permanent ones go to the GM.
"""

import smtplib
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from gm.core.diagnostics import message_of, says
from gm.core.values import Record
from gm.mail.outbox import Outbox, OutboxEntry, State
from gm.mail.parse import one_line
from gm.mail.settings import LoginError, MailSettings, Outward, mail_commands, refused, secret_of, tls_context
from gm.store.trust import require_confirmed

_CLOSING = 421
_TOO_LARGE = 552  # more than the server ever takes (RFC 1870)


class RefusedError(Exception):
    """A server or program refused a message, ``forever`` or for now; ``words``: why.

    ``doubt``: it had the whole message, and may have accepted it all the same.
    """

    def __init__(self, words: str, *, forever: bool, doubt: bool = False) -> None:
        super().__init__(words)
        self.words = words
        self.forever = forever
        self.doubt = doubt


class UnreachableError(Exception):
    """The mail server cannot be reached or used at all now; the text says why, for the GM.

    ``unsure``: the connection broke while a message was handed over, so that it may have arrived.
    """

    def __init__(self, words: str, *, unsure: bool = False) -> None:
        super().__init__(words)
        self.unsure = unsure


Clock = Callable[[], datetime]
# takes a message's id in the outbox: whether its copy is in the GM's mailbox; None if that cannot be known
Arrived = Callable[[str], bool | None]
Send = Callable[[tuple[str, ...], bytes], str]
"""Hands a message (bytes) over for the first of the recipients (addresses); the others get copies.

Returns why a copy was refused; empty if none was. Raises ``RefusedError`` and ``UnreachableError``, and then
there is no copy either."""


class Delivery(Record):
    """The result of a round of sending."""

    sent: tuple[OutboxEntry, ...] = ()
    failed: tuple[OutboxEntry, ...] = ()
    waiting: tuple[OutboxEntry, ...] = ()  # all that are still to be sent
    problem: str = ""  # why the server could not be used

    def __add__(self, later: "Delivery") -> "Delivery":
        """Return the result of two rounds, of which the other is the ``later`` one."""
        sent = (*self.sent, *later.sent)
        failed = (*self.failed, *later.failed)
        return Delivery(sent, failed, later.waiting, self.problem or later.problem)


def deliver(
    outbox: Outbox, outward: Outward, connect: Callable[[], Send], clock: Clock, arrived: Arrived | None
) -> Delivery:
    """Send the messages that are due; return what became of them. The caller holds the game's lock.

    ``connect`` opens the connection when it is needed; ``arrived`` is None without a mailbox for copies. A
    message whose sending was cut short goes out again after a while, if its copy has not arrived. If it
    cannot be known whether the copy has, the message waits. Messages that have expired are not sent.
    """
    send: Send | None = None
    problem = ""
    handled: list[str] = []  # ids of messages
    for entry in outbox.open():
        now = clock()
        if entry.state is State.SENDING or entry.doubt:  # its sending was cut short
            has_copy = arrived(entry.id) if arrived is not None else False  # None: that cannot be known
            if has_copy:
                outbox.set_state(entry.id, State.SENT, now, str(says("its copy arrived")))
                handled.append(entry.id)
            if has_copy or has_copy is None or now < entry.at + timedelta(minutes=outward.grace_minutes):
                continue
        if entry.expires is not None and now > entry.expires:
            outbox.set_state(entry.id, State.EXPIRED, now)
            continue
        if problem or not entry.is_due(now):  # without a server, the others are still looked for or expire
            continue
        handled.append(entry.id)
        try:
            send = send or connect()
            _send(outbox, entry, send, outward, clock)
        except (UnreachableError, LoginError) as error:
            problem = message_of(error)
    return _delivery(outbox, handled, problem)


def _delivery(outbox: Outbox, handled: Iterable[str], problem: str) -> Delivery:
    """Return what became of messages.

    ``handled``: the ids of those that were dealt with; ``problem``: why the server could not be used, empty
    if it could.
    """
    entries = [outbox.entries[entry_id] for entry_id in handled]
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
        was_last_try = outbox.entries[entry.id].tries >= outward.tries
        state = State.FAILED if error.forever or was_last_try else State.LATER
        outbox.set_state(entry.id, state, clock(), error.words, doubt=error.doubt and state is State.LATER)
    except UnreachableError as error:
        if not error.unsure:  # else it stays in the state SENDING, until its copy is looked for
            outbox.set_state(entry.id, State.LATER, clock(), str(error))
        raise
    else:
        outbox.set_state(entry.id, State.SENT, clock(), words)


class SmtpTransport:
    """A connection to an SMTP server (RFC 5321), over TLS unless it is on this machine."""

    def __init__(self, settings: MailSettings, folder: Path) -> None:
        """Connect and log in; ``folder``: the game's.

        Raises ``UnreachableError``, ``LoginError``, and ``UnconfirmedError`` for settings that the GM has to
        confirm.
        """
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
        """Hand over a message for the first of the recipients; the others get copies.

        Return why a copy was refused; empty if none was. Raises ``RefusedError``, ``UnreachableError``.
        """
        reader, *copy_addresses = recipients
        try:
            options = [f"SIZE={len(data)}"] if self._server.has_extn("size") else []
            code, words = self._server.mail(self._sender, options)
            # a server that refuses our address refuses every message; only the size is this one's alone
            if code not in (250, _TOO_LARGE):
                self._reset()
                problem = says(
                    "The mail server {0} accepts no mail from {1} now: {2}",
                    self._where,
                    self._sender,
                    _reply(code, words),
                )
                raise UnreachableError(problem)
            self._expect((code, words), 250)
            self._expect(self._server.rcpt(reader), 250, 251)
            answers = [self._server.rcpt(address) for address in copy_addresses]
            refused_copies = [_reply(code, words) for code, words in answers if code not in (250, 251)]
            self._expect(self._server.docmd("DATA"), 354)
        except (OSError, smtplib.SMTPException) as error:
            raise UnreachableError(
                says("The connection to the mail server broke: {0}.", _words(error))
            ) from None
        # over the connection a leading dot is doubled, and a dot alone ends the message (RFC 5321, 4.5.2)
        lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n").split(b"\n")
        content = b"".join(b"." * line.startswith(b".") + line + b"\r\n" for line in lines)
        try:
            # from here on the server may accept the message although its answer does not reach us
            self._server.send(content + b".\r\n")
            answer = self._server.getreply()
        except (OSError, smtplib.SMTPException) as error:
            raise UnreachableError(
                says("The connection to the mail server broke: {0}.", _words(error)), unsure=True
            ) from None
        self._expect(answer, 250, doubt=True)
        return says("without a copy: {0}", "; ".join(refused_copies)) if refused_copies else ""

    def _expect(self, answer: tuple[int, bytes], *good_codes: int, doubt: bool = False) -> None:
        """Do nothing after a good answer (code, words); after any other, end the message for all recipients.

        ``doubt``: the server had the whole message before its answer. Raises ``RefusedError``, or
        ``UnreachableError`` if the server ends the connection.
        """
        code, words = answer
        if code in good_codes:
            return
        if code == _CLOSING:
            raise UnreachableError(
                says("The mail server {0} closes: {1}", self._where, _reply(code, words)), unsure=doubt
            )
        self._reset()
        forever = 500 <= code < 600  # then there is no doubt: the server has not accepted the message
        raise RefusedError(_reply(code, words), forever=forever, doubt=doubt and not forever)

    def _reset(self) -> None:
        """End the present message without sending it."""
        with suppress(OSError, smtplib.SMTPException):  # a broken connection shows with the next message
            self._server.rset()

    def close(self) -> None:
        """End the connection, also if it is broken."""
        with suppress(OSError, smtplib.SMTPException):
            self._server.quit()


def _connected(outward: Outward, folder: Path) -> smtplib.SMTP:
    """Return a connection to the server, encrypted and logged in as its settings say."""
    tls = None if outward.security == "none" else tls_context(outward, folder)
    server: smtplib.SMTP
    if outward.security == "tls":
        server = smtplib.SMTP_SSL(outward.host, outward.port or 465, timeout=outward.timeout, context=tls)
    else:
        server = smtplib.SMTP(outward.host, outward.port or 587, timeout=outward.timeout)
    try:
        if outward.security == "starttls":
            server.starttls(context=tls)
        server.ehlo_or_helo_if_needed()
        secret = secret_of(outward, folder) if outward.user else ""
        if outward.user and outward.oauth2_command:
            proof = f"user={outward.user}\x01auth=Bearer {secret}\x01\x01"
            # the server's challenge after a refusal is answered with an empty line
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
    """Return a server's reply, code and words, on one line."""
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return f"{code} {one_line(text, 200)}"


def _words(error: Exception) -> str:
    """Return an error of the connection in words."""
    if isinstance(error, smtplib.SMTPNotSupportedError) and "STARTTLS" in str(error):
        return says("it does not offer STARTTLS, and pbem sends nothing unencrypted")
    if isinstance(error, smtplib.SMTPResponseException):
        return _reply(error.smtp_code, error.smtp_error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return one_line(str(error), 200).rstrip(".") or type(error).__name__
