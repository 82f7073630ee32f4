"""Issue 39, item 7: a game without mail waits once for missing orders, too; its game master is told how."""

from pathlib import Path

import pytest

from gm.campaign.moves import realms_waited_for
from gm.cli.session import open_campaign
from tests.cli.conftest import Run, write_orders
from tests.desk.asking import browser

AFTER = ("--at", "2026-01-09 20:01")
SAID = "'pbem deadline extend --grace' moves the deadline once"


@pytest.fixture
def graced(game: Path, run: Run) -> Path:
    """A game with a grace of a day, in which the orders of Lithuania are missing alone."""
    run("deadline", "every", "--grace", "24h")
    for realm in ("NOV", "POL", "TEU"):
        run("receive", write_orders(game, realm), "--at", "2026-01-09 19:00")
    return game


def test_turn_says_after_the_deadline_how_to_wait_once(graced: Path, run: Run) -> None:
    assert SAID not in run("turn", "--at", "2026-01-09 19:59", code=1).output
    answer = run("turn", *AFTER, code=1).output
    assert "orders are missing from LIT (Lithuania)" in answer
    assert f"This game waits 24h for the orders of LIT: {SAID}." in answer
    output = run("deadline", "extend", "--grace", *AFTER).output
    assert "Turn 1 is due Saturday 2026-01-10 20:01 UTC." in output
    assert "It waits once for the orders of Lithuania. Tell the players" in output
    assert "The deadline has moved once for the missing orders of LIT." in run("status", *AFTER).output
    assert SAID not in run("turn", "--at", "2026-01-10 21:00", code=1).output
    run("turn", "--missing-ok", "--no-html", "--at", "2026-01-10 21:00")
    assert "Proven" in run("verify", "--replay").output


def test_it_waits_for_nobody_twice_and_for_nobody_who_is_away(graced: Path, run: Run) -> None:
    run("deadline", "extend", "--grace", *AFTER)
    again = run("deadline", "extend", "--grace", "--at", "2026-01-10 21:00", code=1).output
    assert "The deadline stays: the turn has waited once already" in again
    run("turn", "--missing-ok", "--no-html", "--at", "2026-01-10 21:00")
    later = ("--at", "2026-01-16 20:01")
    for realm in ("NOV", "POL", "TEU"):
        run("receive", write_orders(graced, realm, turn=2), "--at", "2026-01-15")
    assert "the game has waited for LIT before" in run("deadline", "extend", "--grace", *later, code=1).output
    run("player", "replace", "LIT", "--email", "carla@example.org", *later)
    campaign = open_campaign(graced)
    assert realms_waited_for(campaign, campaign.deadline(2), ["LIT"]) == ("LIT",)  # not this player
    run("player", "absent", "LIT", "--until", 2)
    assert realms_waited_for(open_campaign(graced), campaign.deadline(2), ["LIT"]) == ()


@pytest.mark.parametrize(
    ("grace", "moment", "why"),
    [
        ("none", "2026-01-09 20:01", "this game has no grace"),
        ("24h", "2026-01-09 19:59", "which has not passed"),
    ],
)
def test_a_deadline_that_stays_says_why(grace: str, moment: str, why: str, game: Path, run: Run) -> None:
    run("deadline", "every", "--grace", grace, "--early")
    assert why in run("deadline", "extend", "--grace", "--at", moment, code=1).output


def test_one_length_is_given_at_a_time(game: Path, run: Run) -> None:
    assert "--hours, --until or --grace" in run("deadline", "extend", "--grace", "--hours", 2, code=2).output
    assert "--hours, --until or --grace" in run("deadline", "extend", code=2).output


def test_status_and_desk_show_that_a_turn_waits(graced: Path, run: Run) -> None:
    assert "for each player at most 24h in the game" in run("status").output
    window = browser(graced.parent, graced.parent)
    assert "It waits for missing orders, for each player at most: 24h" in window.week()
    run("deadline", "extend", "--grace", *AFTER)
    assert "The deadline has moved once for the missing orders of: LIT" in window.week()
