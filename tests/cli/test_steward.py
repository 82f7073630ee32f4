"""Issue 39, item 7: a steward acts for a player who is away, at most until orders of his own are played."""

import json
from pathlib import Path

import pytest

from gm.campaign.stored import steward_orders
from gm.cli.session import open_campaign
from gm.store.folder import GameFolder
from gm.store.inbox import decisions_of
from tests.cli.conftest import Run, write_orders

EARLY = "2026-01-09 19:59"
PLAYED = "2026-01-09 20:01"
OTHERS = ("NOV", "POL", "TEU")


def deputies(game: Path, *turns: int) -> list[tuple[str, ...]]:
    folder = GameFolder(game)
    return [decisions_of(folder.turn_record(turn)).deputies for turn in turns]


def submit(game: Path, run: Run, *realms: str, turn: int = 1, body: str = "") -> None:
    for realm in realms:
        run("receive", write_orders(game, realm, body, turn=turn), "--at", EARLY)


def test_it_acts_only_for_who_is_away_and_has_no_orders_in(game: Path, run: Run) -> None:
    output = run("player", "absent", "LIT", "--until", 2, "--steward").output
    assert "A steward acts while they have no orders in." in output
    run("player", "absent", "POL", "--until", 1, "--steward")
    submit(game, run, "POL")
    for _ in range(3):
        run("turn", "--missing-ok", "--no-html")
    assert deputies(game, 1, 2, 3) == [("LIT",), ("LIT",), ()]
    assert "Proven" in run("verify", "--replay").output


def test_the_game_waits_for_no_orders_of_a_player_with_a_steward(game: Path, run: Run) -> None:
    run("player", "absent", "LIT", "--until", 2, "--steward")
    submit(game, run, *OTHERS)
    status = run("status").output
    assert "steward    away up to turn 2" in status
    assert "Missing" not in status
    (row,) = (row for row in json.loads(run("status", "--json").output)["realms"] if row["realm"] == "LIT")
    assert (row["orders"], row["away_until"]) == ("steward", 2)
    output = run("turn", "--no-html", "--at", PLAYED).output
    assert "Orders by bots: steward for LIT." in output
    assert "Played without orders" not in output


def test_only_the_player_and_the_game_master_are_told(game: Path, run: Run) -> None:
    run("player", "absent", "LIT", "--until", 2, "--steward")
    submit(game, run, *OTHERS)
    run("turn", "--at", PLAYED)
    results = game / "turns" / "turn-01" / "results"
    sentence = "No orders of Lithuania were in, so that its steward acted."
    assert sentence in (results / "LIT.html").read_text("utf-8")
    assert "StewardActed" in (results / "LIT.yaml").read_text("utf-8")
    others = [
        path for path in results.rglob("*") if path.is_file() and path.name not in ("LIT.html", "LIT.yaml")
    ]
    assert len(others) > len(OTHERS)
    assert [path.name for path in others if b"teward" in path.read_bytes()] == []


def test_without_a_last_turn_it_acts_until_orders_of_the_player_are_played(game: Path, run: Run) -> None:
    output = run("player", "absent", "LIT", "--steward").output
    assert "away for 12 turns" in output
    assert "It ends when orders of theirs are played." in output
    run("turn", "--missing-ok", "--no-html")
    submit(game, run, "LIT", turn=2)
    run("turn", "--missing-ok", "--no-html")
    assert "away" not in run("status").output
    run("turn", "--missing-ok", "--no-html")
    assert deputies(game, 1, 2, 3) == [("LIT",), (), ()]
    assert open_campaign(game).record(3)["missing"] == ["LIT", *OTHERS]
    run("undo", "--unpublished")
    run("undo", "--unpublished")
    assert "away up to turn 12" in run("status").output  # as it was before these orders were played
    assert "Proven" in run("verify", "--replay").output


def test_orders_that_are_in_already_do_not_end_it(game: Path, run: Run) -> None:
    submit(game, run, "LIT")
    run("player", "absent", "LIT", "--steward")
    run("turn", "--missing-ok", "--no-html")
    run("turn", "--missing-ok", "--no-html")
    assert deputies(game, 1, 2) == [(), ("LIT",)]


def test_standing_orders_count_before_it(game: Path, run: Run) -> None:
    submit(game, run, "LIT", body="standing: 2\n")
    run("player", "absent", "LIT", "--steward")
    for _ in range(3):
        run("turn", "--missing-ok", "--no-html")
    assert deputies(game, 1, 2, 3) == [(), (), ("LIT",)]


def test_a_turn_that_is_undone_and_played_again_is_the_same(game: Path, run: Run) -> None:
    run("player", "absent", "LIT", "--steward")
    run("turn", "--missing-ok", "--no-html")
    log = game / "turns" / "turn-01" / "log.jsonl"
    before = log.read_bytes()
    run("undo", "--published", "--why", "a slip")
    run("player", "back", "LIT")
    run("turn", "--missing-ok", "--no-html")
    assert b"StewardActed" in before
    assert log.read_bytes().count(b"StewardActed") == 1
    assert deputies(game, 1) == [("LIT",)]
    assert "Proven" in run("verify", "--replay").output


def test_who_is_back_or_replaced_has_no_steward_any_more(game: Path, run: Run) -> None:
    for words in (("back", "LIT"), ("replace", "LIT", "--name", "Nora", "--email", "nora@example.org")):
        run("player", "absent", "LIT", "--steward")
        run("player", *words)
        text = (game / "players.yaml").read_text("utf-8")
        assert "steward" not in text
        assert [line for line in text.splitlines() if "absent" in line and not line.startswith("#")] == []


def test_how_long_is_said_in_one_of_two_ways(game: Path, run: Run) -> None:
    assert "with --until TURN, or with --steward" in run("player", "absent", "LIT", code=2).output


@pytest.mark.parametrize(("kind", "realm"), [("conquest-fields", "RED"), ("conqueror", "WESS")])
def test_a_game_without_a_steward_says_so(kind: str, realm: str, run: Run) -> None:
    """Conqueror has a bot of this name, which plays to win."""
    run("new", "duel", "--game", kind, "--player", f"{realm}=anna@example.org")
    output = run("player", "absent", realm, "--until", 2, "--steward", "--game", "duel", code=1).output
    assert "has no steward" in output


def test_what_it_ordered_is_told_in_words(game: Path, run: Run) -> None:
    campaign = open_campaign(game)
    theirs = next(land.name for land in campaign.state.owned_by("POL") if land.annexed_to == "POL")
    run("amend", "owner", theirs, "LIT", "--why", "a test")
    run("amend", "gold", "LIT", "+500", "--why", "a test")
    run("player", "absent", "LIT", "--steward")
    run("turn", "--missing-ok", "--no-html")
    assert steward_orders(open_campaign(game), 1, "LIT", str) == [f"annex: {theirs}"]
    assert steward_orders(open_campaign(game), 1, "POL", str) is None
