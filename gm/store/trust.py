"""The trust in a game folder.

Commands of an imported game run, and files of this machine are read for it, only when the GM has confirmed
them: ``imported.json`` holds their hashes. That file goes into no archive, and a game begun here has none.
Besides, files that an older pbem, a copy or an umask left open to other users are found (not on Windows).
"""

import hashlib
import itertools
import os
import shlex
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from gm.core.diagnostics import joined, says
from gm.core.values import Record
from gm.store import BrokenFolderError, StoreError
from gm.store.disk import PRIVATE_FILE, PRIVATE_FOLDER
from gm.store.formats import Format
from gm.store.journal import journal_of
from gm.store.products import is_public

IMPORTED_FILE = "imported.json"
IMPORTED = Format("record of an import", 1)
_PUBLIC = ("handbook.html", "map.yaml", "scenario.yaml", "rules")  # hold no secret: others may read them


class UnconfirmedError(StoreError):
    """A command of an imported archive was not confirmed by the GM."""


class Command(Record):
    """An entry in a game's files that makes this machine run or read something."""

    where: str  # the entry, for messages
    does: str  # what it does, for messages
    words: Mapping[str, str]  # its parts by name; they alone decide whether it is confirmed

    @property
    def mark(self) -> str:
        """The fingerprint of ``words``, by which the command is confirmed."""
        text = "".join(f"{len(value)} {name}: {value}\n" for name, value in sorted(self.words.items()))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def confirmed(folder: Path) -> frozenset[str] | None:
    """Return the marks of the commands that the GM of an imported game has confirmed.

    None: the game was begun here, and all commands may run.
    """
    path = folder / IMPORTED_FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        # an imported game whose file is gone may run nothing until it is confirmed again
        return frozenset() if _was_imported(folder) else None
    except OSError as error:
        raise BrokenFolderError(says("{0} cannot be read: {1}.", path, error)) from None
    marks = IMPORTED.decode(data, path).get("confirmed")
    if not isinstance(marks, list) or not all(isinstance(mark, str) for mark in marks):
        raise BrokenFolderError(
            says("{0} does not say what is confirmed: write 'confirmed': [] into it.", path)
        )
    return frozenset(marks)


def _was_imported(folder: Path) -> bool:
    """Return whether a game's journal says that it came from an archive; true if it cannot be read."""
    try:
        return any(entry.get("did") == "import" for entry in journal_of(folder).entries)
    except BrokenFolderError:
        return True


def imported_bytes(marks: Iterable[str] = ()) -> bytes:
    """Return the content of ``imported.json`` with the marks of the confirmed commands."""
    return IMPORTED.encode({"confirmed": sorted(set(marks))})


def words_of(command: str) -> list[str]:
    """Return the words of a command as a shell reads them; on Windows backslashes stay.

    Raises ``ValueError`` for an open quotation mark.
    """
    return shlex.split(command.replace("\\", "\\\\") if os.name == "nt" else command)


def unconfirmed(folder: Path, commands: Iterable[Command]) -> list[Command]:
    """Return the commands among these that may not run until the GM confirms them, each once."""
    marks = confirmed(folder)
    if marks is None:  # the game was begun here
        return []
    new_commands = {command.mark: command for command in commands if command.mark not in marks}
    return list(new_commands.values())


def require_confirmed(folder: Path, *commands: Command) -> None:
    """Raise ``UnconfirmedError`` when the GM has not confirmed these commands."""
    new_commands = unconfirmed(folder, commands)
    if new_commands:
        places = joined([says("{0} ({1})", command.where, command.does) for command in new_commands], ", ")
        problem = says(
            "This game came from an archive, and you have not confirmed what it would do on this machine"
        )
        hint = says("'pbem trust' shows it in full and asks you; it does not run until then.")
        raise UnconfirmedError(says("{0}: {1}. {2}", problem, places, hint))


def open_to_others(folder: Path) -> Iterator[Path]:
    """Yield a game's folder, and the secret files and folders in it, if other users may read or change them.

    On Windows nothing is yielded.
    """
    if os.name == "nt":
        return
    secret_paths = (
        path for path in sorted(folder.iterdir()) if path.name not in _PUBLIC and not is_public(path)
    )
    for path in itertools.chain([folder], *map(_all_below, secret_paths)):
        with suppress(FileNotFoundError):  # another command has just moved it
            # a link has no permissions of its own, and leads out of the game
            if not path.is_symlink() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                yield path


def _all_below(path: Path) -> Iterator[Path]:
    """Yield a path and everything below it, except links to folders; no link is followed."""
    if path.is_symlink() or not path.is_dir():
        yield path
        return
    for top, folders, names in os.walk(path):
        folders.sort()
        yield Path(top)
        yield from (Path(top, name) for name in sorted(names))


def tighten(path: Path) -> None:
    """Make a file or folder private to its owner. Raises ``OSError``."""
    path.chmod(PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)
