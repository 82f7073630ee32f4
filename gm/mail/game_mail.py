"""The mail of one game: its campaign, its mail settings, its addresses, and its journal of letters."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec.json import decode, encode

from gm.campaign.open import Campaign
from gm.core.diagnostics import fold
from gm.core.orders.keys import TOKEN, make_token, same_token
from gm.core.values import Record
from gm.mail.bounces import Bounce
from gm.mail.letter import Letter
from gm.mail.outbox import Outbox, OutboxEntry, Outgoing, State, message_id
from gm.mail.parse import bare_address
from gm.mail.rendering import message_bytes
from gm.mail.settings import MailSettings, load_mail_settings
from gm.store.disk import clear, clear_unfinished, flush_folder, make_folder, write_file
from gm.store.folder import STATE_FILE, GameFolder
from gm.store.inbox import fingerprint
from gm.store.journal import Journal
from gm.store.settings import Player

MAIL = "mail"
LEFT = "left-*.json"
FOR_GM = "gm"  # the kind of letters that tell the GM something


class GameMail(Record, dict=True):
    """One run's view of a game's mail. Every change needs the game's lock."""

    campaign: Campaign

    @property
    def game_folder(self) -> Path:
        return self.campaign.folder.path

    @property
    def folder(self) -> Path:
        return self.game_folder / MAIL

    @property
    def game(self) -> str:
        return self.campaign.folder.settings.id

    @cached_property
    def settings(self) -> MailSettings:
        """The mail settings. Raises ``StoreError`` and ``SourceError``."""
        return load_mail_settings(self.game_folder)

    @cached_property
    def outbox(self) -> Outbox:
        return Outbox(self.folder, self.game, self.campaign.folder.settings.seed)

    @cached_property
    def log(self) -> "MailLog":
        return MailLog(self.folder)

    @property
    def gms_elsewhere(self) -> tuple[str, ...]:
        """The addresses of the GMs with a mailbox other than the game's."""
        own_addresses = {folded(self.settings.sender), folded(self.settings.outward.copy_to)}
        return tuple(gm for gm in self.settings.gms if folded(gm) not in own_addresses)

    def left_file(self, mark: str) -> Path:
        """Return the path of the letter to a former player until it is in the outbox."""
        return self.folder / LEFT.replace("*", mark)

    def queue(self, letter: Outgoing, now: datetime) -> bool:
        """Put a message into the outbox, unless it was there before; return whether it is new.

        A message for the GM goes to each of them, in a letter of its own; one for a player to each of their
        addresses.
        """
        readers = self.settings.gms if letter.kind == FOR_GM else self.addresses(letter.realm)
        if letter.to == next(iter(readers), ""):
            for other in readers[1:]:
                self.queue(letter.evolve(once=f"{letter.once} to {other}", to=other), now)
        if self.outbox.knows(letter.once):
            return False
        number = self.outbox.id_of(letter.once)
        return self.outbox.queue(letter, message_bytes(letter, number, self.settings, self.game, now), now)

    def answered(self, address: str, kind: str, now: datetime) -> int:
        """Return how many messages of a kind went to an address, in any case, within a day."""
        return sum(entry.to.lower() == address.lower() for entry in self.outbox.messages_of(kind, now))

    def address(self, realm: str) -> str:
        """Return the main address of a realm's player; empty when there is none."""
        return next(iter(self.addresses(realm)), "")

    def addresses(self, realm: str) -> tuple[str, ...]:
        """Return all addresses of a realm's player: they get mail at each, and may write from any."""
        player = self.campaign.folder.players.of(realm)
        return player.addresses if player and not player.bot else ()

    def is_on_file(self, realm: str, address: str) -> bool:
        """Return whether an address is one of a realm's player."""
        return folded(address) in map(folded, self.addresses(realm))

    def seat_fingerprint(self, realm: str) -> str:
        """Return the fingerprint of a realm's player with their present keys, which no player before has."""
        return seat_fingerprint(self.campaign.folder, realm, self.campaign.next_turn)

    def state_fingerprint(self, turn: int) -> str:
        """Return the fingerprint of the state after a turn; the same turn played again has another."""
        return state_fingerprint(self.campaign.folder, turn)

    def message_id(self, number: str) -> str:
        """Return the Message-ID of a message of the outbox by its number."""
        return message_id(number, self.settings.domain)

    def own_number(self, message_id: str) -> str:
        """Return the outbox number in a Message-ID of ours; empty for any other."""
        number = message_id.removeprefix("gm.").partition("@")[0]
        return number if message_id == self.message_id(number) and number in self.outbox.entries else ""

    def given_back(self, bounce: Bounce) -> str:
        """Return the outbox number of the message that a bounce names by its id.

        Empty where it names none of ours.
        """
        return next(filter(None, map(self.own_number, bounce.messages)), "")

    def supposed(self, bounce: Bounce) -> OutboxEntry | None:
        """Return the message that a bounce without our id is most likely about.

        The newest message that went to one of its recipients, or else to the player whose realm is in the
        subject that it quotes. None where there is none.
        """
        sent_entries = [
            entry for entry in reversed(self.outbox.messages) if entry.state in (State.SENT, State.SENDING)
        ]
        named_addresses = set(map(folded, bounce.recipients))
        to_named = [entry for entry in sent_entries if folded(entry.to) in named_addresses]
        if to_named:
            # a report may name the game master, too, as the one who sent it
            return next((entry for entry in to_named if entry.kind != FOR_GM), to_named[0])
        if fold(bounce.game) != fold(self.game):
            return None
        return next((entry for entry in sent_entries if entry.realm and entry.realm == bounce.realm), None)


