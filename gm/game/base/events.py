"""Events of any small game, and how often a turn used each rule, by kind and name, for simulations."""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec.structs import asdict

from gm.core.values import DiceRolled, Event, Record


class Written(Record):
    """The place of an order in its file, and its text."""

    line: int
    column: int
    text: str


class OrderOutcome(StrEnum):
    """The outcome of a line of orders."""

    DONE = "done"
    REDUCED = "reduced"
    FAILED = "failed"
    SKIPPED = "skipped"  # It was for another case, which did not come: nothing went wrong


Fate = OrderOutcome  # the name until 1.0.0: for plug-ins, for one release (docs/reference/formats.md)


class LineSettled(Event):
    """One line's outcome, private to its party.

    ``reason`` is a key of the game's reasons, ``figures`` are filled into it.
    """

    fate: OrderOutcome
    line: int
    column: int
    text: str
    reason: str = ""
    figures: Mapping[str, Any] = {}


def settled(
    party: str, order: Written, fate: OrderOutcome = OrderOutcome.DONE, reason: str = "", **figures: Any
) -> LineSettled:
    """Return the outcome of a party's line, for that party."""
    return LineSettled(audience=party, fate=fate, **asdict(order), reason=reason, figures=figures)


def lines_in(events: Iterable[Event], party: str | None = None) -> list[LineSettled]:
    """Return the outcomes of the lines of orders, of one party or of all."""
    return [event for event in events if isinstance(event, LineSettled) and party in (None, event.audience)]


def happened(events: Iterable[Event]) -> list[Event]:
    """Return the events without dice and outcomes of order lines."""
    return [event for event in events if not isinstance(event, LineSettled | DiceRolled)]


class OrdersMissing(Event):
    """A party with a player sent no valid orders: ``missed`` turns in a row now."""

    party: str
    missed: int


class ControllerSet(Event):
    """The GM decided who gives the party's orders from now on."""

    party: str
    controller: str


class Amended(Event):
    """The GM corrected the position: ``what`` is its new value, ``why`` the reason."""

    what: str
    why: str


class GameOver(Event):
    """The game is over. ``winners``: empty for a draw; ``how``: the game's word for the reason."""

    winners: tuple[str, ...]
    how: str = ""


# How often each rule was used, by kind (a game may have more) and name
Uses = Mapping[str, Mapping[str, int]]
ORDERS = "order"  # The kind under which a game counts the orders that were given, by their word
# The kind under which a game counts the orders that could not be carried out, by the reason
FAILED = "failed order"
EVENTS = "event"  # The kind that every game has: what happened, by the event's name
CLAUSES = "clause"  # The kind under which a game counts its clauses, by what happened because of them
LINES = "lines"  # The name under which a game that does not tell its orders apart counts them


def uses_in(events: Iterable[Event]) -> Uses:
    """Return the counts of events, clauses and outcomes of lines, which any game has."""
    events = tuple(events)
    lines = lines_in(events)
    others = happened(events)
    return {
        CLAUSES: dict(Counter(filter(None, (getattr(event, "clause", "") for event in others)))),
        EVENTS: counted_events(others),
        FAILED: dict(Counter(line.reason for line in lines if line.fate is OrderOutcome.FAILED)),
        ORDERS: {LINES: len(lines)},
    }


def counted_events(events: Iterable[Event], kinds: Iterable[str] = ()) -> dict[str, int]:
    """Return how often each kind of event happened, 0 for those of ``kinds`` that did not.

    Dice are not counted.
    """
    counts = Counter(dict.fromkeys(kinds, 0))
    counts.update(event.kind for event in events if not isinstance(event, DiceRolled))
    return dict(counts)
