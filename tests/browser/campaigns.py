"""Orders of many players on any map: plans that a player might well make, and some that nobody should.

``orders(world, atlas, rules, realm, chance)`` gives the text of an order file, without its header; the same
chance gives the same file.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any, TypeVar

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import INDEPENDENTS, Unit, World
from tests.medieval.order_files import quoted, yaml_lines

T = TypeVar("T")

DIPLOMACY = (
    "declare_war",
    "refuse_gifts",
    "accept_gifts",
    "grant_passage",
    "revoke_passage",
    "send_ambassador",
    "offer_peace",
    "cancel_alliance",
    "offer_alliance",
)
STRUCTURES = ("fortification", "harbour", "production area")


def orders(world: World, atlas: Atlas, rules: Rules, realm: str, chance: Random) -> str:
    """One realm's orders for the next turn."""
    player = _Player(world, atlas, rules, realm, chance)
    units = player.units()
    return "\n".join(yaml_lines({"headquarters": player.headquarters(), "units": units})) + "\n"


class _Player:
    def __init__(self, world: World, atlas: Atlas, rules: Rules, realm: str, chance: Random) -> None:
        self.world = world
        self.atlas = atlas
        self.rules = rules
        self.realm = realm
        self.chance = chance
        self.own = world.of_realm(realm)
        self.home = [land.name for land in world.owned_by(realm)]
        self.others = [code for code in world.realms if code != realm]
        commanders = chain.from_iterable(unit.commanders for unit in self.own)
        self.commanders = [commander.name for commander in commanders]
        self.taken = {unit.id for unit in self.own}
        self.formed: dict[str, tuple[str, dict[str, int]]] = {}
        """The units that the file forms: where, and with whom."""

    def often(self, percent: int) -> bool:
        return self.chance.randrange(100) < percent

    def one(self, usual: Sequence[T], odd: Sequence[T] = ()) -> T:
        """One of ``usual``, now and then of ``odd``."""
        return self.chance.choice(odd if odd and (not usual or self.often(12)) else usual)

    # -- headquarters ----------------------------------------------------------------------------------------

    def headquarters(self) -> dict[str, Any]:
        orders = dict(self._headquarters())
        return {name: value for name, value in orders.items() if value}

    def _headquarters(self) -> Iterator[tuple[str, Any]]:
        """Yield orders of headquarters, as (word, value); a value may be empty."""
        yield from self._diplomacy()
        yield from self._permissions()
        if self.often(30):
            receiver = self.one(self.others)
            yield "send_gold", {receiver: f"{self.chance.randint(0, 60)}.{self.chance.randint(10, 99)}"}
        yield from self._lands()
        if self.often(30):
            yield "proclamation", quoted("Peace and good wine to all.")
        if self.commanders and self.often(50):
            yield "rename_commander", {quoted(self.one(self.commanders)): quoted("Sir Ruprecht")}

    def _diplomacy(self) -> Iterator[tuple[str, Any]]:
        """Yield orders about one or two other realms, as (word, codes)."""
        for word in DIPLOMACY:
            if self.often(20):
                yield word, self.chance.sample(self.others, min(len(self.others), self.chance.randint(1, 2)))

    def _permissions(self) -> Iterator[tuple[str, Any]]:
        """Yield permissions that are given and taken, as (word, realms by province)."""
        for word in ("grant_permission", "revoke_permission"):
            if self.often(20):
                yield word, {self.one(self.home, self.atlas.provinces): [self.one(self.others)]}

    def _lands(self) -> Iterator[tuple[str, Any]]:
        """Yield orders about provinces of the realm, now and then about those of others, as (word, value)."""
        provinces = self.atlas.provinces
        if self.often(60):
            idle = [name for name in self.home if self.world.provinces[name].annexed_to != self.realm]
            yield "annex", list(dict.fromkeys(self.one(idle or self.home, provinces) for _ in range(2)))
        if self.often(10):
            yield "give_province", {self.one(self.home, provinces): self.one(self.others)}
        if self.often(10):
            yield "cede_province", [self.one(self.home, provinces)]

    # -- units -----------------------------------------------------------------------------------------------

    def units(self) -> dict[str, Any]:
        orders: dict[str, Any] = {}
        for unit in self.own:
            if unit.is_garrison:
                name = unit.place if self.often(60) else unit.id
                orders[name] = self._garrison(unit)
        for unit in self.own:
            if not unit.is_garrison:
                orders[unit.id] = {**self._choices(unit), **self._works(unit)}
                orders[unit.id]["plan"] = (
                    self._fleet(unit.id, unit.place, unit) if unit.is_fleet else self._army(unit.place)
                )
        for name, (place, _) in self.formed.items():
            orders[name] = {"plan": self._army(place) if name[0] == "A" else self._fleet(name, place, None)}
        return {name: said for name, said in orders.items() if any(said.values())}

    def _garrison(self, unit: Unit) -> dict[str, Any]:
        """Return what a garrison is ordered to build, hire and recruit."""
        said: dict[str, Any] = {}
        city = self.atlas.city(unit.place)
        if city is not None and self.often(60):
            recruits = self.chance.sample(city.recruits, min(len(city.recruits), self.chance.randint(1, 3)))
            said["recruit"] = {troop: self.chance.randint(1, 6) for troop in recruits}
            if self.often(10):
                said["recruit"][self.one(list(self.rules.troops))] = 1
        if self.often(8):
            said["hire_commander"] = self.chance.randint(1, 2)
        said |= self._works(unit)
        said["plan"] = []
        if unit.troops and self.often(60):
            for letter in ("A", "F"):
                entry = self._sally(unit, letter, said)
                if entry is not None:
                    said["plan"].append(entry)
        if self.often(5):
            said["plan"].append(self.one(("pillage", "hold")))
        return said

    def _sally(self, unit: Unit, letter: str, said: dict[str, Any]) -> Any | None:
        """A new army, or a new fleet, with some of the garrison's troops."""
        fitting = [name for name in unit.troops if self.rules.troops[name].ship == (letter == "F")]
        if not fitting:
            return None
        number = next(n for n in range(1, 100) if f"{letter}{n}" not in self.taken)
        name = f"{letter}{number}"
        self.taken.add(name)
        said.setdefault("form", {})[name] = quoted(self.one(("", "The Lions"), ("n" * 40,)))
        troops = {
            troop: self.chance.randint(1, unit.count(troop) + (1 if self.often(10) else 0))
            for troop in fitting
        }
        self.formed[name] = (unit.place, troops)
        entry: dict[str, Any] = {"to": name, "troops": troops}
        if unit.commanders and self.often(50):
            entry["commanders"] = [quoted(unit.commanders[0].name)]
        return {"transfer": entry}

    def _choices(self, unit: Unit) -> dict[str, Any]:
        """Return what a unit is told about itself: name, retreat, whom it follows."""
        said: dict[str, Any] = {}
        if self.often(15):
            said["name"] = quoted(self.one(("Old Guard", "")))
        if self.often(15):
            said["retreat_level"] = self.chance.randint(1, 5)
        if self.often(15):
            said["follow"] = self.one([unit.id for unit in self.own])
        if unit.is_army:
            said |= self._army_choices()
        if self.commanders and self.often(20):
            said["leader"] = quoted(self.one(self.commanders))
        if unit.troops:
            said |= self._troop_choices(list(unit.troops))
        return said

    def _army_choices(self) -> dict[str, Any]:
        """Return what an army alone is told about itself."""
        said: dict[str, Any] = {}
        if self.often(15):
            said["defend_fortifications"] = self.one(("yes", "no"))
        if self.often(15):
            said["marines"] = self.one(("yes", "no"))
        return said

    def _troop_choices(self, troops: list[str]) -> dict[str, Any]:
        """Return the orders for a unit's troops, of these types."""
        said: dict[str, Any] = {}
        if self.often(15):
            troop = self.one(troops, list(self.rules.troops))
            said["ranks"] = {troop: {1: 1, 3: self.chance.randint(1, 4)}}
        if self.often(10):
            said["disband"] = {self.one(troops): self.chance.randint(1, 4)}
        return said

    def _works(self, unit: Unit) -> dict[str, Any]:
        said: dict[str, Any] = {}
        if self.often(15):
            said["build"] = [self.one(STRUCTURES)]
        if self.often(8):
            said["repair"] = "yes"
        if self.often(8):
            said["raze"] = [self.one(STRUCTURES)]
        return said

    # -- plans -----------------------------------------------------------------------------------------------

    def _army(self, at: str) -> list[Any]:
        """Return the plan of an army that stands at a place."""
        plan: list[Any] = []
        for _ in range(self.chance.randint(0, 3)):
            near = [place for place in self.atlas.open_neighbours(at, sea=False) if self._may_enter(place)]
            said = self.chance.randrange(100)
            if said < 65:
                far = self.atlas.provinces if self.often(10) else self.atlas.graph.neighbours(at)
                at = self.one(near, far)
                if self.atlas.is_sea(at):
                    break
                plan.append({"march": at})
            elif said < 75:
                plan.append("hold")
            elif said < 82:
                plan.append("pillage")
            elif said < 86:
                plan.append({"board": self.one(self.others)})
            else:
                plan.append(self._hand_over(at))
        return plan

    def _may_enter(self, place: str) -> bool:
        return self.world.has_permission(self.realm, place) or self.world.is_enemy_land(self.realm, place)

    def _hand_over(self, at: str) -> Any:
        here = [stander.id if stander.realm == self.realm else stander.key for stander in self._at(at)]
        named = [name for name, (place, _) in self.formed.items() if place == at]
        receiver = self.one([*here, *named], [unit.id for unit in self.own])
        return {
            "transfer": {
                "to": receiver,
                "troops": {self.one(list(self.rules.troops)): self.chance.randint(1, 2)},
            }
        }

    def _at(self, place: str) -> list[Unit]:
        return [unit for unit in self.world.at(place) if unit.realm != INDEPENDENTS]

    def _fleet(self, name: str, at: str, fleet: Unit | None) -> list[Any]:
        """Load what is near, sail, and put everybody ashore."""
        plan: list[Any] = []
        ashore = [
            army.id for army in self.own if army.is_army and not army.aboard and self._reaches(at, army.place)
        ]
        ashore += [
            army for army, (place, _) in self.formed.items() if army[0] == "A" and self._reaches(at, place)
        ]
        aboard = (
            [army.id for army in self.world.cargo(fleet.key) if army.realm == self.realm] if fleet else []
        )
        if ashore and self.often(60):
            loaded = self.chance.sample(ashore, min(len(ashore), self.chance.randint(1, 2)))
            plan.append({"load": loaded})
            aboard += loaded
        for _ in range(self.chance.randint(0, 3)):
            near = self.atlas.open_neighbours(at, sea=None if self.atlas.is_sea(at) else True)
            if self.often(10):
                plan.append("hold")
            at = self.one(near, self.atlas.seas if self.often(30) else self.atlas.graph.neighbours(at))
            plan.append({"sail": at})
        coasts = self.atlas.open_neighbours(at, sea=False) if self.atlas.is_sea(at) else (at,)
        if aboard and coasts and self.often(80):
            fit = [place for place in coasts if self._may_enter(place)] or coasts
            plan.append(
                {"unload": {army: self.one(fit, self.atlas.provinces) for army in dict.fromkeys(aboard)}}
            )
        return plan

    def _reaches(self, fleet: str, army: str) -> bool:
        return fleet == army or (self.atlas.is_sea(fleet) and self.atlas.is_open(fleet, army))
