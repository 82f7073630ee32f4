"""What became of each order, grouped for a page: what failed first, then what was reduced, then what was done (O2)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from gm.core.events import Event
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.steps.turn import Fate, OrderSettled

HEADQUARTERS = "Headquarters"


class OrderRow(NamedTuple):
    """One order and its outcome. ``subject`` is the unit in words, or headquarters; ``why`` may be empty."""

    subject: str
    line: int
    text: str
    fate: str
    why: str
    clause: str


class OrderGroup(NamedTuple):
    """All orders of one fate to one unit, in file order."""

    subject: str
    orders: tuple[OrderRow, ...]


class Fates(NamedTuple):
    """A realm's orders by fate and unit."""

    failed: tuple[OrderGroup, ...]
    reduced: tuple[OrderGroup, ...]
    done: tuple[OrderGroup, ...]

    @property
    def counts(self) -> list[int]:
        """How many were done, reduced and failed."""
        return [sum(len(group.orders) for group in groups) for groups in (self.done, self.reduced, self.failed)]


def fates_of(realm: str, events: Iterable[Event], sheet: Orders | None, speaker: MedievalFormatter) -> Fates:
    """The outcomes among ``events`` that belong to ``realm``."""
    subjects = _subjects(realm, sheet, speaker)
    rows = sorted(
        (
            _row(event, subjects.get((event.line, event.column), HEADQUARTERS), speaker)
            for event in events
            if isinstance(event, OrderSettled) and event.audience == realm
        ),
        key=lambda row: row.line,
    )
    failed, reduced, done = (
        _grouped(row for row in rows if row.fate == fate.value) for fate in (Fate.FAILED, Fate.REDUCED, Fate.DONE)
    )
    return Fates(failed, reduced, done)


def _row(event: OrderSettled, subject: str, speaker: MedievalFormatter) -> OrderRow:
    clause, why = speaker.reason(event.reason, event.figures) if event.reason else ("", "")
    return OrderRow(subject, event.line, event.text, event.fate.value, why, clause)


def _grouped(rows: Iterable[OrderRow]) -> tuple[OrderGroup, ...]:
    return tuple(OrderGroup(subject, tuple(found)) for subject, found in groupby(rows, lambda row: row.subject))


def _subjects(realm: str, sheet: Orders | None, speaker: MedievalFormatter) -> dict[tuple[int, int], str]:
    """Which unit each order of the sheet was for, by where it is written."""
    if sheet is None:
        return {}
    found: list[tuple[str, Order]] = [(order.unit, order) for order in sheet.units]
    found += [(reference, entry) for reference, entries in sheet.plans.items() for entry in entries]
    return {(order.written.line, order.written.column): speaker.own_unit(realm, unit) for unit, order in found}
