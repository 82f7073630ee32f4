"""Where other realms could come in a turn: to attack, take or pillage (M4, M8, M9, M14).

The orders of others are unknown. So each of them may declare war (F1) or keep the peace, and every realm that
they are not at war with may let them through (P1); the rules of marching and sailing say what they may enter
then and at what cost. The estimate is rather too wide than too narrow: a fleet that can carry armies is
assumed to find them, if there can be any at its coasts.
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import Unit, World, pair
from gm.games.medieval.state.strength import has_fighters, ships, storage
from gm.games.medieval.steps.movement import march_cost

Start = tuple[str, int]
"""The place of units, and how many marches or seas they go at most."""


class Exposure(Record):
    """The realm's places that others could reach, and the keys of the units that could come there."""

    places: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()


class Threats:
    """The places that each unit of a world could at most reach in a turn, computed once for all realms."""

    def __init__(self, world: World, rules: Rules, atlas: Atlas) -> None:
        """Find the reach of all units of the world."""
        self.world = world
        self.rules = rules
        self.atlas = atlas
        self.armies: dict[Start, list[Unit]] = {}  # armies and garrisons with soldiers or commanders
        self.fleets: dict[Start, list[Unit]] = {}  # units with ships
        self.marching: dict[str, list[Start]] = {}  # by place: the starts of armies that could march there
        self.sailing: dict[str, list[Start]] = {}  # by sea or coast: those of fleets that could come
        # by place: the codes of the realms whose soldiers a fleet could find there
        self._soldiers: dict[str, set[str]] = {}
        # computed once, by the realm's code; exposures also by the places asked for
        self._peaceful: dict[str, World] = {}
        self._entry_costs: dict[str, EntryCosts] = {}
        self._exposures: dict[tuple[str, frozenset[str]], Exposure] = {}
        units = chain.from_iterable(
            world.of_realm(code) for code, realm in world.realms.items() if not realm.defeated
        )
        for unit in units:
            if has_fighters(unit, rules):
                marches = 0 if unit.aboard else self.marches(unit)  # aboard it goes where its fleet goes
                self.armies.setdefault((unit.place, marches), []).append(unit)
            if ships(unit, rules):
                self.fleets.setdefault((unit.place, self.moves(unit)), []).append(unit)
        for start in self.armies:
            self._add_by_land(start)
        for start in self.fleets:
            self._add_by_sea(start)

    def exposure(self, realm: str, also: Iterable[str] = ()) -> Exposure:
        """Return which places of the realm others could reach this turn.

        They are its provinces, the places of its units, and the places ``also``.
        """
        own_places = {land.name for land in self.world.owned_by(realm)}
        aims = frozenset(own_places.union((unit.place for unit in self.world.of_realm(realm)), also))
        if (realm, aims) not in self._exposures:
            self._exposures[realm, aims] = _Reach(self, realm, aims).exposure()
        return self._exposures[realm, aims]

    def finds_soldiers(self, realm: str, places: Iterable[str]) -> bool:
        """Return whether soldiers of another realm can be at one of these places (M3)."""
        nobody = set[str]()
        return any(self._soldiers.get(place, nobody) - {realm} for place in places)

    def marches(self, unit: Unit) -> int:
        """Return the move-points of a unit's fastest soldiers, or of commanders alone."""
        soldiers = [self.rules.troops[name] for name in unit.troops if not self.rules.troops[name].ship]
        return max(
            (troop.move_points for troop in soldiers), default=self.rules.movement.commanders_move_points
        )

    def moves(self, unit: Unit) -> int:
        """Return the number of seas that the fastest ships of a unit could sail."""
        troops = (self.rules.troops[name] for name in unit.troops)
        points = max(troop.move_points for troop in troops if troop.ship)
        cost = self.rules.movement.sail
        return points // cost if cost else len(self.atlas.seas)

    def peaceful(self, realm: str) -> World:
        """Return the world in which all realms that this one is not at war with let it through (P1)."""
        world = self.world
        if realm not in self._peaceful:
            friendly = (
                seat.evolve(passage=seat.passage | {realm})
                for code, seat in world.realms.items()
                if code != realm and not world.at_war(realm, code)
            )
            self._peaceful[realm] = world.with_realms(*friendly)
        return self._peaceful[realm]

    def entry_costs(self, realm: str) -> "EntryCosts":
        """Return the move-points that each province costs a realm in its peaceful world."""
        if realm not in self._entry_costs:
            self._entry_costs[realm] = EntryCosts(self.peaceful(realm), self.rules, realm)
        return self._entry_costs[realm]

    def _add_by_land(self, start: Start) -> None:
        """Record the places that armies could march to from a start, if each march cost one move-point."""
        ashore = {unit.realm for unit in self.armies[start] if not unit.aboard}
        for place in self.atlas.around(*start):
            self.marching.setdefault(place, []).append(start)
            self._soldiers.setdefault(place, set()).update(ashore)

    def _add_by_sea(self, start: Start) -> None:
        """Record the seas and coasts that fleets could reach from a start."""
        seas = self.atlas.seas_around(*start)
        for place in {*seas, *self.atlas.coasts(seas)}:
            self.sailing.setdefault(place, []).append(start)


