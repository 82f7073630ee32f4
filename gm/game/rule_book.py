"""How often each rule of a game is used: what a game may tell besides its specification, for simulations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from gm.core.events import DiceRolled, Event
from gm.game.base.events import Fate, LineSettled

Uses = Mapping[str, Mapping[str, int]]
"""How often each rule was used: by kind of rule, then by the rule's name."""

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


@runtime_checkable
class RuleBook(Protocol):
    """A game's specification that can also count its rules. For one that cannot, events and lines are counted."""

    def rule_uses(self, table: Any, sheets: Mapping[str, Any], events: Iterable[Event]) -> Uses:
        """How often a turn with these orders and events used each rule: every rule of the game, also those it did not.

        Kinds are words in the singular, such as ``clause``, ``ORDERS`` and ``FAILED``.
        """


def uses_of_turn(spec: object, table: Any, sheets: Mapping[str, Any], events: Iterable[Event]) -> Uses:
    """What the game counts; for one that does not, the events, their clauses, and the lines that were settled."""
    if isinstance(spec, RuleBook):
        return spec.rule_uses(table, sheets, events)
    happened = list(events)
    lines = [event for event in happened if isinstance(event, LineSettled)]
    failed = Counter(line.reason for line in lines if line.fate is Fate.FAILED)
    told = [event for event in happened if not isinstance(event, LineSettled | DiceRolled)]
    clauses = Counter(clause for clause in (getattr(event, "clause", "") for event in told) if clause)
    return {
        CLAUSES: dict(clauses),
        EVENTS: counted_events(told),
        FAILED: dict(failed),
        ORDERS: {LINES: len(lines)},
    }


def counted_events(events: Iterable[Event], known: Iterable[str] = ()) -> dict[str, int]:
    """How often each kind of event happened, the ``known`` ones also when they did not; dice are no event here."""
    found = dict.fromkeys(known, 0)
    for event in events:
        if not isinstance(event, DiceRolled):
            found[event.kind] = found.get(event.kind, 0) + 1
    return found
