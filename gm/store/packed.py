"""A played turn in one file (``turn-03.zip``): any program that opens zip archives opens it.

State, log, record, orders, letters, rolls, summary and the parties' results are packed file by file. Pages
and order templates are almost the same for each party: they are in an inner archive, ``pages.tar.zst``, and
there, compressed together, they shrink to a fortieth; one by one they would shrink to a quarter. Such a file
may come out of a stranger's archive: no more of it is read than any turn has, and no name in it leads out of
its folder.
"""

import errno
import io
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, cast

from gm.core.diagnostics import message_of, says
from gm.store import BrokenFolderError, StoreError
from gm.store.bounded import DAMAGE, Bounded, TooMuchError, is_place
from gm.store.places import SIZE_LIMIT, InnerPath, UnpackableError

PAGES = "pages.tar.zst"
COMMENT = b"'pbem export --turn N' writes all files of a turn into a folder, those in pages.tar.zst, too."

FILE_LIMIT = 64 * 1024**2  # bytes of a packed turn; one of Europe has 1.5 MB
RATIO = 400  # its files together may be so many times larger than it is
FLOOR = 16 * 1024**2  # so many bytes its files may have in any case
DIRECTORY_LIMIT = 1024**2  # bytes of its directory

_TEMPLATES = "next/"
_REPORTS = ("results/", "letters/")  # folders of pages; their other files have one of these endings:
_DATA = (".yaml", ".jsonl")
_BLOCK = 512  # bytes; a tar archive consists of blocks of this size
_ZIP_LEVEL = 4  # of compression; a higher one takes twice as long for a tenth less
_PAGES_LEVEL = 3  # of compression, for pages
_PAGES_WINDOW = 23  # text is found again up to 2 ** 23 bytes back, where earlier pages are
_TAIL_SIZE = 64 * 1024  # bytes at the end of a packed turn; the directory of one of Europe has 7,000
# bytes before a name in a zip archive; the last four are the lengths of name and extra field
_ENTRY_HEAD = 30
_END_SIGNATURE = b"PK\5\6"  # with which the last record of a zip archive begins
_END_SIZE = 22 + len(COMMENT)  # bytes of this record
_DAMAGE = (*DAMAGE, TooMuchError)


def packed_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return the content of a packed turn with these files, by name; the same files give the same bytes.

    Raises ``UnpackableError`` if reading it would not give the same files.
    """
    if PAGES in files:
        raise UnpackableError(says("a file of it is called as what is packed together"))
    try:
        data = _zipped(files)
        is_readable = PackedTurn(Path("a turn"), data).holds(files)
    except (StoreError, *_DAMAGE) as error:
        raise UnpackableError(message_of(error)) from None
    if not is_readable:
        raise UnpackableError(says("it does not read back as it is"))
    return data


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of files, the pages in one file of it. Raises ``ValueError`` for a long name."""
    target = io.BytesIO()
    pages: list[str] = []
    with zipfile.ZipFile(target, "w") as archive:
        archive.comment = COMMENT
        for name in sorted(files):
            if _is_page(name):
                pages.append(name)
            else:
                archive.writestr(_entry(name), files[name], zipfile.ZIP_DEFLATED, _ZIP_LEVEL)
        if pages:  # stored, as they are compressed already
            archive.writestr(_entry(PAGES), _packed_together(files, pages), zipfile.ZIP_STORED)
    return target.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    """Return a file's directory entry, with the same time for all files."""
    entry = zipfile.ZipInfo(name)
    entry.external_attr = 0o600 << 16  # the mode of the file: its owner may read and write it
    return entry


def _is_page(name: str) -> bool:
    """Return whether a file is packed together with the pages."""
    return name.startswith(_TEMPLATES) or (name.startswith(_REPORTS) and not name.endswith(_DATA))


def _packed_together(files: Mapping[str, bytes], names: list[str]) -> bytes:
    """Return the content of ``pages.tar.zst`` with the files of these names, similar ones side by side.

    Raises ``ValueError`` for a name that is too long.
    """
    import tarfile

    import zstandard

    pieces: list[bytes] = []
    for name in sorted(names, key=lambda name: (PurePosixPath(name).suffix, name)):
        entry = tarfile.TarInfo(name)
        entry.size = len(files[name])
        entry.mode = 0o600
        pieces += [entry.tobuf(tarfile.USTAR_FORMAT), files[name], bytes(-entry.size % _BLOCK)]
    tar_archive = b"".join([*pieces, bytes(2 * _BLOCK)])
    parameters = zstandard.ZstdCompressionParameters.from_level(
        _PAGES_LEVEL, window_log=_PAGES_WINDOW, write_checksum=True
    )
    return zstandard.ZstdCompressor(compression_params=parameters).compress(tar_archive)


