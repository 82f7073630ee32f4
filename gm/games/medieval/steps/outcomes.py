"""The outcomes of orders (O2), and the refusals that lead to them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from gm.core.values import Event, Record


class Refusal(Record):
    """The reason why an order cannot be carried out.

    ``reason`` is a key in rules/medieval/reasons/, which gives the clause and the sentence; ``figures`` fill
    the sentence in ("needs 2 move-points, has 1"). A function ``why_not_...`` returns None if the order can
    be carried out as far as it looks.
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
