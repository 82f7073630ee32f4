"""Makes a game of any size at the density of Europe.

It has 23 realms, and for each unit of size 300 places, 400 units and 1,500 orders.

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
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path

from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import Ranks, Unit, UnitKind, World
from gm.resources import resource
from gm.store.folder import TURN, log_bytes

CODES = tuple(f"R{first}{second}" for first, second in product("ABCDEFGHIJ", repeat=2))
REALMS = 23
COLUMNS = 20
"""Of places."""
ROWS = 15
"""Of places, for a unit of size and as many realms as Europe has; a larger game has more rows."""
STRIP = 5
"""So many columns of places repeat: strips of land with seas between them."""
SEAS = {"mostly land": (4,), "mostly sea": (1, 2, 3, 4)}
"""Which columns of a strip are sea, by the kind of map."""
CELL_SIZE = 20
ARMIES = 9
"""Of each realm, for a unit of size."""
FLEETS = 3
"""The same."""
ANNEXED = 60
"""Provinces annexed to a realm at most, below the limit of royalty."""
INDEPENDENT = "IND"
FLEET: dict[str, Ranks] = {"Trading Cog": (2, 0, 0, 0, 0), "Medium Galley": (2, 0, 0, 0, 0)}
"""The troops of each fleet, by type and rank."""
ARMY: dict[str, Ranks] = {
    "Men-at-Arms": (3, 0, 0, 0, 0),
    "Archers": (0, 0, 0, 2, 0),
    "Heavy Cavalry": (0, 1, 0, 0, 0),
}
"""The troops of each army, by type and rank."""
Cell = tuple[int, int]
"""The (column, row) of a place."""


class Land:
    """The generated map: places by cell, owners, cities, and each realm's units with their places."""

    def __init__(self, size: int, kind: str = "mostly land", realms: int = REALMS) -> None:
        """Make a map. ``kind``: a key of ``SEAS``; ``realms``: how many of them."""
        self.size = size
        self.realms = CODES[:realms]
        self.name = f"generated-{size}-{kind.replace(' ', '-')}-{realms}"
        self.rows = round(ROWS * size * realms / REALMS)
        self.cells: dict[str, Cell] = {}
        for x, y in product(range(COLUMNS), range(self.rows)):
            place_kind = "Sea" if x % STRIP in SEAS[kind] else "Land"
            self.cells[f"{place_kind} {x}-{y}"] = (x, y)
        self.places = {cell: place for place, cell in self.cells.items()}
        provinces = [place for place in self.cells if not is_sea(place)]
        self.owners = {place: self._owner(*self.cells[place]) for place in provinces}
        own: dict[str, list[str]] = {realm: [] for realm in self.realms}
        for place, owner in self.owners.items():
            if owner != INDEPENDENT:
                own[owner].append(place)
        self.capitals = {own[realm][0]: realm for realm in self.realms}
        self.cities = {place for place in provinces if sum(self.cells[place]) % 3 == 0} | set(self.capitals)
        self.units = {realm: self._units(own[realm]) for realm in self.realms}

    def _owner(self, x: int, y: int) -> str:
        """Return the owner of a cell with land: one realm below the other on each strip.

        So the lands of a realm hang together. Every sixth land is independent.
        """
        if (x + 2 * y) % 6 == 5:
            return INDEPENDENT
        strips = COLUMNS // STRIP
        realms_of_strip = self.realms[x // STRIP :: strips]
        return realms_of_strip[y * len(realms_of_strip) // self.rows]

    def _units(self, own: list[str]) -> dict[str, str]:
        """Return the places of a realm's units, by unit; ``own``: the realm's provinces."""
        coast = [near for place in own for near in self.near(place) if is_sea(near)]
        seas = coast or [self.places[STRIP - 1, 0]]
        units = {}
        for number in range(ARMIES * self.size):
            units[f"A{number + 1}"] = own[number % len(own)]
        for number in range(FLEETS * self.size):
            units[f"F{number + 1}"] = seas[number % len(seas)]
        return units

    def near(self, place: str) -> list[str]:
        """Return the bordering places."""
        x, y = self.cells[place]
        around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [self.places[cell] for cell in around if cell in self.places]

    # -- files -----------------------------------------------------------------------------------------------

    def map_file(self) -> str:
        """Return the text of map.yaml."""
        lines = [
            f"schema: 1\nname: {self.name}\ntitle: Generated",
            f"size: [{COLUMNS * CELL_SIZE}, {self.rows * CELL_SIZE}]",
            "realms:",
        ]
        for place, realm in self.capitals.items():
            names = f"name: {realm.title()}ia, ruler: King, group: west"
            lines.append(f'  {realm}: {{{names}, capital: {place}, colour: "#888888"}}')
        lines.append("provinces:")
        lines += [self._place_line(place) for place in self.cells if not is_sea(place)]
        lines.append("seas:")
        lines += [self._place_line(place) for place in self.cells if is_sea(place)]
        lines.append("borders:")
        lines += self._border_lines()
        lines.append("outlines:")
        lines += [self._outline(place) for place in self.cells]
        return "\n".join(lines) + "\n"

    def _place_line(self, place: str) -> str:
        """Return the line of a place in map.yaml."""
        x, y = self.cells[place]
        half = CELL_SIZE // 2
        fields = f"label: [{x * CELL_SIZE + half}, {y * CELL_SIZE + half}]"
        if not is_sea(place):
            fields += ", revenue: 10"
        if place in self.cities:
            fields += f", city: {{name: {place}, resource: 4, region: west}}"
        return f"  {place}: {{{fields}}}"

    def _border_lines(self) -> Iterator[str]:
        """Yield the lines of the borders in map.yaml, each below the first of its two places."""
        for place, cell in self.cells.items():
            later = [near for near in self.near(place) if self.cells[near] > cell]
            if later:
                yield f"  {place}: [{', '.join(later)}]"

    def _outline(self, place: str) -> str:
        """Return the lines of a place's outline in map.yaml."""
        x, y = self.cells[place]
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        points = [f"{column * CELL_SIZE},{row * CELL_SIZE}" for column, row in corners]
        return f"  {place}:\n    - {' '.join(points)}"

    def start_file(self) -> str:
        """Return the text of start.yaml: every other realm is at war with the next."""
        wars = [f"[{first}, {second}]" for first, second in list(pairwise(self.realms))[::2]]
        lines = [f"schema: 1\nmap: {self.name}\ntitle: Generated\nwars: [{', '.join(wars)}]\nrealms:"]
        lines += [f"  {realm}: {{treasury: {500 * self.size}, status: royalty}}" for realm in self.realms]
        lines.append("provinces:")
        count_by_owner = dict.fromkeys((*self.realms, INDEPENDENT), 0)
        for place, owner in self.owners.items():
            count_by_owner[owner] += 1
            fields = self._start_fields(place, annexed=count_by_owner[owner] <= ANNEXED)
            lines.append(f"  {place}: {{{', '.join(fields)}}}")
        return "\n".join(lines) + "\n"

    def _start_fields(self, place: str, *, annexed: bool) -> Iterator[str]:
        """Yield the fields of a province in start.yaml; ``annexed``: whether it is, if it has an owner."""
        owner = self.owners[place]
        if owner != INDEPENDENT:
            yield f"owner: {owner}"
        if place in self.cities:
            yield "garrison: {Men-at-Arms: 2, Archers: {4: 2}}"
            if any(is_sea(near) for near in self.near(place)):
                yield "harbour: yes"
        if owner != INDEPENDENT and not annexed:
            yield "annexed: no"

    def orders_file(self, realm: str, key: str) -> str:
        """Return a realm's order file: work of every kind.

        Armies hold, march twice and pillage, fleets sail, cities recruit and build.
        """
        others = [other for other in self.realms[:4] if other != realm]
        lines = [
            f"orders: 1\ngame: generated\nrealm: {realm}\nturn: 1\nkey: {key}\nheadquarters:",
            f"  offer_peace: [{', '.join(others)}]",
            "units:",
        ]
        for place, owner in self.owners.items():
            if owner == realm and place in self.cities:
                work = "    recruit: {Men-at-Arms: 1, Archers: 1}\n    build: [fortification]"
                lines.append(f"  {place}:\n{work}")
        for number, (unit, place) in enumerate(self.units[realm].items()):
            lines.append(f"  {unit}:\n    retreat_level: {1 + number % 5}\n    plan:")
            lines += [f"      - {entry}" for entry in self._plan(unit, place, number)]
        return "\n".join(lines) + "\n"

    def _plan(self, unit: str, place: str, number: int) -> Iterator[str]:
        """Yield the entries of a unit's plan; ``number``: the unit's, counted from 0 within its realm."""
        path = [place]
        for step in range(2):
            around = [near for near in self.near(path[-1]) if is_sea(near) == is_sea(place)]
            path.append(around[(number + step) % len(around)])
        _, first_goal, second_goal = path
        if is_fleet(unit):
            yield f"sail: {first_goal}"
            yield f"sail: {second_goal}"
            return
        if number % 2:
            yield "hold"
        yield f"march: {first_goal}"
        yield f"march: {second_goal}"
        yield "pillage"

    # -- a game on it ----------------------------------------------------------------------------------------

    def write_game(self, scratch: Path) -> Path:
        """Write a game on this map with every realm's orders for turn 1 in; return its folder.

        Its folder and that of the map are made in ``scratch``.
        """
        map_folder = scratch / f"{self.name}-map"
        map_folder.mkdir()
        (map_folder / "map.yaml").write_text(self.map_file(), encoding="utf-8")
        (map_folder / "start.yaml").write_text(self.start_file(), encoding="utf-8")
        files = {name: text.encode() for name, text in self._text_files().items()}
        files |= dict(SPEC.map_files(map_folder))
        files["turns/turn-00/state.json"] = SPEC.snapshot.encode(SPEC.record(self._start(map_folder)))
        files["turns/turn-00/log.jsonl"] = b"".join(log_bytes("generated", 0))
        files["turns/turn-00/turn.json"] = TURN.encode({"turn": 0})
        game = scratch / self.name
        for name, data in files.items():
            path = game / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return game

    def _text_files(self) -> dict[str, str]:
        """Return the texts of the game's settings, players, rules and orders, by path."""
        numbers = resource("rules", "medieval", "numbers.yaml").read_text("utf-8")
        files = {
            "game.yaml": self._settings(),
            "players.yaml": self._players(),
            "rules/numbers.yaml": re.sub(r"number_limit: \d+", "number_limit: 99999", numbers),
        }
        for realm in self.realms:
            files[f"inbox/turn-01/{realm}.yaml"] = self.orders_file(realm, key_of(realm))
        return files

    def _start(self, map_folder: Path) -> World:
        """Return the position at the start, with all units."""
        world: World = SPEC.start(SPEC.shipped_table("", map_folder), map_folder, None)
        return world.with_units(self._placed_units())

    def _placed_units(self) -> Iterator[Unit]:
        """Yield the units of all realms."""
        for realm, units in self.units.items():
            for unit, place in units.items():
                yield Unit(
                    realm=realm,
                    kind=UnitKind(unit[0]),
                    number=int(unit[1:]),
                    place=place,
                    troops=FLEET if is_fleet(unit) else ARMY,
                )

    def _settings(self) -> str:
        """Return the text of game.yaml."""
        due = '{weekday: friday, time: "20:00", zone: UTC, first: "2100-01-01"}'
        return f"schema: 1\nid: generated\ngame: medieval\nmap: {self.name}\nseed: bench\ndeadline: {due}\n"

    def _players(self) -> str:
        """Return the text of players.yaml."""
        lines = [f"  - {{realm: {realm}, name: {realm}, key: {key_of(realm)}}}" for realm in self.realms]
        return "\n".join(["schema: 1\nplayers:", *lines]) + "\n"


def is_sea(place: str) -> bool:
    """Return whether a place is a sea."""
    return place.startswith("Sea")


def is_fleet(unit: str) -> bool:
    """Return whether a unit, such as ``F3``, is a fleet."""
    return unit.startswith("F")


def key_of(realm: str) -> str:
    """Return the key of a realm's player."""
    return f"key-of-{realm}"


def main() -> None:
    """Write the game that the command line describes and print its folder."""
    size, kind, folder, *rest = sys.argv[1:]
    realms = int(rest[0]) if rest else REALMS
    print(Land(int(size), kind, realms).write_game(Path(folder)))


if __name__ == "__main__":
    main()
