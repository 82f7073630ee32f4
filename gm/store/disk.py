"""Writes that survive a power failure: a file or folder is whole, as it was before, or not there at all.

Every change of a game's files goes through this module, one call of the system for each step, so that tests
can let each fail. Content is flushed before it gets its name, and a name counts when its folder has been
flushed. Files and folders are the owner's alone from their first byte on, whatever the umask.
"""

import errno
import os
import sys
from collections import UserDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path, PurePosixPath
from typing import Any

from gm.core.diagnostics import says
from gm.store import FolderBusyError

LOCK = ".lock"
# the end of the name of an unfinished file or folder: nothing ever reads it, the next run clears it away
BUILDING = ".building"

_BINARY = getattr(os, "O_BINARY", 0)
_TOGETHER_FROM = 64  # so many files or more are flushed together
_LARGE = 1 << 16  # bytes; larger pieces are not joined with others

# a file's bytes: whole, or in pieces (large ones may be shared with other files), or in pieces that are
# read from elsewhere one at a time
Content = bytes | list[bytes] | Iterator[bytes]

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
PUBLIC_FILE = 0o666  # mode of a page that is no secret, of which the umask leaves a part
PUBLIC_FOLDER = 0o777  # mode of its folder


def _nothing(_: Path) -> None:
    """Do nothing: the default check."""


def write_file(
    path: Path, data: bytes, *, mode: int = PRIVATE_FILE, check: Callable[[Path], None] = _nothing
) -> None:
    """Replace one file's content, all or nothing; ``check`` examines it on the disk before it gets its name.

    The folder must exist. Raises ``OSError`` and whatever ``check`` raises; nothing is left then.
    """
    unfinished = unfinished_name(path)
    with _finished(unfinished, path):
        if os.path.lexists(unfinished):  # a killed run left it, and whoever reads it may have it open
            unfinished.unlink()
        _write(unfinished, [data], mode)
        _flush(unfinished)
        check(unfinished)


def build_folder(target: Path, files: Mapping[str, bytes], check: Callable[[Path], None] = _nothing) -> None:
    """Make the folder ``target`` with these files, by name with ``/`` between its parts, all or nothing.

    It is built under another name beside ``target``, examined by ``check`` (whatever that raises stops
    everything), flushed, and renamed in one step. Raises ``FileExistsError`` when ``target`` is not an empty
    folder, ``FolderBusyError`` when another run is building it.
    """
    _refuse_taken(target)
    make_folder(target.parent)
    unfinished = unfinished_name(target)
    with _building(unfinished), _finished(unfinished, target):
        _refuse_taken(target)
        _fill(unfinished, files, check)
        if os.name == "nt" and target.exists():  # elsewhere an empty folder is replaced in the same step
            target.rmdir()


@contextmanager
def _finished(unfinished: Path, target: Path) -> Iterator[None]:
    """Rename ``unfinished`` to ``target`` in one step after the ``with`` block, which has built it.

    After an error ``unfinished`` is removed, if possible; else the next run removes it.
    """
    try:
        yield
        move(unfinished, target)
    except BaseException:
        with suppress(OSError):
            clear(unfinished)
        raise
    flush_folder(target.parent)


def _refuse_taken(target: Path) -> None:
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise FileExistsError(says("{0} is there already", target))


def _fill(folder: Path, files: Mapping[str, bytes], check: Callable[[Path], None]) -> None:
    """Write files into a new folder, check and flush it. Raises ``ValueError`` for a name that leads out."""
    folders = {folder}
    paths: list[Path] = []
    for name in files:
        inside = PurePosixPath(name)
        if inside.is_absolute() or ".." in inside.parts or not inside.parts:
            raise ValueError(says("{0!r} is not a name inside a folder", name))
        for parent in (folder / parent for parent in reversed(inside.parents)):
            if parent not in folders:
                folders.add(parent)
                parent.mkdir(PRIVATE_FOLDER)
        paths.append(folder / inside)
        _write(paths[-1], files.stream(name) if isinstance(files, Files) else [files[name]])
    check(folder)
    _flush_all(paths)
    for inner in sorted(folders, reverse=True):  # inner ones first: no name is safe before its content
        flush_folder(inner)


def move(source: Path, target: Path) -> None:
    """Rename a file (replacing another) or a folder in one step. Both folders are still to be flushed."""
    with _named(target):
        source.replace(target)


def make_folder(path: Path, *, mode: int = PRIVATE_FOLDER) -> None:
    """Make a folder, with those above it, so that its name lasts. An existing one is not changed."""
    if path.is_dir():
        return
    make_folder(path.parent, mode=mode)
    with suppress(FileExistsError):
        path.mkdir(mode)
    flush_folder(path.parent)


def append(path: Path, data: bytes, keep: int) -> None:
    """Write ``data`` after the first ``keep`` bytes of a file, in the place of the rest, and flush.

    A missing file is made. If writing fails, the file is cut back to ``keep`` bytes, if possible.
    """
    with _opened(path, os.O_RDWR | os.O_CREAT | _BINARY) as handle:
        if os.fstat(handle).st_size != keep:
            os.ftruncate(handle, keep)
        os.lseek(handle, keep, os.SEEK_SET)
        try:
            _write_all(handle, data)
            os.fsync(handle)
        except OSError:
            with suppress(OSError):
                os.ftruncate(handle, keep)
            raise


def clear(path: Path) -> None:
    """Remove a file, or a folder with all that is in it; nothing if there is none."""
    with _named(path), suppress(FileNotFoundError):
        if path.is_dir() and not path.is_symlink():
            for entry in sorted(path.iterdir()):
                clear(entry)
            path.rmdir()
        else:
            path.unlink()


