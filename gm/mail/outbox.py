"""The outbox: every message is written down before it is sent, marked after, and goes out once.

A message is known by its purpose (``once``, for example "results of turn 5 for ENG"): a second message for
the same purpose is not queued. Its id follows from the purpose and a secret of the game, so that it is the
same in every run, and only those who got the message know it: a bounce that names it is genuine. The messages
are files, and a journal records what became of them, a line for each step:

    queued > sending > sent            the usual way
    sending > later                    the server did not take it now; tried again after a while
    sending > failed                   it never will: a GM must look
    sent    > bounced                  the server accepted it, and later sent it back
    sending > (nothing)                the run was killed: nobody knows whether the server accepted it

In the last case the copy that the GM's own mailbox gets of each message decides: it is there, or the message
goes out again after some time, under the same Message-ID. The same holds for a ``later`` in ``doubt``: the
server had the whole message when it said that it would not accept it now, but may have accepted it. Hooks
(:mod:`gm.mail.hooks`) have an outbox of their own. Nobody keeps copies of notifications: so a ``sending`` in
``doubt`` is recorded before the last byte goes out, and after that the notification is never sent again.
"""

import hmac
import re
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import convert, field

from gm.core.values import Record
from gm.mail.letter import without_secrets
from gm.store.disk import clear, make_folder, write_file
from gm.store.journal import Journal

FOLDER = "outbox"
JOURNAL = "outbox.jsonl"

DAY = timedelta(days=1)
KEPT = 14 * DAY  # how long the file of a message is kept after it went out: it may come back

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=6)


class Enclosure(Record):
    """A file attached to a message. ``kind`` is its MIME type, a text's with parameters where it has any."""

    name: str
    kind: str
    data: bytes


class Addressed(Record, kw_only=True):
    """What is said of a message, queued or not yet: its purpose, reader and subject."""

    once: str  # its purpose: a second message for it is not queued
    kind: str  # results, receipt, reminder, notice ...
    to: str  # an address, or the name of a hook
    subject: str
    realm: str = ""  # its reader's; empty for the GM, strangers and hooks
    turn: int = 0  # the turn that it is about
    expires: datetime | None = None  # after this time it is not sent any more
    # what a later letter to the same reader needs: fingerprints of results by part, or in a digest the id of
    # the newest message of each game
    content: Mapping[str, str] = {}


class Outgoing(Addressed, kw_only=True):
    """A message that may be queued."""

    text: str
    html: str = ""
    enclosures: tuple[Enclosure, ...] = ()
    answers: str = ""  # the Message-ID of the message that it answers
    headers: Mapping[str, str] = {}  # further lines of its header, by name


class State(StrEnum):
    """The state of a message."""

    QUEUED = "queued"
    SENDING = "sending"
    LATER = "later"
    SENT = "sent"
    FAILED = "failed"
    EXPIRED = "expired"
    BOUNCED = "bounced"
    DROPPED = "dropped"  # given up, or replaced by another
    RECALLED = "recalled"  # stopped before it was sent, as its turn was undone; may be queued anew


LOST = (State.FAILED, State.BOUNCED)  # messages that did not reach their reader
OPEN = (State.QUEUED, State.SENDING, State.LATER)  # messages that have to go out, or may have to


class OutboxEntry(Addressed, kw_only=True):
    """A message in the outbox."""

    id: str = field(name="message")
    state: State
    at: datetime  # when it got this state
    queued: datetime
    tries: int = 0  # of sending it
    words: str = ""  # why it has this state: the server's words, or ours
    doubt: bool = False  # it may have arrived although its state does not say so

    @property
    def may_have_arrived(self) -> bool:
        """Whether the reader has the message, or may have."""
        return self.state in (State.SENT, State.SENDING, State.BOUNCED) or self.doubt

    def is_due(self, now: datetime) -> bool:
        """Return whether sending the message may be tried (again) now.

        The wait after a failure doubles with each try. If the clock was set back meanwhile, there is no wait.
        """
        if self.state is not State.LATER or now < self.at:
            return True
        # after fewer doublings it is the longest wait already: the limit only keeps the number small
        doublings = min(self.tries - 1, 20)
        return now >= self.at + min(FIRST_WAIT * (1 << doublings), LONGEST_WAIT)


