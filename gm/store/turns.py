"""The played turns of a game: the newest are a folder each, older ones a file each (:mod:`gm.store.packed`).

Folders and files of turns are always whole, because they get and lose their names in one step. If a turn has
a folder and a file, the file counts. Either an interrupted run left both, and they are the same; or a person
unpacked the file, or put a folder there, which is never removed.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, TypeVar

from gm.core.diagnostics import says
from gm.store import BrokenFolderError, StoreError
from gm.store.disk import build_folder, clear, flush_folder, move, unfinished_name, write_file
from gm.store.places import ENDING, SIZE_LIMIT, InnerPath, TurnPath, UnpackableError

if TYPE_CHECKING:
    from gm.store.packed import PackedTurn

MOST_AT_ONCE = 10  # so many turns are packed at most when one is played: a game of an older pbem has many

KEPT = 5  # so many of the newest turns stay folders
KEPT_LARGE = 3  # of large turns only if they are among so many of the newest
LARGE = 16 * 1024**2  # bytes; a larger turn is packed earlier

_NAME = re.compile(rf"turn-(\d{{2,6}})(?:{re.escape(ENDING)})?\Z")


def turn_name(turn: int) -> str:
    """Return the name of a turn's folder."""
    return f"turn-{turn:02}"


class Turns:
    """The played turns in a folder. Every call looks at the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._start = str(path / turn_name(0)).removesuffix("00")  # the path of a turn without its number
        # by turn: (time and size of the packed file when it was opened, its content)
        self._packed_turns: dict[int, tuple[tuple[int, int], PackedTurn]] = {}
        self._last: PackedTurn | None = None  # read last: only its pages stay in memory

    def folder(self, turn: int) -> Path:
        """Return the path of a turn as a folder, whether it exists or not."""
        return self.path / turn_name(turn)

    def file(self, turn: int) -> Path:
        """Return the path of a turn as a packed file, whether it exists or not."""
        return self.path / f"{turn_name(turn)}{ENDING}"

    def is_packed(self, turn: int) -> bool:
        """Return whether a turn is packed at this moment."""
        return os.path.isfile(f"{self._start}{turn:02}{ENDING}")  # noqa: PTH113 - asked for each file that is read

    def place(self, turn: int) -> TurnPath:
        """Return the path of a turn at this moment: its folder, or the packed file as a path."""
        if not self.is_packed(turn):
            return self.folder(turn)
        from gm.store.packed import PackedPath

        try:
            return PackedPath(self._packed(turn))
        except FileNotFoundError:  # it was unpacked this very moment
            return self.folder(turn)

    def _packed(self, turn: int) -> "PackedTurn":
        """Return a packed turn, opened again if its file has changed meanwhile. Raises ``OSError``.

        The pages of another one, which was asked for before, leave the memory.
        """
        from gm.store.packed import PackedTurn

        now = os.stat(f"{self._start}{turn:02}{ENDING}")  # noqa: PTH116 - asked as often
        stamp = (now.st_mtime_ns, now.st_size)
        if turn not in self._packed_turns or self._packed_turns[turn][0] != stamp:
            self._packed_turns[turn] = (stamp, PackedTurn(self.file(turn)))
        packed = self._packed_turns[turn][1]
        if self._last is not None and self._last is not packed:
            self._last.let_pages_go()
        self._last = packed
        return packed

    def numbers(self) -> list[int]:
        """Return the numbers of all turns, sorted."""
        entries = self.path.iterdir() if self.path.is_dir() else ()
        matches = filter(None, (_NAME.match(path.name) for path in entries))
        return sorted({turn for turn in (int(match[1]) for match in matches) if self._is_there(turn)})

    def _is_there(self, turn: int) -> bool:
        """Return whether a turn exists, as a folder or packed.

        The folder is looked for twice: the turn may be unpacked between the first two questions.
        """
        return self.folder(turn).is_dir() or self.is_packed(turn) or self.folder(turn).is_dir()

    def folders(self) -> list[int]:
        """Return the numbers of the turns that are folders and not packed, sorted."""
        return [turn for turn in self.numbers() if not self.is_packed(turn)]

    def contents(self, turn: int) -> dict[str, bytes]:
        """Return the contents of the files in a turn's folder, by name.

        Raises ``OSError``, and ``UnpackableError`` as :meth:`_stamps` does.
        """
        folder = self.folder(turn)
        return {name: (folder / name).read_bytes() for name in self._stamps(turn)}

    def _stamps(self, turn: int) -> dict[str, tuple[int, int]]:
        """Return (time of its last change, size in bytes) of each file in a turn's folder, by name.

        Raises ``OSError``; ``UnpackableError`` for anything besides files and folders, or for more bytes than
        any turn has.
        """
        folder = self.folder(turn)
        stamps: dict[str, tuple[int, int]] = {}
        for path in folder.rglob("*"):
            status = path.lstat()
            if S_ISDIR(status.st_mode):
                continue
            if not S_ISREG(status.st_mode):
                raise UnpackableError(says("{0} is not a file", path))
            stamps[path.relative_to(folder).as_posix()] = (status.st_mtime_ns, status.st_size)
        if sum(size for _, size in stamps.values()) > SIZE_LIMIT:
            raise UnpackableError(says("{0} has more bytes than any turn", folder))
        return stamps

    def pack_old(self, newest: int, kept: int | None = None) -> None:
        """Pack turns, at most :data:`MOST_AT_ONCE`, that are older than the ``kept`` newest ones.

        ``kept`` is 0: none is packed; None: see :data:`KEPT` and :data:`KEPT_LARGE`. Then a turn with pages
        is packed only when the ``newest`` has pages, too, and counts only newer turns with pages: a turn
        played without pages does not wait for pages to be packed. A turn that cannot be packed stays a
        folder. The caller holds the lock. Raises ``OSError``; every turn is whole then, too.
        """
        packs_left = MOST_AT_ONCE
        folders = self.folders()
        turns_with_pages = [turn for turn in folders if self._has_pages(turn)]
        for turn in folders:
            newer = newest - turn
            if turn in turns_with_pages and kept is None:
                newer = sum(later > turn for later in turns_with_pages) if newest in turns_with_pages else 0
            with suppress(UnpackableError):
                if packs_left and self._is_old(turn, newer, kept):
                    self.pack(turn)
                    packs_left -= 1

    def _has_pages(self, turn: int) -> bool:
        """Return whether a turn that is a folder has pages of parties."""
        return any(self.folder(turn).glob("results/*.html"))

    def _is_old(self, turn: int, newer: int, kept: int | None) -> bool:
        """Return whether a turn that is a folder is to be packed.

        ``newer``: the number of newer turns; ``kept``: so many of the newest turns stay folders, 0: all do;
        None: ``KEPT`` do, but a turn of more than ``LARGE`` bytes only as one of ``KEPT_LARGE``. Raises
        ``OSError`` and ``UnpackableError``.
        """
        if kept is not None:
            return 0 < kept <= newer
        if newer < KEPT_LARGE:
            return False
        return newer >= KEPT or sum(size for _, size in self._stamps(turn).values()) > LARGE

    def pack(self, turn: int) -> None:
        """Turn a turn's folder into one file. The caller holds the lock.

        Raises ``OSError``, and ``UnpackableError`` if the file would not be the folder again.
        """
        from gm.store.packed import packed_bytes

        file = self.file(turn)
        stamps = self._stamps(turn)
        data = packed_bytes(self.contents(turn))

        def check(written: Path) -> None:
            """Raise ``UnpackableError`` for a badly written file, or if the folder has changed meanwhile."""
            if written.read_bytes() != data:
                raise UnpackableError(
                    says("{0} does not read back as it was written: the disk may be failing", file)
                )
            if self._stamps(turn) != stamps:
                raise UnpackableError(says("somebody has just changed a file of it"))

        write_file(file, data, check=check)
        self._remove_packed_folder(turn)

    def _remove_packed_folder(self, turn: int) -> None:
        """Remove the folder of a turn that is packed. Raises ``OSError``."""
        # under this name nothing reads it; after a kill the next run removes it
        unread_path = unfinished_name(self.file(turn))
        move(self.folder(turn), unread_path)
        flush_folder(self.path)
        clear(unread_path)
        flush_folder(self.path)

    def unpack(self, turn: int) -> Path:
        """Return the folder of a turn, to be changed or moved; a packed turn is unpacked into it.

        The caller holds the lock. Raises ``StoreError``, also for a folder beside the file that differs from
        it.
        """
        folder = self.folder(turn)
        file = self.file(turn)
        if not self.is_packed(turn):
            return folder
        if not folder.exists():
            build_folder(folder, self._packed(turn).files())
        elif not self._are_same(turn):  # if they are the same, an earlier run was cut short at this point
            raise BrokenFolderError(self._two_of_them(turn))
        clear(file)  # of a folder and a file the file counts
        flush_folder(self.path)
        return folder

    def settle(self) -> list[str]:
        """Remove each folder beside its turn's packed file if both have the same content.

        Returns a sentence about each folder beside such a file that is left. The caller holds the lock.
        """
        doubled = [turn for turn in self.numbers() if self.is_packed(turn) and self.folder(turn).is_dir()]
        for turn in doubled:
            if self._are_same(turn):
                with suppress(OSError):
                    self._remove_packed_folder(turn)
        return [self._two_of_them(turn) for turn in doubled if self.folder(turn).is_dir()]

    def _are_same(self, turn: int) -> bool:
        """Return whether the folder and the packed file of a turn can be read and have the same content."""
        with suppress(StoreError, OSError):
            packed = self._packed(turn)
            return packed.names() == sorted(self._stamps(turn)) and packed.holds(self.contents(turn))
        return False

    def _two_of_them(self, turn: int) -> str:
        """Return the sentence about a turn that has a folder and a file with different content."""
        place = says("{0} lies beside {1}", self.folder(turn), self.file(turn).name)
        return says("{0}, which is the one that counts: move the folder to another place.", place)


Answer = TypeVar("Answer")


class PlayedPath(InnerPath):
    """A path in a played turn, read from its folder or from its packed file.

    If another command packs or unpacks the turn meanwhile, it is read again, where it is then.
    """

    def __init__(self, turns: Turns, turn: int, name: str = "") -> None:
        self._turns = turns
        self._turn = turn
        self._path = PurePosixPath(name)

    def _ask(self, question: Callable[[TurnPath], Answer]) -> Answer:
        """Return what ``question`` returns for this path, in the turn's folder or its packed file.

        It is called with the path in the one that there is now, and again if the turn was packed or unpacked
        meanwhile.
        """
        while True:
            place = self._turns.place(self._turn)
            was_folder = isinstance(place, Path)
            try:
                answer = question(place / str(self._path))
            except FileNotFoundError:
                has_moved = was_folder == self._turns.is_packed(self._turn)
                if not has_moved:
                    raise
            else:
                # files of a folder that is packed may be gone already when the question is asked
                was_packed_meanwhile = was_folder and self._turns.is_packed(self._turn)
                if not was_packed_meanwhile:
                    return answer

    def _paths(self, question: Callable[[TurnPath], Iterator[TurnPath]]) -> Iterator["PlayedPath"]:
        """Return the paths that ``question`` finds below this one."""
        names = self._ask(lambda path: [inside.relative_to(path).as_posix() for inside in question(path)])
        return (self / name for name in names)

    def __truediv__(self, name: str) -> "PlayedPath":
        return PlayedPath(self._turns, self._turn, str(self._path / name))

    def __str__(self) -> str:
        is_packed = self._turns.is_packed(self._turn)
        place = self._turns.file(self._turn) if is_packed else self._turns.folder(self._turn)
        return str(place / self._path)

    def is_file(self) -> bool:
        return self._ask(lambda path: path.is_file())

    def read_bytes(self) -> bytes:
        return self._ask(lambda path: path.read_bytes())

    def read_text(self, encoding: str) -> str:
        return self._ask(lambda path: path.read_text(encoding))

    def glob(self, pattern: str) -> Iterator["PlayedPath"]:
        return self._paths(lambda path: path.glob(pattern))

    def rglob(self, pattern: str) -> Iterator["PlayedPath"]:
        return self._paths(lambda path: path.rglob(pattern))
