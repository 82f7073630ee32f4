"""Upkeep: who is paid in which order, and who goes unpaid (L3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from gm.core.records import Record, record
from gm.core.values import to_cents
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import Unit, UnitKind
from gm.games.medieval.state.strength import upkeep

PAY_ORDER = {UnitKind.GARRISON: 0, UnitKind.ARMY: 1, UnitKind.FLEET: 2}
"""L3 pays garrisons before armies before fleets, unlike the order of all other things (W12)."""


@record
class UpkeepLine(Record):
    """``count`` alike to be paid ``each``: troops of a type in a unit, or one commander."""

    unit: str
    troop: str
    commander: str
    count: int
    each: Decimal

    @property
    def price(self) -> Decimal:
        return self.each * self.count


Unpaid = UpkeepLine
"""The part of a line that was not paid in full."""


def upkeep_lines(units: Iterable[Unit], rules: Rules) -> list[UpkeepLine]:
    """One realm's upkeep in the order of payment: commanders, then troops.

    Units go by kind (garrisons, armies, fleets) and number; in a unit the dearest to build come first, equal ones as in
    the table of troops.
    """
    ordered = sorted(units, key=lambda unit: (PAY_ORDER[unit.kind], unit.number))
    lines = [
        UpkeepLine(unit=unit.key, troop="", commander=who.name, count=1, each=rules.commanders.upkeep)
        for unit in ordered
        for who in unit.commanders
    ]
    rank = {name: (-troop.cost, index) for index, (name, troop) in enumerate(rules.troops.items())}
    lines += (
        UpkeepLine(unit=unit.key, troop=troop, commander="", count=unit.count(troop), each=rules.troops[troop].upkeep)
        for unit in ordered
        for troop in sorted(unit.troops, key=rank.__getitem__)
    )
    return lines


def total_upkeep(units: Iterable[Unit], rules: Rules) -> Decimal:
    """What one realm's units cost in a turn, rounded once (W10)."""
    return to_cents(upkeep(units, rules))


def pay_in_order(lines: Sequence[UpkeepLine], gold: Decimal) -> tuple[Decimal, list[Unpaid]]:
    """What is paid out of ``gold``, and who is not paid in full.

    The first whose upkeep exceeds what is left takes what is left; everybody after goes without.
    """
    total = _total(lines)
    if total <= gold:
        return total, []
    left = gold
    for index, line in enumerate(lines):
        if line.price > left:
            full = int(left // line.each)
            short = UpkeepLine(line.unit, line.troop, line.commander, line.count - full, line.each)
            return gold, [short, *lines[index + 1 :]]
        left -= line.price
    return total, []


def _total(lines: Iterable[UpkeepLine]) -> Decimal:
    return to_cents(sum((line.price for line in lines), Decimal(0)))
