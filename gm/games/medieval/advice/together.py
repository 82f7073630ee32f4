"""Orders that are adopted together with an advised one.

They are those that its unit needs, and those of units that fight beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gm.games.medieval.advice.grounds import Grounds, Subject
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Order
from gm.games.medieval.report.page_data import stamp_row


class Together:
    """Finds the orders of a file that are adopted together, as rows of the page's order writer."""

    def __init__(self, grounds: Grounds) -> None:
        self._grounds = grounds
        self._sheet = grounds.sheet

    def rows(self, order: Order, subject: Subject | None) -> tuple[Any, ...]:
        """Return the rows of an order and of the orders that are adopted with it.

        Wars come first, then orders of units, then plans. ``subject``: the unit that the order is for, None
        for headquarters.
        """
        units = self._units(order, subject)
        if not units:
            return (self._row(subject.unit.id if subject else None, order),)
        return tuple(self._of_units(self._with_carriers(units)))

    def _units(self, order: Order, subject: Subject | None) -> set[str]:
        """Return the ids of the units whose orders are adopted with an order.

        Empty if the order is adopted alone, as those of headquarters and most of a unit at home are.
        """
        if isinstance(order, model.FormUnit):
            return {order.new_id}
        if isinstance(order, model.Transfer):
            return {self._id(order.receiver)}
        if subject is None or isinstance(order, model.UnitOrder):
            return set()
        landed = [*order.landings] if isinstance(order, model.Unload) else []
        armies = [subject.unit, *filter(None, map(self._grounds.unit, landed))]
        comrades = (comrade.unit.id for army in armies for comrade in self._grounds.comrades(army))
        return {subject.unit.id, *comrades}

    def _with_carriers(self, units: set[str]) -> set[str]:
        """Return the ids of units, of the fleets that carry them, and of the armies that those carry."""
        with_carriers = set(units)
        for reference, entries in self._sheet.plans.items():
            carried = {self._id(army) for army in _carried_armies(entries)}
            fleet_and_carried = carried | {self._id(reference)}
            if carried and with_carriers & fleet_and_carried:
                with_carriers |= fleet_and_carried
        return with_carriers

    def _of_units(self, units: set[str]) -> Iterator[Any]:
        """Yield the rows of orders that units of these ids need.

        They are wars on the owners of their targets, the orders that form them, their own orders, and
        transfers to them.
        """
        enemies = self._owners(units)
        for order in self._sheet.headquarters:
            if isinstance(order, model.DeclareWar) and order.other in enemies:
                yield self._row(None, order)
        for unit_order in self._sheet.units:
            forms_unit = isinstance(unit_order, model.FormUnit) and unit_order.new_id in units
            if forms_unit or self._id(unit_order.unit) in units:
                yield self._row(unit_order.unit, unit_order)
        for reference, entries in self._sheet.plans.items():
            is_plan_of_unit = self._id(reference) in units
            for entry in entries:
                if is_plan_of_unit or (
                    isinstance(entry, model.Transfer) and self._id(entry.receiver) in units
                ):
                    yield self._row(reference, entry)

    def _owners(self, units: Iterable[str]) -> set[str]:
        """Return the codes of the owners of these units' targets."""
        arrivals = (self._grounds.arrivals.get(unit) for unit in units)
        provinces = self._grounds.world.provinces
        return {
            provinces[arrival.place].owner for arrival in arrivals if arrival and arrival.place in provinces
        }

    def _row(self, about: str | None, order: Order) -> Any:
        """Return [section, unit, word, value] of an order (:func:`stamp_row`).

        ``about``: the unit's reference, None for headquarters.
        """
        return stamp_row(self._grounds.world, self._sheet.realm, about, order)

    def _id(self, reference: str) -> str:
        """Return the id of an own unit from its reference; others' units keep theirs (``FRA/A1``)."""
        unit = self._grounds.unit(reference)
        return unit.id if unit and "/" not in reference else reference


def _carried_armies(entries: Iterable[model.PlanEntry]) -> Iterator[str]:
    """Yield the references of the armies that a fleet's plan takes aboard or puts ashore."""
    for entry in entries:
        if isinstance(entry, model.Load):
            yield from entry.armies
        if isinstance(entry, model.Unload):
            yield from entry.landings
