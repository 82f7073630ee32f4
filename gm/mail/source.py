"""The interface of a mailbox, and mailboxes on this machine: a Maildir, an mbox file, saved mails.

A source gives one message at a time and reads no more of it than needed. Processed messages are moved, if the
mailbox has folders, and never deleted; the game's journal records which they are.

The standard library's ``mailbox`` is not used. It reads whole messages, follows links, copies instead of
renaming, and divides an mbox at any line that begins with "From ". But letters come from strangers, and none
may be lost while it is moved.
"""

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from itertools import chain, product
from pathlib import Path
from typing import BinaryIO

from msgspec import to_builtins

from gm.core.diagnostics import printable, says
from gm.core.values import Record
from gm.mail.bounded import HEADER_LIMIT
from gm.mail.parse import parse_header
from gm.mail.settings import Inward
from gm.store.disk import flush_folder, take, write_file


class MailboxError(Exception):
    """A mailbox that cannot be opened, read or changed now; the text says why, for the GM."""


class Message(Record):
    """A message in a mailbox."""

    name: str  # identifies it in its source
    size: int  # in bytes
    # takes a number of bytes, returns so many from the beginning; empty if the message was moved meanwhile;
    # raises ``MailboxError``, or ``OSError`` if only this message cannot be read
    read: Callable[[int], bytes]
    arrived: datetime | None = None  # when it came into the mailbox; None: not known


class Disposition(StrEnum):
    """What became of a message, which decides its folder."""

    DONE = "done"
    ASIDE = "aside"  # the GM should look at it


class Lease(Record):
    """A token in a mailbox, by which two copies of a game notice each other (:mod:`gm.mail.exchange`)."""

    token: str
    who: str = ""  # the machine and folder of the copy that left it
    at: str = ""  # when, as ISO 8601

    def text(self) -> str:
        """Return the lease as JSON."""
        return json.dumps(to_builtins(self), ensure_ascii=False)


def lease_of(text: str) -> Lease:
    """Return a lease from its text in JSON; any other text gives a lease with an empty token."""
    try:
        fields = json.loads(text)
        token, who, at = (printable(str(fields.get(name, "")))[:300] for name in ("token", "who", "at"))
        return Lease(token, who, at)
    except (ValueError, AttributeError):
        return Lease("")


class Source:
    """An open mailbox. All methods raise ``MailboxError``.

    One without folders moves nothing and holds no leases: as here, unless a subclass does it.
    """

    leasing = False  # whether it holds leases

    def waiting(self) -> Iterator[Message]:
        """Return the messages that :meth:`put` has not moved yet, in order of arrival."""
        raise NotImplementedError

    def put(self, message: Message, fate: Disposition) -> None:
        """Move a processed message to the folder of its disposition, at once or at the next :meth:`settle`.

        A message that was moved before, or is gone, is left alone.
        """

    def settle(self) -> None:
        """Move the messages that :meth:`put` has not moved at once."""

    def holds(self, message_id: str) -> bool:
        """Return whether a message with this Message-ID is in the mailbox or was moved by :meth:`put`."""
        messages = chain(self.waiting(), self.dealt_with(None))
        return any(
            parse_header(message.read(HEADER_LIMIT)).message_id() == message_id for message in messages
        )

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        """Return the messages that :meth:`put` has moved, in this run or earlier ones.

        Those that arrived before ``since`` may be left out.
        """
        return iter(())

    def leases(self, name: str) -> Sequence[Lease]:
        """Return the leases of this name, oldest first; more than one only where a run was killed."""
        return ()

    def put_lease(self, name: str, replaced: Collection[str], lease: Lease) -> bool:
        """Replace the leases of this name by a new one; return whether that was done.

        ``replaced``: their tokens. It is not done if there is another lease of this name, or another copy of
        the game is putting one.
        """
        raise NotImplementedError