class PackedTurn:
    """The files of a packed turn.

    Its methods raise ``BrokenFolderError`` for a damaged file, or one that is no packed turn.
    """

    def __init__(self, path: Path, data: bytes | None = None) -> None:
        """Open the packed turn at ``path``; with ``data`` these bytes are read instead of the file."""
        self.path = path
        self._data = data

    def __contains__(self, name: str) -> bool:
        """Return whether the turn has a file of this name; its directory is parsed only if necessary."""
        if _is_page(name):
            return name in self._pages
        is_parsed = "_entries" in self.__dict__  # a cached property is there once it was asked for
        if not is_parsed and self._surely_lacks(name):
            return False
        return name in self._entries

    def _opened(self) -> BinaryIO:
        """Open the file. Raises ``FileNotFoundError`` without one, ``BrokenFolderError`` for other errors."""
        if self._data is not None:
            return io.BytesIO(self._data)
        try:
            return self.path.open("rb")
        except FileNotFoundError:
            raise
        except OSError as error:
            raise BrokenFolderError(says("{0} cannot be read: {1}.", self.path, error)) from None

    @cached_property
    def _tail(self) -> bytes:
        """The last bytes of the file: its directory, or at least the end of it."""
        with self._opened() as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(0, end - _TAIL_SIZE))
            return file.read(_TAIL_SIZE)

    def _surely_lacks(self, name: str) -> bool:
        """Return whether the end of the file shows that the directory lacks a name; false if it cannot.

        A search for the letters of all turns asks this of a hundred turns, most of which have none.
        """
        end_record = len(self._tail) - _END_SIZE  # where it begins; the directory is just before it
        if self._tail[max(0, end_record) :][:4] != _END_SIGNATURE:
            return False
        # of the record, bytes 12 to 15 are the size of the directory
        directory_size = int.from_bytes(self._tail[end_record + 12 : end_record + 16], "little")
        is_directory_in_tail = directory_size <= end_record
        return (
            is_directory_in_tail and name.encode() not in self._tail[end_record - directory_size : end_record]
        )

    @cached_property
    def _all_entries(self) -> dict[str, zipfile.ZipInfo]:
        """The checked entries of the zip archive by name, the inner archive among them."""
        with self._opened() as file:
            size = file.seek(0, os.SEEK_END)
            if size > FILE_LIMIT:
                raise BrokenFolderError(
                    says("{0} is larger than any packed turn: it is not read.", self.path)
                )
            try:
                archive = zipfile.ZipFile(cast("IO[bytes]", Bounded(file, DIRECTORY_LIMIT)))
                return self._checked(archive.infolist(), size)
            except _DAMAGE as error:
                raise self._damaged(error) from None

    @cached_property
    def _entries(self) -> dict[str, zipfile.ZipInfo]:
        """The entries, by name, of the files that are packed one by one."""
        return {name: entry for name, entry in self._all_entries.items() if name != PAGES}

    def read(self, name: str) -> bytes:
        """Return a file's content. Raises ``FileNotFoundError`` for a missing one."""
        if name not in self:
            raise FileNotFoundError(errno.ENOENT, says("No such file"), f"{self.path}/{name}")
        return bytes(self._pages[name]) if _is_page(name) else self._content(self._entries[name])

    def names(self, folder: str = "", pattern: str = "*") -> list[str]:
        """Return, sorted, the names of files below a folder (``results/``) whose last part fits a pattern."""
        pages = self._pages if not folder or _is_page(folder + pattern) else ()
        below = (name for name in chain(self._entries, pages) if name.startswith(folder))
        return sorted(name for name in below if fnmatchcase(PurePosixPath(name).name, pattern))

    def files(self) -> dict[str, bytes]:
        """Return all files by name."""
        return {name: self.read(name) for name in self.names()}

    def holds(self, files: Mapping[str, bytes]) -> bool:
        """Return whether these, by name, are exactly the turn's files, byte for byte."""
        return self.names() == sorted(files) and all(self.read(name) == data for name, data in files.items())

    def _checked(self, directory: list[zipfile.ZipInfo], size: int) -> dict[str, zipfile.ZipInfo]:
        """Return the entries of files by name, without folders.

        ``size``: bytes of the packed turn. Raises ``ValueError`` for entries that pbem never makes.
        """
        entries = [entry for entry in directory if not entry.is_dir()]
        if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
            raise ValueError(says("it is packed in a way that pbem never packs a turn"))
        self._refuse_large(sum(entry.file_size for entry in entries), size)
        names = [entry.filename for entry in entries]
        self._refuse_names(names)
        if any(map(_is_page, names)):
            raise ValueError(says("files are where pbem puts none"))
        return dict(zip(names, entries, strict=True))

    def _refuse_names(self, names: list[str]) -> None:
        """Raise ``ValueError`` for a name that appears twice, or that leads out of a turn's folder."""
        if len({*names}) < len(names):
            raise ValueError(says("two files in it have the same name"))
        outside = next((name for name in names if not is_place(name)), None)
        if outside is not None:
            raise ValueError(says("{0!r} is not a place inside a turn", outside))

    def _refuse_large(self, size: int, packed: int) -> None:
        """Raise ``ValueError`` if ``size`` bytes are too many to come out of ``packed`` bytes of a turn."""
        if size > min(SIZE_LIMIT, FLOOR + RATIO * packed):
            raise ValueError(says("it would have more bytes than any turn"))

    @cached_property
    def _pages(self) -> Mapping[str, memoryview]:
        """The contents of the files in the inner archive, by name; empty if the turn has none."""
        if PAGES not in self._all_entries:
            return {}
        try:
            tar_archive = memoryview(self._unpacked(self._content(self._all_entries[PAGES])))
            return dict(self._read_tar(tar_archive))
        except _DAMAGE as error:
            raise self._damaged(error) from None

    def _unpacked(self, data: bytes) -> bytes:
        """Return the inner archive decompressed. Raises ``ValueError`` if it is damaged or too large."""
        import zstandard

        try:
            # the data begins with its decompressed size, and the library unpacks no more than that
            self._refuse_large(zstandard.get_frame_parameters(data).content_size, len(data))
            return zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False)
        except zstandard.ZstdError as error:
            raise ValueError(says("an archive inside is not whole: {0}", error)) from None

    def _read_tar(self, data: memoryview) -> Iterator[tuple[str, memoryview]]:
        """Yield (name, content) of each file in the inner archive. Raises ``ValueError`` for a wrong one."""
        import tarfile  # here, because only pages need it

        names: list[str] = []
        position = 0
        while position < len(data):
            block = bytes(data[position : position + _BLOCK])
            if not any(block):  # a block of zeros ends the archive
                break
            try:
                member = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
            except tarfile.TarError as error:
                raise ValueError(says("{0} in it: {1}", PAGES, error)) from None
            start = position + _BLOCK
            if member.type != tarfile.REGTYPE or not 0 <= member.size <= len(data) - start:
                raise ValueError(says("{0} in it holds what pbem never puts there", PAGES))
            if not _is_page(member.name):
                raise ValueError(says("{0!r} is where pbem never puts a file", member.name))
            names.append(member.name)
            yield member.name, data[start : start + member.size]
            position = start + -(-member.size // _BLOCK) * _BLOCK  # the content fills whole blocks
        self._refuse_names(names)

    def _content(self, entry: zipfile.ZipInfo) -> bytes:
        """Return the content of an entry, read here: the library would read the directory again each time."""
        with self._opened() as file:
            try:
                return _read_entry(file, entry)
            except _DAMAGE as error:
                raise self._damaged(error) from None

    def let_pages_go(self) -> None:
        """Drop the pages from memory; they are read again when needed."""
        self.__dict__.pop("_pages", None)

    def _damaged(self, error: Exception) -> BrokenFolderError:
        """Return the error to raise for an error of the library that reads archives."""
        return BrokenFolderError(says("{0} is damaged: {1}. Restore it from a backup.", self.path, error))


def _read_entry(file: BinaryIO, entry: zipfile.ZipInfo) -> bytes:
    """Return the content of an entry of a zip archive, no more of it than the size that the directory names.

    Raises an error of ``DAMAGE`` if it is damaged.
    """
    file.seek(entry.header_offset)  # there are a head, a name and an extra field before the content
    name_length, extra_length = struct.unpack_from("<HH", file.read(_ENTRY_HEAD), _ENTRY_HEAD - 4)
    file.seek(name_length + extra_length, os.SEEK_CUR)
    data = file.read(min(entry.compress_size, FILE_LIMIT))
    if entry.compress_type == zipfile.ZIP_DEFLATED:
        # one byte more than it should have, so that a longer content is noticed below
        data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, entry.file_size + 1)
    if len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
        raise ValueError(says("{0} is not as it was packed", entry.filename))
    return data


