"""What a turn at the table makes: the page of whoever sits there, once, and no page that nobody looks at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from gm.store.disk import Files
from tests.commands import command
from tests.play.asking import window
from tests.play.test_play import OTHERS, begun, sheet, table  # noqa: F401

GAMES = {"medieval": ("TEU", ("--map", "minsk")), **OTHERS}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each page of a turn is made from here on."""
    pages: Counter[str] = Counter()
    original = Files.stream

    def stream(files: Files, name: str) -> Iterable[bytes]:
        if name.endswith(".html"):
            pages[name] += 1
        return original(files, name)

    monkeypatch.setattr(Files, "stream", stream)
    return pages


@pytest.mark.parametrize("game", GAMES)
def test_a_turn_makes_the_page_of_its_player_once_and_no_other(
    game: str,
    table: Callable[..., Path],  # noqa: F811
    made: Counter[str],
) -> None:
    """Item 39.3: two more looks at the page make nothing, and pages of battles and bots are left out."""
    seat, more = GAMES[game]
    folder = table("--game", game, *more, "--play", seat, "--bots")
    page = window(folder, seat)
    made.clear()
    assert page.page().status == 200
    assert not made, "the page of the start is there already"
    page.done("play", sheet(folder, seat))
    turns = len([*folder.glob("turns/turn-*")]) - 1
    assert made == {f"results/{seat}.html": turns}, "programs that move alone play turns of their own"
    for _ in range(2):
        assert page.page().status == 200
    assert made == {f"results/{seat}.html": turns}
    stored = [path.name for path in sorted((folder / f"turns/turn-{turns:02}").rglob("*.html"))]
    assert stored == [f"{seat}.html"]


def test_the_pages_that_the_table_leaves_out_are_made_when_they_are_asked_for(
    table: Callable[..., Path],  # noqa: F811
) -> None:
    folder = table("--map", "minsk", "--play", "TEU", "--bots")
    window(folder, "TEU").done("play", sheet(folder, "TEU"))
    before = (folder / "turns/turn-01/results/TEU.html").read_bytes()
    command("verify", "--game", folder)
    command("report", "--turn", 1, "--game", folder)
    assert (folder / "turns/turn-01/summary.html").is_file()
    assert (folder / "turns/turn-01/results/herald.html").is_file()
    assert (folder / "turns/turn-01/results/TEU.html").read_bytes() == before
    command("turn", "--missing-ok", "--game", folder)
    assert (folder / "turns/turn-02/summary.html").is_file(), "a turn at the terminal has all of them"


def test_parties_that_bots_play_have_no_page_made(
    table: Callable[..., Path],  # noqa: F811
    made: Counter[str],
) -> None:
    """In a small game, too, and by the command."""
    folder = table("--game", "conqueror", "--set", "max_players=4", "--play", "WESS", "--bots")
    made.clear()
    command("turn", "--missing-ok", "--game", folder)
    pages = ("results/WESS.html", "results/herald.html", "results/herald.de.html", "summary.html")
    assert made == dict.fromkeys(pages, 1)
