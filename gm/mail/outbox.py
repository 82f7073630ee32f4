"""The outbox: every message is written down before it is sent, marked after, and goes out once.

A message is known by what it is for (``once``: "results of turn 5 for ENG"): asked for again, it is not
queued again. Its Message-ID follows from that and from a secret of the game, so that it is the same in every
run and that nobody can work it out who did not get the message: who names it in a bounce has seen it. The
messages are files, and what became of them stands in a journal, a line for each step:

    queued > sending > sent            the usual way
    sending > later                    the server did not take it now; tried again after a while
    sending > failed                   it never will: a GM must look
    sent    > bounced                  it was taken, and came back all the same
    sending > (nothing)                the run was killed: nobody knows whether the server took it

The last is settled by the copy that the GM's own mailbox gets of each message: it is there, or the message
goes out again after some time, under the same Message-ID. So is a ``later`` in ``doubt``: the server had the
whole message when it said that it would not take it now, and a server that breaks in that moment may have
taken it all the same. Hooks (:mod:`gm.mail.hooks`), of which nobody keeps copies, have an outbox of their
own: a ``sending`` in ``doubt`` is noted before the last byte goes out, and from there on nothing is told
again.
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
KEPT = 14 * DAY  # so long the file of a message is kept after it went out: it may come back

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=6)


class Enclosure(Record):
    """A file attached to a message. ``kind`` is its MIME type, a text's with parameters where it has any."""

    name: str
    kind: str
    data: bytes


class Addressed(Record, kw_only=True):
    """The identity of a message in the outbox.

    ``once``: its purpose; ``kind``: results, receipt, reminder, notice ... ``expires``: the time after which
    it is not sent any more.
    """

    once: str
    kind: str
    to: str
    subject: str
    realm: str = ""
    turn: int = 0
    expires: datetime | None = None
    # fingerprints of its parts by name: a later letter about the same is compared
    content: Mapping[str, str] = {}


class Outgoing(Addressed, kw_only=True):
    """A message to be sent. ``answers`` is the id of the message that it answers."""

    text: str
    html: str = ""
    enclosures: tuple[Enclosure, ...] = ()
    answers: str = ""
    headers: Mapping[str, str] = {}


class State(StrEnum):
    """The state of a message.

    Dropped: given up, or replaced by another. Recalled: stopped before it was sent, because its turn was
    taken back; queued again, it is written anew.
    """

    QUEUED = "queued"
    SENDING = "sending"
    LATER = "later"
    SENT = "sent"
    FAILED = "failed"
    EXPIRED = "expired"
    BOUNCED = "bounced"
    DROPPED = "dropped"
    RECALLED = "recalled"


LOST = (State.FAILED, State.BOUNCED)  # what did not reach its reader: dead letters
OPEN = (State.QUEUED, State.SENDING, State.LATER)  # what still has to go out, or may have to


class OutboxEntry(Addressed, kw_only=True):
    """A message in the outbox.

    ``at``: the time of its state; ``words``: the server's; ``doubt``: it may have arrived after all.
    """

    id: str = field(name="message")
    state: State
    at: datetime
    queued: datetime
    tries: int = 0
    words: str = ""
    doubt: bool = False

    @property
    def may_have_arrived(self) -> bool:
        """Whether its reader has it, or may have."""
        return self.state in (State.SENT, State.SENDING, State.BOUNCED) or self.doubt

    def is_due(self, now: datetime) -> bool:
        """Return whether it may be tried (again) now.

        A clock that was set back lets nothing wait for its former time.
        """
        if self.state is not State.LATER or now < self.at:
            return True
        return now >= self.at + min(FIRST_WAIT * (1 << min(self.tries - 1, 20)), LONGEST_WAIT)


def message_id(number: str, domain: str) -> str:
    """Return the Message-ID of a message of the outbox by its number, without brackets."""
    return f"gm.{number}@{domain}"


def readdressed(data: bytes, to: str, number: str) -> bytes:
    """Return a message as a new one for another address. The rest is unchanged."""
    header, gap, body = data.partition(b"\r\n\r\n")
    for name, value in (("To", to), ("Message-ID", f"<{number}>")):
        line = f"{name}: {value}".encode("ascii")
        pattern = rb"(?im)^%s:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*" % name.encode()
        header = re.sub(pattern, line, header, count=1)
    return header + gap + body


