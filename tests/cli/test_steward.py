"""Issue 39, item 7: the game master has a steward act for a player who is away."""

from pathlib import Path

from gm.store.folder import GameFolder
from gm.store.inbox import decisions_of
from tests.cli.conftest import Run, write_orders

EARLY = "2026-01-09 19:59"


def test_it_acts_only_for_who_is_away_and_has_no_orders_in(game: Path, run: Run) -> None:
    told = run("player", "absent", "LIT", "--until", 2, "--steward").output
    assert "A steward acts while they have no orders in." in told
    run("player", "absent", "POL", "--until", 1, "--steward")
    run("receive", write_orders(game, "POL"), "--at", EARLY)
    run("turn", "--missing-ok", "--no-html")
    run("turn", "--missing-ok", "--no-html")
    run("turn", "--missing-ok", "--no-html")
    folder = GameFolder(game)
    deputies = [decisions_of(folder.turn_record(turn)).bots for turn in (1, 2, 3)]
    assert deputies == [{"LIT": "steward"}, {"LIT": "steward"}, {}]
    assert "Proven" in run("verify", "--replay").output


def test_who_is_back_or_replaced_has_no_steward_any_more(game: Path, run: Run) -> None:
    run("player", "absent", "LIT", "--until", 2, "--steward")
    run("player", "back", "LIT")
    assert "steward" not in (game / "players.yaml").read_text("utf-8")
    run("player", "absent", "LIT", "--until", 2, "--steward")
    run("player", "replace", "LIT", "--name", "Nora", "--email", "nora@example.org")
    assert "steward" not in (game / "players.yaml").read_text("utf-8")


def test_a_game_without_a_steward_says_so(run: Run) -> None:
    run("new", "duel", "--game", "conquest-fields")
    output = run("player", "absent", "RED", "--until", 2, "--steward", "--game", "duel", code=1).output
    assert "has no steward" in output
