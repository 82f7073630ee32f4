"""The receipt: everything that proves to a player what he sent, and what the game made of it."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from gm.campaign.check import check_file, check_text
from gm.cli.app import gm
from gm.cli.check import _game_context
from gm.mail.answers import Difference, difference
from gm.mail.attachments import unzipped
from gm.mail.body_text import mail_data
from tests.mail.office import NOW, Office, flat, keyless, mail, mark, text_of
from tests.mail.shapes.pieces import OLD, ORDERS, PLAIN, attached, key, letter, orders, parts, zipped

MISTAKES = orders(
    "LIT",
    "headquarters:\n  send_gold: {POL: 500}\n"
    "units:\n  Minsk:\n    recruit: {Archers: 1, Dragons: 2}\n    plan: [march: Moskow]\n",
)


def one_receipt(office: Office, body: str | bytes = PLAIN, now: datetime = NOW, **more: str) -> EmailMessage:
    office.receive(mail(body, **more), now)
    return office.sent()[-1]


def enclosed(message: EmailMessage) -> dict[str, bytes]:
    """The files that go with a message, by name."""
    return {str(part.get_filename()): part.get_payload(decode=True) for part in message.iter_attachments()}


def test_it_holds_version_fingerprint_deadline_and_how_to_change_it(office: Office) -> None:
    receipt = one_receipt(office)
    text = flat(receipt)
    assert "version 1" in text
    assert hashlib.sha256(PLAIN.encode()).hexdigest() in text
    assert "It is the first file of yours for this turn" in text
    assert "The deadline is Friday 2026-01-09 20:00 UTC, in 4 days 8 hours" in text
    assert "send the whole file again" in text
    assert receipt["Subject"] == "Orders received: turn 1 [minsk t1 LIT]"


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


def test_errors_stand_in_it_with_their_lines_and_in_its_subject(office: Office) -> None:
    receipt = one_receipt(office, MISTAKES)
    text = text_of(receipt)
    assert "the text of your mail:10:27: error[order/unknown-troop]" in text
    assert "the text of your mail:11:" in text
    assert receipt["Subject"].startswith("Orders received, 2 ERRORs in them")
    assert "It has 2 errors" in flat(receipt)


def test_warnings_stand_in_its_subject_too(office: Office) -> None:
    receipt = one_receipt(office, orders("LIT", "headquarters:\n  send_gold: {POL: 500}\n"))
    assert receipt["Subject"].startswith("Orders received, with ")
    assert "warning[" in text_of(receipt)


def test_time_is_told_in_the_players_own_zone(office: Office) -> None:
    players = office.folder / "players.yaml"
    text = players.read_text("utf-8").replace('"anna@example.org"', '"anna@example.org", zone: Asia/Tokyo')
    assert "Tokyo" in text
    players.write_text(text, encoding="utf-8")
    told = flat(one_receipt(office))
    assert "Saturday 2026-01-10 05:00 Asia/Tokyo, in 4 days 8 hours" in told
    assert "received Monday 2026-01-05 21:00 Asia/Tokyo" in told


def test_it_shows_what_is_different_from_the_version_before(office: Office) -> None:
    one_receipt(office, OLD)
    receipt = one_receipt(office, PLAIN, number="2")
    text = text_of(receipt)
    assert "version 2" in flat(receipt)
    assert "- offer_peace: TEU" in text
    assert "+ send_ambassador: POL" in text
    assert "+ Minsk recruit: 1 Archers" in text
    # after an empty file everything is new, and that is said
    one_receipt(office, orders("LIT"), number="3")
    assert "+ offer_peace: TEU" in text_of(one_receipt(office, OLD, number="4"))


def test_a_difference_that_is_no_orders_is_shown_line_by_line_but_for_the_key(office: Office) -> None:
    one_receipt(office, PLAIN)
    receipt = one_receipt(office, f"{PLAIN}# a word to myself\n", number="2")
    assert "the orders are the same" in flat(receipt)
    assert "+ # a word to myself" in text_of(receipt)
    assert key("LIT") not in text_of(receipt)


def test_the_same_file_again_changes_nothing_and_is_answered(office: Office) -> None:
    one_receipt(office, PLAIN)
    receipt = one_receipt(office, PLAIN, number="2")
    assert receipt["Subject"].startswith("Orders received before")
    assert "It is version 1 of your orders" in flat(receipt)


def test_a_file_that_cannot_be_read_is_answered_with_the_place_and_the_orders_before_it_stand(office: Office) -> None:
    one_receipt(office, PLAIN)
    receipt = one_receipt(office, PLAIN + "units:\n", number="2")
    assert receipt["Subject"].startswith("Your orders could NOT be used")
    assert "the text of your mail:12:1: error[source/duplicate-key]" in text_of(receipt)
    assert "the orders that came before it still stand" in flat(receipt)
    assert office.standing() == PLAIN.encode()


def test_orders_out_of_the_text_of_a_mail_come_back_as_a_file_with_that_fingerprint(office: Office) -> None:
    receipt = one_receipt(office, ORDERS)
    files = enclosed(receipt)
    assert list(files) == ["LIT-turn-01.orders.yaml"]
    assert hashlib.sha256(files["LIT-turn-01.orders.yaml"]).hexdigest() in text_of(receipt)
    assert files["LIT-turn-01.orders.yaml"] == office.standing() == ORDERS.encode()


@pytest.mark.parametrize("token", [False, True])
def test_a_file_that_comes_back_with_its_key_is_said_to_be_secret(office: Office, token: bool) -> None:
    """14.A2: also when it counts by the token of the letter that it answers; without a key there is nothing to hide."""
    subject = mark(office, "LIT") if token else "orders"
    receipt = one_receipt(office, ORDERS, subject=subject)
    assert key("LIT").encode() in enclosed(receipt)["LIT-turn-01.orders.yaml"]
    assert "with your key: show that file to nobody" in flat(receipt)
    receipt = one_receipt(office, keyless(), subject=mark(office, "LIT"), number="2")
    assert key("LIT").encode() not in enclosed(receipt)["LIT-turn-01.orders.yaml"]
    assert "show that file to nobody" not in flat(receipt)


def test_an_attached_file_does_not_come_back(office: Office) -> None:
    head = 'From: anna@example.org\nMessage-ID: <a@example.org>\nContent-Type: multipart/mixed; boundary="b"'
    office.receive(letter(head, parts("b", attached("orders.yaml", ORDERS)), trace=False))
    receipt = office.sent()[-1]
    assert enclosed(receipt) == {}
    assert hashlib.sha256(ORDERS.encode()).hexdigest() in text_of(receipt)
    assert f"orders.yaml ({len(ORDERS.encode())} bytes)" in text_of(receipt)


def test_of_two_files_in_one_letter_both_fates_are_told(office: Office) -> None:
    head = 'From: anna@example.org\nMessage-ID: <a@example.org>\nContent-Type: multipart/mixed; boundary="b"'
    both = parts(
        "b", attached("same.yaml", OLD), attached("same.yaml", ORDERS), attached("x.zip", zipped({"a": "", "b": ""}))
    )
    office.receive(letter(head, both, trace=False))
    text = flat(office.sent()[-1])
    assert hashlib.sha256(OLD.encode()).hexdigest() in text
    assert hashlib.sha256(ORDERS.encode()).hexdigest() in text
    assert "was not used, because your letter holds a later one" in text
    assert "zip archive in your letter holds several files" in text
    assert office.standing() == ORDERS.encode()


def test_late_orders_are_told_so_or_refused(office: Office) -> None:
    late = datetime(2026, 1, 9, 20, 30, tzinfo=UTC)
    assert "after the deadline, and are taken all the same" in flat(one_receipt(office, PLAIN, now=late))
    settings = office.folder / "game.yaml"
    settings.write_text(settings.read_text("utf-8").replace("late: take", "late: refuse"), encoding="utf-8")
    receipt = one_receipt(office, OLD, number="2", now=late)
    assert receipt["Subject"].startswith("Your orders came too late")
    assert "The orders that came in time count." in flat(receipt)


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
    for each in (office, other):
        one_receipt(each)
    paths = [sorted((each.folder / "mail/outbox").glob("*.eml")) for each in (office, other)]
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
    source = Path(unzipped.__code__.co_filename).parent
    used = "".join(path.read_text("utf-8") for path in source.glob("*.py"))
    assert sorted(word for word in words if f'"{word}"' not in used) == []


def test_differences_are_counted_not_only_listed() -> None:
    assert difference(["a", "a", "b"], ["a", "b", "b"], b"1", b"2") == Difference("orders", ("a",), ("b",))
    assert difference(["a"], ["a"], b"x: 1\nkey: k\n", b"key: l\nx: 1\n") == Difference("order")
    many = difference([], [str(each) for each in range(100)], b"", b"x")
    assert (len(many.added), many.more) == (40, 60)


def test_the_outbox_shows_on_the_terminal(office: Office) -> None:
    one_receipt(office)
    result = CliRunner().invoke(gm, ["mail", "outbox", "--game", str(office.folder)])
    assert "anna@example.org" in result.output
    assert "[minsk" not in result.output
