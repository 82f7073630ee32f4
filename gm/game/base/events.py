"""Events that any small game has, and how often a turn used each rule, by its kind and name, for simulations."""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec.structs import asdict

from gm.core.values import DiceRolled, Event, Record


class Written(Record):
    """Where an order stands in its file, and how it reads there."""

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
    """One line's outcome, private to its party. ``reason`` is a key of the game's reasons, ``figures`` fill it in."""

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
    """Return what became of the lines of orders, of one party's or of all."""
    return [event for event in events if isinstance(event, LineSettled) and party in (None, event.audience)]


def happened(events: Iterable[Event]) -> list[Event]:
    """Return what happened, dice and lines of orders apart."""
    return [event for event in events if not isinstance(event, LineSettled | DiceRolled)]


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


Uses = Mapping[str, Mapping[str, int]]  # How often each rule was used, by kind (a game may have more) and name
ORDERS = "order"  # The kind under which a game counts the orders that were given, by their word
FAILED = "failed order"  # The kind under which a game counts the orders that could not be carried out, by the reason
EVENTS = "event"  # The kind that every game has: what happened, by the event's name
CLAUSES = "clause"  # The kind under which a game counts its clauses, by what happened because of them
LINES = "lines"  # The name under which a game that does not tell its orders apart counts them


def uses_in(events: Iterable[Event]) -> Uses:
    """Return the events, their clauses, and the lines that were settled: what can be counted in any game."""
    events = tuple(events)
    lines = lines_in(events)
    others = happened(events)
    return {
        CLAUSES: dict(Counter(filter(None, (getattr(event, "clause", "") for event in others)))),
        EVENTS: counted_events(others),
        FAILED: dict(Counter(line.reason for line in lines if line.fate is OrderOutcome.FAILED)),
        ORDERS: {LINES: len(lines)},
    }


def counted_events(events: Iterable[Event], known: Iterable[str] = ()) -> dict[str, int]:
    """Return how often each kind of event happened, the ``known`` ones also when they did not.

    Dice are no event here.
    """
    counts = Counter(dict.fromkeys(known, 0))
    counts.update(event.kind for event in events if not isinstance(event, DiceRolled))
    return dict(counts)
