"""A game of any size at the density of Europe: 23 realms, and per unit of size 300 places, 400 units, 1,500
orders.

Either the number of realms stays the same, and their lands, units and orders grow; or there are more realms
or fewer, each with as much as one of Europe (:mod:`bench.exponents`). The game's folder is made here and not
by ``pbem new``, whose pages of a start of that size nobody would read; its rules allow a realm as many units
as it takes.

``python -m bench.generated SIZE KIND FOLDER [REALMS]`` makes one in FOLDER and prints where: in a process of
its own, as the memory of whoever starts a command counts in that of the command.
"""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from pathlib import Path

from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import Ranks, Unit, UnitKind, World
from gm.resources import resource
from gm.store.folder import TURN, log_bytes

CODES = tuple(f"R{first}{second}" for first in "ABCDEFGHIJ" for second in "ABCDEFGHIJ")
REALMS = 23
COLUMNS, ROWS = 20, 15
"""Of places, for a unit of size and as many realms; a larger game has more rows."""
STRIP = 5
"""So many columns of places repeat: strips of land with seas between them."""
SEAS = {"mostly land": (4,), "mostly sea": (1, 2, 3, 4)}
"""Which columns of a strip are sea, by the kind of map."""
CELL = 20
ARMIES, FLEETS = 9, 3
"""For each realm and unit of size."""
ANNEXED = 60
"""Provinces annexed to a realm at most, below the limit of royalty."""


