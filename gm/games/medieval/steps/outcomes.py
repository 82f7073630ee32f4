"""The outcomes of orders (O2), the refusals that lead to them, events of troops and gold, and holds (P5)."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Any

from gm.core.values import Event, Record
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.state import Unit, UnitProgress
from gm.games.medieval.state.strength import move_points_left


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
    """One order's outcome, private to its realm.

    ``line`` and ``column``: where it stands in the realm's file, from 1; ``text``: how it is written there.
    ``reason`` and ``figures`` are as in :class:`Refusal`: the key of a reason and the values of the fields of
    its sentence; empty if it was done.
    """

    fate: OrderOutcome
    line: int
    column: int
    text: str
    reason: str = ""
    figures: Mapping[str, Any] = {}


def unit_changes(
    unit: Unit, cause: str, sign: int, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()
) -> Iterator[Event]:
    """Yield the events of troops, by type, and commanders, by name, that joined or left a unit.

    ``sign``: 1 if they joined, -1 if they left; ``cause``: as in TroopsChanged.
    """
    for troop, count in (troops or {}).items():
        if count:
            yield TroopsChanged(realm=unit.realm, unit=unit.key, troop=troop, count=sign * count, cause=cause)
    for name in who:
        yield CommandersChanged(realm=unit.realm, unit=unit.key, commander=name, count=sign, cause=cause)


class TreasuryChanged(Event):
    """A realm's treasury changed: each change has exactly one such event, private to the realm.

    ``amount``: below 0 if gold went out; ``what``: the purpose, a key such as ``upkeep``, ``revenue``, ``gold
    sent``, ``gold received`` or ``decay``; ``balance``: the treasury after it.
    """

    realm: str
    amount: Decimal
    what: str
    place: str = ""
    balance: Decimal = Decimal(0)


def why_not_hold(unit: Unit, done: UnitProgress, rules: Rules) -> Refusal | None:
    """Return why a unit cannot hold (P5); None if it can. ``done``: its progress.

    It is a garrison, or lacks the move-points for a hold with a cost.
    """
    if unit.is_garrison:
        return refuse("garrison-never-moves")
    has = move_points_left(unit, done, rules)
    needs = hold_cost(done, rules)
    return refuse("hold-needs-move-points", needs=needs, has=has) if needs > has else None


def hold_cost(done: UnitProgress, rules: Rules) -> int:
    """Return the move-points that the next hold of a unit costs: the first ones of a turn are free (P5)."""
    return 0 if done.holds < rules.movement.free_holds else rules.movement.hold
