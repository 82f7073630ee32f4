"""What a user's machine lacks, its tests may pass over; in CI every test runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

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


@pytest.fixture(scope="module", params=["1", ""], ids=["in CI", "elsewhere"])
def outcomes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, dict[str, str]]:
    """The value of CI, and what pytest says in the end of each of these files and of a test that passes."""
    folder = tmp_path_factory.mktemp("skips")
    texts = [*FILES.values(), "def test_it() -> None:\n    assert True\n"]
    for number, text in enumerate(texts):
        (folder / f"test_{number}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-rA", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    there = {**os.environ, "PYTHONPATH": str(ROOT), "CI": request.param, "COLUMNS": "200"}
    done = subprocess.run(
        [*command, "--continue-on-collection-errors"], cwd=folder, env=there, capture_output=True, text=True
    )
    assert done.returncode == (pytest.ExitCode.TESTS_FAILED if request.param else pytest.ExitCode.OK), (
        done.stdout
    )
    summary = done.stdout.partition("short test summary info")[2]
    lines = {int(number): line for line, number in re.findall(r"(?m)^([A-Z]+ .*\btest_(\d)\.py.*)$", summary)}
    assert sorted(lines) == list(range(len(texts))), done.stdout
    return request.param, {how: lines[number] for number, how in enumerate([*FILES, "runs"])}


def test_a_test_that_does_not_run_fails_in_ci_and_is_passed_over_elsewhere(
    outcomes: tuple[str, dict[str, str]],
) -> None:
    ci, line_of = outcomes
    for how in FILES:
        if ci:
            assert line_of[how].startswith(("FAILED", "ERROR")), line_of[how]
            assert "CI skips no test and expects none to fail: " in line_of[how]
        else:
            assert line_of[how].startswith(("SKIPPED", "XFAIL")), line_of[how]
        assert "no browser" in line_of[how]


def test_what_runs_is_judged_in_ci_as_everywhere(outcomes: tuple[str, dict[str, str]]) -> None:
    assert outcomes[1]["runs"].startswith("PASSED")
