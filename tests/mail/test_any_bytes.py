"""Any bytes at all are a letter: reading raises nothing, and takes little time."""

import base64
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.diagnostics import invisible
from gm.core.yaml.source import SIZE_LIMIT
from gm.mail.html_text import text_of_page
from gm.mail.letter import Kind, Letter, read_letter
from tests.cost import cost
from tests.examples import examples
from tests.mail.office import mail, mixed
from tests.mail.shapes.pieces import ORDERS, SAMPLES, attached

QUICK = 3.0
"""What reading any letter of the largest size may cost at most."""


def checked(letter: Letter) -> None:
    """What is true of every letter whatever its bytes are."""
    for text in (
        letter.subject,
        letter.whole_subject,
        letter.message_id,
        letter.sender,
        letter.bounce.says,
        *letter.authentication,
    ):
        assert not invisible(text.replace("\N{REPLACEMENT CHARACTER}", ""))
        assert "\n" not in text
        assert "\r" not in text
        assert len(text) <= 1000
    assert letter.message_id.isascii()
    for offer in letter.files:
        assert "/" not in offer.name
        assert "\\" not in offer.name
        assert "\n" not in offer.name
        assert 0 < len(offer.name) <= 80
        assert len(offer.data) <= 3 * SIZE_LIMIT
        offer.data.decode()
    # what comes over a mailing list counts only where it holds a file
    assert letter.kind in (Kind.PERSON, Kind.LIST) or letter.files == ()
    assert letter.kind is not Kind.PERSON or letter.files or letter.advice
    letter.whole_subject.encode()


# -- any bytes at all ----------------------------------------------------------------------------------------


@examples(100)
@given(st.binary(max_size=2000))
def test_any_bytes_are_a_letter(data: bytes) -> None:
    checked(read_letter(data, trusted="mail.example.org"))


NAMES = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Content-Type",
    "Content-Transfer-Encoding",
    "Content-Disposition",
]
VALUES = [
    *(
        "multipart/mixed; boundary=b",
        "multipart/report; report-type=delivery-status; boundary=b",
        "message/rfc822",
    ),
    *(
        "text/plain; charset=utf-16",
        "text/plain; format=flowed; delsp=yes",
        "base64",
        "quoted-printable",
        "x-uuencode",
    ),
    *(
        "=?utf-8?B?////?=",
        "=?x?q?=00?=",
        "=?utf-7?Q?+2AA-?=",
        "attachment; filename*0*=a''%00%0d",
        "application/zip",
    ),
    *(
        "multipart/alternative; boundary=",
        "message/delivery-status",
        "(((((((",
        '"unclosed',
        "<<<>>>@,;:",
        "\0\0",
    ),
]
LINES = [
    "--b",
    "--b--",
    "",
    "orders: 1",
    "```",
    "> orders: 1",
    "begin 644 x",
    "end",
    "PK\x03\x04",
    "From: x",
    "Sent: y",
]


@examples(100)
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES) | st.text(max_size=20)), max_size=8),
    st.lists(
        st.sampled_from(LINES) | st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES)).map(": ".join),
        max_size=30,
    ),
)
def test_any_message_put_together_from_what_messages_are_made_of_is_a_letter(
    header: list[tuple[str, str]], lines: list[str]
) -> None:
    head = "".join(f"{name}: {value}\n" for name, value in header)
    checked(read_letter((head + "\n" + "\n".join(lines)).encode("utf-8", "surrogatepass")))


@examples(150)
@given(st.data())
def test_any_sample_with_some_of_its_bytes_changed_is_a_letter(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(SAMPLES.glob("*.eml"))))
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw) - 1))
        length = data.draw(st.integers(0, 40))
        raw[at : at + length] = data.draw(
            st.binary(max_size=8) | st.sampled_from([b"\r\n", b"\n\n", b"\0", b"--", b"=?"])
        )
        if not raw:
            break
    checked(read_letter(bytes(raw)))


@pytest.mark.parametrize("name", ["gmail-web", "zip-one", "bounce-postfix", "thunderbird-flowed", "nested"])
def test_a_letter_that_breaks_off_anywhere_is_a_letter(name: str) -> None:
    raw = (SAMPLES / f"{name}.eml").read_bytes()
    for end in range(0, len(raw), 7):
        checked(read_letter(raw[:end]))


# -- time ----------------------------------------------------------------------------------------------------