_CHUNK = 1 << 20
_LINE = 1000  # bytes that a line between two messages of an mbox has at most
# an empty line and "From anna@example.org Mon Jan  5 12:00:00 2026"; where a line of a letter begins with
# "From ", programs put a ">" in front
_BETWEEN = re.compile(rb"\n\r?\nFrom .{1,600}?\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .{1,40}\d\d:\d\d.{0,60}\n")
_QUOTED = re.compile(rb"(?m)^>(>*From )")
_ARRIVAL = re.compile(r"(\d{1,11})(?:\.[^:]{0,80}?M(\d{1,6})(?!\d))?")
"""The beginning of a Maildir's file names: (second of arrival, microsecond, which some names lack)."""


FLAGS = "!2," if os.name == "nt" else ":2,"
"""The mark before the flags in a Maildir's file names; names on Windows can have no colon."""


class MaildirSource(Source):
    """A Maildir, as mail servers and many programs keep it. Folders in it are called ``.name``."""

    leasing = True

    def __init__(self, path: Path, inward: Inward) -> None:
        """Open a Maildir. Raises ``MailboxError`` if the folder is none."""
        if not (path / "cur").is_dir() or not (path / "new").is_dir():
            raise MailboxError(says("{0} is not a Maildir: it lacks the folders 'new' and 'cur'.", path))
        self._path = path
        self._folders = {Disposition.DONE: inward.done, Disposition.ASIDE: inward.aside}  # their names
        self._existing: set[Disposition] = set()  # those whose folders exist for certain

    def waiting(self) -> Iterator[Message]:
        """Yield the messages that were not moved yet, read by other programs or not, in order of arrival."""
        paths = (*_files(self._path / "cur"), *_files(self._path / "new"))
        for path in sorted(paths, key=lambda file: _arrival(file.name)):
            # another program may have renamed it meanwhile: then the next round finds it
            with suppress(FileNotFoundError):
                yield _message(path, f"{path.parent.name}/{path.name}", _moment(path.name))

    def put(self, message: Message, fate: Disposition) -> None:
        """Move a message into the folder of its disposition, marked as seen."""
        subfolder, _, name = message.name.partition("/")
        folder = self._path / f".{self._folders[fate]}"
        try:
            if fate not in self._existing:
                for part in ("cur", "new", "tmp"):
                    (folder / part).mkdir(parents=True, exist_ok=True)
                (folder / "maildirfolder").touch()
                self._existing.add(fate)
            stem, _, flags = name.partition(FLAGS)
            new_flags = "".join(sorted({*flags, "S"}))
            (self._path / subfolder / name).rename(folder / f"cur/{stem}{FLAGS}{new_flags}")
            flush_folder(folder / "cur")
        except FileNotFoundError:
            return
        except OSError as error:
            raise MailboxError(
                says("{0}: letters cannot be moved to {1}: {2}.", self._path, self._folders[fate], error)
            ) from None

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        """Yield the messages in the folders of processed ones, since a moment if one is given."""
        folders = [
            self._path / f".{name}" / part for name, part in product(self._folders.values(), ("new", "cur"))
        ]
        for path in chain.from_iterable(map(_files, folders)):
            arrived = _moment(path.name)
            if since is None or arrived is None or arrived >= since:
                yield _message(path, path.name, arrived)

    def leases(self, name: str) -> Sequence[Lease]:
        path = self._path / f"gm-lease-{name}"
        return [lease_of(path.read_text(encoding="utf-8", errors="replace"))] if path.exists() else []

    def put_lease(self, name: str, replaced: Collection[str], lease: Lease) -> bool:
        """Replace the lease; return false if there is one that is not to be replaced, or one is being put."""
        path = self._path / f"gm-lease-{name}"
        handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            is_locked = take(handle)  # by this run; else another one is putting a lease
            if not is_locked or any(other.token not in replaced for other in self.leases(name)):
                return False
            write_file(path, lease.text().encode())
        except OSError as error:
            raise MailboxError(says("{0} cannot be written: {1}.", path, error)) from None
        finally:
            os.close(handle)
        return True


