"""An IMAP mailbox as a source of letters (RFC 3501; MOVE, UIDPLUS, NAMESPACE if the server has them)."""

import ssl
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import imapclient
from imapclient.exceptions import IMAPClientError
from imapclient.exceptions import LoginError as Refused

from gm.core.diagnostics import says
from gm.mail.parse import one_line
from gm.mail.settings import Inward, refused, secret_of, tls_context
from gm.mail.source import Disposition, Lease, MailboxError, Message, Source, lease_of
from gm.resources import resource

_LEASES = "gm-lease"  # the folder in which copies of games say that they read the mailbox
_LEASE_SIZE = 4096
_SIZES_AT_ONCE = 500
_MOVED_AT_ONCE = 100  # moving one letter takes many servers as long as moving a hundred


@contextmanager
def imap_source(inward: Inward, folder: Path) -> Iterator["ImapSource"]:
    """Yield an open mailbox.

    Raises ``MailboxError`` and ``LoginError``; whatever the server does, the connection ends.
    """
    client: Any = None
    try:
        with _talking(inward):
            tls = tls_context(inward, folder) if inward.security == "tls" else None
            client = imapclient.IMAPClient(
                inward.host,
                port=inward.port or None,
                ssl=tls is not None,
                ssl_context=tls,
                timeout=inward.timeout,
            )
            client.normalise_times = False  # dates with their offset
            if inward.security == "starttls":
                client.starttls(tls_context(inward, folder))
            _log_in(client, inward, secret_of(inward, folder))
            source = ImapSource(client, inward)
        yield source
        source.settle()
    finally:
        if client is not None:
            with suppress(OSError, IMAPClientError):
                client.logout()


def _log_in(client: Any, inward: Inward, secret: str) -> None:
    """Log in by password or OAuth token.

    Raises ``LoginError`` with the server's words, in which the secret is left out.
    """
    log_in = client.oauth2_login if inward.oauth2_command else client.login
    try:
        log_in(inward.user, secret)
    except Refused as error:
        words = _words(error).replace(secret, "…") if secret else _words(error)
        raise refused(inward, words) from None


@contextmanager
def _talking(inward: Inward) -> Iterator[None]:
    """Turn failures between us and the server into an error with a sentence.

    Such a block must do nothing else, or a full disk here would pass for trouble there.
    """
    where = f"{inward.host}:{inward.port}" if inward.port else inward.host
    try:
        yield
    except ssl.SSLError as error:
        raise MailboxError(
            says("The mail server {0} could not prove its identity: {1}.", where, error)
        ) from None
    except (OSError, EOFError, IMAPClientError) as error:
        raise MailboxError(
            says("The mail server {0} cannot be used now: {1}.", where, _words(error))
        ) from None


def _words(error: Exception) -> str:
    return one_line(str(error), 200) or type(error).__name__


