"""Full turns on the map of Europe: all 23 realms order something in every section, and everything holds."""

from pathlib import Path

import pytest

from bench.europe import order_file
from gm.core.values import PhaseLimitReached
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.report.results import read_results
from gm.games.medieval.state.invariants import broken_invariants
from gm.store.folder import GameFolder
from tests.commands import command, repeated
from tests.medieval.books import gold_problems, order_problems, troop_problems
from tests.medieval.europeland import europe, europe_world
from tests.medieval.order_reading import read_sheet
from tests.medieval.testland import rules

TURNS = 3


@pytest.mark.slow
@pytest.mark.clause("O3", "O4", "O5", "O2", "W10", "W5")
def test_turns_with_every_kind_of_order_from_all_realms_keep_their_books() -> None:
    """Gold, troops, orders and invariants add up in each turn, and every word of the grammar is used."""
    world = europe_world()
    kinds = set()
    for turn in range(1, TURNS + 1):
        sheets = {}
        for realm in sorted(world.realms):
            text = order_file(world, europe(), rules(), realm, "europe", "key")
            sheet, findings = read_sheet(
                text.encode(), f"{realm}.yaml", world=world, rules=rules(), atlas=europe(), game="europe"
            )
            assert sheet is not None
            assert not [finding.render() for finding in findings if finding.is_error]
            sheets[realm] = sheet
            kinds |= {type(order) for order in sheet.all_orders()}
            assert sheet.headquarters
            assert sheet.units
            assert any(sheet.plans.values())
        outcome = play_turn(world, sheets, rules=rules(), atlas=europe(), seed="europe")
        wrong = [
            *broken_invariants(outcome.state, rules(), europe()),
            *gold_problems(world, outcome.state, outcome.events),
            *troop_problems(world, outcome.state, outcome.events),
            *order_problems(sheets, outcome.events),
        ]
        assert wrong == []
        assert not [event for event in outcome.events if isinstance(event, PhaseLimitReached)]
        assert outcome.state.turn == turn
        world = outcome.state
    missing = {word.name for word in all_words() if word.order not in kinds}
    assert missing == set()


@pytest.mark.slow
@pytest.mark.clause("O1", "L20")
def test_a_full_turn_of_all_realms_runs_through_the_commands(tmp_path: Path) -> None:
    """All realms of Europe submit orders and get results, and `report` writes the same bytes again."""
    game = tmp_path / "europe"
    mail = tmp_path / "mail"
    mail.mkdir()
    realms = sorted(europe().realms)
    seats = repeated("--player", (f"{realm}=Player <{realm.lower()}@example.org>" for realm in realms))
    at = ("--at", "2026-01-05 12:00")
    command("new", game, "--map", "europe-1320", "--seed", "test", "--key-secret", "test", *seats, *at)
    players = GameFolder(game).players
    for realm in realms:
        player = players.of(realm)
        assert player is not None
        text = order_file(europe_world(), europe(), rules(), realm, "europe", player.key_for(1))
        (mail / f"{realm}.yaml").write_text(text, "utf-8")
    command("receive", mail, "--game", game, *at)
    assert "missing" not in command("turn", "--dry-run", "--game", game).output
    command("turn", "--game", game)
    results = game / "turns" / "turn-01" / "results"
    for realm in realms:
        results_read = read_results((results / f"{realm}.yaml").read_bytes(), f"{realm}.yaml")
        assert results_read["realm"] == realm
        assert (results / f"{realm}.html").stat().st_size > 100_000
        assert (results.parent / "next" / f"{realm}.yaml").is_file()
    assert len(list((results / "battles").glob("*.html"))) > 20
    # what was written is what the log and the orders give again
    before = {path: path.read_bytes() for path in sorted(results.rglob("*")) if path.is_file()}
    command("report", "--game", game)
    assert {path: path.read_bytes() for path in before} == before
    assert ">March<" in command("map", "show", "--moves", "--game", game).output
