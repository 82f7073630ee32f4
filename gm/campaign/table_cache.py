"""Rules, maps and templates, kept ready to use: reading a large map's YAML takes longer than checking an order.

What is kept lies in the user's cache folder under a name made from everything it was read from: the files, the program
that read them and its version. It can be deleted at any time; where nothing can be written, nothing is kept.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gm.game.spec import GameSpec
    from gm.game.values import GameData


def shipped_table(spec: GameSpec[Any], map_name: str, map_folder: Path | None) -> GameData:
    """What ``spec.shipped_table`` gives, without what only drawings need; from the cache if it is there.

    Raises ``SourceError`` and ``OSError`` as it does.
    """
    files = spec.table_files(map_name, map_folder)
    return _kept(spec, files, lambda: spec.shipped_table(map_name, map_folder), drawings=False)


def game_table(spec: GameSpec[Any], folder: Path, *, drawings: bool) -> GameData:
    """What ``spec.load_table`` gives for a game folder, from the cache if it is there; what only drawings need is not
    in it unless they are wanted. Raises ``SourceError``, ``StoreError`` and ``OSError`` as it does.
    """

    def load() -> GameData:
        return spec.load_table(folder)

    try:
        files = spec.game_files(folder)
        return _kept(spec, files, load, drawings=drawings) if files else load()
    except FileNotFoundError:
        return load()  # which says what is missing


def _kept(spec: GameSpec[Any], files: Sequence[Path], load: Callable[[], GameData], *, drawings: bool) -> GameData:
    kept = _place(spec, files, drawings)
    with suppress(OSError, ValueError):
        return spec.unpacked_table(kept.read_bytes())
    packed = spec.packed_table(load(), drawings=drawings)
    _keep(kept, packed)
    return spec.unpacked_table(packed)


def keep_templates() -> None:
    """Have the pages' templates kept as they are compiled, where a cache can be written."""
    from gm.text.pages import keep_compiled

    folder = cache_folder() / "templates"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            keep_compiled(folder)


def cache_folder() -> Path:
    """Where caches belong on this machine."""
    root = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or str(Path.home() / ".cache")
    return Path(root) / "gm"


def _place(spec: GameSpec[Any], files: Sequence[Path], drawings: bool) -> Path:
    from gm import __version__

    made_from = hashlib.sha256(f"{__version__} {drawings}\0".encode())
    for path in files:
        made_from.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    # the code too: whoever works on it must not be shown what it made of the files yesterday
    package = import_module(type(spec).__module__).__file__
    for entry in sorted(os.scandir(Path(str(package)).parent), key=lambda each: each.name):
        if entry.name.endswith(".py"):
            at = entry.stat()
            made_from.update(f"{entry.name} {at.st_size} {at.st_mtime_ns}\0".encode())
    return cache_folder() / f"{spec.key}-{made_from.hexdigest()[:32]}.json"


def _keep(place: Path, packed: bytes) -> None:
    """Put it there whole or not at all; older ones of the same game go."""
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=place.parent, suffix=".tmp")
        with os.fdopen(handle, "wb") as opened:
            opened.write(packed)
        Path(name).replace(place)
        _tidy(place)


_KEPT = 16
"""How many tables stay in the cache: somebody may play on several maps, and each may be there in two forms."""


def _tidy(place: Path) -> None:
    prefix = place.name.partition("-")[0]
    found = sorted(place.parent.glob(f"{prefix}-*.json"), key=lambda each: each.stat().st_mtime_ns, reverse=True)
    for old in found[_KEPT:]:
        old.unlink(missing_ok=True)
