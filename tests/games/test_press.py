"""Letters between players in the order files of every game, and in their reports."""

from pathlib import Path

import pytest

from gm.cli.session import open_campaign
from tests.games.conftest import Run
from tests.games.playing import ALL
from tests.games.test_commands import order_files

MARK = "shall we be friends?"


@pytest.mark.parametrize("name", ALL)
def test_letters_are_delivered_with_the_turn_in_every_game(name: str, game: Path, run: Run) -> None:
    """Each reads it with his own and nobody else's; made again the reports are the same, and the turn is verified."""
    settings = game / "game.yaml"
    settings.write_text(settings.read_text() + "press: {kinds: [signed]}\n")
    path, *_ = order_files(game, game.parent / "mail")
    writer = path.name.split()[2]
    others = [each.code for each in open_campaign(game).seats if each.code != writer and each.played]
    path.write_text(f"{path.read_text()}\npress: {{to: {others[0].lower()}, text: '{MARK} <i>'}}\n")
    run("receive", path, "--at", "2026-01-06 12:00")
    run("turn", "--missing-ok", "--at", "2026-01-09 20:01")
    results = game / "turns/turn-01/results"
    pages = {each.stem: each.read_text() for each in results.glob("*.html")}
    assert {code for code, page in pages.items() if f"{MARK} &lt;i&gt;" in page} == {writer, others[0]}
    assert ("Search the letters" in pages[writer]) == (name != "medieval")  # where tables have a field of their own
    run("report")
    assert {each.stem: each.read_text() for each in results.glob("*.html")} == pages
    run("verify", "--replay")
