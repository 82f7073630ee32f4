"""Mailboxes on this machine: a Maildir, an mbox file, and messages that somebody saved as files.

The standard library's ``mailbox`` reads whole messages, follows links, copies instead of renaming, and cuts an mbox at
any line that begins with "From ": here letters come from strangers, and none may be lost in the middle of a move.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO

from gm.mail.settings import Inward
from gm.mail.source import Fate, Lease, MailboxError, Message, ReadOnlySource, lease_of
from gm.store.disk import flush_folder, is_held, take, write_file

_CHUNK = 1 << 20
_LINE = 1000
"""Bytes that a line between two messages of an mbox has at most."""
# "From anna@example.org Mon Jan  5 12:00:00 2026", with an empty line before it; programs that write "From" so at the
# beginning of a line in a letter put a mark in front of it
_BETWEEN = re.compile(
    rb"\n\r?\nFrom [^\n]{1,600}?\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? [^\n]{1,40}\d\d:\d\d[^\n]{0,60}\n"
)
_QUOTED = re.compile(rb"(?m)^>(>*From )")
_ARRIVAL = re.compile(r"(\d{1,11})(?:\.[^:]{0,80}?M(\d{1,6})(?!\d))?")
"""A Maildir's file names begin with the second of arrival; many say the microsecond too."""


class MaildirSource:
    """A Maildir, as mail servers and many programs keep it. Folders in it are called ``.name``."""

    def __init__(self, path: Path, inward: Inward) -> None:
        if not (path / "cur").is_dir() or not (path / "new").is_dir():
            raise MailboxError(f"{path} is no Maildir: it lacks the folders 'new' and 'cur'.")
        self._path = path
        self._folders = {Fate.DONE: inward.done, Fate.ASIDE: inward.aside}
        self._made: set[Fate] = set()

    def waiting(self) -> Iterator[Message]:
        names = [(part, each.name) for part in ("cur", "new") for each in _files(self._path / part)]
        for part, name in sorted(names, key=lambda each: (_arrival(each[1]), each[1])):
            path = self._path / part / name
            try:
                size = path.stat().st_size
            except FileNotFoundError:  # another program has renamed it meanwhile: the next round finds it
                continue
            yield Message(f"{part}/{name}", size, partial(_beginning, path), _moment(name))

    def put(self, message: Message, fate: Fate) -> None:
        part, _, name = message.name.partition("/")
        try:
            folder = self._folder(fate)
            stem, _, flags = name.partition(":2,")
            (self._path / part / name).rename(folder / f"{stem}:2,{''.join(sorted({*flags, 'S'}))}")
            flush_folder(folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise MailboxError(f"{self._path}: letters cannot be moved to {self._folders[fate]}: {error}.") from None

    def settle(self) -> None:
        """Nothing: every letter is moved at once."""

    def _folder(self, fate: Fate) -> Path:
        """Where letters of this fate go; made when it is first wanted."""
        folder = self._path / f".{self._folders[fate]}"
        if fate not in self._made:
            for each in ("cur", "new", "tmp"):
                (folder / each).mkdir(parents=True, exist_ok=True)
            (folder / "maildirfolder").touch()
            self._made.add(fate)
        return folder / "cur"

    def holds(self, message_id: str) -> bool:
        own = (each for part in ("new", "cur") for each in _files(self._path / part))
        return any(each.has_id(message_id) for each in (*map(_saved, own), *self.dealt_with(None)))

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        folders = [self._path / f".{name}" / part for name in self._folders.values() for part in ("new", "cur")]
        for path in (each for folder in folders for each in _files(folder)):
            arrived = _moment(path.name)
            if since is None or arrived is None or arrived >= since:
                yield Message(path.name, path.stat().st_size, partial(_beginning, path), arrived)

    def leases(self, name: str) -> Sequence[Lease]:
        path = self._path / f"gm-lease-{name}"
        return [lease_of(path.read_text(encoding="utf-8", errors="replace"))] if path.exists() else []

    def put_lease(self, name: str, replaced: Collection[str], lease: Lease) -> bool:
        path = self._path / f"gm-lease-{name}"
        handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            take(handle)
            if any(each.token not in replaced for each in self.leases(name)):
                return False
            write_file(path, lease.text().encode())
        except OSError as error:
            if is_held(error):
                return False
            raise MailboxError(f"{path} cannot be written: {error}.") from None
        finally:
            os.close(handle)
        return True


class MboxSource(ReadOnlySource):
    """An mbox file, as Unix systems and Thunderbird keep it; the journal remembers what was dealt with."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise MailboxError(f"{path} is no mbox file: there is no such file.")
        self._path = path

    def waiting(self) -> Iterator[Message]:
        try:
            with self._path.open("rb") as file:
                self._lock(file)
                for number, (start, end) in enumerate(list(_places(file))):
                    yield Message(str(number), end - start, partial(_cut_out, file, start, end))
        except OSError as error:
            raise MailboxError(f"{self._path} cannot be read: {error}.") from None

    def _lock(self, file: BinaryIO) -> None:
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


def _places(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Where each message of an mbox begins and ends; the file is read in pieces, however long its lines are."""
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


def _cut_out(file: BinaryIO, start: int, end: int, length: int) -> bytes:
    file.seek(start)
    return _QUOTED.sub(rb"\1", file.read(min(length, end - start)))


class FilesSource(ReadOnlySource):
    """A folder of messages that somebody saved as files, or one such file. They stay where they are. Of a folder, newer
    files count as later letters, as with 'gm receive'."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise MailboxError(f"There is no {path}.")
        self._path = path

    def waiting(self) -> Iterator[Message]:
        found = [self._path]
        if not self._path.is_file():
            found = [each for each in _files(self._path) if each.suffix.lower() in (".eml", "")]
            found.sort(key=lambda each: (each.stat().st_mtime_ns, each.name))
        yield from map(_saved, found)


class ChainedSource(ReadOnlySource):
    """Several sources one after the other."""

    def __init__(self, sources: Sequence[FilesSource]) -> None:
        self._sources = sources

    def waiting(self) -> Iterator[Message]:
        for source in self._sources:
            yield from source.waiting()


def _saved(path: Path) -> Message:
    """A message that is a file. When it arrived, nobody knows: a file's time is that of its saving."""
    return Message(path.name, path.stat().st_size, partial(_beginning, path))


def _files(folder: Path) -> list[Path]:
    """The plain files of a folder, by name; links lead anywhere and are no letters."""
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.is_file() and not each.is_symlink())


def _arrival(name: str) -> tuple[int, int]:
    """The second and microsecond of arrival in a Maildir's file name; 0 where it says none."""
    found = _ARRIVAL.match(name)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def _moment(name: str) -> datetime | None:
    seconds, _ = _arrival(name)
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds else None
    except (ValueError, OverflowError, OSError):  # a name that only looks like a time
        return None


def _beginning(path: Path, length: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(length)
    except FileNotFoundError:  # moved meanwhile
        return b""
