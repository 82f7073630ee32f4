"""The voyages of fleets: where they load armies, the seas that they sail, where they land (M3, M4, M8)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gm.games.medieval.bots.command import WADING
from gm.games.medieval.bots.groups import Group, Shares, shares_force
from gm.games.medieval.bots.offensive import ENOUGH_EDGE, Approach, Offensive
from gm.games.medieval.bots.sheet import UnitSheet
from gm.games.medieval.bots.survey import NOBODY, Force, edge, summed, troop_force
from gm.games.medieval.bots.waters import Waters
from gm.games.medieval.state import Unit, UnitKind
from gm.games.medieval.state.strength import pace, storage

SURE_LANDING = 100  # Total combat with which a landing cannot fail (M8)
QUESTIONS = 3  # Landings that are fought out on paper in a turn, at most
PLAIN_EDGE = 2.0  # With such a superiority hardly a landing fails on paper
FAR_SEAS = 8  # Seas that a fleet looks ahead for a way home


class Voyage(NamedTuple):
    """A fleet's way to a landing.

    ``unit``: the fleet, or the garrison whose ships form one; ``room``: how many troops can board; ``spare``:
    the move-points left to wait before the landing; ``out``, ``on``: the seas that it sails before and after
    it loads ``group``, which is None if the armies are aboard already.
    """

    unit: Unit
    room: int
    spare: int
    target: str
    out: tuple[str, ...]
    on: tuple[str, ...]
    group: Group | None = None

    @property
    def arrival(self) -> int:
        """The phase in which it lands: a fleet loads before it sails, and lands after that (M3, M4, M8)."""
        return len(self.out) + max(1, len(self.on))

    @property
    def sails(self) -> int:
        """The number of seas that it sails."""
        return len(self.out) + len(self.on)

    def holds(self, phase: int) -> int:
        """Return its holds for a landing in that phase; without a sail it unloads in the last hold (O6.1)."""
        loads = self.group is not None and not self.on
        return phase - self.sails - loads if phase > self.arrival else 0


Party = tuple[Voyage | Approach, Shares]  # Who goes, and with whom of the group
Taken = Mapping[tuple[str, str], int]  # By unit key and type, how many go with others


class Landings(Offensive):
    """The fleets of one turn."""

    questions = QUESTIONS
    certain = PLAIN_EDGE

    def order(self) -> None:
        """Order all landings that are worth it, the best first, and bring the other fleets home."""
        self._waters = Waters(self._command)
        self._targets: dict[str, list[str]] = {}
        self._crews: dict[tuple[str, int], Shares] = {}
        self._sent: set[str] = set()
        command = self._command
        fleets = list(filter(self._waters.is_reliable, command.world.of_realm(command.realm)))
        voyages_to: defaultdict[str, list[Voyage]] = defaultdict(list)
        for unit, fleet in (*((fleet, command.holds(fleet)) for fleet in fleets), *self._ships_in_port()):
            for voyage in self._voyages(unit, fleet):
                voyages_to[voyage.target].append(voyage)
        for target in sorted(voyages_to, key=lambda place: (-self.worth(place), place)):
            for phase in sorted({voyage.arrival for voyage in voyages_to[target]}):
                if chosen := self._enough(target, phase, voyages_to[target]):
                    self._send(target, phase, chosen)
                    break
        self._order_idle([fleet for fleet in fleets if fleet.key not in self._sent])

    def _order_idle(self, idle: Sequence[Unit]) -> None:
        """Let fleets without a landing gather for one, or bring them home."""
        gathering = self._gathering(idle) if idle else {}
        for fleet in idle:
            if fleet.key not in gathering:
                self._bring_home(fleet)
                continue
            for place in gathering[fleet.key]:
                self._command.sheet.unit(fleet.id, f"in {fleet.place}").then(
                    "sail", place, "to gather for a landing"
                )

    def _ships_in_port(self) -> Iterator[tuple[Unit, Unit]]:
        """Yield the garrisons whose transports could put to sea, each with the fleet that they would make."""
        command = self._command
        for garrison in command.garrisons:
            ships = self._ships(garrison)
            if (
                ships
                and command.atlas.city(garrison.place) is not None
                and self._waters.is_safe(garrison.place)
            ):
                troops = {name: (count, 0, 0, 0, 0) for name, count in ships.items()}
                fleet = Unit(
                    realm=command.realm, kind=UnitKind.FLEET, number=1, place=garrison.place, troops=troops
                )
                yield garrison, fleet

    def _ships(self, garrison: Unit) -> dict[str, int]:
        types = self._command.rules.troops
        return {name: count for name, count in garrison.counts().items() if types[name].ship}

    def _enough(self, target: str, phase: int, voyages: Sequence[Voyage]) -> list[Party]:
        """Return the voyages and marches to strike then: as few as surely win, else all; none if too few."""
        defence = self._defence(target)
        chosen_voyages: list[Party] = []
        armies: list[Unit] = []
        total = NOBODY
        taken_troops = Counter[tuple[str, str]]()
        for voyage in self._in_time(phase, voyages):
            if edge(total, defence) >= ENOUGH_EDGE and total.combat >= SURE_LANDING:
                break
            if _is_chosen(voyage.unit, chosen_voyages):
                continue
            shares = self._crew(voyage.group, voyage.room, taken_troops) if voyage.group else {}
            if shares or not voyage.group:
                _take(taken_troops, shares)
                chosen_voyages.append((voyage, shares))
                armies += self._landing(voyage, shares)
                total += self._ashore(voyage, shares)
        landed = len(armies)
        busy = {key for key, _ in taken_troops}
        if not chosen_voyages or total.combat < SURE_LANDING:
            return []
        for group in self._next_door(target, phase):
            if edge(total, defence) < ENOUGH_EDGE and busy.isdisjoint(group.everybody):
                chosen_voyages.append((Approach(group, (target,)), group.everybody))
                armies.append(group.body(group.everybody))
                total += group.force
        return chosen_voyages if self._likely(target, total, armies, landed=landed) else []

    def _in_time(self, phase: int, voyages: Sequence[Voyage]) -> list[Voyage]:
        """Return the voyages that can land in that phase, those with most force first."""
        costs = self._command.rules.movement
        candidates: list[tuple[float, int, int, Voyage]] = []
        for voyage in voyages:
            waits = max(0, voyage.holds(phase) - costs.free_holds) * costs.hold
            if voyage.arrival > phase or waits > voyage.spare or voyage.unit.key in self._sent:
                continue
            shares = self._crew(voyage.group, voyage.room, {}) if voyage.group else {}
            if force := self._ashore(voyage, shares).power:
                candidates.append((-force, voyage.arrival, len(candidates), voyage))
        return [voyage for *_, voyage in sorted(candidates)]

    def _next_door(self, target: str, phase: int) -> list[Group]:
        """Return the free groups next to a place that can march in in that phase, the strongest first."""
        costs = self._command.rules.movement
        near = self._command.survey.by_land[target]
        groups = [group for group in self._groups if group.place in near and group.heads]
        able = [group for group in groups if group.pace(group.everybody) >= costs.march_enemy]
        return sorted(able, key=lambda group: -group.force.power) if phase <= 1 + costs.free_holds else []

    def _landing(self, voyage: Voyage, shares: Shares) -> list[Unit]:
        """Return the armies that go ashore."""
        if voyage.group is not None:
            return [voyage.group.body(shares)]
        return list(self._command.world.cargo(voyage.unit.key))

    def _ashore(self, voyage: Voyage, shares: Shares) -> Force:
        """Return the force of a voyage's troops after they land (B5.2)."""
        command = self._command
        if voyage.group is not None:
            force = shares_force(shares, command.rules)
        else:
            force = summed(map(command.survey.force, command.world.cargo(voyage.unit.key)))
        return force.evolve(blows=force.blows * WADING)

    def _send(self, target: str, phase: int, chosen: Sequence[Party]) -> None:
        """Order the chosen marches and voyages to a target."""
        command = self._command
        command.attacked.add(command.world.provinces[target].owner)
        self._crews.clear()
        for way, shares in chosen:
            if isinstance(way, Approach):
                self._march(way, shares, phase)
            else:
                self._sail(way, shares, phase)

    def _sail(self, voyage: Voyage, shares: Shares, phase: int) -> None:
        """Order a voyage, unless no number is free for its army or its fleet."""
        command = self._command
        unit = voyage.unit
        target = voyage.target
        self._sent.add(unit.key)
        fleet = unit.id if unit.is_fleet else command.form(unit, UnitKind.FLEET, f"for {target}")
        if fleet is None:
            return
        armies = [army.id for army in command.world.cargo(unit.key)] if unit.is_fleet else []
        if voyage.group is not None:
            lead = voyage.group.gather(shares, f"to land in {target}")
            if lead is None:
                return
            armies = [lead]
        if not unit.is_fleet:
            command.hand_over(unit, fleet, self._ships(unit))
        orders = command.sheet.unit(fleet, f"in {unit.place}")
        for _ in range(voyage.holds(phase)):
            orders.then("hold", None, f"so that all land in {target} in phase {phase}")
        _order_way(orders, voyage, armies)
        command.busy.add(f"{command.realm}/{fleet}")

    def _voyages(self, unit: Unit, fleet: Unit) -> Iterable[Voyage]:
        """Return a fleet's possible landings this turn: the shortest to each target with each group."""
        survey = self._command.survey
        rules = self._command.rules
        is_laden = bool(self._command.world.cargo(unit.key))
        most_sails = min(self._sails(fleet), self._command.profile.voyage)
        room = storage(fleet, rules)
        points = pace(fleet, rules)
        shortest: dict[tuple[str, Group | None], Voyage] = {}
        for loading_place, out in self._waters.within(fleet.place, 0 if is_laden else most_sails).items():
            shores = (loading_place,) if loading_place in survey.by_land else survey.shores[loading_place]
            groups = [group for group in self._groups if group.place in shores and group.heads]
            for sea, on in self._waters.within(loading_place, most_sails - len(out)).items():
                spare = points - (len(out) + len(on)) * rules.movement.sail
                voyage = Voyage(unit, room, spare, "", out, on)
                length = (voyage.sails, voyage.arrival)
                for target in self._prey(sea):
                    for group in [None] if is_laden else groups:
                        earlier = shortest.get((target, group))
                        if earlier is None or length < (earlier.sails, earlier.arrival):
                            shortest[target, group] = voyage._replace(target=target, group=group)
        return shortest.values()

    def _prey(self, sea: str) -> list[str]:
        """Return the targets on a sea's shores."""
        if sea not in self._targets:
            shore = filter(self._command.is_enemy_land, self._command.survey.shores.get(sea, ()))
            self._targets[sea] = list(filter(self._wanted, shore))
        return self._targets[sea]

    def _sails(self, fleet: Unit) -> int:
        return pace(fleet, self._command.rules) // self._command.rules.movement.sail

    def _crew(self, group: Group, room: int, taken: Taken) -> Shares:
        """Return the best troops of a group for the room, by worth for weight, without those ``taken``."""
        if any(key in group.troops for key, _ in taken):
            return self._chosen_crew(group, room, taken)
        cache_key = (group.place, room)
        if cache_key not in self._crews:
            self._crews[cache_key] = self._chosen_crew(group, room, {})
        return self._crews[cache_key]

    def _chosen_crew(self, group: Group, room: int, taken: Taken) -> Shares:
        """Return the best troops of a group that fit into the room."""
        rows = self._command.rules.troops
        pairs: list[tuple[str, str]] = []
        for key, counts in group.troops.items():
            pairs += [(key, name) for name in counts if rows[name].weight]
        worth = {
            name: troop_force(rows[name]).power * (100 + rows[name].amphibious) / 100 / rows[name].weight
            for _, name in pairs
        }
        shares: dict[str, dict[str, int]] = {}
        for key, name in sorted(pairs, key=lambda pair: (-worth[pair[1]], pair)):
            troops_left = group.troops[key][name] - taken.get((key, name), 0)
            count = min(troops_left, room // rows[name].weight)
            if count:
                shares.setdefault(key, {})[name] = count
                room -= count * rows[name].weight
        return shares

    def _gathering(self, fleets: Sequence[Unit]) -> dict[str, list[str]]:
        """Return the way of empty fleets, by key, to the best landing's port, until it has enough ships."""
        command = self._command
        courses = dict[str, list[str]]()
        crossing = next(iter(command.crossings), None)
        lacking = crossing.storage - command.room[crossing.port] if crossing else 0
        if crossing is None or lacking <= 0:
            return courses
        routes = self._waters.within(crossing.port, FAR_SEAS)
        for fleet in fleets:
            # those on the seas around it are in its room
            near = fleet.place in (crossing.port, *command.survey.by_sea[crossing.port])
            if lacking <= 0 or near or command.world.cargo(fleet.key):
                continue
            seas = [fleet.place] if command.atlas.is_sea(fleet.place) else command.survey.by_sea[fleet.place]
            reached = (sea for sea in seas if sea in routes)
            nearest = min(reached, key=lambda sea: (len(routes[sea]), sea), default=None)
            if nearest is not None:
                course = [
                    place for place in (*reversed(routes[nearest]), crossing.port) if place != fleet.place
                ]
                courses[fleet.key] = course[: self._sails(fleet)]
                lacking -= storage(fleet, command.rules)
        return courses

    def _bring_home(self, fleet: Unit) -> None:
        """Order a fleet back to a shore if it has soldiers aboard, else towards soldiers to load."""
        command = self._command
        shores = self._command.survey.shores
        orders = command.sheet.unit(fleet.id, f"in {fleet.place}")
        own_shores = list(filter(self._is_ours, shores.get(fleet.place, ())))
        aboard = [army.id for army in command.world.cargo(fleet.key)]
        if aboard and own_shores:
            place = max(own_shores, key=lambda place: (self._prize(place), place))
            orders.then("unload", dict.fromkeys(aboard, place), "home again")
        elif not aboard and command.atlas.is_sea(fleet.place):
            ports = [place for place in own_shores if command.world.provinces[place].harbour]
            if ports:
                orders.then(
                    "sail", max(ports, key=lambda port: (command.survey.value[port], port)), "into harbour"
                )
            elif not own_shores:
                routes = self._waters.within(fleet.place, FAR_SEAS)
                ways_home = [
                    way for sea, way in routes.items() if any(map(self._is_ours, shores.get(sea, ())))
                ]
                for sea in min(ways_home, key=lambda way: (len(way), way), default=())[: self._sails(fleet)]:
                    orders.then("sail", sea, "towards home")

    def _is_ours(self, place: str) -> bool:
        return self._command.world.provinces[place].owner == self._command.realm and self._command.may_pass(
            place
        )


def _is_chosen(unit: Unit, parties: Iterable[Party]) -> bool:
    return any(unit is party.unit for party, _ in parties if isinstance(party, Voyage))


def _take(taken: Counter[tuple[str, str]], shares: Shares) -> None:
    """Add these troops to those ``taken``, by type and unit."""
    for key, counts in shares.items():
        taken.update({(key, name): count for name, count in counts.items()})


def _order_way(orders: UnitSheet, voyage: Voyage, armies: Sequence[str]) -> None:
    """Order a fleet to its armies, on to the shore, and the landing."""
    for sea in voyage.out:
        orders.then("sail", sea)
    if voyage.group is not None:
        orders.then("load", armies)
    for sea in voyage.on:
        orders.then("sail", sea)
    orders.then("unload", dict.fromkeys(armies, voyage.target), "all at once, by surprise")
