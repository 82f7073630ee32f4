"""The mail of one game: its campaign, its mail settings, what came, what goes out, and who is told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

from gm.campaign.open import Campaign
from gm.mail.identity import addresses_of, folded, seat_mark, state_mark
from gm.mail.mail_log import LOG_FILE, IntentLog, MailLog
from gm.mail.outbox import Outbox, Outgoing, message_id
from gm.mail.rendering import domain_of, message_bytes
from gm.mail.settings import MailSettings, load_mail_settings

MAIL = "mail"
FOR_GM = "gm"
"""The kind of letters that tell the GM something."""


@dataclass(frozen=True)
class GameMail:
    """One run's view of a game's mail. Whoever changes anything with it holds the game's lock."""

    campaign: Campaign

    @property
    def game_folder(self) -> Path:
        return self.campaign.folder.path

    @property
    def folder(self) -> Path:
        """Where everything about its mail is."""
        return self.game_folder / MAIL

    @property
    def game(self) -> str:
        return self.campaign.folder.settings.id

    @cached_property
    def settings(self) -> MailSettings:
        """Raises ``StoreError`` and ``SourceError``."""
        return load_mail_settings(self.game_folder)

    @cached_property
    def outbox(self) -> Outbox:
        return Outbox(self.folder, self.game, self.campaign.folder.settings.seed)

    @cached_property
    def log(self) -> MailLog:
        return MailLog(self.folder / LOG_FILE)

    @cached_property
    def intent_log(self) -> IntentLog:
        return IntentLog(self.folder)

    @property
    def gms_elsewhere(self) -> tuple[str, ...]:
        """The addresses of the GMs who have a mailbox other than the game's."""
        own = {folded(self.settings.sender), folded(self.settings.outward.copy_to)}
        return tuple(each for each in self.settings.gms if folded(each) not in own)

    def queue(self, letter: Outgoing, now: datetime) -> bool:
        """Write a message down to be sent, unless it was before. Returns whether it is new. What is for the GM goes to
        each of them, in a letter of his own; what is for a player to each of his addresses."""
        others: tuple[str, ...] = ()
        if letter.kind == FOR_GM and letter.to == self.settings.gm:
            others = self.settings.gms[1:]
        if letter.realm and letter.to == self.address(letter.realm):
            others = self.addresses(letter.realm)[1:]
        for other in others:
            self.queue(replace(letter, once=f"{letter.once} to {other}", to=other), now)
        if self.outbox.knows(letter.once):
            return False
        number = self.outbox.id_of(letter.once)
        return self.outbox.queue(letter, message_bytes(letter, number, self.settings, self.game, now), now)

    def answered(self, address: str, kind: str, now: datetime) -> int:
        """How often an address was sent this kind of message within a day."""
        return self.outbox.sent_to(address, now - timedelta(days=1), (kind,))

    def address(self, realm: str) -> str:
        """Where a realm's player gets his mail; empty when there is no such address."""
        return next(iter(self.addresses(realm)), "")

    def addresses(self, realm: str) -> tuple[str, ...]:
        """All the addresses of a realm's player."""
        return addresses_of(self.campaign, realm)

    def is_on_file(self, realm: str, address: str) -> bool:
        """Whether an address is one of a realm's player."""
        return folded(address) in map(folded, self.addresses(realm))

    def seat_mark(self, realm: str) -> str:
        """What tells a realm's player with his present keys from anybody before."""
        return seat_mark(self.campaign.folder, realm, self.campaign.next_turn)

    def state_mark(self, turn: int) -> str:
        """What tells the state after a turn from that of the same turn played again."""
        return state_mark(self.campaign.folder, turn)

    def message_id(self, number: str) -> str:
        """The Message-ID of a message of the outbox by its number."""
        return message_id(number, self.domain)

    @property
    def domain(self) -> str:
        """The right side of our message ids."""
        return domain_of(self.settings)

    def own_number(self, found: str) -> str:
        """The outbox number in a Message-ID of ours; empty for any other."""
        number = found.removeprefix("gm.").partition("@")[0]
        return number if found == self.message_id(number) and self.outbox.has(number) else ""
