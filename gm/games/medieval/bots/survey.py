"""The figures of a position that every bot needs, and the force of troops: blows and staying power.

A survey depends neither on whose orders are written nor on treasuries: the bots of one turn share it. By
Lanchester's square law (*the square law* in all bots' modules) the side with the greater product of blows and
staying power is likely to win.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import chain
from math import sqrt

from gm.core.values import Record, cached_per_context
from gm.game.values import GameData
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import CommanderRules, FortificationLevel, Rules, TroopClass, TroopType
from gm.games.medieval.standings import public_state
from gm.games.medieval.state import INDEPENDENTS, Unit, World
from gm.games.medieval.state.strength import has_fighters
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.realms import count_cities, largest_alliances

UNSHELTERED = frozenset({TroopClass.SIEGE, TroopClass.TRANSPORT, TroopClass.WARSHIP})
NEAR = 2  # realms with provinces at most so many marches apart are neighbours

# the parts of a province's worth
TURNS = 2.0  # its gold of so many turns
CITY = 20.0
RESOURCE = 3.0  # for each troop that its city recruits in a turn
WALL = 2.0  # for each level of its walls
HARBOUR = 4.0


class Force(Record):
    """The strength of some troops."""

    blows: float = 0.0  # expected hits in a round
    stand: float = 0.0  # staying power: hit points
    heads: int = 0  # the number of troops and commanders
    combat: int = 0  # total combat (X1)

    def __add__(self, other: "Force") -> "Force":
        return Force(
            self.blows + other.blows,
            self.stand + other.stand,
            self.heads + other.heads,
            self.combat + other.combat,
        )

    @property
    def power(self) -> float:
        """The strength as one number: twice the troops have twice the power."""
        return sqrt(self.blows * self.stand)


NOBODY = Force()


def edge(ours: Force, theirs: Force) -> float:
    """Return the ratio of our strength to theirs by the square law.

    It is 1 for an even fight, and infinite against a force without strength.
    """
    their_strength = theirs.blows * theirs.stand
    return ours.blows * ours.stand / their_strength if their_strength else float("inf")


def summed(forces: Iterable[Force]) -> Force:
    """Return the sum of forces."""
    return sum(forces, NOBODY)


def troop_force(row: TroopType | CommanderRules, count: int = 1) -> Force:
    """Return the force of ``count`` troops of a type, or of commanders, in the open."""
    combat = row.attacks * row.combat
    return Force(combat / 100 * count, float(row.hit_points) * count, count, combat * count)


def in_the_open(troops: Iterable[tuple[TroopType, int]], commanders: int, rules: Rules) -> Force:
    """Return the force in the open of ``troops``, (type, count) of each, and of so many ``commanders``."""
    blows = stand = 0.0
    heads = combat = 0
    everybody: list[tuple[TroopType | CommanderRules, int]] = [*troops, (rules.commanders, commanders)]
    for row, count in everybody:
        strike = row.attacks * row.combat
        blows += strike / 100 * count
        stand += float(row.hit_points) * count
        heads += count
        combat += strike * count
    return Force(blows, stand, heads, combat)


@cached_per_context
def force_of(unit: Unit, rules: Rules) -> Force:
    """Return the force of a unit's soldiers and commanders in the open; its ships do not count (M12)."""
    rows = ((rules.troops[name], count) for name, count in unit.counts().items())
    return in_the_open([row for row in rows if not row[0].ship], len(unit.commanders), rules)


def behind_walls(units: Iterable[Unit], level: int, rules: Rules) -> Force:
    """Return the force of defenders behind walls of this level.

    As many of them as the walls' barracks hold fight better (B5.1, B8).
    """
    all_units = list(units)
    total = summed(force_of(unit, rules) for unit in all_units)
    walls = rules.fortification(level)
    ranks_by_name = chain.from_iterable(unit.troops.items() for unit in all_units)
    troops = [(rules.troops[name], sum(ranks)) for name, ranks in ranks_by_name]
    return total + gain_of_walls(troops, walls) if walls else total


def gain_of_walls(troops: Iterable[tuple[TroopType, int]], walls: FortificationLevel) -> Force:
    """Return the force that a fortification adds to defenders, (type, count) of each.

    Its barracks take in the strongest of them.
    """
    room = walls.barracks
    blows = stand = 0.0
    for troop, count in sorted(troops, key=lambda entry: -entry[0].total_combat):
        if troop.kind in UNSHELTERED or room <= 0:
            continue
        inside = min(count, room)
        room -= inside
        mounted = troop.kind is TroopClass.MOUNTED
        percent = walls.mounted_combat if mounted else walls.foot_combat
        blows += inside * troop.attacks * troop.combat / 100 * percent / 100
        stand += inside * float(walls.mounted_hit_points if mounted else walls.foot_hit_points)
    return Force(blows, stand)


