"""An mbox file as a source of letters. It stays as it is: its format knows no folders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO

from gm.mail.parse import HEADER_LIMIT
from gm.mail.sources import Fate, MailboxError, Message, has_id

_CHUNK = 1 << 20
_LINE = 1000
"""Bytes that a line between two messages has at most."""

# "From anna@example.org Mon Jan  5 12:00:00 2026", with an empty line before it; programs that write "From" so at the
# beginning of a line in a letter put a mark in front of it
_BETWEEN = re.compile(
    rb"\n\r?\nFrom [^\n]{1,600}?\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? [^\n]{1,40}\d\d:\d\d[^\n]{0,60}\n"
)
_QUOTED = re.compile(rb"(?m)^>(>*From )")


class MboxSource:
    """An mbox file, as Unix systems and Thunderbird keep it; the journal remembers what was dealt with."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise MailboxError(f"{path} is no mbox file: there is no such file.")
        self._path = path

    def waiting(self) -> Iterator[Message]:
        try:
            with self._path.open("rb") as file:
                self._alone(file)
                for number, (start, end) in enumerate(list(_places(file))):
                    yield Message(str(number), end - start, partial(_read, file, start, end))
        except OSError as error:
            raise MailboxError(f"{self._path} cannot be read: {error}.") from None

    def _alone(self, file: BinaryIO) -> None:
        """See to it that nobody adds to the file while it is read: half a letter is worse than one that comes later."""
        busy = f"Another program is writing to {self._path} at this moment."
        if self._path.with_name(f"{self._path.name}.lock").exists():
            raise MailboxError(busy)
        try:
            import fcntl
        except ImportError:  # Windows has no such locks
            return
        try:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            raise MailboxError(busy) from None

    def put(self, message: Message, fate: Fate) -> None:
        """Nothing: see the class."""

    def settle(self) -> None:
        """Nothing either."""

    def holds(self, message_id: str) -> bool:
        return any(has_id(message.read(HEADER_LIMIT), message_id) for message in self.waiting())

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        """None: they are all still waiting."""
        return iter(())


def _places(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Where each message begins and ends; the file is read in pieces, however long its lines are."""
    begin = -1
    # as if two line ends stood before the file
    offset, text = -2, b"\n\n"
    while chunk := file.read(_CHUNK):
        text += chunk
        searched = 0
        for match in _BETWEEN.finditer(text):
            if begin >= 0:
                yield begin, offset + match.start() + 1
            begin, searched = offset + match.end(), match.end()
        # the end may be the beginning of such a line
        keep = max(searched, len(text) - _LINE)
        offset, text = offset + keep, text[keep:]
    if begin >= 0:
        yield begin, offset + len(text)


def _read(file: BinaryIO, start: int, end: int, length: int) -> bytes:
    file.seek(start)
    return _QUOTED.sub(rb"\1", file.read(min(length, end - start)))
