"""What a map shows besides land: symbols of structures, each side's troops (W8), the legend, and moves.

Moves are those of a turn, or those that are ordered (M3-M5, M8, M9, B9).
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import dist, inf

from gm.core.values import Event, Record, grouped
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
    """The troops of a side at a place.

    ``side`` is OWN or FOREIGN, as a realm sees the map, else the code of a realm or of the independents.
    ``best`` is the most valuable troop type, None when only commanders are here. ``count`` is the number of
    troops, or of commanders when they are alone.
    """

    side: str
    best: TroopType | None
    count: int
    units: tuple[Unit, ...]

    @property
    def code(self) -> str:
        """The realm's code that the marker shows; empty for independents, OWN and FOREIGN."""
        return "" if self.side in (OWN, FOREIGN, INDEPENDENTS) else self.side


def markers_at(world: World, rules: Rules, place: str, realm: str | None) -> tuple[Marker, ...]:
    """Return a marker for each side with troops at a place: own ones first, independents last.

    The sides are OWN and FOREIGN as ``realm`` sees them, or, if it is None, the realms.
    """
    with_troops = (unit for unit in world.at(place) if not unit.empty)
    sides = grouped(with_troops, lambda unit: _side_of(unit, realm))
    markers = []
    in_order = sorted(sides, key=lambda side: (side != OWN, side == INDEPENDENTS, side))
    for side in in_order:
        units = sides[side]
        names = sorted(set(chain.from_iterable(unit.troops for unit in units)))
        types = [rules.troops[name] for name in names]
        best_troop = max(
            types, key=lambda troop: (troop.cost, troop.total_combat, troop.hit_points), default=None
        )
        # commanders are counted only where there are no troops
        count = sum(unit.troop_count for unit in units) or sum(len(unit.commanders) for unit in units)
        markers.append(Marker(side, best_troop, count, tuple(units)))
    return tuple(markers)


def _side_of(unit: Unit, realm: str | None) -> str:
    """Return the side of a unit: its realm if ``realm`` is None, else OWN or FOREIGN as ``realm`` sees it."""
    if realm is None:
        return unit.realm
    return OWN if unit.realm == realm else FOREIGN


def works(place: Location, land: Province) -> list[tuple[str, float]]:
    """Return (symbol, width) of a province's city, fortification, harbour, and of each level of damage (X6).

    Widths are in the unit in which all at a place is drawn (``map_drawing.SIZE`` of them are a font size).
    """
    symbols: list[tuple[str, float]] = []
    if place.city:
        symbols.append(("capital", 26) if place.capital_of else ("city", 21))
    if land.fortification:
        broken = "b" if land.fortification_damage else ""
        symbols.append((f"fort{land.effective_fortification}{broken}", 19))
    if land.harbour:
        symbols.append(("harbour", 19))
    return symbols + [("damage", 12)] * land.damage


BARRIERS = {
    Barrier.MOUNTAINS: ("peak", "Mountains: no march"),
    Barrier.REEFS: ("rock", "Reefs: no docking, loading or landing"),
}
"""The symbol of each kind of closed border, and its words in the legend."""
ARROWS = {MARCH: "March", SAIL: "Voyage", FLIGHT: "Flight"}

HATCHES = 7  # the hatchings have the numbers from 0 to below this


def hatches(atlas: Atlas) -> dict[str, int]:
    """Return the number of each realm's usual hatching, by code.

    Realms get theirs one after the other. Each gets the hatching that is not seen near it: for each hatching
    the nearest capital of a realm that has it already is found, and the farthest of these decides.
    """
    capitals = {code: atlas.locations[seat.capital].label for code, seat in atlas.realms.items()}
    hatch_of: dict[str, int] = {}
    capitals_by_hatch: list[list[tuple[float, float]]] = [[] for _ in range(HATCHES)]
    for code, capital in capitals.items():
        distances = [_nearest(capital, others) for others in capitals_by_hatch]
        hatch_of[code] = distances.index(max(distances))
        capitals_by_hatch[hatch_of[code]].append(capital)
    return hatch_of


