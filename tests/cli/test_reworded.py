"""Issue 38, item 1: a program in which every sentence is another plays on what the one before it began."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gm.resources import resource
from tests.cli.conftest import Run
from tests.test_structure import ROOT

GAMES = ("conquest-fields", "conquest-structures", "conquestination", "conqueror", "medieval")
AT = "2026-01-08 12:00"
SENTENCE = re.compile(r'^(\s*(?!clause|by|id)[\w-]+: ")(?=[^"]* )', re.MULTILINE)
RULING = re.compile(r"^(\s*ruling: >-\n\s*)", re.MULTILINE)


@pytest.fixture(scope="module")
def reworded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program whose sentences, reasons and rulings begin with another word."""
    top = tmp_path_factory.mktemp("reworded")
    shutil.copytree(ROOT / "gm", top / "gm", ignore=shutil.ignore_patterns("__pycache__", "_data"))
    for part in ("rules", "templates", "maps"):
        shutil.copytree(resource(part), top / part)
    changed = 0
    for path in (*top.glob("rules/*/reasons/*.yaml"), *top.glob("templates/*/sentences/*.yaml")):
        text, count = SENTENCE.subn(r"\1Well, ", path.read_text("utf-8"))
        path.write_text(text, "utf-8")
        changed += count
    for path in top.glob("rules/*/rulings.yaml"):
        text, count = RULING.subn(r"\1Well. ", path.read_text("utf-8"))
        path.write_text(text, "utf-8")
        changed += count
    assert changed > 500
    return top


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_a_running_game_is_played_on_and_proven_by_a_program_with_other_sentences(
    key: str, reworded: Path, tmp_path: Path, run: Run
) -> None:
    """A program whose sentences differ finds the same rules, plays the next turn and proves both turns."""
    folder = tmp_path / "game"
    run(
        "new",
        folder,
        "--game",
        key,
        "--first",
        "2026-01-09",
        "--player",
        "anna@example.org",
        "--bots",
        "--at",
        AT,
    )
    run("turn", "--game", folder, "--missing-ok", "--no-html", "--early", "--at", AT)

    def other(*words: str) -> str:
        """What the reworded program answers; it is to succeed."""
        command = [sys.executable, "-m", "gm", *words, "--game", str(folder)]
        environment = {**os.environ, "PYTHONPATH": str(reworded), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        done = subprocess.run(
            command, cwd=reworded, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert json.loads(other("status", "--json", "--at", AT))["rules"]["differences"] == []
    other("turn", "--missing-ok", "--early", "--at", AT)
    assert "Proven" in other("verify", "--replay")
    pages = (folder / "turns/turn-02/results").glob("*.html")
    assert any("Well, " in page.read_text("utf-8") for page in pages)
