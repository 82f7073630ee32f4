"""Conquest on fields in a browser: a move is clicked on the board, or chosen by keyboard, and becomes an
order file.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gm.core.yaml.models import load_data
from gm.games import game_spec
from tests.browser.board import Board
from tests.browser.conftest import DESK, PHONE, STARTED, command
from tests.browser.playing import page_of
from tests.browser.test_accessibility import LOOKS, grave_findings

SPEC = game_spec("conquest-fields")
CONQUERING = "Your move: c1-c2 (grow), which conquers d2."


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A game on a board, each made once; nobody may change it."""
    folder = tmp_path_factory.mktemp("boards")

    def made(board: str) -> Path:
        game: Path = folder / board
        if not game.exists():
            players = folder / "players.yaml"
            players.write_text(
                "players:\n  - {realm: RED}\n  - {realm: GREEN, language: de}\n", encoding="utf-8"
            )
            begun = ("--game", "conquest-fields", "--map", board, "--players", players, "--at", STARTED)
            command("new", game, *begun)
        return game

    return made


@pytest.fixture
def training(tmp_path: Path) -> Path:
    """A game that red wins with one move, to play on: c1-c2."""
    game = tmp_path / "training"
    seats = ("--player", "RED=anna@example.org", "--player", "GREEN=ben@example.org")
    command("new", game, "--game", "conquest-fields", "--map", "training-one-move", *seats, "--at", STARTED)
    return game


def field(page: Any, name: str) -> Any:
    return page.locator(f'[data-place="{name}"]')


def colour(page: Any, name: str) -> str:
    return str(field(page, name).locator(".field").get_attribute("fill"))


def said(page: Any) -> str:
    return str(page.locator(".writer-said").inner_text())


def colours() -> dict[str, str]:
    colours_by_use: dict[str, str] = SPEC.shipped_table("squares4-6x6").rules.colours
    return colours_by_use


def downloaded(page: Any, folder: Path, act: Callable[[], object]) -> Path:
    with page.expect_download() as download:
        act()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.clause("CF-12.2")
@pytest.mark.clause("CF-12.4")
def test_a_chosen_start_shows_its_ends_in_their_colours(page: Any, boards: Callable[[str], Path]) -> None:
    page.goto(page_of(boards("squares4-6x6"), 0, "RED").as_uri())
    field(page, "a1").click()
    colours_known = colours()
    assert colour(page, "a1") == colours_known["start"]
    assert {colour(page, name) for name in ("a2", "b1")} == {colours_known["grow_end"]}
    assert {colour(page, name) for name in ("a3", "b2", "c1")} == {colours_known["jump_end"]}
    assert colour(page, "a4") == colours_known["free"]
    inks = [page.locator("text.name", has_text=name).get_attribute("fill") for name in ("a1", "a2", "f6")]
    assert inks == ["#2b2b2b", "#2b2b2b", "#ffffff"], "a name can be read on each colour"
    field(page, "f6").click()
    assert colour(page, "a1") == colours_known["red"], "another start takes the place of the first"
    assert colour(page, "f6") == colours_known["start"]
    field(page, "c3").click()
    assert colour(page, "f6") == colours_known["red"], "a click beside everything puts the start away"


def test_a_move_is_clicked_downloaded_handed_in_and_played(page: Any, training: Path, tmp_path: Path) -> None:
    page.goto(page_of(training, 0, "RED").as_uri())
    field(page, "c1").click()
    field(page, "c2").click()
    assert said(page).startswith(CONQUERING)
    assert colour(page, "c2") == colour(page, "d2") == colours()["red"], (
        "the board shows what comes of the move"
    )
    assert colour(page, "c1") == colours()["red"], "who grows keeps his start"
    path = downloaded(page, tmp_path, page.get_by_role("button", name="Download the order file").click)
    assert path.name == "RED.yaml"
    assert path.read_text("utf-8") == page.locator(".writer pre").inner_text()
    command("receive", "--game", training, path, "--at", STARTED)
    command("turn", "--game", training)
    state = json.loads((training / "turns" / "turn-01" / "state.json").read_text("utf-8"))
    assert (state["winners"], state["history"][0]["conquered"]) == (["RED"], ["d2"])


