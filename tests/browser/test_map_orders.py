"""What the order writer asks of the map: choosing a place, marks, and planned moves as arrows by phase."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import PHONE
from tests.browser.test_map import name_of

TARGETS = ["Vilna", "Mazyr", "Volodymir"]


@pytest.fixture
def asked(page: Any, report: str) -> Any:
    """A page that asks for one of three places; what was chosen comes into ``window.chosen``."""
    page.goto(report)
    page.evaluate("document.getElementById('map').scrollIntoView()")
    return ask(page)


def ask(page: Any) -> Any:
    page.evaluate(
        "names => { window.chosen = 'nothing yet'; GmMap.pick(names, (name) => { window.chosen = name; }); }",
        TARGETS,
    )
    return page


def chosen(page: Any) -> object:
    return page.evaluate("window.chosen")


def test_one_of_the_marked_places_is_chosen_with_a_click(asked: Any) -> None:
    bar = asked.locator(".map-pick")
    assert bar.is_visible()
    assert asked.locator(".map-mark.target .line").count() == len(TARGETS)
    asked.click(name_of("Zodzina"))
    assert chosen(asked) == "nothing yet"
    assert asked.locator(".map-panel").is_hidden()
    asked.click(name_of("Mazyr"))
    assert chosen(asked) == "Mazyr"
    assert bar.is_hidden()
    assert asked.locator(".map-mark.target .line").count() == 0
    asked.click(name_of("Mazyr"))
    assert asked.locator(".map-panel").is_visible()


def test_or_with_the_keyboard_among_buttons(asked: Any) -> None:
    assert asked.evaluate("document.activeElement.textContent") == "Vilna"
    asked.keyboard.press("Tab")
    assert asked.locator(".map-mark.focus .line").count() == 1
    asked.keyboard.press("Enter")
    assert chosen(asked) == "Mazyr"
    ask(asked)
    asked.locator(".map-view").focus()
    asked.keyboard.press("Tab")
    asked.keyboard.press("ArrowUp")
    place = asked.evaluate("document.activeElement.getAttribute('aria-label')")
    asked.keyboard.press("Enter")
    assert chosen(asked) == (place if place in TARGETS else "nothing yet")


def test_escape_and_cancel_choose_nothing_and_give_the_focus_back(asked: Any) -> None:
    asked.keyboard.press("Escape")
    assert chosen(asked) is None
    assert asked.locator(".map-pick").is_hidden()
    asked.locator("#map-find").focus()
    ask(asked)
    asked.get_by_role("button", name="Cancel").click()
    assert chosen(asked) is None
    assert asked.evaluate("document.activeElement.id") == "map-find"


def test_a_new_question_takes_the_place_of_the_old_one(asked: Any) -> None:
    asked.evaluate("GmMap.pick(['Riga'], (name) => { window.second = name; })")
    assert chosen(asked) is None
    asked.locator(".map-pick").get_by_role("button", name="Riga").click()
    assert asked.evaluate("window.second") == "Riga"


def test_a_place_is_chosen_with_a_finger(new_page: Callable[..., Any], report: str) -> None:
    page = new_page(**PHONE)
    page.goto(report)
    page.evaluate("document.querySelector('.map-atlas').scrollIntoView()")
    ask(page)
    page.tap(name_of("Volodymir"))
    assert chosen(page) == "Volodymir"
    ask(page)
    page.locator(".map-pick").get_by_role("button", name="Vilna").tap()
    assert chosen(page) == "Vilna"


def test_planned_moves_are_dashed_arrows_by_phase(asked: Any) -> None:
    asked.keyboard.press("Escape")
    moves = [
        {"unit": "A1", "from": "Minsk", "to": "Vilna", "phase": 1},
        {"unit": "A2", "from": "Minsk", "to": "Vilna", "phase": 1},
        {"unit": "A1", "from": "Vilna", "to": "Polotsk", "phase": 2},
        {"unit": "A9", "from": "Minsk", "to": "Atlantis", "phase": 1},
    ]
    asked.evaluate("moves => GmMap.plan(moves)", moves)
    arrows = asked.locator(".map-plan > g")
    assert arrows.count() == 2
    assert arrows.first.locator("title").text_content() == "A1, A2: Minsk to Vilna, phase 1"
    assert asked.locator("#moves-none").is_checked()
    asked.evaluate("GmMap.phase(2)")
    assert [arrow.is_visible() for arrow in arrows.all()] == [False, True]
    asked.evaluate("GmMap.phase(null)")
    assert [arrow.is_visible() for arrow in arrows.all()] == [True, True]
    asked.evaluate("GmMap.plan([])")
    assert arrows.count() == 0