class ImapSource(Source):
    """A mailbox on a server. Messages are read without marking them as seen, and moved, never deleted."""

    leasing = True

    def __init__(self, client: Any, inward: Inward) -> None:
        """Open the folder of incoming letters. Raises ``MailboxError``."""
        self._client = client
        self._inward = inward
        self._folders: dict[Disposition, str] = {}
        self._settled: dict[Disposition, list[int]] = {fate: [] for fate in Disposition}
        if not client.folder_exists(inward.folder):
            raise MailboxError(says("The mailbox of {0} has no folder {1!r}.", inward.user, inward.folder))
        client.select_folder(inward.folder)

    @contextmanager
    def _opened(self, folder: str, *, readonly: bool = True) -> Iterator[None]:
        """Open another folder for a while; afterwards the mailbox itself is open again."""
        with _talking(self._inward):
            self._client.select_folder(folder, readonly=readonly)
            yield
            self._client.select_folder(self._inward.folder)

    def _messages(self, words: Sequence[Any], folder: str = "") -> Iterator[Message]:
        """Yield the messages of the open folder for these search words.

        ``folder``: its name when it is another one.
        """
        with _talking(self._inward):
            numbers = sorted(self._client.search(words))
        for start in range(0, len(numbers), _SIZES_AT_ONCE):
            some = numbers[start : start + _SIZES_AT_ONCE]
            with _talking(self._inward):
                answers = self._client.fetch(some, ["RFC822.SIZE", "INTERNALDATE"])
            for number in (uid for uid in some if uid in answers):
                arrived = answers[number].get(b"INTERNALDATE")
                if arrived is not None:
                    arrived = (arrived if arrived.tzinfo else arrived.replace(tzinfo=UTC)).astimezone(UTC)
                name = f"{folder}/{number}" if folder else str(number)
                yield Message(
                    name, answers[number].get(b"RFC822.SIZE", 0), partial(self._read, number, folder), arrived
                )

    def waiting(self) -> Iterator[Message]:
        self.settle()
        return self._messages(["NOT", "DELETED"])

    def _read(self, number: int, folder: str, length: int) -> bytes:
        # in part even when it is all: the size is only what the server says
        with self._opened(folder) if folder else _talking(self._inward):
            answer = self._client.fetch([number], [f"BODY.PEEK[]<0.{length}>"]).get(number, {})
        return next(
            (bytes(value)[:length] for name, value in answer.items() if value and name.startswith(b"BODY")),
            b"",
        )

    def put(self, message: Message, fate: Disposition) -> None:
        self._settled[fate].append(int(message.name))
        if len(self._settled[fate]) >= _MOVED_AT_ONCE:
            self._move(fate)

    def settle(self) -> None:
        try:
            self._move(Disposition.DONE)
        finally:  # what cannot go to one folder keeps nothing from the other
            self._move(Disposition.ASIDE)

    def _move(self, fate: Disposition) -> None:
        """Move the messages of this fate into their folder."""
        numbers = sorted(set(self._settled[fate]))
        self._settled[fate] = []
        if not numbers:
            return
        with _talking(self._inward):
            folder = self._folder(fate)
            if self._client.has_capability("MOVE"):
                self._client.move(numbers, folder)
                return
            # without MOVE: the copy comes first, so that at no moment the mailbox is without a message
            self._client.copy(numbers, folder)
            self._client.add_flags(numbers, [b"\\Deleted"])
            if self._client.has_capability("UIDPLUS"):
                self._client.uid_expunge(numbers)

    def _folder(self, fate: Disposition) -> str:
        """Return the server's name of the folder for letters of this fate.

        The folder is made at its first use.
        """
        if fate not in self._folders:
            name = self._called(fate)
            if not self._client.folder_exists(name):
                self._client.create_folder(name)
                with suppress(IMAPClientError):  # most programs show their user no other folders
                    self._client.subscribe_folder(name)
            self._folders[fate] = name
        return self._folders[fate]

    def _called(self, fate: Disposition | None) -> str:
        """Return the name of the folder for letters of this fate, or for leases.

        Some servers have all of a person's folders below INBOX.
        """
        name = {Disposition.DONE: self._inward.done, Disposition.ASIDE: self._inward.aside, None: _LEASES}[
            fate
        ]
        personal = self._client.namespace().personal if self._client.has_capability("NAMESPACE") else ()
        prefix = personal[0][0] if personal else ""
        return name if name.startswith(prefix) else f"{prefix}{name}"

    def _existing(self, *fates: Disposition | None) -> list[str]:
        """Return those of these folders that exist."""
        with _talking(self._inward):
            return [name for name in map(self._called, fates) if self._client.folder_exists(name)]

    def holds(self, message_id: str) -> bool:
        """Return whether a message of this id is in one of the folders."""
        self.settle()
        for folder in (self._inward.folder, *self._existing(*Disposition)):
            with self._opened(folder):
                is_there = bool(self._client.search(["HEADER", "Message-ID", f"<{message_id}>"]))
            if is_there:
                return True
        return False

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        """Return the letters in the folders of earlier runs, of those since a day if one is given."""
        self.settle()
        messages: list[Message] = []
        for folder in self._existing(*Disposition):
            with self._opened(folder):
                messages += self._messages(["SINCE", since.date()] if since else ["ALL"], folder)
        return iter(messages)

    # -- leases: messages in a folder of their own, of which the oldest that is not replaced counts ----------

    def leases(self, name: str) -> Sequence[Lease]:
        for folder in self._existing(None):
            with self._opened(folder):
                return list(self._leases(name).values())
        return ()

    def put_lease(self, name: str, replaced: Collection[str], lease: Lease) -> bool:
        """Append a lease; return false, and remove it, if another one came first."""
        with _talking(self._inward):
            folder = self._called(None)
            if not self._client.folder_exists(folder):
                self._client.create_folder(folder)
            # every round puts one: without the engine for templates, which takes long to be loaded
            message = resource("templates", "mail", "lease.eml").read_text(encoding="utf-8")
            message = message.format(name=name, lease=lease.text())
            self._client.append(folder, message.replace("\n", "\r\n").encode())
        with self._opened(folder, readonly=False):
            leases = self._leases(name)
            own = [number for number, rival in leases.items() if rival.token == lease.token]
            earlier = [number for number in leases if own and number < own[0]]
            faster = any(leases[number].token not in replaced for number in earlier)
            old_leases = own if faster else earlier
            if old_leases:
                self._client.add_flags(old_leases, [b"\\Deleted"])
                self._client.expunge()  # of the folder of leases
        return bool(own) and not faster

    def _leases(self, name: str) -> dict[int, Lease]:
        """Return the leases of this name in the open folder, oldest first."""
        numbers = sorted(self._client.search(["NOT", "DELETED", "HEADER", "Subject", name]))
        texts = {number: self._read(number, "", _LEASE_SIZE).partition(b"\r\n\r\n")[2] for number in numbers}
        return {number: lease_of(text.decode("utf-8", "replace")) for number, text in texts.items()}
