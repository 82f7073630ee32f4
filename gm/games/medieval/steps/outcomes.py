"""The outcomes of orders (O2), and the refusals that lead to them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from gm.core.values import Event, Record


class Refusal(Record):
    """The reason why an order cannot be carried out.

    ``reason`` is a key in rules/medieval/reasons/, which gives the clause and the sentence; ``figures`` are
    the values of the sentence's fields ("needs 2 move-points, has 1"). A function ``why_not_...`` returns the
    first reason that it finds, or None if it finds none.
    """

    reason: str
    figures: Mapping[str, Any] = {}


def refuse(reason: str, **figures: Any) -> Refusal:
    """Return a refusal for a reason in rules/medieval/reasons/, with the values of its sentence."""
    return Refusal(reason, figures)


def unless(holds: object, reason: str, **figures: Any) -> Refusal | None:
    """Return None if a condition holds (is true as a bool), else a refusal as :func:`refuse` makes it."""
    return None if holds else Refusal(reason, figures)


class OrderOutcome(StrEnum):
    """The outcome of an order (O2)."""

    DONE = "done"
    REDUCED = "reduced"
    FAILED = "failed"


class OrderSettled(Event):
    """One order's outcome, private to its realm."""

    fate: OrderOutcome
    # where the order stands in the realm's file, from 1, and how it is written there
    line: int
    column: int
    text: str
    # as in a Refusal; empty if it was done
    reason: str = ""
    figures: Mapping[str, Any] = {}
