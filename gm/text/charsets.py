"""Convert texts into UTF-8 from the character sets in which people save files and programs send letters."""

import codecs
import re
from contextlib import suppress
from functools import cache
from typing import Any

from gm.core.yaml.models import load_data
from gm.resources import resource

_CHARSET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:+-]{0,39}\Z")
_BOMS = {
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}
_SEVEN_BITS = ("utf-7", "hz")  # their bytes are good UTF-8, too: only the mail can say that they are not


def as_utf8(data: bytes, charset: str) -> bytes:
    """Return a text's bytes in UTF-8.

    UTF-8 stays byte for byte the same as on the player's disk. ``charset`` is the one that the mail names; it
    is used only when the bytes do not show it themselves. A text in none of these is read as Windows-1252 or
    Latin-1.
    """
    codec = known_charset(charset) if charset else ""
    wide_codec = codec if codec.startswith(("utf-16", "utf-32")) else _wide_codec(data)
    certain_codec = next((name for name, marks in _BOMS.items() if data.startswith(marks)), "")
    if not certain_codec and wide_codec and b"\0" in data:  # texts in other codecs have no zero bytes
        certain_codec = wide_codec
    elif not certain_codec and (codec in _SEVEN_BITS or codec.startswith("iso2022")):
        certain_codec = codec
    if certain_codec:
        return data.decode(certain_codec, "replace").encode("utf-8", "replace")
    with suppress(UnicodeDecodeError):
        data.decode("utf-8")
        return data
    for name in dict.fromkeys((codec or "cp1252", "cp1252")):  # the one that the mail names first
        with suppress(ValueError):
            return data.decode(name).encode("utf-8", "replace")
    return data.decode("latin-1").encode()


_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_NOTHING = re.compile("[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]|(?<!^)\ufeff")


def plain_spaces(text: str) -> str:
    """Return a text with ordinary spaces in place of special ones, and without invisible characters.

    Mail programs and web pages put them in; they mean nothing in an order file. U+200C and U+200D stay: they
    belong to words and emoji.
    """
    if text.isascii():
        return text
    return _NOTHING.sub("", _SPACES.sub(" ", text))


def _wide_codec(data: bytes) -> str:
    """Return the codec of a text that is UTF-16 without a byte order mark; empty for other text.

    In European text every other byte is zero.
    """
    first_bytes = data[:2000]
    half = len(first_bytes) // 2
    if half < 8:  # too short to tell
        return ""
    even_zeros = first_bytes[0::2].count(0)
    odd_zeros = first_bytes[1::2].count(0)
    if odd_zeros > half * 0.7 and not even_zeros:
        return "utf-16-le"
    if even_zeros > half * 0.7 and not odd_zeros:
        return "utf-16-be"
    return ""


def known_charset(name: str) -> str:
    """Return Python's name of a character set that mail may be written in; empty for any other word."""
    charsets = _charsets()
    name = charsets["aliases"].get(name.strip().lower(), name.strip())
    if not _CHARSET_NAME.match(name):
        return ""
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        return ""
    if codec in ("ascii", "iso8859-1"):
        return "cp1252"  # has their printable characters, and is often what mail that names them is in
    return codec if re.fullmatch("|".join(charsets["families"]), codec) else ""


@cache
def _charsets() -> dict[str, Any]:
    """Return the character sets that mail is written in: ``aliases`` of names, ``families`` as patterns."""
    data, _ = load_data(resource("templates", "mail", "charsets.yaml"))
    return dict(data)
