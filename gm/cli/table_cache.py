"""A cache of rules, maps and templates in the user's cache folder: reading a large map's YAML takes long."""

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from gm import __version__
from gm.game.spec import GameSpec
from gm.game.values import GameData

# how many tables stay in the cache: several maps, each with and without what drawings need
_TABLES_LIMIT = 16
_TEXTS_LIMIT = 64  # how many texts of pages stay: a few for each map, language and kind of page


def shipped_table(spec: GameSpec[Any], map_name: str, map_folder: Path | None) -> GameData:
    """Return ``spec.shipped_table(map_name, map_folder)`` without what only drawings need, cached.

    Raises the errors of that method.
    """
    files = spec.table_files(map_name, map_folder)
    return _cached_table(spec, files, lambda: spec.shipped_table(map_name, map_folder), drawings=False)


def game_table(spec: GameSpec[Any], folder: Path, *, drawings: bool) -> GameData:
    """Return ``spec.load_table(folder)``, cached.

    Without ``drawings``, what only drawings need may be missing. Raises the errors of that method.
    """
    with suppress(FileNotFoundError):  # of a game without its files: loading it says what is missing
        files = spec.game_files(folder)
        if files:
            return _cached_table(spec, files, lambda: spec.load_table(folder), drawings=drawings)
    return spec.load_table(folder)


def _cached_table(
    spec: GameSpec[Any], files: Sequence[Path], load: Callable[[], GameData], *, drawings: bool
) -> GameData:
    """Return the table that ``load`` makes from these files: from the cache, or else made and stored there.

    Its name in the cache is a hash of all that it depends on. ``drawings``: whether it is stored with what
    only drawings need.
    """
    source_hash = hashlib.sha256(f"{__version__} {drawings}\0".encode())
    for path in files:
        source_hash.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    # it depends on the game's code, too, which its author may have changed since
    package = import_module(type(spec).__module__).__file__
    for entry in sorted(os.scandir(Path(str(package)).parent), key=lambda file: file.name):
        if entry.name.endswith(".py"):
            status = entry.stat()
            source_hash.update(f"{entry.name} {status.st_size} {status.st_mtime_ns}\0".encode())
    path = cache_folder() / f"{spec.key}-{source_hash.hexdigest()[:32]}.json"
    with suppress(OSError, ValueError):
        return spec.unpacked_table(path.read_bytes())
    packed = spec.packed_table(load(), drawings=drawings)
    _write(path, packed, f"{spec.key}-*.json", _TABLES_LIMIT)
    return spec.unpacked_table(packed)  # the same as in later runs


def _write(path: Path, data: bytes, pattern: str, limit: int) -> None:
    """Write a file into the cache atomically, if that is possible.

    Of the files in the cache that match ``pattern``, the newest ``limit`` stay.
    """
    import tempfile

    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            file.write(data)
        Path(file.name).replace(path)
        matching = path.parent.glob(pattern)
        newest_first = sorted(matching, key=lambda found: found.stat().st_mtime_ns, reverse=True)
        for old in newest_first[limit:]:
            old.unlink(missing_ok=True)


def keep_templates() -> None:
    """Make the templates of pages use the cache, for their compiled form and for parts of pages.

    Nothing is cached if the cache folder cannot be written.
    """
    from gm.text.pages import keep_compiled

    folder = cache_folder() / "templates"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            keep_compiled(folder, _cached_text)


def _cached_text(name: str, made_from: str, make: Callable[[], bytes]) -> bytes:
    """Return the text that ``make`` makes, from the cache if it is there.

    ``name``, ``made_from``: the text's name, and a fingerprint of what it is made from. The cache knows the
    text by both together.
    """
    path = cache_folder() / f"text-{hashlib.sha256(f'{name} {made_from}'.encode()).hexdigest()[:32]}.txt"
    with suppress(OSError):
        return path.read_bytes()
    text = make()
    _write(path, text, "text-*.txt", _TEXTS_LIMIT)
    return text


def cache_folder() -> Path:
    """Return the program's folder in the user's cache; it may not exist yet."""
    root = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(root) / "gm"
