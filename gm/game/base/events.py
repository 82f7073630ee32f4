"""Events that any small game has: what became of a line of orders, who sent none, what the GM decided, the end."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from gm.core.events import Event
from gm.core.values import Record


class Written(Record):
    """Where an order stands in its file, and how it reads there."""

    line: int
    column: int
    text: str


class Fate(StrEnum):
    """What became of a line of orders."""

    DONE = "done"
    REDUCED = "reduced"
    FAILED = "failed"
    SKIPPED = "skipped"
    """It was for another case, which did not come: nothing went wrong."""


class LineSettled(Event):
    """One line's outcome, private to its party. ``reason`` is a key of the game's reasons, ``figures`` fill it in."""

    fate: Fate
    line: int
    column: int
    text: str
    reason: str = ""
    figures: Mapping[str, Any] = {}


def settled(party: str, order: Written, fate: Fate = Fate.DONE, reason: str = "", **figures: Any) -> LineSettled:
    """The outcome of a party's line, for that party."""
    return LineSettled(
        audience=party,
        fate=fate,
        line=order.line,
        column=order.column,
        text=order.text,
        reason=reason,
        figures=figures,
    )


class OrdersMissing(Event):
    """A party that somebody plays sent no orders that stand: ``missed`` turns in a row now."""

    party: str
    missed: int


class ControllerSet(Event):
    """The GM decided who gives the party's orders from now on."""

    party: str
    controller: str


class Amended(Event):
    """The GM corrected the position: ``what`` is as it is now, ``why`` his reason."""

    what: str
    why: str


class GameOver(Event):
    """The game is over. ``winners``: nobody for a draw; ``how`` is a word of the game's for the reason."""

    winners: tuple[str, ...]
    how: str = ""
