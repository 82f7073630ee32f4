"""Letters that a report's "Send by mail" opened count as an attached file does (issue 39, item 1)."""

import re
from email.message import EmailMessage

import pytest

from gm.core.yaml.source import plain_data, read_yaml
from gm.mail.attachments import IN_PAGE, IN_TEXT
from gm.mail.compose import Writer
from gm.mail.letter import read_letter
from gm.mail.outbox import Enclosure
from gm.mail.submitting import with_submit_form
from tests.mail.accounts import reader
from tests.mail.conftest import Game
from tests.mail.correspondents import Correspondent, template_of
from tests.mail.office import NOW, Office, text_of
from tests.mail.servers import MailServers
from tests.mail.shapes.pieces import key
from tests.mail.shapes.submitted import LINK, PAGE, letters, opened

BODY = opened(LINK)["body"]
SHAPES = sorted(letters(BODY))
PLACE = re.compile(r"(?m)^ *\d+(?=  \S)")
"""The line of the file that an order in a receipt stands in."""


def addressed(letter: EmailMessage, subject: str, number: str) -> EmailMessage:
    letter["From"] = "Theo <theo@example.org>"
    letter["To"] = "minsk@example.org"
    letter["Subject"] = subject
    letter["Message-ID"] = f"<{number}@example.org>"
    return letter


def body_of(turn_key: str, game: str = "minsk") -> str:
    """The letter's text for another game on the same map."""
    text = re.sub(r"(?m)^key: \S+", f"key: {turn_key}", BODY)
    return text.replace("game: minsk", f"game: {game}")


@pytest.mark.clause("O7")
@pytest.mark.parametrize("shape", SHAPES)
def test_the_letter_counts_in_every_shape(office: Office, shape: str) -> None:
    letter = addressed(letters(body_of(key("TEU")))[shape], opened(LINK)["subject"], "1")
    reading = read_letter(letter.as_bytes())
    place = IN_PAGE if shape == PAGE else IN_TEXT
    assert [file.name for file in reading.files] == [place]
    office.receive(letter.as_bytes())
    (receipt,) = (letter for letter in office.sent() if letter["Subject"].startswith("Orders received"))
    assert receipt["In-Reply-To"] == "<1@example.org>"
    assert "version 1" in text_of(receipt)
    standing = office.standing("TEU")
    assert standing is not None
    assert plain_data(read_yaml(standing, "letter")) == plain_data(
        read_yaml(body_of(key("TEU")).encode(), "link")
    )


SMALL = (
    "game: duel\r\nturn: 1\r\nplayer: red\r\nkey: brave-otter-71\r\norders: [H1 > C1, u1 + u2 @ H1 > C1]\r\n"
)
"""The letter of another game's page (tests/browser/test_submit.py)."""


@pytest.mark.parametrize("shape", SHAPES)
def test_the_letter_of_a_small_game_says_the_same_in_every_shape(shape: str) -> None:
    reading = read_letter(addressed(letters(SMALL)[shape], "Befehle für Zug 1", "1").as_bytes())
    (file,) = reading.files
    assert plain_data(read_yaml(file.data, "letter")) == plain_data(read_yaml(SMALL.encode(), "link"))


def receipt_of(player: Correspondent, letter: EmailMessage) -> str:
    (receipt,) = (answer for answer in player.inbox() if answer["In-Reply-To"] == letter["Message-ID"])
    return text_of(receipt)


def told(receipt: str) -> str:
    """How a receipt says that the orders were understood, with what comes of them."""
    understood = receipt.partition("Your orders, tried")[2].partition("In all:")[0]
    return PLACE.sub("", understood)


@pytest.mark.slow
def test_over_real_servers_each_shape_gets_the_receipt_of_an_attached_file(
    mailboxes: MailServers, game: Game
) -> None:
    game.week("2024-01-05 12:10")
    player = reader(mailboxes, "TEU")
    turn_key = re.search(r"(?m)^key: (\S+)", template_of(player.key()))
    assert turn_key is not None
    body = body_of(turn_key[1], "europe")
    attached = player.write(body.replace("\r\n", "\n"), subject="by file", name="TEU.yaml")
    game.week("2024-01-05 12:15")
    expected = told(receipt_of(player, attached))
    assert "offer_alliance: LIT" in expected
    assert "revenue of 3 provinces" in expected
    for minute, shape in enumerate(SHAPES, 20):
        other = body.replace("2 + 2", f"{minute} + {minute}")  # none is the same as the one before
        sent = player.put(letters(other)[shape], opened(LINK)["subject"].replace("minsk", "europe"))
        assert "TEU taken" in game.week(f"2024-01-05 12:{minute}"), shape
        assert told(receipt_of(player, sent)) == expected, shape


# -- the page in the letter ----------------------------------------------------------------------------------


def test_the_address_is_that_of_the_games_mail_settings(office: Office) -> None:
    office.edit("mail.yaml", {'sender: "gm@example.org"': 'sender: "play&win@example.org"'})
    writer = Writer(office.post, NOW)
    page = (office.folder / "turns/turn-00/results/LIT.html").read_bytes()
    assert b'id="submit"' not in page
    (made,) = writer.with_submit_form("LIT", (Enclosure("LIT.html", "text/html", page),))
    text = made.data.decode()
    assert 'data-to="play&amp;win@example.org"' in text
    assert 'data-subject="Orders for turn 1 (minsk, LIT)"' in text
    assert 'data-name="minsk t1 LIT"' in text
    scripts = re.findall(r"'sha256-[^']+'", text.partition("<title>")[0])
    assert len(scripts) == len(re.findall(r"'sha256-[^']+'", page.decode().partition("<title>")[0])) + 1


def test_a_page_that_writes_no_orders_stays_as_it_is(office: Office) -> None:
    page = (office.folder / "handbook.html").read_bytes()
    writer = Writer(office.post, NOW)
    assert with_submit_form(page, writer.submit_form("LIT")) == page
