"""Tables sort and filter, the bar of sections follows the reader, and links unfold what is folded up."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gm.games.medieval.report.page_data import script_file
from gm.resources import resource
from gm.text.localised import localised_script
from tests.browser.conftest import PHONE
from tests.browser.playing import see, whole
from tests.waiting import until

UNITS = "#units table"


@pytest.fixture
def report(europe_report: Path) -> str:
    return europe_report.as_uri()


def column(page: Any, table: str, number: int) -> list[str]:
    cells = page.locator(f"{table} tbody tr:not(.sum):visible > :nth-child({number})")
    return [" ".join(text.split()) for text in cells.all_inner_texts()]


def test_a_head_sorts_one_way_then_the_other_then_not_at_all(page: Any, report: str) -> None:
    page.goto(f"{report}#units")
    listed = column(page, UNITS, 1)
    assert len(listed) > 2
    head = page.locator(f"{UNITS} thead th", has_text="Total combat")
    button = head.get_by_role("button")
    button.click()
    assert head.get_attribute("aria-sort") == "descending"
    numbers = [int(text.replace(",", "")) for text in column(page, UNITS, 5) if text]
    assert numbers == sorted(numbers, reverse=True)
    button.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    numbers = [int(text.replace(",", "")) for text in column(page, UNITS, 5) if text]
    assert numbers == sorted(numbers)
    # the sum stays below whatever way the others go
    assert "Upkeep of all" in page.locator(f"{UNITS} tbody tr").last.inner_text()
    button.click()
    assert head.get_attribute("aria-sort") is None
    assert column(page, UNITS, 1) == listed


def test_names_sort_as_people_count_and_empty_cells_come_last(page: Any) -> None:
    page.set_content(
        "<section id='x'><div class='scroll'><table data-table='things'><thead>"
        "<tr><th data-sort='text'>Name</th><th data-sort='number'>Number</th></tr></thead><tbody>"
        "<tr><td>A10</td><td>−3</td></tr><tr><td>A9</td><td></td></tr>"
        "<tr><td>Ä1</td><td>1,200</td></tr></tbody></table></div></section>"
    )
    page.add_script_tag(content="\n".join(map(script, ("text", "dom", "parts", "tables"))))
    page.get_by_role("button", name="Name").click()
    assert column(page, "#x table", 1) == ["Ä1", "A9", "A10"]
    page.get_by_role("button", name="Number").click()
    assert column(page, "#x table", 1) == ["Ä1", "A10", "A9"]
    page.get_by_role("button", name="Number").click()
    assert column(page, "#x table", 1) == ["A10", "Ä1", "A9"]


def script(name: str) -> str:
    return localised_script(resource("templates", script_file(name)).read_text("utf-8"))


def test_a_filter_shows_the_rows_with_all_its_words_and_counts_them(page: Any, report: str) -> None:
    page.goto(f"{report}#units")
    table = page.locator(UNITS)
    rows = table.locator("tbody tr:not(.sum)")
    total = rows.count()
    tools = page.locator("#units .table-tools")
    first = column(page, UNITS, 1)[0].split()[0]
    tools.get_by_role("searchbox").fill(first.lower())
    until(page, "document.querySelector('#units output').value.includes(' of ')")
    names = column(page, UNITS, 1)
    assert 0 < len(names) < total
    assert tools.locator("output").inner_text() == f"{len(names)} of {total} units"
    assert table.locator("tr.sum").is_hidden()
    tools.get_by_role("searchbox").fill("")
    until(page, f"document.querySelector('#units output').value === '{total} units'")
    assert len(column(page, UNITS, 1)) == total
    assert table.locator("tr.sum").is_visible()


def test_kinds_can_be_shown_alone(page: Any, report: str) -> None:
    page.goto(f"{report}#units")
    garrison = page.locator("#units").get_by_role("button", name="garrison", exact=True)
    garrison.click()
    assert garrison.get_attribute("aria-pressed") == "true"
    assert all(name.endswith("garrison") for name in column(page, UNITS, 1))
    garrison.click()
    assert any(name.endswith("army") for name in column(page, UNITS, 1))


def test_on_a_telephone_rows_are_cards_and_a_list_sorts_them(
    new_page: Callable[..., Any], report: str
) -> None:
    page = new_page(**PHONE)
    page.goto(f"{report}#units")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(f"{UNITS} thead button").first.get_attribute("tabindex") == "-1"
    choice = page.locator("#units .sort-choice select")
    choice.select_option(label="Total combat, most first")
    numbers = [int(text.replace(",", "")) for text in column(page, UNITS, 5) if text]
    assert numbers == sorted(numbers, reverse=True)


def test_the_bar_leads_to_one_view_at_a_time_beside_the_map(page: Any, report: str) -> None:
    """16.8: each view has an address; the map stays, and the way back leads through the views."""
    page.goto(report)
    sections = page.locator("main > section.shown")
    assert [section.get_attribute("id") for section in sections.all()] == ["changed"]
    bar = page.locator("nav.page")
    bar.get_by_role("link", name="World").click()
    until(page, "document.querySelector('nav.page a[aria-current]')?.hash === '#realms'")
    assert page.url.endswith("#realms")
    assert bar.locator("a[aria-current]").count() == 1
    assert [section.get_attribute("id") for section in sections.all()] == [
        "realms",
        "race",
        "relations",
        "world",
        "places",
    ]
    assert page.locator("#map .map-view").is_visible()
    assert page.locator("#units").is_hidden()
    bar.get_by_role("link", name="Places").click()
    assert page.locator("#places").is_visible()
    page.go_back()
    page.go_back()
    until(page, "document.querySelector('#changed').checkVisibility()")
    assert sections.count() == 1
    bar.get_by_role("link", name="World").click()
    until(page, "document.querySelector('nav.page').getBoundingClientRect().y === 0")


def test_a_link_unfolds_what_it_leads_to_and_shows_a_filtered_row(page: Any, report: str) -> None:
    page.goto(f"{report}#units")
    row = page.locator(f"{UNITS} tbody tr[id]").first
    target = row.get_attribute("id")
    page.locator("#units").get_by_role("searchbox").fill("no unit has such a name")
    until(page, "document.querySelector('#units output').value.startsWith('0 of')")
    page.evaluate(f"location.hash = '#{target}'")
    row.wait_for(state="visible")
    see(page, "study")
    page.locator("#study").wait_for(state="visible")
    page.go_back()
    page.locator("#study").wait_for(state="hidden")
    folded = page.locator("#study details").first
    page.evaluate("document.querySelector('#study details table').id = 'somewhere-inside'")
    page.evaluate("location.hash = '#somewhere-inside'")
    until(page, "document.querySelector('#study details').open")
    assert folded.get_by_role("table").first.is_visible()


def test_the_keyboard_reaches_the_content_and_every_section(page: Any, report: str) -> None:
    whole(page, report)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    for link in page.locator("nav.page a").all():
        target = link.get_attribute("href")
        assert page.locator(str(target)).count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_without_scripts_all_of_it_can_be_read(
    new_page: Callable[..., Any], report: str, scheme: str
) -> None:
    page = new_page(java_script_enabled=False, color_scheme=scheme)
    page.goto(report)
    assert page.locator(".table-tools").count() == 0
    assert page.locator("#changed ol li").count() in range(1, 11)
    assert page.locator(f"{UNITS} tbody tr").first.is_visible()
    summary = page.locator("#headquarters summary", has_text="Upkeep")
    summary.click()
    assert page.locator("#headquarters table", has_text="All commanders are paid first").is_visible()


def test_paper_is_light_and_shows_what_a_screen_folds_up(new_page: Callable[..., Any], report: str) -> None:
    page = new_page(color_scheme="dark")
    page.goto(report)
    page.locator("#print-all").check()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("nav.page").is_hidden()
    assert page.locator(".table-tools").first.is_hidden()
    box = page.locator("#headquarters table", has_text="All commanders are paid first").bounding_box()
    assert box is not None
    assert box["height"] > 20
