"""Orders for all realms of any map: each realm orders something in every section, all together every kind of
order.

The same world gives the same orders. They are sensible where that is easy and refused where it is not: a turn
has to cope with both. The second turn's orders use what the first has made (armies, fleets, commanders).

``python -m bench.europe GAME FOLDER`` begins a game on Europe with a player for every realm, and writes the
orders of all into FOLDER.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
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


def order_file(world: World, atlas: Atlas, rules: Rules, realm: str, game: str, key: str) -> str:
    """A realm's orders for the next turn, as the text of an order file (JSON, which is YAML too)."""
    orders = _Orders(world, atlas, rules, realm)
    head = {"orders": 1, "game": game, "realm": realm, "turn": world.turn + 1, "key": key}
    return json.dumps(
        head | {"headquarters": orders.headquarters(), "units": orders.units()}, ensure_ascii=False, indent=1
    )


class _Orders:
    """What one realm orders.

    ``number`` is its place among all realms: it decides who orders the rarer things.
    """

    def __init__(self, world: World, atlas: Atlas, rules: Rules, realm: str) -> None:
        self.world, self.atlas, self.rules, self.realm = world, atlas, rules, realm
        codes = sorted(world.realms)
        self.number = codes.index(realm)
        self.others = [codes[(self.number + step) % len(codes)] for step in range(1, len(codes))]
        self.home = [province.name for province in world.owned_by(realm)]
        self.own = world.of_realm(realm)
        self.commanders = [commander.name for unit in self.own for commander in unit.commanders]

    # -- headquarters ----------------------------------------------------------------------------------------

    def headquarters(self) -> Section:
        first, second, third, fourth = self.others[:4]
        province = self.home[-1]
        orders: Section = {
            "accept_gifts": [first],
            "grant_passage": [second],
            "grant_permission": {province: [third]},
            "send_ambassador": [first, second],
            "send_gold": {self.others[-1]: "1.50"},
            "annex": [name for name in self.home if self.world.provinces[name].annexed_to != self.realm][:2],
            "proclamation": f"{self.realm} greets all of Europe.",
            "offer_alliance": [first, self.others[-1]],
        }
        if self.number % 4 == 0:
            orders["declare_war"] = [fourth]
        if self.number % 4 == 1:
            orders["refuse_gifts"] = [fourth]
            orders["revoke_passage"] = [second]
            orders["revoke_permission"] = {province: [third]}
        if self.world.turn:
            orders["offer_peace"] = [other for other in self.others if self.world.at_war(self.realm, other)]
            orders["cancel_alliance"] = [first]
            if self.number == 2:
                orders["give_province"] = {province: first}
            if self.number == 3:
                orders["cede_province"] = [province]
        for name in self.commanders[:1]:
            orders["rename_commander"] = {
                name: f"{name} {'the Elder' if self.world.turn == 1 else 'the Old'}"[:40]
            }
        return {name: value for name, value in orders.items() if value}

    # -- units -----------------------------------------------------------------------------------------------

    def units(self) -> Section:
        taken = {unit.id for unit in self.own}
        free = iter(
            number for number in range(1, 99) if f"A{number}" not in taken and f"F{number}" not in taken
        )
        orders: Section = {}
        for unit in self.own:
            if unit.is_garrison:
                orders[unit.place] = self._garrison(unit)
                orders |= self._marching_out(unit, orders[unit.place], next(free))
            elif unit.is_army:
                orders[unit.id] = self._army(unit)
            else:
                orders[unit.id] = {"retreat_level": 4, "plan": self._voyage(unit.place, 1)}
        return orders

    def _garrison(self, unit: Unit) -> Section:
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
        """Half of a garrison becomes an army and its ships a fleet; both set out."""
        soldiers = {
            name: sum(ranks) for name, ranks in garrison.troops.items() if not self.rules.troops[name].ship
        }
        ships = {name: sum(ranks) for name, ranks in garrison.troops.items() if self.rules.troops[name].ship}
        leaving = {name: (count + 1) // 2 for name, count in soldiers.items() if count > 1}
        formed: dict[str, str] = {}
        plan: list[object] = []
        units: Section = {}
        army, fleet = f"A{number}", f"F{number}"
        if leaving:
            formed[army] = f"Army of {garrison.place}"
            hired = [commander.name for commander in garrison.commanders[1:]]
            plan.append(
                {"transfer": {"to": army, "troops": leaving, **({"commanders": hired} if hired else {})}}
            )
            front = next(iter(leaving))
            units[army] = {
                "retreat_level": 4,
                "ranks": {front: {"2": 1}},
                "plan": self._march(garrison.place),
            }
        if ships:
            formed[fleet] = f"Ships of {garrison.place}"
            plan.append({"transfer": {"to": fleet, "troops": ships}})
            units[fleet] = {"plan": self._voyage(garrison.place, self.number % 3)}
            if leaving and self.number % 2:
                units[army]["plan"] = []
                units[fleet]["plan"] = self._landing(garrison.place, army)
            elif leaving:
                units[army]["plan"] = [{"board": self.others[0]}]
        if self.number % 3 == 0:
            plan.append("pillage")
        if formed:
            orders["form"] = formed
        if plan:
            orders["plan"] = plan
        return {name: {word: value for word, value in unit.items() if value} for name, unit in units.items()}

    def _army(self, unit: Unit) -> Section:
        front = next(iter(unit.troops), None)
        mates = [
            other.id
            for other in self.own
            if other.is_army and other.id != unit.id and other.place == unit.place
        ]
        orders: Section = {
            "name": f"Veterans of {unit.place}",
            "retreat_level": 3,
            "follow": mates[0] if mates else None,
            "marines": self.number % 2 == 0,
            "defend_fortifications": self.number % 3 > 0,
            "raze": ["fortification"] if self.number % 5 == 1 else None,
            "build": ["fortification"] if self.number % 5 == 2 else None,
            "disband": {front: 1} if front and unit.number % 4 == 0 else None,
            "plan": self._march(unit.place),
        }
        return {word: value for word, value in orders.items() if value is not None}

    # -- plans -----------------------------------------------------------------------------------------------

    def _march(self, place: str) -> list[object]:
        around = self.atlas.open_neighbours(place, sea=False)
        prey = [name for name in around if self.world.provinces[name].owner == INDEPENDENTS]
        goal = next(iter((*prey, *around)), None)
        if goal is None:
            return ["hold"]
        onward = [name for name in self.atlas.open_neighbours(goal, sea=False) if name != place]
        plan: list[object] = [{"march": goal}, *({"march": name} for name in onward[:1])]
        return ["hold", *plan, "pillage"] if self.number % 2 else plan

    def _voyage(self, place: str, turning: int) -> list[object]:
        return [{"sail": sea} for sea in self._course(place, turning)] or ["hold"]

    def _course(self, place: str, turning: int) -> Iterator[str]:
        at, seen = place, {place}
        for _ in range(2):
            seas = [sea for sea in self.atlas.open_neighbours(at, sea=True) if sea not in seen]
            if not seas:
                return
            at = seas[turning % len(seas)]
            seen.add(at)
            yield at

    def _landing(self, place: str, army: str) -> list[object]:
        """Take the army aboard, sail out, and put it ashore on independent land if there is any."""
        seas = list(self._course(place, 0))[:1]
        shores = self.atlas.open_neighbours(seas[0], sea=False) if seas else ()
        prey = [name for name in shores if self.world.provinces[name].owner == INDEPENDENTS]
        landing = [{"unload": {army: prey[0]}}] if prey else []
        return [{"load": [army]}, *({"sail": sea} for sea in seas), *landing]


def main() -> None:
    """Begin the game and write the order files."""
    made, folder = Path(sys.argv[1]), Path(sys.argv[2])
    table = SPEC.shipped_table(MAP)
    start = SPEC.start(table, SPEC.maps()[MAP], None)
    seats = [
        option for realm in start.realms for option in ("--player", f"{realm}={realm} <{realm}@example.org>")
    ]
    once(gm("new", made, "--map", MAP, "--id", "europe", "--seed", "bench", *seats))
    game = GameFolder(made)
    folder.mkdir()
    for player in game.players.players:
        text = order_file(start, table.board, table.rules, player.realm, game.settings.id, player.key_for(1))
        (folder / f"{player.realm}.yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
