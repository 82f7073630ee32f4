"""``pbem deadline``: every way to move it, and the letters with calendar entries that tell the players."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.cli.conftest import Run, content
from tests.cli.posting import ADDRESSES, BEFORE, DAY_BEFORE, MASTER, REALMS, START, Office, office_of
from tests.cli.test_week import BEGINS
from tests.examples import sweep

EARLY = "2026-01-09 19:59"
LATE = "2026-01-09 20:01"


def test_the_settings_keep_their_comments_and_all_else(game: Path, run: Run) -> None:
    before = (game / "game.yaml").read_text(encoding="utf-8").splitlines()
    run("deadline", "extend", "--hours", "24")
    after = (game / "game.yaml").read_text(encoding="utf-8").splitlines()
    assert [line for line in before if line not in after and not line.startswith("  extended")] == []
    assert any("one turn alone due at another time" in line for line in after)


def test_a_change_that_cannot_be_read_again_is_taken_back(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(game)
    monkeypatch.setattr("gm.cli.notices.yaml_value", lambda text: {"not": "text"})
    run("deadline", "hold", "why", code=2)
    assert content(game) == before


SENT = "2026-01-06 10:00"


@pytest.fixture
def office(office: Office) -> Office:
    office.week(START)
    return office


def letter(office: Office, realm: str, words: str) -> EmailMessage:
    (letter,) = [message for message in office.smtp.letters(ADDRESSES[realm]) if words in message["Subject"]]
    return letter


def calendar(message: EmailMessage) -> dict[str, str]:
    """The lines of the calendar entry that came with a letter, and its method as the letter's header says
    it.
    """
    (part,) = [part for part in message.iter_attachments() if part.get_content_type() == "text/calendar"]
    text = part.get_content().replace("\r\n", "\n").replace("\n ", "")
    lines = dict(line.split(":", 1) for line in text.splitlines())
    return {**lines, "method": str(part.get_param("method"))}


CHANGES = {
    "extend": (("--hours", 24), "A new deadline", "has extended the deadline (a fair)", "20260110T200000Z"),
    "move": (("2026-01-14",), "A new deadline", "has moved the turn (a fair)", "20260114T200000Z"),
    "holiday": (
        ("2026-01-08", "2026-01-20"),
        "A holiday",
        "from 2026-01-08 to 2026-01-20 (a fair)",
        "20260123T200000Z",
    ),
}


@pytest.mark.parametrize("what", sweep(CHANGES, "move"))
def test_a_moved_deadline_is_told_once_with_an_entry_that_replaces_the_old_one(
    office: Office, run: Run, what: str
) -> None:
    arguments, subject, says, due = CHANGES[what]
    said = run("deadline", what, *arguments, "--why", "a fair", "--at", SENT).output
    assert "4 letters about it in the outbox" in said
    office.week(SENT)
    office.week("2026-01-06 10:05")
    for realm in REALMS:
        assert office.subjects(realm) == {BEGINS[realm]: 1, f"{subject}: turn 1": 1}
    text = office.text("LIT", subject)
    assert says in text
    assert "it was Friday 2026-01-09 20:00 UTC" in text
    old, new = (calendar(letter(office, "LIT", words)) for words in ("the game begins", subject))
    assert (old["UID"], old["DTEND"], new["DTEND"]) == (new["UID"], "20260109T200000Z", due)
    assert int(new["SEQUENCE"]) > int(old["SEQUENCE"])
    assert (new["METHOD"], new["method"], new["ORGANIZER"]) == (
        "PUBLISH",
        "PUBLISH",
        "mailto:minsk@example.org",
    )


@pytest.mark.slow
def test_a_hold_takes_the_entry_back_and_its_end_puts_it_in_again(office: Office, run: Run) -> None:
    run("deadline", "hold", "the GM is ill", "--at", SENT)
    run("deadline", "resume", "--at", "2026-01-07 10:00")
    office.week("2026-01-07 10:05")
    held, again = (letter(office, "POL", words) for words in ("on hold", "resumes"))
    assert "the GM is ill. Until it resumes, nothing is late" in " ".join(
        held.get_body(("plain",)).get_content().split()
    )  # type: ignore[union-attr]
    entries = [calendar(message) for message in (letter(office, "POL", "the game begins"), held, again)]
    assert [entry["METHOD"] for entry in entries] == ["PUBLISH", "CANCEL", "PUBLISH"]
    assert [entry["STATUS"] for entry in entries] == ["CONFIRMED", "CANCELLED", "CONFIRMED"]
    numbers = [int(entry["SEQUENCE"]) for entry in entries]
    assert numbers == sorted(set(numbers))
    assert len({entry["UID"] for entry in entries}) == 1


@pytest.mark.slow
def test_after_the_deadline_a_hold_that_ends_says_that_the_turn_is_next(office: Office, run: Run) -> None:
    run("deadline", "hold", "illness", "--at", DAY_BEFORE)
    run("deadline", "resume", "--at", "2026-01-10 09:00")
    run("mail", "send", "--at", "2026-01-10 09:00")
    assert "the turn will be played next, unless the game master extends the deadline" in office.text(
        "LIT", "resumes"
    )


@pytest.mark.slow
def test_before_the_game_is_mailed_nobody_hears_of_changes(game: Path, run: Run) -> None:
    with office_of(game, run) as office:
        assert "letters" not in run("deadline", "extend", "--hours", 24, "--at", START).output
        office.week(START)
        assert office.subjects("LIT") == {BEGINS["LIT"]: 1}
        assert calendar(letter(office, "LIT", "begins"))["DTEND"] == "20260110T200000Z"


@pytest.mark.slow
def test_a_later_turn_that_is_moved_is_told_without_an_entry_for_this_one(office: Office, run: Run) -> None:
    run("deadline", "move", "2026-01-28", "--turn", 3, "--at", SENT)
    office.week(SENT)
    text = office.text("LIT", "A new deadline")
    assert "has moved turn 3: its orders are due Wednesday 2026-01-28 20:00 UTC" in text
    assert "due Friday 2026-01-09 20:00 UTC, as before" in text
    assert not list(letter(office, "LIT", "A new deadline").iter_attachments())


# -- announcements -------------------------------------------------------------------------------------------

TEXT = """\
Subject: A fair in Minsk
Dear all,

