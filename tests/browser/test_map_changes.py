"""What changed on the map, as a mode of it: in the history, in reports of all games and at the table
(39.5).
"""

import shutil
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.open import Campaign
from gm.cli.session import open_campaign
from gm.game.base.past import map_reader
from gm.game.map_changes import LegendRow, MapReader, legend, map_changes
from gm.game.map_record import SINGLE
from gm.story.history import history_page
from gm.story.turns import past_turns
from tests.browser.conftest import DESK, LATE, PHONE, command
from tests.browser.test_accessibility import grave_findings
from tests.browser.test_play import Server, new_window, play_without_orders  # noqa: F401

SIGNS = {"won": "+", "lost": "−", "hands": "⇄", "battle": "✶", "built": "▲"}
TOLD = "[...document.querySelectorAll('.step-changes li')].map(each => each.textContent)"
PLACED = """[...document.querySelectorAll('.fights > g')].map(each =>
    [each.getAttribute('class'), each.querySelector('title').textContent])"""
LEGEND = "[...document.querySelectorAll('.map-since li')].map(each => each.textContent)"
LONG = 8
MARKED = """[...document.querySelectorAll('.map-key .changes a')].map(each =>
    each.closest('li').firstChild.className + each.textContent)"""
DARK = {**PHONE, "color_scheme": "dark"}


def in_words(rows: tuple[LegendRow, ...]) -> list[str]:
    """The lines of a legend as a page shows them."""
    lines = [f"{SIGNS[row.mark]}{row.words}: {', '.join(row.places)}" for row in rows]
    return lines or ["Nothing changed on the map."]


def opened(page: Any, path: Path) -> Any:
    """Open a page that steps through turns, and return its chooser of what changed."""
    page.goto(path.as_uri())
    page.locator(".stepper:not([aria-busy])").wait_for()
    return page.locator(".step-since select")


@pytest.mark.parametrize("party", ["", "LIT"])
def test_since_any_turn_a_history_tells_what_the_comparison_of_the_two_does(
    page: Any, minsk_reports: Path, tmp_path: Path, party: str
) -> None:
    campaign = open_campaign(minsk_reports)
    path = tmp_path / "history.html"
    path.write_bytes(history_page(campaign, party=party))
    turns = tuple(past_turns(campaign, party=party, drawn=False))
    reader = map_reader(campaign.spec, campaign.table, campaign.snapshot, party, "en")
    since = opened(page, path)
    for first, last in combinations(range(len(turns)), 2):
        page.locator("input[type=range]").fill(str(last))
        since.select_option("before" if first == last - 1 else str(first))
        stories = [turn.story for turn in turns[first + 1 : last + 1]]
        rows = legend(map_changes(turns[first].owners, turns[last].owners, stories), reader)
        assert page.evaluate(TOLD) == in_words(rows), (first, last)
        assert sorted(page.evaluate(PLACED)) == sorted(placed(rows))
    since.select_option("")
    assert page.locator(".step-changes").is_hidden()
    assert page.locator(".fights a").count()


@pytest.mark.parametrize("look", [DESK, DARK], ids=["desk", "dark telephone"])
def test_the_mode_of_a_history_keeps_nobody_out_and_goes_by_keys(
    new_page: Callable[..., Any], minsk_reports: Path, tmp_path: Path, look: dict[str, Any]
) -> None:
    page = new_page(**look)
    path = tmp_path / "history.html"
    path.write_bytes(history_page(open_campaign(minsk_reports), "de", "LIT"))
    opened(page, path).focus()
    page.keyboard.press("ArrowDown")
    page.locator(".step-changes li").first.wait_for()
    assert "Gewonnen (bisher: Teutonic Order): Courland" in page.evaluate(TOLD)[0]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert grave_findings(page) == []


@pytest.mark.parametrize("look", [DESK, DARK], ids=["desk", "dark telephone"])
def test_a_realms_map_shows_what_the_last_turn_changed(
    new_page: Callable[..., Any], report: str, look: dict[str, Any]
) -> None:
    page = new_page(**look)
    page.goto(f"{report}#map")
    page.locator("#mode-terrain").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#mode-changes").is_checked()
    lines = [line.strip() for line in page.locator(".map-key .changes li").all_text_contents()]
    assert "+Won from the Teutonic Order: Courland" in lines
    assert page.locator("#map .sign:visible").count() == len(set(page.evaluate(MARKED)))
    strengths = page.evaluate(
        "[...document.querySelectorAll('.lands g g > .z')].map(e => getComputedStyle(e).fillOpacity)"
    )
    assert set(strengths) == {"0.9"}
    assert len(strengths) == sum("Won" in line or "Lost" in line for line in lines)
    page.locator(".map-key .changes a", has_text="Courland").click()
    page.locator("#place-courland").wait_for()
    assert grave_findings(page, "#map") == []
    page.emulate_media(media="print")
    assert page.locator(".map-key .changes").is_visible()
    assert page.locator(".map-since select").is_visible(), "paper says since when"
    page.emulate_media(media="screen")
    page.locator("#mode-owners").check()
    assert page.locator("#map .sign:visible").count() == 0


