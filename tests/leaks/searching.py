"""Looking for words in files and letters, whatever they are packed or encoded in."""

from __future__ import annotations

import base64
import binascii
import email
import email.policy
import gzip
import hashlib
import html
import io
import quopri
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from urllib.parse import unquote_to_bytes

_BASE64 = re.compile(rb"[A-Za-z0-9+/_-][A-Za-z0-9+/_\r\n-]{11,}")
_BLOB = 400
"""So long is what may be packed once more."""
_HEX = re.compile(rb"(?:[0-9A-Fa-f]{2}){8,}")
_JSON = re.compile(rb"\\u([0-9A-Fa-f]{4})")
_ENCODED_WORD = re.compile(rb"=\?[\w-]+\?([BbQq])\?([^?\s]*)\?=")
_DEPTH = 5
"""Packed in packed in packed: so deep is looked."""
_TOKEN = re.compile(rb"qz[a-z]{2,4}[0-9]{3}k")
"""What marked words look like: see :mod:`tests.leaks.marks`."""


class Search:
    """Looks for words, whatever their case. What was looked through once, alone or in a letter, is remembered."""

    def __init__(self, words: Iterable[str]) -> None:
        self._forms = {word.lower().encode(): word for word in words}
        self._others = [form for form in self._forms if not _TOKEN.fullmatch(form)]
        self._known: dict[bytes, frozenset[str]] = {}

    def found(self, data: bytes, depth: int = _DEPTH) -> frozenset[str]:
        """The words that are in the data in any form: packed, encoded, or as they are."""
        mark = hashlib.sha256(data).digest()
        if mark not in self._known:
            seen: set[str] = set()
            for view in _decoded(data):
                seen |= self._plainly_in(view)
            for inner in _inner(data) if depth else ():
                seen |= self.found(inner, depth - 1)
            self._known[mark] = frozenset(seen)
        return self._known[mark]

    def _plainly_in(self, view: bytes) -> set[str]:
        text = view.lower()
        forms = {form for form in _TOKEN.findall(text) if form in self._forms}
        return {self._forms[form] for form in (*forms, *(each for each in self._others if each in text))}


def _inner(data: bytes) -> Iterator[bytes]:
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield name.encode()
                yield archive.read(name)
        return
    if data.startswith(b"\x1f\x8b"):
        yield gzip.decompress(data)
        return
    if data[:1] == b"x":
        with suppress(zlib.error):
            yield zlib.decompress(data)
    if re.match(rb"(?i)[\w-]+:[^\n]*\n", data) and b"\nMIME-Version:" in data:
        yield from _letter(data)
        return
    for found in _BASE64.finditer(data):
        if len(found[0]) >= _BLOB:
            blob = _unbased(_run(found[0]))
            if blob.startswith((b"PK", b"\x1f\x8b", b"x")):
                yield blob


def _letter(data: bytes) -> Iterator[bytes]:
    """Header lines and parts of a letter."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    for part in message.walk():
        yield "\n".join(f"{name}: {value}" for name, value in part.items()).encode("utf-8", "replace")
        if not part.is_multipart():
            content = part.get_payload(decode=True)
            if isinstance(content, bytes):
                yield content


def _decoded(data: bytes) -> Iterator[bytes]:
    """The data with its escapes taken out, each kind by itself, and what is in base64 or hexadecimal in it."""
    texts = {data: None}
    if b"&" in data:
        texts[html.unescape(data.decode("utf-8", "replace")).encode("utf-8", "replace")] = None
    if b"%" in data:
        texts[unquote_to_bytes(data)] = None
    if b"\\u" in data:
        texts[_JSON.sub(lambda found: chr(int(found[1], 16)).encode("utf-8", "replace"), data)] = None
    if b"=\n" in data or b"=\r\n" in data or re.search(rb"=[0-9A-F]{2}", data):
        texts[quopri.decodestring(data)] = None
    for found in _ENCODED_WORD.finditer(data):
        texts[_unbased(found[2]) if found[1] in b"Bb" else quopri.decodestring(found[2], header=True)] = None
    for text in texts:
        yield text
        # a run may begin within a word that is no base64: four ways to cut it
        runs = [_run(found[0]) for found in _BASE64.finditer(text)]
        for shift in range(4):
            yield b" ".join(_unbased(run[shift:]) for run in runs)
        yield b" ".join(binascii.unhexlify(found[0]) for found in _HEX.finditer(text))


def _run(found: bytes) -> bytes:
    return re.sub(rb"[\r\n]", b"", found).translate(bytes.maketrans(b"-_", b"+/"))


def _unbased(run: bytes) -> bytes:
    run = run[: len(run) - len(run) % 4] if len(run) % 4 == 1 else run + b"=" * (-len(run) % 4)
    try:
        return base64.b64decode(run)
    except binascii.Error:
        return b""
