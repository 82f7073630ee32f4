"""How often a turn used each rule: words of order files, clauses, reasons of failure, events, troop types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from gm.core.events import DiceRolled, Event
from gm.game.base.events import CLAUSES, EVENTS, FAILED, ORDERS, Uses, counted_events
from gm.games.medieval.data.clauses_data import load_reasons
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.data.rules_data import clauses
from gm.games.medieval.events.final import TroopsBuilt
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.pipeline import STAGES
from gm.games.medieval.state.event_log import event_classes
from gm.games.medieval.steps.turn import Fate, OrderSettled

RECRUITS = "troops recruited"

_BOOKS = frozenset({"OrderSettled", "TreasuryChanged", "TroopsChanged", "CommandersChanged"})
"""Events that only keep the books of what others tell."""


def rule_uses(rules: Rules, sheets: Mapping[str, Orders], events: Iterable[Event]) -> Uses:
    """Every rule that can be counted with how often it was used, also the unused ones; failures only as they were. A
    clause is used when its step of the turn did something, or when an order failed by it."""
    happened = [event for event in events if not isinstance(event, DiceRolled)]
    told = [event for event in happened if event.kind not in _BOOKS]
    failed = Counter(
        event.reason for event in happened if isinstance(event, OrderSettled) and event.fate is Fate.FAILED
    )
    used = Counter(_clause_of_step()[event.step] for event in told if event.step in _clause_of_step())
    for reason, count in failed.items():
        used[load_reasons()[reason].clause] += count
    recruits = dict.fromkeys(rules.troops, 0)
    for event in told:
        if isinstance(event, TroopsBuilt):
            for troop, count in event.troops.items():
                recruits[troop] += count
    return {
        CLAUSES: {name: used[clause] for clause, name in _clauses().items()},
        EVENTS: counted_events(told, sorted(set(event_classes()) - _BOOKS - {DiceRolled.__name__})),
        FAILED: dict(failed),
        ORDERS: _orders(sheets),
        RECRUITS: recruits,
    }


def _orders(sheets: Mapping[str, Orders]) -> dict[str, int]:
    words = _words()
    found = dict.fromkeys(words.values(), 0)
    for sheet in sheets.values():
        for order in sheet.all_orders():
            found[words[type(order)]] += 1
    return found


@cache
def _words() -> dict[type[Order], str]:
    """The word of an order file that gives each kind of order."""
    return {word.order: word.name for word in all_words() if word.order is not None}


@cache
def _clause_of_step() -> dict[str, str]:
    """The clause that each step of the turn is, by the step's name."""
    return {step.name: step.clauses[0] for stage in STAGES for step in stage.steps}


@cache
def _clauses() -> dict[str, str]:
    """The clauses that can be counted, each with its title behind it."""
    counted = {*_clause_of_step().values(), *(reason.clause for reason in load_reasons().values())}
    return {clause: f"{clause} {title}" for clause, title in clauses().items() if clause in counted}
