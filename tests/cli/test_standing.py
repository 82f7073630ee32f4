"""Orders that stand while their player is away: repeated as he said, and no longer (O1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.store.folder import GameFolder
from tests.cli.conftest import Run, content, order_text, write_orders

EARLY = "2026-01-09 12:00"
BODY = "standing: 3\nheadquarters:\n  send_ambassador: [POL]\n"


def give(game: Path, run: Run, realm: str, body: str, turn: int = 1, code: int = 0) -> str:
    run("receive", write_orders(game, realm, body, turn=turn, name=f"{realm}-{turn}.yaml"), "--at", EARLY, code=code)
    return run("turn", "--missing-ok").output


def orders(game: Path, turn: int, realm: str = "LIT") -> bytes | None:
    return GameFolder(game).orders(turn, [realm]).get(realm)


@pytest.mark.clause("O1")
def test_orders_stand_as_long_as_their_player_said(game: Path, run: Run) -> None:
    give(game, run, "LIT", BODY)
    for turn in (2, 3):
        assert "LIT  Lithuania       standing   as in turn 1" in run("status", "--at", EARLY).output
        assert "Standing from an earlier turn: LIT." in run("turn", "--missing-ok").output
        kept = orders(game, turn)
        assert kept is not None
        assert f"\nturn: {turn}\n".encode() in kept
        assert "An ambassador of Lithuania came to you" in (game / f"turns/turn-{turn:02}/results/POL.html").read_text(
            encoding="utf-8"
        )
    assert "LIT  Lithuania       missing" in run("status", "--at", EARLY).output
    run("turn", "--missing-ok")
    assert orders(game, 4) is None


@pytest.mark.clause("O1")
def test_a_newer_file_ends_them(game: Path, run: Run) -> None:
    give(game, run, "LIT", BODY)
    give(game, run, "LIT", "headquarters:\n  proclamation: Back again.\n", turn=2)
    assert b"Back again" in (orders(game, 2) or b"")
    run("turn", "--missing-ok")
    assert orders(game, 3) is None


@pytest.mark.clause("V3")
def test_who_takes_over_a_realm_is_not_bound_by_them(game: Path, run: Run) -> None:
    give(game, run, "LIT", BODY)
    run("player", "replace", "LIT", "--email", "new@example.org")
    run("turn", "--missing-ok")
    assert orders(game, 2) is None


@pytest.mark.parametrize(
    ("until", "says"), [("0", "must be 1 to 13"), ("14", "must be 1 to 13"), ("soon", "whole number")]
)
def test_how_long_they_may_stand(game: Path, run: Run, until: str, says: str) -> None:
    path = write_orders(game, "LIT", f"standing: {until}\nheadquarters:\n  send_ambassador: [POL]\n")
    assert says in run("receive", path, "--at", EARLY).output
    run("turn", "--missing-ok")
    run("turn", "--missing-ok")
    assert orders(game, 2) is None, "the mistake costs the standing, not the orders of the turn"
    assert orders(game, 1) is not None


def test_a_turn_with_standing_orders_can_be_reported_again_byte_for_byte(game: Path, run: Run) -> None:
    give(game, run, "LIT", BODY)
    run("turn", "--missing-ok")
    before = content(game / "turns/turn-02")
    run("report", "--turn", "2")
    assert content(game / "turns/turn-02") == before


def test_the_line_stands_anywhere_in_the_head_and_the_schema_knows_it(game: Path, run: Run) -> None:
    text = order_text(game, "LIT").replace("turn: 1\n", "standing: 2\nturn: 1   # the first\n")
    path = game.parent / "x.yaml"
    path.write_text(text, encoding="utf-8")
    run("receive", path, "--at", EARLY)
    run("turn", "--missing-ok")
    run("turn", "--missing-ok")
    assert b"\nturn: 2\n" in (orders(game, 2) or b"")
    assert '"standing"' in run("schema", "orders", "--game", game).output
