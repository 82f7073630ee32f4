"""The history in a browser: every turn shown is that turn's map, by buttons, slider and keys.

Battles are read.
"""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from gm.cli.session import open_campaign
from gm.game.values import MapView
from gm.story.history import history_page
from gm.text.frames import parsed
from tests.browser.conftest import command
from tests.browser.test_accessibility import grave_findings
from tests.core.test_frames import tree

TURNS = 4
SHOWN = """() => { const svg = document.querySelector(".story-map svg").cloneNode(true);
  svg.querySelector(":scope > .fights").remove(); svg.removeAttribute("preserveAspectRatio");
  svg.setAttribute("role", "img");
  return new XMLSerializer().serializeToString(svg); }"""


@pytest.fixture(scope="module")
def history(minsk_reports: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the example campaign."""
    path = tmp_path_factory.mktemp("history") / "history.html"
    path.write_bytes(history_page(open_campaign(minsk_reports)))
    return path


def opened(page: Any, history: Path, place: str = "") -> None:
    """Open the page and wait until it can be stepped through."""
    page.goto(f"{history.as_uri()}{place}")
    page.locator(".stepper:not([aria-busy])").wait_for()


def plain(node: Any) -> Any:
    """A drawing without the marks of XML and without styles that show all."""
    if isinstance(node, str):
        return node
    tag, attributes, children = node
    return [
        tag,
        {name: text for name, text in attributes.items() if name != "xmlns" and text},
        [*map(plain, children)],
    ]


def test_every_turn_shown_is_the_map_of_that_turn(page: Any, history: Path, minsk_reports: Path) -> None:
    campaign = open_campaign(minsk_reports)
    opened(page, history)
    page.locator(".step-moves select").select_option("none")
    # each by each, and over several at once
    for turn in (*reversed(range(TURNS + 1)), *range(TURNS + 1), 0, TURNS, 1, TURNS):
        page.locator("input[type=range]").fill(str(turn))
        drawn = campaign.spec.draw(campaign.table, campaign.state_after(turn), MapView())
        assert plain(tree(parsed(page.evaluate(SHOWN)))) == plain(tree(parsed(drawn))), turn


def test_a_turn_that_is_asked_for_is_shown_however_long_unpacking_takes(page: Any, history: Path) -> None:
    page.add_init_script(
        "const text = Response.prototype.text;"
        "const later = (act) => new Promise((done) => setTimeout(() => done(act()), 900));"
        "Response.prototype.text = function () { return later(() => text.call(this)); };"
    )
    opened(page, history, "#turn-1")
    assert page.locator(".step-now").text_content() == "turn 1"


def test_keys_and_buttons_step_and_phases_are_shown_one_by_one(page: Any, history: Path) -> None:
    opened(page, history, "#turn-1")
    now = page.locator(".step-now")
    assert now.text_content() == "turn 1"
    page.keyboard.press("ArrowRight")
    assert now.text_content() == "turn 2"
    assert page.locator("article.turn:visible").count() == 1
    page.locator("[data-step=first]").click()
    page.keyboard.press("Tab")
    assert now.text_content() == "the start"
    page.locator("[data-step=last]").click()
    phases = page.locator(".step-moves option").all_text_contents()
    assert phases[0] == "all"
    page.locator(".step-moves select").select_option(phases[1].removeprefix("phase "))
    assert page.locator(".moves > g:visible").count() == 1
    assert now.text_content() == f"turn {TURNS}, {phases[1]}"
    page.locator("[data-step=play]").click()
    assert now.text_content() == "the start"


def test_a_battle_on_the_map_leads_to_its_text(page: Any, history: Path) -> None:
    opened(page, history)
    for turn in range(TURNS, 0, -1):
        page.locator("input[type=range]").fill(str(turn))
        if page.locator(".fights a").count():
            break
    star = page.locator(".fights a").first
    star.focus()
    page.keyboard.press("Enter")
    text = page.locator(f"[id='{star.get_attribute('href')[1:]}']")
    assert text.is_visible()
    assert star.locator("title").text_content() in text.text_content()


def test_what_is_not_in_sight_is_built_when_it_is_looked_at_or_printed(page: Any, history: Path) -> None:
    opened(page, history)
    assert (page.locator("article.turn").count(), page.locator("#course table").count()) == (1, 0)
    page.locator("#course-title").scroll_into_view_if_needed()
    page.locator("#course figure").first.wait_for()
    page.emulate_media(media="print")
    page.locator("#turn-0").wait_for()
    assert page.locator("article.turn:visible").count() == TURNS + 1


def test_without_a_script_all_turns_and_figures_are_there(browser: Any, history: Path) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(history.as_uri())
        assert page.locator("article.turn:visible").count() == TURNS + 1
        assert page.locator("#course figure svg").first.is_visible()
        assert page.locator(".story-map svg").is_visible()
        assert not page.locator(".stepper").is_visible()


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_bars_anybody_and_nothing_is_wider_than_the_screen(
    page: Any, history: Path, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(history.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert grave_findings(page) == []


def test_a_report_of_a_small_game_steps_back_on_a_copy_of_its_map(page: Any, tmp_path: Path) -> None:
    game = tmp_path / "duel"
    command("new", game, "--game", "conquest-structures", "--bots", "--seed", "one", "--deadline", "none")
    for _ in range(3):
        command("turn", "--missing-ok", "--bot-reports", "--game", game)
    report = game / "turns" / "turn-03" / "results" / "RED.html"
    assert len(report.read_bytes()) < 300_000
    page.goto(report.as_uri())
    page.locator("[data-step=back]").click()
    assert page.locator("#past svg > title").text_content() == "The duel, turn 2"
    page.locator("[data-step=last]").click()
    # the order writer draws on the page's own map: what the file has of it is what the copy shows again
    written = re.findall(r"<svg.*?</svg>", report.read_text(encoding="utf-8"), re.DOTALL)[0]
    assert plain(tree(parsed(page.evaluate(SHOWN)))) == plain(tree(parsed(written)))
    shutil.rmtree(game)
