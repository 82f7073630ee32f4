"""The outbox: every message the game sends is written down before it is sent and marked after, and goes out once.

A message is known by what it is for (``once``: "results of turn 5 for ENG"): asked for again, it is not queued again.
Its Message-ID follows from that, so that it is the same in every run. The messages are files, and what became of them
stands in a journal, a line for each step:

    queued > sending > sent            the usual way
    sending > later                    the server did not take it now; tried again after a while
    sending > failed                   it never will: a GM must look
    sending > (nothing)                the run was killed: nobody knows whether the server took it

The last is settled by the copy that the GM's own mailbox gets of each message: it is there, or the message goes out
again after some time, under the same Message-ID.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from gm.kernel.store.disk import write_file
from gm.kernel.store.journal import Journal

FOLDER = "outbox"
JOURNAL = "outbox.jsonl"

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file that goes with a message. ``kind`` is its MIME type."""

    name: str
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message to be sent. ``once``: what it is for; ``kind``: results, receipt, reminder, notice ...

    ``answers`` is the id of the message that it answers; ``expires``: after that it is worth nothing any more.
    """

    once: str
    kind: str
    to: str
    subject: str
    text: str
    html: str = ""
    enclosures: tuple[Enclosure, ...] = ()
    realm: str = ""
    turn: int = 0
    answers: str = ""
    expires: datetime | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class State(StrEnum):
    """Where a message is on its way."""

    QUEUED = "queued"
    SENDING = "sending"
    LATER = "later"
    SENT = "sent"
    FAILED = "failed"
    EXPIRED = "expired"
    BOUNCED = "bounced"


OPEN = (State.QUEUED, State.SENDING, State.LATER)
"""What still has to go out, or may have to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """One message of the outbox. ``at``: when it came into its state; ``words``: what a server said."""

    id: str
    once: str
    kind: str
    to: str
    subject: str
    realm: str
    turn: int
    state: State
    at: datetime
    queued: datetime
    tries: int = 0
    words: str = ""
    expires: datetime | None = None

    @property
    def due(self) -> datetime:
        """When it may be tried (again)."""
        if self.state is not State.LATER:
            return self.at
        return self.at + min(FIRST_WAIT * (1 << min(self.tries - 1, 20)), LONGEST_WAIT)


def message_id(game: str, once: str, domain: str) -> str:
    """The id of a message, without brackets: the same for the same purpose in the same game."""
    return f"gm.{_digest(game, once)}@{domain}"


def _digest(game: str, once: str) -> str:
    return hashlib.sha256(f"{game}\n{once}".encode()).hexdigest()[:32]


class Outbox:
    """The outbox of a game, in its folder ``mail``. Whoever changes it holds the game's lock."""

    def __init__(self, mail: Path, game: str) -> None:
        self._folder = mail / FOLDER
        self._journal = Journal(mail / JOURNAL)
        self._game = game

    def id_of(self, once: str) -> str:
        """The id of a message by what it is for; its file is called by it."""
        return _digest(self._game, once)

    def path(self, number: str) -> Path:
        return self._folder / f"{number}.eml"

    def knows(self, once: str) -> bool:
        """Whether a message was ever queued for this."""
        return self.id_of(once) in self._posted

    def queue(self, letter: Outgoing, data: bytes, now: datetime) -> bool:
        """Write a message down to be sent; ``data`` is all of it. Returns whether it is new."""
        number = self.id_of(letter.once)
        if number in self._posted:
            return False
        self._folder.mkdir(parents=True, exist_ok=True)
        write_file(self.path(number), data)
        entry = {
            "message": number,
            "state": State.QUEUED.value,
            "at": now.isoformat(),
            "once": letter.once,
            "kind": letter.kind,
            "to": letter.to,
            "subject": letter.subject,
            "realm": letter.realm,
            "turn": letter.turn,
            "expires": letter.expires.isoformat() if letter.expires else "",
        }
        self._note(entry)
        return True

    def mark(self, number: str, state: State, now: datetime, words: str = "") -> None:
        """Note what became of a message."""
        entry = {"message": number, "state": state.value, "at": now.isoformat()}
        self._note({**entry, "words": words} if words else entry)

    def find(self, number: str) -> Posted:
        """A message by its id. Raises ``KeyError``."""
        return self._posted[number]

    @property
    def messages(self) -> tuple[Posted, ...]:
        """Every message ever queued, oldest first."""
        return tuple(self._posted.values())

    def open(self) -> tuple[Posted, ...]:
        """What is still to be sent, oldest first."""
        return tuple(each for each in self._posted.values() if each.state in OPEN)

    def sent_to(self, address: str, since: datetime, kinds: Iterable[str]) -> int:
        """How many messages of these kinds an address was written since then."""
        wanted = frozenset(kinds)
        return sum(each.to == address and each.kind in wanted and each.queued >= since for each in self.messages)

    # -- the journal -------------------------------------------------------------------------------------------------

    @cached_property
    def _posted(self) -> dict[str, Posted]:
        found: dict[str, Posted] = {}
        for entry in self._journal.entries:
            _apply(found, entry)
        return found

    def _note(self, entry: Mapping[str, Any]) -> None:
        posted = self._posted
        self._journal.append(entry)
        _apply(posted, entry)


def _apply(found: dict[str, Posted], entry: Mapping[str, Any]) -> None:
    number, state, at = entry["message"], State(entry["state"]), datetime.fromisoformat(entry["at"])
    before = found.get(number)
    if before is None:
        found[number] = Posted(
            id=number,
            once=entry["once"],
            kind=entry["kind"],
            to=entry["to"],
            subject=entry["subject"],
            realm=entry["realm"],
            turn=entry["turn"],
            state=state,
            at=at,
            queued=at,
            expires=datetime.fromisoformat(entry["expires"]) if entry["expires"] else None,
        )
        return
    fields = {name: getattr(before, name) for name in Posted.__slots__}
    tries = before.tries + (state is State.SENDING)
    found[number] = Posted(**{**fields, "state": state, "at": at, "tries": tries, "words": entry.get("words", "")})
