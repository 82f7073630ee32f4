"""A game's post office: its campaign, its mail settings, what came, what goes out, and who is told."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from gm.kernel.campaign import Campaign
from gm.kernel.store import fingerprint
from gm.kernel.store.folder import STATE_FILE
from gm.kernel.store.journal import Journal
from gm.mail.identity import address_of
from gm.mail.letter import Letter
from gm.mail.message import domain_of, message_bytes
from gm.mail.outbox import Outbox, Outgoing, message_id
from gm.mail.settings import PostSettings, load_post_settings

MAIL = "mail"
LETTERS = "letters.jsonl"

ANSWERS = ("receipt", "advice", "notice")
"""Kinds of message that somebody's letter calls forth: an address gets only so many a day."""


@dataclass(frozen=True)
class Post:
    """One run's view of a game's post. Whoever changes anything with it holds the game's lock."""

    campaign: Campaign

    @property
    def folder(self) -> Path:
        return self.campaign.folder.path

    @property
    def game(self) -> str:
        return self.campaign.folder.settings.id

    @cached_property
    def settings(self) -> PostSettings:
        """Raises ``StoreError`` and ``SourceError``."""
        return load_post_settings(self.folder)

    @cached_property
    def outbox(self) -> Outbox:
        return Outbox(self.folder / MAIL, self.game)

    @cached_property
    def letters(self) -> Letters:
        return Letters(self.folder / MAIL / LETTERS)

    def queue(self, letter: Outgoing, now: datetime) -> bool:
        """Write a message down to be sent, unless it was before. Returns whether it is new."""
        if self.outbox.knows(letter.once):
            return False
        return self.outbox.queue(letter, message_bytes(letter, self.settings, self.game, now), now)

    def may_answer(self, address: str, now: datetime) -> bool:
        """Whether an address has not been answered too often today: what stops two machines that answer each other."""
        day = self.outbox.sent_to(address, now - timedelta(days=1), ANSWERS)
        return day < self.settings.care.answers_a_day

    def address(self, realm: str) -> str:
        """Where a realm's player gets his post; empty when there is no such address."""
        return address_of(self.campaign, realm)

    def state_mark(self, turn: int) -> str:
        """What tells the state after a turn from that of the same turn played again."""
        return fingerprint((self.campaign.folder.turn_path(turn) / STATE_FILE).read_bytes())[:16]

    def message_id(self, number: str) -> str:
        """The Message-ID of a message of the outbox by its number."""
        return f"gm.{number}@{domain_of(self.settings)}"

    def is_own_id(self, found: str) -> str:
        """The outbox number in a Message-ID of ours; empty for any other."""
        for posted in self.outbox.messages:
            if found == message_id(self.game, posted.once, domain_of(self.settings)):
                return posted.id
        return ""


class Letters:
    """The letters that were dealt with: none is ever dealt with twice."""

    def __init__(self, path: Path) -> None:
        self._journal = Journal(path)

    @cached_property
    def _marks(self) -> set[str]:
        return {entry["letter"] for entry in self._journal.entries if "letter" in entry}

    def knows(self, letter: Letter) -> bool:
        """Whether a letter with this id and this content was dealt with."""
        return mark_of(letter) in self._marks

    def note(self, letter: Letter, now: datetime, outcome: str, **more: Any) -> None:
        """Note that a letter was dealt with, and what came of it. Nothing secret goes in: no key, no content."""
        marks = self._marks
        entry = {
            "letter": mark_of(letter),
            "at": now.isoformat(),
            "from": letter.sender,
            "subject": _without_token(letter.subject),
            "kind": letter.kind.value,
            "outcome": outcome,
        }
        self._journal.append({**entry, **more})
        marks.add(entry["letter"])

    def remark(self, now: datetime, what: str, **more: Any) -> None:
        """Note something else that the post must remember: that the mailbox was read, who wants no reminders."""
        self._journal.append({"what": what, "at": now.isoformat(), **more})

    def remarks(self, what: str) -> Iterable[dict[str, Any]]:
        """Everything noted under a word, oldest first."""
        return (entry for entry in self._journal.entries if entry.get("what") == what)

    @property
    def entries(self) -> tuple[dict[str, Any], ...]:
        """The letters that were dealt with, oldest first."""
        return tuple(entry for entry in self._journal.entries if "letter" in entry)


def reminder_name(turn: int, realm: str, hours: int, deadline: datetime) -> str:
    """What a reminder is for: a deadline that was moved has reminders of its own."""
    return f"reminder {turn} {realm} {hours} {deadline.isoformat()}"


def mark_of(letter: Letter) -> str:
    """What tells a letter from all others: its id and its order files, or else all its bytes.

    The bytes of one letter differ when it came by two ways; its id alone may be somebody else's.
    """
    if not letter.message_id:
        return letter.fingerprint
    content = hashlib.sha256(b"\0".join(offer.data for offer in letter.files)).hexdigest()
    return hashlib.sha256(f"{letter.message_id}\n{content}".encode()).hexdigest()


def _without_token(subject: str) -> str:
    """A subject without what stands in brackets: a reply token in it is as good as a key."""
    return subject.partition("[")[0].strip()
