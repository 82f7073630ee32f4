"""The map on a telephone, without scripts, on paper, and as large as Europe."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import PHONE
from tests.browser.test_map import name_of, reported, width
from tests.waiting import drawn, until


@pytest.fixture
def phone(new_page: Callable[..., Any], report: str) -> Any:
    page = new_page(**PHONE)
    page.goto(report)
    page.evaluate("document.querySelector('.map-atlas').scrollIntoView()")
    drawn(page)
    return page


class Fingers:
    """Touches a page as a screen does; Playwright itself only taps."""

    def __init__(self, page: Any) -> None:
        self._session = page.context.new_cdp_session(page)

    def start(self, *points: tuple[float, float]) -> None:
        self._send("touchStart", points)

    def move(self, *points: tuple[float, float]) -> None:
        self._send("touchMove", points)

    def end(self) -> None:
        self._send("touchEnd", ())

    def _send(self, kind: str, points: tuple[tuple[float, float], ...]) -> None:
        touches = [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def test_two_fingers_zoom(phone: Any) -> None:
    before = width(phone)
    box = phone.locator(".map-view").bounding_box()
    x = box["x"] + box["width"] / 2
    y = box["y"] + 250
    fingers = Fingers(phone)
    fingers.start((x - 30, y), (x + 30, y))
    for reach in (40, 55, 70, 90):
        fingers.move((x - reach, y), (x + reach, y))
    fingers.end()
    assert width(phone) == pytest.approx(before * 3, rel=0.05)
    assert phone.evaluate("visualViewport.scale") == 1
    fingers.start((x - 90, y), (x + 90, y))
    fingers.move((x - 60, y), (x + 60, y))
    fingers.move((x - 30, y), (x + 30, y))
    fingers.end()
    assert width(phone) == pytest.approx(before, rel=0.05)


def test_one_finger_moves_the_map(phone: Any) -> None:
    phone.get_by_role("button", name="Zoom in").tap()
    view = phone.locator(".map-view")
    box = view.bounding_box()
    x = box["x"] + box["width"] / 2
    y = box["y"] + 250
    left = view.evaluate("each => each.scrollLeft")
    fingers = Fingers(phone)
    fingers.start((x, y))
    for step in range(1, 8):
        fingers.move((x - 15 * step, y))
    fingers.end()
    until(phone, f"document.querySelector('.map-view').scrollLeft > {left + 40}")
    assert phone.locator(".map-panel").is_hidden()


def test_a_report_is_a_sheet_at_the_bottom_that_leaves_its_place_in_sight(phone: Any) -> None:
    phone.tap(name_of("Minsk"))
    assert reported(phone) == "Minsk"
    panel = phone.locator(".map-panel").bounding_box()
    assert panel["y"] + panel["height"] == pytest.approx(844, abs=1)
    assert panel["x"] == 0
    assert 0 < phone.locator(name_of("Minsk")).bounding_box()["y"] < panel["y"]
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.get_by_role("button", name="Close the location report").tap()
    assert phone.locator(".map-panel").is_hidden()


def test_the_map_fills_the_window_and_gives_it_back(phone: Any) -> None:
    button = phone.get_by_role("button", name="Fill the window")
    button.tap()
    box = phone.locator(".map-atlas").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 844)
    assert button.get_attribute("aria-pressed") == "true"
    button.press("Escape")
    assert button.get_attribute("aria-pressed") == "false"
    assert phone.locator(".map-atlas").bounding_box()["height"] < 844


# -- without scripts -----------------------------------------------------------------------------------------


@pytest.fixture
def plain(new_page: Callable[..., Any], report: str) -> Any:
    page = new_page(java_script_enabled=False)
    page.goto(report)
    return page


def test_without_scripts_a_place_leads_to_its_report(plain: Any) -> None:
    plain.click('.places .at[href="#place-minsk"] .n')
    row = plain.locator("tr:target")
    assert row.get_attribute("id") == "place-minsk"
    assert "capital of Lithuania" in row.inner_text()
    own = plain.locator('#provinces tr:has(th a[href="#place-minsk"])')
    own.get_by_text("up to 6 a turn").click()
    for words in ("Mazyr", "Villager Conscripts 3"):
        assert words in own.inner_text()
    own.get_by_role("link", name="Vilna").click()
    assert row.get_attribute("id") == "place-vilna"


def test_without_scripts_the_map_has_sizes_to_scroll_in_and_no_dead_buttons(plain: Any) -> None:
    before = width_of(plain)
    plain.locator("label:has(#map-size-4)").click()
    assert width_of(plain) == pytest.approx(before * 4, rel=0.01)
    for css in (".map-buttons", ".map-search", ".map-pick", ".map-panel"):
        assert not plain.locator(css).is_visible(), css
    assert plain.locator(".map-home-picture svg").is_visible()


def width_of(page: Any) -> float:
    return float(page.locator(".map-view svg").bounding_box()["width"])


# -- on paper ------------------------------------------------------------------------------------------------


def test_on_paper_the_whole_map_is_there_and_no_controls(page: Any, report: str) -> None:
    page.goto(report)
    page.click(name_of("Minsk"))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for css in (".map-buttons", ".map-tools", ".map-layers", ".map-panel > button", ".print-choice"):
        assert not page.locator(css).is_visible(), css
    box = page.locator(".map-view").bounding_box()
    svg = page.locator(".map-view svg").bounding_box()
    assert svg["width"] <= box["width"] + 1
    assert page.locator(".map-home-picture svg").is_visible()
    assert reported(page) == "Minsk"
    assert not page.locator("#place-riga").is_visible()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator(".map-home-picture").is_visible()
    page.locator("#print-all").check()
    page.emulate_media(media="print")
    assert page.locator("#place-riga").is_visible()
    assert page.pdf().startswith(b"%PDF")


# -- Europe --------------------------------------------------------------------------------------------------


def test_on_the_whole_map_of_europe_what_is_shown_covers_nothing_else(page: Any, europe_report: Path) -> None:
    page.goto(europe_report.as_uri())
    page.get_by_role("button", name="The whole map").click()
    script = """() => [...document.querySelectorAll('.places .at')]
        .map(at => [...at.querySelectorAll('.n, .t')]
            .filter(each => !each.classList.contains('off')).map(each => each.getBoundingClientRect())
            .map(r => [r.left + 1, r.top + 1, r.right - 1, r.bottom - 1]))"""
    places = page.evaluate(script)
    boxes = [(index, box) for index, boxes_of_place in enumerate(places) for box in boxes_of_place]
    assert len(boxes) > 200
    covered = [
        (a, b)
        for (i, a), (j, b) in combinations(boxes, 2)
        if i != j and a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    assert covered == []
    assert page.locator(name_of("London")).bounding_box()["height"] > 9


def test_own_troops_stand_on_round_bases_and_others_on_square_ones(page: Any, europe_report: Path) -> None:
    page.goto(europe_report.as_uri())
    script = "css => getComputedStyle(document.querySelector(css)).getPropertyValue('--round')"
    assert page.evaluate(script, ".t.u-ENG").strip() == "11.5px"
    assert page.evaluate(script, ".t.u-FRA").strip() == ""


def test_the_page_opens_with_the_own_lands_in_sight(page: Any, europe_report: Path) -> None:
    page.goto(europe_report.as_uri())
    view = page.locator(".map-view").bounding_box()
    for place in ("London", "York"):
        box = page.locator(name_of(place)).bounding_box()
        assert view["x"] < box["x"] < view["x"] + view["width"], place
        assert view["y"] < box["y"] < view["y"] + view["height"], place
