"""The orders to fleets: which armies they load and where they land them, or where they sail (M3, M4, M8)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from gm.games.medieval.bots.command import WADING
from gm.games.medieval.bots.groups import Group, Shares, shares_force
from gm.games.medieval.bots.offensive import ENOUGH_EDGE, Approach, Offensive
from gm.games.medieval.bots.survey import NOBODY, Force, edge, summed, troop_force
from gm.games.medieval.bots.voyages import Party, Taken, Voyage, is_chosen, order_way, take
from gm.games.medieval.bots.waters import Waters
from gm.games.medieval.state import Unit, UnitKind
from gm.games.medieval.state.strength import pace, storage

SURE_LANDING = 100  # Total combat with which a landing cannot fail (M8)
QUESTIONS = 3  # Landings that are fought out on paper in a turn, at most
PLAIN_EDGE = 2.0  # With such a superiority hardly a landing fails on paper
FAR_SEAS = 8  # How many seas ahead a fleet looks for a way home or to a port


class Landings(Offensive):
    """The orders to all fleets in one turn."""

    questions = QUESTIONS
    certain = PLAIN_EDGE

    def order(self) -> None:
        """Order all landings that are likely to win, those at the best targets first.

        Of the other fleets, empty ones may gather in the port of a landing; the rest go home.
        """
        self._waters = Waters(self._command)
        self._targets: dict[str, list[str]] = {}  # by sea: the targets on its shores
        self._crews: dict[tuple[str, int], Shares] = {}  # by a group's place and room: the best troops
        self._sent: set[str] = set()  # keys of fleets, and of garrisons with ships, that have a landing
        command = self._command
        fleets = list(filter(self._waters.is_reliable, command.world.of_realm(command.realm)))
        voyages_to: defaultdict[str, list[Voyage]] = defaultdict(list)
        fleets_now = [(fleet, command.as_ordered(fleet)) for fleet in fleets]
        for unit, fleet in (*fleets_now, *self._ships_in_port()):
            for voyage in self._voyages(unit, fleet):
                voyages_to[voyage.target].append(voyage)
        for target in sorted(voyages_to, key=lambda place: (-self.worth(place), place)):
            for phase in sorted({voyage.arrival for voyage in voyages_to[target]}):
                if chosen := self._enough(target, phase, voyages_to[target]):
                    self._send(target, phase, chosen)
                    break
        self._order_idle([fleet for fleet in fleets if fleet.key not in self._sent])

    def _order_idle(self, idle: Sequence[Unit]) -> None:
        """Order fleets without a landing to gather for one, or bring them home."""
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
        """Yield (garrison, fleet) for each garrison with ships in the safe port of a city.

        The fleet is not one of the world: the garrison would have to form it.
        """
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
        """Return how many ships of each type a garrison has."""
        types = self._command.rules.troops
        return {name: count for name, count in garrison.counts().items() if types[name].ship}

    def _enough(self, target: str, phase: int, voyages: Sequence[Voyage]) -> list[Party]:
        """Return the voyages and marches, with their troops, that strike a target together in that phase.

        Voyages are added until a win is certain, then marches from next door if they are needed. Empty if
        too few can land, or if all together are not likely to win.
        """
        defence = self._defence(target)
        chosen: list[Party] = []
        armies: list[Unit] = []
        total = NOBODY
        taken_troops = Counter[tuple[str, str]]()
        for voyage in self._in_time(phase, voyages):
            if edge(total, defence) >= ENOUGH_EDGE and total.combat >= SURE_LANDING:
                break
            if is_chosen(voyage.unit, chosen):
                continue
            shares = self._crew(voyage.group, voyage.room, taken_troops) if voyage.group else {}
            if shares or not voyage.group:
                take(taken_troops, shares)
                chosen.append((voyage, shares))
                armies += self._landing(voyage, shares)
                total += self._ashore(voyage, shares)
        landed = len(armies)
        aboard = {key for key, _ in taken_troops}  # units with troops that go by sea
        if not chosen or total.combat < SURE_LANDING:
            return []
        for group in self._next_door(target, phase):
            if edge(total, defence) < ENOUGH_EDGE and aboard.isdisjoint(group.everybody):
                chosen.append((Approach(group, (target,)), group.everybody))
                armies.append(group.body(group.everybody))
                total += group.force
        return chosen if self._likely(target, total, armies, landed=landed) else []

    def _in_time(self, phase: int, voyages: Sequence[Voyage]) -> list[Voyage]:
        """Return the voyages that can land in that phase with any power, those with most power first.

        Units that have been ordered to sail already are left out.
        """
        costs = self._command.rules.movement
        candidates: list[tuple[float, int, int, Voyage]] = []  # (-power, arrival, index, voyage)
        for voyage in voyages:
            points_to_wait = max(0, voyage.holds(phase) - costs.free_holds) * costs.hold
            if voyage.arrival > phase or points_to_wait > voyage.spare or voyage.unit.key in self._sent:
                continue
            shares = self._crew(voyage.group, voyage.room, {}) if voyage.group else {}
            power = self._ashore(voyage, shares).power
            if power:
                candidates.append((-power, voyage.arrival, len(candidates), voyage))
        return [voyage for *_, voyage in sorted(candidates)]

    def _next_door(self, target: str, phase: int) -> list[Group]:
        """Return the groups with free troops that can march into a place next to theirs in that phase.

        The strongest is first.
        """
        costs = self._command.rules.movement
        # they march in phase 1, or after holds that cost nothing (P5)
        if phase > 1 + costs.free_holds:
            return []
        near = self._command.survey.by_land[target]
        groups = [group for group in self._groups if group.place in near and group.heads]
        fast_enough = [group for group in groups if group.pace(group.everybody) >= costs.march_enemy]
        return sorted(fast_enough, key=lambda group: -group.force.power)

    def _landing(self, voyage: Voyage, shares: Shares) -> list[Unit]:
        """Return the armies that go ashore: one made of these troops or, without a group, those aboard."""
        if voyage.group is not None:
            return [voyage.group.body(shares)]
        return list(self._command.world.cargo(voyage.unit.key))

    def _ashore(self, voyage: Voyage, shares: Shares) -> Force:
        """Return the force with which a voyage's troops fight as they land, weakened by wading (B5.2).

        ``shares``: the troops taken from the voyage's group; without a group the fleet's cargo lands.
        """
        command = self._command
        if voyage.group is not None:
            force = shares_force(shares, command.rules)
        else:
            force = summed(map(command.survey.force, command.world.cargo(voyage.unit.key)))
        return force.evolve(blows=force.blows * WADING)

    def _send(self, target: str, phase: int, chosen: Sequence[Party]) -> None:
        """Order the chosen marches and voyages to a target, so that all strike in that phase."""
        command = self._command
        command.attacked.add(command.world.provinces[target].owner)
        self._crews.clear()  # troops that go now may be among the best of their place
        for way, shares in chosen:
            if isinstance(way, Approach):
                self._march(way, shares, phase)
            else:
                self._sail(way, shares, phase)

    def _sail(self, voyage: Voyage, shares: Shares, phase: int) -> None:
        """Order a voyage, to land in that phase, unless no number is free for its army or its fleet.

        ``shares``: the troops of the voyage's group that go aboard.
        """
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
        if not unit.is_fleet:  # a garrison gives its ships to the new fleet
            command.hand_over(unit, fleet, self._ships(unit))
        orders = command.sheet.unit(fleet, f"in {unit.place}")
        for _ in range(voyage.holds(phase)):
            orders.then("hold", None, f"so that all land in {target} in phase {phase}")
        order_way(orders, voyage, armies)
        command.busy.add(f"{command.realm}/{fleet}")

    def _voyages(self, unit: Unit, fleet: Unit) -> Iterable[Voyage]:
        """Return a fleet's possible landings this turn: the shortest to each target with each group.

        ``unit``: the fleet, or the garrison whose ships make it.
        """
        survey = self._command.survey
        rules = self._command.rules
        is_laden = bool(self._command.world.cargo(unit.key))
        most_sails = min(self._sails(fleet), self._command.profile.voyage)
        room = storage(fleet, rules)
        move_points = pace(fleet, rules)
        shortest: dict[tuple[str, Group | None], Voyage] = {}
        # a laden fleet loads nobody first: its way begins where it is
        loading_places = self._waters.within(fleet.place, 0 if is_laden else most_sails)
        for loading_place, seas_before in loading_places.items():
            # a docked fleet loads in its province, a fleet at sea on all shores
            shores = (loading_place,) if loading_place in survey.by_land else survey.shores[loading_place]
            groups = [group for group in self._groups if group.place in shores and group.heads]
            seas_in_reach = self._waters.within(loading_place, most_sails - len(seas_before))
            for sea, seas_after in seas_in_reach.items():
                spare = move_points - (len(seas_before) + len(seas_after)) * rules.movement.sail
                # its target and its group are set below
                voyage = Voyage(unit, room, spare, "", seas_before, seas_after)
                length = (voyage.sails, voyage.arrival)
                for target in self._targets_of(sea):
                    for group in [None] if is_laden else groups:
                        earlier = shortest.get((target, group))
                        if earlier is None or length < (earlier.sails, earlier.arrival):
                            shortest[target, group] = voyage._replace(target=target, group=group)
        return shortest.values()

    def _targets_of(self, sea: str) -> list[str]:
        """Return the enemy provinces on a sea's shores that are wanted, cached."""
        if sea not in self._targets:
            shore = filter(self._command.is_enemy_land, self._command.survey.shores.get(sea, ()))
            self._targets[sea] = list(filter(self._wanted, shore))
        return self._targets[sea]

    def _sails(self, fleet: Unit) -> int:
        """Return how many seas a fleet can sail in a turn."""
        return pace(fleet, self._command.rules) // self._command.rules.movement.sail

    def _crew(self, group: Group, room: int, taken: Taken) -> Shares:
        """Return the best troops of a group for a weight of ``room``, without those ``taken``."""
        if any(key in group.troops for key, _ in taken):
            return self._chosen_crew(group, room, taken)
        cache_key = (group.place, room)
        if cache_key not in self._crews:
            self._crews[cache_key] = self._chosen_crew(group, room, {})
        return self._crews[cache_key]

    def _chosen_crew(self, group: Group, room: int, taken: Taken) -> Shares:
        """Return the troops of a group with most power ashore for their weight that fit into the room."""
        types = self._command.rules.troops
        pairs: list[tuple[str, str]] = []  # (unit key, troop type); ships have no weight
        for key, counts in group.troops.items():
            pairs += [(key, name) for name in counts if types[name].weight]
        worth = {
            name: troop_force(types[name]).power * (100 + types[name].amphibious) / 100 / types[name].weight
            for _, name in pairs
        }
        shares: dict[str, dict[str, int]] = {}
        for key, name in sorted(pairs, key=lambda pair: (-worth[pair[1]], pair)):
            troops_left = group.troops[key][name] - taken.get((key, name), 0)
            count = min(troops_left, room // types[name].weight)
            if count:
                shares.setdefault(key, {})[name] = count
                room -= count * types[name].weight
        return shares

    def _gathering(self, fleets: Sequence[Unit]) -> dict[str, list[str]]:
        """Return the courses of empty fleets to the port of the best landing, by the fleets' keys.

        Fleets gather until the port has the room that the army needs; none if it has enough already. A course
        is the places that are sailed to this turn.
        """
        command = self._command
        courses = dict[str, list[str]]()
        crossing = next(iter(command.crossings), None)  # the best is first
        lacking = crossing.storage - command.room[crossing.port] if crossing else 0
        if crossing is None or lacking <= 0:
            return courses
        routes = self._waters.within(crossing.port, FAR_SEAS)
        for fleet in fleets:
            # fleets on the seas around the port are counted in its room already
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
        """Order a fleet with soldiers aboard to land them on an own shore, if it is beside one.

        An empty fleet at sea goes into an own harbour beside it; beside no own shore it sails towards one.
        """
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
        """Return whether a province is the realm's own, and nobody would fight its armies there."""
        return self._command.world.provinces[place].owner == self._command.realm and self._command.may_pass(
            place
        )
