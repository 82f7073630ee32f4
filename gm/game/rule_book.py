"""How often each rule of a game is used, for simulations: by kind of rule, then by the rule's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from gm.core.events import DiceRolled, Event
from gm.game.base.events import Fate, LineSettled

Uses = Mapping[str, Mapping[str, int]]
"""How often each rule was used. Kinds are words in the singular; a game may have more than these."""

ORDERS = "order"
"""The kind under which a game counts the orders that were given, by their word."""
FAILED = "failed order"
"""The kind under which a game counts the orders that could not be carried out, by the reason."""
EVENTS = "event"
"""The kind that every game has: what happened, by the event's name."""
CLAUSES = "clause"
"""The kind under which a game counts its clauses, by what happened because of them."""
LINES = "lines"
"""The name under which a game that does not tell its orders apart counts them."""


def uses_in(events: Iterable[Event]) -> Uses:
    """The events, their clauses, and the lines that were settled: what can be counted in any game."""
    happened = list(events)
    lines = [event for event in happened if isinstance(event, LineSettled)]
    others = [event for event in happened if not isinstance(event, LineSettled | DiceRolled)]
    return {
        CLAUSES: dict(Counter(clause for clause in (getattr(event, "clause", "") for event in others) if clause)),
        EVENTS: counted_events(others),
        FAILED: dict(Counter(line.reason for line in lines if line.fate is Fate.FAILED)),
        ORDERS: {LINES: len(lines)},
    }


def counted_events(events: Iterable[Event], known: Iterable[str] = ()) -> dict[str, int]:
    """How often each kind of event happened, the ``known`` ones also when they did not; dice are no event here."""
    found = dict.fromkeys(known, 0)
    for event in events:
        if not isinstance(event, DiceRolled):
            found[event.kind] = found.get(event.kind, 0) + 1
    return found