def message_id(entry_id: str, domain: str) -> str:
    """Return the Message-ID of a message of the outbox by its id, without brackets."""
    return f"gm.{entry_id}@{domain}"


def readdressed(data: bytes, to: str, new_message_id: str) -> bytes:
    """Return the bytes of a message for another address, with another Message-ID; the rest is unchanged."""
    header, gap, body = data.partition(b"\r\n\r\n")
    for name, value in (("To", to), ("Message-ID", f"<{new_message_id}>")):
        line = f"{name}: {value}".encode("ascii")
        pattern = rb"(?im)^%s:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*" % name.encode()  # it may be folded
        header = re.sub(pattern, line, header, count=1)
    return header + gap + body


class Outbox:
    """A game's outbox of letters, or of notifications by hooks. Every change needs the game's lock."""

    def __init__(self, mail: Path, game: str, secret: str, ending: str = ".eml") -> None:
        """Open the outbox in a folder ``mail``.

        Ids of messages are made with ``secret``, so that nobody can guess them; the names of their files have
        this ``ending``.
        """
        self._folder = mail / FOLDER
        self._journal = Journal(mail / JOURNAL)
        self._ending = ending
        self._game = game
        self._secret = secret.encode()

    def id_of(self, once: str) -> str:
        """Return the id of the message for a purpose: its own if it was queued, else a new one."""
        return self._id_by_purpose.get(once) or self.new_id(once)

    def new_id(self, once: str) -> str:
        """Return the id that a message for a purpose gets if it is queued now, under the present secret."""
        return hmac.digest(self._secret, f"message id\n{self._game}\n{once}".encode(), "sha256").hex()[:32]

    def path(self, entry_id: str) -> Path:
        """Return the path of the file with a message's bytes."""
        return self._folder / f"{entry_id}{self._ending}"

    def knows(self, once: str) -> bool:
        """Return whether a message for the purpose ``once`` was ever queued, and not recalled."""
        entry_id = self._id_by_purpose.get(once)
        return entry_id is not None and self.entries[entry_id].state is not State.RECALLED

    def queue(self, letter: Outgoing, data: bytes, now: datetime) -> bool:
        """Store a message to be sent, and return whether it was stored.

        It is not if one for the same purpose was queued and not recalled. ``data``: all its bytes.
        """
        if self.knows(letter.once):
            return False
        entry_id = self.new_id(letter.once)
        make_folder(self._folder)
        write_file(self.path(entry_id), data)
        expires = letter.expires.isoformat() if letter.expires else ""
        extra: dict[str, Any] = {"content": dict(letter.content)} if letter.content else {}
        fields = {name: getattr(letter, name) for name in ("once", "kind", "to", "subject", "realm", "turn")}
        # no key or token gets into the journal
        fields |= {"subject": without_secrets(letter.subject), "expires": expires}
        self._note({"message": entry_id, "state": State.QUEUED, "at": now.isoformat(), **fields, **extra})
        return True

    def set_state(
        self, entry_id: str, state: State, now: datetime, words: str = "", *, doubt: bool = False
    ) -> None:
        """Record a message's new state, and in ``words`` why it has it.

        ``doubt``: it may have arrived although the state does not say so.
        """
        extra = {name: value for name, value in (("words", str(words)), ("doubt", doubt)) if value}
        self._note({"message": entry_id, "state": state, "at": now.isoformat(), **extra})

    def withdraw(self, realm: str, now: datetime, words: str) -> int:
        """Drop all messages to a realm's player that have not arrived; return their number.

        ``words``: why they are dropped.
        """
        dropped_ids = [
            entry.id for entry in self.messages if entry.realm == realm and entry.state in (*OPEN, *LOST)
        ]
        for entry_id in dropped_ids:
            self.set_state(entry_id, State.DROPPED, now, words)
        return len(dropped_ids)

    def recall(self, kinds: Collection[str], turn: int, now: datetime, words: str) -> None:
        """Recall unsent messages of these kinds about a turn, so that they can be queued anew.

        Those that may have arrived are dropped: they are not queued again. ``words``: why, for the journal.
        """
        for entry in self.messages:
            if entry.kind in kinds and entry.turn == turn and entry.state in (*OPEN, State.FAILED):
                state = State.DROPPED if entry.may_have_arrived else State.RECALLED
                self.set_state(entry.id, state, now, words)

    def again(self, entry_id: str, to: str, domain: str, now: datetime) -> str:
        """Queue a message once more, as a new one to the address ``to``, and drop the old; return the new id.

        ``domain``: the one in its Message-ID. Raises ``KeyError`` for an unknown id and ``FileNotFoundError``
        when the message's file was deleted.
        """
        old = self.entries[entry_id]
        count = sum(entry.once.startswith(f"{old.once} again ") for entry in self.messages)
        same_fields = {
            name: getattr(old, name) for name in ("kind", "subject", "realm", "turn", "expires", "content")
        }
        # its text is in the bytes of the old message
        letter = Outgoing(once=f"{old.once} again {count + 1}", to=to, text="", **same_fields)
        data = readdressed(self.path(entry_id).read_bytes(), to, message_id(self.id_of(letter.once), domain))
        self.queue(letter, data, now)
        self.set_state(entry_id, State.DROPPED, now, f"sent again as {self.id_of(letter.once)}")
        return self.id_of(letter.once)

    def tidy(self, now: datetime) -> None:
        """Delete the files of messages that went out long ago; their states stay in the journal."""
        final_states = (State.SENT, State.EXPIRED, State.DROPPED, State.RECALLED)
        for path in sorted(self._folder.glob(f"*{self._ending}")):
            entry = self.entries.get(path.stem)
            if entry is not None and entry.state in final_states and now - entry.at > KEPT:
                clear(path)

    @property
    def messages(self) -> tuple[OutboxEntry, ...]:
        """Every message ever queued, oldest first."""
        return tuple(self.entries.values())

    def open(self) -> tuple[OutboxEntry, ...]:
        """Return the messages that are still to be sent, oldest first."""
        return tuple(entry for entry in self.messages if entry.state in OPEN)

    def asked_for(self, beginning: str, now: datetime, span: timedelta = DAY) -> int:
        """Return how many messages with this ``beginning`` of their purpose were queued within ``span``."""
        return sum(entry.once.startswith(beginning) and entry.queued >= now - span for entry in self.messages)

    def messages_of(self, kind: str, now: datetime) -> tuple["OutboxEntry", ...]:
        """Return the messages of a kind that were queued within the last 24 hours."""
        return tuple(entry for entry in self.messages if entry.kind == kind and entry.queued >= now - DAY)

    @cached_property
    def entries(self) -> dict[str, OutboxEntry]:
        """Every message ever queued, by its id, oldest first."""
        entries: dict[str, OutboxEntry] = {}
        for entry in self._journal.entries:
            _apply(entries, entry)
        return entries

    @cached_property
    def _id_by_purpose(self) -> dict[str, str]:
        """The id of each message by its purpose; the secret that made the id may have been another one."""
        return {entry.once: entry_id for entry_id, entry in self.entries.items()}

    def _note(self, entry: Mapping[str, Any]) -> None:
        """Append a line to the journal, and apply it to the messages in memory."""
        # read before the journal has the line, which would be applied twice otherwise
        entries = self.entries
        id_by_purpose = self._id_by_purpose
        self._journal.append(entry)
        _apply(entries, entry)
        id_by_purpose.setdefault(entries[entry["message"]].once, entry["message"])


def _apply(entries: dict[str, OutboxEntry], entry: Mapping[str, Any]) -> None:
    """Apply a line of the journal (``entry``) to the messages read so far, by id (``entries``)."""
    before = entries.get(entry["message"])
    if before is None or "once" in entry:  # it is queued, or queued anew after it was recalled
        fields = {**entry, "queued": entry["at"], "expires": entry["expires"] or None}
        entries[entry["message"]] = convert(fields, OutboxEntry)
        return
    state = State(entry["state"])
    changed_at = datetime.fromisoformat(entry["at"])
    words = entry.get("words", "")
    doubt = entry.get("doubt", False)
    tries = before.tries
    if state is State.SENDING and not doubt:  # with doubt it is a later moment of the same try
        tries += 1
    entries[before.id] = before.evolve(state=state, at=changed_at, tries=tries, words=words, doubt=doubt)