* <b>beer</b> & {{ realm }}
* {% raw %} music

  from dusk
    till dawn
"""


@pytest.mark.slow
def test_an_announcement_goes_to_everybody_once_as_it_is_written(
    office: Office, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "fair.txt"
    path.write_text(TEXT)
    said = run("announce", path, "--yes", "--at", SENT).output
    assert "To LIT <anna@example.org>, NOV" in said
    assert "Dear all," in said
    office.week(SENT)
    office.week(DAY_BEFORE)
    for realm in REALMS:
        assert office.subjects(realm)["A fair in Minsk"] == 1
    message = letter(office, "LIT", "A fair")
    plain, page = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))  # type: ignore[union-attr]
    assert "* <b>beer</b> & {{ realm }}\n* {% raw %} music\n\n  from dusk\n    till dawn\n" in plain.replace(
        "\r\n", "\n"
    )
    assert "&lt;b&gt;beer" in page
    assert "<b>" not in page
    assert message["Subject"].endswith("[minsk t1 LIT]")
    assert "already" in run("announce", path, "--yes", "--at", SENT, code=1).output
    assert '"announce"' in (office.game / "journal.jsonl").read_text()


@pytest.mark.slow
def test_an_announcement_may_be_for_some_and_wants_a_word_before_it_goes(
    office: Office, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "fair.txt"
    path.write_text("Only you.\n")
    arguments = ("announce", path, "--subject", "A secret", "--to", "lit")
    assert "Stopped. Nothing was changed." in run(*arguments, code=1).output
    run(*arguments, "--yes", "--at", SENT)
    office.week(BEFORE)
    assert [realm for realm in REALMS if office.subjects(realm)["A secret"]] == ["LIT"]
    # those who have not got it still can
    assert "3 letters" in run(*arguments[:-2], "--yes", "--at", SENT).output


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"Subject: x\n\nbell\x07", "fair.txt:3: there is an invisible character"),
        (b"Subject: x\n\n\xff", "not text in UTF-8"),
        (b"no subject", "Give it a subject"),
        (b"Subject: x\n\n", "There is no text in"),
        (b"Subject: x\n\n" + b"a" * 20_000, "longer than 20000 bytes"),
    ],
    ids=["unseen", "bytes", "subject", "empty", "long"],
)
def test_what_is_no_plain_text_is_not_announced(
    office: Office, run: Run, tmp_path: Path, text: bytes, says: str
) -> None:
    path = tmp_path / "fair.txt"
    path.write_bytes(text)
    assert says in " ".join(run("announce", path, "--yes", code=2).output.split())
    assert (
        "This game has no realm XXX" in run("announce", path, "--to", "XXX", "--subject", "a", code=2).output
        or text
    )
    assert office.subjects(MASTER) == {}