def test_without_a_script_the_changes_stand_below_the_map(browser: Any, report: str) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(report)
        assert page.locator("#map > .changes .won").first.is_visible()
        note = page.locator("#map noscript .note")
        assert note.is_visible()
        assert "shows the changes of the last turn alone." in note.inner_text()
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(report)
        assert page.locator("#map noscript .note").count() == 0


def placed(rows: tuple[LegendRow, ...]) -> list[list[str]]:
    """The signs on the map and their titles: one of a kind at a place, with all its words."""
    signs = dict[tuple[str, str], list[str]]()
    for row in rows:
        for place in row.places:
            signs.setdefault((row.mark, place), []).append(row.words)
    return [[mark, f"{place}: {', '.join(words)}"] for (mark, place), words in signs.items()]


def played(folder: Path, *words: object) -> Campaign:
    """A game that bots play, after more turns than its pages have drawings of: with this seed none ends."""
    command("new", folder, *words, "--bots", "--seed", "four", "--deadline", "none")
    for _ in range(LONG - 1):
        command("turn", "--missing-ok", "--no-html", "--game", folder)
    command("turn", "--missing-ok", "--bot-reports", "--game", folder)
    return open_campaign(folder)


def compared(campaign: Campaign, code: str, first: int, reader: MapReader) -> list[str]:
    """The legend of what changed between two turns of a game, from its states and logs."""
    turns = tuple(past_turns(campaign, party=code, drawn=False))
    stories = [turn.story for turn in turns[first + 1 :]]
    return in_words(legend(map_changes(turns[first].owners, turns[-1].owners, stories), reader))


@pytest.mark.parametrize("game", ["conqueror", "conquestination", "conquest-fields", "conquest-structures"])
def test_a_small_games_report_compares_with_any_turn(page: Any, tmp_path: Path, game: str) -> None:
    folder = tmp_path / game
    campaign = played(folder, "--game", game)
    code = campaign.seats[0].code
    page.goto((folder / "turns" / f"turn-{LONG:02}" / "results" / f"{code}.html").as_uri())
    since = page.locator(".step-since select")
    reader = map_reader(campaign.spec, campaign.table, campaign.snapshot, code, "en")
    assert since.locator("option").count() == LONG + 1
    for first in range(LONG - 1):
        since.select_option(index=LONG - first)
        told = compared(campaign, code, first, reader)
        assert page.evaluate(TOLD) == told, first
    assert told != ["Nothing changed on the map."]
    assert since.locator("option").last.inner_text() == "since the start"
    shutil.rmtree(folder)


def test_a_realms_map_compares_with_any_turn_of_the_past(page: Any, tmp_path: Path) -> None:
    """Also by keys; on the last of the turns with marks for the places of all its changes."""
    folder = tmp_path / "minsk"
    campaign = played(folder, "--map", "minsk")
    page.goto((folder / "turns" / f"turn-{LONG:02}" / "results" / "LIT.html").as_uri())
    page.locator("#mode-changes").check()
    since = page.locator(".map-since select")
    since.focus()
    reader = map_reader(campaign.spec, campaign.table, campaign.snapshot, "LIT", "en")
    for first in reversed(range(LONG)):
        assert page.evaluate(LEGEND) == compared(campaign, "LIT", first, reader), first
        page.keyboard.press("ArrowDown")
    assert since.locator("option").last.inner_text() == "since the start"
    assert page.locator("#map .sign:visible").count() == len(set(page.evaluate(MARKED)))


def test_the_table_leads_to_what_changed_since_any_turn_and_back(
    tmp_path: Path,
    new_window: Callable[..., Any],  # noqa: F811
) -> None:
    """From the table, the map tells the changes since the start, and its link leads back to the game."""
    folder = tmp_path / "table"
    command(
        "new",
        folder,
        "--game",
        "conquest-structures",
        "--play",
        "RED",
        "--bots",
        "--every",
        "none",
        "--seed",
        "one",
    )
    for _ in range(2):
        command("turn", "--missing-ok", "--no-html", "--game", folder)
    server = Server(folder)
    try:
        page = new_window(server)
        page.locator(".play-buttons").get_by_role("link", name="What changed").click()
        page.locator(".stepper:not([aria-busy])").wait_for()
        page.locator(".step-since select").select_option("0")
        assert page.evaluate(TOLD) != ["Nothing changed on the map."]
        page.get_by_role("link", name="Back to the game").click()
        page.locator("#play").wait_for()
    finally:
        server.stop()


def test_a_page_with_too_many_changes_says_that_only_some_turns_can_be_chosen(
    page: Any, europe_report: Path
) -> None:
    """The largest page: after 300 turns of war."""
    page.goto(f"{europe_report.as_uri()}#map")
    page.locator("#mode-changes").check()
    options = page.locator(".map-since option").all_inner_texts()
    assert options[0] == "since the turn before"
    assert options[1].startswith(f"since turn {LATE - 2}, ")
    assert SINGLE < len(options) < LATE
    assert (
        page.locator(".map-since small").inner_text().startswith(f"Not all turns before turn {LATE - SINGLE}")
    )
    page.locator(".map-since select").select_option(index=len(options) - 1)
    assert page.locator("#map .sign:visible").count() == len(set(page.evaluate(MARKED)))
