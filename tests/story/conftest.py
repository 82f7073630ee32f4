"""Games that programs have played for some turns, each played once."""

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from gm.games import game_spec
from tests.commands import Run, command, run

__all__ = ["Run", "run"]
TURNS = 2


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Gives the folder of a game of a kind after some turns. Not to be changed."""

    @cache
    def play(name: str) -> Path:
        folder = tmp_path_factory.mktemp("played") / name
        first = game_spec(name).default_map
        secrets = ("--seed", "one", "--key-secret", "two", "--at", "2026-01-05 12:00", "--deadline", "none")
        command("new", folder, "--game", name, "--map", first, "--bots", *secrets)
        for _ in range(TURNS):
            command("turn", "--no-html", "--missing-ok", "--game", folder)
        return folder

    return play


@pytest.fixture
def minsk(played: Callable[[str], Path], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of Medieval's, and the current directory inside it."""
    folder = tmp_path / "minsk"
    shutil.copytree(played("medieval"), folder)
    monkeypatch.chdir(folder)
    return folder
