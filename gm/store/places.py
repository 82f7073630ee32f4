"""What the paths of a played turn have in common, be it a folder or packed into one file; stamps of files."""

import io
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, BinaryIO, Literal, Protocol

from gm.store import StoreError

# (when a file was written last, in nanoseconds, its size, its inode); None while the file is not there
Stamp = tuple[int, int, int] | None
ENDING = ".zip"  # of a packed turn
SIZE_LIMIT = 128 * 1024**2  # bytes of a turn's files, or of the archive inside it; a turn of Europe has 32 MB


def stamp(path: Path) -> Stamp:
    """Return a value that changes when the file or folder does; None if it is missing."""
    with suppress(OSError):
        status = path.stat()
        return status.st_mtime_ns, status.st_size, status.st_ino
    return None


class UnpackableError(StoreError):
    """A turn that would not read back unchanged cannot be packed: it stays a folder."""


class TurnPath(Protocol):
    """A played turn, or a folder or file in it: a ``Path``, or its like in a packed turn.

    It has the methods of ``Path`` that readers of a turn use.
    """

    @property
    def name(self) -> str: ...
    @property
    def stem(self) -> str: ...
    @property
    def suffix(self) -> str: ...
    def __truediv__(self, name: str, /) -> "TurnPath": ...
    def __lt__(self, other: Any, /) -> bool: ...
    def relative_to(self, folder: Any, /) -> PurePath: ...
    def is_file(self) -> bool: ...
    def open(self, mode: Literal["rb"], /) -> BinaryIO: ...
    def read_bytes(self) -> bytes: ...
    def read_text(self, encoding: str, /) -> str: ...
    def glob(self, pattern: str, /) -> Iterator["TurnPath"]: ...
    def rglob(self, pattern: str, /) -> Iterator["TurnPath"]: ...


class InnerPath(ABC):
    """A path inside a turn that is not a ``Path``, with those of its methods that need only the name."""

    _path: PurePosixPath

    def __lt__(self, other: "InnerPath") -> bool:
        return self._path < other._path

    @property
    def name(self) -> str:
        return self._path.name

    @property
    def stem(self) -> str:
        return self._path.stem

    @property
    def suffix(self) -> str:
        return self._path.suffix

    def relative_to(self, folder: "InnerPath") -> PurePosixPath:
        return self._path.relative_to(folder._path)

    def open(self, _: Literal["rb"]) -> BinaryIO:
        return io.BytesIO(self.read_bytes())

    @abstractmethod
    def read_bytes(self) -> bytes:
        """Return the file's content. Raises ``FileNotFoundError``."""
