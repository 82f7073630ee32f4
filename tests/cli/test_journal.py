"""The GM's journal: whatever he did stands in it, nothing secret does, and nobody changes it unseen."""

from __future__ import annotations

from pathlib import Path

from gm.store.folder import GameFolder
from gm.store.journal import journal_of
from tests.cli.conftest import PLAYERS, Run, all_orders, key_of

EARLY = "2026-01-09 12:00"


def test_everything_that_changes_a_game_leaves_a_line(game: Path, run: Run) -> None:
    before = len(journal_of(game).entries)
    run("receive", all_orders(game), "--at", EARLY)
    run("amend", "gold", "LIT", "3", "--why", "a typing error")
    run("turn")
    run("undo", "--unpublished")
    run("turn")
    run("report")
    run("seat", "LIT", "--new-key")
    run("deadline", "extend", "--hours", "2")
    run("player", "absent", "POL", "--until", "4")
    run("export", "--out", game.parent / "a.zip")
    did = [entry["did"] for entry in journal_of(game).entries[before:]]
    assert did == ["receive", "amend", "turn", "undo", "turn", "report", "seat", "deadline", "player absent", "export"]


def test_looking_changes_nothing(game: Path, run: Run) -> None:
    before = journal_of(game).entries
    run("status")
    run("turn", "--dry-run", "--missing-ok")
    run("deadline")
    run("seat")
    run("amend")
    assert journal_of(game).entries == before


def test_nothing_secret_stands_in_it(game: Path, run: Run) -> None:
    run("receive", all_orders(game), "--at", EARLY)
    run("seat", "LIT", "--email", "secret@example.org", "--new-key")
    run("turn", "--missing-ok")
    text = (game / "journal.jsonl").read_text(encoding="utf-8")
    for realm in PLAYERS:
        player = GameFolder(game).players.of(realm)
        assert player is not None
        for secret in (player.secret, player.email, key_of(game, realm, 1), key_of(game, realm, 2)):
            assert secret not in text
