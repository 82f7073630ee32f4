"""An IMAP mailbox as a source of letters (RFC 3501, MOVE where the server has it)."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gm.mail.login import LoginError, secret_of, tls_context
from gm.mail.settings import Inward, Security
from gm.mail.sources import HEAD_LIMIT, Fate, MailboxError, Message

_SIZES_AT_ONCE = 500


@contextmanager
def imap_source(inward: Inward, folder: Path) -> Iterator[ImapSource]:
    """An open mailbox. Raises ``MailboxError`` and ``LoginError``; whatever the server does, the connection ends."""
    from imapclient import IMAPClient
    from imapclient.exceptions import IMAPClientError

    where = f"{inward.host}:{inward.port}" if inward.port else inward.host
    client: Any = None
    try:
        client = IMAPClient(
            inward.host,
            port=inward.port or None,
            ssl=inward.security is Security.TLS,
            ssl_context=tls_context(inward, folder) if inward.security is Security.TLS else None,
            timeout=inward.timeout,
        )
        client.normalise_times = False  # dates with their offset
        if inward.security is Security.STARTTLS:
            client.starttls(tls_context(inward, folder))
        _log_in(client, inward, folder)
        yield ImapSource(client, inward)
    except ssl.SSLError as error:
        raise MailboxError(f"The mail server {where} could not prove that it is the right one: {error}.") from None
    except (OSError, IMAPClientError) as error:
        raise MailboxError(f"The mail server {where} cannot be read now: {_words(error)}.") from None
    finally:
        if client is not None:
            with suppress(OSError, IMAPClientError):
                client.logout()


def _log_in(client: Any, inward: Inward, folder: Path) -> None:
    from imapclient.exceptions import LoginError as Refused

    secret = secret_of(inward, folder)
    try:
        if inward.oauth2_command:
            client.oauth2_login(inward.user, secret)
        else:
            client.login(inward.user, secret)
    except Refused as error:
        hint = " Many providers want an app password, or a token (oauth2_command)." if not inward.oauth2_command else ""
        raise LoginError(f"The mail server does not let {inward.user} in: {_words(error)}.{hint}") from None


def _words(error: Exception) -> str:
    """A server's words, short and without what could be a secret's echo."""
    return " ".join(str(error).split())[:200] or type(error).__name__


class ImapSource:
    """A mailbox on a server. Messages are read without marking them as seen, and moved, never deleted."""

    def __init__(self, client: Any, inward: Inward) -> None:
        self._client = client
        self._inward = inward
        self._folders = {Fate.DONE: inward.done, Fate.ASIDE: inward.aside}
        if not client.folder_exists(inward.folder):
            raise MailboxError(f"The mailbox of {inward.user} has no folder {inward.folder!r}.")
        client.select_folder(inward.folder)

    def waiting(self) -> Iterator[Message]:
        numbers = sorted(self._client.search(["NOT", "DELETED"]))
        for start in range(0, len(numbers), _SIZES_AT_ONCE):
            some = numbers[start : start + _SIZES_AT_ONCE]
            found = self._client.fetch(some, ["RFC822.SIZE", "INTERNALDATE"])
            for number in some:
                if number in found:
                    yield self._message(number, found[number][b"RFC822.SIZE"], found[number].get(b"INTERNALDATE"))

    def _message(self, number: int, size: int, arrived: datetime | None) -> Message:
        return Message(
            str(number),
            size,
            lambda: self._fetch(number, "BODY.PEEK[]"),
            lambda: self._fetch(number, f"BODY.PEEK[]<0.{HEAD_LIMIT}>"),
            arrived.astimezone(UTC) if arrived else None,
        )

    def _fetch(self, number: int, what: str) -> bytes:
        found = self._client.fetch([number], [what]).get(number, {})
        return next((bytes(value) for name, value in found.items() if name.startswith(b"BODY")), b"")

    def put(self, message: Message, fate: Fate) -> None:
        number, folder = int(message.name), self._folders[fate]
        if not self._client.folder_exists(folder):
            self._client.create_folder(folder)
        if self._client.has_capability("MOVE"):
            self._client.move([number], folder)
            return
        # without MOVE: the copy comes first, so that at no moment the mailbox is without the message
        self._client.copy([number], folder)
        self._client.add_flags([number], [b"\\Deleted"])
        if self._client.has_capability("UIDPLUS"):
            self._client.uid_expunge([number])

    def holds(self, message_id: str) -> bool:
        for folder in (self._inward.folder, *self._folders.values()):
            if self._client.folder_exists(folder):
                self._client.select_folder(folder, readonly=True)
                found = self._client.search(["HEADER", "Message-ID", f"<{message_id}>"])
                if found:
                    break
        else:
            found = []
        self._client.select_folder(self._inward.folder)
        return bool(found)
