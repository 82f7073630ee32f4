"""Places to try commands in."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import fresh_game, run  # noqa: F401 - the fixtures of the commands' tests
from tests.faults.commands import COMMANDS, quick
from tests.faults.judging import Trial, trial
from tests.remembered import remembered  # noqa: F401

Try = Callable[[str], Trial]


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the games lie that are copied."""
    return tmp_path_factory.mktemp("faults")


@pytest.fixture(autouse=True)
def reckoned_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """See :func:`quick`; and the current directory as it was, after all."""
    monkeypatch.chdir(tmp_path)
    with quick():
        yield


@pytest.fixture
def try_(fresh_game: Path, room: Path, tmp_path: Path) -> Try:  # noqa: F811
    """Try a command, by its name in the list, without any fault."""

    def found(name: str) -> Trial:
        command = next(command for command in COMMANDS if command.name == name)
        return trial(command, fresh_game, room, tmp_path / "top")

    return found
