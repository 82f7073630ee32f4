"""Mail that means ill by its names, headers and characters: all of it is only shown."""

import pytest

from gm.mail.letter import read_letter
from tests.mail.office import Office, mail, mixed, text_of
from tests.mail.shapes.pieces import ORDERS, PLAIN, attached, key, orders
from tests.mail.test_letter import HEADERS


@pytest.mark.parametrize("name", [*HEADERS["file names"], "a" * 5000 + ".yaml"])
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


@pytest.mark.parametrize("text", HEADERS["injections"])
def test_no_header_of_ours_can_be_added_to(office: Office, text: str) -> None:
    office.drop(mail("hello", subject=text))
    office.drop(
        mail(
            orders("LIT").replace(key("LIT"), "x"), subject=text, sender=f"{text} <m@example.net>", number="2"
        )
    )
    office.drop(mail(PLAIN, subject=text, sender=f'"{text}" <anna@else.example.com>', number="3"))
    office.receive(
        mail(
            "x", subject=text, number="4", header={"Message-ID": f"<a@b>{text}", "References": f"<{text}@x>"}
        )
    )
    sent = office.sent()
    assert len(sent) >= 5
    for message in sent:
        assert message["Bcc"] is None
        assert len(message.get_all("To")) == len(message.get_all("Subject")) == 1
        assert "victim" not in str(message["To"])
        for part in message.walk():
            if part.get_content_type() == "text/html":
                assert "<script>" not in part.get_content()


@pytest.mark.parametrize("number", [*HEADERS["message ids"], "a" * 300 + "@b"])
def test_a_message_id_is_given_back_only_when_it_is_one(office: Office, number: str) -> None:
    office.receive(mail(PLAIN, header={"Message-ID": f"<{number}>"}))
    (receipt,) = office.sent()
    assert receipt["Bcc"] is None
    answered = receipt["In-Reply-To"]
    assert answered is None or (answered.isascii() and answered.isprintable() and len(answered) <= 250)


@pytest.mark.parametrize("address", [*HEADERS["addresses"], "a@" + "b" * 300])
def test_an_address_that_is_none_is_nobodys(address: str) -> None:
    letter = read_letter(mail("hello", sender=f"<{address}>"))
    assert "\n" not in letter.sender
    assert " " not in letter.sender
    assert not letter.sender.startswith(("[", " "))
    assert letter.sender.isascii()


def test_zero_bytes_are_no_way_around_anything(office: Office) -> None:
    office.drop(mail(PLAIN.encode() + b"\0\0\0"))
    office.drop(mail(b"\0" * 1000, number="2\0"))
    office.drop(mail(PLAIN.encode().replace(b"LIT", b"L\0IT"), number="3"))
    office.receive(b"\0" * 5000)
    assert office.standing() is None
    assert not office.waiting()


def test_a_wrong_character_set_is_no_reason_to_lose_a_letter() -> None:
    for charset in (*HEADERS["charsets"], "a" * 500):
        letter = read_letter(mail(ORDERS, more=f"Content-Type: text/plain; charset={charset}\n"))
        assert [offer.data for offer in letter.files] == [ORDERS.encode()], charset