class Land:
    """The generated map: places by (column, row), owners, cities, and each realm's units with their
    places.
    """

    def __init__(self, size: int, kind: str = "mostly land", realms: int = REALMS) -> None:
        self.size = size
        self.realms = CODES[:realms]
        self.name = f"generated-{size}-{kind.replace(' ', '-')}-{realms}"
        seas = SEAS[kind]
        self.rows = round(ROWS * size * realms / REALMS)
        cells = [(x, y) for x in range(COLUMNS) for y in range(self.rows)]
        self.at = {f"{'Sea' if x % STRIP in seas else 'Land'} {x}-{y}": (x, y) for x, y in cells}
        self.names = {cell: name for name, cell in self.at.items()}
        lands = [name for name in self.at if name.startswith("Land")]
        self.owners = {name: self._owner(*self.at[name]) for name in lands}
        own = {realm: [name for name in lands if self.owners[name] == realm] for realm in self.realms}
        self.capitals = {own[realm][0]: realm for realm in self.realms}
        self.cities = {name for name in lands if sum(self.at[name]) % 3 == 0} | set(self.capitals)
        self.units = {realm: self._units(own[realm]) for realm in self.realms}

    def _owner(self, x: int, y: int) -> str:
        """One realm below the other on each strip, so that its lands hang together.

        Every sixth land is independent.
        """
        strips = COLUMNS // STRIP
        here = self.realms[x // STRIP :: strips]
        return "IND" if (x + 2 * y) % 6 == 5 else here[y * len(here) // self.rows]

    def _units(self, own: list[str]) -> dict[str, str]:
        near = [sea for name in own for sea in self.near(name) if sea.startswith("Sea")]
        near = near or [self.names[STRIP - 1, 0]]
        armies = {f"A{n + 1}": own[n % len(own)] for n in range(ARMIES * self.size)}
        return armies | {f"F{n + 1}": near[n % len(near)] for n in range(FLEETS * self.size)}

    def near(self, place: str) -> list[str]:
        """The bordering places."""
        x, y = self.at[place]
        around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [self.names[cell] for cell in around if cell in self.names]

    # -- files -----------------------------------------------------------------------------------------------

    def map_file(self) -> str:
        """map.yaml."""
        title = f"schema: 1\nname: {self.name}\ntitle: Generated"
        lines = [title, f"size: [{COLUMNS * CELL}, {self.rows * CELL}]", "realms:"]
        for place, realm in self.capitals.items():
            names = f"name: {realm.title()}ia, ruler: King, group: west"
            lines.append(f'  {realm}: {{{names}, capital: {place}, colour: "#888888"}}')
        for section, kind in (("provinces", "Land"), ("seas", "Sea")):
            lines.append(f"{section}:")
            for name, (x, y) in self.at.items():
                if name.startswith(kind):
                    city = (
                        f", city: {{name: {name}, resource: 4, region: west}}" if name in self.cities else ""
                    )
                    worth = ", revenue: 10" if kind == "Land" else ""
                    label = f"[{x * CELL + CELL // 2}, {y * CELL + CELL // 2}]"
                    lines.append(f"  {name}: {{label: {label}{worth}{city}}}")
        lines.append("borders:")
        for name, cell in self.at.items():
            after = [other for other in self.near(name) if self.at[other] > cell]
            if after:
                lines.append(f"  {name}: [{', '.join(after)}]")
        lines.append("outlines:")
        for name, (x, y) in self.at.items():
            corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
            lines.append(f"  {name}:\n    - {' '.join(f'{a * CELL},{b * CELL}' for a, b in corners)}")
        return "\n".join(lines) + "\n"

    def start_file(self) -> str:
        """start.yaml: every other realm is at war with the next."""
        wars = [f"[{a}, {b}]" for number, (a, b) in enumerate(pairwise(self.realms)) if number % 2 == 0]
        lines = [f"schema: 1\nmap: {self.name}\ntitle: Generated\nwars: [{', '.join(wars)}]\nrealms:"]
        lines += [f"  {realm}: {{treasury: {500 * self.size}, status: royalty}}" for realm in self.realms]
        lines.append("provinces:")
        annexed = dict.fromkeys((*self.realms, "IND"), 0)
        for place, owner in self.owners.items():
            annexed[owner] += 1
            told = [f"owner: {owner}"] if owner != "IND" else []
            if place in self.cities:
                told.append("garrison: {Men-at-Arms: 2, Archers: {4: 2}}")
            if place in self.cities and any(sea.startswith("Sea") for sea in self.near(place)):
                told.append("harbour: yes")
            if owner != "IND" and annexed[owner] > ANNEXED:
                told.append("annexed: no")
            lines.append(f"  {place}: {{{', '.join(told)}}}")
        return "\n".join(lines) + "\n"

    def orders_file(self, realm: str, key: str) -> str:
        """Orders of every kind of work: armies hold, march twice and pillage, fleets sail, cities recruit
        and build.
        """
        lines = [f"orders: 1\ngame: generated\nrealm: {realm}\nturn: 1\nkey: {key}\nheadquarters:"]
        lines.append(f"  offer_peace: [{', '.join(other for other in self.realms[:4] if other != realm)}]")
        lines.append("units:")
        for place, owner in self.owners.items():
            if owner == realm and place in self.cities:
                lines.append(
                    f"  {place}:\n    recruit: {{Men-at-Arms: 1, Archers: 1}}\n    build: [fortification]"
                )
        for number, (unit, place) in enumerate(self.units[realm].items()):
            path = [place]
            for step in range(2):
                around = [other for other in self.near(path[-1]) if other[:3] == place[:3]]
                path.append(around[(number + step) % len(around)])
            word = "sail" if unit[0] == "F" else "march"
            plan = [f"{word}: {path[1]}", f"{word}: {path[2]}"]
            if word == "march":
                plan = [*(["hold"] if number % 2 else []), *plan, "pillage"]
            lines.append(f"  {unit}:\n    retreat_level: {1 + number % 5}\n    plan:")
            lines += [f"      - {entry}" for entry in plan]
        return "\n".join(lines) + "\n"

    def troops(self, unit: str) -> dict[str, Ranks]:
        """Who is in a unit, by rank."""
        if unit[0] == "F":
            return {"Trading Cog": (2, 0, 0, 0, 0), "Medium Galley": (2, 0, 0, 0, 0)}
        return {"Men-at-Arms": (3, 0, 0, 0, 0), "Archers": (0, 0, 0, 2, 0), "Heavy Cavalry": (0, 1, 0, 0, 0)}

    # -- a game on it ----------------------------------------------------------------------------------------

    def found(self, scratch: Path) -> Path:
        """The folder of a game on this map with every realm's orders for turn 1 in.

        ``scratch`` is anywhere.
        """
        drawn, folder = scratch / f"{self.name}-map", scratch / self.name
        drawn.mkdir()
        (drawn / "map.yaml").write_text(self.map_file(), encoding="utf-8")
        (drawn / "start.yaml").write_text(self.start_file(), encoding="utf-8")
        numbers = resource("rules", "medieval", "numbers.yaml").read_text("utf-8")
        allowed = re.sub(r"number_limit: \d+", "number_limit: 99999", numbers)
        text = {
            "game.yaml": self._settings(),
            "players.yaml": self._players(),
            "rules/numbers.yaml": allowed,
            **{
                f"inbox/turn-01/{realm}.yaml": self.orders_file(realm, self._key(realm))
                for realm in self.realms
            },
        }
        files = {name: said.encode() for name, said in text.items()} | dict(SPEC.map_files(drawn))
        files["turns/turn-00/state.json"] = SPEC.snapshot.encode(SPEC.record(self._start(drawn)))
        files["turns/turn-00/log.jsonl"] = b"".join(log_bytes("generated", 0))
        files["turns/turn-00/turn.json"] = TURN.encode({"turn": 0})
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        return folder

    def _start(self, drawn: Path) -> World:
        world: World = SPEC.start(SPEC.shipped_table("", drawn), drawn, None)
        return world.with_units(
            Unit(
                realm=realm,
                kind=UnitKind(unit[0]),
                number=int(unit[1:]),
                place=place,
                troops=self.troops(unit),
            )
            for realm, units in self.units.items()
            for unit, place in units.items()
        )

    def _settings(self) -> str:
        due = '{weekday: friday, time: "20:00", zone: UTC, first: "2100-01-01"}'
        return f"schema: 1\nid: generated\ngame: medieval\nmap: {self.name}\nseed: bench\ndeadline: {due}\n"

    def _players(self) -> str:
        players = (f"  - {{realm: {realm}, name: {realm}, key: {self._key(realm)}}}" for realm in self.realms)
        return "schema: 1\nplayers:\n" + "\n".join(players) + "\n"

    def _key(self, realm: str) -> str:
        return f"key-of-{realm}"


if __name__ == "__main__":
    number = int(sys.argv[4]) if len(sys.argv) > 4 else REALMS
    print(Land(int(sys.argv[1]), sys.argv[2], number).found(Path(sys.argv[3])))
