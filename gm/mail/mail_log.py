"""What a game's mail remembers: the letters that were dealt with, and those that are being dealt with right now."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec.json import decode, encode

from gm.core.values import Record
from gm.mail.letter import Letter
from gm.store.disk import clear, clear_unfinished, flush_folder, make_folder, write_file
from gm.store.journal import Journal

LOG_FILE = "letters.jsonl"
INTENT_FOLDER = "begun"

READ = "mailbox read"  # the remark that the whole mailbox was read, which the outage guard asks for
PUBLISHED = "published"  # the remark that a turn's results were given free for mailing


class MailLog:
    """The letters that were dealt with: none is ever dealt with twice."""

    def __init__(self, path: Path) -> None:
        self._journal = Journal(path)

    @cached_property
    def fates(self) -> dict[str, str]:
        """Where each letter belongs that was dealt with, by its mark (:func:`mark_of`) and the SHA-256 of its bytes."""
        return {entry[mark]: entry["fate"] for entry in self.entries for mark in ("letter", "bytes")}

    def note(self, letter: Letter, now: datetime, outcome: str, fate: str, **more: Any) -> None:
        """Note that a letter was dealt with, what came of it, and where it belongs. Nothing secret goes in: no key, no
        content."""
        fates = self.fates
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
        """Note something else that must be remembered: that the mailbox was read, who wants no reminders."""
        self._journal.append({"what": what, "at": now.isoformat(), **more})

    def remarks(self, *what: str) -> Iterator[dict[str, Any]]:
        """Everything noted under a word, or several, oldest first."""
        return (entry for entry in self._journal.entries if entry.get("what") in what)

    def last_reading(self) -> dict[str, Any] | None:
        """The remark about the last reading of the whole mailbox; none when it never was read."""
        return max(self.remarks(READ), key=lambda each: datetime.fromisoformat(each["at"]), default=None)

    @property
    def entries(self) -> tuple[dict[str, Any], ...]:
        """The letters that were dealt with, oldest first."""
        return tuple(entry for entry in self._journal.entries if "letter" in entry)


def mark_of(letter: Letter) -> str:
    """What tells a letter from all others: its id and its order files, or what it says; without an id all its bytes.
    The bytes of one letter differ when it came by two ways; its id alone may be somebody else's."""
    if not letter.message_id:
        return letter.fingerprint
    files = [hashlib.sha256(offer.data).hexdigest() for offer in letter.files]
    content = "\n".join(files) if files else letter.content
    return hashlib.sha256(f"{letter.message_id}\n{content}".encode()).hexdigest()


class Intent(Record, frozen=True):
    """How things were before a letter's orders were taken: when they arrived, and the file of each realm."""

    arrived: datetime
    standing: Mapping[str, bytes]


class IntentLog:
    """The letters whose orders are just being put into the inbox, one file each: what the receipt must say even when
    the run is killed now. Once a new file stands, nothing tells any more what stood before it, when it came and that it
    was new. So this is written down first, and taken away when the letter is in the journal. ``mark`` is made of
    hexadecimal digits."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / INTENT_FOLDER

    def begin(self, mark: str, intent: Intent) -> Intent:
        """Write down how a letter begins; of one that was begun before, what was written then."""
        path = self._path(mark)
        if path.is_file():
            return decode(path.read_bytes(), type=Intent)
        make_folder(self._folder)
        write_file(path, encode(intent, order="deterministic"))
        return intent

    def end(self, mark: str) -> None:
        """The letter is dealt with."""
        if self._path(mark).exists():
            clear(self._path(mark))
            flush_folder(self._folder)

    def sweep(self, done: Container[str]) -> None:
        """Take away what killed runs left: what is half written, and what belongs to letters that are ``done``."""
        clear_unfinished(self._folder)
        for path in sorted(self._folder.glob("*.json")):
            if path.stem in done:
                clear(path)

    def _path(self, mark: str) -> Path:
        return self._folder / f"{mark}.json"
