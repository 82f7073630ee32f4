"""The game master's summary, as a page and as text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from gm.core.events import GM, PhaseLimitReached
from gm.game.values import ReadOrders
from gm.games.medieval.report.files import summary_lines
from tests.medieval.reportland import Page, busy_files, busy_record, texts


def page() -> str:
    return Page(busy_files()["summary.html"]).text


def text() -> str:
    return busy_files()["summary.txt"]


@pytest.mark.parametrize("form", [page, text])
def test_it_says_who_sent_and_what_came_of_it(form: Callable[[], str]) -> None:
    shown = form()
    for words in ("in time", "missing", "set aside", "England", "Battle of Flanders"):
        assert words in shown
    assert "Sunday 29 November, 20:00" in shown


@pytest.mark.clause("V3")
def test_missed_turns_are_flagged() -> None:
    assert "No orders from Teu" in page()
    assert "No orders from Teu" in text()


@pytest.mark.clause("M0")
def test_the_phase_limit_is_flagged() -> None:
    record = busy_record()
    event = PhaseLimitReached(audience=GM, phase=40, limit=40)
    files = texts(replace(record, events=(*record.events, event)))
    assert "broken off after 40 phases" in files["summary.txt"]
    assert "broken off after 40 phases" in files["summary.html"]
    assert "broken off" not in files["results/ENG.html"]


@pytest.mark.clause("O1")
def test_a_late_file_is_told() -> None:
    record = busy_record()
    late = replace(record, readings={"ENG": ReadOrders(replace(record.sheets["ENG"], late=True))})
    assert "late" in next(line for line in summary_lines(late) if line.startswith("ENG"))


@pytest.mark.clause("O7")
def test_a_file_set_aside_is_told_with_its_reason() -> None:
    assert "this is no YAML" in text()


def test_order_fates_and_gold_are_in_one_line_a_realm() -> None:
    line = next(line for line in text().splitlines() if line.startswith("FRA"))
    assert line.split()[-1].startswith(("+", "−")) or line.split()[-1][0].isdigit()
    assert " 1 " in line  # one order was refused


def test_the_terminal_gets_the_same_text() -> None:
    assert summary_lines(busy_record()) == text().splitlines()
