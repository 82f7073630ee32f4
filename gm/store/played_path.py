"""The path of a played turn, which another command may be packing at this moment."""

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import TypeVar

from gm.store.places import InnerPath, TurnPath
from gm.store.turns import Turns

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
        """Return what ``question`` returns about the path in the turn, which is asked where the turn is now.

        It is asked again if the turn was packed or unpacked meanwhile.
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
