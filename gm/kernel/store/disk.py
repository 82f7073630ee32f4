"""Writing that survives a pulled plug: a file or folder is there whole, as it was before, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

BUILDING = ".building"
"""How the name of something ends that is not finished: nothing ever reads it, the next run clears it away."""


def write_file(path: Path, data: bytes) -> None:
    """Replace one file's content, all or nothing. The folder must exist."""
    unfinished = path.with_name(f".{path.name}{BUILDING}")
    _write_new(unfinished, data)
    _flush(unfinished)
    unfinished.replace(path)
    flush_folder(path.parent)


def build_folder(target: Path, files: Mapping[str, bytes], check: Callable[[Path], None] = lambda _: None) -> None:
    """Make the folder ``target`` with these files (names with ``/`` between), all or nothing.

    It is built beside, ``check`` looks it over there (whatever it raises stops everything), all of it is flushed to the
    disk, and then it gets its name in one step. Raises ``FileExistsError`` when ``target`` exists.
    """
    if target.exists():
        raise FileExistsError(f"{target} is there already")
    unfinished = target.with_name(f".{target.name}{BUILDING}")
    clear(unfinished)
    folders = {unfinished}
    unfinished.mkdir(parents=True)
    for name, data in files.items():
        path = unfinished / _inside(name)
        if path.parent not in folders:
            path.parent.mkdir(parents=True, exist_ok=True)
            folders.update(parent for parent in path.parents if unfinished in parent.parents)
        _write_new(path, data)
    check(unfinished)
    for name in files:
        _flush(unfinished / _inside(name))
    for folder in sorted(folders, reverse=True):
        flush_folder(folder)
    unfinished.rename(target)
    flush_folder(target.parent)


def move_folder(source: Path, target: Path) -> None:
    """Give a folder another place in the same game, in one step. Raises ``FileExistsError`` when that is taken."""
    if target.exists():
        raise FileExistsError(f"{target} is there already")
    target.parent.mkdir(parents=True, exist_ok=True)
    source.rename(target)
    flush_folder(target.parent)
    flush_folder(source.parent)


def clear(path: Path) -> None:
    """Remove a file or folder if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        with suppress(FileNotFoundError):
            path.unlink()


def clear_unfinished(folder: Path) -> None:
    """Remove what killed runs left in ``folder``."""
    if folder.is_dir():
        for path in sorted(folder.iterdir()):
            if path.name.startswith(".") and path.name.endswith(BUILDING):
                clear(path)


def flush_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if os.name == "nt":  # Windows cannot open folders; its renames are durable enough
        return
    _flush(folder)


def _inside(name: str) -> PurePosixPath:
    """A name that stays inside its folder. Raises ``ValueError`` for any other: they come from the program alone."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{name!r} is no name inside a folder")
    return path


def _write_new(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
