"""``pbem play`` in a browser: whole games by mouse and by keyboard, a server that dies, two windows, the
curtain.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from gm.core.yaml.models import load_data
from gm.store.folder import GameFolder
from gm.text.names import with_article
from tests.browser.board import Board
from tests.browser.conftest import DESK, PATIENCE, PHONE, Complaints, command
from tests.browser.playing import Player, first_turn, see
from tests.browser.test_accessibility import LOOKS, grave_findings
from tests.commands import repeated
from tests.waiting import wait_for

SEED = ("--seed", "table", "--key-secret", "table")


class Server:
    """``pbem play`` on a game folder, as a process."""

    command = "play"

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.start(*words)

    def start(self, *more: str, browser: bool = False, **variables: str) -> None:
        words = [
            sys.executable,
            "-m",
            "gm",
            self.command,
            str(self.folder),
            *([] if browser else ["--no-browser"]),
            *more,
        ]
        environment = {**os.environ, "NO_COLOR": "1", **variables}
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout
        lines = iter(self.process.stdout.readline, "")
        self.address = next(line.strip() for line in lines if "http://" in line)

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE / 1000)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Begins a game and serves it."""
    servers: list[Server] = []

    def begin(*words: object) -> Server:
        folder = tmp_path / f"table-{len(servers)}"
        command("new", folder, *words, *SEED)
        servers.append(Server(folder))
        return servers[-1]

    yield begin
    for server in servers:
        server.stop()


