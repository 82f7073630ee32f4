"""The walk of an order line grows no longer.

``python -m tests.walk --list`` names what is on it, here and in an older checkout. The limits only ever fall.
"""

from pathlib import Path

import pytest

from tests.walk import Walk, walked

CONTAINERS = 8


def figures(walk: Walk) -> tuple[int, int]:
    """The numbers of files and of functions."""
    return len(walk.files), len(walk.functions)


def test_an_order_line_passes_no_more_than_it_did(tmp_path: Path) -> None:
    walk = walked(tmp_path, pages=False)
    assert "campaign/plan.py: turn_plan" in walk.functions
    assert "campaign.plan.TurnPlan" in walk.containers
    files, functions = figures(walk)
    assert files <= 40
    assert functions <= 201
    assert len(walk.containers) <= CONTAINERS, walk.containers


@pytest.mark.slow
def test_on_its_way_to_the_pages_too(tmp_path: Path) -> None:
    walk = walked(tmp_path, pages=True)
    assert "games/medieval/report/realm_page.py: RealmPages.html" in walk.functions
    files, functions = figures(walk)
    assert files <= 45
    assert functions <= 224
    assert len(walk.containers) <= CONTAINERS, walk.containers
