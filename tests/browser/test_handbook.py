"""The handbook in a browser: wide and narrow, searched, linked, without scripts, on paper."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import DESK, PHONE
from tests.browser.test_accessibility import LOOKS, grave_findings
from tests.medieval.handbookland import page as handbook_text

A4 = {"width": 710, "height": 1054}
"""What the margins of the one-page tables leave of a sheet, in CSS pixels (188 by 279 mm)."""


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the handbook."""
    path: Path = tmp_path_factory.mktemp("handbook") / "handbook.html"
    path.write_text(handbook_text(), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("look", LOOKS)
def test_the_handbook_keeps_nobody_out_and_fits(
    new_page: Callable[..., Any], handbook: str, look: str
) -> None:
    page = new_page(**LOOKS[look])
    page.goto(handbook)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert grave_findings(page) == []


def test_the_search_finds_clauses_questions_and_troops(page: Any, handbook: str) -> None:
    page.goto(handbook)
    field = page.get_by_label("Search the handbook")
    results = page.locator(".finder li b")
    for asked, first in (
        ("M9", "M9 Armies march"),
        ("long", "Longbowmen"),
        ("my army ran", "My army ran away"),
    ):
        field.fill(asked)
        assert results.first.inner_text().startswith(first)
    page.keyboard.press("Enter")
    assert page.url.endswith("#faq-retreat")
    assert page.get_by_text("so it had nothing to wait for").is_visible()
    assert results.count() == 0
    field.fill("no such words")
    assert page.get_by_text("Nothing found.").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_text("Nothing found.").is_visible()


def test_the_search_is_worked_with_the_keyboard(page: Any, handbook: str) -> None:
    page.goto(handbook)
    page.get_by_label("Search the handbook").fill("garrison")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('li').previousElementSibling !== null")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "find"


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_link_to_a_clause_or_an_answer_shows_it(
    new_page: Callable[..., Any], handbook: str, scripts: bool
) -> None:
    page = new_page(**DESK, java_script_enabled=scripts)
    for anchor in ("M13.1", "rule-M13.1", "faq-ranks", "troop-militia", "word-march"):
        page.goto("about:blank")
        page.goto(f"{handbook}#{anchor}")
        box = page.locator(f'[id="{anchor}"]').bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 300, anchor
        assert box["height"] > 10, anchor


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_reports_reason_leads_to_its_clause(
    new_page: Callable[..., Any], minsk_reports: Path, scripts: bool
) -> None:
    page = new_page(**PHONE, java_script_enabled=scripts)
    report = (minsk_reports / "turns" / "turn-02" / "results" / "NOV.html").as_uri()
    page.goto(f"{report}#rule-L4")
    rule = page.locator('[id="rule-L4"]')
    box = rule.bounding_box()
    assert box is not None
    assert box["height"] > 60
    assert "recruit" in rule.inner_text()
    if scripts:
        page.evaluate("GmDom.buildAll()")
    links = page.evaluate("[...document.links].map(each => each.getAttribute('href'))") if scripts else []
    clauses = {link for link in links if link.startswith("#rule-")}
    missing = page.evaluate(
        "links => links.filter(each => !document.getElementById(each.slice(1)))", sorted(clauses)
    )
    assert missing == []


def test_the_order_of_events_and_the_troop_table_fit_on_a_sheet_each(
    new_page: Callable[..., Any], handbook: str
) -> None:
    page = new_page(viewport=A4)
    page.goto(handbook)
    page.emulate_media(media="print")
    for chapter in ("events", "tables"):
        sheet = page.locator(f'section.one-page[aria-labelledby="{chapter}"]').bounding_box()
        assert sheet["height"] < A4["height"], chapter


def test_paper_shows_the_answers_too(page: Any, handbook: str) -> None:
    page.goto(handbook)
    page.emulate_media(media="print")
    assert page.get_by_text("so it had nothing to wait for").bounding_box()["height"] > 0
    assert not page.locator(".finder").is_visible()
