"""``gm check``: the same reader and the same turn as the real one, for players and for the GM (O2, H1)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, content, key_of, write_orders

CLEAN = "headquarters:\n  offer_peace: [POL]\n  proclamation: Good ale to all.\n"
DOUBTFUL = "headquarters:\n  send_gold: {POL: 4000}\n"
WRONG = "units:\n  Minsk:\n    plan:\n      - march: Minks\n"


def test_exit_codes_are_0_clean_1_warnings_when_strict_2_errors(game: Path, run: Run) -> None:
    clean = write_orders(game, "LIT", "headquarters:\n  annex: []\n", name="clean.yaml")
    doubtful = write_orders(game, "LIT", DOUBTFUL, name="doubtful.yaml")
    wrong = write_orders(game, "LIT", CLEAN + WRONG, name="wrong.yaml")
    assert "nothing to complain about" in run("check", clean, "--strict").output
    assert "readable, with" in run("check", doubtful).output
    run("check", doubtful, "--strict", code=1)
    assert "1 order is refused; the others stand." in run("check", wrong, "--strict", code=2).output
    run("check", wrong, code=2)


@pytest.mark.clause("O2")
def test_what_would_fail_is_a_warning_with_line_clause_and_figures(game: Path, run: Run) -> None:
    output = run("check", write_orders(game, "LIT", DOUBTFUL)).output
    assert "LIT-1.yaml:7:15: warning[trial/gold-too-little]" in output
    assert "would fail: needs 4,400 gold" in output
    assert "rule L3.1" in output


@pytest.mark.clause("H1")
def test_the_forecast_is_printed_and_a_shortfall_is_warned_of(game: Path, run: Run) -> None:
    output = run("check", write_orders(game, "LIT", DOUBTFUL)).output
    assert "warning[books/shortfall]: these orders cost" in output
    assert "rule H1" in output
    lines = {line.split("  ")[1].strip(): line.split()[-1] for line in output.splitlines() if line.startswith("  ")}
    assert lines["treasury now"] == "50"
    assert lines["headquarters"] == "−4,400"
    assert "shortfall" in lines
    # what is left over is less than the margin: a milder word
    books = json.loads(run("check", write_orders(game, "LIT"), "--json").output)["forecast"]
    spare = (float(books["surplus"]) - 1) / 1.1
    low = run("check", write_orders(game, "LIT", f"headquarters:\n  send_gold: {{POL: {spare:.2f}}}\n")).output
    assert "warning[books/low]: these orders leave" in low


def test_a_player_checks_with_nothing_but_his_results(game: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_orders(game, "LIT", DOUBTFUL + WRONG)
    by_gm = run("check", path, code=2).output
    results = (game / "turns/turn-00/results/LIT.yaml").read_bytes()
    home = game.parent / "home"
    home.mkdir()
    (home / "results.yaml").write_bytes(results)
    (home / "orders.yaml").write_bytes(path.read_bytes())
    monkeypatch.chdir(home)
    by_player = run("check", "orders.yaml", "--results", "results.yaml", code=2).output
    assert by_player.replace("orders.yaml", str(path)) == by_gm


def test_a_player_cannot_check_for_another_realm_or_with_a_wrong_key(game: Path, run: Run) -> None:
    path = write_orders(game, "LIT", CLEAN)
    other = game / "turns/turn-00/results/POL.yaml"
    assert "the orders are for LIT, but POL was to order" in run("check", path, "--results", other, code=2).output
    forged = write_orders(game, "LIT", CLEAN, name="forged.yaml", key="wrong-key-11")
    for more in ((), ("--results", game / "turns/turn-00/results/LIT.yaml")):
        output = run("check", forged, *more, code=2).output
        assert "sheet/wrong-key" in output
        assert key_of(game, "LIT") not in output


def test_the_check_cannot_see_the_games_dice(game: Path, run: Run) -> None:
    # an attack on a neighbour: the trial fights, with dice of its own
    body = "units:\n  Minsk:\n    form: {A1: The Wolves}\n    plan:\n"
    body += (
        "      - transfer: {to: A1, troops: {Slavic Nobles: 3, Archers: 4}}\n  A1:\n    plan:\n      - march: Polotsk\n"
    )
    path = write_orders(game, "LIT", body)
    outputs = set()
    for seed in ("test", "other", "third"):
        text = (game / "game.yaml").read_text(encoding="utf-8")
        start, _, rest = text.partition("seed: ")
        (game / "game.yaml").write_text(f"{start}seed: {seed}\n{rest.partition(chr(10))[2]}", encoding="utf-8")
        outputs.add(run("check", path).output)
    assert len(outputs) == 1


def test_check_changes_nothing(game: Path, run: Run) -> None:
    path = write_orders(game, "LIT", CLEAN)
    before = content(game.parent)
    run("check", path)
    assert content(game.parent) == before


def test_check_speaks_json(game: Path, run: Run) -> None:
    data = json.loads(run("check", write_orders(game, "LIT", DOUBTFUL + WRONG), "--json", code=2).output)
    assert (data["realm"], data["readable"], data["errors"]) == ("LIT", True, 1)
    assert {"trial/gold-too-little", "order/unknown-province"} <= {each["code"] for each in data["diagnostics"]}
    assert data["forecast"]["warning"] == "short"
    unreadable = game.parent / "x.yaml"
    unreadable.write_text("x: [", encoding="utf-8")
    data = json.loads(run("check", unreadable, "--json", code=2).output)
    assert (data["realm"], data["readable"], data["forecast"]) == (None, False, None)


def test_without_anything_to_check_against_it_says_what_to_do(run: Run, tmp_path: Path) -> None:
    (tmp_path / "orders.yaml").write_text("orders: 1\n", encoding="utf-8")
    output = " ".join(run("check", "orders.yaml", code=2).output.split())
    assert "give your last results with --results FILE, or the game with --game FOLDER" in output
    (tmp_path / "results.yaml").write_text("nonsense: 1\n", encoding="utf-8")
    assert "no results file" in run("check", "orders.yaml", "--results", "results.yaml", code=2).output
    assert "does not exist" in run("check", "nowhere.yaml", code=2).output


@pytest.mark.parametrize(
    "text",
    ["", "[1, 2]", "results: 1\n", "results: 1\nposition: 5\nmap: minsk\n", "results: 99\n", "\x00", "a: &a [*a]"],
)
def test_a_spoilt_results_file_is_no_crash(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "orders.yaml").write_text("orders: 1\n", encoding="utf-8")
    (tmp_path / "results.yaml").write_text(text, encoding="utf-8")
    assert "error in gm itself" not in run("check", "orders.yaml", "--results", "results.yaml", code=2).output
