"""``gm amend``: corrections in the open, kept with the turn, and none that breaks the position."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gm.campaign.open import Campaign
from gm.games.medieval.spec import MedievalGame
from gm.store.folder import GameFolder
from gm.store.journal import journal_of
from tests.cli.conftest import PLAYERS, TALK, Run, content, write_orders

WHY = ("--why", "a typing error in the start position")


def state(game: Path) -> dict[str, object]:
    return dict(json.loads((game / "turns/turn-01/state.json").read_bytes()))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("gold", "LIT", "+12.5"), "The treasury of Lithuania changed by +12.50 gold."),
        (("gold", "lit", "-3"), "The treasury of Lithuania changed by −3 gold."),
        (("owner", "minsk", "POL"), "Minsk belongs to Poland."),
        (("owner", "Minsk", "IND"), "Minsk belongs to the independents."),
        (("troops", "LIT/G1", "Archers", "+4"), "LIT/G1 has +4 Archers."),
        (("relation", "LIT", "POL", "war"), "Lithuania and Poland are at war."),
        (("relation", "LIT", "POL", "allied"), "Lithuania and Poland are allied."),
        (("permission", "Pskov", "LIT", "yes"), "Lithuania has special permission for Pskov."),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_a_correction_counts_at_once_and_everybody_reads_it(
    game: Path, run: Run, words: tuple[str, ...], says: str
) -> None:
    before = Campaign(GameFolder(game), MedievalGame()).state
    assert says in run("amend", *words, *WHY).output
    assert Campaign(GameFolder(game), MedievalGame()).state != before
    run("turn", "--missing-ok")
    for realm in PLAYERS:
        page = (game / f"turns/turn-01/results/{realm}.html").read_text(encoding="utf-8")
        assert "The game master corrected the position" in page
        assert "a typing error in the start position" in (game / f"turns/turn-01/results/{realm}.yaml").read_text()


def test_a_correction_of_gold_is_in_the_books_to_the_cent(game: Path, run: Run) -> None:
    run("amend", "gold", "LIT", "+12.34", *WHY)
    run("turn", "--missing-ok")
    own = (game / "turns/turn-01/results/LIT.yaml").read_text(encoding="utf-8")
    assert '"what": "correction by the game master", "amount": "12.34"' in own
    assert "correction by the game master" not in (game / "turns/turn-01/results/POL.yaml").read_text(encoding="utf-8")


def test_a_reason_is_needed(game: Path, run: Run) -> None:
    assert "Say why" in run("amend", "gold", "LIT", "3", code=2).output
    assert "cannot be seen" in run("amend", "gold", "LIT", "3", "--why", "because \x07 of", code=2).output


def test_a_correction_can_be_taken_back_and_both_stand_in_the_journal(game: Path, run: Run) -> None:
    run("amend", "gold", "LIT", "3", *WHY)
    run("amend", "gold", "POL", "4", *WHY)
    assert "Taken back: gold POL 4." in run("amend", "--take-back").output
    assert "gold LIT 3" in run("amend").output
    assert "gold POL" not in run("amend").output
    did = [entry["did"] for entry in journal_of(game).entries]
    assert did[-3:] == ["amend", "amend", "amend --take-back"]
    run("amend", "--take-back")
    assert "No correction" in run("amend", "--take-back", code=1).output


@pytest.mark.clause("L13")
def test_a_proclamation_can_be_rejected_before_the_turn_that_plays_itself(game: Path, run: Run) -> None:
    write_orders(game, "LIT", TALK)
    run("amend", "proclamation", "LIT", *WHY)
    run("receive", game.parent / "mail", "--at", "2026-01-09 12:00")
    run("turn", "--missing-ok")
    assert "Good ale to all" not in (game / "turns/turn-01/results/POL.html").read_text(encoding="utf-8")


def test_the_reports_of_a_corrected_turn_can_be_made_again_byte_for_byte(game: Path, run: Run) -> None:
    run("amend", "gold", "LIT", "3", *WHY)
    run("amend", "owner", "Minsk", "POL", *WHY)
    run("turn", "--missing-ok")
    before = content(game / "turns/turn-01")
    run("report", "--turn", "1")
    assert content(game / "turns/turn-01") == before
