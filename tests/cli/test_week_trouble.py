"""``gm week`` while something is out of order: all else goes on, the GM hears of it, and nothing is done twice."""

from __future__ import annotations

from collections import Counter

import pytest

from gm.store.disk import locked
from tests.cli.conftest import content
from tests.cli.posting import (
    AFTER,
    BEFORE,
    DAY_BEFORE,
    LATER,
    MASTER,
    SENDER,
    START,
    Office,
)
from tests.cli.test_week import BEGINS, RECEIPT, REMINDER, WAITS, turns


def test_while_another_gm_works_on_the_game_it_ends_without_harm(office: Office) -> None:
    before = content(office.game)
    with locked(office.game):
        said = office.week(START, code=1).output
    assert "Another gm is working on the game" in said
    assert content(office.game) == before
    assert office.smtp.got == []


def test_with_the_mailbox_away_it_sends_and_with_the_server_away_it_reads(office: Office) -> None:
    away = office.box.with_name("away")
    office.box.rename(away)
    office.smtp.deliver = lambda recipients, data: None
    said = office.week(START, code=1).output
    assert "is no Maildir" in said
    assert "8 letters sent" in said
    away.rename(office.box)

    office.smtp.greeting = "554 not now"
    office.orders("POL", DAY_BEFORE)
    said = office.week(DAY_BEFORE, code=1).output
    assert "1 new letter" in said
    assert "554 not now" in said
    assert office.subjects("POL") == {BEGINS["POL"]: 1}
    office.smtp.greeting = "220 stub"
    office.week("2026-01-08 21:05")
    assert office.subjects("POL") == {BEGINS["POL"]: 1, RECEIPT: 1}
    assert office.subjects("LIT") == {BEGINS["LIT"]: 1, REMINDER: 1}


def test_cron_hears_of_news_and_of_a_trouble_once(office: Office) -> None:
    assert "8 letters sent" in office.week(START, "--quiet").output
    assert office.week("2026-01-05 13:05", "--quiet").output == ""
    office.box.rename(office.box.with_name("away"))
    assert "is no Maildir" in office.week("2026-01-05 13:10", "--quiet", code=1).output
    assert office.week("2026-01-05 13:15", "--quiet", code=1).output == ""
    assert "is no Maildir" in office.run("status", "--at", "2026-01-05 13:15").output
    office.box.with_name("away").rename(office.box)
    assert office.week("2026-01-05 13:20", "--quiet").output == ""
    assert "is no Maildir" not in office.run("status").output
    office.week(AFTER, "--quiet", code=1)
    assert office.week(LATER, "--quiet", code=1).output == ""


def test_a_turn_that_cannot_be_played_is_told_once_and_letters_go_out_all_the_same(office: Office) -> None:
    office.week(START)
    office.all_orders(BEFORE)
    office.week(BEFORE)
    settings = office.game / "game.yaml"
    good = settings.read_text()
    settings.write_text(good.replace('seed: "test"', 'seed: "another"'))
    office.orders("POL", AFTER, "headquarters: {proclamation: Late.}\n")
    for at in (AFTER, LATER):
        assert "cannot be played" in office.week(at, code=1).output
    assert "the seed or the id of the game is not what it was" in office.text(MASTER, WAITS)
    assert office.subjects("POL")[RECEIPT] == 2
    assert turns(office) == ["turn-00"]
    settings.write_text(good)
    office.week("2026-01-09 20:15")
    assert turns(office) == ["turn-00", "turn-01"]


def test_a_bug_in_a_turn_leaves_one_report_however_often_it_is_met(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.week(START)
    office.all_orders(BEFORE)
    office.week(BEFORE)

    def broken(*arguments: object, **options: object) -> object:
        raise ZeroDivisionError("in some step")

    with monkeypatch.context() as patch:
        patch.setattr("gm.cli.turn.play_turn", broken)
        for at in (AFTER, LATER, "2026-01-09 20:15"):
            assert "an error in gm itself" in office.week(at, code=1).output
    assert [path.name for path in office.game.glob("crash-*.txt")] == ["crash-1.txt"]
    assert office.subjects(MASTER) == {WAITS: 1}
    office.week("2026-01-09 20:20")
    assert turns(office) == ["turn-00", "turn-01"]


def test_an_answer_that_got_lost_is_settled_by_the_copy(office: Office) -> None:
    office.smtp.data = "drop"
    office.week(START, code=1)
    # the server took one and said nothing; the others were not tried
    assert len(office.smtp.got) == 1
    office.smtp.data = "250 taken"
    office.week("2026-01-05 13:02")
    assert len(office.smtp.got) == 8
    assert set(Counter(each["Message-ID"] for each in office.smtp.letters()).values()) == {1}


def test_while_the_copies_cannot_be_read_nobody_guesses_and_the_others_get_their_letters(office: Office) -> None:
    office.smtp.data = "drop"
    office.week(START, code=1)
    office.smtp.data = "250 taken"
    office.box.rename(office.box.with_name("away"))
    office.smtp.deliver = lambda recipients, data: None
    office.week("2026-01-05 13:20", code=1)
    office.week("2026-01-05 14:20", code=1)
    assert len(office.smtp.got) == 8
    office.box.with_name("away").rename(office.box)
    office.week("2026-01-05 14:25")
    assert len(office.smtp.got) == 8


def test_a_gm_without_a_mailbox_of_his_own_finds_his_letters_among_those_that_need_his_eye(office: Office) -> None:
    office.set_mail(gm=f'"{SENDER}"')
    office.week(AFTER, code=1)
    office.week(LATER, code=1)
    assert [recipients for recipients, _ in office.smtp.got if recipients[0] == SENDER] == [(SENDER,)]
    (letter,) = (office.box / ".gm-aside/cur").iterdir()
    assert b"Subject: Turn 1 waits for you" in letter.read_bytes()
    assert len(list((office.box / ".gm-done/cur").iterdir())) == 8
