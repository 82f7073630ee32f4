"""The clock of games in which one side moves at a time, as ``clock.yaml`` tells it, and games that can
have none.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from gm.cli.session import open_campaign
from tests.conquest_fields.boards import words
from tests.games.conftest import Run

CASES = YAML(typ="safe").load(Path(__file__).with_name("clock.yaml"))
SEATS = ("--player", "RED=a@example.org", "--player", "GREEN=b@example.org")
HOUR = 3600


def begin(run: Run, folder: Path, game: str, *more: str, code: int = 0) -> str:
    options = ("--first", "2026-01-09", "--seed", "s", "--key-secret", "k", "--at", "2026-01-05 12:00")
    return run("new", str(folder), "--game", game, *options, *more, code=code).output


def take(run: Run, folder: Path, step: Mapping[str, Any]) -> None:
    """Play a step: orders that came at a time, the turn, and what the clocks show after it."""
    if "gm" in step:
        run(*step["gm"].split())
    campaign = open_campaign(folder)
    if side := step.get("by"):
        board = campaign.table.board
        *_, made = campaign.state.position(board).moves(board)
        path = folder.parent / "orders.yaml"
        template = folder / f"turns/turn-{campaign.newest_turn:02}/next/{side}.yaml"
        path.write_text(f"{template.read_text()}\nmove: {words(board, made)}\n")
        run("receive", str(path), "--at", f"2026-{step['came']}")
    run("turn", *([] if side else ["--missing-ok"]), "--at", f"2026-{step['at']}")
    after = open_campaign(folder)
    assert f"{after.deadline(after.next_turn):%m-%d %H:%M}" == step["due"]
    record = after.folder.turn_record(after.newest_turn)
    assert {code: seconds / HOUR for code, seconds in record["clock"].items()} == step["left"]
    results = (folder / f"turns/turn-{after.newest_turn:02}/results/RED.yaml").read_text()
    assert f"2026-{step['due']}" in results.split("next_deadline:")[1].split("\n")[0]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_clock_of_whoever_is_to_move_runs(
    case: dict[str, Any], tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone = ("--zone", case["zone"]) if "zone" in case else ()
    begin(run, tmp_path / "game", case["game"], *SEATS, "--clock", case["clock"], *zone)
    monkeypatch.chdir(tmp_path / "game")
    for step in case["steps"]:
        take(run, tmp_path / "game", step)
    assert f"Clocks ({case['clock']})" in run("status").output
    assert json.loads(run("status", "--json").output)["early"]
    assert "came out the same" in run("verify", "--replay").output


@pytest.mark.parametrize(
    ("game", "more", "says"),
    [
        ("medieval", ("--clock", "14d+1d"), "nobody waits for another's move"),
        ("conquest-structures", ("--clock", "14d+1d"), "nobody waits for another's move"),
        ("conquestination", ("--clock", "14d+1d"), "nobody waits for another's move"),
        ("conquest-fields", ("--clock", "14"), "'14' is not a clock; write bank and increment like 14d+1d"),
        ("conquest-fields", ("--clock", "0d+1d"), "'0d+1d' is not a clock"),
    ],
)
def test_what_can_have_no_clock_is_told(
    game: str, more: tuple[str, ...], says: str, tmp_path: Path, run: Run
) -> None:
    assert says in " ".join(begin(run, tmp_path / "game", game, *more, code=2).split())
    assert not (tmp_path / "game").exists()


def test_islands_have_a_clock_where_one_player_moves_at_a_time(tmp_path: Path, run: Run) -> None:
    begin(
        run,
        tmp_path / "game",
        "conquestination",
        "--set",
        "mode=single",
        "--set",
        "players=2",
        "--clock",
        "2d+1h",
    )
    folder = tmp_path / "game"
    for played, due in (("2026-01-06 10:00", "01-08 10:00"), ("2026-01-08 10:00", "01-10 10:00")):
        run("turn", "--missing-ok", "--at", played, "--game", str(folder))
        after = open_campaign(folder)
        assert f"{after.deadline(after.next_turn):%m-%d %H:%M}" == due
