"""A folder with the files of ``pbem publish``, and perhaps others.

The manifest beside them lists the files that pbem made, so that old ones are removed and files of other
people are never touched.
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
    """The files that pbem made in a site's folder."""

    files: tuple[str, ...] = ()  # their names
    # fingerprints of files' input, by the beginning of their names: an unchanged input needs no new files
    made: Mapping[str, str] = {}


class Written(Record):
    """The names of the files of a site that were written, and of those that were removed."""

    written: tuple[str, ...]
    removed: tuple[str, ...]


def read_manifest(folder: Path) -> SiteManifest:
    """Return the manifest of a site; empty for a folder without one.

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
    """Write these files of a site, by name, and remove its other files, except ``unchanged`` ones.

    ``fingerprints``: of the files' input, as in the manifest; ``unchanged``: whether the file of a name stays
    although it was not made again. Files that have the same content already are not written. Raises
    ``StoreError``, before anything is written, when a file of that name is not ours.
    """
    our_names = {*read_manifest(folder).files}
    unchanged_names = {name for name in our_names - files.keys() if unchanged(name)}
    for name in sorted(files.keys() - our_names):
        if (folder / name).exists():
            raise StoreError(
                f"{folder / name} already exists and is not a site made by pbem: name a different folder."
            )
    changed = [name for name in sorted(files) if not _has_content(folder / name, files[name])]
    removed = sorted(our_names - files.keys() - unchanged_names)
    if changed or removed:  # first, so that the next run knows all files of one that is cut short
        _write_manifest(folder, our_names | files.keys(), {})
    for name in changed:
        _write(folder / name, files[name])
    for name in removed:
        clear(folder / name)
        for parent in PurePosixPath(name).parents:
            clear_empty(folder / parent)
    _write_manifest(folder, unchanged_names | files.keys(), fingerprints)
    return Written(tuple(changed), tuple(removed))


def _write_manifest(folder: Path, names: Iterable[str], fingerprints: Mapping[str, str]) -> None:
    data = SITE.encode({"files": sorted(names), "made": dict(sorted(fingerprints.items()))})
    if not _has_content(folder / LIST, data):
        _write(folder / LIST, data)


def _has_content(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def _write(path: Path, data: bytes) -> None:
    make_folder(path.parent, mode=PUBLIC_FOLDER)
    write_file(path, data, mode=PUBLIC_FILE)