class MboxSource(Source):
    """An mbox file, as Unix systems and Thunderbird use it; the journal remembers the processed messages."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise MailboxError(says("{0} is not an mbox file: there is no such file.", path))
        self._path = path

    def waiting(self) -> Iterator[Message]:
        """Yield all messages of the file, which stays open and locked meanwhile. Raises ``MailboxError``."""
        try:
            with self._path.open("rb") as file:
                self._lock(file)
                # all places are found first: to read a message moves the position in the file
                for number, (start, end) in enumerate(list(_places(file))):
                    yield Message(str(number), end - start, partial(_cut_out, file, start, end))
        except OSError as error:
            raise MailboxError(says("{0} cannot be read: {1}.", self._path, error)) from None

    def _lock(self, file: BinaryIO) -> None:
        """Prevent other programs from adding to the file while it is read.

        Raises ``MailboxError`` if one is doing that now.
        """
        busy = says("Another program is writing to {0} at this moment.", self._path)
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
    """Yield (start, end) of each message of an mbox, in bytes from the beginning of the file.

    The file is read in pieces, however long its lines are.
    """
    begin = -1  # of the message that was found last
    # the first message has no empty line before it: two line ends are put in front of the file
    offset = -2  # of ``text`` in the file
    text = b"\n\n"
    while chunk := file.read(_CHUNK):
        text += chunk
        searched = 0
        for match in _BETWEEN.finditer(text):
            # the first line end that is matched belongs to the message above
            if begin >= 0:
                yield begin, offset + match.start() + 1
            begin = offset + match.end()
            searched = match.end()
        # the end of this piece may be the beginning of a line between two messages
        keep_from = max(searched, len(text) - _LINE)
        offset = offset + keep_from
        text = text[keep_from:]
    if begin >= 0:
        yield begin, offset + len(text)


def _cut_out(file: BinaryIO, start: int, end: int, length: int) -> bytes:
    """Return at most ``length`` bytes of the message from ``start`` to ``end`` of a file.

    The ">" that programs have put before "From " is removed.
    """
    file.seek(start)
    return _QUOTED.sub(rb"\1", file.read(min(length, end - start)))


class FilesSource(Source):
    """Messages saved as files or in folders, which are not moved."""

    def __init__(self, *paths: Path) -> None:
        for path in paths:
            if not path.exists():
                raise MailboxError(says("There is no {0}.", path))
        self._paths = paths

    def waiting(self) -> Iterator[Message]:
        """Yield the messages of all files; those of a folder in the order in which they were saved.

        In a folder only names that end with ``.eml``, or have no ending, are messages.
        """
        for path in self._paths:
            files = [path]
            if not path.is_file():
                files = [file for file in _files(path) if file.suffix.lower() in (".eml", "")]
                files.sort(key=lambda file: (file.stat().st_mtime_ns, file.name))
            for file in files:
                # without a time of arrival: the file's time is when it was saved
                yield _message(file, file.name)


def _files(folder: Path) -> list[Path]:
    """Return the files of a folder, sorted; links are left out, for they may lead anywhere."""
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.is_symlink())


def _arrival(name: str) -> tuple[int, int, str]:
    """Return (second, microsecond, name) for sorting a Maildir's file names by arrival; 0 where missing."""
    match = _ARRIVAL.match(name)
    return (int(match[1]), int(match[2] or 0), name) if match else (0, 0, name)


def _moment(name: str) -> datetime | None:
    """Return when a message arrived by its file name in a Maildir; None if the name does not say it."""
    seconds = _arrival(name)[0]
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds else None
    except (ValueError, OverflowError, OSError):  # a name that only looks like a time
        return None


def _message(path: Path, name: str, arrived: datetime | None = None) -> Message:
    return Message(name, path.stat().st_size, partial(_beginning, path), arrived)


def _beginning(path: Path, length: int) -> bytes:
    """Return the first ``length`` bytes of a file; empty if it is gone."""
    try:
        with path.open("rb") as file:
            return file.read(length)
    except FileNotFoundError:  # moved meanwhile
        return b""
