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

# how many tables stay in the cache: somebody may play on several maps, and each may be there in two forms
_KEPT = 16
_TEXTS = 64  # and how many texts of pages: a few for each map, language and kind of page


def shipped_table(spec: GameSpec[Any], map_name: str, map_folder: Path | None) -> GameData:
    """Return ``spec.shipped_table``, from the cache if it is there, without what only drawings need.

    Raises the same errors.
    """
    files = spec.table_files(map_name, map_folder)
    return _kept(spec, files, lambda: spec.shipped_table(map_name, map_folder), drawings=False)


def game_table(spec: GameSpec[Any], folder: Path, *, drawings: bool) -> GameData:
    """Return ``spec.load_table``, from the cache if it is there, without what only ``drawings`` need.

    Raises the same errors.
    """
    with suppress(FileNotFoundError):  # loading says what is missing
        files = spec.game_files(folder)
        if files:
            return _kept(spec, files, lambda: spec.load_table(folder), drawings=drawings)
    return spec.load_table(folder)


def _kept(
    spec: GameSpec[Any], files: Sequence[Path], load: Callable[[], GameData], *, drawings: bool
) -> GameData:
    """Return game data from the cache, under a name that is a hash of all files that it was made from."""
    made_from = hashlib.sha256(f"{__version__} {drawings}\0".encode())
    for path in files:
        made_from.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    # the code too: whoever works on it must not be shown what it made of the files yesterday
    package = import_module(type(spec).__module__).__file__
    for entry in sorted(os.scandir(Path(str(package)).parent), key=lambda file: file.name):
        if entry.name.endswith(".py"):
            status = entry.stat()
            made_from.update(f"{entry.name} {status.st_size} {status.st_mtime_ns}\0".encode())
    place = cache_folder() / f"{spec.key}-{made_from.hexdigest()[:32]}.json"
    with suppress(OSError, ValueError):
        return spec.unpacked_table(place.read_bytes())
    packed = spec.packed_table(load(), drawings=drawings)
    _write(place, packed, f"{spec.key}-*.json", _KEPT)
    return spec.unpacked_table(packed)


def _write(place: Path, data: bytes, like: str, most: int) -> None:
    """Write a file into the cache atomically; keep at most ``most`` of the files ``like`` it, the newest."""
    import tempfile

    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, suffix=".tmp", delete=False) as opened:
            opened.write(data)
        Path(opened.name).replace(place)
        similar_paths = place.parent.glob(like)
        for old in sorted(similar_paths, key=lambda path: path.stat().st_mtime_ns, reverse=True)[most:]:
            old.unlink(missing_ok=True)


def keep_templates() -> None:
    """Cache compiled templates of pages, and texts that pages are put together from.

    Nothing is cached where no cache can be written.
    """
    from gm.text.pages import keep_compiled

    folder = cache_folder() / "templates"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            keep_compiled(folder, _kept_text)


def _kept_text(name: str, made_from: str, make: Callable[[], bytes]) -> bytes:
    """Return a text from the cache, made and stored first if it is not there."""
    place = cache_folder() / f"text-{hashlib.sha256(f'{name} {made_from}'.encode()).hexdigest()[:32]}.txt"
    with suppress(OSError):
        return place.read_bytes()
    text = make()
    _write(place, text, "text-*.txt", _TEXTS)
    return text


def cache_folder() -> Path:
    """Return the user's cache folder."""
    root = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(root) / "gm"
