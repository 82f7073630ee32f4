"""What is read out of a letter's header: addresses, ids, subjects, what kind of mail it is, what the
server said.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from gm.campaign.unpacking import unzipped
from gm.core.yaml.source import SIZE_LIMIT
from gm.mail.game_mail import mark_of
from gm.mail.letter import Kind, read_letter, without_secrets
from gm.mail.parse import bare_address
from gm.text.charsets import known_charset
from tests.cost import cost
from tests.mail.office import mail, mixed
from tests.mail.shapes.pieces import ORDERS, OURS, PLAIN, attached, sample, zipped

SERVER = "mail.example.org"
HEADERS = YAML(typ="safe").load(Path(__file__).with_name("headers.yaml").read_text("utf-8"))


# -- the header ----------------------------------------------------------------------------------------------


def test_addresses_and_subjects_are_read_as_far_as_they_are_any() -> None:
    for line, sender in HEADERS["senders"].items():
        assert read_letter(mail("x", sender=line)).sender == sender, line
    for line, subject in HEADERS["subjects"].items():
        assert read_letter(mail("x", subject=line)).subject == subject, line
    assert read_letter(b"Subject: F\xfcr Dich\n\nx").subject == "Für Dich"


def test_a_long_subject_is_shortened_only_where_it_is_shown() -> None:
    letter = read_letter(mail("x", subject="Re: " * 80 + "[minsk t1 LIT aaaa-bbbb-cccc]"))
    assert len(letter.subject) <= 200
    assert "aaaa-bbbb-cccc" in letter.whole_subject


def test_a_subject_is_shown_without_what_is_as_good_as_a_key() -> None:
    for subject, visible in HEADERS["shown"].items():
        assert without_secrets(subject) == visible
        assert read_letter(mail("x", subject=subject)).subject == visible


def test_ids_dates_and_recipients() -> None:
    header = {
        "In-Reply-To": "<one@x> (by hand)",
        "References": "<zero@x>\n\t<one@x> <broken",
    }
    letter = read_letter(mail("x", header=header))
    assert letter.message_id == "1@example.org"
    assert letter.references == ("one@x", "zero@x")
    assert letter.date == datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
    for date in ("", "soon", "Mon, 99 Jan 2026 12:00:00 +0000", "Fri, 31 Dec 9999 23:59:59 -2300"):
        assert read_letter(mail("x", header={"Date": date})).date is None
    assert read_letter(mail("x", header={"Date": "5 Jan 2026 13:00:00"})).date == datetime(
        2026, 1, 5, 13, tzinfo=UTC
    )


def test_only_the_own_servers_word_on_the_sender_counts_and_of_it_the_topmost() -> None:
    lines = (
        "Authentication-Results: elsewhere.example.net; dkim=pass\n"
        f"Authentication-Results: {SERVER.upper()} 1; spf=fail\n  smtp.mailfrom=example.net\n"
        f"Authentication-Results: {SERVER}; dkim=pass (forged)\n"
    )
    data = mail("x", more=lines)
    assert read_letter(data, trusted=SERVER).authentication == (
        f"{SERVER.upper()} 1; spf=fail smtp.mailfrom=example.net",
    )
    assert read_letter(data).authentication == ()
    assert read_letter(data, trusted="other.example.org").authentication == ()


def test_a_header_that_ends_without_an_empty_line_and_one_with_rubbish_in_it() -> None:
    letter = read_letter(
        b"From: anna@example.org\nSubject: orders\n"
        + ORDERS.encode().replace(b"orders: 1", b"no header\norders: 1")
    )
    assert [offer.data for offer in letter.files] == [ORDERS.encode()]
    assert read_letter(b"From x@y Mon Jan 5\nSubject: a\n>From y\nFrom: b@c.d\n\nx").sender == "b@c.d"
    assert read_letter(b"Subject: a\rFrom: b@c.d\r\rtext").sender == "b@c.d"


@pytest.mark.parametrize("address", ["a@b.c", "a.b+c=d@x-y.example.org", "O'Brien@example.org"])
def test_an_address_that_can_be_written_to(address: str) -> None:
    assert bare_address(f" {address} ") == address


def test_a_codec_that_is_no_character_set_of_mail_is_not_used() -> None:
    assert [name for name in HEADERS["codecs"] if known_charset(name)] == []


# -- kinds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", HEADERS["kinds"])
def test_the_header_tells_what_sort_of_mail_it_is(kind: str) -> None:
    """Nobody's orders are lost who only seems to be a machine: a subject alone makes none of who sends
    them.
    """
    for lines in HEADERS["kinds"][kind]:
        # the first of two lines of a name counts
        assert read_letter(f"{lines}\n".encode() + mail(PLAIN)).kind == kind, lines


def test_a_subject_of_a_machine_makes_one_of_who_sends_no_orders() -> None:
    for body, subject, kind in (
        ("I am away.", "Out of office until Monday", Kind.AUTO_REPLY),
        ("> " + PLAIN.replace("\n", "\n> "), "Abwesenheitsnotiz: orders", Kind.AUTO_REPLY),
        ("My office is cold.", "Re: Out of office", Kind.PERSON),
    ):
        assert read_letter(mail(body, subject=subject)).kind is kind


def test_only_what_failed_for_good_came_back() -> None:
    for action, came_back in HEADERS["actions"].items():
        letter = read_letter(
            sample("bounce-postfix").replace(b"Action: failed", f"Action: {action}".encode())
        )
        assert letter.kind is Kind.BOUNCE
        assert letter.bounce.message == (OURS if came_back else "")


def test_a_bounce_that_holds_only_the_header_of_ours_is_known_by_it() -> None:
    data = sample("delay-postfix").replace(b"Action: delayed", b"Action: failed")
    assert read_letter(data).bounce.message == OURS
    bare = mail("Delivery failed.", sender="MAILER-DAEMON@x.org", header={"References": f"<a@b> <{OURS}>"})
    assert read_letter(bare).bounce.message in ("a@b", OURS)


# -- what tells letters apart --------------------------------------------------------------------------------


def test_letters_are_told_apart_by_id_and_content() -> None:
    first = mark_of(read_letter(mail(PLAIN)))
    assert mark_of(read_letter(mail(PLAIN, more="Received: by another way\n"))) == first
    assert mark_of(read_letter(mail(PLAIN.replace("\n", "\r\n")))) == first
    assert mark_of(read_letter(mail(PLAIN, number="2"))) != first
    assert mark_of(read_letter(mail(ORDERS))) != first
    hello = mark_of(read_letter(mail("hello")))
    assert hello != mark_of(read_letter(mail("hello again")))
    assert (
        mark_of(read_letter(mail("hello", header={"Message-ID": ""})))
        == read_letter(mail("hello", header={"Message-ID": ""})).fingerprint
    )


def test_two_files_are_not_one_file_that_looks_like_both() -> None:
    one = read_letter(mixed(attached("a", ORDERS), attached("b", PLAIN)))
    other = read_letter(mixed(attached("a", ORDERS + "\0" + PLAIN)))
    assert mark_of(one) != mark_of(other)


# -- archives that mean ill ----------------------------------------------------------------------------------


QUICK = 3.0
"""What reading any letter of the largest size may cost at most."""


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
        struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(packed), size, 1, 0, 0, 0, 0, 0, 0)
        + b"a"
    )
    end = struct.pack(
        "<4s4H2LH", b"PK\5\6", 0, 0, copies, copies, len(entry) * copies, len(local) + len(packed), 0
    )
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
    message = mixed(attached("orders.zip", data(), "application/zip"))
    assert read_letter(message).advice == (advice,)
    assert cost(lambda: read_letter(message), QUICK) < QUICK


@given(st.binary(max_size=300), st.integers(0, 200), st.integers(0, 255))
def test_any_archive_is_read_or_refused(noise: bytes, at: int, byte: int) -> None:
    unzipped(b"PK\3\4" + noise)
    damaged = bytearray(zipped({"orders.yaml": ORDERS}))
    damaged[at % len(damaged)] = byte
    file = unzipped(bytes(damaged))
    assert file if isinstance(file, str) else file.name
