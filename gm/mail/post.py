"""A game's post office: its campaign, its mail settings, what came, what goes out, and who is told."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from gm.campaign.open import Campaign
from gm.mail.identity import address_of, addresses_of, folded, reply_token
from gm.mail.intent_log import Begun
from gm.mail.letter import Letter
from gm.mail.message import domain_of, message_bytes
from gm.mail.outbox import Outbox, Outgoing, message_id
from gm.mail.settings import PostSettings, load_post_settings
from gm.store.folder import STATE_FILE
from gm.store.inbox import fingerprint
from gm.store.journal import Journal

MAIL = "mail"
LETTERS = "letters.jsonl"
FOR_GM = "gm"
"""The kind of letters that tell the GM something."""


@dataclass(frozen=True)
class Post:
    """One run's view of a game's post. Whoever changes anything with it holds the game's lock."""

    campaign: Campaign

    @property
    def folder(self) -> Path:
        return self.campaign.folder.path

    @property
    def mail(self) -> Path:
        """Where everything about its post is."""
        return self.folder / MAIL

    @property
    def game(self) -> str:
        return self.campaign.folder.settings.id

    @cached_property
    def settings(self) -> PostSettings:
        """Raises ``StoreError`` and ``SourceError``."""
        return load_post_settings(self.folder)

    @cached_property
    def outbox(self) -> Outbox:
        return Outbox(self.mail, self.game, self.campaign.folder.settings.seed)

    @cached_property
    def letters(self) -> Letters:
        return Letters(self.mail / LETTERS)

    @cached_property
    def begun(self) -> Begun:
        return Begun(self.mail)

    @property
    def gms_elsewhere(self) -> tuple[str, ...]:
        """The addresses of the GMs who have a mailbox other than the game's."""
        own = {folded(self.settings.sender), folded(self.settings.outward.copy_to)}
        return tuple(each for each in self.settings.gms if folded(each) not in own)

    def queue(self, letter: Outgoing, now: datetime) -> bool:
        """Write a message down to be sent, unless it was before. Returns whether it is new.

        What is for the GM goes to each of them, in a letter of his own; what is for a player to each of his addresses.
        """
        if letter.kind == FOR_GM and letter.to == self.settings.gm:
            for other in self.settings.gms[1:]:
                self.queue(replace(letter, once=f"{letter.once} to {other}", to=other), now)
        if letter.realm and letter.to == self.address(letter.realm):
            for other in self.addresses(letter.realm)[1:]:
                self.queue(replace(letter, once=f"{letter.once} to {other}", to=other), now)
        if self.outbox.knows(letter.once):
            return False
        number = self.outbox.id_of(letter.once)
        return self.outbox.queue(letter, message_bytes(letter, number, self.settings, self.game, now), now)

    def answered(self, address: str, kind: str, now: datetime) -> int:
        """How often an address was sent this kind of message within a day."""
        return self.outbox.sent_to(address, now - timedelta(days=1), (kind,))

    def address(self, realm: str) -> str:
        """Where a realm's player gets his post; empty when there is no such address."""
        return address_of(self.campaign, realm)

    def addresses(self, realm: str) -> tuple[str, ...]:
        """All the addresses of a realm's player."""
        return addresses_of(self.campaign, realm)

    def is_on_file(self, realm: str, address: str) -> bool:
        """Whether an address is one of a realm's player."""
        return folded(address) in map(folded, self.addresses(realm))

    def seat_mark(self, realm: str) -> str:
        """What tells a realm's player with his present keys from anybody before; nothing can be made out of it."""
        player = self.campaign.folder.players.of(realm)
        if player is None:
            return ""
        return fingerprint(reply_token(player, self.game, self.campaign.next_turn).encode())[:16]

    def state_mark(self, turn: int) -> str:
        """What tells the state after a turn from that of the same turn played again; other dice make another."""
        folder = self.campaign.folder
        state = (folder.turn_path(turn) / STATE_FILE).read_bytes()
        proof = folder.turn_record(turn).get("proof") or {}
        return fingerprint(state + str(proof["seal"]).encode() if proof.get("renewed") else state)[:16]

    def message_id(self, number: str) -> str:
        """The Message-ID of a message of the outbox by its number."""
        return message_id(number, self.domain)

    @property
    def domain(self) -> str:
        """The right side of our message ids."""
        return domain_of(self.settings)

    def is_own_id(self, found: str) -> str:
        """The outbox number in a Message-ID of ours; empty for any other."""
        number = found.removeprefix("gm.").partition("@")[0]
        return number if found == self.message_id(number) and self.outbox.has(number) else ""


class Letters:
    """The letters that were dealt with: none is ever dealt with twice."""

    def __init__(self, path: Path) -> None:
        self._journal = Journal(path)

    @cached_property
    def _fates(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for entry in self._journal.entries:
            if "letter" in entry:
                found |= dict.fromkeys((entry["letter"], entry["bytes"]), entry["fate"])
        return found

    def fate_of(self, mark: str) -> str | None:
        """Where a letter belongs that was dealt with, by its mark (:func:`mark_of`) or the SHA-256 of its bytes; none
        for a new one."""
        return self._fates.get(mark)

    def note(self, letter: Letter, now: datetime, outcome: str, fate: str, **more: Any) -> None:
        """Note that a letter was dealt with, what came of it, and where it belongs. Nothing secret goes in: no key, no
        content."""
        fates = self._fates
        entry = {
            "letter": mark_of(letter),
            "bytes": letter.fingerprint,
            "at": now.isoformat(),
            "from": letter.sender,
            "subject": letter.subject,
            "kind": letter.kind.value,
            "outcome": outcome,
            "fate": fate,
        }
        self._journal.append({**entry, **more})
        fates |= dict.fromkeys((entry["letter"], entry["bytes"]), fate)

    def remark(self, now: datetime, what: str, **more: Any) -> None:
        """Note something else that the post must remember: that the mailbox was read, who wants no reminders."""
        self._journal.append({"what": what, "at": now.isoformat(), **more})

    def remarks(self, *what: str) -> Iterable[dict[str, Any]]:
        """Everything noted under a word, or several, oldest first."""
        return (entry for entry in self._journal.entries if entry.get("what") in what)

    @property
    def entries(self) -> tuple[dict[str, Any], ...]:
        """The letters that were dealt with, oldest first."""
        return tuple(entry for entry in self._journal.entries if "letter" in entry)


def reminder_name(turn: int, realm: str, hours: int, deadline: datetime) -> str:
    """What a reminder is for: a deadline that was moved has reminders of its own."""
    return f"reminder {turn} {realm} {hours} {deadline.isoformat()}"


def mark_of(letter: Letter) -> str:
    """What tells a letter from all others: its id and its order files, or what it says; without an id all its bytes.

    The bytes of one letter differ when it came by two ways; its id alone may be somebody else's.
    """
    if not letter.message_id:
        return letter.fingerprint
    files = [hashlib.sha256(offer.data).hexdigest() for offer in letter.files]
    content = "\n".join(files) if files else letter.content
    return hashlib.sha256(f"{letter.message_id}\n{content}".encode()).hexdigest()