class Outbox:
    """A game's outbox, in its folder ``mail``.

    Every change needs the lock. Ids of messages are made with ``secret``; names of their files have this
    ``ending``.
    """

    def __init__(self, mail: Path, game: str, secret: str, ending: str = ".eml") -> None:
        """Open the outbox in a mail folder; ``secret`` keeps its Message-IDs unpredictable."""
        self._folder = mail / FOLDER
        self._journal = Journal(mail / JOURNAL)
        self._ending = ending
        self._game = game
        self._secret = secret.encode()

    def id_of(self, once: str) -> str:
        """Return the id of a message by its purpose; its file has that name.

        One that was queued keeps its own.
        """
        return self._numbers.get(once) or self.new_id(once)

    def new_id(self, once: str) -> str:
        """Return the id of a message by its purpose, as it would be queued now."""
        return hmac.digest(self._secret, f"message id\n{self._game}\n{once}".encode(), "sha256").hex()[:32]

    def path(self, number: str) -> Path:
        return self._folder / f"{number}{self._ending}"

    def knows(self, once: str) -> bool:
        """Return whether a message for this purpose was ever queued, and not recalled."""
        return once in self._numbers and self.entries[self._numbers[once]].state is not State.RECALLED

    def queue(self, letter: Outgoing, data: bytes, now: datetime) -> bool:
        """Store a message to be sent; ``data``: all its bytes. Returns whether it is new."""
        if self.knows(letter.once):
            return False
        number = self.new_id(letter.once)
        make_folder(self._folder)
        write_file(self.path(number), data)
        expires = letter.expires.isoformat() if letter.expires else ""
        extra: dict[str, Any] = {"content": dict(letter.content)} if letter.content else {}
        words = {name: getattr(letter, name) for name in ("once", "kind", "to", "subject", "realm", "turn")}
        words |= {"subject": without_secrets(letter.subject), "expires": expires}
        self._note({"message": number, "state": State.QUEUED, "at": now.isoformat(), **words, **extra})
        return True

    def set_state(
        self, number: str, state: State, now: datetime, words: str = "", *, doubt: bool = False
    ) -> None:
        """Record a message's new state.

        ``doubt``: the server may have accepted it although it said that it did not.
        """
        extra = {name: value for name, value in (("words", str(words)), ("doubt", doubt)) if value}
        self._note({"message": number, "state": state, "at": now.isoformat(), **extra})

    def withdraw(self, realm: str, now: datetime, words: str) -> int:
        """Drop all unsent messages to a realm's player; return their number."""
        dropped = [
            entry.id for entry in self.messages if entry.realm == realm and entry.state in (*OPEN, *LOST)
        ]
        for number in dropped:
            self.set_state(number, State.DROPPED, now, words)
        return len(dropped)

    def recall(self, kinds: Collection[str], turn: int, now: datetime, words: str) -> None:
        """Recall unsent messages of these kinds about the orders for a turn; they can be queued anew."""
        for entry in self.messages:
            if entry.kind in kinds and entry.turn == turn and entry.state in (*OPEN, State.FAILED):
                self.set_state(
                    entry.id, State.DROPPED if entry.may_have_arrived else State.RECALLED, now, words
                )

    def again(self, number: str, to: str, domain: str, now: datetime) -> str:
        """Send a lost message once more, as a new one, to its reader's present address; return its id.

        Raises ``KeyError`` for an unknown id and ``FileNotFoundError`` when the message was deleted.
        """
        old = self.entries[number]
        count = sum(entry.once.startswith(f"{old.once} again ") for entry in self.messages)
        same_fields = {
            name: getattr(old, name) for name in ("kind", "subject", "realm", "turn", "expires", "content")
        }
        letter = Outgoing(once=f"{old.once} again {count + 1}", to=to, text="", **same_fields)
        data = readdressed(self.path(number).read_bytes(), to, message_id(self.id_of(letter.once), domain))
        self.queue(letter, data, now)
        self.set_state(number, State.DROPPED, now, f"sent again as {self.id_of(letter.once)}")
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
        """Return the number of messages queued within ``span`` (a day) whose purpose has this beginning."""
        return sum(entry.once.startswith(beginning) and entry.queued >= now - span for entry in self.messages)

    def messages_of(self, kind: str, now: datetime) -> tuple["OutboxEntry", ...]:
        """Return the messages of a kind that were queued within a day."""
        return tuple(entry for entry in self.messages if entry.kind == kind and entry.queued >= now - DAY)

    @cached_property
    def entries(self) -> dict[str, OutboxEntry]:
        """Every message ever queued by its id, oldest first."""
        entries: dict[str, OutboxEntry] = {}
        for entry in self._journal.entries:
            _apply(entries, entry)
        return entries

    @cached_property
    def _numbers(self) -> dict[str, str]:
        # also of those that were queued under another secret, or none
        return {entry.once: number for number, entry in self.entries.items()}

    def _note(self, entry: Mapping[str, Any]) -> None:
        """Append an entry to the journal, and carry it out on the messages in memory."""
        entries = self.entries
        numbers = self._numbers
        self._journal.append(entry)
        _apply(entries, entry)
        numbers.setdefault(entries[entry["message"]].once, entry["message"])


def _apply(entries: dict[str, OutboxEntry], entry: Mapping[str, Any]) -> None:
    """Apply one line of the journal to the entries read so far."""
    before = entries.get(entry["message"])
    if before is None or "once" in entry:  # a recalled one that is queued anew
        queued = {**entry, "queued": entry["at"], "expires": entry["expires"] or None}
        entries[entry["message"]] = convert(queued, OutboxEntry)
        return
    state = State(entry["state"])
    moment = datetime.fromisoformat(entry["at"])
    words = entry.get("words", "")
    doubt = entry.get("doubt", False)
    tries = before.tries + (state is State.SENDING and not doubt)
    entries[before.id] = before.evolve(state=state, at=moment, tries=tries, words=words, doubt=doubt)
