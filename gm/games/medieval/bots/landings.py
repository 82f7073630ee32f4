"""Fleets: where armies are loaded, over which seas they sail, and where they land (M3, M4, M8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from gm.games.medieval.bots.attacks import CERTAIN_EDGE, OddsBook
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.groups import Group, Shares, body, gather
from gm.games.medieval.bots.survey import Force, edge, troop_force
from gm.games.medieval.state import Unit, UnitKind
from gm.games.medieval.state.strength import pace, storage, weight
from gm.games.medieval.steps.movement import homeless

WADING = 0.7
"""What is left of the blows of those who land (B5.2): what most types lose on the beach."""

SURE_LANDING = 100
"""Total combat with which a landing cannot fail (M8)."""


@dataclass(frozen=True, slots=True)
class Voyage:
    """``out``: the seas sailed before armies are loaded, ``on``: those after; ``group`` none: they are aboard."""

    target: str
    out: tuple[str, ...]
    on: tuple[str, ...]
    group: Group | None = None


class Landings:
    """The fleets of one turn. ``wanted`` says where one may land, ``prize`` what that is worth."""

    def __init__(
        self, command: Command, groups: list[Group], wanted: Callable[[str], bool], prize: Callable[[str], float]
    ) -> None:
        self._command = command
        self._groups = groups
        self._wanted = wanted
        self._prize = prize
        self._odds = OddsBook(command.world, command.view.table, command.temper.odds_fights)

    def order(self) -> None:
        """Order every fleet that is free; ships in a garrison make one if there is a landing for them."""
        for fleet in self._fleets():
            if not self._land(fleet):
                self._bring_home(fleet)
        for garrison in self._command.garrisons:
            self._man_ships(garrison)

    # -- which fleets --------------------------------------------------------------------------------------------------

    def _fleets(self) -> Iterator[Unit]:
        """The own fleets that can be relied on this turn: afloat or in a good harbour, no enemy in sight or aboard."""
        command = self._command
        for fleet in command.world.of_realm(command.realm):
            if not fleet.is_fleet or not fleet.troops or not self._is_safe(fleet.place):
                continue
            if any(army.realm != command.realm for army in command.world.cargo(fleet.key)):
                continue
            if sum(weight(army, command.rules) for army in self._aboard(fleet)) <= storage(fleet, command.rules):
                yield fleet

    def _is_safe(self, place: str) -> bool:
        """Whether a fleet meets no enemy there: at sea other fleets, in port soldiers or the lack of a harbour."""
        command = self._command
        if not command.atlas.is_sea(place):
            return command.world.provinces[place].harbour and command.may_pass(place)
        if any(self._is_hostile_fleet(unit) for unit in command.world.at(place)):
            return False
        # a fleet without an anchorage flees to any sea next to it (M5)
        return not any(map(self._may_turn_out, command.survey.shores[place]))

    def _is_hostile_fleet(self, unit: Unit) -> bool:
        return unit.is_fleet and self._command.fights(unit.realm, unit.place)

    def _may_turn_out(self, port: str) -> bool:
        """Whether an enemy's fleet docked there has no anchorage, or loses it if our armies take the port."""
        world = self._command.world
        docked = [unit for unit in world.at(port) if self._is_hostile_fleet(unit)]
        if not docked:
            return False
        if any(homeless(world, self._command.atlas, unit) for unit in docked):
            return True
        near = self._command.survey.around(port, NEAR_PORT)
        return any(unit.realm == self._command.realm for place in near for unit in world.at(place))

    def _aboard(self, fleet: Unit) -> tuple[Unit, ...]:
        return self._command.world.cargo(fleet.key)

    # -- landing -------------------------------------------------------------------------------------------------------

    def _land(self, fleet: Unit) -> bool:
        """Order the best landing that the fleet can make; whether there is one."""
        command = self._command
        voyages = sorted(self._voyages(fleet), key=lambda each: (-self._merit(each), len(each.on), each.target))
        for voyage in voyages[:TRIED]:
            if voyage.group is None:
                armies = list(self._aboard(fleet))
                if self._likely(voyage.target, armies, sum((command.survey.force(a) for a in armies), Force())):
                    self._write(fleet.id, fleet.place, voyage, [army.id for army in armies])
                    return True
                continue
            shares = self._crew(voyage.group, storage(command.holds(fleet), command.rules))
            army = body(command, voyage.group, shares)
            if not shares or not self._likely(voyage.target, [army], _strength(command, shares)):
                continue
            lead = gather(command, voyage.group, shares, f"to land in {voyage.target}")
            if lead is not None:
                self._write(fleet.id, fleet.place, voyage, [lead])
                return True
        return False

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
        points = min(pace(fleet, command.rules) // command.rules.movement.sail, command.temper.voyage)
        laden = bool(self._aboard(fleet))
        for start, out in self._seas(fleet.place, points if not laden else 0).items():
            for sea, on in self._seas(start, points - len(out)).items():
                shores = command.survey.shores.get(sea, ())
                targets = [place for place in shores if command.is_enemy_land(place) and self._wanted(place)]
                for target in targets:
                    if laden:
                        yield Voyage(target, out, on)
                        continue
                    near = (start,) if start in command.survey.by_land else command.survey.shores[start]
                    for group in self._groups:
                        if group.place in near and group.heads:
                            yield Voyage(target, out, on, group)

    def _seas(self, start: str, steps: int) -> dict[str, tuple[str, ...]]:
        """The start and the safe seas within so many steps, with the way there."""
        ways: dict[str, tuple[str, ...]] = {start: ()}
        waiting = [start]
        for place in waiting:
            if len(ways[place]) >= steps:
                continue
            for sea in self._command.survey.by_sea[place]:
                if sea not in ways and self._is_safe(sea):
                    ways[sea] = (*ways[place], sea)
                    waiting.append(sea)
        return ways

    def _merit(self, voyage: Voyage) -> float:
        return self._prize(voyage.target) / (4.0 + self._defence(voyage.target).power)

    def _defence(self, place: str) -> Force:
        return self._command.survey.defence(place, self._command.hostile_at(place))

    def _crew(self, group: Group, room: int) -> Shares:
        """The best troops of a group that there is room for, by what they are worth for their weight."""
        rules = self._command.rules
        pairs = [(key, name) for key, counts in group.troops.items() for name in counts if rules.troops[name].weight]
        pairs.sort(key=lambda pair: (-_worth_aboard(self._command, pair[1]), pair))
        shares: dict[str, dict[str, int]] = {}
        for key, name in pairs:
            count = min(group.troops[key][name], room // rules.troops[name].weight)
            if count:
                shares.setdefault(key, {})[name] = count
                room -= count * rules.troops[name].weight
        return shares

    def _likely(self, target: str, armies: list[Unit], force: Force) -> bool:
        command = self._command
        if force.combat < SURE_LANDING:
            return False
        defenders = command.hostile_at(target)
        found = edge(replace(force, blows=force.blows * WADING), self._defence(target))
        if found < command.temper.edge_percent / 100 or found >= CERTAIN_EDGE:
            return found >= CERTAIN_EDGE
        chance = self._odds.of_attack(command.realm, target, armies, defenders, landed=True)
        return chance * 100 >= command.temper.odds_percent

    # -- everything else -----------------------------------------------------------------------------------------------

    def _bring_home(self, fleet: Unit) -> None:
        """With soldiers aboard back ashore, else towards where soldiers can be loaded."""
        command = self._command
        own = [place for place in command.survey.shores.get(fleet.place, ()) if self._is_ours(place)]
        aboard = [army.id for army in self._aboard(fleet)]
        if aboard and own:
            place = max(own, key=lambda each: (self._prize(each), each))
            command.sheet.unit(fleet.id, f"in {fleet.place}").then("unload", dict.fromkeys(aboard, place), "home again")
        elif not aboard and command.atlas.is_sea(fleet.place):
            ports = [place for place in own if command.world.provinces[place].harbour]
            if ports:
                best = max(ports, key=lambda each: (command.survey.value[each], each))
                command.sheet.unit(fleet.id, f"in {fleet.place}").then("sail", best, "into harbour")
            elif not own:
                self._sail_towards_home(fleet)

    def _sail_towards_home(self, fleet: Unit) -> None:
        command = self._command
        points = pace(fleet, command.rules) // command.rules.movement.sail
        ways = self._seas(fleet.place, FAR_SEAS)
        found = [way for sea, way in ways.items() if any(map(self._is_ours, command.survey.shores.get(sea, ())))]
        way = min(found, key=lambda each: (len(each), each), default=())
        for sea in way[:points]:
            command.sheet.unit(fleet.id, f"in {fleet.place}").then("sail", sea, "towards home")

    def _is_ours(self, place: str) -> bool:
        return self._command.world.provinces[place].owner == self._command.realm and self._command.may_pass(place)

    def _man_ships(self, garrison: Unit) -> None:
        """Let a garrison's transports put to sea when they have somewhere to go."""
        command = self._command
        rules = command.rules
        ships = {name: sum(ranks) for name, ranks in garrison.troops.items() if rules.troops[name].ship}
        if not ships or command.atlas.city(garrison.place) is None or not self._is_safe(garrison.place):
            return
        troops = {name: (count, 0, 0, 0, 0) for name, count in ships.items()}
        fleet = Unit(realm=command.realm, kind=UnitKind.FLEET, number=1, place=garrison.place, troops=troops)
        room = storage(fleet, rules)
        voyages = sorted(self._voyages(fleet), key=lambda each: (-self._merit(each), len(each.on), each.target))
        for voyage in voyages[:TRIED]:
            if voyage.group is None:
                continue
            shares = self._crew(voyage.group, room)
            army = body(command, voyage.group, shares)
            if not shares or not self._likely(voyage.target, [army], _strength(command, shares)):
                continue
            new_id = command.form(garrison, UnitKind.FLEET, f"for {voyage.target}")
            lead = gather(command, voyage.group, shares, f"to land in {voyage.target}") if new_id else None
            if new_id is None or lead is None:
                return
            command.hand_over(garrison, new_id, ships)
            self._write(new_id, garrison.place, voyage, [lead])
            return


TRIED = 4
"""So many landings a fleet thinks about."""

NEAR_PORT = 2
"""From so many marches away our armies may take a port this turn."""

FAR_SEAS = 8
"""Seas that a fleet looks ahead for a way home."""


def _worth_aboard(command: Command, name: str) -> float:
    row = command.rules.troops[name]
    return troop_force(row).power * (100 + row.amphibious) / 100 / row.weight


def _strength(command: Command, shares: Shares) -> Force:
    total = Force()
    for troops in shares.values():
        for name, count in troops.items():
            total += troop_force(command.rules.troops[name], count)
    return total
