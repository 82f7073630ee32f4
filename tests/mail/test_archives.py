"""Archives that mean ill: no more of them is unpacked than an order file may have."""

from __future__ import annotations

import io
import struct
import time
import zipfile
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.yaml.source import SIZE_LIMIT
from gm.mail.attachments import unzipped
from gm.mail.letter import read_letter
from tests.mail.office import mixed
from tests.mail.shapes.pieces import ORDERS, attached, zipped

QUICK = 3.0
"""Seconds within which any letter of the largest size is read, on a slow machine."""


def bomb(size: int, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("orders.yaml", bytes(size))
    return buffer.getvalue()


def overlapping(copies: int, size: int) -> bytes:
    """An archive whose many entries are all the same bytes of it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(bytes(size)) + packer.flush()
    crc = zlib.crc32(bytes(size))
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(packed), size, 1, 0) + b"a"
    entry = (
        struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(packed), size, 1, 0, 0, 0, 0, 0, 0) + b"a"
    )
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, copies, copies, len(entry) * copies, len(local) + len(packed), 0)
    return local + packed + entry * copies + end


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        (lambda: bomb(200_000_000), "too-large"),
        (lambda: bomb(5_000_000, zipfile.ZIP_BZIP2), "archive"),
        (lambda: bomb(5_000_000, zipfile.ZIP_LZMA), "archive"),
        (lambda: overlapping(2_000, 10_000_000), "zip-many"),
        (lambda: overlapping(1, 10_000_000), "too-large"),
        (lambda: zipped({"a.zip": bomb(SIZE_LIMIT // 2)}), "zip-nested"),
        (lambda: zipped({"a": "", "b": ""}), "zip-many"),
        (lambda: zipped({}), "zip-broken"),
        (lambda: b"PK\3\4" + bytes(100), "zip-broken"),
        (lambda: zipped({"orders.yaml": ORDERS})[:-30], "zip-broken"),
        (lambda: b"PK\3\4" + bytes(SIZE_LIMIT + 70_000), "too-large"),
    ],
)
def test_an_archive_that_means_ill_is_refused_with_advice(data: Callable[[], bytes], advice: str) -> None:
    archive = data()
    start = time.process_time()
    assert read_letter(mixed(attached("orders.zip", archive, "application/zip"))).advice == (advice,)
    assert time.process_time() - start < QUICK


@given(st.binary(max_size=300), st.integers(0, 200), st.integers(0, 255))
def test_any_archive_is_read_or_refused(noise: bytes, at: int, byte: int) -> None:
    unzipped(b"PK\3\4" + noise)
    damaged = bytearray(zipped({"orders.yaml": ORDERS}))
    damaged[at % len(damaged)] = byte
    found = unzipped(bytes(damaged))
    assert bool(found.advice) != bool(found.name)
