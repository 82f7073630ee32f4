"""Measures a realm's page of Europe in a real browser: its size, what loading it and a tap cost, its memory.

Times are those of the processor in the page's main thread, unthrottled, in P. Without Chromium or playwright
a line says so.
"""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path
from typing import Any

from bench.table import Budget, Table
from bench.timing import empty_p
from gm.cli.play import table_of
from gm.play.page import forecast_html

REALM = "ENG"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZE = Budget(800, 500, "kB")
ELEMENTS = Budget(12_000, 8_000, "")
LOAD = Budget(92, 61, "P")
TAP = Budget(5.1, 3.1, "P")
MEMORY = Budget(120, 80, "MB")
FORECAST = Budget(15, 10, "P")
RUNS = 3
REST = 600
"""Milliseconds until what a page begins by itself is done."""
VIEWS = "nav.page > ul > li:not(.map) > a"
UNITS = "#writer-list button"
TAPS = 8
"""So many views at most are opened, and so many units chosen."""
SCREENS = {"a desk": {"width": 1440, "height": 900}, "a telephone": {"width": 390, "height": 844}}
FIGURES = (
    ("elements", "", ELEMENTS),
    ("loading", "P", LOAD),
    ("the slowest tap", "P", TAP),
    ("memory", "MB", MEMORY),
)
"""(figure of a visit, unit, budget)"""


def show_forecast(game: Path, orders: Path, table: Table) -> None:
    """Print how long ``pbem play`` takes for the exact forecast of orders, once the game is open."""
    at_table = table_of(game)
    at_table.sit(REALM)
    p = empty_p()
    data = orders.read_bytes()
    runs = []
    for _ in range(2 * RUNS + 1):
        start = time.process_time()
        forecast_html(at_table, REALM, at_table.check(REALM, 1, data))
        runs.append((time.process_time() - start) / p)
    table.figure("pbem play, the first forecast", runs[0], "P")
    table.figures_of("pbem play, each further one", runs[1:], "P", FORECAST)


def show_page(results: Path, table: Table) -> None:
    """Print the figures of one page among a turn's results, and the size of the largest."""
    table.title("a realm's page of Europe")
    sizes = [path.stat().st_size / 1000 for path in results.glob("*.html")]
    table.figure(f"the largest of {len(sizes)} pages", max(sizes), "kB", SIZE)
    programs = [shutil.which(name) for name in BROWSERS]
    program = next(filter(None, programs), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        table.note("loading, taps, memory", "not measured: they need Chromium and playwright")
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        _show_visits(browser, results / f"{REALM}.html", table)
        browser.close()


def _show_visits(browser: Any, path: Path, table: Table) -> None:
    """Print the figures of visits to a page, for each screen."""
    for screen, viewport in SCREENS.items():
        visits = [_visit(browser, path, viewport) for _ in range(RUNS)]
        for figure, unit, budget in FIGURES:
            values = [visit[figure] for visit in visits]
            table.figures_of(f"{figure}, {screen}", values, unit, budget)


def _visit(browser: Any, path: Path, viewport: dict[str, int]) -> dict[str, float]:
    """Load a page, open each view, choose each of a few units; return the figures by name."""
    page = browser.new_page(viewport=viewport)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    p = empty_p()
    before = _seconds_busy(session)
    page.goto(path.as_uri())
    page.wait_for_timeout(REST)
    loading = (_seconds_busy(session) - before) / p
    elements = float(page.evaluate("document.querySelectorAll('*').length"))
    taps = _taps(page, session)
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    page.wait_for_timeout(REST)
    memory = _memory(browser)
    page.close()
    return {"loading": loading, "elements": elements, "the slowest tap": max(taps) / p, "memory": memory}


def _taps(page: Any, session: Any) -> list[float]:
    """Open the views of a page and choose some units; return the seconds that each tap took."""
    taps = []
    for css in (VIEWS, UNITS):
        for control in page.locator(css).all()[:TAPS]:
            before = _seconds_busy(session)
            control.evaluate("element => element.click()")
            page.wait_for_timeout(REST / 4)
            taps.append(_seconds_busy(session) - before)
    return taps


def _seconds_busy(session: Any) -> float:
    """Return how many seconds of the processor a page's main thread has worked so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def _memory(browser: Any) -> float:
    """Return the MB that the largest of a browser's processes that show pages has for itself."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return max(_private(process["id"]) for process in processes if process["type"] == "renderer")


def _private(process: int) -> float:
    """Return the MB that a process has for itself."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
    kilobytes = re.findall(r"^Private_\w+: +(\d+) kB$", lines, re.MULTILINE)
    return sum(map(int, kilobytes)) / 1000