READ = "mailbox read"  # the remark that the whole mailbox was read, which the outage guard asks for
PUBLISHED = "published"  # the remark that a turn's results were given free for mailing


class Intent(Record):
    """The situation before a letter's orders were accepted: when they arrived, and the file of each realm."""

    arrived: datetime
    standing: Mapping[str, bytes]


class MailLog:
    """The letters that were dealt with, each once, and those in progress."""

    def __init__(self, folder: Path) -> None:
        self._journal = Journal(folder / "letters.jsonl")
        self._begun = folder / "begun"

    @cached_property
    def fates(self) -> dict[str, str]:
        """The folder of each letter dealt with, by its mark (:func:`mark_of`) and its bytes' SHA-256."""
        fates: dict[str, str] = {}
        for entry in self.entries:
            fates[entry["letter"]] = entry["fate"]
            fates[entry["bytes"]] = entry["fate"]
        return fates

    def note(self, letter: Letter, now: datetime, outcome: str, fate: str, **more: Any) -> None:
        """Record that a letter was dealt with, its outcome, and where it belongs; no key, no content."""
        fates = self.fates
        entry = {"letter": mark_of(letter), "bytes": letter.fingerprint, "at": now.isoformat()}
        entry |= {"from": letter.sender, "subject": letter.subject, "kind": letter.kind}
        self._journal.append({**entry, "outcome": outcome, "fate": fate, **more})
        fates |= dict.fromkeys((entry["letter"], entry["bytes"]), fate)

    def remark(self, now: datetime, what: str, **more: Any) -> None:
        """Record another fact: that the mailbox was read, or which player wants no reminders."""
        self._journal.append({"what": what, "at": now.isoformat(), **more})

    def remarks(self, *what: str) -> Iterator[dict[str, Any]]:
        """Return all records of these kinds, oldest first."""
        return (entry for entry in self._journal.entries if entry.get("what") in what)

    def last_reading(self) -> dict[str, Any] | None:
        """Return the remark about the last reading of the whole mailbox; None when it never was read."""
        return max(
            self.remarks(READ), key=lambda reading: datetime.fromisoformat(reading["at"]), default=None
        )

    @property
    def entries(self) -> tuple[dict[str, Any], ...]:
        """The letters that were dealt with, oldest first."""
        return tuple(entry for entry in self._journal.entries if "letter" in entry)

    def begin(self, mark: str, intent: Intent) -> Intent:
        """Record the situation before a letter's orders are put into the inbox.

        Return the earlier record of a letter that was begun before: after an interrupted run the inbox does
        not tell any more which file counted before, when it came, and that the new one was new, and the
        receipt must.
        """
        path = self._path(mark)
        if path.is_file():
            return decode(path.read_bytes(), type=Intent)
        make_folder(self._begun)
        write_file(path, encode(intent, order="deterministic"))
        return intent

    def end(self, mark: str) -> None:
        """Delete the record of a letter's beginning: the letter is in the journal."""
        if self._path(mark).exists():
            clear(self._path(mark))
            flush_folder(self._begun)

    def sweep(self) -> None:
        """Remove remains of killed runs: half-written records, and records of letters dealt with."""
        clear_unfinished(self._begun)
        for path in sorted(self._begun.parent.glob(LEFT)):
            clear(path)
        for path in sorted(self._begun.glob("*.json")):
            if path.stem in self.fates:
                clear(path)

    def _path(self, mark: str) -> Path:
        return self._begun / f"{mark}.json"


