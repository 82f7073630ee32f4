"""``pbem play`` in a browser, item 35 and item 36: rolls one by one, an end, another game, a shared draft, no
word of post; and item 37: the boards on small screens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gm.cli.session import open_campaign
from gm.games.conquest_fields.spec import SPEC
from gm.store.folder import GameFolder
from tests.browser.conftest import DESK, PHONE, command
from tests.browser.test_accessibility import grave_findings
from tests.browser.test_play import SEED, Server, at_desk, new_window, play_without_orders, press, says, serve  # noqa: F401
from tests.commands import repeated

ZOOM = {"viewport": {"width": 640, "height": 450}, "device_scale_factor": 2}
"""A desk's screen at 200%."""

BOARDS = {
    "conqueror": ("WESS", "--map", "europe859"),
    "conquestination": ("RED", "--map", "four-shores"),
    "conquest-fields": ("RED",),
    "conquest-structures": ("RED",),
}


def conquest(tmp_path: Path, *more: str) -> Path:
    """A game of Conquestination behind its deployment, in which Red has many units beside one of Blue's."""
    folder = tmp_path / "rolls"
    shores = ("--game", "conquestination", "--map", "four-shores")
    command("new", folder, *shores, "--play", "RED", "--bots", "random", "--every", "none", *more, *SEED)
    command("turn", "--missing-ok", "--no-html", "--game", folder)
    state = open_campaign(folder).state
    board = open_campaign(folder).table.board
    way = next(
        (one, other)
        for one in state.held("RED")
        for other in board.neighbours[one]
        if other in state.held("BLUE")
    )
    for country, units in zip(way, (30, 12), strict=True):
        command("amend", "units", country, units, "--why", "a test", "--game", folder)
    return folder


def attack(page: Any, source: str, target: str) -> None:
    """Write an attack into the orders as text."""
    field = page.locator("#play-text")
    page.locator("#play-sheet").evaluate("each => { each.open = true; }")
    line = f"attacks: [{{from: {source}, to: {target}}}]\n"
    field.fill(field.input_value().replace("attacks:\n", line))
    page.locator("#play-says", has_text=re.compile("^Forecast")).wait_for()


