"""The example of a package with a game, Classic Diplomacy: its wheel plays beside gm, and its own tests
pass on it.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "examples" / "plugins" / "diplomacy"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as its wheel installs it."""
    folder = tmp_path_factory.mktemp("plugin")
    run(folder, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder / "dist"), str(PLUGIN))
    (wheel,) = (folder / "dist").glob("*.whl")
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index")
    run(folder, "-m", "pip", "install", *quiet, "--target", str(folder / "site"), str(wheel))
    return folder / "site"


def run(folder: Path, *words: str, path: tuple[Path, ...] = (ROOT,)) -> str:
    """What Python prints with these packages."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, *words], env=environment, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_own_tests_pass_on_the_wheel(site: Path) -> None:
    plain = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(PLUGIN))
    said = run(PLUGIN, "-m", "pytest", *plain, "--color=no", "tests", path=(site, ROOT))
    assert "failed" not in said


def test_a_game_is_begun_played_and_checked(site: Path, tmp_path: Path) -> None:
    def gm(*words: str, folder: Path = tmp_path) -> str:
        return run(folder, "-m", "gm", *words, path=(site, ROOT))

    assert "diplomacy  Diplomacy (from gm-diplomacy 0.1.0)" in gm("games")
    gm("new", "game", "--game", "diplomacy", "--play", "FRANCE", "--bots", "greedy", "--key-secret", "x")
    game = tmp_path / "game"
    template = (game / "turns" / "turn-00" / "next" / "FRANCE.yaml").read_text("utf-8")
    orders = template.partition("orders:")[0] + "orders:\n  - A PAR - PIC\n  - A MAR - SPA\n  - F BRE - MAO\n"
    (tmp_path / "FRANCE.yaml").write_text(orders, "utf-8")
    assert gm("check", str(tmp_path / "FRANCE.yaml"), folder=game).count(" done") == 3
    gm("receive", str(tmp_path / "FRANCE.yaml"), folder=game)
    for _ in range(3):
        gm("turn", "--force", folder=game)
    page = (game / "turns" / "turn-01" / "results" / "FRANCE.html").read_text("utf-8")
    assert 'data-place="PIC"' in page
    assert "writer-data" in page
    gm("verify", folder=game)
    gm("simulate", "--game", "diplomacy", "--bots", "greedy", "--games", "1", "--turns", "6", "--jobs", "1")
