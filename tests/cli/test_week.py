"""``pbem week``: what is due is done once, in its order.

And all else goes on while something is out of order.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.store.disk import locked
from tests.cli.conftest import Run, content
from tests.cli.posting import (
    ADDRESSES,
    AFTER,
    BEFORE,
    DAY_BEFORE,
    KEY,
    LATER,
    MASTER,
    REALMS,
    SENDER,
    START,
    Office,
    office_of,
)

BEGINS = {
    "LIT": "Lithuania: the game begins",
    "NOV": "Novgorod: the game begins",
    "POL": "Poland: the game begins",
    "TEU": "Teutonic Order: the game begins",
}
RESULTS = "Poland: turn 1 has been played"
REMINDER = "Your orders are missing: turn 1"
RECEIPT = "Orders received: turn 1"
WAITS = "Turn 1 waits for you"


@pytest.fixture
def gated(game: Path, run: Run) -> Iterator[Office]:
    """The same with a gate before every mailing."""
    with office_of(game, run, "--gate") as office:
        yield office


def turns(office: Office) -> list[str]:
    return sorted(path.name for path in (office.game / "turns").iterdir())


# -- a week as it should be ----------------------------------------------------------------------------------


def test_a_week_from_the_first_letter_to_the_results(office: Office) -> None:
    """Start, receipts, two reminders and the results come in their order, each to whom it concerns."""
    office.week(START)
    assert {realm: list(office.subjects(realm)) for realm in REALMS} == {
        realm: [BEGINS[realm]] for realm in REALMS
    }

    for realm in ("LIT", "NOV", "POL"):
        office.orders(realm, "2026-01-06 10:00")
    said = office.week("2026-01-06 10:05").output
    assert "3 new letters" in said
    assert office.subjects("LIT")[RECEIPT] == 1
    assert not office.subjects("TEU")[RECEIPT]

    office.week("2026-01-07 20:00")
    office.week("2026-01-08 20:00")
    office.week("2026-01-09 08:00")
    assert {realm: office.subjects(realm)[REMINDER] for realm in REALMS} == {
        "LIT": 0,
        "NOV": 0,
        "POL": 0,
        "TEU": 2,
    }

    office.week(BEFORE)
    assert turns(office) == ["turn-00"]
    said = office.week(AFTER).output
    assert "Turn 1 has been played" in said
    assert "Played without orders from TEU" in said
    assert turns(office) == ["turn-00", "turn-01"]
    assert office.subjects("POL") == {BEGINS["POL"]: 1, RECEIPT: 1, RESULTS: 1}
    assert office.subjects(MASTER) == {}


@pytest.mark.slow
def test_however_often_it_runs_everything_happens_once(office: Office) -> None:
    times = [START, "2026-01-07 21:00", DAY_BEFORE, BEFORE, AFTER, LATER]
    for at in times:
        if at == DAY_BEFORE:
            office.all_orders(at)
        for _ in range(3):
            office.week(at)
    for realm in REALMS:
        assert set(office.subjects(realm).values()) == {1}
        assert len(office.subjects(realm)) == 4
        # a turn, a key
        assert sum(KEY in letter["Subject"] for letter in office.smtp.letters(ADDRESSES[realm])) == 2
    numbers = Counter(letter["Message-ID"] for letter in office.smtp.letters())
    assert set(numbers.values()) == {1}


@pytest.mark.slow
def test_an_extension_moves_the_turn_and_its_reminders(office: Office, run: Run) -> None:
    office.week(START)
    office.week("2026-01-09 10:00")
    run("deadline", "extend", "--hours", 24)
    office.week(AFTER)
    assert turns(office) == ["turn-00"]
    office.week("2026-01-10 10:00")
    # 12 hours before the old deadline, 24 and 10 before the new one
    assert office.subjects("LIT")[REMINDER] == 3
    office.all_orders("2026-01-10 11:00")
    office.week("2026-01-10 19:59")
    office.week("2026-01-10 20:01")
    assert turns(office) == ["turn-00", "turn-01"]


@pytest.mark.slow
def test_who_does_not_want_reminders_or_is_away_gets_none_and_is_not_waited_for(
    office: Office, run: Run
) -> None:
    office.week(START)
    start = next(letter for letter in office.smtp.letters(ADDRESSES["LIT"]) if KEY in letter["Subject"])
    mark = start["Subject"][start["Subject"].index("[") :]
    wish = (
        f"From: anna@example.org\r\nMessage-ID: <u@example.org>\r\nSubject: unsubscribe {mark}\r\n\r\nno "
        "more\r\n"
    )
    office.drop(wish.encode(), "2026-01-06 10:00")
    run("player", "absent", "POL", "--until", 1)
    office.orders("NOV", "2026-01-06 10:00")
    assert "wants no reminders" in office.week("2026-01-06 10:05").output
    office.week(DAY_BEFORE)
    assert {realm: office.subjects(realm)[REMINDER] for realm in REALMS} == {
        "LIT": 0,
        "NOV": 0,
        "POL": 0,
        "TEU": 1,
    }
    office.orders("TEU", BEFORE)
    office.week(BEFORE)
    # two of four have sent nothing, but one of them is away
    office.week(AFTER)
    assert turns(office) == ["turn-00", "turn-01"]


# -- what waits for the GM -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_at_the_gate_a_turn_waits_for_the_gm_and_goes_out_at_his_word(gated: Office) -> None:
    assert "pbem week --publish" in gated.week(START, code=1).output
    assert gated.subjects(MASTER) == {"Turn 0 waits for you": 1}
    gated.week(START, "--publish")
    assert gated.subjects("POL") == {BEGINS["POL"]: 1}
    gated.all_orders(BEFORE)
    gated.week(BEFORE)
    gated.week(AFTER, code=1)
    gated.week(LATER, code=1)
    assert turns(gated) == ["turn-00", "turn-01"]
    assert gated.subjects("POL")[RESULTS] == 0
    assert gated.subjects(MASTER) == {"Turn 0 waits for you": 1, WAITS: 1}
    summary = gated.text(MASTER, WAITS)
    assert "pbem week --publish" in summary
    assert "What looks unusual in it: * not a single unit changed its place" in summary
    gated.week("2026-01-09 21:00", "--publish")
    gated.week("2026-01-09 21:05")
    assert gated.subjects("POL")[RESULTS] == 1


@pytest.mark.slow
def test_his_word_counts_for_the_turn_that_he_has_seen_and_for_no_later_one(gated: Office) -> None:
    gated.week(START, "--publish")
    gated.all_orders(BEFORE)
    gated.week(BEFORE)
    gated.week(AFTER, code=1)
    # a week later the next one is due as well, with orders from somewhere
    gated.all_orders("2026-01-16 19:00", turn=2)
    gated.week("2026-01-16 19:00", code=1)
    said = gated.week("2026-01-16 20:05", "--publish", code=1).output
    assert "results of turn 2 wait" in said
    assert gated.subjects("POL")[RESULTS] == 1
    assert gated.subjects("POL")["Poland: turn 2 has been played"] == 0


@pytest.mark.slow
def test_when_the_mailbox_was_not_read_before_the_deadline_the_turn_waits_for_the_gm(office: Office) -> None:
    office.week(START)
    office.all_orders("2026-01-06 10:00")
    said = office.week(AFTER, code=1).output
    assert "was not read for 4 days 7 hours" in said
    assert turns(office) == ["turn-00"]
    office.week(LATER, code=1)
    assert office.subjects(MASTER) == {WAITS: 1}
    assert "was not read" in office.text(MASTER, WAITS)
    office.week("2026-01-09 20:30", "--anyway")
    assert turns(office) == ["turn-00", "turn-01"]
    assert '"week --anyway"' in (office.game / "journal.jsonl").read_text()
    # what lay in the mailbox all the time was in time
    assert "after the deadline" not in office.text("POL", RECEIPT)


@pytest.mark.slow
def test_when_most_orders_are_missing_the_turn_waits_for_the_gm(office: Office) -> None:
    office.week(START)
    office.orders("POL", BEFORE)
    office.week(BEFORE)
    assert "orders of 3 of 4 are missing: LIT, NOV, TEU" in office.week(AFTER, code=1).output
    assert "pbem deadline extend" in office.text(MASTER, WAITS)
    # while it waits, what comes is taken, and then it is played
    office.orders("LIT", LATER)
    office.orders("NOV", LATER)
    office.week(LATER)
    assert turns(office) == ["turn-00", "turn-01"]


@pytest.mark.slow
def test_while_the_game_is_held_it_only_reads_and_answers(office: Office, run: Run) -> None:
    office.week(START)
    run("deadline", "hold", "the GM is ill")
    office.orders("POL", DAY_BEFORE)
    office.week(DAY_BEFORE, code=1)
    office.week(BEFORE, code=1)
    assert "on hold: the GM is ill" in office.week(AFTER, "--anyway", code=1).output
    held = "The game is on hold: turn 1"
    assert office.subjects("POL") == {BEGINS["POL"]: 1, RECEIPT: 1, held: 1}
    assert office.subjects("LIT") == {BEGINS["LIT"]: 1, held: 1}
    assert office.subjects(MASTER) == {}
    run("deadline", "resume", "--at", AFTER)
    office.all_orders(AFTER)
    office.week(LATER)
    assert turns(office) == ["turn-00", "turn-01"]


def test_a_rehearsal_says_what_would_be_done_and_changes_nothing(office: Office) -> None:
    office.week(START)
    office.orders("POL", DAY_BEFORE)
    before = content(office.game)
    letters = len(office.smtp.got)
    box = content(office.box)
    said = office.run("week", "--pretend-now", "2026-01-09 08:00").output
    assert "POL would be reminded (12 hours)" in said
    said = office.run("week", "--pretend-now", AFTER).output
    assert "it would wait for you: before the deadline the mailbox was not read" in said
    said = office.run("week", "--pretend-now", AFTER, "--anyway").output
    assert "turn 1 would be played" in said
    assert "Nothing was done" in said
    assert (content(office.game), len(office.smtp.got), content(office.box)) == (before, letters, box)


def test_while_another_gm_works_on_the_game_it_ends_without_harm(office: Office) -> None:
    before = content(office.game)
    with locked(office.game):
        said = office.week(START, code=1).output
    assert "Another pbem is working on the game" in said
    assert content(office.game) == before
    assert office.smtp.got == []


@pytest.mark.slow
def test_with_the_mailbox_away_it_sends_and_with_the_server_away_it_reads(office: Office) -> None:
    away = office.box.with_name("away")
    office.box.rename(away)
    office.smtp.deliver = lambda recipients, data: None
    said = office.week(START, code=1).output
    assert "is not a Maildir" in said
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


@pytest.mark.slow
def test_cron_hears_of_news_and_of_a_trouble_once(office: Office) -> None:
    assert "8 letters sent" in office.week(START, "--quiet").output
    assert office.week("2026-01-05 13:05", "--quiet").output == ""
    office.box.rename(office.box.with_name("away"))
    assert "is not a Maildir" in office.week("2026-01-05 13:10", "--quiet", code=1).output
    assert office.week("2026-01-05 13:15", "--quiet", code=1).output == ""
    assert "is not a Maildir" in office.run("status", "--at", "2026-01-05 13:15").output
    office.box.with_name("away").rename(office.box)
    assert office.week("2026-01-05 13:20", "--quiet").output == ""
    assert "is not a Maildir" not in office.run("status").output
    office.week(AFTER, "--quiet", code=1)
    assert office.week(LATER, "--quiet", code=1).output == ""


@pytest.mark.slow
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


@pytest.mark.slow
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
            assert "an error in pbem itself" in office.week(at, code=1).output
    assert [path.name for path in office.game.glob("crash-*.txt")] == ["crash-1.txt"]
    assert office.subjects(MASTER) == {WAITS: 1}
    office.week("2026-01-09 20:20")
    assert turns(office) == ["turn-00", "turn-01"]


@pytest.mark.slow
def test_an_answer_that_got_lost_is_settled_by_the_copy(office: Office) -> None:
    office.smtp.data = "drop"
    office.week(START, code=1)
    # the server took one and said nothing; the others were not tried
    assert len(office.smtp.got) == 1
    office.smtp.data = "250 taken"
    office.week("2026-01-05 13:02")
    assert len(office.smtp.got) == 8
    assert set(Counter(letter["Message-ID"] for letter in office.smtp.letters()).values()) == {1}


@pytest.mark.slow
def test_while_the_copies_cannot_be_read_nobody_guesses_and_the_others_get_their_letters(
    office: Office,
) -> None:
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


@pytest.mark.slow
def test_a_gm_without_a_mailbox_of_his_own_finds_his_letters_among_those_that_need_his_eye(
    office: Office,
) -> None:
    office.set_mail(gm=f'"{SENDER}"')
    office.week(AFTER, code=1)
    office.week(LATER, code=1)
    assert [recipients for recipients, _ in office.smtp.got if recipients[0] == SENDER] == [(SENDER,)]
    (letter,) = (office.box / ".gm-aside/cur").iterdir()
    assert b"Subject: Turn 1 waits for you" in letter.read_bytes()
    assert len(list((office.box / ".gm-done/cur").iterdir())) == 8
