"""14.B9: an address is checked in the same way wherever it comes in, and a seat may have several on
purpose.
"""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from gm.mail.parse import bare_address
from gm.store.folder import GameFolder
from gm.store.settings import checked_address
from tests.cli.conftest import Run
from tests.cli.posting import BEFORE, DAY_BEFORE, KEY, MASTER, START, Office

GOOD, BAD = YAML(typ="safe").load(Path(__file__).with_name("addresses.yaml")).values()


@pytest.mark.parametrize("text", GOOD)
def test_an_address_is_kept_as_servers_know_it(text: str) -> None:
    assert checked_address(text) == bare_address(text) == GOOD[text]


@pytest.mark.parametrize("text", BAD)
def test_what_is_none_is_refused_in_the_same_words_everywhere(game: Path, run: Run, text: str) -> None:
    with pytest.raises(ValueError, match="e-mail address"):
        checked_address(text)
    assert bare_address(text) == ""
    listed = game.parent / "friends.yaml"
    listed.write_text(f"players:\n  - {{realm: LIT, email: '{text}'}}\n")
    setup = ("mail", "setup", "--maildir", game, "--smtp", "localhost:25", "--security", "none")
    commands = [
        ("seat", "POL", "--email", text),
        ("player", "replace", "POL", "--email", text),
        (*setup, "--from", text),
        (*setup, "--from", "gm@example.org", "--gm", text),
        ("new", game.parent / "other", "--players", listed),
    ]
    # which is how it is written there; without @ it is a name
    if "@" in text and not text.startswith("Anna <"):
        commands.append(("new", game.parent / "other", "--player", f"LIT={text}"))
    before = (game / "players.yaml").read_bytes()
    for command in commands:
        said = " ".join(run(*command, code=2).output.split())
        assert BAD[text] in said, said
    assert (game / "players.yaml").read_bytes() == before
    assert not (game.parent / "other").exists()


def test_files_edited_by_hand_are_read_with_the_place_of_what_is_wrong(game: Path, run: Run) -> None:
    """A wrong address in players.yaml or mail.yaml is refused with its file and line."""
    players = game / "players.yaml"
    text = players.read_text()
    line = next(number for number, line in enumerate(text.splitlines(), start=1) if "anna@" in line)
    players.write_text(text.replace('"anna@example.org"', '"anna@"'))
    said = run("status", code=2).output
    assert f"players.yaml:{line}:" in said
    assert "'anna@' is not an e-mail address" in said
    players.write_text(text.replace('"anna@example.org"', "[anna@example.org, 'ben@']"))
    assert f"players.yaml:{line}:" in run("status", code=2).output
    players.write_text(text.replace('"anna@example.org"', "{one: two}"))
    assert "several as a list" in " ".join(run("status", code=2).output.split())
    players.write_text(text)
    run(
        "mail",
        "setup",
        "--from",
        "gm@example.org",
        "--maildir",
        game,
        "--smtp",
        "localhost:25",
        "--security",
        "none",
    )
    mail = game / "mail.yaml"
    mail.write_text(mail.read_text().replace('sender: "gm@example.org"', "sender: gm@a b"))
    assert "mail.yaml:3:" in run("mail", "check", code=2).output


@pytest.mark.slow
def test_a_seat_has_several_addresses_by_the_option_again_and_by_a_list(game: Path, run: Run) -> None:
    run("seat", "POL", "--email", "piotr@example.org", "--email", "piotr@bücher.example")
    assert (
        'email: ["piotr@example.org", "piotr@xn--bcher-kva.example"]' in (game / "players.yaml").read_text()
    )
    player = GameFolder(game).players.of("POL")
    assert player is not None
    assert player.addresses == ("piotr@example.org", "piotr@xn--bcher-kva.example")
    assert "piotr@example.org, piotr@xn--bcher-kva.example" in run("seat", "POL").output
    run("player", "replace", "LIT", "--email", "carla@example.org", "--email", "carla@work.example")
    assert (
        "plays POL already"
        in run("player", "replace", "TEU", "--email", "piotr@bücher.example", code=2).output
    )
    listed = game.parent / "friends.yaml"
    listed.write_text("players:\n  - {realm: LIT, name: Anna, email: [a@example.org, b@example.org]}\n")
    run("new", game.parent / "other", "--players", listed)
    anna = GameFolder(game.parent / "other").players.of("LIT")
    assert anna is not None
    assert anna.addresses == ("a@example.org", "b@example.org")
    run("seat", "POL", "--email", "piotr@example.org")
    assert GameFolder(game).players.of("POL").email == "piotr@example.org"  # type: ignore[union-attr]


