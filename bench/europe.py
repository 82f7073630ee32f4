"""Writes orders for all realms of any map.

Each realm orders something in every section, all together every kind of order. The same world gives the same
orders. They are sensible where that is easy and refused where it is not: a turn has to cope with both. The
second turn's orders use what the first has made (armies, fleets, commanders).

``python -m bench.europe GAME FOLDER`` begins a game on Europe with a player for every realm, and writes the
orders of all into FOLDER.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.timing import gm, once
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import INDEPENDENTS, Unit, World
from gm.store.folder import GameFolder

MAP = "europe-1320"
Section = dict[str, Any]
"""A part of an order file: values by word."""
NAME_LENGTH = 40
"""Letters that a name may have at most."""
UNIT_NUMBERS = range(1, 99)
"""Those that units may be formed with."""


def order_file(world: World, atlas: Atlas, rules: Rules, realm: str, game: str, key: str) -> str:
    """Return a realm's orders for the next turn, as the text of an order file (JSON, which is YAML too).

    ``game``: its name; ``key``: that of the realm's player.
    """
    orders = _Orders(world, atlas, rules, realm)
    sheet = {
        "orders": 1,
        "game": game,
        "realm": realm,
        "turn": world.turn + 1,
        "key": key,
        "headquarters": orders.headquarters(),
        "units": orders.units(),
    }
    return json.dumps(sheet, ensure_ascii=False, indent=1)


class _Orders:
    """What one realm orders.

    ``number`` is its place among all realms: it decides who orders the rarer things.
    """

    def __init__(self, world: World, atlas: Atlas, rules: Rules, realm: str) -> None:
        self.world = world
        self.atlas = atlas
        self.rules = rules
        self.realm = realm
        codes = sorted(world.realms)
        self.number = codes.index(realm)
        self.others = codes[self.number + 1 :] + codes[: self.number]
        self.home = [province.name for province in world.owned_by(realm)]
        self.own = world.of_realm(realm)
        self.commanders: list[str] = []
        for unit in self.own:
            self.commanders += [commander.name for commander in unit.commanders]

    # -- headquarters ----------------------------------------------------------------------------------------

    def headquarters(self) -> Section:
        """Return the orders of the section ``headquarters``."""
        orders = self._usual_orders() | self._rarer_orders()
        if self.world.turn:
            orders |= self._later_orders()
        for name in self.commanders[:1]:
            title = "the Elder" if self.world.turn == 1 else "the Old"
            orders["rename_commander"] = {name: f"{name} {title}"[:NAME_LENGTH]}
        return _without_empty(orders)

    def _usual_orders(self) -> Section:
        """Return what every realm orders in every turn."""
        first, second, third = self.others[:3]
        last = self.others[-1]
        provinces = self.world.provinces
        not_annexed = [name for name in self.home if provinces[name].annexed_to != self.realm]
        return {
            "accept_gifts": [first],
            "grant_passage": [second],
            "grant_permission": {self.home[-1]: [third]},
            "send_ambassador": [first, second],
            "send_gold": {last: "1.50"},
            "annex": not_annexed[:2],
            "proclamation": f"{self.realm} greets all of Europe.",
            "offer_alliance": [first, last],
        }

    def _rarer_orders(self) -> Section:
        """Return what only some realms order, in every turn."""
        _, second, third, fourth = self.others[:4]
        if self.number % 4 == 0:
            return {"declare_war": [fourth]}
        if self.number % 4 == 1:
            return {
                "refuse_gifts": [fourth],
                "revoke_passage": [second],
                "revoke_permission": {self.home[-1]: [third]},
            }
        return {}

    def _later_orders(self) -> Section:
        """Return what is ordered from the second turn on."""
        first = self.others[0]
        enemies = [other for other in self.others if self.world.at_war(self.realm, other)]
        orders: Section = {"offer_peace": enemies, "cancel_alliance": [first]}
        if self.number == 2:
            orders["give_province"] = {self.home[-1]: first}
        if self.number == 3:
            orders["cede_province"] = [self.home[-1]]
        return orders

    # -- units -----------------------------------------------------------------------------------------------

    def units(self) -> Section:
        """Return the orders of the section ``units``, those of units that are formed included."""
        free_numbers = self._free_numbers()
        orders: Section = {}
        for unit in self.own:
            if unit.is_garrison:
                garrison_orders = self._garrison(unit)
                orders[unit.place] = garrison_orders
                orders |= self._marching_out(unit, garrison_orders, next(free_numbers))
            elif unit.is_army:
                orders[unit.id] = self._army(unit)
            else:
                orders[unit.id] = {"retreat_level": 4, "plan": self._voyage(unit.place, 1)}
        return orders

    def _free_numbers(self) -> Iterator[int]:
        """Yield the numbers that neither an army nor a fleet of the realm has."""
        taken = {unit.id for unit in self.own}
        for number in UNIT_NUMBERS:
            if taken.isdisjoint((f"A{number}", f"F{number}")):
                yield number

    def _garrison(self, unit: Unit) -> Section:
        """Return a garrison's orders, without its plan and the units that it forms."""
        orders: Section = {"name": f"Guard of {unit.place}"}
        city = self.atlas.city(unit.place)
        if city:
            orders["recruit"] = {city.recruits[self.number % 3]: 2, city.recruits[-1]: 1}
            orders["build"] = ["fortification", "production area"]
        if self.atlas.locations[unit.place].capital_of == self.realm:
            orders["hire_commander"] = 1
            orders["repair"] = True
        elif self.number % 5 == 0:
            orders["raze"] = ["harbour"]
        if unit.leader is None and unit.commanders:
            orders["leader"] = unit.commanders[0].name
        if len(self.commanders) > 1 and self.number % 6 == 0:
            orders["disband_commanders"] = [self.commanders[-1]]
        return orders

    def _marching_out(self, garrison: Unit, orders: Section, number: int) -> Section:
        """Make an army of half of a garrison and a fleet of its ships; return their orders, by unit.

        ``orders`` are the garrison's, to which its plan and the units that it forms are added; ``number``:
        that of both units.
        """
        army = f"A{number}"
        fleet = f"F{number}"
        soldiers, ships = self._soldiers_and_ships(garrison)
        leaving = {name: (count + 1) // 2 for name, count in soldiers.items() if count > 1}
        formed: dict[str, str] = {}
        plan: list[object] = []
        units: Section = {}
        if leaving:
            formed[army] = f"Army of {garrison.place}"
            plan.append(_army_transfer(garrison, army, leaving))
            units[army] = self._formed_army(garrison.place, leaving)
        if ships:
            formed[fleet] = f"Ships of {garrison.place}"
            plan.append({"transfer": {"to": fleet, "troops": ships}})
            units[fleet] = {"plan": self._voyage(garrison.place, self.number % 3)}
        if leaving and ships:
            self._sail_together(garrison.place, army, units[army], units[fleet])
        if self.number % 3 == 0:
            plan.append("pillage")
        if formed:
            orders["form"] = formed
        if plan:
            orders["plan"] = plan
        return {name: _without_empty(unit_orders) for name, unit_orders in units.items()}

    def _soldiers_and_ships(self, unit: Unit) -> tuple[dict[str, int], dict[str, int]]:
        """Return how many soldiers and how many ships a unit has, by type."""
        soldiers: dict[str, int] = {}
        ships: dict[str, int] = {}
        for name, ranks in unit.troops.items():
            counts = ships if self.rules.troops[name].ship else soldiers
            counts[name] = sum(ranks)
        return soldiers, ships

    def _formed_army(self, place: str, troops: Mapping[str, int]) -> Section:
        """Return the orders of an army that a garrison forms of these troops."""
        front = next(iter(troops))
        return {"retreat_level": 4, "ranks": {front: {"2": 1}}, "plan": self._march(place)}

    def _sail_together(self, place: str, army: str, army_orders: Section, fleet_orders: Section) -> None:
        """Put an army on ships in its orders: on the fleet's of the same garrison, or on another realm's."""
        if self.number % 2:
            army_orders["plan"] = []
            fleet_orders["plan"] = self._landing(place, army)
        else:
            army_orders["plan"] = [{"board": self.others[0]}]

    def _army(self, unit: Unit) -> Section:
        """Return an army's orders."""
        front = next(iter(unit.troops), None)
        orders: Section = {"name": f"Veterans of {unit.place}", "retreat_level": 3}
        leader = self._army_beside(unit)
        if leader is not None:
            orders["follow"] = leader.id
        orders["marines"] = self.number % 2 == 0
        orders["defend_fortifications"] = self.number % 3 > 0
        if self.number % 5 == 1:
            orders["raze"] = ["fortification"]
        if self.number % 5 == 2:
            orders["build"] = ["fortification"]
        if front and unit.number % 4 == 0:
            orders["disband"] = {front: 1}
        orders["plan"] = self._march(unit.place)
        return orders

    def _army_beside(self, unit: Unit) -> Unit | None:
        """Return the first other army of the realm in an army's place, if there is any."""
        for other in self.own:
            if other.is_army and other.id != unit.id and other.place == unit.place:
                return other
        return None

    # -- plans -----------------------------------------------------------------------------------------------

    def _march(self, place: str) -> list[object]:
        """Return a plan of two marches, to independent land first if there is any beside."""
        around = self.atlas.open_neighbours(place, sea=False)
        goal = next(iter((*self._independent(around), *around)), None)
        if goal is None:
            return ["hold"]
        onward = [name for name in self.atlas.open_neighbours(goal, sea=False) if name != place]
        plan: list[object] = [{"march": goal}]
        plan += [{"march": name} for name in onward[:1]]
        return ["hold", *plan, "pillage"] if self.number % 2 else plan

    def _independent(self, places: Iterable[str]) -> list[str]:
        """Return those of some provinces that are independent."""
        return [name for name in places if self.world.provinces[name].owner == INDEPENDENTS]

    def _voyage(self, place: str, turning: int) -> list[object]:
        """Return a plan of two voyages; ``turning``: see :meth:`_course`."""
        return [{"sail": sea} for sea in self._course(place, turning)] or ["hold"]

    def _course(self, place: str, turning: int) -> Iterator[str]:
        """Yield up to two seas on a way from a place, none twice.

        ``turning``: which of the seas that could be next is taken, counted round and round.
        """
        seen = {place}
        for _ in range(2):
            seas = [sea for sea in self.atlas.open_neighbours(place, sea=True) if sea not in seen]
            if not seas:
                return
            place = seas[turning % len(seas)]
            seen.add(place)
            yield place

    def _landing(self, place: str, army: str) -> list[object]:
        """Return a plan to take an army aboard, sail out, and put it ashore on independent land if any."""
        plan: list[object] = [{"load": [army]}]
        sea = next(self._course(place, 0), None)
        if sea is None:
            return plan
        plan.append({"sail": sea})
        shores = self._independent(self.atlas.open_neighbours(sea, sea=False))
        if shores:
            plan.append({"unload": {army: shores[0]}})
        return plan


def _army_transfer(garrison: Unit, army: str, troops: Mapping[str, int]) -> Section:
    """Return the order that hands troops and all of a garrison's commanders but the first over to an army."""
    transfer: Section = {"to": army, "troops": troops}
    commanders = [commander.name for commander in garrison.commanders[1:]]
    if commanders:
        transfer["commanders"] = commanders
    return {"transfer": transfer}


def _without_empty(orders: Section) -> Section:
    """Return orders without those that say nothing."""
    return {word: value for word, value in orders.items() if value}


def main() -> None:
    """Begin the game and write the order files."""
    game_folder = Path(sys.argv[1])
    orders_folder = Path(sys.argv[2])
    table = SPEC.shipped_table(MAP)
    start = SPEC.start(table, SPEC.maps()[MAP], None)
    seats = []
    for realm in start.realms:
        seats += ["--player", f"{realm}={realm} <{realm}@example.org>"]
    once(gm("new", game_folder, "--map", MAP, "--id", "europe", "--seed", "bench", *seats))
    game = GameFolder(game_folder)
    orders_folder.mkdir()
    for player in game.players.players:
        key = player.key_for(1)
        text = order_file(start, table.board, table.rules, player.realm, game.settings.id, key)
        (orders_folder / f"{player.realm}.yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
