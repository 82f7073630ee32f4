"""Print on every console: a character that the console lacks gets an ASCII stand-in."""

import codecs
from typing import TextIO

STAND_IN = "pbem.stand-in"
"""The name of the error handler."""
LENIENT = ("strict", "surrogateescape", "backslashreplace")
"""The handlers of Python's own streams; a user who chose another one keeps it."""
PLAIN = "pbem-ascii"
"""ASCII by a name that click does not know: to a stream whose encoding it calls ``ascii`` click writes
UTF-8."""
ARROWS = {"→": "->", "←": "<-", "⇒": "=>", "✓": "ok", "✔": "ok", "✗": "x", "✘": "x"}
"""Where the library's stand-in would say less."""


def prepare(stream: TextIO | None) -> None:
    """Make a stream of this process print stand-ins for characters that its encoding lacks.

    ``stream``: None in a program without a console. A stream whose user chose another handler of errors
    stays as it is.
    """
    if stream is None or stream.errors not in LENIENT:
        return
    codecs.register_error(STAND_IN, stood_in)
    encoding = stream.encoding
    if codecs.lookup(encoding).name == "ascii":  # see ``PLAIN``
        codecs.register(_plain_codec)
        encoding = PLAIN
    stream.reconfigure(encoding=encoding, errors=STAND_IN)  # type: ignore[attr-defined]


def _plain_codec(name: str) -> codecs.CodecInfo | None:
    """Return the ASCII codec under the name ``PLAIN``; None for any other name."""
    if name.replace("_", "-") != PLAIN:  # Python asks with underscores
        return None
    ascii_codec = codecs.lookup("ascii")
    return codecs.CodecInfo(
        ascii_codec.encode,
        ascii_codec.decode,
        ascii_codec.streamreader,
        ascii_codec.streamwriter,
        ascii_codec.incrementalencoder,
        ascii_codec.incrementaldecoder,
        PLAIN,
    )


def stood_in(error: UnicodeError) -> tuple[str, int]:
    """Return (stand-ins for the characters that cannot be encoded, the index at which encoding goes on).

    ``error``: where encoding stopped. Raises it again if it is not an error of encoding.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    return "".join(map(ascii_for, characters)), error.end


def ascii_for(character: str) -> str:
    """Return an ASCII text for a character; ``?`` if there is none.

    A byte of a file name that is not text is returned as ``\\xNN``.
    """
    if 0xDC80 <= ord(character) <= 0xDCFF:  # as Python decodes such a byte (surrogateescape)
        return f"\\x{ord(character) - 0xDC00:02x}"
    if character in ARROWS:
        return ARROWS[character]
    # imported here because few consoles lack a character
    from anyascii import anyascii

    return anyascii(character) or "?"
