"""Item 24: what servers give back is known as that, told to the GM once each, and shown by ``pbem
status``.
"""

import base64
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from gm.cli.app import gm
from gm.mail.letter import Kind, Letter, read_letter
from gm.mail.outbox import State
from tests.mail.office import NOW, Office, flat, mail
from tests.mail.shapes.pieces import OURS

CASES = YAML(typ="safe").load((Path(__file__).parent / "shapes/bounces.yaml").read_text("utf-8"))
SUBJECT = "Poland: the game begins [minsk t1 POL]"
PIOTR = "piotr@example.org"
MASTER = "master@example.org"


def written(case: dict[str, Any], ours: str = OURS) -> bytes:
    """Return a message of the cases about one letter of ours."""
    packed = base64.b64encode(filled(case.get("base64", ""), ours).encode()).decode()
    return filled(case["mail"], ours).replace("{base64}", packed).encode()


def filled(text: str, ours: str = OURS) -> str:
    return text.replace("{to}", PIOTR).replace("{id}", ours).replace("{subject}", SUBJECT)


def read(data: bytes) -> Letter:
    return read_letter(data)


@pytest.mark.parametrize("name", CASES["failed"])
def test_a_letter_that_came_back_is_known_whatever_server_says_so(name: str) -> None:
    """Item 24: by its recipient, or by our id anywhere in it."""
    case = CASES["failed"][name]
    letter = read(written(case))
    assert letter.kind is Kind.BOUNCE
    assert letter.bounce.failed
    assert (OURS in letter.bounce.messages) == case.get("id", False)
    assert PIOTR in letter.bounce.recipients or case.get("id")


@pytest.mark.parametrize("name", CASES["delayed"])
def test_word_of_a_delay_or_of_success_is_no_bounce(name: str) -> None:
    """Item 24: the server still tries, and nothing is lost."""
    letter = read(written(CASES["delayed"][name]))
    assert letter.kind is Kind.BOUNCE
    assert not letter.bounce.failed
    assert letter.bounce.messages == ()


@pytest.mark.parametrize("name", CASES["people"])
def test_what_a_person_writes_about_a_bounce_is_a_letter(name: str) -> None:
    """Item 24: a person's letter that quotes an address, a subject or a whole report is no bounce."""
    assert read(filled(CASES["people"][name]).encode()).kind is Kind.PERSON


def deliver_all(office: Office) -> None:
    post = office.post
    for message in post.outbox.messages:
        post.outbox.set_state(message.id, State.SENT, NOW)


@pytest.fixture
def post_office(office: Office) -> Office:
    """A game from which Poland's player was sent a letter."""
    office.receive(mail("hello", sender=PIOTR, number="hello"))
    deliver_all(office)
    return office


def status_of(office: Office) -> str:
    return CliRunner().invoke(gm, ["status", "--game", str(office.folder), "--at", "2026-01-05 12:00"]).output


def to_gm(office: Office) -> list[str]:
    return [
        flat(letter)
        for letter in office.sent()
        if letter["To"] == MASTER and "server reports" in flat(letter)
    ]


def test_every_server_is_told_of_and_nobody_twice(post_office: Office) -> None:
    """Item 24: told to the GM once for each address, and shown in ``status``."""
    without_id = [case for case in CASES["failed"].values() if not case.get("id")]
    for number, case in enumerate(without_id):
        post_office.drop(
            written(case, "another@example.com").replace(b"Subject:", b"X-Number: %d\nSubject:" % number, 1)
        )
    post_office.fetch()
    (notice,) = to_gm(post_office)
    assert f"a letter to {PIOTR} could not be delivered" in notice
    assert "pbem seat POL --email ADDRESS" in notice
    assert (
        f"{len(without_id)} server reports without our id: a letter to {PIOTR} did not arrive."
        in status_of(post_office)
    )
    # anybody could say so
    assert State.BOUNCED not in {message.state for message in post_office.post.outbox.messages}


def test_our_id_anywhere_in_a_servers_letter_marks_the_letter_as_lost(post_office: Office) -> None:
    """Item 24: also where the server writes it in clear text, or packs it in base64."""
    post = post_office.post
    entries = [message for message in post.outbox.messages if message.to == PIOTR]
    ours = post.message_id(entries[0].id)
    for name in ("a daemon without an address", "Office 365, the original in base64"):
        deliver_all(post_office)
        post_office.receive(written(CASES["failed"][name], ours))
        assert post_office.post.outbox.entries[entries[0].id].state is State.BOUNCED, name


def test_a_report_without_any_address_is_told_of_once_a_day(post_office: Office) -> None:
    """Item 24: a report that names nobody we wrote to is told once a day, and counted."""
    for number in range(3):
        text = f"We could not deliver your message {number}."
        post_office.drop(
            mail(text, sender="MAILER-DAEMON@x.org", subject="failure notice", number=f"b{number}")
        )
    post_office.fetch()
    (notice,) = to_gm(post_office)
    assert "neither the id of a letter of this game nor an address" in notice
    assert "3 server reports without our id: a letter to somebody unknown did not arrive" in status_of(
        post_office
    )
    post_office.receive(
        mail("no", sender="MAILER-DAEMON@x.org", subject="failure notice"), NOW + timedelta(days=1)
    )
    assert len(to_gm(post_office)) == 2


def test_a_report_of_a_delay_tells_nobody_anything(post_office: Office) -> None:
    """Item 24: delayed warnings are no bounces."""
    before = len(post_office.sent())
    for case in CASES["delayed"].values():
        post_office.drop(written(case))
    post_office.fetch()
    assert len(post_office.sent()) == before
    assert "server report" not in status_of(post_office)
