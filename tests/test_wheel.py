"""The built wheel, installed on its own, finds its rules, maps and templates and plays a turn."""

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILT_FROM = ("gm", "rules", "maps", "templates", "examples")
FILES = ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md")

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that has to succeed, without the checkout in sight."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")
    }
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of what ships, without isolation: nothing is downloaded."""
    source = tmp_path_factory.mktemp("source")
    for name in BUILT_FROM:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, source / name)
    run(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        source / "dist",
        source,
        cwd=source,
    )
    (built,) = (source / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def gm(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command ``gm`` of an environment with the wheel in it.

    What it depends on comes from the tests' own.
    """
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    install = ("-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--quiet", wheel)
    run(sys.executable, *install, cwd=folder)
    here = run(
        sys.executable, "-c", "import pydantic; print(pydantic.__path__[0])", cwd=folder
    ).stdout.strip()
    there = run(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder
    ).stdout.strip()
    # appended to its path, behind the wheel; editable installs of the tests' environment are not followed
    # from there
    (Path(there) / "dependencies.pth").write_text(f"{Path(here).parent}\n", encoding="utf-8")
    return folder / "bin" / "gm"


def test_the_packages_page_has_no_link_or_picture_that_is_missing_there(wheel: Path) -> None:
    """Issue 38, item 6: links of the README lead into the repository, which the page does not have."""
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        page = files.read(name).decode().partition("\n\n")[2]
    assert "pbem new my-game" in page
    assert [link for link in re.findall(r"\]\(([^)]+)\)", page) if not link.startswith("https:")] == []


def test_the_wheel_holds_every_shipped_file(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("rules", "maps", "templates"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
                assert f"gm/_data/{path.relative_to(ROOT).as_posix()}" in names
    # what the public site hands on; the others are for who reads the sources
    assert [name for name in names if name.startswith("gm/_data/examples/")] == [
        "gm/_data/examples/verify_dice.py"
    ]
    assert "gm/py.typed" in names
    assert not any(name.startswith(("tests/", "bench/")) for name in names)


def test_the_installed_command_is_the_wheels_and_plays_a_turn(gm: Path, tmp_path: Path) -> None:
    where = run(gm.with_name("python"), "-c", "import gm; print(gm.__file__)", cwd=tmp_path).stdout
    assert str(gm.parent.parent) in where
    assert run(gm, "--version", cwd=tmp_path).stdout.strip()
    run(gm, "new", "game", "--seed", "wheel", "--player", "LIT=anna@example.org", cwd=tmp_path)
    template = next((tmp_path / "game" / "turns" / "turn-00" / "next").glob("LIT*.yaml"))
    run(gm, "check", template, "--game", "game", cwd=tmp_path)
    run(gm, "receive", template, "--game", "game", cwd=tmp_path)
    run(gm, "turn", "--game", "game", cwd=tmp_path)
    results = tmp_path / "game" / "turns" / "turn-01" / "results"
    assert (results / "LIT.yaml").stat().st_size > 1000
    assert "<html" in (results / "LIT.html").read_text(encoding="utf-8")
    assert "<svg" in run(gm, "map", "show", "--game", "game", cwd=tmp_path).stdout
    assert '"$schema"' in run(gm, "schema", "orders", "--game", "game", cwd=tmp_path).stdout
