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

_LEASES = "gm-lease"  # the folder in which copies of games leave their leases
_LEASE_SIZE = 4096  # bytes
_SIZES_AT_ONCE = 500  # messages whose sizes are asked for in one command
_MOVED_AT_ONCE = 100  # many servers take as long to move one letter as to move a hundred


@contextmanager
def imap_source(inward: Inward, folder: Path) -> Iterator["ImapSource"]:
    """Yield the open mailbox of these settings, and log out in the end.

    Messages whose move was deferred are moved after the block, unless it raised an error. ``folder``: the
    game's. Raises ``LoginError`` if the login fails, ``MailboxError`` if the server cannot be used.
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
            client.normalise_times = False  # dates keep their time zone
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
    """Turn errors of the block, which talks to the server, into ``MailboxError`` with a sentence.

    The block must do nothing else: an error of the local disk would be reported as one of the server.
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
    """Return an error in words, on one line: its message, or the name of its class if it has none."""
    return one_line(str(error), 200) or type(error).__name__


class ImapSource(Source):
    """A mailbox on a server. Messages are read without marking them as seen, and moved, never deleted."""

    leasing = True

    def __init__(self, client: Any, inward: Inward) -> None:
        """Open the folder of incoming letters. Raises ``MailboxError`` if there is none."""
        self._client = client
        self._inward = inward
        self._folders: dict[Disposition, str] = {}  # names of folders that exist for certain
        self._to_move: dict[Disposition, list[int]] = {fate: [] for fate in Disposition}  # UIDs of messages
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

    def _messages(self, criteria: Sequence[Any], folder: str = "") -> Iterator[Message]:
        """Yield the messages of the open folder that meet the criteria of a search.

        ``folder``: its name if it is not the mailbox's own; it is opened again to read a message.
        """
        with _talking(self._inward):
            uids = sorted(self._client.search(criteria))
        for start in range(0, len(uids), _SIZES_AT_ONCE):
            some_uids = uids[start : start + _SIZES_AT_ONCE]
            with _talking(self._inward):
                answers = self._client.fetch(some_uids, ["RFC822.SIZE", "INTERNALDATE"])
            for uid in some_uids:
                if uid not in answers:
                    continue
                size = answers[uid].get(b"RFC822.SIZE", 0)
                arrived = answers[uid].get(b"INTERNALDATE")
                if arrived is not None:
                    arrived = (arrived if arrived.tzinfo else arrived.replace(tzinfo=UTC)).astimezone(UTC)
                name = f"{folder}/{uid}" if folder else str(uid)
                yield Message(name, size, partial(self._read, uid, folder), arrived)

    def waiting(self) -> Iterator[Message]:
        """Return the messages of the mailbox's folder that are not marked as deleted, by UID.

        Those that are still to be moved are moved before.
        """
        self.settle()
        return self._messages(["NOT", "DELETED"])

    def _read(self, uid: int, folder: str, length: int) -> bytes:
        """Return the first ``length`` bytes of a message; empty if it is gone."""
        # a limit is given even for a small message: its size is only what the server says
        with self._opened(folder) if folder else _talking(self._inward):
            answer = self._client.fetch([uid], [f"BODY.PEEK[]<0.{length}>"]).get(uid, {})
        return next(
            (bytes(value)[:length] for name, value in answer.items() if value and name.startswith(b"BODY")),
            b"",
        )

    def put(self, message: Message, fate: Disposition) -> None:
        """Move a message with others, when there are ``_MOVED_AT_ONCE`` of them or by :meth:`settle`."""
        self._to_move[fate].append(int(message.name))
        if len(self._to_move[fate]) >= _MOVED_AT_ONCE:
            self._move(fate)

    def settle(self) -> None:
        """Move the messages that :meth:`put` has not moved yet."""
        try:
            self._move(Disposition.DONE)
        finally:  # an error with one folder does not keep messages from the other
            self._move(Disposition.ASIDE)

    def _move(self, fate: Disposition) -> None:
        """Move the messages of this disposition into their folder."""
        uids = sorted(set(self._to_move[fate]))
        self._to_move[fate] = []
        if not uids:
            return
        with _talking(self._inward):
            folder = self._folder(fate)
            if self._client.has_capability("MOVE"):
                self._client.move(uids, folder)
                return
            # without MOVE: the copy comes first, so that at no moment the message is nowhere
            self._client.copy(uids, folder)
            self._client.add_flags(uids, [b"\\Deleted"])
            # without UIDPLUS the server could only remove all messages that are marked so, also the owner's
            if self._client.has_capability("UIDPLUS"):
                self._client.uid_expunge(uids)

    def _folder(self, fate: Disposition) -> str:
        """Return the server's name of the folder for messages of this disposition.

        The folder is made at its first use.
        """
        if fate not in self._folders:
            name = self._folder_name(fate)
            if not self._client.folder_exists(name):
                self._client.create_folder(name)
                with suppress(IMAPClientError):  # most mail programs show only subscribed folders
                    self._client.subscribe_folder(name)
            self._folders[fate] = name
        return self._folders[fate]

    def _folder_name(self, fate: Disposition | None) -> str:
        """Return the server's name of the folder for messages of this disposition; None: for leases.

        Some servers have all of a person's folders below INBOX.
        """
        names = {Disposition.DONE: self._inward.done, Disposition.ASIDE: self._inward.aside, None: _LEASES}
        name = names[fate]
        personal = self._client.namespace().personal if self._client.has_capability("NAMESPACE") else ()
        prefix = personal[0][0] if personal else ""
        return name if name.startswith(prefix) else f"{prefix}{name}"

    def _existing_folders(self, *fates: Disposition | None) -> list[str]:
        """Return the names of the folders for these dispositions that exist; None: the folder for leases."""
        with _talking(self._inward):
            return [name for name in map(self._folder_name, fates) if self._client.folder_exists(name)]

    def holds(self, message_id: str) -> bool:
        """Return whether a message with this Message-ID is in one of the folders."""
        self.settle()  # so that no message is between the folders
        for folder in (self._inward.folder, *self._existing_folders(*Disposition)):
            with self._opened(folder):
                is_there = bool(self._client.search(["HEADER", "Message-ID", f"<{message_id}>"]))
            if is_there:
                return True
        return False

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        """Return the messages in the folders of processed ones; ``since``: only those from this day on."""
        self.settle()  # those that are still to be moved into these folders count, too
        messages: list[Message] = []
        for folder in self._existing_folders(*Disposition):
            with self._opened(folder):
                messages += self._messages(["SINCE", since.date()] if since else ["ALL"], folder)
        return iter(messages)

    # -- leases: messages in a folder of their own, of which the oldest that is not replaced counts ----------

    def leases(self, name: str) -> Sequence[Lease]:
        for folder in self._existing_folders(None):  # the one folder for leases, or none
            with self._opened(folder):
                return list(self._leases(name).values())
        return ()

    def put_lease(self, name: str, replaced: Collection[str], lease: Lease) -> bool:
        """Append a lease and remove those before it; return whether it counts.

        It does not if a lease before it is not one of the ``replaced``: then it is removed itself; nor if
        somebody else has removed it already.
        """
        with _talking(self._inward):
            folder = self._folder_name(None)
            if not self._client.folder_exists(folder):
                self._client.create_folder(folder)
            # not by the template engine, which takes long to load: every run puts a lease
            message = resource("templates", "mail", "lease.eml").read_text(encoding="utf-8")
            message = message.format(name=name, lease=lease.text())
            self._client.append(folder, message.replace("\n", "\r\n").encode())
        with self._opened(folder, readonly=False):
            leases = self._leases(name)
            own_uids = [uid for uid, other in leases.items() if other.token == lease.token]
            earlier_uids = [uid for uid in leases if own_uids and uid < own_uids[0]]
            has_rival = any(leases[uid].token not in replaced for uid in earlier_uids)
            removed_uids = own_uids if has_rival else earlier_uids
            if removed_uids:
                self._client.add_flags(removed_uids, [b"\\Deleted"])
                self._client.expunge()  # only the folder of leases is open
        return bool(own_uids) and not has_rival

    def _leases(self, name: str) -> dict[int, Lease]:
        """Return the leases of this name in the open folder by UID, oldest first."""
        leases = {}
        for uid in sorted(self._client.search(["NOT", "DELETED", "HEADER", "Subject", name])):
            text = self._read(uid, "", _LEASE_SIZE).partition(b"\r\n\r\n")[2]
            leases[uid] = lease_of(text.decode("utf-8", "replace"))
        return leases
