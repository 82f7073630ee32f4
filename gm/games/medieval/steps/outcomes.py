"""The outcomes of orders (O2), and the refusals that lead to them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from gm.core.values import Event, Record
from gm.games.medieval.orders.model import Order


class Refusal(Record):
    """The reason why an order cannot be carried out.

    ``reason`` is a key in rules/medieval/reasons/, which gives the clause and the sentence; ``figures`` fill
    the sentence in ("needs 2 move-points, has 1").
    """

    reason: str
    figures: Mapping[str, Any] = {}


def refuse(reason: str, **figures: Any) -> Refusal:
    """Return a refusal for a reason of rules/medieval/reasons/."""
    return Refusal(reason, figures)


def unless(holds: object, reason: str, **figures: Any) -> Refusal | None:
    """Return a refusal when a condition is false, None when it holds."""
    return None if holds else Refusal(reason, figures)


class OrderOutcome(StrEnum):
    """The outcome of an order (O2)."""

    DONE = "done"
    REDUCED = "reduced"
    FAILED = "failed"


class OrderSettled(Event):
    """One order's outcome, private to its realm.

    ``reason`` and ``figures`` as in :class:`Refusal`; empty when done.
    """

    fate: OrderOutcome
    line: int
    column: int
    text: str
    reason: str = ""
    figures: Mapping[str, Any] = {}


def settled(
    realm: str, order: Order, refusal: Refusal | None = None, *, reduced: bool = False
) -> OrderSettled:
    """Return the outcome of ``order``: done without a refusal, failed with one, or ``reduced`` with one."""
    line = order.written.line
    column = order.written.column
    text = order.written.text
    if refusal is None:
        return OrderSettled(audience=realm, fate=OrderOutcome.DONE, line=line, column=column, text=text)
    fate = OrderOutcome.REDUCED if reduced else OrderOutcome.FAILED
    why = refusal.reason
    figures = refusal.figures
    return OrderSettled(
        audience=realm, fate=fate, line=line, column=column, text=text, reason=why, figures=figures
    )
