"""Letters between players on the pages of a turn: they are read, searched and keep nobody out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import STARTED, command
from tests.browser.playing import page_of, see, whole
from tests.browser.test_accessibility import LOOKS, grave_findings

PLAYED = "2026-01-12 12:00"
SEATS = {"medieval": ("LIT", "POL"), "conquest-fields": ("RED", "GREEN")}
LETTERS = 16


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The page of who got many letters, of each kind of game; each is made once."""
    folder = tmp_path_factory.mktemp("letters")

    def made(kind: str) -> Path:
        game, (writer, reader) = folder / kind, SEATS[kind]
        if not game.exists():
            seats = [word for code in SEATS[kind] for word in ("--play", code)]
            command("new", game, "--game", kind, *seats, "--press", "signed", "--press", "public", "--at", STARTED)
            orders = folder / f"{kind}.yaml"
            said = [f"  - {{to: {reader}, text: 'letter {n}: <b>&amp;</b> {'word ' * n}'}}\n" for n in range(LETTERS)]
            template = (game / f"turns/turn-00/next/{writer}.yaml").read_text()
            orders.write_text(f"{template}\npress:\n{''.join(said)}", encoding="utf-8")
            command("receive", "--game", game, orders, "--at", STARTED)
            command("turn", "--missing-ok", "--game", game, "--at", PLAYED)
        return page_of(game, 1, reader)

    return made


@pytest.mark.parametrize("kind", SEATS)
def test_letters_can_be_searched(page: Any, letters: Callable[[str], Path], kind: str) -> None:
    from playwright.sync_api import expect

    whole(page, letters(kind))
    see(page, "letters" if kind == "conquest-fields" else "messages")
    rows = page.locator("table.press tbody tr")
    assert rows.count() == LETTERS
    assert "<b>&amp;</b>" in rows.first.inner_text()  # as it was written
    field = page.locator("label:has-text('letters') input[type=search]").first
    field.press_sequentially("LETTER 7")
    expect(page.locator("table.press tbody tr:visible")).to_have_count(1)
    field.fill("")
    expect(page.locator("table.press tbody tr:visible")).to_have_count(LETTERS)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("kind", SEATS)
def test_letters_keep_nobody_out(
    new_page: Callable[..., Any], letters: Callable[[str], Path], kind: str, look: str
) -> None:
    page = new_page(**LOOKS[look])
    whole(page, letters(kind))
    see(page, "letters" if kind == "conquest-fields" else "messages")
    assert grave_findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
