"""Commands answer plainly: Ctrl-C, a file that is gone, a name that is nearly right, the one option that
is wrong.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from gm.cli import imported_commands, status, turn
from gm.cli.app import gm
from gm.core.yaml.models import load_data
from gm.resources import resource
from gm.store.trust import Command
from tests.cli.conftest import Run, content

AT = "2026-01-05 12:00"


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_ctrl_c_in_a_turn_says_that_nothing_was_changed(ready: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """item 19."""
    before = content(ready)
    monkeypatch.setattr(turn, "play", interrupted)
    result = CliRunner().invoke(gm, ["turn"])
    assert (result.exit_code, "Stopped. Nothing was changed." in result.output) == (130, True), result.output
    assert content(ready) == before


def test_ctrl_c_at_a_question_says_the_same(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """item 19."""

    def aborted(*_: object, **__: object) -> None:
        raise click.Abort

    monkeypatch.setattr(turn, "play", aborted)
    result = CliRunner().invoke(gm, ["turn", "--missing-ok"])
    assert (result.exit_code, "Stopped. Nothing was changed." in result.output) == (1, True), result.output


def test_ctrl_c_in_a_command_that_only_reads(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """item 19."""
    monkeypatch.setattr(status, "turn_plan", interrupted)
    result = CliRunner().invoke(gm, ["status"])
    assert (result.exit_code, "Stopped. Nothing was changed." in result.output) == (130, True)


def test_ctrl_c_in_a_command_of_many_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """item 19."""
    monkeypatch.setattr("gm.cli.publish.read_manifest", interrupted)
    result = CliRunner().invoke(gm, ["publish", str(tmp_path / "site")])
    assert "Stopped. What was done until then counts." in result.output


@pytest.mark.parametrize("name", ["map.yaml", "scenario.yaml", "players.yaml"])
def test_a_file_of_the_game_that_is_gone_is_told_in_the_same_words(game: Path, run: Run, name: str) -> None:
    """item 19."""
    (game / name).unlink()
    for words in (["status"], ["turn", "--missing-ok"]):
        said = run(*words, code=2).output
        assert f"{name} is missing" in said
        assert "No such file" not in said


def test_a_map_without_seas_needs_no_empty_list_of_them(tmp_path: Path, run: Run) -> None:
    """item 19."""
    shutil.copytree(resource("maps") / "medieval" / "hexland", tmp_path / "dry")
    path = tmp_path / "dry" / "map.yaml"
    world: Any = load_data(path)[0]
    seas = set(world.pop("seas"))
    world["borders"] = {
        place: [other for other in others if seas.isdisjoint([other] if isinstance(other, str) else other)]
        for place, others in world["borders"].items()
        if place not in seas
    }
    path.write_text(json.dumps(world), "utf-8")  # JSON is YAML
    said = run("map", "check", tmp_path / "dry", code=None).output
    assert "'seas'" not in said
    assert "missing" not in said, said


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("consuest", "'conquest-structures' or 'conquest-fields'"),
        ("conqeror", "'conqueror'"),
        ("mediaeval", "'medieval'"),
        ("feilds", "'conquest-fields'"),
    ],
)
def test_a_game_that_is_nearly_called_so(run: Run, typed: str, near: str) -> None:
    """item 19."""
    assert f"did you mean {near}?" in run("new", "g", "--game", typed, code=2).output


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("--zone", "Mars"), "--zone"),
        (("--every", "x y"), "--every"),
        (("--every", "mon 25:00"), "--every"),
        (("--first", "2026-02-30"), "--first"),
        (("--at", "now"), "--at"),
    ],
)
def test_an_error_names_the_one_option_that_is_wrong(run: Run, words: tuple[str, ...], option: str) -> None:
    """item 19."""
    assert f"Invalid value for '{option}'" in run("new", "g", *words, code=2).output


@pytest.mark.slow
def test_a_player_needs_no_address(run: Run) -> None:
    """item 19."""
    run("new", "g", "--player", "LIT=Anna", "--player", "POL=bob@example.org", "--bots", "--at", AT)
    assert "Anna" in run("player", "list", "--game", "g", code=None).output + Path(
        "g/players.yaml"
    ).read_text("utf-8")
    run("turn", "--missing-ok", "--game", "g")
    assert "holds no e-mail address" in run("new", "h", "--player", "LIT=Anna <anna>", code=2).output


def test_a_new_game_is_in_good_order(game: Path, run: Run) -> None:
    """item 19."""
    assert "The game is in good order. No turn has been played yet" in run("verify").output
    assert json.loads(run("verify", "--json").output)["proven"] is True


def test_the_status_of_a_folder_of_games_is_a_table(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """item 19."""
    shutil.copytree(game, game.parent / "broken")
    (game.parent / "broken" / "map.yaml").unlink()
    monkeypatch.chdir(game.parent)
    result = run("status", "--at", AT)
    rows = result.stdout.splitlines()
    assert rows[0].split() == ["game", "turn", "orders", "missing", "deadline", "left"]
    assert rows[2].split()[:8] == ["minsk", "1", "0", "of", "4", "LIT", "NOV", "POL"]
    assert "broken: " in result.stderr
    assert "map.yaml is missing" in result.stderr
    (row,) = [
        row
        for row in json.loads(run("status", "--json", "--at", AT).stdout)["games"]
        if row["game"] == "minsk"
    ]
    assert (row["in"], row["expected"], row["missing"]) == (0, 4, ["LIT", "NOV", "POL", "TEU"])


def test_a_command_to_trust_is_shown_exactly_also_where_letters_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    """item 20: a stand-in could make another command look harmless."""
    command = Command(where="hooks", does="runs", words={"1": "run аb − c?"})
    monkeypatch.setattr(sys, "stdout", type("Console", (), {"encoding": "cp1252"})())
    assert list(imported_commands.shown(command))[1] == "    1: run \\u0430b \\u2212 c?"
