"""Hints at the table in a browser: taken over one by one, undone, and why not the order that a player drew
(39.4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gm.store.folder import GameFolder
from tests.browser.conftest import DESK, PHONE
from tests.browser.playing import Player, see
from tests.browser.test_accessibility import grave_findings
from tests.browser.test_play import Server, at_desk, new_window  # noqa: F401 - fixtures
from tests.commands import command

SEED = ("--seed", "table", "--key-secret", "table")
LOOKS = {"desk": DESK, "dark telephone": {**PHONE, "color_scheme": "dark"}}


@pytest.fixture
def minsk(tmp_path: Path) -> Iterator[Server]:
    """A game of Minsk at its start, at a table of its own: a window that closes may still store a draft."""
    folder = tmp_path / "m2"
    command("new", folder, "--map", "minsk", "--play", "TEU", "--bots", *SEED)
    server = Server(folder)
    yield server
    server.stop()


def ask_for_a_hint(page: Any) -> Any:
    """Press the button and wait for the hints that can be taken over."""
    page.locator("#play-hint").click()
    page.locator("[data-taken]").first.wait_for()
    return page.locator("#play-foremost li")


def orders_of(page: Any) -> str:
    """The orders as the writer has them."""
    return str(page.locator("#writer-text").text_content()).partition("key:")[2]


def forecast_of_own(page: Any) -> None:
    """Open the forecast of the orders that stand in the writer."""
    page.locator("#play-says", has_text=re.compile("^Forecast")).wait_for()
    page.locator("#play-look").click()
    page.locator("[data-why]").first.wait_for()


@pytest.mark.parametrize("look", LOOKS)
def test_hints_are_taken_over_one_by_one_and_undone(
    minsk: Server,
    new_window: Callable[..., Any],  # noqa: F811
    look: str,
) -> None:
    """Up to three hints, each with its reason, become orders by a press, and Undo takes them back."""
    page = new_window(minsk, **LOOKS[look])
    at_desk(page)
    hints = ask_for_a_hint(page)
    reasons = hints.all_inner_texts()
    assert 1 <= len(reasons) <= 3
    assert all(
        re.search(r"yours win .* \d times in 10, and it pays \d+ gold a turn", reason) for reason in reasons
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert grave_findings(page, "#play") == []
    before = orders_of(page)
    for number in range(len(reasons)):
        button = hints.nth(number).get_by_role("button")
        button.click()
        assert button.inner_text() == "Taken over"
        assert page.locator("#writer-news").text_content() == "Taken over. Undo takes it back."
        target = re.search(r"(?:march to|in) (\w+)\.", reasons[number])
        assert target is not None
        assert target[1] in orders_of(page)
    assert hints.count() == len(reasons), "the hints stay to be read"
    page.locator("#play-says", has_text=re.compile(r"^Forecast: (\d+) of \1 orders done\.")).wait_for()
    see(page, "write")
    for _ in reasons:
        page.locator("#writer-undo").evaluate("button => button.click()")
    assert orders_of(page) == before
    assert hints.first.get_by_role("button").inner_text() == "Take this order"


def test_what_the_player_ordered_himself_stays_with_the_hint(
    minsk: Server,
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    """His own A1 has the number of the one that is advised: it gets another, with its orders."""
    page = new_window(minsk)
    player: Player = at_desk(page)
    player.choose("Courland").order("Form an army or fleet").fill(Number=1).count(Light_Spearmen=1).accept()
    player.choose("A1").order("March").pick("Samogitia").other()
    hints = ask_for_a_hint(page)
    hints.filter(has_text="land A1 in Gotland").get_by_role("button").click()
    orders = orders_of(page)
    assert orders.count("march: Samogitia") == 1
    assert "unload: {A1: Gotland}" in orders
    own = re.search(r"\n  (A\d+):[^\n]*\n    plan:[^\n]*\n      - march: Samogitia", orders)
    assert own is not None
    assert own[1] != "A1"


@pytest.mark.parametrize("look", LOOKS)
def test_why_not_the_order_that_a_player_drew(
    minsk: Server,
    new_window: Callable[..., Any],  # noqa: F811
    look: str,
) -> None:
    """By keys alone from the bar on: the answer stands below the order, where a screen reader is told of
    it.
    """
    page = new_window(minsk, **LOOKS[look])
    player: Player = at_desk(page)
    player.choose("Riga").order("Form an army or fleet").count(Light_Spearmen=1).accept()
    player.choose("A1").order("March").pick("Polotsk").other()
    page.locator("#play-panel", has_text="march to Polotsk").wait_for(state="attached")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#play-look").press("Enter")
    button = page.get_by_role("button", name="A1: march to Polotsk. Why not?")
    button.press("Enter")
    answer = button.locator("xpath=following-sibling::*[@role='status'][1]")
    answer.filter(has_text=re.compile("prefers|would order it")).wait_for()
    assert re.match(r"\d+ men hold it behind walls of level 1, yours win ", answer.inner_text())
    assert button.evaluate("each => each === document.activeElement")
    assert not any("/check?" in url for url in asked), "a forecast that came later would take the answer away"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert grave_findings(page, "#play") == []


def test_hints_are_german_where_the_player_is(
    tmp_path: Path,
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    folder = tmp_path / "deutsch"
    command("new", folder, "--map", "minsk", "--play", "TEU", "--bots", "--language", "de", *SEED)
    server = Server(folder)
    try:
        page = new_window(server)
        hints = ask_for_a_hint(page)
        assert "Gold je Zug" in hints.first.inner_text()
        assert hints.first.get_by_role("button").inner_text() == "Diesen Befehl übernehmen"
        hints.first.get_by_role("button").click()
        page.locator("#play-says", has_text="Befehle").wait_for()
        page.locator("#play-look").click()
        page.locator("[data-why]").last.click()
        page.locator(".play-why", has_text="Der Bot strategist").wait_for()
    finally:
        server.stop()


BOARDS = {
    "conquest-structures": ("RED", ()),
    "conquestination": ("RED", ()),
    "conqueror": ("WESS", ("--set", "max_players=4")),
}


@pytest.mark.parametrize("key", BOARDS)
def test_on_a_board_a_hint_is_drawn_undone_and_compared(
    tmp_path: Path,
    new_window: Callable[..., Any],  # noqa: F811
    key: str,
) -> None:
    """By keys: what is taken over stands in the writer's list and in the file, as if the player had drawn
    it.
    """
    seat, more = BOARDS[key]
    command("new", tmp_path / "board", "--game", key, "--play", seat, "--bots", *more, *SEED)
    server = Server(tmp_path / "board")
    try:
        page = new_window(server, **PHONE)
        page.locator("#play-hint").press("Enter")
        buttons = page.locator("[data-taken]")
        buttons.first.wait_for()
        advised = page.locator("#play-panel li strong").first.inner_text()
        before = page.locator("#play-text").input_value()
        buttons.first.press("Enter")
        assert buttons.first.inner_text() == "Taken over"
        drawn = page.locator(".writer-line").first.inner_text()
        assert advised.casefold().startswith(drawn.casefold()), "the hint names the country, too"
        assert page.locator(".writer-said").inner_text().startswith(f"Taken over: {drawn}")
        assert page.locator("#play-text").input_value() != before
        page.locator("#play-says", has_text=re.compile(r"^Forecast: (\d+) of \1 orders? done\.")).wait_for()
        page.locator("#play-look").press("Enter")
        page.locator("[data-why]").first.press("Enter")
        page.locator(".play-why", has_text="would order it, too: ").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert grave_findings(page, "#play") == []
        page.locator("#play-look").press("Enter")
        page.locator(".writer-buttons").get_by_role("button", name="Undo").press("Enter")
        assert page.locator(".writer-line").count() == 0
    finally:
        server.stop()


def test_a_single_move_is_made_by_its_hint(
    tmp_path: Path,
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    """Conquest fields: where one move is all, taking the hint plays it, as the second click does."""
    command(
        "new", tmp_path / "fields", "--game", "conquest-fields", "--play", "RED", "--bots", "random", *SEED
    )
    server = Server(tmp_path / "fields")
    try:
        page = new_window(server, **PHONE)
        page.locator("#play-hint").press("Enter")
        button = page.locator("[data-taken]")
        button.wait_for()
        assert (button.count(), button.inner_text(), page.locator("[data-take]").count()) == (
            1,
            "Make this move",
            0,
        )
        assert grave_findings(page, "#play") == []
        with page.expect_navigation():
            button.press("Enter")
        page.get_by_role("button", name="Take back").wait_for()
        assert GameFolder(server.folder).newest_turn() == 1
    finally:
        server.stop()