MEGA = 10_000_000
SLOW: dict[str, Callable[[], bytes]] = {
    "ten thousand parts": lambda: mixed(*["Content-Type: text/plain\n\nx\n"] * 10_000),
    "parts within parts": lambda: b"".join(
        f"Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n".encode() for depth in range(5000)
    ),
    "boundaries that begin alike": lambda: (
        b"".join(
            f"Content-Type: multipart/mixed; boundary={'a' * depth}\n\n--{'a' * depth}\n".encode()
            for depth in range(1, 21)
        )
        + b"--aaaaaaaaaaaaaaaaaaaaaaaaaaax\n" * 300_000
    ),
    "messages within messages": lambda: b"Content-Type: message/rfc822\n\n" * 300_000,
    "encoded messages within messages": lambda: _encoded(40),
    "a header without end": lambda: b"X-Long: x\n" * (MEGA // 10),
    "a header line without end": lambda: b"Subject: " + b"x" * MEGA,
    "a folded line without end": lambda: b"Subject: x\n" + b" x\n" * (MEGA // 3),
    "folded lines without end": lambda: (b"To: x\n" + b" x\n" * 3300) * (MEGA // 9906),
    "encoded words without end": lambda: b"Subject: " + b"=?utf-8?q?" * (MEGA // 10),
    "addresses without end": lambda: b"From: " + b"<a@b," * (MEGA // 5) + b"\n\n",
    "brackets without end": lambda: b"From: " + b"(" * MEGA + b"\n\n",
    "quotes without end": lambda: b'Content-Type: multipart/mixed; boundary="' + b'";"' * (MEGA // 3),
    "fences without end": lambda: mail(b"```a\n" * (SIZE_LIMIT // 5)),
    "flowed lines without end": lambda: mail(
        b"a \n" * (SIZE_LIMIT // 3), more="Content-Type: text/plain; format=flowed\n"
    ),
    "forwards without end": lambda: mail(b"Begin forwarded message:\n" * (SIZE_LIMIT // 25)),
    "headers in the text without end": lambda: mail(b"From: a\nSent: b\n" * (SIZE_LIMIT // 16)),
    "spaces without end": lambda: mail(b" " * SIZE_LIMIT),
    "one line of dashes": lambda: mail(b"-" * SIZE_LIMIT),
    "lists without end": lambda: mail(b"orders: 1\n" + b"- [{: " * (SIZE_LIMIT // 7)),
    "curly quotes without end": lambda: mail(b"orders: 1\n" + ": “".encode() * (SIZE_LIMIT // 6)),
    "a slow character set": lambda: mail(
        b"orders: 1-\xfe" + b"a" * 900_000, more="Content-Type: text/plain; charset=punycode\n"
    ),
    "files in the text without end": lambda: mail(b"begin 644 a\n" * (SIZE_LIMIT // 12)),
    "a bounce without end": lambda: mail(
        b"Message-ID: <\n" * 70_000, sender="MAILER-DAEMON@example.net", more="Content-Type: text/plain\n"
    ),
    "base64 without end": lambda: mixed(
        "Content-Type: application/x\nContent-Transfer-Encoding: base64\n\n" + "QUJD\n" * (SIZE_LIMIT // 5)
    ),
    "soft breaks without end": lambda: mail(
        b"=\n" * (SIZE_LIMIT // 2), more="Content-Transfer-Encoding: quoted-printable\n"
    ),
}


def _encoded(depth: int) -> bytes:
    data = b"Content-Type: text/plain\n\nx"
    for _ in range(depth):
        if len(data) > MEGA:
            break
        data = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(
            data
        )
    return data


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_no_letter_takes_long_to_read(name: str) -> None:
    data = SLOW[name]()
    assert cost(lambda: checked(read_letter(data)), QUICK) < QUICK


def test_of_very_many_parts_the_first_are_looked_at_and_that_is_said() -> None:
    text = "Content-Type: text/plain\n\nx\n"
    letter = read_letter(mixed(attached("orders.yaml", ORDERS), *[text] * 10_000))
    assert [offer.data for offer in letter.files] == [ORDERS.encode()]
    assert letter.advice == ("too-many-parts",)
    assert read_letter(mixed(*[text] * 500, attached("orders.yaml", ORDERS))).advice == ("too-many-parts",)


@pytest.mark.parametrize("character", [b"\x01", b"\x0b", b"\x1f", b"&#1;", b"&#x1f;"])
def test_a_page_with_a_control_character_is_read_or_none(character: bytes) -> None:
    text = text_of_page(b"<p>march" + character + b": Kent</p>")
    assert text == "" or "Kent" in text
