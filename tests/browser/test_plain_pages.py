"""The pages that small games share keep nobody out: report, summary, handbook.

Light and dark, desk and telephone.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gm.game.base.small_game import SmallGame
from gm.games import GAMES, game_spec
from tests.browser.conftest import STARTED, command
from tests.browser.test_accessibility import LOOKS, grave_findings

PLAIN = [key for key in GAMES if isinstance(game_spec(key), SmallGame)]
TURNS = 4


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A game of programs after some turns, each made once; nobody may change it."""
    folder = tmp_path_factory.mktemp("plain")

    def made(key: str) -> Path:
        game: Path = folder / key
        if not game.exists():
            command("new", game, "--game", key, "--bots", "--seed", "pages", "--at", STARTED)
            for _ in range(TURNS):
                command("turn", "--game", game, "--missing-ok", "--bot-reports")
        return game

    return made


@pytest.mark.parametrize("key", PLAIN)
@pytest.mark.parametrize("look", LOOKS)
def test_a_plain_games_pages_keep_nobody_out(
    new_page: Callable[..., Any], played: Callable[[str], Path], key: str, look: str
) -> None:
    turn = played(key) / "turns" / f"turn-{TURNS:02}"
    first = min((turn / "results").glob("*.html"))
    for path in (first, turn / "summary.html", played(key) / "handbook.html"):
        page = new_page(**LOOKS[look])
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path.name} is too wide"
        assert grave_findings(page) == [], path.name
