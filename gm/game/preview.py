"""What a trial of one party's orders shows: each order's fate and cost, the plan by phase, the books."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from gm.core.diagnostics import Diagnostic
from gm.core.values import Record


class TriedOrder(Record, kw_only=True):
    """One order in the trial. ``fate``: done, reduced or failed, with ``reason``, ``figures``, ``clause``, ``says``;
    ``hangs_on``: who decides it, the dice or the others; ``gold`` and ``moves``: what it cost (gold below 0:
    brought)."""

    line: int
    column: int
    order: str
    fate: str
    hangs_on: str = ""
    reason: str = ""
    figures: Mapping[str, Any] = {}
    clause: str = ""
    says: str = ""
    gold: Decimal = Decimal(0)
    moves: int = 0

    @property
    def open(self) -> bool:
        """Whether this trial cannot tell its fate."""
        return bool(self.hangs_on)


class Whereabouts(Record):
    """Where a unit is: its place, the unit that it is aboard of (empty: none), and the move-points that it has left."""

    place: str
    aboard: str
    moves: int


class PhasePlan(Record):
    """The party's units, by key, as they stand at the end of a phase; 0 is before the first."""

    phase: int
    units: Mapping[str, Whereabouts]


class BookLine(Record):
    """One line of the books: what it is in words, gold in or out (none: a balance only) and the balance after it."""

    says: str
    amount: Decimal | None
    balance: Decimal
    total: bool = False


class Preview(Record, kw_only=True):
    """All that the trial shows. ``figures``: the forecast for programs; ``books``: the same line by line for people,
    ``sums`` its totals; ``ordered``: keys of the units whose way through the phases is of interest."""

    findings: tuple[Diagnostic, ...] = ()
    orders: tuple[TriedOrder, ...] = ()
    plan: tuple[PhasePlan, ...] = ()
    ordered: tuple[str, ...] = ()
    books: tuple[BookLine, ...] = ()
    sums: tuple[tuple[str, Decimal], ...] = ()
    figures: Mapping[str, Any] = {}
