"""Fleets: where armies are loaded, over which seas they sail, and where they land (M3, M4, M8)."""

from collections.abc import Iterator
from typing import NamedTuple

from gm.games.medieval.bots.attacks import Offensive
from gm.games.medieval.bots.command import WADING
from gm.games.medieval.bots.groups import Group, Shares, shares_force
from gm.games.medieval.bots.survey import summed, troop_force, ways_from
from gm.games.medieval.state import Unit, UnitKind
from gm.games.medieval.state.strength import pace, storage, weight
from gm.games.medieval.steps.movement import homeless

SURE_LANDING = 100  # Total combat with which a landing cannot fail (M8)
TRIED = 4  # So many landings a fleet thinks about
NEAR_PORT = 2  # From so many marches away our armies may take a port this turn
FAR_SEAS = 8  # Seas that a fleet looks ahead for a way home


class Voyage(NamedTuple):
    """``out``: the seas sailed before armies are loaded, ``on``: those after; ``group`` none: they are aboard."""

    target: str
    out: tuple[str, ...]
    on: tuple[str, ...]
    group: Group | None = None


class Landings(Offensive):
    """The fleets of one turn."""

    def order(self) -> None:
        """Order every fleet that is free; ships in a garrison make one if there is a landing for them."""
        self._safe: dict[str, bool] = {}
        self._restless: dict[str, bool] = {}
        for fleet in filter(self._is_reliable, self._command.world.of_realm(self._command.realm)):
            promising = self._promising(fleet, storage(self._command.holds(fleet), self._command.rules))
            if not any(self._sent(fleet.id, fleet.place, voyage, shares) for voyage, shares in promising):
                self._bring_home(fleet)
        for garrison in self._command.garrisons:
            self._man_ships(garrison)

    def _is_reliable(self, fleet: Unit) -> bool:
        """Whether it is an own fleet afloat or in a good harbour, and no enemy in sight or aboard this turn."""
        command = self._command
        if not fleet.is_fleet or not fleet.troops or not self._is_safe(fleet.place):
            return False
        aboard = command.world.cargo(fleet.key)
        load = sum(weight(army, command.rules) for army in aboard)
        return all(army.realm == command.realm for army in aboard) and load <= storage(fleet, command.rules)

    def _is_safe(self, place: str) -> bool:
        """Whether a fleet meets no enemy there: at sea other fleets, in port soldiers or the lack of a harbour."""
        if place not in self._safe:
            self._safe[place] = self._found_safe(place)
        return self._safe[place]

    def _found_safe(self, place: str) -> bool:
        command = self._command
        if not command.atlas.is_sea(place):
            return command.world.provinces[place].harbour and command.may_pass(place)
        # a fleet without an anchorage flees to any sea next to it (M5)
        return not any(self._hostile_fleets(place)) and not any(map(self._may_turn_out, command.survey.shores[place]))

    def _hostile_fleets(self, place: str) -> Iterator[Unit]:
        fleets = (unit for unit in self._command.world.at(place) if unit.is_fleet)
        return (fleet for fleet in fleets if self._command.fights(fleet.realm, place))

    def _may_turn_out(self, port: str) -> bool:
        """Whether an enemy's fleet docked there has no anchorage, or loses it if our armies take the port."""
        if port not in self._restless:
            self._restless[port] = self._found_restless(port)
        return self._restless[port]

    def _found_restless(self, port: str) -> bool:
        command, docked = self._command, list(self._hostile_fleets(port))
        if any(homeless(command.world, command.atlas, unit) for unit in docked):
            return True
        near = command.survey.around(port, NEAR_PORT) if docked else ()
        return any(unit.realm == command.realm for place in near for unit in command.world.at(place))

    def _sent(self, fleet: str, place: str, voyage: Voyage, shares: Shares) -> bool:
        """Order a voyage; false when there is no number for the army that is to be taken along."""
        command = self._command
        armies = [army.id for army in command.world.cargo(f"{command.realm}/{fleet}")]
        if voyage.group is not None:
            lead = voyage.group.gather(shares, f"to land in {voyage.target}")
            if lead is None:
                return False
            armies = [lead]
        command.attacked.add(command.world.provinces[voyage.target].owner)
        orders = command.sheet.unit(fleet, f"in {place}")
        for sea in voyage.out:
            orders.then("sail", sea)
        if voyage.group is not None:
            orders.then("load", armies)
        for sea in voyage.on:
            orders.then("sail", sea)
        orders.then("unload", dict.fromkeys(armies, voyage.target), "all at once, by surprise")
        command.busy.add(f"{command.realm}/{fleet}")
        return True

    def _man_ships(self, garrison: Unit) -> None:
        """Let a garrison's transports put to sea when they have somewhere to go."""
        command = self._command
        ships = {name: count for name, count in garrison.counts().items() if command.rules.troops[name].ship}
        if not ships or command.atlas.city(garrison.place) is None or not self._is_safe(garrison.place):
            return
        troops = {name: (count, 0, 0, 0, 0) for name, count in ships.items()}
        fleet = Unit(realm=command.realm, kind=UnitKind.FLEET, number=1, place=garrison.place, troops=troops)
        for voyage, shares in self._promising(fleet, storage(fleet, command.rules), laden_too=False):
            new_id = command.form(garrison, UnitKind.FLEET, f"for {voyage.target}")
            if new_id is not None and voyage.group is not None and self._sent(new_id, garrison.place, voyage, shares):
                command.hand_over(garrison, new_id, ships)
            return

    def _promising(self, fleet: Unit, room: int, *, laden_too: bool = True) -> Iterator[tuple[Voyage, Shares]]:
        """The best voyages that are likely to end well, each with those for whom there is room aboard."""
        command = self._command
        voyages = sorted(self._voyages(fleet), key=lambda each: (-self.worth(each.target), len(each.on), each.target))
        for voyage in voyages[:TRIED]:
            shares: Shares = {}
            if voyage.group is not None:
                shares = self._crew(voyage.group, room)
                armies, force = [voyage.group.body(shares)], shares_force(shares, command.rules)
            else:
                armies = list(command.world.cargo(fleet.key))
                force = summed(map(command.survey.force, armies))
            if force.combat < SURE_LANDING or not (shares if voyage.group else laden_too):
                continue
            if self._likely(voyage.target, force.evolve(blows=force.blows * WADING), armies, landed=True):
                yield voyage, shares

    def _voyages(self, fleet: Unit) -> Iterator[Voyage]:
        survey = self._command.survey
        points = min(self._sails(fleet), self._command.profile.voyage)
        laden = bool(self._command.world.cargo(fleet.key))
        for start, out in self._seas(fleet.place, points if not laden else 0).items():
            near = (start,) if start in survey.by_land else survey.shores[start]
            groups = [group for group in self._groups if group.place in near and group.heads]
            for sea, on in self._seas(start, points - len(out)).items():
                for target in survey.shores.get(sea, ()):
                    if self._command.is_enemy_land(target) and self._wanted(target):
                        yield from (Voyage(target, out, on, group) for group in (groups if not laden else [None]))

    def _sails(self, fleet: Unit) -> int:
        return pace(fleet, self._command.rules) // self._command.rules.movement.sail

    def _seas(self, start: str, steps: int) -> dict[str, tuple[str, ...]]:
        """The start and the safe seas within so many steps, with the way there."""
        return ways_from(start, steps, self._command.survey.by_sea, self._is_safe)

    def _crew(self, group: Group, room: int) -> Shares:
        """The best troops of a group that there is room for, by what they are worth for their weight."""
        rows = self._command.rules.troops
        pairs = [(key, name) for key, counts in group.troops.items() for name in counts if rows[name].weight]
        worth = {
            name: troop_force(rows[name]).power * (100 + rows[name].amphibious) / 100 / rows[name].weight
            for _, name in pairs
        }
        shares: dict[str, dict[str, int]] = {}
        for key, name in sorted(pairs, key=lambda pair: (-worth[pair[1]], pair)):
            count = min(group.troops[key][name], room // rows[name].weight)
            if count:
                shares.setdefault(key, {})[name] = count
                room -= count * rows[name].weight
        return shares

    def _bring_home(self, fleet: Unit) -> None:
        """With soldiers aboard back ashore, else towards where soldiers can be loaded."""
        command, shores = self._command, self._command.survey.shores
        orders = command.sheet.unit(fleet.id, f"in {fleet.place}")
        own = list(filter(self._is_ours, shores.get(fleet.place, ())))
        aboard = [army.id for army in command.world.cargo(fleet.key)]
        if aboard and own:
            place = max(own, key=lambda each: (self._prize(each), each))
            orders.then("unload", dict.fromkeys(aboard, place), "home again")
        elif not aboard and command.atlas.is_sea(fleet.place):
            ports = [place for place in own if command.world.provinces[place].harbour]
            if ports:
                orders.then("sail", max(ports, key=lambda each: (command.survey.value[each], each)), "into harbour")
            elif not own:
                ways = self._seas(fleet.place, FAR_SEAS)
                found = [way for sea, way in ways.items() if any(map(self._is_ours, shores.get(sea, ())))]
                for sea in min(found, key=lambda each: (len(each), each), default=())[: self._sails(fleet)]:
                    orders.then("sail", sea, "towards home")

    def _is_ours(self, place: str) -> bool:
        return self._command.world.provinces[place].owner == self._command.realm and self._command.may_pass(place)
