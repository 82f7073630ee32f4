"""The part of the map that a realm's plans can affect, as a map and a position of their own.

A trial there costs a fraction of a turn of the whole map.
"""

from collections.abc import Collection, Iterable
from itertools import chain

from gm.game.values import GameData, View
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.state import INDEPENDENTS, Province, World

SMALL = 60  # A map of so many places is looked at whole: a part would save little, and mislead


def within(view: View, steps: int) -> View:
    """Return the realm's view of the places within ``steps`` of its lands and units, seas counted as places.

    Realms without anything there are left out, unless they are at war or allied with the realm. Victory (V1)
    takes about as many cities as on the whole map. A small map is returned whole, as the same view.
    """
    world = view.state
    atlas = view.table.board
    near = _around(atlas, _own_places(world, view.realm), steps)
    if len(near) == len(atlas.locations) or len(atlas.locations) <= SMALL:
        return view
    lands = {name: land for name, land in world.provinces.items() if name in near}
    units = {key: unit for key, unit in world.units.items() if unit.place in near}
    realms_present = {unit.realm for unit in units.values()} | {view.realm}
    codes = (realms_present | _owners(lands.values()) | _related(world, view.realm)) - {INDEPENDENTS}
    realms_kept = (realm for code, realm in world.realms.items() if code in codes)
    visible_world = world.evolve(
        realms={
            seat.code: seat.evolve(refuses=seat.refuses & codes, passage=seat.passage & codes)
            for seat in realms_kept
        },
        provinces=lands,
        units=units,
        wars=frozenset(war for war in world.wars if codes.issuperset(war)),
        alliances=frozenset(alliance for alliance in world.alliances if codes.issuperset(alliance)),
        victory_turns={},
    )
    part = _part(atlas, near)
    victory = view.table.rules.victory
    percent_of_part = victory.cities_percent * len(atlas.cities) // max(1, len(part.cities))
    rules = view.table.rules.evolve(victory=victory.evolve(cities_percent=percent_of_part))
    return view.evolve(state=visible_world, table=GameData(rules, part))


def _owners(lands: Iterable[Province]) -> set[str]:
    """Return the codes of those who own these provinces, have annexed them or have permissions there.

    The code of the independents may be among them.
    """
    codes: set[str] = set()
    for land in lands:
        codes |= {land.owner, land.annexed_to or INDEPENDENTS} | land.permissions
    return codes


def _related(world: World, realm: str) -> set[str]:
    """Return the codes of the realms at war or allied with a realm, and its own code if there are any."""
    relations = (relation for relation in (*world.wars, *world.alliances) if realm in relation)
    return set(chain.from_iterable(relations))


def _own_places(world: World, realm: str) -> set[str]:
    """Return the places of a realm's lands and units."""
    return {land.name for land in world.owned_by(realm)} | {unit.place for unit in world.of_realm(realm)}


def _around(atlas: Atlas, places: set[str], steps: int) -> set[str]:
    """Return these places and all within so many steps of them, over open borders."""
    for _ in range(steps):
        places = places.union(*map(atlas.open_neighbours, places))
    return places


def _part(atlas: Atlas, near: Collection[str]) -> Atlas:
    """Return the map of these places alone, with the borders between them."""
    return atlas.evolve(
        locations={name: place for name, place in atlas.locations.items() if name in near},
        borders=tuple(border for border in atlas.borders if border.a in near and border.b in near),
    )
