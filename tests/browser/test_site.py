"""The public site keeps nobody out, light and dark, on a desk and on a telephone, and shows its maps from
a folder.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_accessibility import LOOKS, grave_findings
from tests.site.conftest import games_once, site_once

__all__ = ["games_once", "site_once"]
PICTURES = """() => Promise.all([...document.images]
    .map(each => { each.loading = "eager"; return each.decode(); }))
  .then(() => [...document.images].every(each => each.complete && each.naturalWidth))"""
"""Whether all pictures of a page can be seen, also those that are loaded when somebody comes near."""


@pytest.mark.parametrize("look", LOOKS)
def test_the_sites_pages_keep_nobody_out(new_page: Callable[..., Any], site_once: Path, look: str) -> None:
    names = ("index.html", "hall-of-fame.html", "r-r/index.html", "r-r/dice.html", "board/index.html")
    for name in (*names, *(str(path) for path in sorted((site_once / "r-r" / "turn-01").glob("*.html"))[:1])):
        page = new_page(**LOOKS[look])
        page.goto((site_once / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is too wide"
        assert page.evaluate(PICTURES), name
        assert grave_findings(page) == [], name


def test_what_players_write_runs_nowhere(new_page: Callable[..., Any], site_once: Path) -> None:
    page = new_page()
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    for path in sorted(site_once.rglob("*.html")):
        page.goto(path.as_uri())
    assert said == []
