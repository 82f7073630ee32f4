"""Who reads a mailbox: two copies of a game that both do would each miss what the other took.

Each run that reads the mailbox, or sends, first puts a new token into it and into its own folder. A copy that finds
another token there than it left knows that another copy was at work since, and stops until its GM decides which of the
two goes on. The token in the folder goes into no archive. An mbox file and saved mails can hold no token.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import socket
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from gm.core.diagnostics import printable
from gm.store import StoreError
from gm.store.disk import make_folder, write_file

if TYPE_CHECKING:
    from gm.mail.post import Post
    from gm.mail.sources import Source

LEASE_FILE = "lease.json"
"""In the folder of the game's post: the token that this copy left, and the one that it was about to leave."""


class LeaseLostError(StoreError):
    """Another copy of the game reads its mailbox."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A token in a mailbox. ``who``: the copy that left it, for people; ``at``: when."""

    token: str
    who: str = ""
    at: str = ""

    def text(self) -> str:
        """The lease as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)


@runtime_checkable
class Leasing(Protocol):
    """A mailbox that can hold leases."""

    def leases(self, name: str) -> Sequence[Lease]:
        """The leases of this name, oldest first; more than one only where a run was killed. Raises ``MailboxError``."""

    def put_lease(self, name: str, replaced: Collection[str], lease: Lease) -> bool:
        """Put a lease into the place of those with these tokens; false when another was there before it. Raises
        ``MailboxError``."""


def lease_of(text: str) -> Lease:
    """A lease from its text; from what is none, one that is nobody's."""
    try:
        found = json.loads(text)
        return Lease(*(printable(str(found.get(name, "")))[:300] for name in ("token", "who", "at")))
    except (ValueError, AttributeError):
        return Lease("")


def lease_name(game: str) -> str:
    """What a game's lease is called; made of letters and digits."""
    return hashlib.sha256(f"lease\n{game}".encode()).hexdigest()[:20]


def claim(post: Post, source: Source, now: datetime, *, by_force: bool = False) -> None:
    """Leave a new token in the mailbox; the game's lock is held. ``by_force``: whoever left the one that is there.

    Raises ``LeaseLostError`` when another copy was at work since, and ``MailboxError``.
    """
    if not isinstance(source, Leasing):
        return
    name, path = lease_name(post.game), post.mail / LEASE_FILE
    found = source.leases(name)
    own = _own(path)
    if not by_force and (others := [each for each in found if each.token not in own]):
        raise _lost(post, others)
    lease = Lease(secrets.token_hex(16), f"{socket.gethostname()}:{post.folder.resolve()}", now.isoformat())
    make_folder(path.parent)
    # a run that is killed from here on has left one of these
    tokens = [each.token for each in found]
    _write(path, [*tokens, lease.token])
    if not source.put_lease(name, tokens, lease):
        _write(path, own)
        raise _lost(post, source.leases(name))
    _write(path, [lease.token])


def _own(path: Path) -> list[str]:
    try:
        return [str(each) for each in json.loads(path.read_bytes())["tokens"]]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return []


def _write(path: Path, tokens: list[str]) -> None:
    write_file(path, json.dumps({"tokens": tokens}).encode())


def _lost(post: Post, found: Sequence[Lease]) -> LeaseLostError:
    who = f"{found[-1].who}, last on {found[-1].at}" if found and found[-1].who else "it does not say which"
    return LeaseLostError(
        f"Another copy of the game {post.game} reads its mailbox ({who}). Nothing was done. If this copy is to go on, "
        "stop the other one and run 'gm mail take-over' here: this copy then reads again what the other one took."
    )
