"""The documentation's site builds without a warning and asks nobody outside, and its tutorial does what it
says.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gm.cli.app import COMMANDS
from gm.games import GAMES, game_spec

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ASKED = re.compile(  # what a browser asks for by itself: not the links that people click
    r"<(?:script|img|iframe|source|video|link(?![^>]*rel=.?canonical))\b[^>]*\b(?:src|href)=[\"']?(?:https?:)?//"
    r"|@import\s+(?:url\()?[\"']?(?:https?:)?//|url\([\"']?(?:https?:)?//",
    re.IGNORECASE,
)


def run(*words: str, folder: Path = ROOT, **more: str) -> subprocess.CompletedProcess[str]:
    there = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1", **more}
    return subprocess.run(words, cwd=folder, env=there, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with every warning an error (``strict`` in mkdocs.yml): dead links and anchors are
    warnings.
    """
    folder = tmp_path_factory.mktemp("site")
    built = run(sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder))
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    return folder


def test_the_site_has_its_pages_and_asks_for_nothing_outside(site: Path) -> None:
    commands = (site / "commands.html").read_text("utf-8")
    assert [name for name in COMMANDS if f'id="pbem-{name}"' not in commands] == []
    clauses = (site / "clauses.html").read_text("utf-8")
    assert [
        clause for clause in ("W12", "CQ-1.1", "CF-5.7", "CN-7.6", "CS-1.1") if clause not in clauses
    ] == []
    strength = (site / "strength.html").read_text("utf-8")
    assert [game for game in GAMES if f"{game_spec(game).title}<a" not in strength] == []
    assert "pbem turn --no-html" in (site / "speed.html").read_text("utf-8")
    assert {path.stem for path in (site / "handbooks").iterdir()} == set(GAMES)
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    assert len(files) > 20
    assert [path.name for path in files if ASKED.search(path.read_text("utf-8"))] == []


def test_the_tutorial_can_be_followed_command_by_command(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "pbem"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gm "$@"\n', "utf-8")
    program.chmod(0o700)
    blocks = BLOCK.findall((ROOT / "docs" / "game-master" / "tutorial.md").read_text("utf-8"))
    said = ""
    here = str(tmp_path / "work")
    Path(here).mkdir()
    for kind, text in blocks:
        if kind == "text":
            assert [line for line in text.splitlines() if line not in said] == [], said
            continue
        # each block goes on in the folder where the one before it ended
        script = f'set -e\ncd "{here}"\n{text}\npwd > "{tmp_path}/here"\n'
        done = run("sh", "-c", script, PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}")
        said = done.stdout + done.stderr
        here = (tmp_path / "here").read_text("utf-8").strip()
        assert done.returncode == 0, f"{text}\n{said}"
    assert sum(kind == "sh" for kind, _ in blocks) >= 5
    assert (tmp_path / "work" / "minsk.zip").is_file()


def test_each_command_has_a_man_page(tmp_path: Path) -> None:
    written = run(sys.executable, str(ROOT / "docs" / "pages.py"), str(tmp_path / "man"))
    assert written.returncode == 0, written.stderr
    pages = {path.name: path.read_text("utf-8") for path in (tmp_path / "man").iterdir()}
    assert {f"pbem-{name}.1" for name in COMMANDS} <= set(pages)
    assert "pbem-schema-results.1" in pages
    assert all(text.startswith(".TH") for text in pages.values())
    assert "Examples" in pages["pbem-history.1"]
