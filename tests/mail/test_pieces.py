"""Base64 in one piece and in several that are padded each, with what mailing lists and servers write below
it.
"""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.mail.decoding import decoded_body
from tests.cost import cost
from tests.examples import examples
from tests.mail.office import Office, mail
from tests.mail.shapes.pieces import ORDERS, PLAIN, b64

FOOTERS = (
    "",
    "\n",
    "\n\n--\nTry our mail today\n",
    "\n_____\nplayers mailing list\n",
    "\nplayers\n",
    "\nhttps://example.org/\n",
)


def encoded(data: bytes, size: int, between: str = "\n") -> str:
    """A text as base64 in pieces of so many bytes, each with its own padding."""
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    return between.join(b64(piece) for piece in pieces)


@examples(200)
@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=30),
    st.integers(10, 60),
    st.sampled_from(FOOTERS),
)
def test_a_text_in_padded_pieces_comes_out_whole(text: str, size: int, footer: str) -> None:
    """item 28: all after the first piece was lost."""
    data = text.encode()
    # whole pieces have padding, so that each end is one
    pieces = encoded(data, 3 * (size // 3) + 1)
    if base64.b64encode(data[: 3 * (size // 3) + 1]).endswith(b"=") and pieces.endswith("="):
        assert decoded_body((pieces + footer).encode(), "base64") == data


@pytest.mark.parametrize("between", ["\n", "", "\r\n", "\n\n"])
@pytest.mark.parametrize("size", [40, 41, 55, 100])
def test_a_letter_in_padded_pieces_is_read_whole(office: Office, between: str, size: int) -> None:
    """item 28: with the last piece padded or not."""
    head = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n"
    office.receive(mail(encoded(ORDERS.encode(), size, between), more=head))
    assert office.standing() == ORDERS.encode()


@pytest.mark.parametrize("footer", FOOTERS)
def test_a_footer_is_no_piece(footer: str) -> None:
    """item 28: the other side."""
    padded = PLAIN + "#" * ((1 - len(PLAIN)) % 3)
    assert decoded_body(f"{b64(padded)}{footer}".encode(), "base64") == padded.encode()
    pieces = encoded(padded.encode(), 58)
    assert decoded_body(f"{pieces}{footer}".encode(), "base64").startswith(
        padded.encode()[: len(padded) // 58 * 58]
    )


@pytest.mark.slow
def test_very_many_pieces_take_little_time() -> None:
    """item 28"""
    pieces = b"QQ==\n" * 100_000
    assert len(decoded_body(pieces, "base64")) == 100_000
    assert cost(lambda: decoded_body(pieces, "base64"), 3) < 3
    assert decoded_body(b"=====", "base64") == b""
