"""A draft is found again at a table that has another address: with each kind of order writer, and written by
whom it may.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.test_play import Server, at_desk, forecast, press, serve  # noqa: F401
from tests.waiting import wait_for


@pytest.fixture
def open_window(browser: Any) -> Iterator[Callable[[Server], Any]]:
    """Opens windows of one browser on a table, wherever that is; the test fails if a script does."""
    context = browser.new_context()
    failed: list[str] = []

    def look(server: Server) -> Any:
        page = context.new_page()
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.goto(server.address)
        return page

    yield look
    context.close()
    assert failed == []


def text_again(page: Any, server: Server) -> str:
    """The order file in a window that goes to where the table is now."""
    page.goto(server.address)
    at_desk(page)
    return str(page.locator("#writer-text").text_content())


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def wait_until_kept(server: Server, seat: str, text: str, *, kept: bool = True) -> None:
    """Wait until the table has a text in a seat's drafts, or until it has it no more."""
    file = server.folder / "drafts" / f"{seat}.json"
    wait_for(lambda: (file.is_file() and text in file.read_text("utf-8")) == kept, f"the draft {text}")


def moved(server: Server, port: str = "") -> None:
    """Start the table again at another port; without one at any that is free."""
    earlier = server.address
    server.stop()
    server.start("--port", port or str(free_port()))
    assert server.address != earlier


def test_orders_of_a_realm_are_there_at_another_port_and_at_the_first_again(
    serve: Callable[..., Server],  # noqa: F811
    open_window: Callable[[Server], Any],
) -> None:
    server = serve("--map", "minsk", "--play", "TEU", "--bots")
    port = server.address.split(":")[2].split("/")[0]
    page = open_window(server)
    player = at_desk(page)
    player.choose("Headquarters").order("Proclamation").fill(What_all_realms_will_hear="I was here.").accept()
    wait_until_kept(server, "TEU", "I was here.")
    moved(server)
    page.goto(server.address)
    player = at_desk(page)
    assert "I was here." in page.locator("#writer-text").text_content()
    assert "1 of 1" in forecast(page)
    player.choose("Riga").order("Recruit").count(Light_Spearmen=1).accept("Recruit these")
    wait_until_kept(server, "TEU", "Light Spearmen")
    moved(server, port)
    assert "Light Spearmen" in text_again(page, server), "the later draft counts"
    assert "2 of 2" in forecast(page)
    press(page, "Play turn 1", "turn 1")
    at_desk(page)
    assert "Light Spearmen" not in page.locator("#writer-text").text_content()


def test_what_was_taken_away_does_not_come_back(
    serve: Callable[..., Server],  # noqa: F811
    open_window: Callable[[Server], Any],
) -> None:
    """An order that was removed at another port is not there again at the first."""
    server = serve("--map", "minsk", "--play", "TEU", "--bots")
    port = server.address.split(":")[2].split("/")[0]
    page = open_window(server)
    at_desk(page).choose("Riga").order("Recruit").count(Light_Spearmen=1).accept("Recruit these")
    wait_until_kept(server, "TEU", "Light Spearmen")
    moved(server)
    later = open_window(server)
    at_desk(later)
    later.locator("#writer-draft").get_by_role("button", name="Start again").click()
    wait_until_kept(server, "TEU", "Light Spearmen", kept=False)
    moved(server, port)
    assert "Light Spearmen" not in text_again(page, server)


def test_of_two_at_a_table_each_finds_ones_own_order_and_letter(
    serve: Callable[..., Server],  # noqa: F811
    open_window: Callable[[Server], Any],
) -> None:
    shores = ("--game", "conquestination", "--map", "four-shores", "--play", "RED", "--play", "BLUE")
    server = serve(*shores, "--bots", "random", "--press", "signed")
    page = open_window(server)
    press(page, "I play Red")
    page.locator("figure.map svg [data-place][tabindex]").first.click()
    line = page.locator(".writer-list .writer-line").first.inner_text()
    page.locator("#talk summary").click()
    page.locator("#talk-letter").get_by_label("Blue").check()
    page.locator("#talk-letter textarea").fill("Let us meet </script> in the east.")
    page.get_by_role("button", name="Add this letter").click()
    wait_until_kept(server, "RED", "gm board")
    wait_until_kept(server, "RED", "in the east")
    moved(server)
    later = open_window(server)
    assert "the east" not in later.content()
    press(later, "I play Red")
    assert later.locator(".writer-list .writer-line").first.inner_text() == line
    assert "Let us meet </script> in the east." in later.locator("#talk-list").text_content()
    later.locator("#play-says", has_text=re.compile("^Forecast")).wait_for()
    press(later, "Done")
    press(later, "I play Blue")
    assert later.locator(".writer-list .writer-line").count() == 0
    assert "the east" not in later.content()


def test_a_sheet_of_text_is_there_at_another_port(
    serve: Callable[..., Server],  # noqa: F811
    open_window: Callable[[Server], Any],
) -> None:
    server = serve("--game", "conquest-structures", "--play", "RED", "--bots")
    page = open_window(server)
    page.locator("#play-sheet summary").click()
    page.locator("#play-text").press("Control+End")
    page.locator("#play-text").press_sequentially("\n# </script> & ü\n")
    wait_until_kept(server, "RED", "& ü")
    moved(server)
    later = open_window(server)
    assert later.locator("#play-text").input_value().rstrip().endswith("# </script> & ü")
    later.locator("#play-text").fill("")
    wait_until_kept(server, "RED", "& ü", kept=False)
    later.reload()
    assert later.locator("#play-text").input_value() == ""
