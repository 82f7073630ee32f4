"""On a telephone nothing on the desk is scrolled sideways: tables become cards, the parts stand in lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from examples.medieval.demo import mail
from tests.browser.conftest import PHONE
from tests.browser.test_desk import Desk, drop, press, unfold
from tests.browser.test_play import new_window  # noqa: F401
from tests.desk.asking import begin

SIDEWAYS = """() => [...document.querySelectorAll("main *, nav *")].filter((each) => {
  const style = getComputedStyle(each);
  const shown = each.clientWidth > 0 && style.display !== "inline" && style.overflowX !== "visible";
  return shown && each.scrollWidth > each.clientWidth + 1;
}).map((each) => each.outerHTML.slice(0, 90))"""
"""What would have to be scrolled sideways."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return begin(tmp_path / "minsk")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_nothing_is_scrolled_sideways(
    folder: Path,
    new_window: Callable[..., Any],  # noqa: F811
    locale: str,
) -> None:
    german = locale.startswith("de")
    server = Desk(folder)
    try:
        page = new_window(server, **PHONE, locale=locale)
        files = [(path.name, path.read_bytes()) for path in mail(1)]
        drop(page, files, "Prüfen" if german else "Check them")
        assert page.evaluate(SIDEWAYS) == []
        press(page, "Diese Dateien annehmen" if german else "Receive these files")
        assert page.evaluate(SIDEWAYS) == []
        assert page.locator(".answer table.lines tr").count() == len(files)
        press(page, "Zug proben" if german else "Rehearse the turn")
        assert page.evaluate(SIDEWAYS) == []
        table = page.locator(".answer table.cards")
        assert table.locator("tbody tr").count() == 4
        assert table.locator("td").first.evaluate("each => getComputedStyle(each).display") == "block"
        assert "Lithuania" in table.inner_text()
        shown = unfold(page, "Frist ändern" if german else "Change the deadline")
        shown.get_by_role("button").first.wait_for()
        assert page.evaluate(SIDEWAYS) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finally:
        server.stop()
