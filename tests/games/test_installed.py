"""Games and bots of other packages: a game is made of CONQUEST's files under another name, one cannot be
loaded.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gm.games import GAMES
from gm.resources import resource

OURS = "conquest-structures"
NAME = "toy"
PACKAGE = {"METADATA": "Metadata-Version: 2.1\nName: {0}\nVersion: 1.5\n", "entry_points.txt": "[{1}]\n{2}\n"}
BOT = """
class Careful:
    name, about = "careful", "It orders nothing."

    def orders(self, view):
        return f"game: {view.game}\\nplayer: {view.realm}\\nturn: {view.turn}\\nkey: {view.key}\\n".encode()
"""


def install(site: Path, package: str, *points: str, group: str = "gm.games") -> None:
    """Write what an installer leaves of a package with these entry points."""
    (site / f"{package}-1.5.dist-info").mkdir(parents=True)
    for name, text in PACKAGE.items():
        (site / f"{package}-1.5.dist-info" / name).write_text(text.format(package, group, "\n".join(points)))


def copied(source: Path, target: Path) -> None:
    """Copy the files of our game as those of the other."""
    for path in (
        path for path in source.rglob("*") if path.suffix in (".py", ".yaml", ".html", ".svg", ".css", ".js")
    ):
        new = target / path.relative_to(source)
        new.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8").replace(GAMES[OURS].removesuffix(".spec"), NAME)
        new.write_text(text.replace(OURS, NAME), "utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages: one with a game, one whose game is broken, one that wants the name
    of ours.
    """
    folder = tmp_path_factory.mktemp("site")
    copied(resource("gm", "games", OURS.replace("-", "_")), folder / NAME)
    for kind in ("rules", "maps", "templates"):
        copied(resource(kind, OURS), folder / NAME / kind / NAME)
    install(folder, "a-toy", f"{NAME} = {NAME}.spec")
    (folder / "careful_bot.py").write_text(BOT, "utf-8")
    points = (f"{OURS}.careful = careful_bot:Careful", "medieval.gone = no_such_package:Bot")
    install(folder, "careful", *points, group="gm.bots")
    install(folder, "broken", "chess = no_such_package.spec", "medieval = no_such_package.spec")
    return folder


def gm(site: Path, folder: Path, *words: str, code: int = 0) -> str:
    """What ``gm`` prints with these packages."""
    path = os.pathsep.join((str(site), str(resource("gm").parent)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "gm", *words]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_games_of_packages_are_listed_after_ours_and_a_broken_one_says_why(
    site: Path, tmp_path: Path
) -> None:
    games = {
        game["name"]: game for game in json.loads(gm(site, tmp_path, "games", "--json", code=1))["games"]
    }
    assert [*games] == [*GAMES, "chess", NAME]
    assert games[NAME]["package"] == "a-toy 1.5"
    assert games[NAME]["maps"] == games[OURS]["maps"]
    assert {name for name, game in games.items() if "careful" in game["bots"]} == {OURS}
    assert games["medieval"]["bots"][-1] == "gone"
    assert (
        "'chess' of the package broken 1.5 cannot be loaded: ModuleNotFoundError" in games["chess"]["trouble"]
    )
    assert not games["medieval"]["trouble"]  # nobody takes the name of ours


@pytest.mark.slow
def test_a_game_of_a_package_is_played_with_pages(site: Path, tmp_path: Path) -> None:
    gm(
        site,
        tmp_path,
        "new",
        "game",
        "--game",
        NAME,
        "--map",
        "duel-11",
        "--bots",
        "raider",
        "--key-secret",
        "x",
    )
    gm(site, tmp_path / "game", "turn")
    assert f"game: {NAME}" in (tmp_path / "game" / "game.yaml").read_text()
    gm(site, tmp_path / "game", "report", "--bot-reports")
    results = tmp_path / "game" / "turns" / "turn-01" / "results"
    assert all("CONQUEST" in (results / f"{code}.html").read_text("utf-8") for code in ("RED", "BLUE"))
    assert (results / "herald.html").is_file()
    gm(site, tmp_path / "game", "verify")


@pytest.mark.slow
def test_a_bot_of_a_package_plays_by_its_name(site: Path, tmp_path: Path) -> None:
    new = ("new", "game", "--game", OURS, "--map", "duel-11", "--key-secret", "x", "--bots")
    assert "the bot 'gone' cannot be loaded" in gm(
        site, tmp_path, "new", "g", "--game", "medieval", "--bots", "gone", code=2
    )
    gm(site, tmp_path, *new, "careful")
    gm(site, tmp_path / "game", "turn", "--no-html")
    turn = tmp_path / "game" / "turns" / "turn-01"
    assert "turn: 1" in (turn / "orders" / "RED.yaml").read_text("utf-8")
    assert 'bot: "careful"' in (tmp_path / "game" / "players.yaml").read_text("utf-8")