@pytest.fixture
def new_window(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a window on a server; the test fails if a page complains, or asks anybody but that server."""
    complaints = Complaints()
    contexts = list[Any]()

    def look(server: Server, **options: Any) -> Any:
        """Open a server's page in a window of its own, and note each complaint of the browser."""
        context = browser.new_context(**{**DESK, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console",
            lambda message: complaints.texts.append(message.text) if message.type == "error" else None,
        )
        page.on("pageerror", lambda error: complaints.texts.append(f"error: {error}"))
        page.on(
            "dialog", lambda dialog: (complaints.texts.append(f"{dialog.type} was asked"), dialog.accept())
        )
        page.on("request", lambda request: _request(request.url, server.address))
        page.goto(server.address)
        return page

    def _request(url: str, address: str) -> None:
        if not url.startswith((address.rpartition("/")[0].rpartition("/")[0], "data:", "blob:")):
            complaints.texts.append(f"asked {url}")

    yield look
    for context in contexts:
        context.close()
    # a server that is gone, or refuses, is told by the browser, too
    messages = [message for message in complaints.texts if "Failed to load resource" not in message]
    assert messages == []


def says(page: Any) -> str:
    return str(page.locator("#play-says").inner_text())


def forecast(page: Any) -> str:
    """What the server says of the orders as they stand, once it has."""
    page.locator("#play-says", has_text=re.compile("^Forecast")).wait_for()
    return says(page)


def press(page: Any, button: str, title: str = "") -> None:
    """Press a button of the bar that leads to another page, and wait for that."""
    with page.expect_navigation():
        page.locator("#play").get_by_role("button", name=re.compile(f"^{button}")).click()
    page.wait_for_load_state()
    assert title in page.title()


def play_without_orders(page: Any, button: str = "Play") -> None:
    """Play a turn without orders, which is asked once."""
    page.locator("#play-go").click()
    page.locator("#play-says", has_text="You have given no orders.").wait_for()
    press(page, button)


def at_desk(page: Any) -> Player:
    see(page, "write")
    page.locator("#write.at-work").wait_for(state="attached")
    return Player(page)


def test_a_whole_game_of_minsk_by_mouse(serve: Callable[..., Server], new_window: Callable[..., Any]) -> None:
    """Six turns are ordered, forecast, played and taken back by mouse, and the game is proven."""
    server = serve("--map", "minsk", "--play", "TEU", "--bots")
    page = new_window(server)
    first_turn(at_desk(page))
    match = re.match(r"Forecast: (\d+) of (\d+) orders done", forecast(page))
    assert match is not None
    assert int(match[1]) >= int(match[2]) - 1, "all but the offer, which hangs on Lithuania"
    assert page.locator("#writer-download").is_hidden(), "nothing is to be mailed here"
    page.locator("#play-look").click()
    assert "A1" in page.locator("#play-panel").inner_text()
    press(page, "Play turn 1", "turn 1")
    for turn in range(2, 7):
        player = at_desk(page)
        player.choose("Headquarters").order("Proclamation")
        player.fill(What_all_realms_will_hear=f"The Order stands, {turn}.").accept()
        player.choose("Prussia").order("Recruit").count(Light_Spearmen=1).accept("Recruit these")
        assert forecast(page).startswith("Forecast: ")
        if turn == 6:
            page.locator("#play-hint").click()
            page.get_by_role("button", name="Use these orders").click()
            advised = page.locator("#writer-verdict span").first.inner_text()
            assert advised != "2 orders"
            page.locator("#play-says", has_text=f"of {advised}").wait_for()
        press(page, f"Play turn {turn}", f"turn {turn}")
        results = load_data(server.folder / f"turns/turn-{turn:02}/results/TEU.yaml")[0]
        assert results["orders_received"]
        assert {order["fate"] for order in results["private"]["orders"]} <= {"done", "reduced", "failed"}
    press(page, "Take back", "turn 5")
    at_desk(page)
    assert page.get_by_text("Your orders are here as you left them").count() == 1, (
        "what was ordered is offered again"
    )
    press(page, "Play turn 6", "turn 6")
    assert GameFolder(server.folder).newest_turn() == 6
    command("verify", "--replay", "--game", server.folder)


def move(page: Any, choose: Callable[[Any], None]) -> None:
    """A half-move: the first start that is offered, then its first end."""
    offered = page.locator("#board svg [data-place][tabindex]")
    start = offered.first.get_attribute("data-place")
    choose(page.locator(f'[data-place="{start}"]'))
    ends = page.locator(
        '#board svg [data-place][aria-label$="grow"], #board svg [data-place][aria-label$="jump"]'
    )
    with page.expect_navigation():
        choose(ends.first)
    page.wait_for_load_state()


def play_out(page: Any, server: Server, choose: Callable[[Any], None]) -> int:
    moves = 0
    while page.locator("#play-go").count():
        move(page, choose)
        moves += 1
        assert GameFolder(server.folder).newest_turn() == moves
        assert moves < 60
    return moves


@pytest.mark.parametrize(
    ("by", "board"), [("mouse", "squares4-6x6"), ("keyboard", "triangles-7x6"), ("touch", "hexagon-5-hole")]
)
def test_a_whole_game_of_fields(
    serve: Callable[..., Server], new_window: Callable[..., Any], by: str, board: str
) -> None:
    server = serve("--game", "conquest-fields", "--play", "RED", "--bots", "random", "--map", board)
    page = new_window(server, **(PHONE if by == "touch" else DESK))

    def press_enter(field: Any) -> None:
        field.focus()
        page.keyboard.press("Enter")

    page.locator("#play-hint").click()
    page.locator("#play-panel", has_text="would order").wait_for()
    with page.expect_navigation():
        page.locator("#play-level").select_option("greedy")
    page.wait_for_load_state()
    ways = {"mouse": lambda field: field.click(), "touch": lambda field: field.tap(), "keyboard": press_enter}
    moves = play_out(page, server, ways[by])
    assert moves > 3
    assert "The game is over" in says(page)
    press(page, "Take back")
    assert GameFolder(server.folder).newest_turn() == moves - 1
    assert page.locator("#play-go").count() == 1


WHOLE = {
    "conquest-structures": ("RED", "duel-11", "max_turns=3"),
    "conquestination": ("RED", "four-shores", "max_rounds=2,mode=round"),
    "conqueror": ("WESS", "europe859", "turns=3"),
}


@pytest.mark.parametrize("by", ["mouse", "touch", "keyboard"])
@pytest.mark.parametrize("key", WHOLE)
def test_a_whole_game_on_the_map(
    serve: Callable[..., Server], new_window: Callable[..., Any], key: str, by: str
) -> None:
    """A game is played to its end on the map alone, by mouse, keys or touch, and no order is refused."""
    seat, where, end = WHOLE[key]
    sets = repeated("--set", end.split(","))
    server = serve("--game", key, "--play", seat, "--bots", "random", "--map", where, *sets)
    page = new_window(server, **(PHONE if by == "touch" else DESK))
    board = Board(page, server.folder, seat, None)

    turns = 0
    while page.locator("#play-go").count():
        for start in json.loads(page.locator("#writer-data").text_content())["own"][:3]:
            board.choose(by, start)
            ends = page.locator('.writer-place [data-key^="to "]')
            if ends.count():
                board.choose(by, ends.last.get_attribute("data-key")[3:])
            elif page.locator('.writer-place [data-key^="do "]').count():
                page.locator('.writer-place [data-key^="do "]').first.press("Enter")
        forecast(page)
        with page.expect_navigation():
            page.locator("#play-go").press("Enter")
        page.wait_for_load_state()
        turns += 1
        results = load_data(server.folder / f"turns/turn-{turns:02}/results/{seat}.yaml")[0]
        assert (results["orders_received"], results["private"]["refused"]) == (True, [])
        assert results["private"]["orders"]
        assert turns < 6
    assert turns > 2
    assert "The game is over" in says(page)


def test_orders_outlive_their_server(serve: Callable[..., Server], new_window: Callable[..., Any]) -> None:
    server = serve("--map", "minsk", "--play", "TEU", "--bots")
    page = new_window(server)
    player = at_desk(page)
    player.choose("Headquarters").order("Proclamation").fill(What_all_realms_will_hear="I was here.").accept()
    forecast(page)
    server.stop()
    player.choose("Riga").order("Recruit").count(Light_Spearmen=1).accept("Recruit these")
    page.locator("#play-says", has_text="does not answer").wait_for()
    page.locator("#play-go").click()
    assert "kept in this browser" in says(page)
    page.locator("#play-go:enabled").wait_for()
    server.start()
    page.goto(server.address)
    at_desk(page)
    assert "I was here." in page.locator("#writer-text").text_content()
    assert "Light Spearmen" in page.locator("#writer-text").text_content()
    assert "2 of 2" in forecast(page)
    press(page, "Play turn 1", "turn 1")


def test_a_sheet_of_text_outlives_its_server_too(
    serve: Callable[..., Server], new_window: Callable[..., Any]
) -> None:
    server = serve("--game", "conquest-structures", "--play", "RED", "--bots")
    page = new_window(server)
    page.locator("#play-sheet summary").click()
    page.locator("#play-text").press("Control+End")
    page.locator("#play-text").press_sequentially("\nnonsense: 1\n")
    page.locator("#play-panel", has_text="nonsense").wait_for(state="attached")
    server.stop()
    server.start()
    page.goto(server.address)
    assert page.locator("#play-text").input_value().rstrip().endswith("nonsense: 1")
    page.locator("#play-text").fill(
        page.locator("#play-text").input_value().replace("nonsense: 1", "# nothing")
    )
    play_without_orders(page)
    page.locator("#play-undo").wait_for()


def test_of_two_windows_the_older_says_so(
    serve: Callable[..., Server], new_window: Callable[..., Any]
) -> None:
    server = serve("--map", "minsk", "--play", "TEU", "--bots")
    page = new_window(server)
    other = new_window(server)
    play_without_orders(other)
    player = at_desk(page)
    player.choose("Riga").order("Recruit").count(Light_Spearmen=1).accept("Recruit these")
    page.locator("#play-says", has_text="has moved on").wait_for()
    assert page.locator("#play-go").count() == 0, "what is old cannot play"
    press(page, "Show the game as it is", "turn 1")
    assert GameFolder(server.folder).newest_turn() == 1


@pytest.mark.parametrize("look", LOOKS)
def test_the_bar_and_the_curtain_keep_nobody_out(
    serve: Callable[..., Server], new_window: Callable[..., Any], look: str
) -> None:
    server = serve("--map", "minsk", "--play", "TEU", "--play", "LIT", "--bots")
    page = new_window(server, **LOOKS[look])
    assert grave_findings(page) == []
    assert page.get_by_role("button", name="Play turn 1").is_disabled()
    for name in ("Lithuania", "Teutonic Order"):
        press(page, f"I play {with_article(name)}", name)
        at_desk(page)
        page.locator("#play-look").click()
        page.locator("#play-panel h2").wait_for()
        page.evaluate("GmDom.buildAll()")
        assert grave_findings(page) == []
        play_without_orders(page, "Done")
    press(page, "Play turn 1", "turn 2")


def test_the_bar_hides_nothing_on_a_telephone(
    serve: Callable[..., Server], new_window: Callable[..., Any]
) -> None:
    page = new_window(serve("--game", "conquest-fields", "--play", "RED", "--bots"), **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bar = page.locator("#play").bounding_box()
    assert bar["height"] < 844 / 4
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    foot = page.locator("footer").bounding_box()
    assert foot["y"] + foot["height"] <= page.locator("#play").bounding_box()["y"] + 1


def test_a_lesson_is_taken_by_mouse(tmp_path: Path, new_window: Callable[..., Any]) -> None:
    server = Server(tmp_path / "practice", "--practice")
    try:
        page = new_window(server)
        guide = page.locator("#play-guide")
        assert "Lesson 1 of 5" in guide.inner_text()
        player = at_desk(page)
        player.choose("Prussia").order("Form an army or fleet")
        player.count(Crusader_Knights=3, Heavy_Infantry=3).tick("Dietrich of Altenburg").accept()
        guide.get_by_text("Done.").wait_for()
        player.choose("A1").order("Choose the leader").pick("Dietrich of Altenburg")
        player.choose("A1").order("March").pick("Samogitia")
        player.choose("Prussia").order("Recruit").count(Light_Spearmen=2).accept("Recruit these")
        player.choose("Headquarters").order("Proclamation")
        player.fill(What_all_realms_will_hear="We march.").accept()
        guide.get_by_text("All of it is ordered").wait_for()
        press(page, "Play turn 1", "turn 1")
        page.get_by_text("What happened, and why").click()
        assert "The story of A1" in page.locator("#play-lesson").inner_text()
        assert "Lesson 2 of 5" in guide.inner_text()
    finally:
        server.stop()


def test_a_program_is_written_to_and_answers_in_the_next_results(
    serve: Callable[..., Server], new_window: Callable[..., Any]
) -> None:
    server = serve("--map", "minsk", "--play", "LIT", "--bots", "conqueror", "--press", "signed")
    page = new_window(server, **PHONE, color_scheme="dark")
    at_desk(page)
    page.locator("#talk > summary").click()
    assert (
        "peace? | alliance against X? | passage? | 20 gold for PROVINCE?"
        in page.locator("#talk").inner_text()
    )
    page.get_by_label("Poland", exact=True).check()
    page.get_by_label("Its text").fill("peace?\n<i>?")
    page.get_by_role("button", name="Add this letter").click()
    assert grave_findings(page, "#talk") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    play_without_orders(page)  # a letter is no order
    play_without_orders(page)
    see(page, "messages")
    letter = page.locator("table.press tbody tr").first.inner_text()
    assert "Poland" in letter
    assert letter.strip().endswith("refuse: peace. There is no war between us.")


def test_a_browser_comes_from_the_private_file_to_the_page(
    serve: Callable[..., Server], browser: Any, tmp_path: Path
) -> None:
    """item 31: a real browser follows the file to the door and on to the page.

    A restart keeps the address.
    """
    server = serve("--game", "conquest-fields", "--play", "RED", "--bots")
    address = server.address
    record = tmp_path / "told"
    server.stop()
    recorder = tmp_path / "browser.py"
    recorder.write_text(
        f"import sys\nopen({str(record)!r}, 'w', encoding='utf-8').write(sys.argv[-1])\n", encoding="utf-8"
    )
    more = {"BROWSER": f"{sys.executable} {recorder} %s", "DISPLAY": ":0"}
    server.start(browser=True, **more)
    assert server.address == address
    page = browser.new_page()
    wait_for(lambda: record.exists() and record.read_text(encoding="utf-8"), "the browser's start")
    page.goto(record.read_text(encoding="utf-8"), wait_until="commit")
    page.wait_for_url(address)
    page.locator("#play-go").wait_for()
    assert not list(tmp_path.glob("pbem-play-*"))
    page.close()


def test_an_old_address_leads_to_where_the_game_is_now(serve: Callable[..., Server], browser: Any) -> None:
    """item 31: another table has the port now.

    A tab that was open there shows the game at its new address.
    """
    server = serve("--game", "conquest-fields", "--play", "RED", "--bots")
    old = server.address
    page = browser.new_page()
    page.goto(old)
    server.stop()
    other = serve("--game", "conquest-fields", "--play", "GREEN", "--bots")
    other.stop()
    other.start("--port", str(urlsplit(old).port))
    server.start()
    assert urlsplit(server.address).port != urlsplit(old).port
    assert urlsplit(server.address).path == urlsplit(old).path
    page.reload(wait_until="commit")
    page.wait_for_url(server.address)
    page.locator("#play-go").wait_for()
    page.goto(old, wait_until="commit")
    page.wait_for_url(server.address)
    assert page.locator("#play").get_attribute("data-seat") == "RED"
    page.close()
