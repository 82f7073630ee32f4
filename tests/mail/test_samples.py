"""What is read out of each sample mail: its kind, the order files in it byte for byte, the advice to its
sender.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Any

import pytest
from ruamel.yaml import YAML

from gm.mail.body_text import mail_data
from gm.mail.letter import Kind, read_letter
from tests.mail.office import Office
from tests.mail.shapes.pieces import OLD, ORDERS, PLAIN, SAMPLES, orders, sample

TEXTS = {"ORDERS": ORDERS, "PLAIN": PLAIN, "OLD": OLD, "POL": orders("POL")}
TEXTS |= {f"{name} with CRLF": text.replace("\n", "\r\n") for name, text in TEXTS.items()}


@dataclass(frozen=True)
class Reading:
    """What is expected of a mail."""

    files: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    kind: str = "person"
    name: str | None = None
    bounce_of: str = ""


def _reading(entry: dict[str, Any]) -> Reading:
    files = tuple(TEXTS.get(name, name) for name in entry.get("files", ()))
    return Reading(**{**entry, "files": files, "advice": tuple(entry.get("advice", ()))})


READINGS = {
    name: _reading(entry)
    for name, entry in YAML(typ="safe").load((SAMPLES / "readings.yaml").read_text("utf-8")).items()
}


def test_every_sample_has_its_reading_and_there_are_many() -> None:
    assert sorted(READINGS) == sorted(path.stem for path in SAMPLES.glob("*.eml"))
    assert len(READINGS) >= 90


@pytest.mark.clause("O7")
@pytest.mark.parametrize("name", sorted(READINGS))
def test_a_sample_is_read_as_it_was_meant(name: str) -> None:
    expected = READINGS[name]
    letter = read_letter(sample(name))
    assert letter.kind == expected.kind
    assert [offer.data.decode() for offer in letter.files] == list(expected.files)
    assert letter.advice == expected.advice
    assert letter.bounce.message == expected.bounce_of
    if expected.name is not None:
        assert [offer.name for offer in letter.files] == [expected.name]
    assert letter.sender or name == "no-mime" or letter.kind is not Kind.PERSON


@pytest.mark.parametrize("name", sorted(READINGS))
@pytest.mark.parametrize("ends", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_a_sample_reads_the_same_with_the_line_ends_of_any_server(name: str, ends: bytes) -> None:
    data = sample(name)
    same = data.replace(b"\r\n", b"\n").replace(b"\n", ends)
    letter = read_letter(data)
    other = read_letter(same)
    assert (other.kind, other.files, other.advice) == (letter.kind, letter.files, letter.advice)
    assert other.message_id == letter.message_id


@pytest.mark.parametrize("name", [name for name, reading in READINGS.items() if reading.kind != Kind.PERSON])
def test_what_a_machine_sent_holds_no_orders_even_without_the_headers_that_say_so(name: str) -> None:
    if name == "mailing-list":  # without its headers it is a letter like any other
        return
    data = sample(name)
    names = (b"return-path", b"auto-submitted", b"x-failed", b"precedence", b"from:", b"list-")
    head, _, body = data.partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(names)]
    assert read_letter(b"\r\n".join(kept) + b"\r\n\r\n" + body).files == ()


@pytest.mark.slow
def test_all_samples_at_once_are_dealt_with_and_nobody_else_is_written_to(office: Office) -> None:
    for name in sorted(READINGS):
        office.drop(sample(name))
    fetched = office.fetch()
    assert (fetched.seen, fetched.troubles, fetched.problem) == (len(READINGS), [], "")
    assert office.waiting() == []
    assert {to for _, to in office.kinds()} == {"anna@example.org", "piotr@example.org", "master@example.org"}
    answered = sum(kind in ("receipt", "advice") for kind, _ in office.kinds())
    assert answered >= 40
    again = office.fetch()
    assert (again.seen, again.letters) == (0, [])


def test_every_word_of_advice_has_a_sentence() -> None:
    words = set(chain.from_iterable(reading.advice for reading in READINGS.values()))
    assert words <= set(mail_data("advice.yaml"))
