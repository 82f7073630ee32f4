"""What Outlook packs into a file called winmail.dat (TNEF): the text of a letter and the files that belong to it."""

import logging
from contextlib import suppress
from typing import Any

from gm.core.values import Record
from gm.mail.parse import one_line

SIZE_LIMIT = 256 * 1024  # bytes of such a file that is opened
_RTF_LIMIT = 64 * 1024  # of the packed text in it
_FILES = 20


class Unpacked(Record):
    """The text in such a file, and the files in it as (name, content)."""

    text: str = ""
    files: tuple[tuple[str, bytes], ...] = ()


def unpacked(data: bytes) -> Unpacked | None:
    """Return what is in such a file; None where it cannot be read. Raises nothing, whatever the bytes are."""
    if len(data) > SIZE_LIMIT:
        return None
    from tnefparse import TNEF

    logging.getLogger("tnef-decode").setLevel(logging.CRITICAL)
    try:
        found = TNEF(data, do_checksum=False)
        return Unpacked(_text_of(found), _files_of(found))
    except Exception:  # the library raises what it likes over damaged bytes
        return None


def _files_of(found: Any) -> tuple[tuple[str, bytes], ...]:
    files = []
    for each in found.attachments[:_FILES]:
        name = one_line(str(each.long_filename() or ""), 200)
        files.append((name, bytes(each.data or b"")))
    return tuple(files)


def _text_of(found: Any) -> str:
    """Return the plain text, or else that of the packed RTF."""
    body = found.body
    if isinstance(body, bytes):
        body = body.decode(_codec(found), "replace")
    text = str(body or "").replace("\0", "").strip("\r\n")
    return text or _rtf_text(vars(found).get("_rtfbody"))


def _codec(found: Any) -> str:
    with suppress(LookupError):
        "".encode(found.codepage or "")
        return str(found.codepage)
    return "cp1252"


def _rtf_text(packed: Any) -> str:
    if isinstance(packed, list):
        packed = packed[0] if packed else b""
    if not isinstance(packed, bytes) or not packed or len(packed) > _RTF_LIMIT:
        return ""
    from compressed_rtf import decompress
    from striprtf.striprtf import rtf_to_text

    rich = decompress(packed).decode("cp1252", "replace")
    return str(rtf_to_text(rich, errors="ignore"))
