"""A turn is played before the deadline that players were told only by the GM's word.

What came in time is never called late (item 13).
"""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.store.folder import GameFolder
from tests.cli.conftest import Run, all_orders, key_of, write_orders
from tests.cli.posting import BEFORE, START, Office

BEFORE_IT = "2026-01-08 12:00"
AFTER_IT = "2026-01-09 20:01"
TURN = ("turn", "--missing-ok", "--no-html")


@pytest.fixture(autouse=True)
def unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GM_EARLY", raising=False)


def flat(text: str) -> str:
    return " ".join(text.split())


def played(game: Path) -> int:
    return GameFolder(game).newest_turn()


def test_before_the_deadline_a_script_is_told_who_was_promised_what(game: Path, run: Run) -> None:
    """item 13: also when all orders are in, which may still be changed."""
    all_orders(game)
    run("receive", game.parent / "mail", "--at", BEFORE_IT)
    for words in (("turn", "--no-html"), TURN, ("turn", "--json")):
        said = flat(run(*words, "--at", BEFORE_IT, code=1).output)
        assert "Turn 1 is due Friday 2026-01-09 20:00 UTC, in 1 day 8 hours." in said
        assert (
            "LIT (Anna), NOV (Nikita), POL (Piotr), TEU (Theo): they were told so. Nothing was played."
            in said
        )
        assert "'pbem turn --early'" in said
    assert played(game) == 0
    run(*TURN, "--early", "--at", BEFORE_IT)
    assert played(game) == 1


@pytest.mark.parametrize(("answer", "turn"), [("n\n", 0), ("", 0), ("y\n", 1)], ids=["no", "nothing", "yes"])
def test_on_a_terminal_it_asks(answer: str, turn: int, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """item 13: and what is not answered is no."""
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True)
    result = CliRunner().invoke(gm, [*TURN, "--at", BEFORE_IT], input=answer)
    assert "Play it now anyway?" in result.output
    assert played(game) == turn
    assert result.exit_code == (0 if turn else 1)


def test_at_the_deadline_nobody_is_asked(game: Path, run: Run) -> None:
    """item 13: neither then, nor for a dry run."""
    run(*TURN, "--dry-run", "--at", BEFORE_IT)
    run(*TURN, "--at", AFTER_IT)
    assert played(game) == 1


def test_a_moved_or_extended_deadline_is_a_promise_too(game: Path, run: Run) -> None:
    """item 13: what counts is the newest word."""
    run("deadline", "extend", "--hours", "24")
    assert "Saturday 2026-01-10 20:00 UTC" in flat(run(*TURN, "--at", AFTER_IT, code=1).output)
    run("deadline", "move", "2026-01-07")
    run(*TURN, "--at", BEFORE_IT)


def test_a_game_without_deadlines_is_played_whenever_one_likes(game: Path, run: Run) -> None:
    """item 13: nobody was promised anything."""
    run("deadline", "every", "none")
    run(*TURN, "--at", BEFORE_IT)
    run(*TURN, "--at", BEFORE_IT)


def test_a_game_that_somebody_plays_alone_is_played_whenever_he_likes(run: Run) -> None:
    """item 13: programs are told no deadline, and the player is the one who plays the turn."""
    run("new", "alone", "--play", "LIT", "--bots", "raider", "--deadline", "friday 20:00", "--at", START)
    run(*TURN, "--game", "alone", "--at", START)


def test_a_game_that_is_played_as_soon_as_all_orders_are_in_keeps_its_word_by_that(
    game: Path, run: Run
) -> None:
    """item 13: while orders are missing it is asked there, too."""
    run("deadline", "every", "--early")
    assert "they were told so" in run(*TURN, "--at", BEFORE_IT, code=1).output
    all_orders(game)
    run("receive", game.parent / "mail", "--at", BEFORE_IT)
    run("turn", "--no-html", "--at", BEFORE_IT)


def test_a_turn_that_was_taken_back_is_played_again_unasked(game: Path, run: Run) -> None:
    """item 13: its orders stay as they were: nobody could send others until the deadline."""
    run(*TURN, "--early", "--at", BEFORE_IT)
    run("undo", "--published", "--why", "an error of mine", "--at", BEFORE_IT)
    run(*TURN, "--at", BEFORE_IT)


def test_what_was_sent_within_the_deadline_of_a_turn_that_was_played_is_not_late(
    game: Path, run: Run
) -> None:
    """item 13: in the answer, in what is kept beside the file, and in the JSON.

    After the deadline it is late.
    """
    path = write_orders(game, "LIT", key=key_of(game, "LIT"))
    run(*TURN, "--early", "--at", BEFORE_IT)
    said = flat(run("receive", path, "--at", "2026-01-09 19:59", code=1).output)
    assert "played LIT" in " ".join(said.split())
    assert "it arrived in time, but its turn was played before the deadline" in said
    assert "late LIT" not in " ".join(said.split())
    (reasons,) = (game / "inbox/turn-02/rejected").glob("LIT-*.txt")
    assert "late" not in reasons.read_text(encoding="utf-8").replace("arrived before the deadline", "")
    assert '"late": false' in run("receive", path, "--json", "--at", "2026-01-09 20:00", code=1).output
    assert "late" in flat(run("receive", path, "--at", AFTER_IT, code=1).output)


@pytest.mark.slow
def test_a_letter_within_the_deadline_is_answered_with_what_happened(office: Office, run: Run) -> None:
    """item 13: by mail."""
    office.week(START)
    run(*TURN, "--early", "--at", BEFORE_IT)
    office.orders("LIT", BEFORE)
    office.week(BEFORE)
    subjects = " | ".join(str(letter["Subject"]) for letter in office.smtp.letters("anna@example.org"))
    assert "The turn was played before its deadline" in subjects
    assert "missed the deadline" not in subjects
    text = flat(office.text("LIT", "The turn was played before its deadline"))
    assert "Your file arrived in time but could not be accepted" in text
    assert "late" not in text.split("SHA-256")[0].replace("template", "")


@pytest.mark.slow
def test_the_week_plays_at_the_deadline_and_not_before(office: Office) -> None:
    """item 13: it never asks."""
    office.week(START)
    for realm in ("LIT", "NOV", "POL", "TEU"):
        office.orders(realm, BEFORE)
    office.week(BEFORE)
    assert played(office.game) == 0
    office.week("2026-01-09 20:05")
    assert played(office.game) == 1
