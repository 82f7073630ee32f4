"""Symbols on the map: works, each side's troops at a place (W8), a legend, and moves as arrows.

Moves are those of a turn, or those that are ordered (M3-M5, M8, M9, B9).
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import dist, inf

from gm.core.values import Event, Record
from gm.games.medieval.data.atlas import Atlas, Barrier, Location
from gm.games.medieval.data.rules import Rules, TroopType
from gm.games.medieval.events.battle import UnitRetreated
from gm.games.medieval.events.movement import ArmyLoaded, ArmyUnloaded, FleetFled, FleetSailed, UnitMarched
from gm.games.medieval.orders.model import FormUnit, March, Orders, PlanEntry, Sail, Unload
from gm.games.medieval.state import INDEPENDENTS, Province, Unit, World

OWN = "own"
FOREIGN = "foreign"
MARCH = "march"
SAIL = "sail"
FLIGHT = "flight"


class Marker(Record):
    """The troops of a side: ``side`` is OWN or FOREIGN seen from a realm, else the code of the realm.

    ``best`` is the most valuable type, None when only commanders are here; ``count``: of the troops (or
    commanders).
    """

    side: str
    best: TroopType | None
    count: int
    units: tuple[Unit, ...]

    @property
    def code(self) -> str:
        """The realm's code, where the marker shows it; empty for independents."""
        return "" if self.side in (OWN, FOREIGN, INDEPENDENTS) else self.side


def markers_at(world: World, rules: Rules, place: str, realm: str | None) -> tuple[Marker, ...]:
    """Return the troops at a place: own and foreign seen from ``realm``, or by realm.

    Own ones come first, independents last.
    """
    sides: dict[str, list[Unit]] = {}
    for unit in world.at(place):
        if not unit.empty:
            sides.setdefault(_side_of(unit, realm), []).append(unit)
    markers = []
    for side in sorted(sides, key=lambda side: (side != OWN, side == INDEPENDENTS, side)):
        units = sides[side]
        names = sorted(set(chain.from_iterable(unit.troops for unit in units)))
        types = [rules.troops[name] for name in names]
        best_troop = max(
            types, key=lambda troop: (troop.cost, troop.total_combat, troop.hit_points), default=None
        )
        count = sum(unit.troop_count for unit in units) or sum(len(unit.commanders) for unit in units)
        markers.append(Marker(side, best_troop, count, tuple(units)))
    return tuple(markers)


def _side_of(unit: Unit, realm: str | None) -> str:
    """Return the side of a unit: its realm, or own and foreign seen from ``realm``."""
    if realm is None:
        return unit.realm
    return OWN if unit.realm == realm else FOREIGN


def works(place: Location, state: Province) -> list[tuple[str, float]]:
    """Return (symbol, width) of the town, walls and anchor of a province and of the fires in it (X6)."""
    row: list[tuple[str, float]] = []
    if place.city:
        row.append(("capital", 26) if place.capital_of else ("city", 21))
    if state.fortification:
        broken = "b" if state.fortification_damage else ""
        row.append((f"fort{state.effective_fortification}{broken}", 19))
    if state.harbour:
        row.append(("harbour", 19))
    return row + [("damage", 12)] * state.damage


BARRIERS = {
    Barrier.MOUNTAINS: ("peak", "Mountains: no march"),
    Barrier.REEFS: ("rock", "Reefs: no docking, loading or landing"),
}
ARROWS = {MARCH: "March", SAIL: "Voyage", FLIGHT: "Flight"}

HATCHES = 7  # how many there are


def hatches(atlas: Atlas) -> dict[str, int]:
    """Return the number of each realm's hatching.

    Capitals with the same one are as far apart as possible.
    """
    capitals = {code: atlas.locations[seat.capital].label for code, seat in atlas.realms.items()}
    hatch_of: dict[str, int] = {}
    hatched: list[list[tuple[float, float]]] = [[] for _ in range(HATCHES)]
    for code, capital in capitals.items():
        away = [_nearest(capital, others) for others in hatched]
        hatch_of[code] = away.index(max(away))
        hatched[hatch_of[code]].append(capital)
    return hatch_of


def _nearest(point: tuple[float, float], others: Iterable[tuple[float, float]]) -> float:
    """Return the distance from a point to the nearest of others; infinite without any."""
    return min((dist(point, other) for other in others), default=inf)


Entry = tuple[str, str, str]  # a row of the legend: kind (symbol, realm, side, move), name, words


