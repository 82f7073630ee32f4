"""The receipt: everything that proves to a player what he sent, and what the game made of it."""

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from gm.campaign.check import check_file
from gm.campaign.check_text import check_text
from gm.campaign.unpacking import unzipped
from gm.cli.app import gm
from gm.cli.check import _game_context
from gm.mail.answers import Difference, difference
from gm.mail.body_text import mail_data
from tests.mail.office import NOW, Office, mail, text_of
from tests.mail.shapes.pieces import ORDERS, PLAIN, attached, key, letter, orders, parts

MISTAKES = orders(
    "LIT",
    "headquarters:\n  send_gold: {POL: 500}\n"
    "units:\n  Minsk:\n    recruit: {Archers: 1, Dragons: 2}\n    plan: [march: Moskow]\n",
)


def one_receipt(office: Office, body: str | bytes = PLAIN, now: datetime = NOW, **more: str) -> EmailMessage:
    office.receive(mail(body, **more), now)
    return office.sent()[-1]


@pytest.mark.parametrize("body", [PLAIN, MISTAKES, ORDERS, orders("LIT")])
def test_it_says_of_errors_warnings_and_the_forecast_what_gm_check_says(
    office: Office, tmp_path: Path, body: str
) -> None:
    text = text_of(one_receipt(office, body))
    path = Path("the text of your mail")
    (tmp_path / path).write_text(body, encoding="utf-8")
    checked = check_file(_game_context(office.folder), tmp_path / path)
    said = check_text(checked, 74).replace(f"{tmp_path}/", "")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    assert len(lines) > 5
    receipt = [line.strip() for line in text.splitlines() if line.strip()]
    start = receipt.index(lines[0])
    assert receipt[start : start + len(lines)] == lines


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_receipt_tells_what_lapses_with_a_new_file(office: Office, language: str) -> None:
    """item 30: a vote that the new file has not, in the player's language.

    The first receipt tells of nothing.
    """
    office.edit("players.yaml", {"realm: LIT,": f"realm: LIT, language: {language},"})
    said = {
        "en": "Your vote for a draw lapses: this file has no 'vote:'.",
        "de": "Deine Stimme für ein Unentschieden verfällt: Diese Datei hat kein 'vote:'.",
    }
    first = one_receipt(office, orders("LIT", "vote: draw\n"))
    assert said[language] not in " ".join(text_of(first).split())
    second = one_receipt(office, PLAIN, number="2")
    assert said[language] in " ".join(text_of(second).split())


def test_a_player_is_answered_in_his_language(office: Office, golden: Callable[[Path, str], None]) -> None:
    """16.15: the receipt for a file with mistakes, and the answer to a letter without orders, in German."""
    office.edit("players.yaml", {"realm: LIT,": "realm: LIT, language: de,"})
    letters = [one_receipt(office, MISTAKES)]
    office.receive(mail("Guten Tag! Was nun?", number="2"))
    letters += [letter for letter in office.sent()[1:] if letter["To"] == "anna@example.org"]
    office.receive(
        mail(
            PLAIN.replace("LIT", "POL").replace(key("LIT"), key("POL")),
            sender="piotr@example.org",
            number="3",
        )
    )
    assert {letter["Content-Language"] for letter in letters} == {"de"}
    assert office.sent()[-1]["Content-Language"] is None
    assert '<html lang="de">' in str(letters[0].get_body(("html",)).get_content())  # type: ignore[union-attr]
    texts = [f"{letter['Subject']}\n\n{text_of(letter)}" for letter in letters]
    golden(Path(__file__).with_name("german") / "answers.txt", "\n=====\n\n".join(texts))


def test_what_a_file_is_called_cannot_break_out_of_the_receipt(office: Office) -> None:
    name = "=?utf-8?Q?a=0D=0ABcc:_x@example.net=0D=0A=0D=0A<b>bold.yaml?="
    head = 'From: anna@example.org\nMessage-ID: <a@example.org>\nContent-Type: multipart/mixed; boundary="b"'
    office.receive(letter(head, parts("b", attached(name, ORDERS)), trace=False))
    (receipt,) = office.sent()
    assert receipt["Bcc"] is None
    html = receipt.get_body(("html",))
    assert html is not None
    assert "<b>bold" not in html.get_content()
    assert "bold" in html.get_content()


def test_two_runs_make_the_same_bytes_of_a_message(office: Office, make_office: object) -> None:
    other = make_office("other")  # type: ignore[operator]
    for sender in (office, other):
        one_receipt(sender)
    paths = [sorted((sender.folder / "mail/outbox").glob("*.eml")) for sender in (office, other)]
    assert [path.read_bytes() for path in paths[0]] == [path.read_bytes() for path in paths[1]]
    assert b'boundary="=_gm.' in paths[0][0].read_bytes()


def test_long_ids_and_links_are_not_encoded_into_what_no_program_knows(office: Office) -> None:
    number = "A" * 90 + "@AM0PR04MB5123.eurprd04.prod.mail.example.com"
    office.receive(mail(PLAIN, header={"Message-ID": f"<{number}>"}))
    (path,) = (office.folder / "mail/outbox").glob("*.eml")
    assert f"\r\nIn-Reply-To: <{number}>\r\n".encode() in path.read_bytes()
    assert max(len(line) for line in path.read_bytes().split(b"\r\n")) < 998


def test_the_advice_file_holds_a_sentence_for_every_word_that_is_used() -> None:
    words = set(mail_data("advice.yaml"))
    unpacking = Path(unzipped.__code__.co_filename)
    sources = [unpacking, *(unpacking.parent.parent / "mail").glob("*.py")]
    used = "".join(path.read_text("utf-8") for path in sources)
    assert sorted(word for word in words if f'"{word}"' not in used) == []


def test_differences_are_counted_not_only_listed() -> None:
    assert difference(["a", "a", "b"], ["a", "b", "b"], b"1", b"2") == Difference("orders", ("a",), ("b",))
    assert difference(["a"], ["a"], b"x: 1\nkey: k\n", b"key: l\nx: 1\n") == Difference("order")
    many = difference([], [str(number) for number in range(100)], b"", b"x")
    assert (len(many.added), many.more) == (40, 60)


def test_the_outbox_shows_on_the_terminal(office: Office) -> None:
    one_receipt(office)
    result = CliRunner().invoke(gm, ["mail", "outbox", "--game", str(office.folder)])
    assert "anna@example.org" in result.output
    assert "[minsk" not in result.output
