"""What structures cost, whom they need, and what razing them brings (T4, L8, L10)."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal

from gm.core.records import Record, record
from gm.core.values import CENT, to_cents
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Structure


@record
class Work(Record):
    """``gold`` and ``workers`` that one piece of construction takes."""

    gold: Decimal
    workers: int


def work_on(structure: Structure, level: int, rules: Rules) -> Work:
    """T4: what building takes; ``level`` is the fortification level that is to be reached, else it does not matter."""
    data = rules.construction
    if structure is Structure.HARBOUR:
        return Work(data.harbour_cost, data.harbour_workers)
    if structure is Structure.PRODUCTION_AREA:
        return Work(data.production_area_cost, data.production_area_workers)
    gold = data.fortification_cost_base + data.fortification_cost_level * level
    return Work(gold, data.fortification_workers_level * level)


def repair_work(level: int, rules: Rules) -> Work:
    """L8.1: what it takes to make ``level`` work again: its workers, and a part of its gold."""
    full = work_on(Structure.FORTIFICATION, level, rules)
    return Work(to_cents(full.gold / rules.construction.paid_repair_divisor), full.workers)


def razed_gold(structure: Structure, level: int, rules: Rules) -> Decimal:
    """L10: the share of the build cost that razing brings, rounded down to 1/100."""
    return (work_on(structure, level, rules).gold / rules.economy.salvage_divisor).quantize(CENT, ROUND_DOWN)
