"""Who may read a game folder: its owner alone. Finds what an older gm, a copy or an umask left open; nothing on
Windows."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from gm.store.disk import PRIVATE_FILE, PRIVATE_FOLDER

_OTHERS = 0o077
_PUBLIC = ("handbook.html", "map.yaml", "scenario.yaml", "rules")
"""What every player may have: how these are kept is the GM's business."""


def open_to_others(folder: Path) -> Iterator[Path]:
    """Everything secret of a game that somebody but its owner may read or change: the folder itself first."""
    if os.name == "nt":
        return
    if _wide(folder):
        yield folder
    for each in sorted(folder.iterdir()):
        if each.name in _PUBLIC or each.is_symlink():
            continue  # a link has no permissions of its own, and leads out of the game
        if each.is_dir():
            yield from _below(each)
        elif _wide(each):
            yield each


def tighten(path: Path) -> None:
    """Make a file or folder the owner's alone. Raises ``OSError``."""
    path.chmod(PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)


def _below(top: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(top):
        folders.sort()
        here = Path(folder)
        found = (here, *(here / name for name in sorted(names)))
        yield from (each for each in found if not each.is_symlink() and _wide(each))


def _wide(path: Path) -> bool:
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & _OTHERS)
    except FileNotFoundError:  # another command has just moved it
        return False