class PackedPath(InnerPath):
    """A file or folder in a packed turn, with the methods of ``Path`` that readers of a turn use."""

    def __init__(self, turn: PackedTurn, name: str = "") -> None:
        self.turn = turn
        self._path = PurePosixPath(name)

    def __truediv__(self, name: str) -> "PackedPath":
        return PackedPath(self.turn, str(self._path / name))

    def __str__(self) -> str:
        return str(self.turn.path / self._path)

    def is_file(self) -> bool:
        return str(self._path) in self.turn

    def read_bytes(self) -> bytes:
        return self.turn.read(str(self._path))

    def read_text(self, encoding: str) -> str:
        """Return a file's text, each line end as ``\\n``."""
        return io.TextIOWrapper(io.BytesIO(self.read_bytes()), encoding).read()

    def glob(self, pattern: str) -> Iterator["PackedPath"]:
        """Return the files in this folder whose names fit a pattern."""
        return (path for path in self.rglob(pattern) if path._path.parent == self._path)

    def rglob(self, pattern: str) -> Iterator["PackedPath"]:
        """Return the files anywhere below whose names fit a pattern."""
        folder = "" if self._path == PurePosixPath() else f"{self._path}/"
        return (PackedPath(self.turn, name) for name in self.turn.names(folder, pattern))
