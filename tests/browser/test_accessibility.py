"""The accessibility rules of axe-core find nothing serious on any page, light and dark, desk and telephone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import DESK, PHONE

GRAVE = ("serious", "critical")
LOOKS = {
    "light": {**DESK, "color_scheme": "light"},
    "dark": {**DESK, "color_scheme": "dark"},
    "telephone": {**PHONE, "color_scheme": "light"},
}


def grave_findings(page: Any, part: str | None = None) -> list[str]:
    """What axe-core finds that keeps somebody out, on the page or a part of it: rule, how grave, the first places."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, context=part, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): {[node['target'] for node in each['nodes'][:3]]}"
        for each in found
        if each["impact"] in GRAVE
    ]


@pytest.mark.parametrize("look", LOOKS)
def test_the_realms_page_keeps_nobody_out(new_page: Callable[..., Any], minsk_reports: Path, look: str) -> None:
    page = new_page(**LOOKS[look])
    page.goto((minsk_reports / "turns" / "turn-04" / "results" / "TEU.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert grave_findings(page) == []


@pytest.mark.parametrize("look", LOOKS)
def test_the_order_writer_keeps_nobody_out(new_page: Callable[..., Any], minsk_reports: Path, look: str) -> None:
    page = new_page(**LOOKS[look])
    page.goto((minsk_reports / "turns" / "turn-00" / "results" / "TEU.html").as_uri())
    for unit, words in (("G3", ("form", "recruit", "ranks")), ("headquarters", ("declare_war", "send_gold"))):
        page.locator(f'[data-key="unit {unit}"]').click()
        for word in words:
            page.locator(f'[data-key="word {word}"]').click()
            assert grave_findings(page, "#write") == [], word
            page.locator('[data-key="close"]').click()
        if look == "telephone":
            page.locator('[data-key="back"]').click()


@pytest.mark.parametrize("look", LOOKS)
def test_an_open_location_report_keeps_nobody_out(new_page: Callable[..., Any], minsk_reports: Path, look: str) -> None:
    page = new_page(**LOOKS[look])
    page.goto((minsk_reports / "turns" / "turn-04" / "results" / "LIT.html").as_uri())
    page.locator('#provinces a.place[href="#place-minsk"]').first.click()
    page.locator("#place-minsk").wait_for(state="visible")
    assert grave_findings(page, "#map") == []


@pytest.mark.parametrize("look", LOOKS)
def test_battles_and_the_summary_keep_nobody_out(new_page: Callable[..., Any], minsk_reports: Path, look: str) -> None:
    page = new_page(**LOOKS[look])
    turn = minsk_reports / "turns" / "turn-04"
    for path in (*sorted((turn / "results" / "battles").glob("*.html")), turn / "summary.html"):
        page.goto(path.as_uri())
        assert grave_findings(page) == [], path.name
