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
LETTERS_TO_FORMER = "left-*.json"
FOR_GM = "gm"  # the kind of letters to the GM


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
        """The addresses of the GMs except those with the game's own mailbox or the one for its copies."""
        own_addresses = {folded(self.settings.sender), folded(self.settings.outward.copy_to)}
        return tuple(gm for gm in self.settings.gms if folded(gm) not in own_addresses)

    def left_file(self, mark: str) -> Path:
        """Return the path at which the letter to a former player lies until it is in the outbox.

        ``mark``: the mark in the journal's line about the vacated seat.
        """
        return self.folder / LETTERS_TO_FORMER.replace("*", mark)

    def queue(self, letter: Outgoing, now: datetime) -> bool:
        """Put a message into the outbox, unless it is known; return whether it is new.

        If it is for the GM's or a player's main address, their other addresses get messages of their own.
        """
        addresses = self.settings.gms if letter.kind == FOR_GM else self.addresses(letter.realm)
        if letter.to == next(iter(addresses), ""):
            for other in addresses[1:]:
                # their purposes are other ones, too, so that each address gets it once
                self.queue(letter.evolve(once=f"{letter.once} to {other}", to=other), now)
        if self.outbox.knows(letter.once):
            return False
        entry_id = self.outbox.id_of(letter.once)
        return self.outbox.queue(letter, message_bytes(letter, entry_id, self.settings, self.game, now), now)

    def count_within_day(self, address: str, kind: str, now: datetime) -> int:
        """Return how many messages of a kind to an address were queued within 24 hours."""
        return sum(entry.to.lower() == address.lower() for entry in self.outbox.messages_of(kind, now))

    def address(self, realm: str) -> str:
        """Return the main address of a realm's player; empty when there is none."""
        return next(iter(self.addresses(realm)), "")

    def addresses(self, realm: str) -> tuple[str, ...]:
        """Return all addresses of a realm's player, who gets mail at each and may write from any.

        Empty for a bot, and for a realm without a player.
        """
        player = self.campaign.folder.players.of(realm)
        return player.addresses if player and not player.bot else ()

    def is_on_file(self, realm: str, address: str) -> bool:
        """Return whether an address is one of a realm's player."""
        return folded(address) in map(folded, self.addresses(realm))

    def seat_fingerprint(self, realm: str) -> str:
        """Return the fingerprint of a realm's player with their present keys; earlier players have others."""
        return seat_fingerprint(self.campaign.folder, realm, self.campaign.next_turn)

    def state_fingerprint(self, turn: int) -> str:
        """Return the fingerprint of the state after a turn; played again with other dice it has another."""
        return state_fingerprint(self.campaign.folder, turn)

    def message_id(self, entry_id: str) -> str:
        """Return the Message-ID of a message of the outbox by its id there."""
        return message_id(entry_id, self.settings.domain)

    def own_entry_id(self, message_id: str) -> str:
        """Return the id in the outbox of the message with this Message-ID; empty if it is none of ours."""
        entry_id = message_id.removeprefix("gm.").partition("@")[0]
        return entry_id if message_id == self.message_id(entry_id) and entry_id in self.outbox.entries else ""

    def bounced_entry_id(self, bounce: Bounce) -> str:
        """Return the id in the outbox of the message that a bounce names; empty if it names none of ours."""
        return next(filter(None, map(self.own_entry_id, bounce.messages)), "")

    def likely_bounced(self, bounce: Bounce) -> OutboxEntry | None:
        """Return the message that a bounce without a Message-ID of ours is most likely about.

        That is the newest message that went to one of its recipients (one to the game master only if there is
        no other), or else to the player whose realm is in the subject that it quotes. None if there is none,
        or if none went to its recipients and the subject is of another game.
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
    """The situation before a letter's orders are put into the inbox.

    After an interrupted run, the next one deals with the letter as of this situation.
    """

    arrived: datetime  # when the letter came
    standing: Mapping[str, bytes]  # the order file that counts so far, by realm


class MailLog:
    """The journal of letters that were dealt with, and an :class:`Intent` of each that is in progress."""

    def __init__(self, folder: Path) -> None:
        self._journal = Journal(folder / "letters.jsonl")
        self._intents = folder / "begun"  # a file for each letter in progress, named by its mark

    @cached_property
    def fates(self) -> dict[str, str]:
        """The disposition of each letter that was dealt with, by its mark and also by its fingerprint."""
        fates: dict[str, str] = {}
        for entry in self.entries:
            fates[entry["letter"]] = entry["fate"]
            fates[entry["bytes"]] = entry["fate"]
        return fates

    def note(self, letter: Letter, now: datetime, outcome: str, fate: str, **more: Any) -> None:
        """Record that a letter was dealt with; neither its keys nor its text are recorded.

        ``outcome``: what came of it, in words; ``fate``: its disposition; ``more``: further fields of the
        journal's entry.
        """
        fates = self.fates  # read from the journal before the new entry is in it
        entry = {"letter": mark_of(letter), "bytes": letter.fingerprint, "at": now.isoformat()}
        entry |= {"from": letter.sender, "subject": letter.subject, "kind": letter.kind}
        self._journal.append({**entry, "outcome": outcome, "fate": fate, **more})
        fates |= dict.fromkeys((entry["letter"], entry["bytes"]), fate)

    def remark(self, now: datetime, what: str, **more: Any) -> None:
        """Record a fact that is about no single letter: that the mailbox was read, or what a player prefers.

        ``what``: its kind; ``more``: further fields of the journal's entry.
        """
        self._journal.append({"what": what, "at": now.isoformat(), **more})

    def remarks(self, *what: str) -> Iterator[dict[str, Any]]:
        """Return the remarks of these kinds, oldest first."""
        return (entry for entry in self._journal.entries if entry.get("what") in what)

    def last_reading(self) -> dict[str, Any] | None:
        """Return the latest remark about a reading of the whole mailbox; None if there is none.

        A reading soon after another that found nothing new leaves no remark.
        """
        return max(
            self.remarks(READ), key=lambda reading: datetime.fromisoformat(reading["at"]), default=None
        )

    @property
    def entries(self) -> tuple[dict[str, Any], ...]:
        """The journal's entries of the letters that were dealt with, oldest first."""
        return tuple(entry for entry in self._journal.entries if "letter" in entry)

    def begin(self, mark: str, intent: Intent) -> Intent:
        """Record the situation before a letter's orders are put into the inbox, and return it.

        If an interrupted run has recorded one for the letter, that one stays and is returned. The receipt has
        to say when the file came, which file counted before, and whether it is new; the inbox that the
        interrupted run has changed does not show that any more.
        """
        path = self._path(mark)
        if path.is_file():
            return decode(path.read_bytes(), type=Intent)
        make_folder(self._intents)
        write_file(path, encode(intent, order="deterministic"))
        return intent

    def end(self, mark: str) -> None:
        """Delete the recorded situation of a letter, which is in the journal by now."""
        if self._path(mark).exists():
            clear(self._path(mark))
            flush_folder(self._intents)

    def sweep(self) -> None:
        """Delete files that a killed run has not cleaned up.

        They are half-written ones, letters kept for former players, and the :class:`Intent` of each letter
        that is in the journal by now.
        """
        clear_unfinished(self._intents)
        # the outbox has these letters: interrupted commands have been completed before
        for path in sorted(self._intents.parent.glob(LETTERS_TO_FORMER)):
            clear(path)
        for path in sorted(self._intents.glob("*.json")):
            if path.stem in self.fates:
                clear(path)

    def _path(self, mark: str) -> Path:
        return self._intents / f"{mark}.json"


