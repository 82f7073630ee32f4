"""``pbem doctor``: what is wrong with a machine or a game is found, and what to do is said."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from gm.cli import doctor
from gm.store.disk import locked
from tests.cli.conftest import Run


def found(run: Run, *words: str, code: int = 0) -> dict[str, dict[str, Any]]:
    report = json.loads(run("doctor", "--json", *words, code=code).output)
    assert report["well"] == (code == 0)
    return {check["what"]: check for check in report["checks"]}


def test_a_sound_game_is_well(game: Path, run: Run) -> None:
    assert {check["state"] for check in found(run).values()} <= {"good", "note"}
    assert "No problems found with pbem or the game" in run("doctor").output


def test_what_is_wrong_is_found_with_what_to_do(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game / "players.yaml").chmod(0o644)
    (game / ".turn-01.building").mkdir()
    monkeypatch.setattr(doctor, "_ROOM", 2**70)
    monkeypatch.setattr(doctor, "_DRIFT", -1.0)
    with locked(game):
        checks = found(run, code=1)
    assert {name for name, check in checks.items() if check["state"] == "wrong"} == {
        "permissions",
        "disk",
        "clock",
    }
    assert checks["permissions"]["does"] == "pbem status --tighten corrects it."
    assert checks["lock"]["says"] == "another pbem is working on the game"
    assert "Problems found: 3." in run("doctor", code=1).output


def test_another_program_of_the_same_name_is_noticed(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("gm", "pbem"):
        (tmp_path / "bin" / name).write_text("#!/bin/sh\necho GraphicsMagick\n")
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    checks = found(run, code=1)
    assert (checks["command gm"]["state"], checks["command pbem"]["state"]) == ("note", "wrong")
    assert checks["command gm"]["does"] == "Type pbem, which does the same as our gm."
    # and when ours stands before it in the path
    (tmp_path / "ours").mkdir()
    for name in ("gm", "pbem"):
        shutil.copy(tmp_path / "bin" / name, tmp_path / "ours" / name)
        (tmp_path / "ours" / name).write_text("from gm.cli import run")
    monkeypatch.setenv("PATH", str(tmp_path / "ours"), prepend=os.pathsep)
    checks = found(run)
    assert (checks["command gm"]["state"], checks["command pbem"]["state"]) == ("note", "good")
    assert checks["command gm"]["says"].endswith(f"and {tmp_path / 'ours' / 'gm'} comes before it")


def test_the_post_is_tried_when_asked_for(game: Path, run: Run) -> None:
    assert "mail" not in found(run)
    assert "pbem mail setup" in found(run, "--mail")["mail"]["does"]
    options = (
        "--from",
        "gm@example.org",
        "--imap",
        "127.0.0.1:9",
        "--smtp",
        "127.0.0.1:9",
        "--security",
        "none",
    )
    run("mail", "setup", *options)
    assert found(run, "--mail", code=1)["mail"]["state"] == "wrong"


def test_without_a_game_there_is_no_post(run: Run) -> None:
    assert "--mail needs a game" in run("doctor", "--mail", code=2).output
