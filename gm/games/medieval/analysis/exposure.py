"""Where others could come to in a turn: who could attack, take or pillage what a realm has (M4, M8, M9, M14).

Nobody knows what others will order. So each of them may declare war (F1) or keep the peace, and whoever he is not at
war with may let him through (P1): what he then may enter and what it costs him, the rules of marching and sailing tell.
It reaches rather too far than not far enough: whoever can carry armies is thought to find them, if any can be at his
coast.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heappop, heappush

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import Unit, World, pair
from gm.games.medieval.state.strength import has_fighters, ships, storage
from gm.games.medieval.steps.movement import march_cost, why_no_way

Costs = Callable[[str, str], int | None]
"""What it costs to go from one place to the next; none: there is no way."""


class Exposure(Record):
    """``places``: where others could come to that the realm cannot keep out; ``units``: theirs who could, by key."""

    places: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()


def exposure(world: World, realm: str, rules: Rules, atlas: Atlas, also: Iterable[str] = ()) -> Exposure:
    """Return what others could reach in this turn of all places where the realm owns the land or has a unit, and
    ``also`` of these.
    """
    return _Reach(world, realm, rules, atlas, also).exposure()


class _Reach:
    def __init__(self, world: World, realm: str, rules: Rules, atlas: Atlas, also: Iterable[str]) -> None:
        self._world = world
        self._realm = realm
        self._rules = rules
        self._atlas = atlas
        self._places: set[str] = set()
        self._units: set[str] = set()
        self._ashore: set[str] = set()  # where anybody's soldiers can be whom a fleet could take aboard
        self._others = [code for code, other in sorted(world.realms.items()) if code != realm and not other.defeated]
        self._worlds: dict[str, tuple[World, ...]] = {}
        own = {land.name for land in world.owned_by(realm)}
        self._aims = own | {unit.place for unit in world.of_realm(realm)} | {*also}

    def exposure(self) -> Exposure:
        units = [unit for code in self._others for unit in self._world.of_realm(code)]
        for unit in units:
            self._by_land(unit)
        for unit in units:
            self._by_sea(unit)
        return Exposure(frozenset(self._places), frozenset(self._units))

    def _possible(self, other: str) -> tuple[World, ...]:
        """Return the world as this realm could have it: at peace with ours, and at war if it can declare it (F1)."""
        if other not in self._worlds:
            self._worlds[other] = self._found_possible(other)
        return self._worlds[other]

    def _found_possible(self, other: str) -> tuple[World, ...]:
        world = self._world
        realm = self._realm
        friendly = (
            each.evolve(passage=each.passage | {other})
            for code, each in world.realms.items()
            if code not in (other, realm) and not world.at_war(other, code)
        )
        peace = world.with_realms(*friendly)
        if world.at_war(other, realm) or world.allied(other, realm):
            return (peace,)
        return peace, peace.evolve(wars=peace.wars | {pair(other, realm)})

    def _by_land(self, unit: Unit) -> None:
        """Where the fastest soldiers of a unit could march."""
        if not has_fighters(unit, self._rules):
            return
        if unit.aboard:
            self._came(unit, [unit.place])
            return
        soldiers = [self._rules.troops[name] for name in unit.troops if not self._rules.troops[name].ship]
        points = max((troop.move_points for troop in soldiers), default=self._rules.movement.commanders_move_points)
        near = self._atlas.around(unit.place, points)
        self._ashore |= near.keys()
        if self._aims.isdisjoint(near):
            return
        for world in self._possible(unit.realm):
            reached = _within(unit.place, points, self._atlas.by_land, self._marching(world, unit.realm))
            self._came(unit, reached)

    def _marching(self, world: World, realm: str) -> Costs:
        def cost(place: str, other: str) -> int | None:
            if not (world.has_permission(realm, other) or world.is_enemy_land(realm, other)):
                return None
            return None if why_no_way(self._atlas, place, other) else march_cost(world, self._rules, realm, other)

        return cost

    def _by_sea(self, unit: Unit) -> None:
        """Which seas a fleet could sail, and the coasts where it could put armies ashore; a garrison's ships too."""
        if not ships(unit, self._rules):
            return
        kinds = (self._rules.troops[name] for name in unit.troops)
        points = max(troop.move_points for troop in kinds if troop.ship)
        seas = self._seas(unit.place, points)
        if not self._world.allied(unit.realm, self._realm):
            self._came(unit, seas)
        landing = dict(seas) if self._world.cargo(unit.key) else self._laden(unit, points, seas)
        shores = {place for sea in landing for place in self._atlas.shores.get(sea, ())}
        self._came(unit, (place for place in shores & self._aims if self._may_land(unit.realm, place)))

    def _laden(self, unit: Unit, points: int, seas: Mapping[str, int]) -> set[str]:
        """Return the seas where the fleet could be with soldiers aboard that it finds on its way (M3)."""
        if not storage(unit, self._rules):
            return set()
        found: set[str] = set()
        for start, used in ({unit.place: 0} | dict(seas)).items():
            near = self._atlas.shores.get(start, (start,))
            if not self._ashore.isdisjoint(near):
                found |= self._seas(start, points - used).keys()
        return found

    def _seas(self, start: str, points: int) -> dict[str, int]:
        reached = _within(start, points, self._atlas.by_sea, lambda place, other: self._rules.movement.sail)
        return {place: used for place, used in reached.items() if self._atlas.is_sea(place)}

    def _may_land(self, realm: str, place: str) -> bool:
        worlds = self._possible(realm)
        return any(each.has_permission(realm, place) or each.is_enemy_land(realm, place) for each in worlds)

    def _came(self, unit: Unit, places: Iterable[str]) -> None:
        met = self._aims.intersection(places)
        if met:
            self._places |= met
            self._units.add(unit.key)


def _within(start: str, points: int, near: Mapping[str, Iterable[str]], cost: Costs) -> dict[str, int]:
    """Return the places within so many move-points, with what is used then; the start uses none."""
    found: dict[str, int] = {}
    waiting: list[tuple[int, str]] = [(0, start)]
    while waiting:
        used, place = heappop(waiting)
        if place in found:
            continue
        found[place] = used
        for other, fee in _fees(place, near, cost):
            if other not in found and used + fee <= points:
                heappush(waiting, (used + fee, other))
    return found


def _fees(place: str, near: Mapping[str, Iterable[str]], cost: Costs) -> Iterator[tuple[str, int]]:
    for other in near.get(place, ()):
        fee = cost(place, other)
        if fee is not None:
            yield other, fee