def test_an_attack_is_rolled_for_again_and_again_until_its_player_stops(
    tmp_path: Path,
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    """Item 36: alone at a table a run is a player's turn, and between two rolls he attacks again or stops
    there.
    """
    folder = conquest(tmp_path)
    state = open_campaign(folder).state
    board = open_campaign(folder).table.board
    assert state.settings.mode == "single"
    source = max(state.held("RED"), key=lambda country: state.countries[country].units)
    target = next(country for country in board.neighbours[source] if state.countries[country].units == 12)
    server = Server(folder)
    try:
        page = new_window(server)
        attack(page, source, target)
        press(page, "Roll once")
        assert re.search(r"against 1\d, which wins in \d+%\. Attack again\?$", says(page)), says(page)
        assert grave_findings(page, "#play") == []
        before = open_campaign(folder).state
        assert before.current == "RED"
        press(page, "Attack again")
        after = open_campaign(folder).state
        assert (
            after.units_of("RED") + after.units_of("BLUE")
            == before.units_of("RED") + before.units_of("BLUE") - 2
        )
        page.get_by_role("button", name="Stop here").click()
        assert page.get_by_role("button", name="Attack again").count() == 0
        assert says(page) == "Attack elsewhere, redeploy, or end your turn."
        turn = GameFolder(folder).newest_turn()
        press(page, "End my turn")
        assert GameFolder(folder).newest_turn() == turn + 2, "the program has played its turn, too"
        assert "Since your orders" in page.locator("#play-panel").inner_text()
        press(page, "Take back")
        assert GameFolder(folder).newest_turn() == turn
        assert open_campaign(folder).state.current == "RED"
        command("verify", "--replay", "--game", folder)
    finally:
        server.stop()


def lost_game(tmp_path: Path, *seats: str) -> Path:
    """A game of which Red's last country falls to Blue in the coming turn."""
    folder = tmp_path / "lost"
    play = repeated("--play", seats)
    command("new", folder, "--game", "conquestination", "--map", "four-shores", *play, "--bots", "captain",
            "--set", "players=3", "--set", "mode=round", "--every", "none", *SEED)  # fmt: skip
    command("turn", "--missing-ok", "--no-html", "--game", folder)
    state = open_campaign(folder).state
    near = open_campaign(folder).table.board.neighbours
    first, *others = state.held("RED")
    taken = {*others, *(country for country in near[first] if state.countries[country].owner != "BLUE")}
    for country in sorted(taken):
        command("amend", "owner", country, "BLUE", "--why", "a test", "--game", folder)
    for country in near[first]:
        command("amend", "units", country, 60, "--why", "a test", "--game", folder)
    command("amend", "units", first, 1, "--why", "a test", "--game", folder)
    return folder


def test_who_has_lost_sees_how_and_watches_or_plays_again(
    tmp_path: Path,
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    """Item 35: where and why he lost, the map, his chronicle; he watches the others, or begins a new game."""
    folder = lost_game(tmp_path, "RED")
    server = Server(folder)
    try:
        page = new_window(server)
        for _ in range(3):
            if open_campaign(folder).state.parties["RED"].out:
                break
            play_without_orders(page)
        assert says(page) == "You have lost. Read your chronicle, watch the others, or play again."
        text = page.locator("#play-panel").inner_text()
        assert "Red has lost: run" in text
        assert "has lost the last country and is out of the game" in text
        assert page.locator("figure.map svg").is_visible()
        assert grave_findings(page, "#play") == []
        turn = GameFolder(folder).newest_turn()
        press(page, "Watch run")
        assert GameFolder(folder).newest_turn() == turn + 1
        with page.expect_navigation():
            page.get_by_role("link", name="Chronicle").click()
        assert re.search(r"^Red: (lost|won by)", page.locator(".banner").inner_text())
        page.go_back()
        with page.expect_navigation():
            page.get_by_role("link", name="Play again").click()
        page.get_by_role("radio", name="Blue").check()
        with page.expect_navigation():
            page.get_by_role("button", name="Begin").click()
        assert page.get_by_role("heading", level=1).inner_text() == "Blue"
        assert open_campaign(folder.with_name("lost-2")).newest_turn == 0
    finally:
        server.stop()


def test_of_several_at_a_table_who_has_lost_sees_his_end_and_leaves(
    tmp_path: Path,
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    """Item 35: his seat is shown once more, and then again whenever he likes."""
    folder = lost_game(tmp_path, "RED", "GREEN", "BLUE")
    server = Server(folder)
    try:
        page = new_window(server)
        first = open_campaign(folder).state.held("RED")[0]
        near = open_campaign(folder).table.board.neighbours[first][0]
        for name in ("Red", "Blue", "Green"):
            with page.expect_navigation():
                page.get_by_role("button", name=f"I play {name}").click()
            if name == "Blue":
                attack(page, near, first)
                press(page, "Done")
            else:
                play_without_orders(page, "Done")
        press(page, "Play run")
        assert page.get_by_role("heading", level=1).inner_text() == "Red"
        assert says(page).startswith("You have lost. Look at the map")
        press(page, "Leave the seat")
        press(page, "Look at the end of Red")
        assert "Red has lost" in page.locator("#play-panel").inner_text()
    finally:
        server.stop()


def test_two_tabs_share_their_draft_and_learn_that_the_game_went_on(
    serve: Callable[..., Server],  # noqa: F811
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    """Item 35: two tabs of one browser have the same orders; no script fails in the older one."""
    server = serve("--game", "conquestination", "--map", "four-shores", "--play", "RED", "--bots", "random")
    page = new_window(server)
    other = page.context.new_page()
    failed: list[str] = []
    for tab in (page, other):
        tab.on("pageerror", lambda error: failed.append(str(error)))
    other.goto(server.address)
    page.locator("#board svg [data-place][tabindex], figure.map svg [data-place][tabindex]").first.click()
    page.locator(".writer-list li").wait_for()
    other.locator(".writer-list li").wait_for()
    assert other.locator(".writer-line").inner_text() == page.locator(".writer-line").inner_text()
    press(other, "Play run 0")
    page.locator("#play-says", has_text=re.compile("has moved on (in another window|meanwhile)")).wait_for()
    page.locator("figure.map svg [data-place][tabindex]").first.click()
    page.locator("#play-hint").click()
    page.locator("#play-says", has_text="has moved on meanwhile").wait_for()
    assert page.locator("#play-go").count() == 0
    assert failed == []


def test_two_tabs_share_the_orders_of_a_realm(
    serve: Callable[..., Server],  # noqa: F811
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    """Item 35: at Medieval's desk, too."""
    server = serve("--map", "minsk", "--play", "TEU", "--bots")
    page = new_window(server)
    other = page.context.new_page()
    other.goto(server.address)
    at_desk(other)
    player = at_desk(page)
    player.choose("Riga").order("Recruit").count(Light_Spearmen=1).accept("Recruit these")
    other.locator("#play-says", has_text="1 of 1").wait_for()
    assert "Light Spearmen" in other.locator("#writer-text").text_content()


POSTAL = re.compile(r"\b(e?-?mail|key|files?|YAML|download|pbem)\b", re.IGNORECASE)


@pytest.mark.parametrize("key", BOARDS)
def test_nothing_speaks_of_post_where_one_only_presses_play(
    serve: Callable[..., Server],  # noqa: F811
    new_window: Callable[..., Any],  # noqa: F811
    key: str,
) -> None:
    """Item 35: no mail, no key, no file."""
    seat, *more = BOARDS[key]
    page = new_window(serve("--game", key, "--play", seat, "--bots", *more))
    lines = {line for line in page.locator("body").inner_text().splitlines() if POSTAL.search(line)}
    assert lines == set()


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("key", BOARDS)
def test_boards_fill_a_small_screen_open_on_ones_own_and_are_read_and_hit(
    serve: Callable[..., Server],  # noqa: F811
    new_window: Callable[..., Any],  # noqa: F811
    key: str,
    look: str,
) -> None:
    """Item 37: a telephone and a page at 200%: words of 10 pixels, places of 24, short pages, a dark map
    at night.
    """
    seat, *more = BOARDS[key]
    server = serve("--game", key, "--play", seat, "--bots", *more)
    for options in ({**PHONE}, {**DESK, **ZOOM}):
        page = new_window(server, **options, color_scheme=look)
        sizes = page.evaluate(SMALL)
        assert sizes["high"] < 8 * sizes["screen"], sizes
        assert sizes["wide"] <= sizes["width"]
        assert sizes["map"] >= 0.55 * sizes["width"], sizes
        assert sizes["words"] >= 9.5, sizes
        assert sizes["hit"] >= 24, sizes
        assert sizes["own"], "his own places are in sight"
        if look == "dark":
            assert sizes["light"] < 0.5, sizes


SMALL = """() => {
  const sheet = document.querySelector("figure.map .sheet");
  const svg = sheet.querySelector("svg");
  const [box, drawn] = [sheet.getBoundingClientRect(), svg.getBoundingClientRect()];
  const scale = drawn.width / svg.viewBox.baseVal.width;
  const words = [...svg.querySelectorAll("text[font-size]")];
  const sizes = words.map((each) => Number(each.getAttribute("font-size")) * scale);
  const data = JSON.parse(document.getElementById("writer-data").textContent);
  const narrow = (part) => Math.min(part.getBoundingClientRect().width, part.getBoundingClientRect().height);
  const hits = [...svg.querySelectorAll("[data-place]")].map((each) => {
    const badge = svg.querySelector(`[data-of='${each.dataset.place}'] .hit`);
    return Math.max(...[each, badge].filter(Boolean).map(narrow));
  });
  const inside = (place) => {
    const found = svg.querySelector(`[data-place='${place}']`).getBoundingClientRect();
    const [x, y] = [found.x + found.width / 2, found.y + found.height / 2];
    return x > box.left && x < box.right && y > box.top && y < Math.min(box.bottom, innerHeight);
  };
  const fill = (each) => getComputedStyle(each).fill.match(/\\d+/g).slice(0, 3).map(Number);
  const light = (each) => Math.max(...fill(each)) / 255;
  return {
    high: document.documentElement.scrollHeight,
    screen: innerHeight,
    wide: document.documentElement.scrollWidth,
    width: innerWidth,
    map: Math.min(drawn.width, box.width),
    words: Math.min(...sizes),
    hit: Math.min(...hits),
    own: data.own.some(inside),
    light: Math.max(0, ...[...svg.querySelectorAll(".sea, .land")].map(light)),
  };
}"""


HELD = "[...document.querySelectorAll('[data-place] > title')].map(each => each.textContent)"
REACHED = """each => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === each;
}"""
ANIMATED = """window.shows = []; const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
    window.shows.push(this.tagName);
    return animate.apply(this, given);
};"""


@pytest.fixture
def two_clicks(tmp_path: Path) -> Iterator[Server]:
    """A game of single moves against a program, which was begun here."""
    server = Server(tmp_path / "clicks", "--game", "conquest-fields", "--play", "RED", "--bots", "greedy")
    yield server
    server.stop()


def two_clicks_on(page: Any, by: str = "mouse") -> None:
    """Make the first move that the board offers, and wait for the board after the answer."""
    data = json.loads(page.locator("#conquest-writer").text_content())
    start, ends = next((start, ends) for start, ends in data["moves"].items() if ends["grow"] or ends["jump"])
    places = [
        page.locator(f"[data-place={name}]").first for name in (start, (ends["grow"] or ends["jump"])[0])
    ]
    with page.expect_navigation():
        for place in places:
            if by == "keys":
                place.focus()
                page.keyboard.press("Enter")
            else:
                place.click()
    page.wait_for_load_state()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_the_second_click_makes_the_move_and_the_answer_is_made_before_the_players_eyes(
    two_clicks: Server,
    new_window: Callable[..., Any],  # noqa: F811
    by: str,
    motion: str,
) -> None:
    """39.6: who wants less motion sees the board as it is at once."""
    page = new_window(two_clicks, **DESK, reduced_motion=motion)
    page.add_init_script(ANIMATED)
    two_clicks_on(page, by)
    moves = open_campaign(two_clicks.folder).state.history
    assert [move.side for move in moves] == ["RED", "GREEN"]
    discs = page.evaluate("window.shows.filter(each => each === 'circle').length")
    assert discs == (2 if motion == "no-preference" else 0)
    page.locator(".answering").first.wait_for(state="detached")
    page.reload()
    assert page.evaluate("window.shows") == [], "it is shown once"
    two_clicks_on(page, by)
    assert len(open_campaign(two_clicks.folder).state.history) == 4


@pytest.mark.parametrize("look", [DESK, {**PHONE, "color_scheme": "dark"}], ids=["desk", "dark telephone"])
def test_undo_a_rematch_and_another_board_are_one_press_each(
    two_clicks: Server,
    new_window: Callable[..., Any],  # noqa: F811
    look: dict[str, Any],
) -> None:
    page = new_window(two_clicks, **look)
    opened = page.evaluate(HELD)
    two_clicks_on(page)
    press(page, "Take back")
    assert (page.evaluate(HELD), GameFolder(two_clicks.folder).newest_turn()) == (opened, 0)
    two_clicks_on(page)
    press(page, "Rematch")
    second = open_campaign(two_clicks.folder.with_name("clicks-2"))
    assert page.evaluate(HELD) == opened
    assert (second.folder.settings.map, second.newest_turn) == ("squares4-6x6", 0)
    assert {seat.code: seat.bot for seat in second.seats} == {"RED": "", "GREEN": "greedy"}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert grave_findings(page, "#play") == []
    boards = page.get_by_role("group", name="Another board").get_by_role("button")
    assert {board.inner_text() for board in boards.all()} == {*SPEC.maps()} - {"squares4-6x6"}
    assert all(board.evaluate(REACHED) for board in boards.all()), "each is seen, and nothing lies over it"
    with page.expect_navigation():
        boards.filter(has_text="triangles-7x6").press("Enter")
    page.wait_for_load_state()
    third = open_campaign(two_clicks.folder.with_name("clicks-3"))
    assert third.folder.settings.map == "triangles-7x6"
    assert {seat.code: seat.bot for seat in third.seats} == {"RED": "", "GREEN": "greedy"}
    two_clicks_on(page)
    assert [move.side for move in open_campaign(third.folder.path).state.history] == ["RED", "GREEN"]