def mark_of(letter: Letter) -> str:
    """Return the identity of a letter: its id and its order files, or its text.

    Without an id it is all its bytes. The bytes of one letter differ when it came by two ways; an id alone
    may be forged.
    """
    if not letter.message_id:
        return letter.fingerprint
    content = (
        "\n".join(hashlib.sha256(submission.data).hexdigest() for submission in letter.files)
        or letter.content
    )
    return hashlib.sha256(f"{letter.message_id}\n{content}".encode()).hexdigest()


# -- who wrote a letter --------------------------------------------------------------------------------------
# The token in its subject tells, together with the address on file. Either alone proves nothing: anybody can
# write a From line, and who was sent a letter on has its subject. Letters for a player alone have a token,
# made from the secret of the seat and good for one turn and realm: ``[europe t5 ENG kq3v-x5tm-2a7c]``; all
# others have
# ``[europe
# t5 ENG]``.

_TOKEN = re.compile(rf"\bt(\d{{1,6}})\s+([A-Z0-9]{{2,8}})\s+({TOKEN})\b")


def reply_token(player: Player, game: str, turn: int) -> str:
    """Return the token of letters to this realm's player about a turn; an answer with it is theirs."""
    return make_token(player.secret or player.key, f"reply token\n{game}\n{turn}\n{player.realm}")


def subject_mark(player: Player, game: str, turn: int, *, secret: bool = True) -> str:
    """Return the end of the subjects of letters to a player.

    With a ``secret`` it has a token, for letters to the player alone: others prove nothing.
    """
    return f"[{game} t{turn} {player.realm}{f' {reply_token(player, game, turn)}' if secret else ''}]"


def vouched_realm(campaign: Campaign, letter: Letter, *, earlier: bool = False) -> str:
    """Return the realm whose player answered a letter of ours for the coming turn, from their address.

    It is empty if that is not proven. ``earlier``: an answer to a letter of an earlier turn counts too, but
    not for orders.
    """
    settings = campaign.folder.settings
    coming = campaign.next_turn
    for match in _TOKEN.finditer(letter.whole_subject):
        player = campaign.folder.players.of(match[2])
        turn = int(match[1])
        if player is None or not (turn == coming or (earlier and 0 < turn < coming)):
            continue
        right = same_token(match[3], reply_token(player, settings.id, turn))
        if right and player.realm in realms_of(campaign, letter.sender):
            return player.realm
    return ""


def realms_of(campaign: Campaign, address: str) -> tuple[str, ...]:
    """Return the realms whose player has this address: a place to write to, and no proof of a sender."""
    folded_address = folded(address)
    players = campaign.folder.players.players
    return tuple(
        player.realm
        for player in players
        if folded_address and folded_address in map(folded, player.addresses)
    )


def folded(address: str) -> str:
    """Return an address for comparisons, without case: hardly any server tells capitals apart."""
    return bare_address(address).lower()


def seat_fingerprint(folder: GameFolder, realm: str, turn: int) -> str:
    """Return the fingerprint of a realm's player with their keys for a turn.

    No player before has it, and no key can be computed from it.
    """
    player = folder.players.of(realm)
    return fingerprint(reply_token(player, folder.settings.id, turn).encode())[:16] if player else ""


def state_fingerprint(folder: GameFolder, turn: int) -> str:
    """Return the fingerprint of the state after a turn.

    The same turn played again with other dice has another.
    """
    state = (folder.turn_path(turn) / STATE_FILE).read_bytes()
    proof = folder.turn_record(turn).get("proof") or {}
    return fingerprint(state + str(proof["seal"]).encode() if proof.get("renewed") else state)[:16]
