"""Letters between players on the pages of a turn: they are read, searched and keep nobody out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import STARTED, command
from tests.browser.playing import Player, page_of, see, whole
from tests.browser.test_accessibility import LOOKS, grave_findings
from tests.commands import command as run
from tests.commands import repeated

PLAYED = "2026-01-12 12:00"
SEATS = {"medieval": ("LIT", "POL"), "conquest-fields": ("RED", "GREEN")}
LETTERS = 16


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The page of who got many letters, of each kind of game; each is made once."""
    folder = tmp_path_factory.mktemp("letters")

    def made(kind: str) -> Path:
        """Return the page of whom many letters were written to, in a game that is made once."""
        game = folder / kind
        (writer, reader) = SEATS[kind]
        if not game.exists():
            seats = repeated("--play", SEATS[kind])
            command(
                "new", game, "--game", kind, *seats, "--press", "signed", "--press", "public", "--at", STARTED
            )
            orders = folder / f"{kind}.yaml"
            said = [
                f"  - {{to: {reader}, text: 'letter {n}: <b>&amp;</b> {'word ' * n}'}}\n"
                for n in range(LETTERS)
            ]
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


def write(page: Any) -> None:
    """A letter, a vote and the wish to wait, in the form of a page."""
    page.locator("#talk > summary").click()
    page.get_by_label("Poland", exact=True).check()
    page.locator("#talk [name=as]").select_option("public")
    page.get_by_label("Its text").fill('We "march",\n& win: <b>you</b>.')
    page.get_by_role("button", name="Add this letter").click()
    page.get_by_label("Your vote").select_option(label="for a draw")
    page.get_by_label("Do not play the turn before").check()


def test_letters_and_votes_are_written_in_the_page_and_opened_again(
    page: Any, letters: Callable[[str], Path], tmp_path: Path
) -> None:
    path = page_of(letters("medieval").parents[3], 1, "LIT")
    player = Player(page).open(path)
    write(page)
    file = player.download(tmp_path)
    said = run("check", file, "--game", path.parents[3]).output
    assert "no problems found" in said
    assert "It votes 'draw'" in said
    head = file.read_text("utf-8")
    for line in (
        "ready: no",
        "vote: draw",
        r'{to: ["POL"], as: public, text: "We \"march\",\n& win: <b>you</b>."}',
    ):
        assert line in head
    page.reload()
    see(page, "write")
    assert player.open_file("again.yaml", head).text in head, "no warning, and the same"
    player.choose("Headquarters").order("Proclamation").fill(What_all_realms_will_hear="Peace.").accept()
    assert "vote: draw" in player.text
    page.locator("#talk-list").get_by_role("button", name="Remove").click()
    assert "press:" not in player.text
    player.press("Undo")
    assert "press:" in player.text
    page.evaluate("GmDom.buildAll()")
    assert grave_findings(page) == []


def test_the_small_games_writer_has_them_too(page: Any, letters: Callable[[str], Path]) -> None:
    path = page_of(letters("conquest-fields").parents[3], 0, "RED")
    whole(page, path)
    page.locator("#talk > summary").click()
    page.get_by_label("Green", exact=True).check()
    page.get_by_label("Its text").fill("Well played.")
    page.get_by_role("button", name="Add this letter").click()
    # another page hears of what this one remembers when the browser has it
    other = page.context.new_page()
    other.goto(path.as_uri())
    other.evaluate(
        "addEventListener('storage', ({newValue}) => { window.heard = (newValue || '').includes('concede'); "
        "})"
    )
    page.get_by_label("Your vote").select_option("concede GREEN")
    other.wait_for_function("window.heard")
    other.close()
    page.locator('[data-place="a1"]').click()
    page.locator('[data-place="a2"]').click()
    text = page.locator(".writer pre").inner_text()
    assert (
        'vote: concede GREEN\npress:\n  - {to: ["GREEN"], text: "Well played."}\nmove: {from: a1, to: a2}'
        in text
    )
    page.reload()
    page.locator("#talk > summary").click()
    assert page.get_by_label("Your vote").input_value() == "concede GREEN", "this device keeps it"
