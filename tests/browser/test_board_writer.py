"""Orders given on the drawings of the small games: by mouse, finger and keys they become the file that one writes by
hand, and `gm` reads it without a finding."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import DESK, PHONE, STARTED, command
from tests.browser.playing import page_of
from tests.browser.test_accessibility import LOOKS, grave_findings

GAMES = {
    "conquest-structures": ("--map", "duel-11", "--set", "start_units={infantry: 2, tank: 1}"),
}
SEATS = {"conquest-structures": "RED"}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A game of a kind before its first turn, each made once; nobody may change it."""
    folder = tmp_path_factory.mktemp("boards")

    def made(key: str) -> Path:
        game: Path = folder / key
        if not game.exists():
            options = (*GAMES[key], "--seed", "gotland", "--key-secret", "x")
            command("new", game, "--game", key, "--play", SEATS[key], "--bots", *options, "--at", STARTED)
        return game

    return made


class Board:
    """A player's page with its drawing."""

    def __init__(self, page: Any, game: Path, seat: str) -> None:
        self.page, self.game, self.seat = page, game, seat
        page.goto(page_of(game, 0, seat).as_uri())

    def place(self, name: str) -> Any:
        return self.page.locator(f'[data-place="{name}"]')

    def click(self, *names: str) -> "Board":
        for name in names:
            self.place(name).click()
        return self

    def tap(self, *names: str) -> "Board":
        for name in names:
            self.place(name).tap()
        return self

    def drag(self, start: str, end: str) -> "Board":
        self.place(start).hover()
        self.page.mouse.down()
        self.place(end).hover()
        self.place(end).hover()
        self.page.mouse.up()
        return self

    def press(self, *keys: str) -> "Board":
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def button(self, name: str) -> "Board":
        self.page.locator(".writer").get_by_role("button", name=name, exact=True).click()
        return self

    def field(self, label: str) -> Any:
        return self.page.locator(".writer-form").get_by_label(label)

    @property
    def said(self) -> str:
        return str(self.page.locator(".writer-said").inner_text())

    @property
    def text(self) -> str:
        """What stands below the head of the order file."""
        text = str(self.page.locator(".writer pre").text_content())
        head, _, body = text.partition("key: ")
        assert head.startswith(f"game: {self.game.name}\nturn: ")
        return body.partition("\n")[2]

    def marked(self, mark: str) -> int:
        return int(self.page.locator(f".writer-mark.{mark}").count())

    def arrows(self, tone: str) -> int:
        return int(self.page.locator(f".writer-arrow.{tone}").count())

    def handed_in(self, folder: Path) -> str:
        """The downloaded file, which is taken without a word against it."""
        with self.page.expect_download() as found:
            self.button("Download the order file")
        path = folder / found.value.suggested_filename
        found.value.save_as(path)
        assert path.name == f"{self.seat}.yaml"
        command("check", path, "--game", self.game)
        return path.read_text("utf-8")


# -- CONQUEST structures -----------------------------------------------------------------------------------------------

CONQUEST = """orders:
  - u1 + u2 @ H1 > C1
  - H1 > R1
"""


@pytest.fixture
def duel(page: Any, games: Callable[[str], Path]) -> Board:
    return Board(page, games("conquest-structures"), "RED")


def test_several_moves_of_a_place_by_mouse(duel: Board, tmp_path: Path) -> None:
    duel.click("H1")
    assert (duel.marked("at"), duel.marked("end")) == (1, 2)
    duel.click("C1").field("tank u3").uncheck()
    duel.click("H1", "R1")
    assert duel.text == CONQUEST
    assert duel.arrows("good") == 2
    assert CONQUEST in duel.handed_in(tmp_path)


def test_a_drag_is_an_order_and_undo_takes_it_back(duel: Board) -> None:
    duel.drag("H1", "C1")
    assert duel.text == "orders:\n  - H1 > C1\n"
    duel.button("Undo")
    assert duel.text == "orders: []\n"
    assert duel.arrows("good") == 0


def test_what_is_no_target_says_why(duel: Board) -> None:
    duel.click("H1", "H2")
    assert duel.said == "no link leads from H1 to H2; its neighbours are C1, R1 [CS-14.5]"
    duel.click("C1", "H1", "R1")
    assert duel.said == "an earlier line has taken all of them [CS-6.8]"
    assert duel.marked("no") == 2
    assert (
        "Build: no PopCap is left for it: 0 is free, 1 is needed [CS-14.4]" in duel.page.locator(".writer").inner_text()
    )
    assert duel.text == "orders:\n  - H1 > C1\n"


def test_the_same_orders_by_keys(duel: Board) -> None:
    duel.place("H1").focus()
    duel.press("Enter", "Tab")
    assert duel.page.evaluate("document.activeElement.dataset.place") == "C1", "the ends follow their start"
    duel.press("Enter", "Tab", "Tab", "Space")
    duel.place("H1").focus()
    duel.press("Enter", "ArrowDown")
    assert duel.page.evaluate("document.activeElement.dataset.place") == "R1", "arrow keys go along the links"
    duel.press("Enter")
    assert duel.text == CONQUEST


def test_the_same_orders_by_touch(new_page: Callable[..., Any], games: Callable[[str], Path]) -> None:
    board = Board(new_page(**PHONE), games("conquest-structures"), "RED")
    board.tap("H1", "C1").field("tank u3").tap()
    board.tap("H1", "R1")
    assert board.text == CONQUEST


def test_orders_are_here_again_when_the_page_is(duel: Board) -> None:
    duel.click("H1", "C1").page.reload()
    assert duel.text == "orders:\n  - H1 > C1\n"
    duel.page.get_by_label("Remove").click()
    assert duel.text == "orders: []\n"


def test_units_get_their_lines_in_order_and_a_game_is_conceded(duel: Board) -> None:
    duel.click("H1").button("First in supply").field("Who").select_option(label="tank in H1")
    duel.button("Concede the game").button("Concede the game")
    assert duel.said == "you concede already"
    assert duel.text == "orders:\n  - Concede\nsupply_priority:\n  - Tank@H1\n"


# -- all of them -------------------------------------------------------------------------------------------------------

ORDERED = {"conquest-structures": ("H1", "C1")}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("key", GAMES)
def test_the_writer_keeps_nobody_out(
    new_page: Callable[..., Any], games: Callable[[str], Path], key: str, look: str
) -> None:
    board = Board(new_page(**LOOKS[look]), games(key), SEATS[key])
    start, end = ORDERED[key]
    for act in (lambda: board.click(start), lambda: board.click(end), lambda: board.click(start)):
        act()
        assert grave_findings(board.page) == []
        assert board.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("key", GAMES)
def test_without_scripts_the_template_serves(
    new_page: Callable[..., Any], games: Callable[[str], Path], key: str
) -> None:
    board = Board(new_page(**DESK, java_script_enabled=False), games(key), SEATS[key])
    assert board.page.locator(".writer").count() == 0
    assert board.page.locator("#write pre").is_visible()
