"""Outlook's file winmail.dat (MS-OXTNEF): the text of a letter and its files.

A file may be made to keep a reader busy: so each step of a loop here uses up bytes, whatever counts the file
claims. The library ``tnefparse`` is not used: it counts to four thousand million if a file of 250 kB says so.
"""

import struct
from collections.abc import Iterator
from contextlib import suppress

from gm.core.values import Record
from gm.mail.parse import one_line

SIZE_LIMIT = 256 * 1024  # bytes of such a file
_RTF_LIMIT = 64 * 1024  # bytes of the packed text in it
_UNPACKED_LIMIT = 256 * 1024  # bytes of that text unpacked, as the file claims
_FILES = 20
_MOST = 2000  # entries of a file, properties of an entry, values of a property

_FILE_HEAD = 6  # bytes of the file's signature and of a key
_ENTRY_HEAD = 9  # bytes of an entry's level, name, kind and length
_CHECKSUM = 2  # bytes behind an entry's content
# bytes of the head of a property's own name: a GUID, 4 that tell a text from a number, 4 of the number or of
# the text's length; the text follows
_GUID = 16
_NAME_HEAD = _GUID + 4 + 4
_RTF_HEAD = 16  # bytes of the head of packed RTF; the second number in it is the size of the unpacked text

_SIGNATURE = b"\x78\x9f\x3e\x22"
# names of entries
_BODY = 0x800C
_CODEPAGE = 0x9007
_PROPERTIES = 0x9003
_FILE_BEGINS = 0x9002
_FILE_NAME = 0x8010
_FILE_DATA = 0x800F
_FILE_PROPERTIES = 0x9005
# names of properties
_TEXT = 0x1000
_PACKED_RTF = 0x1009
_LONG_NAME = 0x3707
_NAMED = 0x8000  # from here on a property has a further name of its own
# kinds of properties
_SEVERAL = 0x1000  # a bit: it has several values
_WIDE = 0x001F  # text in UTF-16
_SIZES = {0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}
"""The bytes that a value takes by its kind; values of two bytes are padded to four."""
_LONG_KINDS = (0x0D, 0x1E, _WIDE, 0x102)  # values whose length is written before them

_DAMAGE = (struct.error, ValueError, LookupError, ArithmeticError, RecursionError, TypeError, AttributeError)


class Unpacked(Record):
    """What is in a file winmail.dat: the letter's text, and the files that came with it."""

    text: str = ""
    files: tuple[tuple[str, bytes], ...] = ()  # (name, content)


def unpacked(data: bytes) -> Unpacked | None:
    """Return what is in a file winmail.dat; None where it cannot be read.

    Raises nothing, whatever the bytes are.
    """
    if len(data) > SIZE_LIMIT or not data.startswith(_SIGNATURE):
        return None
    try:
        return _read(data)
    except _DAMAGE:
        return None


def _read(data: bytes) -> Unpacked:
    """Return the text and the files in a file winmail.dat. Raises the errors of ``_DAMAGE``."""
    codec = "cp1252"
    text = ""
    rtf_text = ""
    # of the files in it; the entries of a file follow the one with which it begins
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
            rtf_text = _rtf_text(packed) if isinstance(packed, bytes) else rtf_text
        elif name == _FILE_BEGINS and len(names) < _FILES:
            names.append("")
            contents.append(b"")
        elif names and name == _FILE_NAME:
            names[-1] = names[-1] or _plain(content, codec)
        elif names and name == _FILE_DATA:
            contents[-1] = content
        elif names and name == _FILE_PROPERTIES:
            names[-1] = str(dict(_properties(content, codec)).get(_LONG_NAME, "")) or names[-1]
    shown_names = (one_line(file_name, 200) for file_name in names)
    return Unpacked(text.strip("\r\n") or rtf_text, tuple(zip(shown_names, contents, strict=True)))


def _entries(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (name, content) of each entry of the file, at most ``_MOST``, up to the first that is cut short.

    In the file an entry is its level, name, kind, length, content and checksum.
    """
    offset = _FILE_HEAD
    for _ in range(_MOST):
        if offset + _ENTRY_HEAD + _CHECKSUM > len(data):
            return
        _, name, _, length = struct.unpack_from("<BHHI", data, offset)
        offset += _ENTRY_HEAD
        if offset + length > len(data):
            return
        yield name, data[offset : offset + length]
        offset += length + _CHECKSUM


def _properties(data: bytes, codec: str) -> Iterator[tuple[int, bytes | str]]:
    """Yield (name, value) of each value of the properties in an entry whose kinds are in ``_LONG_KINDS``.

    The packed RTF is bytes; all others are decoded as text (no binary one is ever asked for). It ends at a
    property of an unknown kind. ``codec``: of texts that are not in UTF-16.
    """
    offset = 4  # behind their number
    for _ in range(_MOST):
        if offset + 4 > len(data):
            return
        kind, name = struct.unpack_from("<HH", data, offset)
        offset += 4
        if name >= _NAMED:
            is_text = struct.unpack_from("<I", data, offset + _GUID)[0] != 0
            text_length = struct.unpack_from("<I", data, offset + _GUID + 4)[0] if is_text else 0
            offset += _NAME_HEAD + _padded(text_length)
        has_several = bool(kind & _SEVERAL)
        kind &= ~_SEVERAL
        if kind in _SIZES:
            count = 1
            if has_several:
                count = struct.unpack_from("<I", data, offset)[0]
                offset += 4
            offset += count * _SIZES[kind]
            continue
        if kind not in _LONG_KINDS:  # its length is not known, nor where the next one begins
            return
        count = struct.unpack_from("<I", data, offset)[0]
        offset += 4
        for _ in range(min(count, _MOST)):
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
    """Return a length rounded up to a multiple of four bytes, as the file pads its values."""
    return length + -length % 4


def _plain(data: bytes, codec: str) -> str:
    """Return bytes as text, without the zero bytes that end it."""
    return data.decode(codec, "replace").replace("\0", "")


def _codec(content: bytes) -> str:
    """Return the character set that a file names for its texts, or a usual one for an unknown name."""
    with suppress(LookupError, struct.error):
        name = f"cp{struct.unpack_from('<I', content)[0]}"
        "".encode(name)  # raises LookupError for an unknown one
        return name
    return "cp1252"


def _rtf_text(packed: bytes) -> str:
    """Return the text of an RTF document in Outlook's compressed form; empty if it is too long or damaged."""
    if not _RTF_HEAD < len(packed) <= _RTF_LIMIT:
        return ""
    unpacked_size = struct.unpack_from("<I", packed, 4)[0]
    if unpacked_size > _UNPACKED_LIMIT:
        return ""
    from compressed_rtf import decompress
    from striprtf.striprtf import rtf_to_text

    try:
        rtf = decompress(packed)[:_UNPACKED_LIMIT].decode("cp1252", "replace")
        return str(rtf_to_text(rtf, errors="ignore"))
    except Exception:  # the library raises a bare ``Exception`` for a wrong checksum
        return ""
