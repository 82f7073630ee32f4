"""Messages that are heavy by their shape: reading stops where they are no letters any more."""

import base64
from collections.abc import Callable

import pytest

from gm.mail.letter import read_letter
from tests.cost import cost
from tests.examples import sweep
from tests.mail.office import mixed
from tests.mail.shapes.pieces import ORDERS, attached
from tests.mail.test_any_bytes import checked

SIZE = 5_000_000
"""Bytes of a message; one of twice the size is read, too."""
SECONDS = 1.0
"""The limit for ten million bytes, in seconds of a quick machine.

Before there was one, they took up to eleven."""

OUTER = b'From: a@example.org\nContent-Type: multipart/mixed; boundary="b"\n\n'
REPORT = (
    b"From: mailer-daemon@example.org\nContent-Type: multipart/report; report-type=delivery-status; "
    b"boundary=b\n\n"
)


def nested(levels: int, lengths: int = 1) -> bytes:
    """So many parts, each within the one before."""
    names = ["a" * lengths + "x" * level for level in range(levels)]
    return b"".join(
        f"Content-Type: multipart/mixed; boundary={name}\n\n--{name}\n".encode() for name in names
    )


def encoded(size: int) -> bytes:
    """A message in a message and so on, each in base64."""
    data = b"Content-Type: text/plain\n\nx"
    while len(data) < 0.7 * size:
        head = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
        data = head + base64.encodebytes(data)
    return data


def filled(beginning: bytes, piece: bytes) -> Callable[[int], bytes]:
    """A message that goes on with the same piece."""
    return lambda size: beginning + piece * (size // len(piece))


SHAPES: dict[str, Callable[[int], bytes]] = {
    "256,000 parts": filled(OUTER, b"--b\n\nx\n"),
    "empty parts": filled(OUTER, b"--b\n\n"),
    "parts without a gap": filled(OUTER, b"--b\n"),
    "small texts": filled(OUTER, b"--b\nContent-Type: text/plain\n\nx\n"),
    "small messages": filled(OUTER, b"--b\nContent-Type: message/rfc822\n\nSubject: x\n\nx\n"),
    "a digest": filled(b"Content-Type: multipart/digest; boundary=b\n\n", b"--b\n\n"),
    "paragraphs of a report": filled(REPORT + b"--b\nContent-Type: message/delivery-status\n\n", b"A: b\n\n"),
    "parts in forty parts": lambda size: (
        OUTER + (b"--b\nContent-Type: multipart/mixed; boundary=c\n\n" + b"--c\n\n" * (size // 240)) * 40
    ),
    "parts within parts": lambda size: nested(3000) + bytes(size - 180_000),
    "lines within parts": filled(nested(45), b"\n"),
    "lines like boundaries": filled(nested(45), b"--" + b"a" * 50 + b"\n"),
    "lines like long boundaries": filled(nested(45, 1900), b"--" + b"a" * 1900 + b"\n"),
    "boundaries and blanks": filled(OUTER, b"--b" + b" " * 1000 + b"\n\n"),
    "messages within messages": filled(b"", b"Content-Type: message/rfc822\n\n"),
    "encoded messages within messages": encoded,
    "encoded messages of parts": lambda size: (
        OUTER
        + b"--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(OUTER + b"--b\n\n" * (size // 7))
    ),
    "fields of a message": filled(b"From: a@example.org\n", b"X: y\n"),
    "fields of a part": filled(OUTER + b"--b\n", b"X: y\n"),
    "fields of every part": lambda size: OUTER + (b"--b\n" + b"X: y\n" * (size // 500) + b"\nx\n") * 99,
    "a folded field": filled(OUTER + b"--b\nX: y\n", b" z\n"),
    "a long field": filled(b"From: a@example.org\nX: ", b"y"),
    "long fields of parts": lambda size: OUTER + (b"--b\nX: " + b"y" * (size // 100) + b"\n\nx\n") * 99,
    "parameters": filled(b'Content-Type: multipart/mixed; boundary="b"', b"; a=b"),
    "folded parameters of a part": filled(
        OUTER + b'--b\nContent-Type: multipart/mixed; boundary="c"', b";\n a=b"
    ),
    "pieces of a name": filled(OUTER + b"--b\nContent-Disposition: attachment", b";\n filename*1*=a"),
    "lines of an old Macintosh": filled(b"Subject: x\r\n\r\n", b"\r"),
    "such lines in a part": filled(OUTER + b"--b\n\n", b"\r"),
    "lines of a mailbox": filled(b"", b"From x\n"),
}


@pytest.mark.parametrize("name", sweep(SHAPES, "a digest"))
def test_a_heavy_shape_is_cut_short(name: str) -> None:
    """item 31: 256,000 parts took 6 to 11 seconds; twice the bytes take no more than about twice the time."""
    small = SHAPES[name](SIZE)
    large = SHAPES[name](2 * SIZE)
    limit = min(SECONDS, 3 * cost(lambda: checked(read_letter(small)), SECONDS) + 0.1)
    assert cost(lambda: checked(read_letter(large)), limit) < limit


def test_orders_before_many_parts_are_taken_and_it_is_said_that_the_rest_is_not_read() -> None:
    """item 31: what was read until the limit is the letter."""
    letter = read_letter(mixed(attached("orders.yaml", ORDERS), *["\nx\n"] * 256_000))
    assert [offer.data for offer in letter.files] == [ORDERS.encode()]
    assert letter.advice == ("too-many-parts",)


@pytest.mark.slow
def test_a_large_attachment_hides_no_orders_behind_it() -> None:
    """item 31: the limits leave room for what people send: nine million bytes in lines of base64, two
    forwards deep.
    """
    line = base64.b64encode(b"orders: 1" * 6).decode() + "\n"
    picture = (
        f"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n{line * (9_000_000 // len(line))}"
    )
    inner = mixed(picture, attached("orders.yaml", ORDERS)).decode()
    outer = mixed(f"Content-Type: message/rfc822\n\n{inner}")
    letter = read_letter(outer)
    assert [offer.data for offer in letter.files] == [ORDERS.encode()]
    assert "too-many-parts" not in letter.advice
