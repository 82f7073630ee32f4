"""Fleets: where armies are loaded, over which seas they sail, and where they land (M3, M4, M8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gm.games.medieval.bots.attacks import Offensive
from gm.games.medieval.bots.groups import Group, Shares, body, body_force, gather
from gm.games.medieval.bots.survey import summed, troop_force, ways_from
from gm.games.medieval.state import Unit, UnitKind
from gm.games.medieval.state.strength import pace, storage, weight
from gm.games.medieval.steps.movement import homeless

WADING = 0.7  # What is left of the blows of those who land (B5.2): what most types lose on the beach.
SURE_LANDING = 100  # Total combat with which a landing cannot fail (M8)
TRIED = 4  # So many landings a fleet thinks about
NEAR_PORT = 2  # From so many marches away our armies may take a port this turn
FAR_SEAS = 8  # Seas that a fleet looks ahead for a way home


@dataclass(frozen=True, slots=True)
class Voyage:
    """``out``: the seas sailed before armies are loaded, ``on``: those after; ``group`` none: they are aboard."""

    target: str
    out: tuple[str, ...]
    on: tuple[str, ...]
    group: Group | None = None


class Landings(Offensive):
    """The fleets of one turn."""

    def order(self) -> None:
        """Order every fleet that is free; ships in a garrison make one if there is a landing for them."""
        for fleet in self._fleets():
            if not self._land(fleet):
                self._bring_home(fleet)
        for garrison in self._command.garrisons:
            self._man_ships(garrison)

    def _fleets(self) -> Iterator[Unit]:
        """The own fleets that can be relied on this turn: afloat or in a good harbour, no enemy in sight or aboard."""
        command = self._command
        for fleet in command.world.of_realm(command.realm):
            if not fleet.is_fleet or not fleet.troops or not self._is_safe(fleet.place):
                continue
            aboard = command.world.cargo(fleet.key)
            if any(army.realm != command.realm for army in aboard):
                continue
            if sum(weight(army, command.rules) for army in aboard) <= storage(fleet, command.rules):
                yield fleet

    def _is_safe(self, place: str) -> bool:
        """Whether a fleet meets no enemy there: at sea other fleets, in port soldiers or the lack of a harbour."""
        command = self._command
        if not command.atlas.is_sea(place):
            return command.world.provinces[place].harbour and command.may_pass(place)
        if any(self._hostile_fleets(place)):
            return False
        # a fleet without an anchorage flees to any sea next to it (M5)
        return not any(map(self._may_turn_out, command.survey.shores[place]))

    def _hostile_fleets(self, place: str) -> Iterator[Unit]:
        fleets = (unit for unit in self._command.world.at(place) if unit.is_fleet)
        return (fleet for fleet in fleets if self._command.fights(fleet.realm, place))

    def _may_turn_out(self, port: str) -> bool:
        """Whether an enemy's fleet docked there has no anchorage, or loses it if our armies take the port."""
        command, docked = self._command, list(self._hostile_fleets(port))
        if not docked:
            return False
        if any(homeless(command.world, command.atlas, unit) for unit in docked):
            return True
        near = command.survey.around(port, NEAR_PORT)
        return any(unit.realm == command.realm for place in near for unit in command.world.at(place))

    def _land(self, fleet: Unit) -> bool:
        """Order the best landing that the fleet can make; whether there is one."""
        command = self._command
        for voyage, shares in self._promising(fleet, storage(command.holds(fleet), command.rules)):
            if voyage.group is None:
                armies = [army.id for army in command.world.cargo(fleet.key)]
                self._write(fleet.id, fleet.place, voyage, armies)
                return True
            lead = gather(command, voyage.group, shares, f"to land in {voyage.target}")
            if lead is not None:
                self._write(fleet.id, fleet.place, voyage, [lead])
                return True
        return False

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
            if new_id is None or voyage.group is None:
                return
            lead = gather(command, voyage.group, shares, f"to land in {voyage.target}")
            if lead is not None:
                command.hand_over(garrison, new_id, ships)
                self._write(new_id, garrison.place, voyage, [lead])
            return

    def _promising(self, fleet: Unit, room: int, *, laden_too: bool = True) -> Iterator[tuple[Voyage, Shares]]:
        """The best voyages that are likely to end well, each with those for whom there is room aboard."""
        command = self._command
        voyages = sorted(self._voyages(fleet), key=lambda each: (-self._worth(each.target), len(each.on), each.target))
        for voyage in voyages[:TRIED]:
            shares: Shares = {}
            if voyage.group is not None:
                shares = self._crew(voyage.group, room)
                armies, force = [body(command, voyage.group, shares)], body_force(command, shares)
            else:
                armies = list(command.world.cargo(fleet.key))
                force = summed(command.survey.force(army) for army in armies)
            if force.combat < SURE_LANDING or not (shares if voyage.group else laden_too):
                continue
            wading = replace(force, blows=force.blows * WADING)
            if self._likely(voyage.target, wading, armies, landed=True):
                yield voyage, shares

    def _write(self, fleet: str, place: str, voyage: Voyage, armies: list[str]) -> None:
        orders = self._command.sheet.unit(fleet, f"in {place}")
        for sea in voyage.out:
            orders.then("sail", sea)
        if voyage.group is not None:
            orders.then("load", armies)
        for sea in voyage.on:
            orders.then("sail", sea)
        orders.then("unload", dict.fromkeys(armies, voyage.target), "all at once, by surprise")
        self._command.engage(f"{self._command.realm}/{fleet}")

    def _voyages(self, fleet: Unit) -> Iterator[Voyage]:
        command = self._command
        points = min(self._sails(fleet), command.profile.voyage)
        laden = bool(command.world.cargo(fleet.key))
        for start, out in self._seas(fleet.place, points if not laden else 0).items():
            for sea, on in self._seas(start, points - len(out)).items():
                shores = command.survey.shores.get(sea, ())
                targets = [place for place in shores if command.is_enemy_land(place) and self._wanted(place)]
                near = (start,) if start in command.survey.by_land else command.survey.shores[start]
                groups = [group for group in self._groups if group.place in near and group.heads]
                for target in targets:
                    if laden:
                        yield Voyage(target, out, on)
                    else:
                        yield from (Voyage(target, out, on, group) for group in groups)

    def _sails(self, fleet: Unit) -> int:
        """How far the fleet can sail in a turn."""
        return pace(fleet, self._command.rules) // self._command.rules.movement.sail

    def _seas(self, start: str, steps: int) -> dict[str, tuple[str, ...]]:
        """The start and the safe seas within so many steps, with the way there."""
        return ways_from(start, steps, self._command.survey.by_sea, self._is_safe)

    def _crew(self, group: Group, room: int) -> Shares:
        """The best troops of a group that there is room for, by what they are worth for their weight."""
        rules = self._command.rules
        pairs = [(key, name) for key, counts in group.troops.items() for name in counts if rules.troops[name].weight]

        def worth(pair: tuple[str, str]) -> float:
            row = rules.troops[pair[1]]
            return troop_force(row).power * (100 + row.amphibious) / 100 / row.weight

        pairs.sort(key=lambda pair: (-worth(pair), pair))
        shares: dict[str, dict[str, int]] = {}
        for key, name in pairs:
            count = min(group.troops[key][name], room // rules.troops[name].weight)
            if count:
                shares.setdefault(key, {})[name] = count
                room -= count * rules.troops[name].weight
        return shares

    def _bring_home(self, fleet: Unit) -> None:
        """With soldiers aboard back ashore, else towards where soldiers can be loaded."""
        command = self._command
        orders = command.sheet.unit(fleet.id, f"in {fleet.place}")
        own = [place for place in command.survey.shores.get(fleet.place, ()) if self._is_ours(place)]
        aboard = [army.id for army in command.world.cargo(fleet.key)]
        if aboard and own:
            place = max(own, key=lambda each: (self._prize(each), each))
            orders.then("unload", dict.fromkeys(aboard, place), "home again")
        elif not aboard and command.atlas.is_sea(fleet.place):
            ports = [place for place in own if command.world.provinces[place].harbour]
            if ports:
                best = max(ports, key=lambda each: (command.survey.value[each], each))
                orders.then("sail", best, "into harbour")
            elif not own:
                ways = self._seas(fleet.place, FAR_SEAS)
                found = [
                    way for sea, way in ways.items() if any(map(self._is_ours, command.survey.shores.get(sea, ())))
                ]
                for sea in min(found, key=lambda each: (len(each), each), default=())[: self._sails(fleet)]:
                    orders.then("sail", sea, "towards home")

    def _is_ours(self, place: str) -> bool:
        return self._command.world.provinces[place].owner == self._command.realm and self._command.may_pass(place)
