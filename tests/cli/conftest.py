"""A game to work on, and a hand to type commands with."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from tests.commands import Run, repeated, run
from tests.remembered import remembered

if TYPE_CHECKING:
    from tests.cli.posting import Office

__all__ = ["Run", "remembered", "run"]

AT = "2026-01-05 12:00"
"""A Monday; the deadline of turn 1 is Friday 2026-01-09 20:00 UTC."""

PLAYERS = {
    "LIT": "Anna <anna@example.org>",
    "NOV": "Nikita <nikita@example.org>",
    "POL": "Piotr <piotr@example.org>",
    "TEU": "Theo <theo@example.org>",
}


@pytest.fixture(scope="session")
def fresh_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new game of four players, as ``pbem new`` makes it. Not to be changed."""
    folder = tmp_path_factory.mktemp("games") / "minsk"
    seats = repeated("--player", (f"{realm}={player}" for realm, player in PLAYERS.items()))
    options = [
        "--seed",
        "test",
        "--key-secret",
        "test",
        "--deadline",
        "friday 20:00",
        "--first",
        "2026-01-09",
    ]
    result = CliRunner().invoke(gm, ["new", str(folder), *seats, *options, "--at", AT])
    assert result.exit_code == 0, result.output
    return folder


def copied(top: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the game ``minsk`` in a folder and of what lies beside it, and the current directory
    inside it.
    """
    shutil.copytree(top, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path / "minsk")
    return tmp_path / "minsk"


@pytest.fixture
def game(fresh_game: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that game, and the current directory inside it."""
    return copied(fresh_game.parent, tmp_path, monkeypatch)


@pytest.fixture
def office(game: Path, run: Run) -> Iterator[Office]:
    """That game with a mailbox and a mail server."""
    from tests.cli.posting import office_of

    with office_of(game, run) as office:
        yield office


def key_of(game: Path, realm: str, turn: int = 1) -> str:
    """The key of a realm's player for a turn."""
    from gm.store.folder import GameFolder

    player = GameFolder(game).players.of(realm)
    assert player is not None
    return player.key_for(turn)


def order_text(game: Path, realm: str, body: str = "", *, turn: int = 1, key: str | None = None) -> str:
    """An order file of a realm, with its right key unless another is given."""
    key = key_of(game, realm, turn) if key is None else key
    return f"orders: 1\ngame: minsk\nrealm: {realm}\nturn: {turn}\nkey: {key}\n{body}"


def write_orders(
    game: Path, realm: str, body: str = "", *, name: str = "", turn: int = 1, **more: str
) -> Path:
    """The same as a file in a mail folder beside the game; returns its path."""
    folder = game.parent / "mail"
    folder.mkdir(exist_ok=True)
    path = folder / (name or f"{realm}-{turn}.yaml")
    path.write_text(order_text(game, realm, body, turn=turn, **more), encoding="utf-8")
    return path


def all_orders(game: Path, turn: int = 1) -> Path:
    """A mail folder with a plain file of every player; returns the folder."""
    for realm in PLAYERS:
        write_orders(game, realm, turn=turn)
    return game.parent / "mail"


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by name, but the GM's journal, which tells the time."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in (".lock", "journal.jsonl")
    }


TALK = "headquarters:\n  proclamation: Good ale to all.\n  send_ambassador: [POL]\n"
RECRUIT = "units:\n  Minsk:\n    recruit: {Archers: 1}\n    plan:\n      - pillage\n"


def typed(game: Path, *words: str) -> None:
    result = CliRunner().invoke(gm, [*words, "--game", str(game)])
    assert result.exit_code == 0, result.output


@pytest.fixture(scope="session")
def ready_once(fresh_game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game with all orders in, some of which do something. Not to be changed."""
    game = tmp_path_factory.mktemp("ready") / "minsk"
    shutil.copytree(fresh_game, game)
    all_orders(game)
    write_orders(game, "LIT", TALK + RECRUIT)
    write_orders(game, "POL", "headquarters: {send_gold: {LIT: 5}, declare_war: [TEU]}\n")
    typed(game, "receive", str(game.parent / "mail"), "--at", "2026-01-09 19:59")
    return game.parent


@pytest.fixture(scope="session")
def played_once(ready_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the same game after its first turn, with pages. Not to be changed."""
    top = tmp_path_factory.mktemp("played")
    shutil.copytree(ready_once, top, dirs_exist_ok=True)
    typed(top / "minsk", "turn")
    return top


@pytest.fixture
def ready(ready_once: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the game with all orders in."""
    return copied(ready_once, tmp_path, monkeypatch)


@pytest.fixture
def played(played_once: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the game after its first turn."""
    return copied(played_once, tmp_path, monkeypatch)


def forget(game: Path, *names: str) -> None:
    """Let the journal say nothing of these, as an earlier version's does."""
    from gm.store.journal import journal_of

    entries = journal_of(game).entries
    (game / "journal.jsonl").unlink()
    journal = journal_of(game)
    for entry in entries:
        journal.append({name: value for name, value in entry.items() if name not in names})
