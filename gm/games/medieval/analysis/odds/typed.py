"""Forces that were typed in meet on a field that is made for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from gm.game.answers import OddsQuestion
from gm.games.medieval.analysis.odds.forces import Force, TypedUnit, read_forces
from gm.games.medieval.analysis.odds.setup import PHASE, BattleSetup, made_turn, unit_meant
from gm.games.medieval.combat.battle import BORDER, LAND, SEA
from gm.games.medieval.data.atlas import Atlas, Border, Location
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import Province, Realm, Unit, UnitKind, UnitProgress, World, in_order, pair

PLACE = "the battlefield"


def typed_setup(question: OddsQuestion, rules: Rules, state: World | None) -> BattleSetup:
    """The forces on a field of their own: the last one is at home there, the others came from next door.

    Raises ``ValueError`` for forces that cannot be understood or cannot fight there. ``state`` is where units that are
    named come from.
    """
    forces, kind = read_forces(question.forces, rules), question.kind
    if question.fortification and kind != LAND:
        raise ValueError("there are fortifications on land only")
    if not 0 <= question.fortification <= rules.construction.fortification_limit:
        raise ValueError(f"fortifications have levels 1 to {rules.construction.fortification_limit}")
    if kind == BORDER and len({force.side for force in forces}) != 2:
        raise ValueError("at a border two sides meet")
    numbers = range(1, len(forces) + 1)
    names = ["Attacker", "Defender"] if len(forces) == 2 else [f"Force {number}" for number in numbers]
    codes = ["ATT", "DEF"] if len(forces) == 2 else [f"F{number:02d}" for number in numbers]
    homes = [f"the home of {name.lower()}" for name in names]
    muster = _Muster(question, rules, state)
    done: dict[str, UnitProgress] = {}
    last = len(forces) - 1
    for index, (force, code) in enumerate(zip(forces, codes, strict=True)):
        invader = index != last or kind == BORDER
        from_side = 0 if force.side == 0 else last
        place = PLACE if kind != BORDER else homes[last - from_side]
        origin = homes[index if kind != BORDER else from_side]
        for each in force.units:
            landed = invader and (each.landing or question.landing) and kind == LAND
            marks = UnitProgress(
                came_from=origin if invader and not landed else None,
                marched_phase=PHASE if invader else 0,
                landed=landed,
                landed_phase=PHASE if landed else 0,
            )
            done |= {unit.key: marks for unit in muster.enlist(each, code, place)}
    lands = [Province(name=PLACE, owner=codes[last], fortification=question.fortification)]
    lands += [Province(name=home, owner=code) for home, code in zip(homes, codes, strict=True)]
    named = sorted(zip(codes, names, strict=True))
    world = World(
        realms={code: Realm(code=code, name=name, ruler="", treasury=Decimal(0)) for code, name in named},
        provinces={} if kind == SEA else {land.name: land for land in lands},
        units={unit.key: unit for unit in in_order(muster.units)},
        wars=frozenset(_pairs(forces, codes, same_side=False)),
        alliances=frozenset(_pairs(forces, codes, same_side=True)),
    )
    turn = made_turn(world, rules, _atlas(homes, kind), done)
    return BattleSetup(turn, kind, homes[0], homes[last]) if kind == BORDER else BattleSetup(turn, kind, PLACE)


def _pairs(forces: Sequence[Force], codes: Sequence[str], *, same_side: bool) -> Iterator[tuple[str, str]]:
    for (one, a), (other, b) in combinations(zip(forces, codes, strict=True), 2):
        if (one.side == other.side) is same_side:
            yield pair(a, b)


def _atlas(homes: Sequence[str], kind: str) -> Atlas:
    borders = [Border(a=PLACE, b=home) for home in homes]
    if kind == BORDER:
        borders.append(Border(a=homes[0], b=homes[-1]))
    return Atlas(
        name="field",
        title="",
        width=1,
        height=1,
        realms={},
        locations={name: Location(name=name, sea=kind == SEA) for name in (PLACE, *homes)},
        borders=tuple(borders),
    )


class _Muster:
    """The units of typed forces, numbered as they come."""

    def __init__(self, question: OddsQuestion, rules: Rules, state: World | None) -> None:
        self.units: list[Unit] = []
        self._rules, self._state = rules, state
        self._party, self._sea = question.party or "", question.kind == SEA

    def enlist(self, typed: TypedUnit, code: str, place: str) -> list[Unit]:
        """The units that a typed one stands for, with those aboard: at sea a fleet may carry an army."""
        before = len(self.units)
        if typed.reference:
            self._borrow(typed, code, place)
        else:
            self._raise(typed, code, place)
        return self.units[before:]

    def _number(self, code: str, kind: UnitKind) -> int:
        return 1 + sum(unit.realm == code and unit.kind is kind for unit in self.units)

    def _raise(self, typed: TypedUnit, code: str, place: str) -> None:
        ships = {name: tuple(ranks) for name, ranks in typed.troops.items() if self._rules.troops[name].ship}
        soldiers = {name: tuple(ranks) for name, ranks in typed.troops.items() if name not in ships}
        if ships and not self._sea:
            raise ValueError(f"{next(iter(ships))} fight at sea: add --sea")
        if self._sea and not ships:
            raise ValueError("at sea every unit needs ships")
        # names differ from those of commanders in other units
        before = sum(unit.realm == code for unit in self.units)
        prefix = f"{before + 1}-" if before else ""
        commanders = tuple(
            each.evolve(name=f"Commander {prefix}{number}") for number, each in enumerate(typed.commanders, 1)
        )
        led: dict[str, Any] = {
            "commanders": commanders,
            "leader": commanders[0].name if commanders else None,
            "retreat_level": typed.retreat_level or self._rules.units.retreat_level,
        }
        if self._sea:
            fleet = self._new(code, UnitKind.FLEET, place, troops=ships, **led)
            if soldiers:
                self._new(code, UnitKind.ARMY, place, troops=soldiers, aboard=fleet.key)
        else:
            kind = UnitKind.GARRISON if typed.garrison else UnitKind.ARMY
            self._new(code, kind, place, troops=soldiers, defend_fortifications=typed.inside, **led)

    def _new(self, code: str, kind: UnitKind, place: str, **fields: Any) -> Unit:
        unit = Unit(realm=code, kind=kind, number=self._number(code, kind), place=place, **fields)
        self.units.append(unit)
        return unit

    def _borrow(self, typed: TypedUnit, code: str, place: str) -> None:
        """A unit of a state, put here as it is there, with those aboard it."""
        if self._state is None:
            raise ValueError(f"{typed.reference} is a unit of a game: say which one with --results or --game")
        unit = unit_meant(self._state, typed.reference, self._party)
        if unit.is_fleet != self._sea:
            where = "at sea: add --sea" if unit.is_fleet else "on land: leave --sea out"
            raise ValueError(f"{unit.key} fights {where}")
        level = typed.retreat_level or unit.retreat_level
        here: dict[str, Any] = {"realm": code, "place": place, "follow": None}
        number = self._number(code, unit.kind)
        made = unit.evolve(**here, aboard=None, number=number, retreat_level=level)
        self.units.append(made)
        for army in self._state.cargo(unit.key) if self._sea else ():
            if not army.empty:
                self.units.append(army.evolve(**here, aboard=made.key, number=self._number(code, UnitKind.ARMY)))
