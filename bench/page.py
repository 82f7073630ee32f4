"""A realm's page of Europe in a real browser: how large it is, what loading it and a tap cost, the memory it
takes.

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


def show_forecast(game: Path, orders: Path, table: Table) -> None:
    """How long ``pbem play`` takes for the exact forecast of orders, once the game is open."""
    at = table_of(game)
    at.sit(REALM)
    p = empty_p()
    data, runs = orders.read_bytes(), []
    for _ in range(2 * RUNS + 1):
        began = time.process_time()
        forecast_html(at, REALM, at.check(REALM, 1, data))
        runs.append((time.process_time() - began) / p)
    table.figure("pbem play, the first forecast", runs[0], "P")
    table.figures_of("pbem play, each further one", runs[1:], "P", FORECAST)


def show_page(results: Path, table: Table) -> None:
    """The figures of one page among a turn's results, and the size of the largest."""
    table.title("a realm's page of Europe")
    sizes = {path.stem: path.stat().st_size / 1000 for path in results.glob("*.html")}
    table.figure(f"the largest of {len(sizes)} pages", max(sizes.values()), "kB", SIZE)
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        table.note("loading, taps, memory", "not measured: they need Chromium and playwright")
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for name, size in (("a desk", (1440, 900)), ("a telephone", (390, 844))):
            runs = [_run(browser, results / f"{REALM}.html", size) for _ in range(RUNS)]
            for what, unit, budget in (
                ("elements", "", ELEMENTS),
                ("loading", "P", LOAD),
                ("the slowest tap", "P", TAP),
                ("memory", "MB", MEMORY),
            ):
                table.figures_of(f"{what}, {name}", [run[what] for run in runs], unit, budget)
        browser.close()


def _run(browser: Any, path: Path, size: tuple[int, int]) -> dict[str, float]:
    """One visit: the page is loaded, each view is opened, each of a few units is chosen."""
    page = browser.new_page(viewport=dict(zip(("width", "height"), size, strict=True)))
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    p = empty_p()

    def busy() -> float:
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return float(metrics["TaskDuration"]) / p

    before = busy()
    page.goto(path.as_uri())
    page.wait_for_timeout(REST)
    found = {
        "loading": busy() - before,
        "elements": float(page.evaluate("document.querySelectorAll('*').length")),
    }
    taps = []
    for css in (VIEWS, UNITS):
        for control in page.locator(css).all()[:8]:
            before = busy()
            control.evaluate("each => each.click()")
            page.wait_for_timeout(REST / 4)
            taps.append(busy() - before)
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    page.wait_for_timeout(REST)
    memory = max(_private(each["id"]) for each in _processes(browser) if each["type"] == "renderer")
    page.close()
    return found | {"the slowest tap": max(taps), "memory": memory}


def _processes(browser: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")[
        "processInfo"
    ]
    return found


def _private(process: int) -> float:
    """MB that a process has for itself."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
    return (
        sum(int(kilobytes) for kilobytes in re.findall(r"^Private_\w+: +(\d+) kB$", lines, re.MULTILINE))
        / 1000
    )
