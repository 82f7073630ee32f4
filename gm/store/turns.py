"""The played turns of a game: a folder each, those older than a few one file each (:mod:`gm.store.packed`).

Both are only ever there whole: a folder and a file get their names, and a folder loses it, in one step. Where
both are there the file counts: a run that was interrupted left them, and they are the same; or a person
unpacked the file beside it, or put a folder there, and that is never removed.
"""

import os
import re
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

from gm.core.diagnostics import says
from gm.store import BrokenFolderError, StoreError
from gm.store.disk import build_folder, clear, flush_folder, move, unfinished_name, write_file
from gm.store.places import ENDING, SIZE_LIMIT, TurnPath, UnpackableError

if TYPE_CHECKING:
    from gm.store.packed import PackedTurn

MOST_AT_ONCE = 10  # so many turns are packed with one that is played: a game of an older pbem has many

KEPT = 5  # so many turns stay folders
KEPT_LARGE = 3  # the same of large ones
LARGE = 16 * 1024**2  # bytes of a turn that is large

_NAME = re.compile(rf"turn-(\d{{2,6}})(?:{re.escape(ENDING)})?\Z")


def turn_name(turn: int) -> str:
    """Return the name of a turn's folder."""
    return f"turn-{turn:02}"


class Turns:
    """The played turns in a folder. The disk is asked each time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._start = str(path / turn_name(0)).removesuffix("00")
        self._opened: dict[int, tuple[tuple[int, int], PackedTurn]] = {}
        self._last: PackedTurn | None = None

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
        """Return the path of a turn at this moment."""
        if not self.is_packed(turn):
            return self.folder(turn)
        from gm.store.packed import PackedPath

        try:
            return PackedPath(self._packed(turn))
        except FileNotFoundError:  # it was unpacked this very moment
            return self.folder(turn)

    def _packed(self, turn: int) -> "PackedTurn":
        """Return a packed turn, read again where its file has changed. Raises ``OSError``."""
        from gm.store.packed import PackedTurn

        now = os.stat(f"{self._start}{turn:02}{ENDING}")  # noqa: PTH116 - the same
        mark = (now.st_mtime_ns, now.st_size)
        if turn not in self._opened or self._opened[turn][0] != mark:
            self._opened[turn] = (mark, PackedTurn(self.file(turn)))
        packed = self._opened[turn][1]
        if self._last is not None and self._last is not packed:
            self._last.let_pages_go()
        self._last = packed
        return packed

    def numbers(self) -> list[int]:
        """Return the numbers of all turns, sorted."""
        entries = self.path.iterdir() if self.path.is_dir() else ()
        names = filter(None, (_NAME.match(path.name) for path in entries))
        return sorted({turn for turn in (int(name[1]) for name in names) if self._is_there(turn)})

    def _is_there(self, turn: int) -> bool:
        """Return whether a turn exists: as a folder, or packed, even if packed a moment ago."""
        return self.folder(turn).is_dir() or self.is_packed(turn) or self.folder(turn).is_dir()

    def folders(self) -> list[int]:
        """Return the numbers of the turns that are folders and not packed, sorted."""
        return [turn for turn in self.numbers() if not self.is_packed(turn)]

    def contents(self, turn: int) -> dict[str, bytes]:
        """Return the files of a turn's folder by name. Raises ``OSError`` and ``UnpackableError``."""
        folder = self.folder(turn)
        return {name: (folder / name).read_bytes() for name in self._marks(turn)}

    def _marks(self, turn: int) -> dict[str, tuple[int, int]]:
        """Return, for each file in a turn's folder, a value that changes with it.

        Raises ``OSError``; ``UnpackableError`` for anything besides files, or for more files than any turn
        has.
        """
        folder = self.folder(turn)
        marks: dict[str, tuple[int, int]] = {}
        for path in folder.rglob("*"):
            now = path.lstat()
            if S_ISDIR(now.st_mode):
                continue
            if not S_ISREG(now.st_mode):
                raise UnpackableError(says("{0} is not a file", path))
            marks[path.relative_to(folder).as_posix()] = (now.st_mtime_ns, now.st_size)
        if sum(size for _, size in marks.values()) > SIZE_LIMIT:
            raise UnpackableError(says("{0} has more bytes than any turn", folder))
        return marks

    def pack_old(self, newest: int, kept: int | None = None) -> None:
        """Pack turns that are older than the ``kept`` newest.

        0: none; None: as their size and number demand, those with pages only when the ``newest`` has some,
        too: a turn packs no more than it writes. A turn that cannot be packed stays a folder. The lock is
        held. Raises ``OSError``; every turn is whole then, too.
        """
        turns_left = MOST_AT_ONCE
        folders = self.folders()
        paged = [turn for turn in folders if self._has_pages(turn)]
        for turn in folders:
            newer = newest - turn
            if turn in paged and kept is None:
                newer = sum(later > turn for later in paged) if newest in paged else 0
            with suppress(UnpackableError):
                if turns_left and self._is_old(turn, newer, kept):
                    self.pack(turn)
                    turns_left -= 1

    def _has_pages(self, turn: int) -> bool:
        """Return whether a turn that is a folder has pages of parties."""
        return any(self.folder(turn).glob("results/*.html"))

    def _is_old(self, turn: int, newer: int, kept: int | None) -> bool:
        """Return whether a turn that is a folder is to be packed; ``newer``: the number of newer turns.

        Raises ``OSError`` and ``UnpackableError``.
        """
        if kept is not None:
            return 0 < kept <= newer
        if newer < KEPT_LARGE:
            return False
        return newer >= KEPT or sum(size for _, size in self._marks(turn).values()) > LARGE

    def pack(self, turn: int) -> None:
        """Turn a turn's folder into one file. The lock is held. Raises ``OSError``, ``UnpackableError``."""
        from gm.store.packed import packed_bytes

        file = self.file(turn)
        marks = self._marks(turn)
        data = packed_bytes(self.contents(turn))

        def check(written: Path) -> None:
            if written.read_bytes() != data:
                raise UnpackableError(
                    says("{0} does not read back as it was written: the disk may be failing", file)
                )
            if self._marks(turn) != marks:
                raise UnpackableError(says("somebody has just changed a file of it"))

        write_file(file, data, check=check)
        self._take_away(turn)

    def _take_away(self, turn: int) -> None:
        """Remove the folder of a turn that is packed. Raises ``OSError``."""
        # nothing ever reads what is called so, and the next run clears it away
        away = unfinished_name(self.file(turn))
        move(self.folder(turn), away)
        flush_folder(self.path)
        clear(away)
        flush_folder(self.path)

    def unpack(self, turn: int) -> Path:
        """Turn a turn's file into a folder, to be changed or moved, and return it. The lock is held.

        Raises ``StoreError``.
        """
        folder = self.folder(turn)
        file = self.file(turn)
        if not self.is_packed(turn):
            return folder
        if not folder.exists():
            build_folder(folder, self._packed(turn).files())
        elif not self._are_same(turn):  # else a run was cut short right here
            raise BrokenFolderError(self._two_of_them(turn))
        clear(file)  # else it would count
        flush_folder(self.path)
        return folder

    def settle(self) -> list[str]:
        """Remove the folder of each packed turn if both are the same; return a sentence about each other one.

        The lock is held.
        """
        both = [turn for turn in self.numbers() if self.is_packed(turn) and self.folder(turn).is_dir()]
        for turn in both:
            if self._are_same(turn):
                with suppress(OSError):
                    self._take_away(turn)
        return [self._two_of_them(turn) for turn in both if self.folder(turn).is_dir()]

    def _are_same(self, turn: int) -> bool:
        """Return whether the folder and the file of a turn have the same content."""
        with suppress(StoreError, OSError):
            packed = self._packed(turn)
            return packed.names() == sorted(self._marks(turn)) and packed.holds(self.contents(turn))
        return False

    def _two_of_them(self, turn: int) -> str:
        both = says("{0} lies beside {1}", self.folder(turn), self.file(turn).name)
        return says("{0}, which is the one that counts: move the folder to another place.", both)