def _nearest(point: tuple[float, float], others: Iterable[tuple[float, float]]) -> float:
    """Return the distance from a point to the nearest of others; infinite without any."""
    return min((dist(point, other) for other in others), default=inf)


Entry = tuple[str, str, str]
"""A row of the legend: (kind, name, words); a kind, such as symbol or realm, has its own names."""


def land_legend(atlas: Atlas) -> list[Entry]:
    """Return the legend's rows for symbols on the land and between places, if the map has such places."""
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
    """Return the legend of a picture: realms with their numbers of provinces, symbols, sides, and arrows.

    ``moves``: those in the picture, for the kinds of arrows; ``sides``: troops are shown as own and foreign.
    """
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
    """One step of a unit from place to place: ``kind`` is MARCH, SAIL or FLIGHT.

    An army that goes aboard or ashore marches. ``realm`` is the unit's.
    """

    realm: str
    kind: str
    start: str
    end: str


def moves_by_phase(events: Iterable[Event], after: World) -> dict[int, tuple[Move, ...]]:
    """Return the moves in a turn's events, in order, by phase (M0); equal moves of a phase are one.

    ``after``: the world after the turn.
    """
    moves_of_phase: dict[int, dict[Move, None]] = {}  # each a set in order
    for event, move in _steps(events, after):
        if move.start != move.end:
            moves_of_phase.setdefault(event.phase, {})[move] = None
    return {phase: tuple(moves_of_phase[phase]) for phase in sorted(moves_of_phase)}


def _steps(events: Iterable[Event], after: World) -> Iterator[tuple[Event, Move]]:
    """Yield (event, move) for each step of a unit among these events."""
    final_places = {key: unit.place for key, unit in after.units.items() if unit.is_fleet}
    places_so_far: dict[str, str] = {}  # of units that have sailed, loaded, fled or retreated, by key
    for event in events:
        if isinstance(event, UnitMarched):
            yield event, Move(event.realm, MARCH, event.origin, event.place)
        elif isinstance(event, FleetSailed | FleetFled):
            places_so_far[event.fleet] = event.place
            kind = SAIL if isinstance(event, FleetSailed) else FLIGHT
            yield event, Move(event.realm, kind, event.origin, event.place)
        elif isinstance(event, UnitRetreated):
            places_so_far[event.unit] = event.to
            yield event, Move(event.realm, FLIGHT, event.place, event.to)
        elif isinstance(event, ArmyLoaded):
            places_so_far[event.fleet] = event.sea
            yield event, Move(event.realm, MARCH, event.place, event.sea)
        elif isinstance(event, ArmyUnloaded):
            # a fleet that has not moved yet ends the turn where it is: unloading uses up its move-points
            fleet_place = places_so_far.get(event.fleet) or final_places.get(event.fleet)
            if fleet_place is not None:
                yield event, Move(event.realm, MARCH, fleet_place, event.place)


def planned_moves(sheet: Orders, before: World) -> tuple[Move, ...]:
    """Return the moves of a realm's orders, possible or not, each once.

    ``before`` is the world that the orders are for.
    """
    # a unit that is formed this turn starts where the unit is that it is formed from
    formed_from = {order.new_id: order.unit for order in sheet.units if isinstance(order, FormUnit)}
    moves: list[Move] = []
    for reference, plan in sheet.plans.items():
        unit = before.unit(sheet.realm, formed_from.get(reference, reference))
        if unit is not None:
            moves += _moves_of_plan(sheet.realm, unit.place, plan)
    return tuple(dict.fromkeys(move for move in moves if move.start != move.end))


def _moves_of_plan(realm: str, start: str, plan: Iterable[PlanEntry]) -> Iterator[Move]:
    """Yield the moves of a unit's plan, one after the other, from the place ``start``."""
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
