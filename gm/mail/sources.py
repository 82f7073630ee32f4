"""Where letters come from: an IMAP mailbox, a Maildir, an mbox file, a folder of ``.eml`` files.

A source gives one message at a time and never more of it than is asked for. What was dealt with is moved where the
mailbox has folders, and never deleted; which messages these are, the game's own journal remembers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Protocol

from gm.mail.lease import Lease, lease_of
from gm.mail.parse import HEADER_LIMIT, parse_header
from gm.mail.settings import Inward, Kind, PostSettings, mail_commands
from gm.store.disk import flush_folder, write_file
from gm.store.lock import is_held, take
from gm.store.trust import require_confirmed


class MailboxError(Exception):
    """A mailbox that cannot be opened, read or changed now: what is wrong, for the GM."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message that waits. ``name`` tells it from the others of its source; ``read`` gives its first so many bytes.

    ``arrived``: when the mailbox got it, whatever the message itself says; none where the mailbox does not know.
    ``read`` raises ``MailboxError``, or ``OSError`` for this message alone.
    """

    name: str
    size: int
    read: Callable[[int], bytes]
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
        """Move a message that was dealt with, now or when several are. Doing it again, or with one that is gone,
        changes nothing. Raises ``MailboxError``."""

    def settle(self) -> None:
        """Move what :meth:`put` has put off. Raises ``MailboxError``."""

    def holds(self, message_id: str) -> bool:
        """Whether a message of this id is in the mailbox or was moved out of it by :meth:`put`."""

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        """The messages that :meth:`put` has moved, where it moves any; those that arrived before ``since`` may be left
        out. Raises ``MailboxError``."""


def mailbox_mark(settings: PostSettings, folder: Path) -> tuple[object, ...]:
    """What tells a game's mailbox from others: games with the same one have it read once."""
    inward = settings.inward
    if inward.kind is Kind.IMAP:
        return (inward.kind, inward.host.lower(), inward.port, inward.user, inward.folder)
    return (inward.kind, _path(inward, folder).resolve())


def _path(inward: Inward, folder: Path) -> Path:
    return folder / Path(inward.path).expanduser()


@contextmanager
def open_source(settings: PostSettings, folder: Path) -> Iterator[Source]:
    """The game's mailbox, for as long as the ``with`` lasts. Raises ``MailboxError`` and ``LoginError``, and
    ``UnconfirmedError`` for one that came with an archive."""
    inward = settings.inward
    require_confirmed(folder, *mail_commands(settings))
    if inward.kind is Kind.IMAP:
        from gm.mail.imap import imap_source

        with imap_source(inward, folder) as source:
            yield source
        return
    path = _path(inward, folder)
    if inward.kind is Kind.MAILDIR:
        yield MaildirSource(path, inward)
    elif inward.kind is Kind.MBOX:
        from gm.mail.mbox import MboxSource

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
        self._made: set[Fate] = set()

    def waiting(self) -> Iterator[Message]:
        names = [
            (_arrival(each.name), part, each.name) for part in ("cur", "new") for each in _files(self._path / part)
        ]
        for arrival, part, name in sorted(names, key=lambda each: (each[0], each[2])):
            path = self._path / part / name
            try:
                size = path.stat().st_size
            except FileNotFoundError:  # another program has renamed it meanwhile: the next round finds it
                continue
            yield Message(f"{part}/{name}", size, partial(_beginning, path), _moment(arrival[0]))

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
        folders = [self._path, *(self._path / f".{name}" for name in self._folders.values())]
        paths = (each for folder in folders for part in ("new", "cur") for each in _files(folder / part))
        return any(has_id(_beginning(path, HEADER_LIMIT), message_id) for path in paths)

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        for name in self._folders.values():
            for path in (each for part in ("new", "cur") for each in _files(self._path / f".{name}" / part)):
                arrived = _moment(_arrival(path.name)[0])
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


class FilesSource:
    """A folder of messages that somebody saved as files, or one such file. They stay where they are.

    Of a folder, newer files count as later letters, as with 'gm receive'.
    """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise MailboxError(f"There is no {path}.")
        self._path = path

    def waiting(self) -> Iterator[Message]:
        if self._path.is_file():
            yield _saved(self._path, self._path.stat().st_size)
            return
        found = [(each, each.stat()) for each in _files(self._path) if each.suffix.lower() in (".eml", "")]
        for path, stat in sorted(found, key=lambda each: (each[1].st_mtime_ns, each[0].name)):
            yield _saved(path, stat.st_size)

    def put(self, message: Message, fate: Fate) -> None:
        """Nothing: see the class."""

    def settle(self) -> None:
        """Nothing either."""

    def holds(self, message_id: str) -> bool:
        return any(has_id(message.read(HEADER_LIMIT), message_id) for message in self.waiting())

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        """None: they are all still waiting."""
        return iter(())


class ChainedSource:
    """Several sources one after the other."""

    def __init__(self, sources: Sequence[FilesSource]) -> None:
        self._sources = sources

    def waiting(self) -> Iterator[Message]:
        for source in self._sources:
            yield from source.waiting()

    def put(self, message: Message, fate: Fate) -> None:
        """Nothing: saved files stay where they are."""

    def settle(self) -> None:
        """Nothing either."""

    def holds(self, message_id: str) -> bool:
        return any(source.holds(message_id) for source in self._sources)

    def dealt_with(self, since: datetime | None) -> Iterator[Message]:
        """None: they are all still waiting."""
        return iter(())


def _saved(path: Path, size: int) -> Message:
    """A message that is a file. When it arrived, nobody knows: a file's time is that of its saving."""
    return Message(path.name, size, partial(_beginning, path))


def _files(folder: Path) -> list[Path]:
    """The plain files of a folder, by name; links lead anywhere and are no letters."""
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.is_file() and not each.is_symlink())


def _arrival(name: str) -> tuple[int, int]:
    """A Maildir's file names begin with the second of arrival; many say the microsecond too."""
    found = re.match(r"(\d{1,11})(?:\.[^:]{0,80}?M(\d{1,6})(?!\d))?", name)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def _moment(seconds: int) -> datetime | None:
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


def has_id(beginning: bytes, message_id: str) -> bool:
    """Whether the header of a message gives it this id."""
    return parse_header(beginning).message_id() == message_id
