"""The ways that units went in a turn, or are ordered to go: what the map shows as arrows (M3-M5, M8, M9, B9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gm.core.events import Event
from gm.core.values import Record
from gm.games.medieval.events.battle import UnitRetreated
from gm.games.medieval.events.movement import ArmyLoaded, ArmyUnloaded, FleetFled, FleetSailed, UnitMarched
from gm.games.medieval.orders.model import FormUnit, March, Orders, PlanEntry, Sail, Unload
from gm.games.medieval.state import World

MARCH, SAIL, FLIGHT = "march", "sail", "flight"


class Move(Record):
    """One step of a unit of ``realm`` from one place to another; ``kind`` is MARCH, SAIL or FLIGHT.

    Going aboard and ashore counts as marching: it is the army that moves.
    """

    realm: str
    kind: str
    start: str
    end: str


def made_moves(events: Iterable[Event], after: World) -> tuple[Move, ...]:
    """The moves of a turn from its log, each way of a realm once; ``after`` is the world that it led to."""
    return tuple(dict.fromkeys(move for _, move in _steps(events, after) if move.start != move.end))


def moves_by_phase(events: Iterable[Event], after: World) -> dict[int, tuple[Move, ...]]:
    """The same for each phase in which somebody moved, in order (M0)."""
    found: dict[int, dict[Move, None]] = {}
    for event, move in _steps(events, after):
        if move.start != move.end:
            found.setdefault(event.phase, {})[move] = None
    return {phase: tuple(found[phase]) for phase in sorted(found)}


def _steps(events: Iterable[Event], after: World) -> Iterator[tuple[Event, Move]]:
    """Each step of a unit in the order of the log."""
    fleets = {key: unit.place for key, unit in after.units.items() if unit.is_fleet}
    seen: dict[str, str] = {}
    for event in events:
        if isinstance(event, UnitMarched):
            yield event, Move(event.realm, MARCH, event.origin, event.place)
        elif isinstance(event, FleetSailed | FleetFled):
            seen[event.fleet] = event.place
            kind = SAIL if isinstance(event, FleetSailed) else FLIGHT
            yield event, Move(event.realm, kind, event.origin, event.place)
        elif isinstance(event, UnitRetreated):
            seen[event.unit] = event.to
            yield event, Move(event.realm, FLIGHT, event.place, event.to)
        elif isinstance(event, ArmyLoaded):
            seen[event.fleet] = event.sea
            yield event, Move(event.realm, MARCH, event.place, event.sea)
        elif isinstance(event, ArmyUnloaded):
            # a fleet that has not been seen to move yet lies where it ends the turn: unloading uses up its move-points
            at = seen.get(event.fleet) or fleets.get(event.fleet)
            if at is not None:
                yield event, Move(event.realm, MARCH, at, event.place)


def planned_moves(sheet: Orders, before: World) -> tuple[Move, ...]:
    """The moves that a realm's orders ask for, possible or not, each way once; ``before`` is the world they are for."""
    formed = {order.new_id: order.unit for order in sheet.units if isinstance(order, FormUnit)}
    moves: list[Move] = []
    for reference, plan in sheet.plans.items():
        unit = before.unit(sheet.realm, formed.get(reference, reference))
        if unit is not None:
            moves += _planned(sheet.realm, unit.place, plan)
    return tuple(dict.fromkeys(move for move in moves if move.start != move.end))


def _planned(realm: str, start: str, plan: Iterable[PlanEntry]) -> Iterator[Move]:
    at = start
    for entry in plan:
        if isinstance(entry, March):
            yield Move(realm, MARCH, at, entry.province)
            at = entry.province
        elif isinstance(entry, Sail):
            yield Move(realm, SAIL, at, entry.place)
            at = entry.place
        elif isinstance(entry, Unload):
            yield from (Move(realm, MARCH, at, ashore) for ashore in entry.landings.values())
