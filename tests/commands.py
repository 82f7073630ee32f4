"""A hand to type commands with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gm.cli.app import gm

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``gm`` with these arguments in an empty directory; ``code`` is the exit code that is expected."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object, code: int = 0) -> Result:
        result = CliRunner().invoke(gm, [str(each) for each in arguments], prog_name="gm")
        assert result.exit_code == code, f"gm {' '.join(map(str, arguments))}: {result.exit_code}\n{result.output}"
        assert "Traceback" not in result.output
        return result

    return command
