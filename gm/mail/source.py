"""What a mailbox is to the rest of the program: messages that wait, moved when they are dealt with, and leases.

A source gives one message at a time and never more of it than is asked for. What was dealt with is moved where the
mailbox has folders, and never deleted; which messages these are, the game's own journal remembers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from gm.core.diagnostics import printable
from gm.mail.parse import HEADER_LIMIT, parse_header


class MailboxError(Exception):
    """A mailbox that cannot be opened, read or changed now: what is wrong, for the GM."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message that waits. ``name`` tells it from the others of its source; ``read`` gives its first so many bytes,
    and raises ``MailboxError``, or ``OSError`` for this message alone. ``arrived``: when the mailbox got it, whatever
    the message itself says; none where the mailbox does not know."""

    name: str
    size: int
    read: Callable[[int], bytes]
    arrived: datetime | None = None

    def has_id(self, message_id: str) -> bool:
        """Whether its header gives it this Message-ID."""
        return parse_header(self.read(HEADER_LIMIT)).message_id() == message_id


class Fate(StrEnum):
    """What became of a message, and so where it is moved."""

    DONE = "done"
    ASIDE = "aside"
    """The GM should look at it."""


class Source(Protocol):
    """An open mailbox. All of it raises ``MailboxError``."""

    def waiting(self) -> Iterator[Message]:
        """The messages that wait, in order of arrival."""

    def put(self, message: Message, fate: Fate) -> None:
        """Move a message that was dealt with, now or when several are. Doing it again, or with one that is gone,
        changes nothing."""

    def settle(self) -> None:
        """Move what :meth:`put` has put off."""

    def holds(self, message_id: str) -> bool:
        """Whether a message of this id is in the mailbox or was moved out of it by :meth:`put`."""

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        """The messages that :meth:`put` has moved; those that arrived before ``since`` may be left out."""


class ReadOnlySource:
    """A mailbox without folders: nothing of it is moved, so that everything is still waiting."""

    def waiting(self) -> Iterator[Message]:
        raise NotImplementedError

    def put(self, message: Message, fate: Fate) -> None:
        """Nothing: see the class."""

    def settle(self) -> None:
        """Nothing either."""

    def holds(self, message_id: str) -> bool:
        return any(message.has_id(message_id) for message in self.waiting())

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        return iter(())


@dataclass(frozen=True, slots=True)
class Lease:
    """A token in a mailbox. ``who``: the copy of the game that left it, for people; ``at``: when."""

    token: str
    who: str = ""
    at: str = ""

    def text(self) -> str:
        """The lease as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)


def lease_of(text: str) -> Lease:
    """A lease from its text; from what is none, one that is nobody's."""
    try:
        found = json.loads(text)
        return Lease(*(printable(str(found.get(name, "")))[:300] for name in ("token", "who", "at")))
    except (ValueError, AttributeError):
        return Lease("")


@runtime_checkable
class Leasing(Protocol):
    """A mailbox that can hold leases. All of it raises ``MailboxError``."""

    def leases(self, name: str) -> Sequence[Lease]:
        """The leases of this name, oldest first; more than one only where a run was killed."""

    def put_lease(self, name: str, replaced: Collection[str], lease: Lease) -> bool:
        """Put a lease into the place of those with these tokens; false when another was there before it."""
