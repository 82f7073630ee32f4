"""What ``gm play`` shows: a report with the bar that plays in it, the curtain between two players, a forecast."""

from __future__ import annotations

from typing import Any

from gm.campaign.check import CheckResult
from gm.play.practice import is_practice, lesson_values, past_values
from gm.play.table import Table
from gm.text.pages import Inlined, counted, inlined_files, ready_markup, render


def inlined() -> Inlined:
    """The style and the script of the bar."""
    return inlined_files(("play/play.css",), ("play/play.js",))


def report_page(table: Table, seat: str) -> bytes:
    """A seat's report with the bar in it. It may run one script more, and ask the server that it came from."""
    head, title, page = table.page(seat).partition(b"<title>")
    for old, new in (
        (b"script-src 'none'", b"script-src"),
        (b"script-src", f"script-src {inlined().policy}".encode()),
        (b"connect-src 'none'", b"connect-src 'self'"),
    ):
        head = head.replace(old, new, 1)
    bar = render("play/bar.html", bar_values(table, seat) | {"ready": ready_markup}).encode()
    before, end, after = page.rpartition(b"</body>")
    return b"".join((head, title, before, bar, end, after))


def bar_values(table: Table, seat: str) -> dict[str, Any]:
    """What the bar of a seat, or the curtain, shows and says to the script."""
    campaign = table.campaign
    spec, state = campaign.spec, campaign.state
    names = {each.code: each.name for each in campaign.seats}
    levels, level = table.levels
    return {
        "seat": seat,
        "name": names.get(seat, ""),
        "game": campaign.folder.settings.id,
        "turn": campaign.next_turn,
        "coming": spec.coming_name(state),
        "played": spec.played_name(state),
        "playing": campaign.winners is None,
        "winners": [names[code] for code in campaign.winners or ()],
        "shared": table.shared,
        "template": table.template(seat) if seat and spec.key != "medieval" else "",
        "levels": levels,
        "level": level,
        "guide": guide_html(table),
        "past": render("play/past.html", past_values(campaign)) if is_practice(campaign) else "",
        "inlined": inlined(),
    }


def guide_html(table: Table, checked: CheckResult | None = None) -> str:
    """The lesson of a game of practice, as far as these orders do it; nothing in other games."""
    campaign = table.campaign
    return render("play/guide.html", lesson_values(campaign, checked)) if is_practice(campaign) else ""


def curtain_page(table: Table) -> bytes:
    """What is seen while nobody sits on the chair: who may take it, and whose orders are in."""
    values = {"people": table.people, "done": table.handed_in}
    return render("play/curtain.html", bar_values(table, "") | values).encode()


def forecast_html(checked: CheckResult, title: str) -> str:
    """What orders would come to, as a part of a page."""
    return render("play/forecast.html", {"checked": checked, "preview": checked.preview, "title": title})


def forecast_words(checked: CheckResult) -> str:
    """The same in a few words, for the bar."""
    orders = checked.preview.orders
    if checked.reading.sheet is None:
        return "The orders cannot be read."
    failing = sum(each.fate == "failed" and not each.open for each in orders) + checked.errors
    done = sum(each.fate == "done" and not each.open for each in orders)
    if not orders and not checked.errors:
        return "No orders yet."
    parts = [f"Forecast: {done} of {counted(len(orders) + checked.errors, 'order')} done"]
    return ", ".join([*parts, f"{failing} would fail"] if failing else parts) + "."
