"""``gm deadline``: a GM moves deadlines, and his settings file keeps its comments and stays readable."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gm.store.folder import GameFolder
from tests.cli.conftest import Run, content, write_orders

EARLY, LATE = "2026-01-09 19:59", "2026-01-09 20:01"


def due(game: Path, turn: int) -> str:
    return f"{GameFolder(game).settings.deadline.of_turn(turn):%Y-%m-%d %H:%M}"


def test_an_extension_is_for_the_coming_turn_alone(game: Path, run: Run) -> None:
    second = due(game, 2)
    assert "Turn 1 is due Saturday 2026-01-10 20:00 UTC." in run("deadline", "extend", "--hours", "24").output
    run("deadline", "extend", "--until", "2026-01-11 08:30")
    assert (due(game, 1), due(game, 2)) == ("2026-01-11 08:30", second)
    assert "has to be later" in run("deadline", "extend", "--until", "2026-01-11 08:30", code=2).output
    assert "move the turn instead" in " ".join(run("deadline", "extend", "--hours", "200", code=2).output.split())
    assert "either --hours or --until" in run("deadline", "extend", code=2).output


def test_a_move_takes_the_later_turns_with_it_and_ends_an_extension(game: Path, run: Run) -> None:
    run("deadline", "extend", "--hours", "24")
    run("deadline", "move", "2026-01-14")
    assert (due(game, 1), due(game, 2)) == ("2026-01-14 20:00", "2026-01-21 20:00")
    assert "is not after it" in run("deadline", "move", "2026-01-14", "--turn", "2", code=2).output
    assert "no date" in run("deadline", "move", "tomorrow", code=2).output


def test_a_holiday_has_no_deadline(game: Path, run: Run) -> None:
    run("deadline", "holiday", "2026-01-12", "2026-01-20", "--why", "Rest & sleep: all")
    assert (due(game, 1), due(game, 2)) == ("2026-01-09 20:00", "2026-01-23 20:00")
    assert GameFolder(game).settings.deadline.holidays[0].why == "Rest & sleep: all"
    assert "cannot end on" in run("deadline", "holiday", "2026-02-12", "2026-02-01", code=2).output


@pytest.mark.clause("O1")
def test_while_the_game_is_held_nothing_is_late(game: Path, run: Run) -> None:
    run("deadline", "hold", "the GM is ill")
    assert "on hold: the GM is ill" in run("status", "--at", LATE).output
    run("receive", write_orders(game, "LIT"), "--at", LATE)
    assert "  LIT  Lithuania       in\n" in run("status", "--at", LATE).output
    assert "has passed" in run("deadline", "resume", "--at", LATE).output
    assert "not on hold" in run("deadline", "resume", code=2).output


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
    monkeypatch.setattr("gm.cli.notices.plain_scalar", lambda text: {"not": "text"})
    run("deadline", "hold", "why", code=2)
    assert content(game) == before


def test_the_next_deadlines_are_listed(game: Path, run: Run) -> None:
    shown = run("deadline", "show", "--at", EARLY).output
    assert "turn 1    Friday 2026-01-09 20:00 UTC   in 1 minute" in shown
    assert "turn 6" in shown
    assert '"hold": ""' in run("deadline", "show", "--json").output
    assert datetime.fromisoformat("2026-01-09T20:00").replace(tzinfo=UTC) == GameFolder(game).settings.deadline.of_turn(
        1
    )
