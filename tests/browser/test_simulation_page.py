"""The pages of simulations, with a league and compared, keep nobody out: light and dark, desk and
telephone.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import command
from tests.browser.test_accessibility import LOOKS, grave_findings

pytest.importorskip("openskill")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The page of a league and that of two simulations side by side."""
    folder = tmp_path_factory.mktemp("simulated")
    asked = (
        "simulate",
        "--map",
        "minsk",
        "--games",
        "4",
        "--jobs",
        "1",
        "--bots",
        "builder,conqueror,raider",
    )
    command(*asked, "--turns", "3", "--out", folder / "old")
    command(*asked, "--turns", "6", "--out", folder / "new", "--league")
    command("simulate", "--compare", folder / "old", folder / "new")
    return [folder / "new" / "report.html", folder / "new" / "comparison.html"]


@pytest.mark.parametrize("look", LOOKS)
def test_a_simulations_pages_keep_nobody_out(
    new_page: Callable[..., Any], pages: list[Path], look: str
) -> None:
    for path in pages:
        page = new_page(**LOOKS[look])
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path.name} is too wide"
        assert grave_findings(page) == [], path.name