# -- letters -------------------------------------------------------------------------------------------------

WORK = "piotr@xn--bcher-kva.example"


@pytest.mark.slow
def test_letters_go_to_every_address_and_orders_are_taken_from_any_with_the_token(
    office: Office, run: Run
) -> None:
    run("seat", "POL", "--email", "piotr@example.org", "--email", "piotr@bücher.example")
    office.week(START)
    assert office.subjects(WORK) == office.subjects("POL") == {"Poland: the game begins": 1}
    (start,) = [letter for letter in office.smtp.letters(WORK) if KEY in letter["Subject"]]
    head = (
        "From: Piotr <piotr@bücher.example>\r\nMessage-ID: <1@b.example>\r\nSubject: Re: "
        f"{start['Subject']}\r\n"
    )
    text = "orders: 1\r\ngame: minsk\r\nrealm: POL\r\nturn: 1\r\n"
    office.drop(f"{head}\r\n```\r\n{text}```\r\n".encode(), DAY_BEFORE)
    for _ in range(2):
        office.week(DAY_BEFORE)
    assert (office.game / "inbox/turn-01/POL.yaml").exists()
    assert [subject.partition(":")[0] for subject in office.subjects(WORK)][1:] == ["Orders received"]
    assert office.subjects(WORK) == office.subjects("POL")
    assert not any("another address" in subject for subject in office.subjects(MASTER))


@pytest.mark.slow
def test_a_letter_that_cannot_be_sent_is_told_in_the_exit_code_in_status_and_once_by_mail(
    office: Office, run: Run
) -> None:
    office.smtp.refused = {"piotr@example.org": "550 5.1.1 nobody here"}
    office.week(START, code=1)
    assert office.subjects(MASTER) == {"Letters that did not arrive": 1}
    text = office.text(MASTER, "did not arrive")
    assert "piotr@example.org: Poland: the game begins (failed; 550 5.1.1 nobody here)" in text
    assert "pbem seat POL --email ADDRESS" in text
    assert "failed  piotr@example.org" in run("status", "--at", START).output
    office.week("2026-01-05 14:00")
    assert office.subjects(MASTER).total() == 1
    run("seat", "TEU", "--email", "")
    assert "No letter goes to TEU" in run("status", "--at", START).output
    # the next that fails is told again, and what is lost on the way to the GM himself makes no circle
    office.smtp.refused |= {MASTER: "550 5.1.1 nobody here either"}
    office.week(DAY_BEFORE, code=1)
    failed = run("mail", "outbox").output
    assert (failed.count("piotr@example.org"), failed.count(MASTER)) == (3, 1)
    office.week("2026-01-08 21:05")
    assert run("mail", "outbox").output == failed


@pytest.mark.slow
def test_a_bounce_is_told_the_gm_once(office: Office) -> None:
    office.week(START)
    start = office.smtp.letters("piotr@example.org")[0]
    bounce = (
        "From: MAILER-DAEMON@example.org\r\nReturn-Path: <>\r\nSubject: Undelivered Mail\r\nMessage-ID: "
        "<b@x.org>\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n--b\r\n'
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nAction: failed\r\n"
        "Final-Recipient: rfc822; piotr@example.org\r\nStatus: 5.1.1\r\n\r\n--b\r\nContent-Type: "
        "message/rfc822\r\n\r\n"
        f"Message-ID: {start['Message-ID']}\r\nSubject: x\r\n\r\n--b--\r\n"
    )
    office.drop(bounce.encode(), DAY_BEFORE)
    office.week(DAY_BEFORE, code=1)
    office.week(BEFORE)
    assert office.subjects(MASTER) == {"Letters that did not arrive": 1}