class Survey:
    """The figures of a public position: ``world`` shows no treasury."""

    def __init__(self, world: World, table: GameData) -> None:
        """Prepare for a position; figures are computed at their first use."""
        self.world = world
        self.rules: Rules = table.rules
        self.atlas: Atlas = table.board
        self.by_land, self.shores, self.by_sea = self.atlas.by_land, self.atlas.shores, self.atlas.by_sea
        self.around = self.atlas.around
        # computed once
        self._forces: dict[str, Force] = {}  # by the unit's key
        self._fighters: dict[str, tuple[Unit, ...]] = {}  # by place
        self._defences: dict[tuple[object, ...], Force] = {}  # by place, breached levels and units' keys
        self._near: dict[tuple[str, int], list[tuple[str, float, int]]] = {}  # by place and steps

    def force(self, unit: Unit) -> Force:
        """Return the force of a unit of this position in the open, or of a fleet in a sea battle."""
        force = self._forces.get(unit.key)
        if force is None:
            force = self._sailing(unit) if unit.is_fleet else force_of(unit, self.rules)
            self._forces[unit.key] = force
        return force

    def _sailing(self, fleet: Unit) -> Force:
        """Return the force of a fleet's ships."""
        rows = ((self.rules.troops[name], count) for name, count in fleet.counts().items())
        return in_the_open([row for row in rows if row[0].ship], 0, self.rules)

    def defence(self, place: str, units: Iterable[Unit], breached: int = 0) -> Force:
        """Return the force of these units as defenders of a province, behind what is left of its walls.

        ``breached``: levels that siege machines are expected to break (B2).
        """
        level = max(0, self.world.provinces[place].effective_fortification - breached)
        return behind_walls(units, level, self.rules) if level else summed(map(self.force, units))

    def defence_of(self, place: str, units: Iterable[Unit], breached: int = 0) -> Force:
        """Return :meth:`defence` of units as they are in this position; the result is cached."""
        present_units = tuple(units)
        cache_key = (place, breached, *[unit.key for unit in present_units])
        force = self._defences.get(cache_key)
        if force is None:
            force = self._defences[cache_key] = self.defence(place, present_units, breached)
        return force

    def fighters(self, place: str) -> tuple[Unit, ...]:
        """Return the armies and garrisons at a place with soldiers or commanders in them."""
        units = self._fighters.get(place)
        if units is None:
            units = tuple([unit for unit in self.world.at(place) if has_fighters(unit, self.rules)])
            self._fighters[place] = units
        return units

    @cached_property
    def intruders(self) -> Mapping[str, frozenset[str]]:
        """By province: the codes of realms with soldiers or commanders there, to whom it is enemy land."""
        realms_at: defaultdict[str, set[str]] = defaultdict(set)
        for unit in self.world.units.values():
            on_land = unit.realm != INDEPENDENTS and unit.place in self.by_land
            if (
                on_land
                and self.world.is_enemy_land(unit.realm, unit.place)
                and has_fighters(unit, self.rules)
            ):
                realms_at[unit.place].add(unit.realm)
        return {place: frozenset(codes) for place, codes in realms_at.items()}

    @cached_property
    def power(self) -> Mapping[str, float]:
        """By code: the power of each realm's soldiers on land."""
        return {code: self._power_on_land(code) for code in self.world.realms}

    def _power_on_land(self, code: str) -> float:
        """Return the power of a realm's armies and garrisons, unit by unit."""
        return sum(self.force(unit).power for unit in self.world.of_realm(code) if not unit.is_fleet)

    @cached_property
    def realm_forces(self) -> Mapping[str, Mapping[str, Force]]:
        """By place on land and the realm's code: the force of the realm's armies and garrisons there."""
        forces_at: defaultdict[str, dict[str, Force]] = defaultdict(dict)
        for unit in self.world.units.values():
            if not unit.is_fleet and not unit.empty and unit.place in self.by_land:
                forces = forces_at[unit.place]
                force = self.force(unit)
                forces[unit.realm] = forces[unit.realm] + force if unit.realm in forces else force
        return forces_at

    def near(self, place: str, steps: int) -> list[tuple[str, float, int]]:
        """Return (realm's code, power, marches away) of soldiers within so many steps, the nearest first.

        Those at the place itself count as one march away.
        """
        forces = self._near.get((place, steps))
        if forces is None:
            forces = self._near[place, steps] = []
            for other, away in self.around(place, steps).items():
                force_of_place = self.realm_forces.get(other, {})
                forces += [(code, force.power, max(1, away)) for code, force in force_of_place.items()]
        return forces

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """By code: the codes of the realms with land within ``NEAR`` marches of a realm's land."""
        owners = {name: land.owner for name, land in self.world.provinces.items()}
        neighbours_of: defaultdict[str, set[str]] = defaultdict(set)
        for name, owner in owners.items():
            if owner != INDEPENDENTS:
                for other in {owners[near] for near in self.around(name, NEAR)}:
                    neighbours_of[owner].add(other)
                    neighbours_of[other].add(owner)
        return {code: tuple(sorted(neighbours_of[code] - {code, INDEPENDENTS})) for code in self.world.realms}

    def borders(self, realm: str) -> tuple[str, ...]:
        """Return the provinces of others next to a realm's own over open borders, in map order."""
        own_lands = {land.name for land in self.world.owned_by(realm)}
        touched = set(chain.from_iterable(self.by_land[name] for name in own_lands)) - own_lands
        return tuple(name for name in self.atlas.provinces if name in touched)

    @cached_property
    def victory_shares(self) -> Mapping[frozenset[str], int]:
        """By set of realms all allied with each other: their percentage of the cities that win (V1).

        Only the largest such sets; a realm without allies is a set of its own.
        """
        living = frozenset(code for code, realm in self.world.realms.items() if not realm.defeated)
        owners = {name: land.owner for name, land in self.world.provinces.items()}
        count = count_cities(owners, self.world.alliances, self.atlas)
        needed = max(1, count.total * self.rules.victory.cities_percent)  # in hundredths of a city
        sets = largest_alliances(living, self.world.alliances)
        # percent of hundredths of a city
        return {bloc: 100 * 100 * count.count(bloc) // needed for bloc in sets}

    def within_reach(self, realm: str, *, overseas: bool) -> list[str]:
        """Return the codes of the realms near a realm; ``overseas``: also those on shores of its seas."""
        realms = set(self.neighbours[realm])
        if overseas:
            for shore in self.shores.values():
                owners = {self.world.provinces[name].owner for name in shore}
                if realm in owners:
                    realms |= owners
        return sorted(realms - {realm, INDEPENDENTS})

    @cached_property
    def value(self) -> Mapping[str, float]:
        """By place: the worth of owning a province: gold of a few turns, its city, walls and harbour."""
        value_of = {}
        for name, land in self.world.provinces.items():
            gold = float(province_revenue(land, self.atlas, self.rules))
            city = self.atlas.city(name)
            town = CITY + RESOURCE * city.resource if city is not None else 0
            value_of[name] = (
                TURNS * gold + town + WALL * land.effective_fortification + HARBOUR * land.harbour
            )
        return value_of


def ways_from(
    start: str, steps: int, near: Mapping[str, tuple[str, ...]], may_enter: Callable[[str], bool]
) -> dict[str, tuple[str, ...]]:
    """Return the shortest way to each place within so many steps of a start, which itself has an empty way.

    ``near``: the neighbours of each place; only places that one ``may_enter`` are on a way.
    """
    ways: dict[str, tuple[str, ...]] = {start: ()}
    waiting = [start]
    for place in waiting:
        if len(ways[place]) < steps:
            for other in near[place]:
                if other not in ways and may_enter(other):
                    ways[other] = (*ways[place], other)
                    waiting.append(other)
    return ways


_last_surveys: list[tuple[tuple[object, ...], Survey]] = []
"""The last two surveys, each with the parts of the position that it was made of."""


def survey_of(world: World, table: GameData) -> Survey:
    """Return the survey of a position, cached for the last two; equal positions give equal surveys."""
    parts = (world.units, world.provinces, world.wars, world.alliances, table.rules, table.board)
    # the parts of equal positions are the same objects; only relations, made anew for each view, are compared
    for earlier_parts, survey in _last_surveys:
        if all(
            a is b or (isinstance(a, frozenset) and a == b) for a, b in zip(earlier_parts, parts, strict=True)
        ):
            return survey
    # a survey is shared by realms: it must not tell one realm's treasury to another
    new_survey = Survey(public_state(world, ""), table)
    _last_surveys[:] = [(parts, new_survey), *_last_surveys][:2]
    return new_survey