class EntryCosts(dict[str, int | None]):
    """The move-points that each province costs a realm in a world (P4); None where it may not enter.

    Each is worked out when it is first asked for.
    """

    def __init__(self, world: World, rules: Rules, realm: str) -> None:
        super().__init__()
        self._world = world
        self._rules = rules
        self._realm = realm

    def __missing__(self, province: str) -> int | None:
        is_open = _may_enter(self._world, self._realm, province)
        self[province] = march_cost(self._world, self._rules, self._realm, province) if is_open else None
        return self[province]


class _Reach:
    """The reach of others: which of a realm's ``aims``, the places that it cares about, they could get to."""

    def __init__(self, threats: Threats, realm: str, aims: frozenset[str]) -> None:
        """Begin with nothing reached. ``aims``: the names of the places that ``realm`` cares about."""
        self._threats = threats
        self._world = threats.world
        self._atlas = threats.atlas
        self._realm = realm
        self._aims = aims
        # by province among the aims: the seas on its open coasts
        self._shores = {
            place: frozenset(self._atlas.by_sea[place]) for place in aims if not self._atlas.is_sea(place)
        }
        self._places: set[str] = set()  # aims that were reached
        self._units: set[str] = set()  # keys of the units that reached them
        self._worlds: dict[str, tuple[World, ...]] = {}  # see ``_possible_worlds``; by another realm's code
        own_lands = threats.world.owned_by(realm)
        self._own_lands = {land.name for land in own_lands}
        # the codes of realms that may enter some of these provinces at peace (F3, F4)
        self._guests = threats.world.realms[realm].passage.union(*(land.permissions for land in own_lands))
        self._own_costs: dict[str, list[EntryCosts]] = {}  # see ``_costs_of_own``; by another realm's code
        # by realm, place and move-points: the provinces that such a unit could reach in any possible world
        self._reached: dict[tuple[str, str, int], set[str]] = {}
        self._loading: dict[str, bool] = {}  # by sea or port: whether a fleet could find soldiers there

    def exposure(self) -> Exposure:
        """Return the aims that others can reach, and the keys of their units that can."""
        threats = self._threats
        for unit in self._units_near_aims(threats.marching, threats.armies):
            self._by_land(unit)
        for unit in self._units_near_aims(threats.sailing, threats.fleets):
            self._by_sea(unit)
        return Exposure(frozenset(self._places), frozenset(self._units))

    def _units_near_aims(
        self, starts_of: Mapping[str, Sequence[Start]], units_of: Mapping[Start, list[Unit]]
    ) -> list[Unit]:
        """Return the other realms' units that could come to one of the aims, each once.

        ``starts_of``: by place, from where units could come there; ``units_of``: the units by their start.
        """
        starts = set(chain.from_iterable(starts_of.get(place, ()) for place in self._aims))
        units = chain.from_iterable(map(units_of.__getitem__, starts))
        return [unit for unit in units if unit.realm != self._realm]

    def _possible_worlds(self, other: str) -> tuple[World, ...]:
        """Return the worlds that another realm may bring about: peace, and war if that is allowed (F1)."""
        if other not in self._worlds:
            self._worlds[other] = self._worlds_with(other)
        return self._worlds[other]

    def _worlds_with(self, other: str) -> tuple[World, ...]:
        """Return the world of peace with another realm and, if it may declare war (F1), the world of war.

        If the two are at war already, the only world has that war.
        """
        world = self._world
        realm = self._realm
        # third realms without a war against the other one let it through, this realm only if it has said so
        peace = self._threats.peaceful(other).with_realms(world.realms[realm])
        if world.at_war(other, realm) or world.allied(other, realm):
            return (peace,)
        return peace, peace.evolve(wars=peace.wars | {pair(other, realm)})

    def _costs_of_own(self, other: str) -> list[EntryCosts]:
        """Return the move-points that another realm needs to enter provinces, in each world that counts.

        Only those of this realm's own provinces differ between possible worlds.
        """
        if other not in self._own_costs:
            rules = self._threats.rules
            worlds = self._possible_worlds(other)
            if other not in self._guests:
                # at peace it may enter none of this realm's provinces, and reaches nothing more than at war
                worlds = worlds[-1:]
            self._own_costs[other] = [EntryCosts(world, rules, other) for world in worlds]
        return self._own_costs[other]

    def _by_land(self, unit: Unit) -> None:
        """Record the aims that the fastest soldiers of a unit could march to; aboard they stay there."""
        if unit.aboard:
            self._record_reach(unit, [unit.place])
            return
        start = (unit.realm, unit.place, self._threats.marches(unit))
        if start not in self._reached:
            reached = [
                self._provinces_within(*start, own_costs) for own_costs in self._costs_of_own(unit.realm)
            ]
            self._reached[start] = set[str]().union(*reached)
        self._record_reach(unit, self._reached[start])

    def _provinces_within(self, realm: str, start: str, points: int, own_costs: EntryCosts) -> set[str]:
        """Return the provinces that soldiers of a realm can march to from ``start``, which is one of them.

        ``points``: their move-points; ``own_costs``: what the provinces of the threatened realm cost them.
        All others cost what they do in the marching realm's peaceful world.
        """
        usual_costs = self._threats.entry_costs(realm)
        reached: set[str] = set()
        waiting: list[tuple[int, str]] = [(0, start)]
        while waiting:
            used, place = heappop(waiting)
            if place in reached:
                continue
            reached.add(place)
            for other in self._atlas.by_land.get(place, ()):
                if other in reached:
                    continue
                cost = own_costs[other] if other in self._own_lands else usual_costs[other]
                if cost is not None and used + cost <= points:
                    heappush(waiting, (used + cost, other))
        return reached

    def _by_sea(self, unit: Unit) -> None:
        """Record the seas that a fleet could sail, and the coasts where it could land armies.

        Of an ally's fleet only the coasts count. A garrison's ships count as a fleet.
        """
        seas = self._atlas.seas_around(unit.place, self._threats.moves(unit))
        # an ally cannot declare war (F1): its fleet does not threaten this realm at sea
        if not self._world.allied(unit.realm, self._realm):
            self._record_reach(unit, seas)
        landing = set(seas) if self._world.cargo(unit.key) else self._seas_with_soldiers(unit, seas)
        shores = (place for place, seas_near in self._shores.items() if not seas_near.isdisjoint(landing))
        self._record_reach(unit, (place for place in shores if self._may_land(unit.realm, place)))

    def _seas_with_soldiers(self, unit: Unit, seas: Mapping[str, int]) -> set[str]:
        """Return the seas that a fleet could reach with soldiers that it loads on its way (M3).

        ``seas``: those that it could sail to, with the number of sails to each.
        """
        landings: set[str] = set()
        if not storage(unit, self._threats.rules):
            return landings
        moves = self._threats.moves(unit)
        for start, used in ({unit.place: 0} | dict(seas)).items():
            if start not in self._loading:
                shores = self._atlas.shores.get(start, (start,))
                self._loading[start] = self._threats.finds_soldiers(self._realm, shores)
            if self._loading[start]:
                landings.update(self._atlas.seas_around(start, moves - used))
            if len(landings) == len(seas):
                break  # it gets to no other seas
        return landings

    def _may_land(self, realm: str, place: str) -> bool:
        """Return whether another realm may enter a province in any of the worlds that are possible for it."""
        return any(_may_enter(world, realm, place) for world in self._possible_worlds(realm))

    def _record_reach(self, unit: Unit, places: Iterable[str]) -> None:
        """Record that a unit could come to those of these places that are aims."""
        reached = self._aims.intersection(places)
        if reached:
            self._places |= reached
            self._units.add(unit.key)


def _may_enter(world: World, realm: str, place: str) -> bool:
    """Return whether a realm's armies may enter a province, with permission or as enemies."""
    return world.has_permission(realm, place) or world.is_enemy_land(realm, place)
