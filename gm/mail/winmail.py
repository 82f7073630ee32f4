"""Outlook's file winmail.dat (MS-OXTNEF): the text of a letter and its files.

A letter is hostile: each step of a loop here uses up bytes, whatever counts the file claims. The library
``tnefparse`` counts to four thousand million for a file of 250 kB that says so, and is not used for that.
"""

import struct
from collections.abc import Iterator
from contextlib import suppress

from gm.core.values import Record
from gm.mail.parse import one_line

SIZE_LIMIT = 256 * 1024  # bytes of such a file that is opened
_RTF_LIMIT = 64 * 1024  # of the packed text in it
_UNPACKED_LIMIT = 256 * 1024  # of that text as it says that it is
_FILES = 20
_ENTRIES = 2000

_SIGNATURE = b"\x78\x9f\x3e\x22"
_BODY = 0x800C
_CODEPAGE = 0x9007
_PROPERTIES = 0x9003
_FILE_BEGINS = 0x9002
_FILE_NAME = 0x8010
_FILE_DATA = 0x800F
_FILE_PROPERTIES = 0x9005
_TEXT = 0x1000
_PACKED_RTF = 0x1009  # name of a property
_LONG_NAME = 0x3707  # name of a property
_NAMED = 0x8000
_SEVERAL = 0x1000
_WIDE = 0x001F
_SIZES = {0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}
"""How many bytes a value of each kind takes, those of two bytes with what fills them up."""
_LONG_KINDS = (0x0D, 0x1E, _WIDE, 0x102)

_DAMAGE = (struct.error, ValueError, LookupError, ArithmeticError, RecursionError, TypeError, AttributeError)


class Unpacked(Record):
    """The text in such a file, and the files in it as (name, content)."""

    text: str = ""
    files: tuple[tuple[str, bytes], ...] = ()


def unpacked(data: bytes) -> Unpacked | None:
    """Return the content of such a file; None where it cannot be read.

    Raises nothing, whatever the bytes are.
    """
    if len(data) > SIZE_LIMIT or not data.startswith(_SIGNATURE):
        return None
    try:
        return _read(data)
    except _DAMAGE:
        return None


def _read(data: bytes) -> Unpacked:
    """Return the text and the files of an archive."""
    codec = "cp1252"
    text = ""
    rich = ""
    names: list[str] = []
    contents: list[bytes] = []
    for name, content in _entries(data):
        if name == _CODEPAGE:
            codec = _codec(content)
        elif name == _BODY:
            text = _plain(content, codec)
        elif name == _PROPERTIES:
            properties = dict(_properties(content, codec))
            text = text or str(properties.get(_TEXT, ""))
            packed = properties.get(_PACKED_RTF)
            rich = _rtf_text(packed) if isinstance(packed, bytes) else rich
        elif name == _FILE_BEGINS and len(names) < _FILES:
            names.append("")
            contents.append(b"")
        elif names and name == _FILE_NAME:
            names[-1] = names[-1] or _plain(content, codec)
        elif names and name == _FILE_DATA:
            contents[-1] = content
        elif names and name == _FILE_PROPERTIES:
            names[-1] = str(dict(_properties(content, codec)).get(_LONG_NAME, "")) or names[-1]
    printed = (one_line(file_name, 200) for file_name in names)
    return Unpacked(text.strip("\r\n") or rich, tuple(zip(printed, contents, strict=True)))


def _entries(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the entries of the file, each with its name: level, name, kind, length, content, sum."""
    offset = 6
    for _ in range(_ENTRIES):
        if offset + 11 > len(data):
            return
        _, name, _, length = struct.unpack_from("<BHHI", data, offset)
        offset += 9
        if offset + length > len(data):
            return
        yield name, data[offset : offset + length]
        offset += length + 2


def _properties(data: bytes, codec: str) -> Iterator[tuple[int, bytes | str]]:
    """Yield the texts and the bytes among the properties in an entry, by their names."""
    offset = 4
    for _ in range(_ENTRIES):
        if offset + 4 > len(data):
            return
        kind, name = struct.unpack_from("<HH", data, offset)
        offset += 4
        if name >= _NAMED:
            is_word = struct.unpack_from("<I", data, offset + 16)[0] != 0
            length = struct.unpack_from("<I", data, offset + 20)[0] if is_word else 0
            offset += 24 + _padded(length)
        several = bool(kind & _SEVERAL)
        kind &= ~_SEVERAL
        if kind in _SIZES:
            count = struct.unpack_from("<I", data, offset)[0] if several else 1
            offset += 4 * several + count * _SIZES[kind]
            continue
        if kind not in _LONG_KINDS:
            return
        count = struct.unpack_from("<I", data, offset)[0]
        offset += 4
        for _ in range(min(count, _ENTRIES)):
            length = struct.unpack_from("<I", data, offset)[0]
            value = data[offset + 4 : offset + 4 + length]
            offset += 4 + _padded(length)
            if kind == _WIDE:
                yield name, _plain(value, "utf-16-le")
            elif name == _PACKED_RTF:
                yield name, value
            else:
                yield name, _plain(value, codec)


def _padded(length: int) -> int:
    """Return the length padded to four bytes."""
    return length + -length % 4


def _plain(data: bytes, codec: str) -> str:
    return data.decode(codec, "replace").replace("\0", "")


def _codec(content: bytes) -> str:
    """Return the character set that a file names for its text."""
    with suppress(LookupError, struct.error):
        name = f"cp{struct.unpack_from('<I', content)[0]}"
        "".encode(name)
        return name
    return "cp1252"


def _rtf_text(packed: bytes) -> str:
    """Return the text of an RTF document in Outlook's compressed form."""
    if not 16 < len(packed) <= _RTF_LIMIT or struct.unpack_from("<I", packed, 4)[0] > _UNPACKED_LIMIT:
        return ""
    from compressed_rtf import decompress
    from striprtf.striprtf import rtf_to_text

    try:
        rich = decompress(packed)[:_UNPACKED_LIMIT].decode("cp1252", "replace")
        return str(rtf_to_text(rich, errors="ignore"))
    except Exception:  # a wrong checksum is one without a name of its own
        return ""
