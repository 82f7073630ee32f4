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
    """Finds the orders of a file that are adopted together, in the form of the page's writer."""

    def __init__(self, grounds: Grounds) -> None:
        self._grounds = grounds
        self._sheet = grounds.sheet

    def rows(self, order: Order, subject: Subject | None) -> tuple[Any, ...]:
        """Return an order with those that are adopted with it, in the order of the file."""
        units = self._units(order, subject)
        if not units:
            return (self._row(subject.unit.id if subject else None, order),)
        return tuple(self._of_units(self._with_carriers(units)))

    def _units(self, order: Order, subject: Subject | None) -> set[str]:
        """Return the ids of the units whose orders are adopted with an order.

        Empty if the order is adopted alone.
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
        """Return the units with the fleets that carry them, and the armies that those carry."""
        every = set(units)
        for reference, entries in self._sheet.plans.items():
            carried = {self._id(army) for army in _carried(entries)}
            crew = carried | {self._id(reference)}
            if carried and every & crew:
                every |= crew
        return every

    def _of_units(self, units: set[str]) -> Iterator[Any]:
        """Yield the rows of orders for these units: wars, forming, their own, transfers to them."""
        enemies = self._owners(units)
        for order in self._sheet.headquarters:
            if isinstance(order, model.DeclareWar) and order.other in enemies:
                yield self._row(None, order)
        for command in self._sheet.units:
            forms = isinstance(command, model.FormUnit) and command.new_id in units
            if forms or self._id(command.unit) in units:
                yield self._row(command.unit, command)
        for reference, entries in self._sheet.plans.items():
            moves = self._id(reference) in units
            for entry in entries:
                if moves or (isinstance(entry, model.Transfer) and self._id(entry.receiver) in units):
                    yield self._row(reference, entry)

    def _owners(self, units: Iterable[str]) -> set[str]:
        """Return the owners of the units' targets: war on them is declared first (L15)."""
        arrivals = (self._grounds.arrivals.get(unit) for unit in units)
        provinces = self._grounds.world.provinces
        return {
            provinces[arrival.place].owner for arrival in arrivals if arrival and arrival.place in provinces
        }

    def _row(self, about: str | None, order: Order) -> Any:
        return stamp_row(self._grounds.world, self._sheet.realm, about, order)

    def _id(self, reference: str) -> str:
        unit = self._grounds.unit(reference)
        return unit.id if unit and "/" not in reference else reference


def _carried(entries: Iterable[model.PlanEntry]) -> Iterator[str]:
    """Yield the armies that a fleet's plan takes aboard or puts ashore."""
    for entry in entries:
        if isinstance(entry, model.Load):
            yield from entry.armies
        if isinstance(entry, model.Unload):
            yield from entry.landings
