"""Where letters come from: an IMAP mailbox, a Maildir, an mbox file, a folder of ``.eml`` files.

A source gives one message at a time and never more of it than the limit. What was dealt with is moved where the
mailbox has folders, and never deleted; which messages these are, the game's own journal remembers.
"""

from __future__ import annotations

import mailbox
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Protocol

from gm.kernel.store.disk import flush_folder
from gm.mail.settings import Inward, Kind, PostSettings

HEAD_LIMIT = 64 * 1024
"""Bytes of a message that is not read whole."""


class MailboxError(Exception):
    """A mailbox that cannot be opened or read now: what is wrong, for the GM."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message that waits. ``name`` tells it from the others of its source; ``head`` is its beginning alone.

    ``arrived``: when the mailbox got it, whatever the message itself says; none where the mailbox does not know.
    """

    name: str
    size: int
    read: Callable[[], bytes]
    head: Callable[[], bytes]
    arrived: datetime | None = None


class Fate(StrEnum):
    """What became of a message, and so where it is moved."""

    DONE = "done"
    ASIDE = "aside"
    """The GM should look at it."""


class Source(Protocol):
    """An open mailbox."""

    def waiting(self) -> Iterator[Message]:
        """The messages that wait, in order of arrival. Raises ``MailboxError``."""

    def put(self, message: Message, fate: Fate) -> None:
        """Move a message that was dealt with. Doing it again, or with one that is gone, changes nothing."""

    def holds(self, message_id: str) -> bool:
        """Whether a message of this id is in the mailbox or was moved out of it by :meth:`put`."""


@contextmanager
def open_source(settings: PostSettings, folder: Path) -> Iterator[Source]:
    """The game's mailbox, for as long as the ``with`` lasts. Raises ``MailboxError`` and ``LoginError``."""
    inward = settings.inward
    if inward.kind is Kind.IMAP:
        from gm.mail.imap import imap_source

        with imap_source(inward, folder) as source:
            yield source
        return
    path = folder / Path(inward.path).expanduser()
    if inward.kind is Kind.MAILDIR:
        yield MaildirSource(path, inward)
    elif inward.kind is Kind.MBOX:
        yield MboxSource(path)
    else:
        yield FilesSource(path)


class MaildirSource:
    """A Maildir, as mail servers and many programs keep it. Folders in it are called ``.name``."""

    def __init__(self, path: Path, inward: Inward) -> None:
        if not (path / "cur").is_dir() or not (path / "new").is_dir():
            raise MailboxError(f"{path} is no Maildir: it lacks the folders 'new' and 'cur'.")
        self._path = path
        self._folders = {Fate.DONE: inward.done, Fate.ASIDE: inward.aside}

    def waiting(self) -> Iterator[Message]:
        found = [each for part in ("cur", "new") for each in _files(self._path / part)]
        for path in sorted(found, key=lambda each: (_arrival(each.name), each.name)):
            yield file_message(path, f"{path.parent.name}/{path.name}", arrived=_moment(_arrival(path.name)))

    def put(self, message: Message, fate: Fate) -> None:
        part, _, name = message.name.partition("/")
        folder = self._path / f".{self._folders[fate]}"
        for each in ("cur", "new", "tmp"):
            (folder / each).mkdir(parents=True, exist_ok=True)
        (folder / "maildirfolder").touch()
        stem, _, flags = name.partition(":2,")
        target = folder / "cur" / f"{stem}:2,{''.join(sorted({*flags, 'S'}))}"
        try:
            (self._path / part / name).rename(target)
        except FileNotFoundError:
            return
        flush_folder(target.parent)

    def holds(self, message_id: str) -> bool:
        folders = [self._path, *(self._path / f".{name}" for name in self._folders.values())]
        paths = (each for folder in folders for part in ("new", "cur") for each in _files(folder / part))
        return any(_has_id(_beginning(path), message_id) for path in paths)


class MboxSource:
    """An mbox file. It stays as it is: its format knows no folders, and the journal remembers what was dealt with."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise MailboxError(f"{path} is no mbox file: there is no such file.")
        self._path = path

    def waiting(self) -> Iterator[Message]:
        box = mailbox.mbox(self._path, create=False)
        try:
            for key in box.iterkeys():
                with box.get_file(key) as file:
                    file.seek(0, os.SEEK_END)
                    size = file.tell()
                yield Message(str(key), size, partial(box.get_bytes, key), partial(_start_of, box, key))
        finally:
            box.close()

    def put(self, message: Message, fate: Fate) -> None:
        """Nothing: see the class."""

    def holds(self, message_id: str) -> bool:
        return any(_has_id(message.head(), message_id) for message in self.waiting())


def _start_of(box: mailbox.mbox, key: str) -> bytes:
    with box.get_file(key) as file:
        return bytes(file.read(HEAD_LIMIT))


class FilesSource:
    """A folder of messages that somebody saved as files, or one such file. They stay where they are."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise MailboxError(f"There is no {path}.")
        self._path = path

    def waiting(self) -> Iterator[Message]:
        paths = [self._path] if self._path.is_file() else _files(self._path)
        for path in paths:
            if path.suffix.lower() in (".eml", ".msg", "") or path == self._path:
                yield file_message(path, path.name)

    def put(self, message: Message, fate: Fate) -> None:
        """Nothing: see the class."""

    def holds(self, message_id: str) -> bool:
        return any(_has_id(message.head(), message_id) for message in self.waiting())


class ChainedSource:
    """Several sources one after the other."""

    def __init__(self, sources: list[FilesSource]) -> None:
        self._sources = sources

    def waiting(self) -> Iterator[Message]:
        for source in self._sources:
            yield from source.waiting()

    def put(self, message: Message, fate: Fate) -> None:
        """Nothing: saved files stay where they are."""

    def holds(self, message_id: str) -> bool:
        return any(source.holds(message_id) for source in self._sources)


def file_message(path: Path, name: str, arrived: datetime | None = None) -> Message:
    """A message that is a file."""
    return Message(name, path.stat().st_size, path.read_bytes, lambda: _beginning(path), arrived)


def _files(folder: Path) -> list[Path]:
    """The plain files of a folder, by name; links lead anywhere and are no letters."""
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.is_file() and not each.is_symlink())


def _arrival(name: str) -> int:
    """A Maildir's file names begin with the second of arrival."""
    digits = re.match(r"\d{1,12}", name)
    return int(digits[0]) if digits else 0


def _moment(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds else None


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_LIMIT)
    except FileNotFoundError:  # moved meanwhile
        return b""


def _has_id(head: bytes, message_id: str) -> bool:
    """Whether the header of a message gives it this id."""
    header = re.split(rb"\r?\n\r?\n", head, maxsplit=1)[0]
    unfolded = re.sub(rb"\r?\n[ \t]+", b" ", header)
    pattern = rb"(?im)^message-id:[ \t]*<" + re.escape(message_id.encode()) + rb">"
    return re.search(pattern, unfolded) is not None
