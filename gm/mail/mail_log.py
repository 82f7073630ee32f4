"""What a game's mail remembers: the letters that were dealt with, and those that are being dealt with right now."""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from gm.mail.letter import Letter
from gm.store.disk import clear, clear_unfinished, flush_folder, make_folder, write_file
from gm.store.journal import Journal

LOG_FILE = "letters.jsonl"
INTENT_FOLDER = "begun"

READ = "mailbox read"
"""The remark that the whole mailbox was read, which the outage guard asks for."""
PUBLISHED = "published"
"""The remark that a turn's results were given free for mailing."""


class MailLog:
    """The letters that were dealt with: none is ever dealt with twice."""

    def __init__(self, path: Path) -> None:
        self._journal = Journal(path)

    @cached_property
    def _fates(self) -> dict[str, str]:
        return {entry[mark]: entry["fate"] for entry in self.entries for mark in ("letter", "bytes")}

    def fate_of(self, mark: str) -> str | None:
        """Where a letter belongs that was dealt with, by its mark (:func:`mark_of`) or the SHA-256 of its bytes; none
        for a new one."""
        return self._fates.get(mark)

    def knows(self, mark: str) -> bool:
        """Whether a letter of this mark was dealt with."""
        return mark in self._fates

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


@dataclass(frozen=True, slots=True)
class Intent:
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
            record = json.loads(path.read_bytes())
            standing = {realm: b64decode(text) for realm, text in record["standing"].items()}
            return Intent(datetime.fromisoformat(record["arrived"]), standing)
        encoded = {realm: b64encode(data).decode() for realm, data in sorted(intent.standing.items())}
        make_folder(self._folder)
        write_file(path, json.dumps({"arrived": intent.arrived.isoformat(), "standing": encoded}).encode())
        return intent

    def end(self, mark: str) -> None:
        """The letter is dealt with."""
        if self._path(mark).exists():
            clear(self._path(mark))
            flush_folder(self._folder)

    def sweep(self, done: Callable[[str], bool]) -> None:
        """Take away what killed runs left: what is half written, and what belongs to letters that are ``done``."""
        clear_unfinished(self._folder)
        for path in sorted(self._folder.glob("*.json")):
            if done(path.stem):
                clear(path)

    def _path(self, mark: str) -> Path:
        return self._folder / f"{mark}.json"
