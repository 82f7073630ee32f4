"""What a place's tooltip says: everything that anybody may know of it (W8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gm.games.medieval.data.atlas import Atlas, Location
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import INDEPENDENTS, Province, Unit, World


def realm_name(world: World, code: str) -> str:
    """The realm's name; the independents have none of their own."""
    return "independents" if code == INDEPENDENTS else world.realms[code].name


def place_details(atlas: Atlas, world: World, rules: Rules, place: Location, *, troops: bool) -> str:
    """The lines about a province or sea."""
    lines = [place.name]
    if not place.sea:
        lines = [f"{place.name}: {realm_name(world, world.provinces[place.name].owner)}"]
        lines += _province(atlas, world, rules, place, world.provinces[place.name])
    lines += _closed_borders(atlas, place)
    if troops:
        lines += unit_lines(world, world.at(place.name))
    return "\n".join(lines)


def unit_lines(world: World, units: Iterable[Unit]) -> list[str]:
    """One line for each unit that is not empty: whose, which, with whom."""
    return [_unit(world, unit) for unit in units if not unit.empty]


def _province(atlas: Atlas, world: World, rules: Rules, place: Location, state: Province) -> Iterator[str]:
    if place.capital_of:
        yield f"capital of {realm_name(world, place.capital_of)}"
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
        yield f"annexed to {realm_name(world, state.annexed_to)}"
    elif state.annexed_to is None and state.owner != INDEPENDENTS:
        yield "not annexed"
    if state.permissions:
        yield f"special permission: {', '.join(realm_name(world, code) for code in sorted(state.permissions))}"


def _closed_borders(atlas: Atlas, place: Location) -> Iterator[str]:
    for other in atlas.graph.neighbours(place.name):
        barrier = atlas.graph.barrier(place.name, other)
        if barrier is not None:
            yield f"{barrier.value} towards {other}"


def _unit(world: World, unit: Unit) -> str:
    named = f" {unit.name}" if unit.name else ""
    fleet = world.units.get(unit.aboard) if unit.aboard else None
    aboard = f" aboard {realm_name(world, fleet.realm)} {fleet.id}" if fleet else ""
    inside = [f"{sum(ranks)} {name}" for name, ranks in unit.troops.items()]
    inside += [f"{commander.name} (commander)" for commander in unit.commanders]
    return f"{realm_name(world, unit.realm)} {unit.id}{named}{aboard}: {', '.join(inside)}"