def test_a_jump_leaves_its_start_free_on_the_board(page: Any, boards: Callable[[str], Path]) -> None:
    page.goto(page_of(boards("squares4-6x6"), 0, "RED").as_uri())
    field(page, "a1").click()
    field(page, "b2").click()
    assert said(page).startswith("Your move: a1-b2 (jump). ")
    assert (colour(page, "a1"), colour(page, "b2")) == (colours()["free"], colours()["red"])
    page.get_by_role("button", name="Choose again").click()
    assert (colour(page, "a1"), colour(page, "b2")) == (colours()["red"], colours()["free"])
    assert page.locator(".writer pre").is_hidden()


def test_a_move_is_chosen_without_a_mouse(page: Any, boards: Callable[[str], Path], tmp_path: Path) -> None:
    page.goto(page_of(boards("training-one-move"), 0, "RED").as_uri())
    starts = page.locator("#board svg [tabindex]").evaluate_all("all => all.map(each => each.dataset.place)")
    assert sorted(starts) == ["a4", "b1", "c1", "d3"], "what can move can be reached, and nothing else"
    field(page, "c1").focus()
    page.keyboard.press("Enter")
    assert field(page, "c1").get_attribute("aria-pressed") == "true"
    assert field(page, "c2").get_attribute("aria-label") == "c2, free, grow"
    field(page, "c2").focus()
    page.keyboard.press("Space")
    assert said(page).startswith(CONQUERING)
    path = downloaded(page, tmp_path, lambda: page.keyboard.press("Enter"))
    assert load_data(path)[0]["move"] == {"from": "c1", "to": "c2"}
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert said(page).startswith("Click one of your fields")
    assert page.evaluate("document.activeElement.dataset.place") == "c1"
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert said(page).startswith("Click one of your fields")


def test_the_ends_follow_their_start_by_tab_and_by_arrow_keys(
    page: Any, boards: Callable[[str], Path]
) -> None:
    page.goto(page_of(boards("training-one-move"), 0, "RED").as_uri())
    field(page, "c1").focus()
    page.keyboard.press("Enter")
    ends = json.loads(page.locator("#conquest-writer").text_content())["moves"]["c1"]
    reached = []
    for _ in [*ends["grow"], *ends["jump"]]:
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.place"))
    assert sorted(reached) == sorted([*ends["grow"], *ends["jump"]])
    field(page, "c1").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.place") == "c2"
    page.keyboard.press("Enter")
    assert said(page).startswith(CONQUERING)


def test_the_move_after_the_next_is_ordered_for_a_case_and_a_game_given_up(
    page: Any, training: Path, tmp_path: Path
) -> None:
    board = Board(page, training, "RED").click("a4", "a3")
    assert not page.locator(".writer-marks").is_visible()
    board.button("Order the move after that, too").click("c1")
    assert page.locator(".writer-marks").is_visible()
    assert (board.marked("at"), board.marked("end") > 2) == (1, True)
    board.click("c2").field("If Green moves").select_option("d1-c2")
    assert board.arrows("other") == 1
    board.click("a3", "b3")
    then = "then:\n  - {if: d1-c2, move: {from: c1, to: c2}}\n  - {move: {from: a3, to: b3}}\n"
    assert board.text == "move: {from: a4, to: a3}\n" + then
    assert then in board.handed_in(tmp_path)
    board.button("Choose again").button("Give the game up")
    assert (said(page), board.text) == ("Press the button again to give the game up: Green wins then.", "\n")
    assert board.button("Give the game up").text == "resign: true\n"


def test_what_is_no_end_says_why(page: Any, boards: Callable[[str], Path]) -> None:
    page.goto(page_of(boards("squares4-6x6"), 0, "RED").as_uri())
    field(page, "a1").click()
    field(page, "d4").click()
    assert said(page) == "d4 is three or more steps from a1 [CF-9.4]"


def test_the_line_of_the_last_move_is_no_obstacle_to_a_click(
    page: Any, training: Path, tmp_path: Path
) -> None:
    orders = tmp_path / "RED.yaml"
    template = (training / "turns" / "turn-00" / "next" / "RED.yaml").read_text("utf-8")
    orders.write_text(f"{template}move: a4-b4\n", encoding="utf-8")
    command("receive", "--game", training, orders, "--at", STARTED)
    command("turn", "--game", training)
    page.goto(page_of(training, 1, "GREEN").as_uri())
    field(page, "d2").click()
    assert said(page).startswith("From d2: ")
    # the middle of a field, where its name stands, and in b4 the circle around the last move
    box = field(page, "d1").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert said(page).startswith("From d1: ")


