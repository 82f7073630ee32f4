"""The mail of one game: its campaign, its mail settings, who is told, and what it remembers of letters."""

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
    """One run's view of a game's mail. Whoever changes anything with it holds the game's lock."""

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
        """Raises ``StoreError`` and ``SourceError``."""
        return load_mail_settings(self.game_folder)

    @cached_property
    def outbox(self) -> Outbox:
        return Outbox(self.folder, self.game, self.campaign.folder.settings.seed)

    @cached_property
    def log(self) -> "MailLog":
        return MailLog(self.folder)

    @property
    def gms_elsewhere(self) -> tuple[str, ...]:
        """The addresses of the GMs who have a mailbox other than the game's."""
        own = {folded(self.settings.sender), folded(self.settings.outward.copy_to)}
        return tuple(gm for gm in self.settings.gms if folded(gm) not in own)

    def left_file(self, mark: str) -> Path:
        """Return where the letter to who had a seat lies until it is in the outbox."""
        return self.folder / LEFT.replace("*", mark)

    def queue(self, letter: Outgoing, now: datetime) -> bool:
        """Write a message down to be sent, unless it was before.

        Returns whether it is new. What is for the GM goes to each of them, in a letter of his own; what is
        for a player to each of his addresses.
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
        """Return how often an address, in big letters or small ones, was sent this kind of message within a day."""
        return sum(entry.to.lower() == address.lower() for entry in self.outbox.messages_of(kind, now))

    def address(self, realm: str) -> str:
        """Return where a realm's player gets his mail; empty when there is no such address."""
        return next(iter(self.addresses(realm)), "")

    def addresses(self, realm: str) -> tuple[str, ...]:
        """Return all the addresses of a realm's player: he gets his mail at each, and may write from any."""
        player = self.campaign.folder.players.of(realm)
        return player.addresses if player and not player.bot else ()

    def is_on_file(self, realm: str, address: str) -> bool:
        """Return whether an address is one of a realm's player."""
        return folded(address) in map(folded, self.addresses(realm))

    def seat_mark(self, realm: str) -> str:
        """Return what tells a realm's player with his present keys from anybody before."""
        return seat_mark(self.campaign.folder, realm, self.campaign.next_turn)

    def state_mark(self, turn: int) -> str:
        """Return what tells the state after a turn from that of the same turn played again."""
        return state_mark(self.campaign.folder, turn)

    def message_id(self, number: str) -> str:
        """Return the Message-ID of a message of the outbox by its number."""
        return message_id(number, self.settings.domain)

    def own_number(self, found: str) -> str:
        """Return the outbox number in a Message-ID of ours; empty for any other."""
        number = found.removeprefix("gm.").partition("@")[0]
        return number if found == self.message_id(number) and number in self.outbox.entries else ""

    def given_back(self, bounce: Bounce) -> str:
        """Return the outbox number of the message that a bounce names by its id; empty where it names none of ours."""
        return next(filter(None, map(self.own_number, bounce.messages)), "")

    def supposed(self, bounce: Bounce) -> OutboxEntry | None:
        """Return what a bounce without our id is most likely about.

        The newest message that went to one of its recipients, or else to the player whose realm stands in the
        subject that it quotes. None where there is none.
        """
        went = [entry for entry in reversed(self.outbox.messages) if entry.state in (State.SENT, State.SENDING)]
        named = set(map(folded, bounce.recipients))
        to_named = [entry for entry in went if folded(entry.to) in named]
        if to_named:
            # a report may name the game master, too, as the one who sent it
            return next((entry for entry in to_named if entry.kind != FOR_GM), to_named[0])
        if fold(bounce.game) != fold(self.game):
            return None
        return next((entry for entry in went if entry.realm and entry.realm == bounce.realm), None)


READ = "mailbox read"  # the remark that the whole mailbox was read, which the outage guard asks for
PUBLISHED = "published"  # the remark that a turn's results were given free for mailing


class Intent(Record):
    """How things were before a letter's orders were taken: when they arrived, and the file of each realm."""

    arrived: datetime
    standing: Mapping[str, bytes]


