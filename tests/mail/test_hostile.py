"""Mail that means ill by its names, headers and characters: all of it is only shown."""

from __future__ import annotations

import pytest

from gm.mail.letter import read_letter
from tests.mail.office import Office, mail, mixed, text_of
from tests.mail.shapes.pieces import ORDERS, PLAIN, attached, key, orders


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd.yaml",
        "..\\..\\windows\\system32\\orders.yaml",
        "/etc/cron.d/orders.yaml",
        "C:\\orders.yaml",
        "orders.yaml\0.exe",
        "a" * 5000 + ".yaml",
        "..",
        "",
        "CON",
        "$(touch owned).yaml",
        "`touch owned`.yaml",
        "{{ 7 * 7 }}.yaml",
        "\u202elmay.sredro",
    ],
)
def test_a_name_is_only_shown_and_never_a_path(office: Office, name: str) -> None:
    before = set(office.folder.parent.rglob("*"))
    office.receive(mixed(attached(name, ORDERS)))
    assert office.standing() == ORDERS.encode()
    new = {
        path.relative_to(office.folder.parent).parts[0]
        for path in office.folder.parent.rglob("*")
        if path not in before
    }
    assert new <= {"minsk", "Maildir"}
    assert not (office.folder / "owned").exists()
    written = {path.name for path in office.folder.rglob("*") if path not in before and path.is_file()}
    assert all(path.endswith((".eml", ".jsonl", ".json", ".lock")) or path == "LIT.yaml" for path in written)
    text = text_of(office.sent()[0])
    assert "\u202e" not in text
    assert "49.yaml" not in text


INJECTIONS = [
    "=?utf-8?Q?hello=0D=0ABcc:_victim@example.net?=",
    "=?utf-8?Q?hello=0D=0A=0D=0A<script>alert(1)</script>?=",
    "=?utf-8?B?DQpCY2M6IHZpY3RpbUBleGFtcGxlLm5ldA==?=",
    "hello\r Bcc: victim@example.net",
    "hello\x0bBcc: victim@example.net",
    "hello\u2028Bcc: victim@example.net",
    "{{ config }} {% for x in y %}",
]


@pytest.mark.parametrize("text", INJECTIONS)
def test_no_header_of_ours_can_be_added_to(office: Office, text: str) -> None:
    office.drop(mail("hello", subject=text))
    office.drop(
        mail(orders("LIT").replace(key("LIT"), "x"), subject=text, sender=f"{text} <m@example.net>", number="2")
    )
    office.drop(mail(PLAIN, subject=text, sender=f'"{text}" <anna@else.example.com>', number="3"))
    office.receive(
        mail("x", subject=text, number="4", header={"Message-ID": f"<a@b>{text}", "References": f"<{text}@x>"})
    )
    sent = office.sent()
    assert len(sent) >= 5
    for each in sent:
        assert each["Bcc"] is None
        assert len(each.get_all("To")) == len(each.get_all("Subject")) == 1
        assert "victim" not in str(each["To"])
        for part in each.walk():
            if part.get_content_type() == "text/html":
                assert "<script>" not in part.get_content()


@pytest.mark.parametrize(
    "number", ["a@b>\r\nBcc: x@y", "a b@c", "a\0b@c", "<a@b", "ä@b", "a" * 300 + "@b", "", "a@b>,<c@d"]
)
def test_a_message_id_is_given_back_only_when_it_is_one(office: Office, number: str) -> None:
    office.receive(mail(PLAIN, header={"Message-ID": f"<{number}>"}))
    (receipt,) = office.sent()
    assert receipt["Bcc"] is None
    answered = receipt["In-Reply-To"]
    assert answered is None or (answered.isascii() and answered.isprintable() and len(answered) <= 250)


@pytest.mark.parametrize(
    "address",
    [
        "a@b\r\nBcc: x@y",
        "a@b>, <c@d",
        "a b@c",
        "a@[127.0.0.1]",
        "a@b c",
        "-oQ/tmp@x",
        "a@" + "b" * 300,
        "ä@b.c",
        "@",
        "a@",
    ],
)
def test_an_address_that_is_none_is_nobodys(address: str) -> None:
    found = read_letter(mail("hello", sender=f"<{address}>"))
    assert "\n" not in found.sender
    assert " " not in found.sender
    assert not found.sender.startswith(("[", " "))
    assert found.sender.isascii()


def test_zero_bytes_are_no_way_around_anything(office: Office) -> None:
    office.drop(mail(PLAIN.encode() + b"\0\0\0"))
    office.drop(mail(b"\0" * 1000, number="2\0"))
    office.drop(mail(PLAIN.encode().replace(b"LIT", b"L\0IT"), number="3"))
    office.receive(b"\0" * 5000)
    assert office.standing() is None
    assert not office.waiting()


def test_a_wrong_character_set_is_no_reason_to_lose_a_letter() -> None:
    for charset in (
        "x-unknown",
        "utf-16",
        "\0",
        "a" * 500,
        "idna",
        "unicode_escape",
        "base64",
        "zip",
        "rot13",
        "utf-8'",
    ):
        found = read_letter(mail(ORDERS, more=f"Content-Type: text/plain; charset={charset}\n"))
        assert [offer.data for offer in found.files] == [ORDERS.encode()], charset