@pytest.mark.clause("CF-2.7")
@pytest.mark.clause("CF-2.8")
def test_a_german_player_reads_german_on_the_board(page: Any, training: Path, tmp_path: Path) -> None:
    orders = tmp_path / "RED.yaml"
    template = (training / "turns" / "turn-00" / "next" / "RED.yaml").read_text("utf-8")
    orders.write_text(f"{template}move: a4-b4\n", encoding="utf-8")
    players = training / "players.yaml"
    players.write_text(
        players.read_text("utf-8").replace("{realm: GREEN,", "{realm: GREEN, language: de,"), encoding="utf-8"
    )
    command("receive", "--game", training, orders, "--at", STARTED)
    command("turn", "--game", training)
    page.goto(page_of(training, 1, "GREEN").as_uri())
    assert page.locator("html").get_attribute("lang") == "de"
    assert page.locator("#board svg").get_attribute("aria-label") == "Das Brett nach: Halbzug 1"
    assert field(page, "a1").locator("title").text_content() == "a1, frei"
    assert "Rot: 5" in page.locator("#board svg").text_content()
    assert "Sonntag 2026-" in page.locator(".under").inner_text()
    field(page, "d1").click()
    assert said(page).startswith("Von d1: ")
    assert "Deine Züge" in page.locator("#write pre").inner_text()
    assert page.get_by_text("Your", exact=False).count() == 0


@pytest.mark.clause("CF-12.5")
def test_without_scripts_the_table_of_moves_serves(
    new_page: Callable[..., Any], boards: Callable[[str], Path]
) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(page_of(boards("squares4-6x6"), 0, "RED").as_uri())
    rows = [row.inner_text().split() for row in page.locator("#moves tbody tr").all()]
    assert rows == [["a1", "a2,", "b1", "a3,", "b2,", "c1"], ["f6", "e6,", "f5", "d6,", "e5,", "f4"]]
    assert page.locator(".writer").count() == 0
    assert page.get_by_role("img", name="The board after the start").count() == 1
    assert "# move: {from: a1, to: a2}" in page.locator("#write pre").inner_text()


def test_who_waits_is_asked_for_nothing(page: Any, boards: Callable[[str], Path]) -> None:
    page.goto(page_of(boards("squares4-6x6"), 0, "GREEN").as_uri())
    assert page.locator(".writer").count() == 0
    field(page, "a6").click()
    assert page.locator("#write").count() == 0


@pytest.mark.parametrize("board", sorted(SPEC.maps()))
def test_a_board_is_seen_whole_and_its_fields_do_not_overlap(
    new_page: Callable[..., Any], boards: Callable[[str], Path], board: str
) -> None:
    for size in (DESK, PHONE):
        page = new_page(**size)
        page.goto(page_of(boards(board), 0, "RED").as_uri())
        svg = page.locator("#board svg").bounding_box()
        wide = page.evaluate("innerWidth")
        assert svg["width"] <= wide
        names = page.locator("#board svg text.name").all()
        assert [name.text_content() for name in names] == list(SPEC.shipped_table(board).board.names)
        for name in names:
            box = name.bounding_box()
            assert svg["x"] <= box["x"], "a name stands outside the picture"
            assert box["x"] + box["width"] <= svg["x"] + svg["width"]
            inside = page.evaluate(
                "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-place]')?.dataset.place ?? "
                "'none'",
                _scrolled(page, name),
            )
            assert inside == name.text_content(), "a field's name lies in the field"


def _scrolled(page: Any, element: Any) -> list[float]:
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    return [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]


@pytest.mark.parametrize("look", LOOKS)
def test_the_board_keeps_nobody_out(
    new_page: Callable[..., Any], boards: Callable[[str], Path], look: str
) -> None:
    page = new_page(**LOOKS[look])
    page.goto(page_of(boards("triangles-7x6"), 0, "RED").as_uri())
    assert grave_findings(page) == []
    field(page, "a1").click()
    assert grave_findings(page) == []
    field(page, "b1").click()
    assert page.locator(".writer pre").is_visible()
    assert grave_findings(page) == []
