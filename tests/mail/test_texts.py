"""Texts of mails: character sets, and which of their lines are the sender's own orders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.campaign.unpacking import unsigned
from gm.mail.body_text import looks_like_orders, quotes_orders, written_orders
from gm.mail.decoding import decoded_body, unflowed, uuencoded
from gm.text.charsets import as_utf8
from tests.examples import examples
from tests.mail.shapes.pieces import ORDERS, PLAIN

WORDS = "proclamation: Žalgiris, «Менск» – 城\n"


@pytest.mark.parametrize(
    "charset", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "utf-7"]
)
def test_every_character_set_that_has_the_letters_comes_out_the_same(charset: str) -> None:
    text = ORDERS + WORDS
    assert as_utf8(text.encode(charset), charset).decode().removeprefix("\ufeff") == text


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        ("Žluťoučký", "cp1250"),
        ("Менск", "koi8-r"),
        ("Менск", "cp1251"),
        ("Менск", "iso-8859-5"),
        ("Žygis", "iso-8859-13"),
        ("雪の前", "iso-2022-jp"),
        ("雪の前", "shift_jis"),
        ("雪の前", "euc-jp"),
        ("눈이 온다", "euc-kr"),
        ("Η μάχη", "iso-8859-7"),
    ],
)
def test_what_a_mail_says_of_its_character_set_is_asked_when_it_is_no_utf8(text: str, charset: str) -> None:
    assert (
        as_utf8((ORDERS.replace("Ž", "Z").replace("–", "-") + text).encode(charset), charset)
        .decode()
        .endswith(text)
    )


def test_utf8_stays_byte_for_byte_whatever_the_mail_calls_it() -> None:
    data = b"\xef\xbb\xbf" + ORDERS.replace("\n", "\r\n").encode()
    for charset in ("", "iso-8859-1", "windows-1250", "utf-16", "x-unknown"):
        assert as_utf8(data, charset) == data


@examples(100)
@given(
    st.binary(max_size=300),
    st.sampled_from(["", "utf-8", "utf-16", "utf-7", "hz", "iso-2022-jp", "koi8-r", "gbk"]),
)
def test_any_bytes_become_utf8(data: bytes, charset: str) -> None:
    as_utf8(data, charset).decode("utf-8")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=80))
def test_lines_that_were_folded_for_the_way_are_put_together_again(line: str) -> None:
    """Any line without spaces at its ends, sent as Thunderbird sends it: broken at spaces, and stuffed."""
    line = " ".join(line.split()) or "x"
    if line.startswith(">"):
        return
    broken = line.replace(" ", " \n")
    stuffed = "\n".join(
        f" {line}" if line.startswith((" ", "From ")) else line for line in broken.split("\n")
    )
    if not any(line.startswith(">") for line in stuffed.split("\n")):
        assert unflowed(stuffed, delete_space=False) == line


def test_text_that_was_broken_without_spaces_is_joined_without() -> None:
    assert unflowed("sto \nne\n", delete_space=True) == "stone\n"
    assert unflowed("-- \nAnna", delete_space=False) == "--\nAnna"


@given(st.binary(max_size=400))
def test_what_was_uuencoded_comes_out_again(data: bytes) -> None:
    import binascii

    lines = b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))
    text = b"hello\n\nbegin 644 orders.yaml\n" + lines + b"`\nend\nbye\n"
    assert list(uuencoded(text)) == [("orders.yaml", data)]
    assert decoded_body(text, "x-uuencode") == data


@given(
    st.binary(max_size=200),
    st.sampled_from(["base64", "quoted-printable", "x-uuencode", "7bit", "", "nonsense"]),
)
def test_any_body_is_decoded_somehow(data: bytes, encoding: str) -> None:
    decoded_body(data, encoding)


def test_orders_are_known_by_their_first_line_wherever_comments_put_it() -> None:
    assert looks_like_orders(ORDERS.encode())
    assert looks_like_orders(b"\xef\xbb\xbforders: '1'\n")
    assert looks_like_orders(b"# my orders\n\n  Orders : 1\n")
    assert not looks_like_orders(b"my orders: 1 army\n")
    assert not looks_like_orders(b"orders: all of them\n")
    assert not looks_like_orders(b"#" * 30_000 + b"\norders: 1\n")


@pytest.mark.parametrize("line", ["oops", "units", "Minsk recruit 2", "headquarters"])
def test_a_mistake_is_never_cut_off_with_what_follows_it(line: str) -> None:
    text = f"{PLAIN}\n{line}\n  Minsk:\n    plan: []\n"
    assert written_orders(text) == [text]
    # nor one right below the orders, which may have been meant as one
    assert written_orders(f"{PLAIN}{line}\n") == [f"{PLAIN}{line}\n"]


def test_quotes_that_a_phone_made_pretty_are_quotes_only_around_whole_values() -> None:
    text = "orders: 1\nkey: “brave”\nlist: [“POL”, ‘TEU’]\nsay: he said “no” to me\nit: don’t\n"
    assert written_orders(text) == [
        'orders: 1\nkey: "brave"\nlist: ["POL", \'TEU\']\nsay: he said “no” to me\nit: don’t\n'
    ]


def test_of_several_fenced_texts_those_with_orders_count() -> None:
    text = f"```\nhello\n```\n~~~yaml\n{PLAIN}~~~\n````\n```\n{ORDERS}```\n````\n"
    assert written_orders(text) == [PLAIN, f"```\n{ORDERS}```\n"]
    assert written_orders(f"```\n{PLAIN}") == [PLAIN]  # a fence that was never closed


def test_what_is_sent_on_counts_only_when_the_sender_wrote_no_orders_himself() -> None:
    forwarded = f"---------- Forwarded message ---------\nFrom: Anna\nDate: Sunday\n\n{ORDERS}"
    assert written_orders(f"See below\n\n{forwarded}") == [ORDERS]
    assert written_orders(f"{PLAIN}\n{forwarded}") == [PLAIN]
    assert written_orders(f"See below\n\n{forwarded.replace(ORDERS, '> ' + PLAIN)}") == []
    header = f"From: Anna\nSent: Sunday\nTo: x\nSubject: y\n\n{ORDERS}"
    assert written_orders(header, "WG: orders") == [ORDERS]
    assert written_orders(header, "AW: orders") == []


def test_orders_in_quoted_lines_are_noticed() -> None:
    assert quotes_orders("hello\n> orders: 1\n")
    assert quotes_orders("> > orders: 1\n")
    assert not quotes_orders("> my orders: 1 army\n")


def test_a_signed_text_is_read_without_its_frame() -> None:
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- - a list\nend\n-----BEGIN PGP "
        "SIGNATURE-----\nx\n"
    )
    assert unsigned(text) == "- a list\nend"
    assert unsigned("plain\n") == "plain\n"
    assert unsigned("-----BEGIN PGP SIGNED MESSAGE-----") == ""


# -- a head of game, turn and player -------------------------------------------------------------------------


SHEET = (
    "game: cs-demo\nturn: 4\nplayer: red\nkey: brave-otter-71\norders:\n  - Build 1 Tank@M1\n  - C2 > C3\n"
)


@pytest.mark.parametrize(
    "text",
    [
        SHEET,
        f"Hello,\n\nhere are my orders:\n\n{SHEET}\nBest wishes\nAnna\n",
        f"{SHEET}\n-- \nsent from somewhere\n",
        f"```yaml\n{SHEET}```\nBest wishes\n",
        SHEET.replace("game: cs-demo\nturn: 4\n", "turn: 4\ngame: cs-demo\n"),
    ],
)
def test_a_plain_sheet_in_a_mail_is_found(text: str) -> None:
    (sheet,) = written_orders(text)
    assert "Build 1 Tank@M1" in sheet
    assert "C2 > C3" in sheet
    assert "wishes" not in sheet
    assert looks_like_orders(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "game: cs-demo\n\nturn: 4\n\nplayer: red\n",
        "I play the game: it is my turn: what does player: mean?\n",
        "Game: chess\nPlayer: me\n",
    ],
)
def test_words_alone_are_no_orders(text: str) -> None:
    assert written_orders(text) == []
    assert not looks_like_orders(text.encode())


def test_a_quoted_plain_sheet_is_told_apart() -> None:
    quoted = "".join(f"> {line}\n" for line in SHEET.splitlines())
    assert quotes_orders(quoted)
    assert written_orders(quoted) == []
