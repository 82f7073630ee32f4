"""What the map shows at a place: its works, the troops of each side, and the lines of its tooltip (W8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas, Location
from gm.games.medieval.data.rules import Rules, TroopType
from gm.games.medieval.state import INDEPENDENTS, Province, Unit, World

OWN, FOREIGN = "own", "foreign"


class Marker(Record):
    """The troops of a side: ``side`` is OWN or FOREIGN seen from a realm, else the code of the realm.

    ``best`` is the most valuable type, none when only commanders are here; ``count`` is the troops (or commanders).
    """

    side: str
    best: TroopType | None
    count: int
    units: tuple[Unit, ...]


def markers_at(world: World, rules: Rules, place: str, realm: str | None) -> tuple[Marker, ...]:
    """The troops at a place: own and foreign seen from ``realm``, or by realm; own ones first, independents last."""
    sides: dict[str, list[Unit]] = {}
    for unit in world.at(place):
        if not unit.empty:
            side = unit.realm if realm is None else OWN if unit.realm == realm else FOREIGN
            sides.setdefault(side, []).append(unit)
    return tuple(
        Marker(side, _best(sides[side], rules), _count(sides[side]), tuple(sides[side]))
        for side in sorted(sides, key=lambda side: (side != OWN, side == INDEPENDENTS, side))
    )


def _best(units: Sequence[Unit], rules: Rules) -> TroopType | None:
    types = sorted({name for unit in units for name in unit.troops})
    worth = {
        name: (troop.cost, troop.total_combat, troop.hit_points) for name in types for troop in [rules.troops[name]]
    }
    return rules.troops[max(types, key=lambda name: worth[name])] if types else None


def _count(units: Sequence[Unit]) -> int:
    return sum(unit.troop_count for unit in units) or sum(len(unit.commanders) for unit in units)


def works(place: Location, state: Province) -> list[tuple[str, float]]:
    """(symbol, width) of the town, walls and anchor of a province and of the fires in it (X6)."""
    row: list[tuple[str, float]] = []
    if place.city:
        row.append(("capital", 26) if place.capital_of else ("city", 21))
    if state.fortification:
        broken = "b" if state.fortification_damage else ""
        row.append((f"fort{state.effective_fortification}{broken}", 19))
    if state.harbour:
        row.append(("harbour", 19))
    return row + [("damage", 12)] * state.damage


# -- tooltips ----------------------------------------------------------------------------------------------------------


def _name(world: World, code: str) -> str:
    return "independents" if code == INDEPENDENTS else world.realms[code].name


def place_details(atlas: Atlas, world: World, rules: Rules, place: Location, *, troops: bool) -> str:
    """Everything that anybody may know of a province or sea, in lines."""
    land = world.provinces.get(place.name)
    lines = (
        [f"{place.name}: {_name(world, land.owner)}", *_province(world, rules, place, land)] if land else [place.name]
    )
    for other in atlas.graph.neighbours(place.name):
        barrier = atlas.graph.barrier(place.name, other)
        if barrier is not None:
            lines.append(f"{barrier.value} towards {other}")
    return "\n".join([*lines, *(unit_lines(world, world.at(place.name)) if troops else ())])


def unit_lines(world: World, units: Sequence[Unit]) -> list[str]:
    """One line for each unit that is not empty: whose, which, with whom."""
    lines = []
    for unit in units:
        fleet = world.units.get(unit.aboard) if unit.aboard else None
        named = f" {unit.name}" if unit.name else ""
        aboard = f" aboard {_name(world, fleet.realm)} {fleet.id}" if fleet else ""
        inside = [f"{sum(ranks)} {name}" for name, ranks in unit.troops.items()]
        inside += [f"{commander.name} (commander)" for commander in unit.commanders]
        if inside:
            lines.append(f"{_name(world, unit.realm)} {unit.id}{named}{aboard}: {', '.join(inside)}")
    return lines


def _province(world: World, rules: Rules, place: Location, state: Province) -> Iterator[str]:
    if place.capital_of:
        yield f"capital of {_name(world, place.capital_of)}"
    if place.city:
        yield f"city {place.city.name}: {place.city.resource} troops a turn of {', '.join(place.city.recruits)}"
    damage = f", damage {state.damage}" if state.damage else ""
    areas = f", production areas {state.production_areas} of {place.production_limit}" if place.production_limit else ""
    yield f"base revenue {place.revenue}{damage}{areas}"
    level = rules.fortification(state.fortification)
    if level:
        broken = f", damage {state.fortification_damage}" if state.fortification_damage else ""
        yield f"fortification {state.fortification}, {level.name}{broken}"
    if state.harbour:
        yield "harbour"
    if state.annexed_to and state.annexed_to != state.owner:
        yield f"annexed to {_name(world, state.annexed_to)}"
    elif state.annexed_to is None and state.owner != INDEPENDENTS:
        yield "not annexed"
    if state.permissions:
        yield f"special permission: {', '.join(_name(world, code) for code in sorted(state.permissions))}"
