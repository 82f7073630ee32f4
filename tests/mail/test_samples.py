"""What is read out of each sample mail: its kind, the order files in it byte for byte, the advice to its sender."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from gm.mail.answers import advice_sentences
from gm.mail.classify import Kind
from gm.mail.letter import read_letter
from tests.mail.make_samples import FOLDER, samples
from tests.mail.office import Office
from tests.mail.shapes import machines, texts
from tests.mail.shapes.pieces import OLD, ORDERS, PLAIN, orders

CRLF = ORDERS.replace("\n", "\r\n")


@dataclass(frozen=True)
class Reading:
    """What is expected of a mail."""

    files: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    kind: Kind = Kind.PERSON
    name: str | None = None
    bounce_of: str = ""


def found(*files: str, name: str | None = None) -> Reading:
    return Reading(files, name=name)


def advised(*words: str) -> Reading:
    return Reading(advice=words)


def machine(kind: Kind, bounce_of: str = "") -> Reading:
    return Reading(kind=kind, bounce_of=bounce_of)


AUTO, BOUNCED = machine(Kind.AUTO_REPLY), machine(Kind.BOUNCE, machines.OURS)
IN_TEXT = "the text of your mail"

READINGS = {
    # the big programs and providers, the file attached
    "outlook-desktop": found(CRLF, name="LIT-turn-01.orders.yaml"),
    "outlook-web": found(ORDERS, name="LIT orders.yaml"),
    "outlook-phone": found(ORDERS, name="orders.yaml.txt"),
    "gmail-web": found(ORDERS, name="LIT-turn-01.orders.yaml"),
    "gmail-app": found(ORDERS, name="orders.yml"),
    "apple-mail": found(ORDERS, name="orders.yaml"),
    "apple-double": found(PLAIN, name="orders.yaml"),
    "iphone": found(ORDERS, name="orders.yaml"),
    "thunderbird": found(ORDERS, name="orders.yaml"),
    "yahoo": found(ORDERS, name="orders.yaml"),
    "gmx": found(ORDERS, name="Befehle.yaml"),
    "proton": found(ORDERS, name="orders.yaml"),
    "mutt": found(ORDERS, name="lit"),
    "roundcube": found(ORDERS, name="Žiemos įsakymai – LIT.yaml"),
    "several-attachments": found(ORDERS, orders("POL")),
    # packed, signed, enciphered, oddly named
    "outlook-winmail": advised("winmail"),
    "outlook-uuencode": found(PLAIN.replace("\n", "\r\n"), name="orders.yaml"),
    "zip-one": found(ORDERS, name="orders.yaml"),
    "zip-macintosh": found(ORDERS, name="LIT.yaml"),
    "zip-several": advised("zip-many"),
    "zip-locked": advised("encrypted"),
    "zip-in-zip": advised("zip-nested"),
    "zip-of-document": advised("document"),
    "rar": advised("archive"),
    "word-document": advised("document"),
    "pdf": advised("document"),
    "picture": advised("picture"),
    "pgp-signed": found(ORDERS, name="orders.yaml"),
    "pgp-signed-text": found(ORDERS, name=IN_TEXT),
    "smime-signed": found(ORDERS, name="orders.yaml"),
    "smime-opaque": advised("signed"),
    "smime-encrypted": advised("encrypted"),
    "pgp-encrypted": advised("encrypted"),
    "pgp-encrypted-text": advised("encrypted"),
    "wide-text": found(ORDERS),
    "wide-text-unmarked": found(ORDERS),
    "latin-attachment": found(ORDERS),
    "name-in-pieces": found(ORDERS, name="Žygis to%20Minsk (final).yaml"),
    "name-in-words": found(ORDERS, name="Žygis.yaml"),
    "name-missing": found(ORDERS, name="a file without a name"),
    "name-of-a-path": found(ORDERS, name="LIT.yaml"),
    "nested": found(ORDERS),
    "two-versions": found(OLD, ORDERS),
    "footer-below-base64": found(ORDERS),
    "broken-file": found(orders("LIT").replace("orders: 1", "order 1")),
    # in the text of the mail
    "fenced": found(ORDERS, name=IN_TEXT),
    "fenced-with-tildes": found(ORDERS),
    "unfenced": found(ORDERS),
    "thunderbird-flowed": found(texts.FLOWED),
    "k9": found(ORDERS),
    "gmail-text": found(ORDERS),
    "apple-smart-quotes": found(texts.SMART),
    "windows-1250": found(texts.CENTRAL),
    "windows-1252": found(texts.GERMAN),
    "koi8": found(texts.CYRILLIC),
    "japanese": found(texts.JAPANESE),
    "quoted-below": found(ORDERS),
    "only-quoted": advised("quoted"),
    "outlook-reply": found(PLAIN),
    "outlook-web-reply": found(ORDERS),
    "unmarked-reply": found(ORDERS),
    "forwarded-gmail": found(ORDERS),
    "forwarded-outlook": found(ORDERS),
    "forwarded-apple": found(ORDERS),
    "forwarded-whole": found(ORDERS, name="orders.yaml"),
    "forwarded-encoded": found(ORDERS, name="orders.yaml"),
    "html-only": advised("html-only"),
    "html-with-empty-text": advised("html-only"),
    "nothing-in-it": advised("no-file"),
    "no-message-id": found(ORDERS),
    "no-mime": found(PLAIN),
    "indented": found(PLAIN),
    "away-and-orders": found(ORDERS),
    "trailing-mistake": found(texts.MISTAKE),
    # machines
    "away-sieve": AUTO,
    "away-exchange": AUTO,
    "away-gmail": AUTO,
    "away-old-unix": AUTO,
    "away-german": AUTO,
    "away-french": AUTO,
    "away-polish": AUTO,
    "away-russian": AUTO,
    "away-spanish": AUTO,
    "bounce-postfix": BOUNCED,
    "delay-postfix": machine(Kind.BOUNCE),
    "bounce-exim": BOUNCED,
    "bounce-exchange": BOUNCED,
    "bounce-gmail": BOUNCED,
    "bounce-qmail": BOUNCED,
    "bounce-attached": BOUNCED,
    "own-letter-sent-back": advised("own-letter"),
    "own-copy": machine(Kind.OWN),
    "mailing-list": Reading((machines.TEMPLATE,), kind=Kind.LIST),
    "newsletter": machine(Kind.LIST),
    "read-receipt": AUTO,
    "complaint": AUTO,
}


def test_every_sample_has_its_reading_and_there_are_many() -> None:
    assert sorted(READINGS) == sorted(path.stem for path in FOLDER.glob("*.eml"))
    assert len(READINGS) >= 40


def test_the_samples_are_those_that_the_script_writes() -> None:
    made = samples()
    assert {path.stem: path.read_bytes() for path in FOLDER.glob("*.eml")} == made


@pytest.mark.clause("O7")
@pytest.mark.parametrize("name", sorted(READINGS))
def test_a_sample_is_read_as_it_was_meant(name: str) -> None:
    expected = READINGS[name]
    letter = read_letter((FOLDER / f"{name}.eml").read_bytes())
    assert letter.kind is expected.kind
    assert [offer.data.decode() for offer in letter.files] == list(expected.files)
    assert letter.advice == expected.advice
    assert letter.bounce.message == expected.bounce_of
    if expected.name is not None:
        assert [offer.name for offer in letter.files] == [expected.name]
    assert letter.sender or name == "no-mime" or letter.kind is not Kind.PERSON


@pytest.mark.parametrize("name", sorted(READINGS))
@pytest.mark.parametrize("ends", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_a_sample_reads_the_same_with_the_line_ends_of_any_server(name: str, ends: bytes) -> None:
    data = (FOLDER / f"{name}.eml").read_bytes()
    same = data.replace(b"\r\n", b"\n").replace(b"\n", ends)
    letter, other = read_letter(data), read_letter(same)
    assert (other.kind, other.files, other.advice) == (letter.kind, letter.files, letter.advice)
    assert other.message_id == letter.message_id


@pytest.mark.parametrize("name", [name for name, each in READINGS.items() if each.kind is not Kind.PERSON])
def test_what_a_machine_sent_holds_no_orders_even_without_the_headers_that_say_so(name: str) -> None:
    if name == "mailing-list":  # without its headers it is a letter like any other
        return
    data = (FOLDER / f"{name}.eml").read_bytes()
    names = (b"return-path", b"auto-submitted", b"x-failed", b"precedence", b"from:", b"list-")
    head, _, body = data.partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(names)]
    assert read_letter(b"\r\n".join(kept) + b"\r\n\r\n" + body).files == ()


@pytest.mark.slow
def test_all_samples_at_once_are_dealt_with_and_nobody_else_is_written_to(office: Office) -> None:
    for data in samples().values():
        office.drop(data)
    fetched = office.fetch()
    assert (fetched.seen, fetched.troubles, fetched.problem) == (len(READINGS), [], "")
    assert office.waiting() == []
    assert {to for _, to in office.kinds()} == {"anna@example.org", "piotr@example.org", "master@example.org"}
    answered = sum(kind in ("receipt", "advice") for kind, _ in office.kinds())
    assert answered >= 40
    again = office.fetch()
    assert (again.seen, again.letters) == (0, [])


def test_every_word_of_advice_has_a_sentence() -> None:
    words = {word for each in READINGS.values() for word in each.advice}
    assert words <= set(advice_sentences())
