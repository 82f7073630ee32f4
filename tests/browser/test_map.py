"""The map of a page in a real browser: zooming, moving, location reports, searching, switches and choosing
places.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.playing import see
from tests.waiting import until

REALM = "LIT"


@pytest.fixture
def opened(page: Any, report: str) -> Any:
    """The page with its map in sight."""
    page.goto(report)
    page.locator(".map-view").scroll_into_view_if_needed()
    page.evaluate("document.getElementById('map').scrollIntoView()")
    return page


def width(page: Any) -> float:
    return float(page.evaluate("document.querySelector('.map-view svg').getBoundingClientRect().width"))


def middle(page: Any) -> tuple[float, float]:
    box = page.locator(".map-view").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + min(box["height"], 600) / 2


def map_point(page: Any, x: float, y: float) -> list[float]:
    """Which part of the drawing is at a point of the window, as parts of its width and height."""
    script = """([x, y]) => { const r = document.querySelector('.map-view svg').getBoundingClientRect();
        return [(x - r.left) / r.width, (y - r.top) / r.height]; }"""
    point: list[float] = page.evaluate(script, [x, y])
    return point


def name_of(place: str) -> str:
    """Where to click for a place: on its name."""
    return f'.places .at[aria-label="{place}"] .n'


def reported(page: Any) -> str:
    """The place whose report is open."""
    return str(page.locator(".map-report h3").inner_text())


# -- zooming and moving --------------------------------------------------------------------------------------


def test_the_wheel_zooms_around_the_pointer(opened: Any) -> None:
    opened.get_by_role("button", name="Zoom in").click()
    x, y = middle(opened)
    x = x + 120
    y = y - 60
    before = width(opened)
    point = map_point(opened, x, y)
    opened.mouse.move(x, y)
    for _ in range(3):
        opened.mouse.wheel(0, -100)
    until(opened, "!document.querySelector('.map-view svg').style.transform")
    assert width(opened) > before * 1.7
    assert map_point(opened, x, y) == pytest.approx(point, abs=0.004)
    opened.mouse.wheel(0, 240)
    until(opened, f"document.querySelector('.map-view svg').getBoundingClientRect().width < {before * 1.3}")


def test_a_wheel_that_scrolls_the_page_is_not_caught_by_the_map(opened: Any) -> None:
    # what the page leaves to the browser scrolls it; turns of a script come when it says, in milliseconds
    # from now
    turned = """turns => turns.map(([name, later]) => {
        const turn = new WheelEvent("wheel", { deltaY: -50, bubbles: true, cancelable: true });
        Object.defineProperty(turn, "timeStamp", { value: performance.now() + later });
        return !document.querySelector(name).dispatchEvent(turn);
    })"""
    far = 3_600_000
    before = width(opened)
    opened.evaluate("scrollTo(0, 0)")
    assert opened.locator(".map-view").bounding_box()["y"] > 100, "the wheel turns above the map"
    opened.mouse.move(640, 40)
    opened.mouse.wheel(0, 20)
    until(opened, "scrollY > 0")
    passing = [["header", far], [".map-view svg", far + 50], [".map-view svg", far + 100]]
    assert opened.evaluate(turned, passing) == [False, False, False]
    assert width(opened) == before
    meant = [[".map-view svg", 2 * far], [".map-view svg", 2 * far + 50]]
    assert opened.evaluate(turned, meant) == [True, True]
    until(opened, "!document.querySelector('.map-view svg').style.transform")
    assert width(opened) > before * 1.1


def test_buttons_and_keys_zoom_and_move(opened: Any) -> None:
    before = width(opened)
    opened.get_by_role("button", name="Zoom in").click()
    assert width(opened) == pytest.approx(before * 1.5, rel=0.01)
    opened.get_by_role("button", name="Zoom out").click()
    assert width(opened) == pytest.approx(before, rel=0.01)
    view = opened.locator(".map-view")
    view.focus()
    opened.keyboard.press("+")
    opened.keyboard.press("+")
    assert width(opened) == pytest.approx(before * 2.25, rel=0.01)
    left = view.evaluate("each => each.scrollLeft")
    opened.keyboard.press("ArrowRight")
    assert view.evaluate("each => each.scrollLeft") > left
    opened.keyboard.press("-")
    assert width(opened) == pytest.approx(before * 1.5, rel=0.01)
    opened.keyboard.press("0")
    whole = opened.evaluate(
        "(b => b.scrollWidth <= b.clientWidth && b.scrollHeight <= "
        "b.clientHeight)(document.querySelector('.map-view'))"
    )
    assert whole


def test_dragging_moves_the_map_and_opens_nothing(opened: Any) -> None:
    opened.get_by_role("button", name="Zoom in").click()
    opened.get_by_role("button", name="Zoom in").click()
    x, y = middle(opened)
    point = map_point(opened, x, y)
    opened.mouse.move(x, y)
    opened.mouse.down()
    opened.mouse.move(x - 60, y - 30, steps=4)
    opened.mouse.move(x - 130, y - 80, steps=4)
    opened.mouse.up()
    assert map_point(opened, x - 130, y - 80) == pytest.approx(point, abs=0.004)
    assert opened.locator(".map-panel").is_hidden()
    opened.mouse.click(x, y)
    assert opened.locator(".map-panel").is_visible()


def test_names_keep_a_readable_size_whatever_the_zoom(opened: Any) -> None:
    sizes = []
    for _ in range(4):
        sizes.append(opened.locator(name_of("Minsk")).bounding_box()["height"])
        opened.get_by_role("button", name="Zoom in").click()
    assert max(sizes) < min(sizes) * 2
    assert min(sizes) > 10


# -- location reports ----------------------------------------------------------------------------------------


@pytest.mark.clause("W4", "W8")
def test_a_click_on_a_place_opens_its_location_report_beside_the_map(opened: Any) -> None:
    opened.click(name_of("Krakow"))
    assert reported(opened) == "Krakow"
    report = opened.locator(".map-report").inner_text()
    for words in ("Poland", "24", "Heavy Infantry 7", "Stone Tower (3)", "mountains"):
        assert words in report
    assert opened.evaluate("document.activeElement.textContent") == "Krakow"
    assert opened.url.endswith("#place-krakow")
    panel = opened.locator(".map-panel").bounding_box()
    view = opened.locator(".map-view").bounding_box()
    assert panel["x"] >= view["x"] + view["width"]
    opened.locator(".map-report").get_by_role("link", name="Mazovia").click()
    assert reported(opened) == "Mazovia"
    assert opened.locator(".map-mark.selected use").count() == 2


def test_a_report_is_closed_by_its_button_escape_or_going_back_and_the_focus_returns(opened: Any) -> None:
    panel = opened.locator(".map-panel")
    opened.click(name_of("Minsk"))
    opened.keyboard.press("Escape")
    assert panel.is_hidden()
    assert opened.evaluate("document.activeElement.getAttribute('aria-label')") == "Minsk"
    opened.click(name_of("Minsk"))
    opened.get_by_role("button", name="Close the location report").click()
    assert panel.is_hidden()
    opened.click(name_of("Minsk"))
    opened.click(name_of("Vilna"))
    opened.go_back()
    assert reported(opened) == "Minsk"
    opened.go_back()
    panel.wait_for(state="hidden")


def test_places_are_reached_and_opened_by_keyboard(opened: Any) -> None:
    opened.locator(".map-view").focus()
    opened.keyboard.press("Tab")
    first = opened.evaluate("document.activeElement.getAttribute('aria-label')")
    assert first == "Minsk"
    opened.keyboard.press("ArrowUp")
    other = opened.evaluate("document.activeElement.getAttribute('aria-label')")
    assert other not in (None, first)
    opened.keyboard.press("Enter")
    assert reported(opened) == other
    opened.keyboard.press("Escape")
    assert opened.evaluate("document.activeElement.getAttribute('aria-label')") == other
    opened.keyboard.press("Escape")
    assert opened.evaluate("document.activeElement.className") == "map-view"
    stops = opened.locator(".map-view a:not([tabindex='-1'])").count()
    assert stops == 1


def test_links_to_places_elsewhere_on_the_page_open_the_report_too(opened: Any) -> None:
    see(opened, "units")
    opened.locator('#units a[href="#place-vilna"]').first.click()
    assert reported(opened) == "Vilna"
    assert opened.locator(".map-panel").is_visible()


def test_own_units_lead_to_their_rows_and_others_do_not(opened: Any) -> None:
    opened.click(name_of("Vilna"))
    links = opened.locator(".map-report [data-unit] a")
    links.first.wait_for()
    assert links.count() > 0
    for link in links.all():
        assert opened.evaluate(
            "href => GmDom.find(href.slice(1)).matches('#units *')", link.get_attribute("href")
        )
    opened.click(name_of("Riga"))
    opened.locator(".map-report [data-unit]").first.wait_for()
    assert opened.locator(".map-report [data-unit] a").count() == 0


def test_a_page_opened_at_a_place_shows_its_report(page: Any, report: str) -> None:
    page.goto(f"{report}#place-riga")
    assert reported(page) == "Riga"
    assert page.locator('[id="place-riga"]').count() == 1


# -- searching -----------------------------------------------------------------------------------------------


def test_searching_finds_places_in_any_spelling_and_units(opened: Any) -> None:
    field = opened.get_by_label("Find on the map")
    field.fill("GÓTLand")
    field.press("Enter")
    assert reported(opened) == "Gotland"
    x, y = (opened.locator(name_of("Gotland")).bounding_box()[side] for side in "xy")
    box = opened.locator(".map-view").bounding_box()
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]
    field.fill("Atlantis")
    field.press("Enter")
    assert "Atlantis" in opened.locator(".map-status").inner_text()
    assert reported(opened) == "Gotland"
    opened.evaluate("GmDom.find('units') !== null")
    unit = opened.locator("#units tbody tr[id] th").first.inner_text().split()[0]
    field.fill(unit)
    field.press("Enter")
    opened.locator(f'.map-report [data-unit="{REALM}/{unit}"]').wait_for()
    assert opened.locator("#map-names option").count() > 40


# -- switches ------------------------------------------------------------------------------------------------

SWITCHES = {
    "own": f".t.u-{REALM}",
    "foreign": ".t.u-TEU",
    "names": ".n",
    "cities": ":is([href='#m-city'], [href='#m-capital'])",
    "forts": "[href^='#m-fort']",
    "harbours": "[href='#m-harbour']",
    "revenue": ".at>g>g:not([class])>text",
    "annexed": ".f:not(.foreign)",
}


def shown(page: Any, css: str) -> bool:
    visible = "each => getComputedStyle(each).display !== 'none'"
    return bool(
        page.evaluate(f"css => [...document.querySelectorAll(`.places ${{css}}`)].some({visible})", css)
    )


@pytest.mark.parametrize("scripts", [True, False])
def test_switches_show_and_hide_layers_with_and_without_scripts(
    new_page: Callable[..., Any], report: str, scripts: bool
) -> None:
    page = new_page(java_script_enabled=scripts)
    page.goto(report)
    page.locator(".map-layers summary").click()
    for name, css in SWITCHES.items():
        switch = page.locator(f"#show-{name}")
        was = switch.is_checked()
        assert shown(page, css) is was, name
        page.locator(f"label:has(#show-{name})").click()
        assert shown(page, css) is not was, name
        others = [switch for switch in SWITCHES if switch != name]
        on = [page.locator(f"#show-{switch}").is_checked() for switch in others]
        assert [shown(page, SWITCHES[switch]) for switch in others] == on, name
        switch.set_checked(was)


@pytest.mark.clause("M0")
@pytest.mark.parametrize("scripts", [True, False])
def test_the_last_moves_are_arrows_phase_by_phase(
    new_page: Callable[..., Any], report: str, scripts: bool
) -> None:
    page = new_page(java_script_enabled=scripts)
    page.goto(report)
    arrows = {phase: page.locator(f".moves .m{phase} > g") for phase in (1, 2)}
    assert all(arrow.count() and arrow.first.is_visible() for arrow in arrows.values())
    page.locator("label:has(#moves-1)").click()
    assert arrows[1].first.is_visible()
    assert not arrows[2].first.is_visible()
    page.locator("label:has(#moves-2)").click()
    assert not arrows[1].first.is_visible()
    assert arrows[2].first.is_visible()
    page.locator("label:has(#moves-none)").click()
    assert not any(arrow.first.is_visible() for arrow in arrows.values())
