"""Items 25 and 29: what a letter brings is spoken of.

What machines send in the place of an answer is not answered.
"""

import struct

import pytest
from compressed_rtf import compress

from gm.mail.letter import Kind, read_letter
from gm.mail.winmail import unpacked
from tests.cost import cost
from tests.mail.office import NOW, Office, flat, mail, mixed, text_of
from tests.mail.shapes.pieces import PLAIN, attached, key, letter, orders, parts, zipped

HEAD = "From: Anna <anna@example.org>\nTo: gm@example.org\nMessage-ID: <b@example.org>\nMIME-Version: 1.0\n"


def bringing(subject: str, kind: str, data: str | bytes, name: str) -> bytes:
    """Return a letter with a subject alone and one file."""
    header = f'{HEAD}Subject: {subject}\nContent-Type: multipart/mixed; boundary="b"'
    return letter(header, parts("b", attached(name, data, kind)))


BROUGHT = {
    "a document": (
        "application/vnd.openxmlformats",
        zipped({"a.xml": "", "b.xml": ""}),
        "orders.docx",
        "a word processor",
    ),
    "a picture": ("image/jpeg", b"\xff\xd8\xff\xe0" + bytes(100), "orders.jpg", "only a picture"),
    "a web page": ("text/html", "<p>orders: 1</p>", "orders.html", "a web page"),
    "a sealed letter": (
        "application/pkcs7-mime; smime-type=enveloped-data",
        b"0\x80",
        "smime.p7m",
        "is encrypted",
    ),
    "an opaque signature": (
        "application/pkcs7-mime; smime-type=signed-data",
        b"0\x80",
        "smime.p7m",
        "opaque",
    ),
    "a PGP message": (
        "application/octet-stream",
        "-----BEGIN PGP MESSAGE-----\n\nx\n",
        "orders.asc",
        "is encrypted",
    ),
    "a zip of two": (
        "application/zip",
        zipped({"a.yaml": PLAIN, "b.yaml": PLAIN}),
        "orders.zip",
        "several files",
    ),
    "a rar": (
        "application/vnd.rar",
        b"Rar!\x1a\x07\x00",
        "orders.rar",
        "a kind of archive that this game cannot open",
    ),
    "a pdf": ("application/pdf", b"%PDF-1.4", "orders.pdf", "a word processor"),
    "some bytes": ("application/octet-stream", b"\x01\x02\x03 orders", "orders.dat", "not an order file"),
    "a broken winmail.dat": (
        "application/ms-tnef",
        b"\x78\x9f\x3e\x22" + bytes(40),
        "winmail.dat",
        "winmail.dat",
    ),
}


@pytest.mark.parametrize("subject", ["orders", "status", "report", "help", "Re: Orders!"])
@pytest.mark.parametrize("name", BROUGHT)
def test_a_letter_that_brings_something_is_no_request(name: str, subject: str) -> None:
    """Item 25: whatever the subject asks for, what came with it is spoken of."""
    from gm.mail.wishes import asked_of

    kind, data, file, _ = BROUGHT[name]
    assert asked_of(read_letter(bringing(subject, kind, data, file)), {}) is None


@pytest.mark.parametrize("name", BROUGHT)
def test_what_cannot_be_read_is_answered_with_a_word_on_it(office: Office, name: str) -> None:
    """Item 25: the answer to "orders" with an unreadable file is not the old orders without a word."""
    office.receive(mail(PLAIN, number="first"))
    before = len(office.sent())
    kind, data, file, says = BROUGHT[name]
    office.receive(bringing("orders", kind, data, file))
    answers = [letter for letter in office.sent()[before:] if letter["To"] == "anna@example.org"]
    assert len(answers) == 1
    assert says in flat(answers[0])
    assert office.standing() == PLAIN.encode()


def test_the_small_picture_of_a_signature_is_nothing_brought(office: Office) -> None:
    """Item 25: a logo in the text does not turn a request into a letter with a picture."""
    logo = (
        "Content-Type: image/png; name=logo.png\nContent-ID: <logo@x>\nContent-Disposition: inline\n\nPNG\n"
    )
    header = f'{HEAD}Subject: status\nContent-Type: multipart/related; boundary="b"'
    office.receive(letter(header, parts("b", "Content-Type: text/plain\n\n\n", logo)))
    assert office.kinds() == [("answer", "anna@example.org")]


