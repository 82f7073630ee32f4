"""Letters between players in the order files of every game, and in their reports."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gm.cli.session import open_campaign
from gm.game.base.press import letter_files, press_html
from gm.store.press import Press, PressRule
from gm.text.layout import read_layout
from tests.examples import sweep
from tests.games.conftest import Run
from tests.games.playing import ALL
from tests.games.test_commands import order_files

MARK = "shall we be friends?"


@pytest.mark.parametrize("name", sweep(ALL, "medieval", "conquest-fields"))
def test_letters_are_delivered_with_the_turn_in_every_game(name: str, game: Path, run: Run) -> None:
    """Each reads it with his own and nobody else's.

    Made again the reports are the same, and the turn is verified.
    """
    settings = game / "game.yaml"
    settings.write_text(settings.read_text() + "press: {kinds: [signed]}\n")
    path, *_ = order_files(game, game.parent / "mail")
    writer = path.name.split()[2]
    others = [seat.code for seat in open_campaign(game).seats if seat.code != writer and seat.played]
    path.write_text(f"{path.read_text()}\npress: {{to: {others[0].lower()}, text: '{MARK} <i>'}}\n")
    run("receive", path, "--at", "2026-01-06 12:00")
    run("turn", "--missing-ok", "--at", "2026-01-09 20:01")
    results = game / "turns/turn-01/results"
    pages = {path.stem: path.read_text() for path in results.glob("*.html")}
    assert {code for code, page in pages.items() if f"{MARK} &lt;i&gt;" in page} == {writer, others[0]}
    # where tables have a field of their own
    assert ("Search the letters" in pages[writer]) == (name != "medieval")
    # programs have them in files of their own, one for each seat; a page names it when it has no room for all
    layouts = {
        path.stem: read_layout(path.read_text()) for path in (game / "turns/turn-01/letters").glob("*.yaml")
    }
    letters = {
        code: [(letter["author"], letter["text"]) for letter in (data or {})["press"]]
        for code, data in layouts.items()
    }
    assert {code for code, texts in letters.items() if texts} == {writer, others[0]}
    assert letters[writer] == letters[others[0]] == [(writer, f"{MARK} <i>")]
    assert set(layouts) >= {writer, *others}
    run("report")
    assert {path.stem: path.read_text() for path in results.glob("*.html")} == pages
    run("verify", "--replay")


def test_a_page_shows_so_many_letters_and_the_file_beside_it_has_them_all() -> None:
    """A page with long letters stays below 40,000 bytes, counts what it leaves out and names the file."""
    start = datetime(2026, 1, 5, tzinfo=UTC)
    hostile = "<b>&</b>" * 200
    letters = [
        Press(
            mark=str(number),
            author="AB"[number % 2],
            to=("BA"[number % 2],),
            kind="signed",
            turn=turn,
            at=start,
        ).evolve(text=f"{number} {hostile}")
        for turn in (1, 2)
        for number in range(turn * 100, turn * 100 + 20)
    ]
    page = press_html(letters, PressRule(), 2, "A", {"A": "Anna", "B": "Ben"}, "en")
    assert len(page.encode()) < 40_000
    rows_shown = page.count("<tr>") - 1
    assert 0 < rows_shown < 20
    assert f"More letters of this turn: {20 - rows_shown}." in page
    assert "are in earlier reports: 20." in page
    assert "letters/A.yaml" in page
    files = letter_files(letters, "g", 2, {"A": 1, "B": 1})
    (one, two) = (read_layout(files[f"letters/{code}.yaml"].decode()) for code in "AB")
    assert one is not None
    assert two is not None
    assert [letter["text"] for letter in one["press"]] == [
        f"{number} {hostile}" for number in range(200, 220)
    ]
    assert one["press"] == two["press"]
    assert letter_files(letters[:20], "g", 2, {"A": 1, "B": 1}) == {}
