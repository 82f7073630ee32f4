"""14.B18: cron hears the same complaint once: again when it is another one, or went away and came back.

Each of several game masters gets the letters to the GM.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.mail.settings import load_mail_settings
from gm.mail.status import new_complaints
from gm.store.disk import locked
from tests.cli.conftest import Run
from tests.cli.posting import AFTER, BEFORE, LATER, MASTER, START, Office, office_of


@pytest.fixture
def office(office: Office) -> Office:
    office.week(START)
    return office


def minutes() -> Iterator[str]:
    """The times at which cron runs."""
    for minute in range(5, 60, 5):
        yield f"2026-01-05 13:{minute:02}"


@pytest.mark.slow
def test_a_server_that_is_away_is_told_once_for_each_thing_that_it_says(office: Office, run: Run) -> None:
    at = minutes()
    run("deadline", "extend", "--hours", 1, "--at", START)
    office.smtp.greeting = "554 not now"
    assert "554 not now" in office.week(next(at), "--quiet", code=1).output
    assert office.week(next(at), "--quiet", code=1).output == ""
    office.smtp.greeting = "554 closed for good"
    assert "554 closed for good" in office.week(next(at), "--quiet", code=1).output
    assert office.week(next(at), "--quiet", code=1).output == ""
    # a hand that types the command sees it each time, and takes nothing away from cron
    assert "closed for good" in office.week(next(at), code=1).output
    assert office.week(next(at), "--quiet", code=1).output == ""
    office.smtp.greeting = "220 stub"
    assert "4 letters sent" in office.week(next(at), "--quiet").output
    assert office.week(next(at), "--quiet").output == ""
    office.smtp.greeting = "554 closed for good"
    run("deadline", "extend", "--hours", 1, "--at", START)
    assert "closed for good" in office.week(next(at), "--quiet", code=1).output


@pytest.mark.slow
def test_a_game_that_cannot_be_opened_is_told_once(office: Office) -> None:
    at = minutes()
    settings = office.game / "game.yaml"
    good = settings.read_text()
    broken = good.replace("late: take", "late: perhaps")
    for _ in range(2):
        settings.write_text(broken)
        assert "'late' is either take or refuse" in office.week(next(at), "--quiet", code=2).output
        assert office.week(next(at), "--quiet", code=2).output == ""
        settings.write_text(good)
        assert office.week(next(at), "--quiet").output == ""


@pytest.mark.slow
def test_a_game_that_somebody_else_holds_is_told_once(office: Office) -> None:
    at = minutes()
    with locked(office.game):
        assert "Another pbem is working" in office.week(next(at), "--quiet", code=1).output
        assert office.week(next(at), "--quiet", code=1).output == ""
    assert office.week(next(at), "--quiet").output == ""


@pytest.mark.slow
def test_a_letter_that_cannot_be_read_is_told_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    at = minutes()
    office.drop(b"Subject: x\n\nhello\n", START)

    def broken(path: Path, length: int) -> bytes:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("gm.mail.source._beginning", broken)
        assert "cannot be read: Input/output error" in office.week(next(at), "--quiet", code=1).output
        assert office.week(next(at), "--quiet", code=1).output == ""


def test_what_was_said_is_kept_and_a_damaged_note_only_says_it_again(tmp_path: Path) -> None:
    assert new_complaints(tmp_path, []) == []
    assert list(tmp_path.iterdir()) == []
    assert new_complaints(tmp_path, ["a", "b", "a"]) == ["a", "b"]
    assert new_complaints(tmp_path, ["b", "c"]) == ["c"]
    assert new_complaints(tmp_path, ["a", "b"]) == ["a"]
    note = tmp_path / "mail/complaints.json"
    assert json.loads(note.read_text()) == ["a", "b"]
    note.write_text("{")
    assert new_complaints(tmp_path, ["a"]) == ["a"]


# -- 14.B14: several game masters ----------------------------------------------------------------------------

SECOND = "second@example.org"


@pytest.fixture
def both(game: Path, run: Run) -> Iterator[Office]:
    with office_of(game, run, "--gm", SECOND) as office:
        yield office


def test_setup_takes_several_addresses_and_one_alone_is_written_as_before(both: Office) -> None:
    """14.B14: ``gm:`` holds one address or a list."""
    settings = load_mail_settings(both.game)
    assert (settings.gm, settings.gms) == (MASTER, (MASTER, SECOND))
    both.set_mail(gm=MASTER)
    assert load_mail_settings(both.game).gms == (MASTER,)
    both.set_mail(gm=f"[{MASTER}, 'nobody']")
    assert "'nobody' is not an e-mail address" in both.run("mail", "send", code=2).output


@pytest.mark.slow
def test_every_gm_gets_the_letters_to_the_gm_once_each(both: Office) -> None:
    """14.B14: a turn that waits is told to both, and only once."""
    both.week(BEFORE)
    for at in (AFTER, AFTER):
        both.week(at, code=1)
    for address in (MASTER, SECOND):
        assert both.subjects(address)["Turn 1 waits for you"] == 1


@pytest.mark.slow
def test_a_letter_to_one_gm_that_was_refused_goes_to_him_again(both: Office) -> None:
    """14.B14: ``pbem mail again`` does not send the second GM's letters to the first."""
    both.smtp.refused = {SECOND: "550 no such user"}
    both.week(AFTER, code=1)
    both.smtp.refused = {}
    assert SECOND in both.run("mail", "again", "--at", LATER).output
    both.week(LATER, code=1)
    assert [both.subjects(address)["Turn 1 waits for you"] for address in (SECOND, MASTER)] == [1, 1]
