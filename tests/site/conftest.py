"""Three games, one of which is over, and the site that is made of them."""

import json
import shutil
from pathlib import Path

import pytest

from tests.commands import Run, command, repeated, run
from tests.games.test_votes import receive

__all__ = ["Run", "run"]

HOSTILE = '<script>alert(1)</script> & "Co"'
AT = "2026-01-05 12:00"
DATES = ("--seed", "test", "--key-secret", "test", "--first", "2026-01-09", "--at", AT)


def began(folder: Path, game: str, *more: object) -> Path:
    """A new game in a folder."""
    command("new", folder, "--game", game, *DATES, *more)
    return folder


def players(path: Path, codes: tuple[str, ...]) -> Path:
    """A list of players with hostile names."""
    rows = (
        f"  - {{realm: {code}, name: {json.dumps(f'{HOSTILE} {code}')}, email: {code}@example.org}}"
        for code in codes
    )
    path.write_text("\n".join(("players:", *rows)), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def games_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the games ``reich`` (Medieval Diplomacy), ``isles`` (Conquestination), each after its
    first turn, and ``board`` (Conquest on fields, over). Not to be changed.
    """
    top = tmp_path_factory.mktemp("site") / "games"
    person = ("--player", "LIT=Anna <anna@example.org>")
    reich = began(top / "reich", "medieval", "--bots", *person, "--open", "--id", "R & R")
    head = (reich / "turns/turn-00/next/LIT.yaml").read_text(encoding="utf-8").partition("\nheadquarters:")[0]
    said = "\nheadquarters: {proclamation: '<img src=x onerror=alert(2)>'}\n"
    (top / "LIT.yaml").write_text(head + said, encoding="utf-8")
    command("receive", top / "LIT.yaml", "--game", reich, "--at", AT)
    command("turn", "--game", reich, "--no-html", "--missing-ok")
    seats = repeated("--player", (f"{code}={code}@example.org" for code in ("RED", "BLUE")))
    isles = began(top / "isles", "conquestination", *seats)
    command("turn", "--game", isles, "--no-html", "--missing-ok")
    board = began(
        top / "board", "conquest-fields", "--players", players(top / "players.yaml", ("RED", "GREEN"))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(board)
        while "it is a draw" not in command("status").output:
            receive(board, command, "vote: draw")
            command("turn", "--no-html", "--missing-ok")
    return top


@pytest.fixture(scope="session")
def site_once(games_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of these games. Not to be changed."""
    folder = tmp_path_factory.mktemp("published") / "site"
    command("publish", folder, "--game", games_once)
    return folder


@pytest.fixture
def games(games_once: Path, tmp_path: Path, run: Run) -> Path:
    """A copy of the games, and the current directory beside it."""
    return Path(shutil.copytree(games_once, tmp_path / "games"))


@pytest.fixture
def site(site_once: Path, tmp_path: Path, run: Run) -> Path:
    """A copy of the site."""
    return Path(shutil.copytree(site_once, tmp_path / "site"))