class MailLog:
    """The letters that were dealt with, none of them ever twice, and those that are being dealt with."""

    def __init__(self, folder: Path) -> None:
        self._journal = Journal(folder / "letters.jsonl")
        self._begun = folder / "begun"

    @cached_property
    def fates(self) -> dict[str, str]:
        """Where each letter belongs that was dealt with, by its mark (:func:`mark_of`) and the SHA-256 of its bytes."""
        fates: dict[str, str] = {}
        for entry in self.entries:
            fates[entry["letter"]] = entry["fate"]
            fates[entry["bytes"]] = entry["fate"]
        return fates

    def note(self, letter: Letter, now: datetime, outcome: str, fate: str, **more: Any) -> None:
        """Note that a letter was dealt with, what came of it, and where it belongs; no key, no content."""
        fates = self.fates
        entry = {"letter": mark_of(letter), "bytes": letter.fingerprint, "at": now.isoformat()}
        entry |= {"from": letter.sender, "subject": letter.subject, "kind": letter.kind}
        self._journal.append({**entry, "outcome": outcome, "fate": fate, **more})
        fates |= dict.fromkeys((entry["letter"], entry["bytes"]), fate)

    def remark(self, now: datetime, what: str, **more: Any) -> None:
        """Note something else that must be remembered: that the mailbox was read, who wants no reminders."""
        self._journal.append({"what": what, "at": now.isoformat(), **more})

    def remarks(self, *what: str) -> Iterator[dict[str, Any]]:
        """Return everything noted under these words, oldest first."""
        return (entry for entry in self._journal.entries if entry.get("what") in what)

    def last_reading(self) -> dict[str, Any] | None:
        """Return the remark about the last reading of the whole mailbox; none when it never was read."""
        return max(self.remarks(READ), key=lambda reading: datetime.fromisoformat(reading["at"]), default=None)

    @property
    def entries(self) -> tuple[dict[str, Any], ...]:
        """The letters that were dealt with, oldest first."""
        return tuple(entry for entry in self._journal.entries if "letter" in entry)

    def begin(self, mark: str, intent: Intent) -> Intent:
        """Write down how a letter begins whose orders are put into the inbox.

        Return what was written then of one that was begun before. Once a new file stands, nothing tells any
        more what stood before it, when it came and that it was new, and the receipt must say so even when the
        run is killed now.
        """
        path = self._path(mark)
        if path.is_file():
            return decode(path.read_bytes(), type=Intent)
        make_folder(self._begun)
        write_file(path, encode(intent, order="deterministic"))
        return intent

    def end(self, mark: str) -> None:
        """Forget how a letter began: it is in the journal."""
        if self._path(mark).exists():
            clear(self._path(mark))
            flush_folder(self._begun)

    def sweep(self) -> None:
        """Take away what killed runs left: what is half written, and what belongs to letters that are dealt with."""
        clear_unfinished(self._begun)
        for path in sorted(self._begun.parent.glob(LEFT)):
            clear(path)
        for path in sorted(self._begun.glob("*.json")):
            if path.stem in self.fates:
                clear(path)

    def _path(self, mark: str) -> Path:
        return self._begun / f"{mark}.json"


def mark_of(letter: Letter) -> str:
    """Return what tells a letter from all others: its id and its order files, or what it says.

    Without an id it is all its bytes. The bytes of one letter differ when it came by two ways; its id alone may
    be somebody else's.
    """
    if not letter.message_id:
        return letter.fingerprint
    content = "\n".join(hashlib.sha256(submission.data).hexdigest() for submission in letter.files) or letter.content
    return hashlib.sha256(f"{letter.message_id}\n{content}".encode()).hexdigest()


# -- who wrote a letter ------------------------------------------------------------------------------------------------
# The token in its subject tells, together with the address on file. Either alone proves nothing: anybody can write a
# From line, and who was sent a letter on has its subject. Letters for a player alone have a token, made from the secret
# of the seat and good for one turn and realm: ``[europe t5 ENG kq3v-x5tm-2a7c]``; all others have ``[europe t5 ENG]``.

_TOKEN = re.compile(rf"\bt(\d{{1,6}})\s+([A-Z0-9]{{2,8}})\s+({TOKEN})\b")


def reply_token(player: Player, game: str, turn: int) -> str:
    """Return what proves that a letter answers one that this realm's player got for the orders of a turn."""
    return make_token(player.secret or player.key, f"reply token\n{game}\n{turn}\n{player.realm}")


def subject_mark(player: Player, game: str, turn: int, *, secret: bool = True) -> str:
    """Return the end of the subjects of letters to a player.

    With a ``secret`` those for him alone: others prove nothing.
    """
    return f"[{game} t{turn} {player.realm}{f' {reply_token(player, game, turn)}' if secret else ''}]"


def vouched_realm(campaign: Campaign, letter: Letter, *, earlier: bool = False) -> str:
    """Return the realm whose player answered a letter of ours for the coming turn, from the player's address.

    It is empty if that is not proven. ``earlier``: an answer to a letter for a turn before counts too. It is
    good for no orders.
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
    """Return the realms whose player has this address on file. It tells where to write to, never who wrote."""
    folded_address = folded(address)
    players = campaign.folder.players.players
    return tuple(
        player.realm for player in players if folded_address and folded_address in map(folded, player.addresses)
    )


def folded(address: str) -> str:
    """Return an address as it is compared: hardly any server tells big letters from small ones."""
    return bare_address(address).lower()


def seat_mark(folder: GameFolder, realm: str, turn: int) -> str:
    """Return what tells a realm's player with his keys for a turn from anybody before.

    Nothing can be made out of it.
    """
    player = folder.players.of(realm)
    return fingerprint(reply_token(player, folder.settings.id, turn).encode())[:16] if player else ""


def state_mark(folder: GameFolder, turn: int) -> str:
    """Return what tells the state after a turn from that of the same turn played again; other dice make another."""
    state = (folder.turn_path(turn) / STATE_FILE).read_bytes()
    proof = folder.turn_record(turn).get("proof") or {}
    return fingerprint(state + str(proof["seal"]).encode() if proof.get("renewed") else state)[:16]
