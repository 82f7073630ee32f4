"""What a user's machine lacks, its tests may pass over; in CI every test runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MARKED = "import pytest\n@pytest.mark.{}\ndef test_it() -> None:\n    assert False\n"
FILES = {
    "skips": "import pytest\ndef test_it() -> None:\n    pytest.skip('no browser')\n",
    "skips by a fixture": "import pytest\n@pytest.fixture\ndef browser(): pytest.skip('no browser')\n"
    "def test_it(browser) -> None:\n    pass\n",
    "is marked to be skipped": MARKED.format("skipif(True, reason='no browser')"),
    "may fail": MARKED.format("xfail(reason='no browser')"),
    "skips all of a file": "import pytest\npytest.skip('no browser', allow_module_level=True)\n",
}


def run(folder: Path, text: str, ci: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", "test_it.py"]
    there = {**os.environ, "PYTHONPATH": str(ROOT), "CI": ci}
    return subprocess.run(command, cwd=folder, env=there, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("how", FILES)
def test_a_test_that_does_not_run_fails_in_ci(how: str, tmp_path: Path) -> None:
    done = run(tmp_path, FILES[how], "1")
    assert done.returncode in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED), done.stdout
    assert "CI skips no test and expects none to fail: " in done.stdout
    assert "no browser" in done.stdout


@pytest.mark.parametrize("how", FILES)
def test_elsewhere_it_is_passed_over(how: str, tmp_path: Path) -> None:
    done = run(tmp_path, FILES[how], "")
    assert done.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED), done.stdout
    assert " failed" not in done.stdout


def test_in_ci_what_runs_is_judged_as_everywhere(tmp_path: Path) -> None:
    assert run(tmp_path, "def test_it() -> None:\n    assert True\n", "1").returncode == pytest.ExitCode.OK