# -- item 29 -------------------------------------------------------------------------------------------------


def attribute(level: int, name: int, kind: int, data: bytes) -> bytes:
    """Return one entry of a TNEF file."""
    return struct.pack("<BHHI", level, name, kind, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def winmail(text: str = "", file: str = "") -> bytes:
    """Return a winmail.dat with a text and a file in it, as Outlook writes it."""
    data = struct.pack("<IH", 0x223E9F78, 1) + attribute(1, 0x9006, 8, struct.pack("<I", 0x10000))
    data += attribute(1, 0x9007, 6, struct.pack("<II", 1252, 0))
    if text:
        data += attribute(1, 0x800C, 2, text.replace("\n", "\r\n").encode("cp1252") + b"\0")
    if file:
        data += attribute(2, 0x9002, 6, bytes(14))
        data += attribute(2, 0x8010, 1, b"orders.yaml\0")
        data += attribute(2, 0x800F, 6, file.encode())
    return data


@pytest.mark.parametrize("inside", [{"text": PLAIN}, {"file": PLAIN}, {"text": "Hello!\n", "file": PLAIN}])
def test_orders_inside_a_winmail_are_taken(office: Office, inside: dict[str, str]) -> None:
    """Item 29: winmail.dat alone is opened, for its text and for its files."""
    office.receive(bringing("orders", "application/ms-tnef", winmail(**inside), "winmail.dat"))
    assert (office.standing() or b"").decode().strip() == PLAIN.strip()
    assert office.kinds() == [("receipt", "anna@example.org")]


def test_any_winmail_is_read_or_refused() -> None:
    """Item 29: damaged bytes of every length and place raise nothing."""
    whole = winmail("hello", PLAIN) + packed_rtf("hello")[6:]
    for end in range(0, len(whole), 7):
        damaged = bytearray(whole)
        damaged[end] ^= 0xFF
        for data in (whole[:end], bytes(damaged)):
            read_letter(bringing("orders", "application/ms-tnef", data, "winmail.dat"))


def packed_rtf(text: str) -> bytes:
    """Return a text as RTF, packed as Outlook does it, in the property that holds it."""
    rich = "{\\rtf1\\ansi " + text.replace("{", "\\{").replace("}", "\\}").replace("\n", "\\par\n") + "}"
    packed = compress(rich.encode())
    filler = bytes(-len(packed) % 4)
    properties = struct.pack("<IHHII", 1, 0x0102, 0x1009, 1, len(packed)) + packed + filler
    return winmail() + attribute(1, 0x9003, 6, properties)


def test_orders_in_the_rich_text_of_a_winmail_are_taken(office: Office) -> None:
    """Item 29: what Outlook calls rich text is RTF, packed."""
    office.receive(bringing("orders", "application/ms-tnef", packed_rtf(PLAIN), "winmail.dat"))
    assert (office.standing() or b"").decode().strip() == PLAIN.strip()


MANY = struct.pack("<I", 2**32 - 1)
GREEDY = {
    "properties": attribute(1, 0x9003, 6, MANY + bytes(250_000)),
    "values": attribute(1, 0x9003, 6, struct.pack("<IHH", 1, 0x1002, 0x0001) + MANY + bytes(250_000)),
    "texts": attribute(1, 0x9003, 6, struct.pack("<IHH", 1, 0x101E, 0x0001) + MANY + bytes(250_000)),
    "readers": attribute(1, 0x9004, 6, MANY + bytes(250_000)),
    "entries": attribute(1, 0x9999, 8, b"") * 20_000,
    "files": attribute(2, 0x9002, 6, b"") * 20_000,
}


@pytest.mark.parametrize("name", GREEDY)
def test_a_winmail_that_says_it_holds_very_much_costs_little(name: str) -> None:
    """Item 29: no count in the file makes a loop that uses up no bytes."""
    data = (winmail() + GREEDY[name])[: 256 * 1024]
    assert cost(lambda: unpacked(data), 1) < 1


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u2003", "\u3000"])
@pytest.mark.parametrize("where", ["text", "file"])
def test_white_space_is_mended_alike_in_text_and_file(office: Office, where: str, space: str) -> None:
    """Item 29: no-break and wide spaces, and characters without a width, whichever way the orders came."""
    written = orders("LIT", "units:\n  Minsk:\n    recruit: {Archers: 1}\n")
    odd = written.replace("  Minsk", f"{space}{space}Minsk").replace("key: ", f"key:{space}\u200b")
    data = mail(odd) if where == "text" else mixed(attached("orders.yaml", odd))
    office.receive(data)
    assert (office.standing() or b"").decode() == written
    assert key("LIT") in written


AWAY = [
    "Automatisk svar: jeg er på ferie",
    "Automatiskt svar: semester",
    "Poissaolo: loma",
    "Automaatvastus: puhkusel",
    "Automatinis atsakymas",
    "Automatická odpoveď: dovolenka",
    "Samodejni odgovor: dopust",
    "Автоматичен отговор: отпуск",
    "自動回答: 出張",
    "부재 중 자동 회신",
    "תשובה אוטומטית: חופשה",
    "رد تلقائي: إجازة",
    "Trả lời tự động: nghỉ phép",
    "Urlaubsnotiz",
    "En vacances jusqu'au 5",
    "De vacaciones hasta el 5",
    "In ferie fino al 5",
    "Met vakantie tot 5 januari",
    "Na urlopie do 5",
    "Otomatik yanıt: izin",
    "Vacation reply: Your letter",
    "OOO: back on Monday",
]


@pytest.mark.parametrize("subject", AWAY)
def test_an_away_note_without_headers_is_not_answered(subject: str) -> None:
    """Item 29: in whatever language it says so; with orders in it, it is a player's letter."""
    assert read_letter(mail("Back on Monday.", subject=subject)).kind is Kind.AUTO_REPLY
    assert read_letter(mail(PLAIN, subject=subject)).kind is Kind.PERSON


@pytest.mark.parametrize(
    "text",
    [
        "This is an automatic reply. I am back on Monday.",
        "Dies ist eine automatische Antwort.",
        "Diese E-Mail wurde automatisch erzeugt.",
        "Ceci est une réponse automatique.",
        "Anna Example reacted to your message: like",
        "Anna reacted via Gmail\n\n> Your orders",
        "Liked “Your orders are in”",
        "\N{THUMBS UP SIGN}",
        "\N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}\n\n> Your orders are in",
    ],
)
def test_a_text_of_a_machine_and_a_sign_are_not_answered(office: Office, text: str) -> None:
    """Item 29: reactions and what programs write of themselves."""
    office.receive(mail(text, subject="Re: Orders received"))
    assert office.kinds() == []


@pytest.mark.parametrize(
    "kind",
    [
        'text/calendar; charset="utf-8"; method=REPLY',
        "text/calendar; method=COUNTER",
        "text/vnd.google.email-reaction+json",
    ],
)
def test_the_answer_of_a_calendar_and_a_reaction_are_not_answered(office: Office, kind: str) -> None:
    """Item 29: who accepts the deadline in a calendar is told nothing."""
    header = f'{HEAD}Subject: Accepted: turn 1\nContent-Type: multipart/alternative; boundary="b"'
    office.receive(
        letter(header, parts("b", "Content-Type: text/plain\n\nAnna\n", f"Content-Type: {kind}\n\nx\n"))
    )
    assert office.kinds() == []


@pytest.mark.parametrize(
    "text", ["Ok", "Thanks! \N{THUMBS UP SIGN}", "I am away next week, please wait for me.", "?"]
)
def test_a_short_letter_of_a_person_is_answered(office: Office, text: str) -> None:
    """Item 29: no letter without an answer."""
    office.receive(mail(text, subject="Re: Orders received"), NOW)
    assert ("advice", "anna@example.org") in office.kinds()
    assert "No orders accepted" in str(office.sent()[-1]["Subject"])
    assert text_of(office.sent()[-1])
