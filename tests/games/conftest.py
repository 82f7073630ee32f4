"""A hand to type commands with, and a new game of any kind to work on."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.game.values import NewGameRequest
from gm.games import game_spec
from tests.commands import Run, repeated, run

__all__ = ["Run", "run"]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes a new game of a kind, once; it is not to be changed."""
    folders: dict[str, Path] = {}

    def make(name: str) -> Path:
        if name not in folders:
            folder = tmp_path_factory.mktemp("made") / name
            spec = game_spec(name)
            chosen = spec.maps()[spec.default_map]
            founded = spec.founded(NewGameRequest(map=chosen, people=2, seed="test"))
            codes = [
                seat.code for seat in spec.seats(founded.table, spec.start(founded.table, chosen, None))
            ][:2]
            seats = repeated("--player", (f"{code}=P{code} <{code.lower()}@example.org>" for code in codes))
            options = ["--game", name, "--seed", "test", "--key-secret", "test", "--first", "2026-01-09"]
            result = CliRunner().invoke(
                gm, ["new", str(folder), *options, *seats, "--at", "2026-01-05 12:00"]
            )
            assert result.exit_code == 0, result.output
            folders[name] = folder
        return folders[name]

    return make


@pytest.fixture
def game(
    made: Callable[[str], Path], tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> Path:
    """A copy of a new game of the kind ``name``, and the current directory inside it."""
    folder = tmp_path / "game"
    shutil.copytree(made(name), folder)
    monkeypatch.chdir(folder)
    return folder
