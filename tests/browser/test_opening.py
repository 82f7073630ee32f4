"""The choice of a realm before ``pbem play`` in a browser, by mouse and by keyboard, and a reign's end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import DESK, PHONE, command
from tests.browser.test_accessibility import LOOKS, grave_findings
from tests.browser.test_play import SEED, Server, new_window, play_without_orders, press, says  # noqa: F401 - a fixture


@pytest.fixture
def choice(tmp_path: Path) -> Iterator[Server]:
    """The server of a game that has not begun."""
    server = Server(tmp_path / "chosen", "--map", "minsk")
    yield server
    server.stop()


def options(look: str) -> dict[str, Any]:
    return {**DESK, "color_scheme": look} if look != "telephone" else {**PHONE}


def chosen(page: Any) -> str:
    return str(page.evaluate("document.querySelector('[name=realm]:checked')?.value ?? ''"))


@pytest.mark.parametrize("look", LOOKS)
def test_the_choice_keeps_nobody_out(choice: Server, new_window: Callable[..., Any], look: str) -> None:  # noqa: F811
    page = new_window(choice, **options(look))
    assert grave_findings(page) == []
    page.locator("[name=realm]").first.check()
    assert grave_findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_realm_is_chosen_on_the_map_or_with_keys_and_its_reign_is_told(
    choice: Server,
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    """A click, arrow keys or a radio button choose a realm; the reign ends with its chronicle."""
    page = new_window(choice)
    page.get_by_role("button", name="Begin").click()
    assert page.locator("#opening-says").inner_text() == "Choose a realm first."
    box = page.locator("#opening-map .lands > .u-NOV").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert chosen(page) == "NOV"
    assert page.locator("#opening-map .chosen").count() > 0
    page.locator("#opening-map").focus()
    page.keyboard.press("ArrowDown")
    assert chosen(page) == "POL"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert chosen(page) == "LIT"
    page.get_by_role("radio", name="Teutonic Order").check()
    assert "Teutonic" in page.locator("li.chosen").inner_text()
    with page.expect_navigation() as arrived:  # the first pages of all realms are made
        page.get_by_role("button", name="Begin").click()
    assert "You play the Teutonic Order." in arrived.value.text()  # until the forecast is told in its place
    play_without_orders(page)
    page.locator("#play-says", has_text="No orders yet").wait_for()  # what was asked for is told before
    page.get_by_role("button", name="End my reign").click()
    assert says(page).startswith("Press again to end your reign.")
    with page.expect_navigation():
        page.get_by_role("button", name="End my reign").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Teutonic Order: the chronicle of a reign"
    assert grave_findings(page) == []
    assert page.locator("tr.mine").inner_text().split("\t")[1] == "Teutonic Order"
    with page.expect_navigation():
        page.get_by_role("link", name="Back to the game").click()
    page.get_by_role("link", name="Chronicle").wait_for()


@pytest.mark.parametrize("look", LOOKS)
def test_a_chronicle_keeps_nobody_out(new_page: Callable[..., Any], tmp_path: Path, look: str) -> None:
    folder = tmp_path / "solo"
    command("new", folder, "--map", "minsk", "--play", "POL", "--bots", "--every", "none", *SEED)
    command("turn", "--missing-ok", "--no-html", "--game", folder)
    command("play", folder, "--end")
    page = new_page(**options(look))
    page.goto((folder / "chronicle.html").as_uri())
    assert grave_findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
