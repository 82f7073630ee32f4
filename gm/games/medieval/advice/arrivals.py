"""The targets of armies by a realm's orders, and the phases.

Armies that arrive together fight together (O5, M8, M9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from gm.core.values import Record
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Orders, PlanEntry
from gm.games.medieval.state import Unit


class Arrival(Record):
    """An army before its last step, its target province, and the phase."""

    unit: Unit
    place: str
    phase: int


FindUnit = Callable[[str], Unit | None]  # An own unit by its reference in the orders


def arrivals_of(sheet: Orders, find: FindUnit) -> Mapping[str, Arrival]:
    """Return the last arrival of each army that the orders move, by its id: on foot, or else from a fleet."""
    arrivals: dict[str, Arrival] = {}
    for reference, entries in sheet.plans.items():
        unit = find(reference)
        if unit is not None and unit.is_fleet:
            landed = {arrival.unit.id: arrival for arrival in _landings(unit, entries, find)}
            arrivals = landed | arrivals
        elif unit is not None:
            marched = _march(unit, entries)
            if marched:
                arrivals[unit.id] = marched
    return arrivals


def _landings(fleet: Unit, entries: tuple[PlanEntry, ...], find: FindUnit) -> Iterator[Arrival]:
    """Yield the arrivals of armies that a fleet's plan lands."""
    for number, entry in enumerate(_moves(entries), 1):
        if not isinstance(entry, model.Unload):
            continue
        for reference, place in entry.landings.items():
            army = find(reference)
            if army is not None:
                yield Arrival(army.evolve(aboard=fleet.key), place, number)


def _march(army: Unit, entries: tuple[PlanEntry, ...]) -> Arrival | None:
    """Return the last arrival of an army that marches; None if it does not."""
    place = army.place
    arrival = None
    for number, entry in enumerate(_moves(entries), 1):
        if isinstance(entry, model.March):
            arrival = Arrival(army.evolve(place=place), entry.province, number)
            place = entry.province
    return arrival


def _moves(entries: tuple[PlanEntry, ...]) -> list[PlanEntry]:
    """Return the entries that take a phase of their own; a transfer of troops takes none (M1)."""
    return [entry for entry in entries if not isinstance(entry, model.Transfer)]
