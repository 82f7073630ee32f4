"""14.B11: every letter names a way to the GM, and what a player writes that is no orders reaches him."""

from __future__ import annotations

from datetime import timedelta

from click.testing import CliRunner

from gm.cli.app import gm
from gm.mail.game_mail import subject_mark
from tests.mail.office import NOW, Office, flat, mail, text_of
from tests.mail.shapes.pieces import PLAIN, key, orders

MASTER = "master@example.org"
TO_GM = "For anything that is no orders, write to the game master: master@example.org."


def passed_on(office: Office) -> list[str]:
    return [text_of(each) for each in office.sent() if each["To"] == MASTER]


def test_every_letter_to_a_player_names_the_gm(office: Office) -> None:
    office.drop(mail(PLAIN, number="1", sender="anna@elsewhere.example"))
    office.drop(mail("hello", number="2", sender="nikita@example.org"))
    office.receive(mail(orders("TEU").replace(key("TEU"), "x"), number="3", sender="m@example.net"))
    letters = [each for each in office.sent() if each["To"] != MASTER]
    assert {kind for kind, _ in office.kinds()} == {"receipt", "advice", "notice", "gm"}
    for each in letters:
        assert flat(each).endswith(TO_GM), each["Subject"]
        assert each["From"].addresses[0].addr_spec == "gm@example.org"
        assert each["Reply-To"] is None  # an answer goes to the game


def test_who_has_no_other_mailbox_is_reached_by_an_answer(office: Office) -> None:
    settings = office.folder / "mail.yaml"
    settings.write_text(settings.read_text().replace("master@example.org", "gm@example.org"))
    office.receive(mail("When is it due?"))
    ((kind, to),) = office.kinds()
    assert (kind, to) == ("advice", "anna@example.org")
    text = flat(office.sent()[0])
    assert "just answer this letter" in text
    assert "passed on to the game master" in text
    assert len(office.moved("gm-aside")) == 1


def test_a_letter_without_orders_is_passed_on_with_its_words_and_without_its_secrets(office: Office) -> None:
    player = office.post.campaign.folder.players.of("LIT")
    assert player is not None
    mark = subject_mark(player, "minsk", 1)
    office.receive(mail(f"May I {{{{ cheat }}}}?\n<b>{key('LIT')}</b> \x1b[31m\n", subject=f"Re: hm {mark}"))
    (forwarded, advice) = office.sent()
    assert (forwarded["To"], forwarded["Reply-To"]) == (MASTER, "anna@example.org")
    assert forwarded["Subject"] == "From Lithuania: Re: hm [minsk]"
    text = text_of(forwarded)
    assert "May I {{ cheat }}?" in text
    assert key("LIT") not in text
    assert "\x1b" not in text
    assert "<b>" not in forwarded.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert "What you wrote was passed on to the game master." in flat(advice)
    assert "\r\n\r\n* There is no order file in your letter." in text_of(advice)
    office.fetch(NOW + timedelta(hours=1))
    assert len(office.sent()) == 2


def test_so_many_a_day_are_passed_on_and_the_others_are_counted(office: Office) -> None:
    for number in range(8):
        office.drop(mail(f"and {number}", number=str(number)))
    office.receive(mail("me too", number="x", sender="piotr@example.org"))
    assert len(passed_on(office)) == 6
    said = CliRunner().invoke(gm, ["status", "--game", str(office.folder), "--at", "2026-01-06 12:00"]).output
    assert "9 letters without orders for this turn (LIT 8, POL 1); 3 of them only in gm-aside." in said
    office.receive(mail("tomorrow", number="y"), NOW + timedelta(days=1, minutes=1))
    assert len(passed_on(office)) == 7


def test_what_machines_strangers_and_the_gm_himself_write_is_not_passed_on(office: Office) -> None:
    office.drop(mail("away", number="1", header={"Auto-Submitted": "auto-replied"}))
    office.drop(mail("away", number="2", subject="Automatic reply: hm"))
    office.drop(mail("ours", number="3", header={"X-GM-Game": "minsk"}))
    office.drop(mail("list", number="4", header={"List-Id": "<a.b>"}))
    office.drop(mail("buy", number="5", sender="m@example.net"))
    settings = office.folder / "players.yaml"
    settings.write_text(settings.read_text().replace("piotr@example.org", MASTER))
    office.receive(mail("a note to myself", number="6", sender=MASTER))
    assert [each for each in office.kinds() if each[0] == "gm"] == []
