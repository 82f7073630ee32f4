"""A folder with the files of ``pbem publish``, and perhaps others.

A list of its files is stored beside them, so that unwanted ones are removed, and no other file is ever
touched.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath

from gm.core.values import Record, Value
from gm.store import BrokenFolderError, StoreError
from gm.store.disk import PUBLIC_FILE, PUBLIC_FOLDER, clear, clear_empty, make_folder, write_file
from gm.store.formats import Format, read_table

LIST = "gm-site.json"
SITE = Format("list of a site's files", 1)


class SiteManifest(Value):
    """The list of a site's files.

    ``files``: by name; ``made``: fingerprints of their input, by the beginning of names.
    """

    files: tuple[str, ...] = ()
    made: Mapping[str, str] = {}


class Written(Record):
    """The outcome of writing the files, by name."""

    written: tuple[str, ...]
    removed: tuple[str, ...]


def read_manifest(folder: Path) -> SiteManifest:
    """Return the list of a site; empty for a folder without one.

    Raises ``StoreError`` and ``SourceError``.
    """
    manifest = read_table(folder / LIST, SITE, SiteManifest) if (folder / LIST).is_file() else SiteManifest()
    for name in manifest.files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in name:
            raise BrokenFolderError(f"{folder / LIST} names {name!r}, which is not a place on the site.")
    return manifest


def write_site(
    folder: Path,
    files: Mapping[str, bytes],
    fingerprints: Mapping[str, str],
    unchanged: Callable[[str], bool],
) -> Written:
    """Write these files of the site and remove its other files, except ``unchanged`` ones.

    Files that are the same already are not written. Raises ``StoreError``, before anything is written, when a
    file of that name is not ours.
    """
    manifest = {*read_manifest(folder).files}
    unchanged_names = {name for name in manifest - files.keys() if unchanged(name)}
    for name in sorted(files.keys() - manifest):
        if (folder / name).exists():
            raise StoreError(
                f"{folder / name} already exists and is not a site made by pbem: name a different folder."
            )
    changed = [name for name in sorted(files) if not _same(folder / name, files[name])]
    removed = sorted(manifest - files.keys() - unchanged_names)
    if changed or removed:  # a run that is cut short leaves nothing that the next one does not know
        _note(folder, manifest | files.keys(), {})
    for name in changed:
        _put(folder / name, files[name])
    for name in removed:
        clear(folder / name)
        for parent in PurePosixPath(name).parents:
            clear_empty(folder / parent)
    _note(folder, unchanged_names | files.keys(), fingerprints)
    return Written(tuple(changed), tuple(removed))


def _note(folder: Path, names: Iterable[str], fingerprints: Mapping[str, str]) -> None:
    data = SITE.encode({"files": sorted(names), "made": dict(sorted(fingerprints.items()))})
    if not _same(folder / LIST, data):
        _put(folder / LIST, data)


def _same(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def _put(path: Path, data: bytes) -> None:
    make_folder(path.parent, mode=PUBLIC_FOLDER)
    write_file(path, data, mode=PUBLIC_FILE)
