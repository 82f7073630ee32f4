"""Events of any small game, and counts of how often a turn used each rule, for simulations."""

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
    line: int  # the place of the line in the file
    column: int
    text: str  # the line as it was written
    reason: str = ""  # empty: the line was done
    figures: Mapping[str, Any] = {}  # by name


def settled(
    party: str, order: Written, fate: OrderOutcome = OrderOutcome.DONE, reason: str = "", **figures: Any
) -> LineSettled:
    """Return the event that tells the outcome of a party's line of orders.

    ``reason``: the key of the reason, empty if the line was done; ``figures``: what is filled into its words.
    """
    return LineSettled(audience=party, fate=fate, **asdict(order), reason=reason, figures=figures)


def lines_in(events: Iterable[Event], party: str | None = None) -> list[LineSettled]:
    """Return the outcomes of lines of orders, those of one party or, without one, of all."""
    return [event for event in events if isinstance(event, LineSettled) and party in (None, event.audience)]


def happened(events: Iterable[Event]) -> list[Event]:
    """Return the events without dice and outcomes of order lines."""
    return [event for event in events if not isinstance(event, LineSettled | DiceRolled)]


class OrdersMissing(Event):
    """A ``party`` with a player sent no valid orders, for the ``missed``-th turn in a row."""

    party: str
    missed: int


class ControllerSet(Event):
    """The GM decided who gives a party's orders from now on. ``controller``: the game's word for that."""

    party: str
    controller: str


class Amended(Event):
    """The GM corrected the position: ``what`` says the change in words, ``why`` the GM's reason."""

    what: str
    why: str


class GameOver(Event):
    """The game is over. ``winners``: codes, empty for a draw; ``how``: the game's word for the reason."""

    winners: tuple[str, ...]
    how: str = ""


# How often each rule was used, by kind and name; a game may have kinds of its own
Uses = Mapping[str, Mapping[str, int]]
ORDERS = "order"  # The kind of the counts of orders, by their word
FAILED = "failed order"  # The kind of the counts of orders that failed, by the reason
EVENTS = "event"  # The kind of the counts of events, by their name
CLAUSES = "clause"  # The kind of the counts of clauses, of which each event cites one at most
LINES = "lines"  # The name of the count of all orders, in a game that does not distinguish them


def uses_in(events: Iterable[Event]) -> Uses:
    """Return the counts of events, clauses, lines of orders and reasons why lines failed.

    Any game has these.
    """
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
    """Return how often each kind of event happened, by its name; 0 for those of ``kinds`` that did not.

    Dice are not counted.
    """
    counts = Counter(dict.fromkeys(kinds, 0))
    counts.update(event.kind for event in events if not isinstance(event, DiceRolled))
    return dict(counts)
