"""The accessibility rules of axe-core find nothing serious on any page, light and dark, desk and
telephone.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.play import played_turn, report_files
from gm.cli.session import open_campaign
from tests.browser.conftest import DESK, PHONE
from tests.browser.playing import Player, page_of, see, whole

LOOKS = {
    "light": {**DESK, "color_scheme": "light"},
    "dark": {**DESK, "color_scheme": "dark"},
    "telephone": {**PHONE, "color_scheme": "light"},
}


def grave_findings(page: Any, part: str | None = None) -> list[str]:
    """What axe-core finds on the page or a part of it: rule, how grave, the first places."""
    from axe_playwright_python.sync_playwright import Axe

    violations = Axe().run(page, context=part, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{violation['id']} ({violation['impact']}): {[node['target'] for node in violation['nodes'][:3]]}"
        for violation in violations
    ]


@pytest.mark.parametrize("look", LOOKS)
def test_the_realms_page_keeps_nobody_out(
    new_page: Callable[..., Any], minsk_reports: Path, look: str
) -> None:
    look_through(new_page(**LOOKS[look]), page_of(minsk_reports, 4, "TEU"))


def test_longer_words_keep_nobody_out_either(
    new_page: Callable[..., Any], minsk_reports: Path, tmp_path: Path
) -> None:
    campaign = open_campaign(minsk_reports)
    result = played_turn(campaign, 4).evolve(languages={"TEU": "de"})
    (tmp_path / "TEU.html").write_bytes(report_files(campaign, result, everybody=True)["results/TEU.html"])
    page = new_page(**LOOKS["telephone"])
    look_through(page, tmp_path / "TEU.html")
    assert page.locator("html").get_attribute("lang") == "de"


def look_through(page: Any, path: Path) -> None:
    """Axe-core looks at every view of a page with all that can be opened.

    Nothing is wider than the screen.
    """
    whole(page, path)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    views = page.locator("nav.page > ul > li:not(.map) > a").all()
    assert len(views) > 5
    for view in views:
        view.click()
        assert grave_findings(page) == [], view.inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view.inner_text()


@pytest.mark.parametrize("look", LOOKS)
def test_the_order_writer_keeps_nobody_out(
    new_page: Callable[..., Any], minsk_reports: Path, look: str
) -> None:
    page = new_page(**LOOKS[look])
    Player(page).open(page_of(minsk_reports, 0, "TEU"))
    for unit, words in (("G3", ("form", "recruit", "ranks")), ("headquarters", ("declare_war", "send_gold"))):
        page.locator(f'[data-key="unit {unit}"]').click()
        for word in words:
            page.locator(f'[data-key="word {word}"]').click()
            assert grave_findings(page, "#write") == [], word
            page.locator('[data-key="close"]').click()
        page.locator('[data-key="back"]').click()


@pytest.mark.parametrize("look", LOOKS)
def test_an_open_location_report_keeps_nobody_out(
    new_page: Callable[..., Any], minsk_reports: Path, look: str
) -> None:
    page = new_page(**LOOKS[look])
    whole(page, page_of(minsk_reports, 4, "LIT"))
    see(page, "provinces")
    page.locator('#provinces a.place[href="#place-minsk"]').first.click()
    page.locator("#place-minsk").wait_for(state="visible")
    assert grave_findings(page, "#map") == []


@pytest.mark.parametrize("look", LOOKS)
def test_battles_and_the_summary_keep_nobody_out(
    new_page: Callable[..., Any], minsk_reports: Path, look: str
) -> None:
    page = new_page(**LOOKS[look])
    turn = minsk_reports / "turns" / "turn-04"
    for path in (*sorted((turn / "results" / "battles").glob("*.html")), turn / "summary.html"):
        page.goto(path.as_uri())
        assert grave_findings(page) == [], path.name


CONTRAST = """(control) => {
  const parts = (css) => (css.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const fractions = (css) => parts(css.replace("srgb", "")).map((x, i) => i < 3 ? x * 255 : x);
  const srgb = (css) => css.startsWith("color(") ? fractions(css) : parts(css);
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((each, i) => each * a + below[i] * (1 - a));
  const ground = (at) => {
    if (!at) return [255, 255, 255];
    const own = srgb(getComputedStyle(at).backgroundColor);
    return (own[3] ?? 1) >= 1 ? own.slice(0, 3) : over(own, ground(at.parentElement));
  };
  const light = (rgb) => rgb.map((x) => x / 255)
    .map((x) => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4)
    .reduce((sum, x, i) => sum + x * [.2126, .7152, .0722][i], 0);
  const below = ground(control);
  const text = over(srgb(getComputedStyle(control).color), below);
  const [a, b] = [light(text), light(below)].sort((x, y) => y - x);
  return (a + .05) / (b + .05);
}"""
"""The contrast of a control's text against what is behind it as it looks now, as WCAG 2 measures it."""
CONTROLS = ".writer-button, .writer-offer, .map-buttons button, .map-switches label, nav a, summary"


@pytest.mark.parametrize("look", LOOKS)
def test_every_control_can_be_read_at_rest_and_under_the_mouse(
    new_page: Callable[..., Any], minsk_reports: Path, look: str
) -> None:
    page = new_page(**LOOKS[look], reduced_motion="reduce")
    Player(page).open(page_of(minsk_reports, 0, "TEU"))
    page.locator('[data-key="unit G3"]').click()
    page.locator('[data-key="word recruit"]').click()
    faint = []
    kinds = set[str]()
    for control in page.locator(CONTROLS).all():
        kind = control.evaluate("each => `${each.localName} ${each.className} ${each.disabled ?? ''}`")
        if kind in kinds or not control.is_visible():
            continue
        kinds.add(kind)
        control.scroll_into_view_if_needed()
        for state in ("at rest", "under the mouse"):
            if state == "under the mouse":
                control.hover(force=True)
            if (contrast := control.evaluate(CONTRAST)) < 4.5:
                faint.append(f"{kind} {state}: {contrast:.1f}")
    assert len(kinds) > 8
    assert faint == []