def land_legend(atlas: Atlas) -> list[Entry]:
    """Return the legend's rows for symbols on the land and between places."""
    barriers = {border.barrier for border in atlas.borders}
    rows = [
        ("symbol", "capital", "Capital"),
        ("symbol", "city", "City"),
        ("symbol", "fort3", "Fortification and its level"),
        ("symbol", "harbour", "Harbour"),
        ("symbol", "damage", "Damage: one fire per level"),
        *(("symbol", symbol, words) for kind, (symbol, words) in BARRIERS.items() if kind in barriers),
    ]
    if any(border.strait for border in atlas.borders):
        rows.append(("symbol", "strait", "Strait: a march over water"))
    return rows


def picture_legend(atlas: Atlas, world: World, moves: Sequence["Move"], *, sides: bool) -> list[Entry]:
    """Return the legend: realms first, then symbols, then sides by their bases, then arrows."""
    owners = [land.owner for land in world.provinces.values()]
    names = {code: realm.name for code, realm in world.realms.items()} | {INDEPENDENTS: "Independents"}
    rows = [
        ("realm", code, f"{names[code]} ({owners.count(code)})") for code in (*atlas.realms, INDEPENDENTS)
    ]
    rows += land_legend(atlas)
    if any(land.annexed_to not in (None, land.owner) for land in world.provinces.values()):
        rows.append(("symbol", "flag", "Annexed by another"))
    if sides:
        rows += [("side", OWN, "Your troops"), ("side", FOREIGN, "Others' troops")]
    kinds = {move.kind for move in moves}
    return rows + [("move", kind, words) for kind, words in ARROWS.items() if kind in kinds]


class Move(Record):
    """One step of a unit: ``kind`` is MARCH, SAIL or FLIGHT. An army that goes aboard or ashore marches."""

    realm: str
    kind: str
    start: str
    end: str


def moves_by_phase(events: Iterable[Event], after: World) -> dict[int, tuple[Move, ...]]:
    """Return the moves of a turn by phase from its log, each way of a realm once a phase, in order (M0).

    ``after``: the world that the turn led to.
    """
    moves: dict[int, dict[Move, None]] = {}
    for event, move in _steps(events, after):
        if move.start != move.end:
            moves.setdefault(event.phase, {})[move] = None
    return {phase: tuple(moves[phase]) for phase in sorted(moves)}


def _steps(events: Iterable[Event], after: World) -> Iterator[tuple[Event, Move]]:
    """Yield each step of a unit in the log, with its event."""
    fleets = {key: unit.place for key, unit in after.units.items() if unit.is_fleet}
    step_of_mark: dict[str, str] = {}
    for event in events:
        if isinstance(event, UnitMarched):
            yield event, Move(event.realm, MARCH, event.origin, event.place)
        elif isinstance(event, FleetSailed | FleetFled):
            step_of_mark[event.fleet] = event.place
            kind = SAIL if isinstance(event, FleetSailed) else FLIGHT
            yield event, Move(event.realm, kind, event.origin, event.place)
        elif isinstance(event, UnitRetreated):
            step_of_mark[event.unit] = event.to
            yield event, Move(event.realm, FLIGHT, event.place, event.to)
        elif isinstance(event, ArmyLoaded):
            step_of_mark[event.fleet] = event.sea
            yield event, Move(event.realm, MARCH, event.place, event.sea)
        elif isinstance(event, ArmyUnloaded):
            # a fleet that has not been seen to move yet lies where it ends the turn: unloading uses up its
            # move-points
            at = step_of_mark.get(event.fleet) or fleets.get(event.fleet)
            if at is not None:
                yield event, Move(event.realm, MARCH, at, event.place)


def planned_moves(sheet: Orders, before: World) -> tuple[Move, ...]:
    """Return the moves of a realm's orders, possible or not, each way once.

    ``before`` is the world that they are for.
    """
    formed = {order.new_id: order.unit for order in sheet.units if isinstance(order, FormUnit)}
    moves: list[Move] = []
    for reference, plan in sheet.plans.items():
        unit = before.unit(sheet.realm, formed.get(reference, reference))
        if unit is not None:
            moves += _planned(sheet.realm, unit.place, plan)
    return tuple(dict.fromkeys(move for move in moves if move.start != move.end))


def _planned(realm: str, start: str, plan: Iterable[PlanEntry]) -> Iterator[Move]:
    """Yield the moves of a plan, one after the other."""
    place = start
    for entry in plan:
        if isinstance(entry, March):
            yield Move(realm, MARCH, place, entry.province)
            place = entry.province
        elif isinstance(entry, Sail):
            yield Move(realm, SAIL, place, entry.place)
            place = entry.place
        elif isinstance(entry, Unload):
            yield from (Move(realm, MARCH, place, ashore) for ashore in entry.landings.values())