def clear_empty(folder: Path) -> None:
    """Remove an empty folder; keep any other."""
    with suppress(OSError):
        folder.rmdir()


def unfinished_in(folder: Path) -> list[Path]:
    """Return the paths of unfinished files and folders that killed runs have left in a folder, sorted."""
    inside = folder.iterdir() if folder.is_dir() else ()
    return sorted(path for path in inside if path.name.startswith(".") and path.name.endswith(BUILDING))


def clear_unfinished(folder: Path) -> None:
    """Remove the remains of a killed run in a folder."""
    for path in unfinished_in(folder):
        clear(path)


def unfinished_name(path: Path) -> Path:
    """Return the path that a file or folder has until it is finished."""
    return path.with_name(f".{path.name}{BUILDING}")


def flush_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if os.name == "nt":  # Windows cannot open folders; its renames are durable enough
        return
    try:
        _flush(folder)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network disks cannot flush a folder
            raise


@contextmanager
def _building(unfinished: Path) -> Iterator[None]:
    """Make a new folder that no other run builds during the ``with`` block; remains in it are removed.

    Raises ``FolderBusyError`` when another run is building it.
    """
    with suppress(FileExistsError):
        unfinished.mkdir(PRIVATE_FOLDER)
    with nullcontext() if os.name == "nt" else _opened(unfinished, os.O_RDONLY) as handle:
        if handle is not None:  # Windows opens no folders, and so locks none
            is_mine = False
            with suppress(FileNotFoundError):  # the other run has just finished it
                is_mine = take(handle) and os.path.samestat(os.fstat(handle), unfinished.stat())
            if not is_mine:
                name = unfinished.name[1 : -len(BUILDING)]  # there is a dot before it
                raise FolderBusyError(
                    says("Another pbem is making {0} at this moment. Wait until it is done.", name)
                )
            os.fchmod(handle, PRIVATE_FOLDER)  # an older pbem may have left it
        for entry in sorted(unfinished.iterdir()):
            clear(entry)
        yield


def _write(path: Path, pieces: Iterable[bytes], mode: int = PRIVATE_FILE) -> None:
    with _opened(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode) as handle:
        for piece in pieces:
            _write_all(handle, piece)


def _write_all(handle: int, data: bytes) -> None:
    """Write all of ``data``, although the system may take less at once."""
    unwritten = memoryview(data)
    while unwritten:
        unwritten = unwritten[os.write(handle, unwritten) :]


def _flush_all(paths: Sequence[Path]) -> None:
    """Flush files, many of them from several threads: the disk writes them together, ten times as fast."""
    if len(paths) < _TOGETHER_FROM:
        for path in paths:
            _flush(path)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:  # its thread number ``first`` flushes every eighth file
        list(pool.map(lambda first: [*map(_flush, paths[first::8])], range(8)))


def _flush(path: Path) -> None:
    with _opened(path, os.O_RDONLY if path.is_dir() else os.O_RDWR) as handle:
        os.fsync(handle)


@contextmanager
def _opened(path: Path, flags: int, mode: int = PRIVATE_FILE) -> Iterator[int]:
    """Yield the handle of an open file, closed afterwards. Raises ``OSError`` with the path."""
    with _named(path):
        handle = os.open(path, flags, mode)
        try:
            yield handle
        finally:
            os.close(handle)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Add a file's name to an error of the system in the ``with`` block, if the error has none."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the game's lock during the ``with`` block.

    Raises ``FolderBusyError`` when another process holds it, ``OSError`` in a read-only folder.
    """
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    try:
        if not take(handle):
            busy = says("Another pbem is working on the game in {0} at this moment", folder)
            raise FolderBusyError(says("{0}. Wait until it is done and try again.", busy))
        yield
    finally:
        os.close(handle)


def take(handle: int) -> bool:
    """Lock an open file or folder until it is closed; return whether it was free.

    Raises ``OSError`` on a disk that has no locks.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        raise
    return True


def open_lock(path: Path, *, make: bool = False) -> int:
    """Open a lock's file, with ``make`` a new one if it is missing; return its handle, for :func:`take`.

    Raises ``OSError``, also for a link.
    """
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, flags | os.O_CREAT if make else flags, PRIVATE_FILE)


class Files(UserDict[str, Any]):
    """The contents of files to be written, by name.

    A content may be a function that makes it: it is called at each use and its result is not stored, because
    all pages of a large game together would fill the memory. ``files | others`` calls none of them.
    """

    def __getitem__(self, name: str) -> bytes:
        pieces = self.pieces(name)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def pieces(self, name: str) -> list[bytes]:
        """Return a file's content in pieces, without joining them."""
        pieces = self.stream(name)
        return pieces if isinstance(pieces, list) else list(pieces)

    def stream(self, name: str) -> Iterable[bytes]:
        """Return a file's content in pieces; if it is read from elsewhere, each piece when it is needed."""
        content = self.data[name]
        data: Content = content() if callable(content) else content
        return [data] if isinstance(data, bytes) else data


def merge_chunks(pieces: Iterable[bytes]) -> list[bytes]:
    """Return the same content in fewer pieces: those below 64 KiB are joined, others stay as they are."""
    chunks: list[bytes] = []
    small: list[bytes] = []
    for piece in pieces:
        if len(piece) < _LARGE:
            small.append(piece)
            continue
        chunks += [b"".join(small), piece]
        small = []
    return [chunk for chunk in (*chunks, b"".join(small)) if chunk]