def mark_of(letter: Letter) -> str:
    """Return the mark by which the journal knows a letter: a hash of its Message-ID and its content.

    The content is its order files, or everything below its header. A letter without a Message-ID is known by
    the hash of all its bytes. That would not do for the others, as a letter that came by two ways has two
    headers; nor would the Message-ID alone, which may be forged.
    """
    if not letter.message_id:
        return letter.fingerprint
    content = (
        "\n".join(hashlib.sha256(submission.data).hexdigest() for submission in letter.files)
        or letter.content
    )
    return hashlib.sha256(f"{letter.message_id}\n{content}".encode()).hexdigest()


# -- who wrote a letter --------------------------------------------------------------------------------------
# A player is proven by the token in the subject together with the address on file. Either alone proves
# nothing: anybody can write a From line, and whoever gets a forwarded letter has its subject. Letters to a
# player alone have a token, made from the secret of the seat and valid for one turn and realm
# (``[europe t5 ENG kq3v-x5tm-2a7c]``); all others have none (``[europe t5 ENG]``).

_TOKEN = re.compile(rf"\bt(\d{{1,6}})\s+([A-Z0-9]{{2,8}})\s+({TOKEN})\b")


def reply_token(player: Player, game: str, turn: int) -> str:
    """Return the token in the subjects of letters to a player alone about the orders for a turn."""
    return make_token(player.secret or player.key, f"reply token\n{game}\n{turn}\n{player.realm}")


def subject_mark(player: Player, game: str, turn: int, *, secret: bool = True) -> str:
    """Return the mark at the end of the subjects of letters to a player.

    ``secret``: the letter is for the player alone, so that the mark has a token.
    """
    token = f" {reply_token(player, game, turn)}" if secret else ""
    return f"[{game} t{turn} {player.realm}{token}]"


def vouched_realm(campaign: Campaign, letter: Letter, *, earlier: bool = False) -> str:
    """Return the realm whose player has written a letter, proven by token and address; empty if it is not.

    The token is that of the coming turn. ``earlier``: one of an earlier turn is enough, too, which it is not
    for orders.
    """
    settings = campaign.folder.settings
    coming = campaign.next_turn
    for match in _TOKEN.finditer(letter.whole_subject):
        player = campaign.folder.players.of(match[2])
        turn = int(match[1])
        if player is None or not (turn == coming or (earlier and 0 < turn < coming)):
            continue
        is_right = same_token(match[3], reply_token(player, settings.id, turn))
        if is_right and player.realm in realms_of(campaign, letter.sender):
            return player.realm
    return ""


def realms_of(campaign: Campaign, address: str) -> tuple[str, ...]:
    """Return the realms whose player has this address; that an address is known proves no sender."""
    folded_address = folded(address)
    return tuple(
        player.realm
        for player in campaign.folder.players.players
        if folded_address and folded_address in map(folded, player.addresses)
    )


def folded(address: str) -> str:
    """Return an address in small letters, for comparisons: hardly any server tells capitals apart."""
    return bare_address(address).lower()


def seat_fingerprint(folder: GameFolder, realm: str, turn: int) -> str:
    """Return the fingerprint of a realm's player with their keys for a turn; empty without a player.

    No earlier player has the same, and no key can be computed from it.
    """
    player = folder.players.of(realm)
    return fingerprint(reply_token(player, folder.settings.id, turn).encode())[:16] if player else ""


def state_fingerprint(folder: GameFolder, turn: int) -> str:
    """Return the fingerprint of the state after a turn.

    The same turn played again with other dice has another.
    """
    state = (folder.turn_path(turn) / STATE_FILE).read_bytes()
    proof = folder.turn_record(turn).get("proof") or {}
    if proof.get("renewed"):  # other dice may give the same state
        state += str(proof["seal"]).encode()
    return fingerprint(state)[:16]
