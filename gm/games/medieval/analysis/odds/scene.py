"""Where a battle for the odds comes from: forces that were typed in meet on a field that is made for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from gm.core.records import Record, record
from gm.games.medieval.analysis.odds.forces import Force, TypedUnit
from gm.games.medieval.combat.battle import BORDER, LAND, SEA, Battle, Field
from gm.games.medieval.combat.setup import border_battle, land_battle, sea_battle
from gm.games.medieval.data.atlas import Atlas, Border, Location
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import (
    Commander,
    Province,
    ProvinceProgress,
    Realm,
    TurnProgress,
    Unit,
    UnitKind,
    UnitProgress,
    World,
    in_order,
    pair,
)
from gm.games.medieval.steps.turn import Turn

PLACE = "the battlefield"
PHASE = 1


@record
class Scene(Record):
    """A world in which a battle is about to be fought, and where. ``notes`` say what is assumed."""

    turn: Turn
    kind: str
    place: str
    other_place: str = ""
    notes: tuple[str, ...] = ()

    def battle(self, field: Field) -> Battle | None:
        """The battle drawn up, as the turn does it; none when nobody fights."""
        if self.kind == SEA:
            return sea_battle(field, self.place)
        if self.kind == BORDER:
            here, there = self.place, self.other_place
            crossing = [
                unit
                for unit in field.world.units.values()
                if {unit.place, field.done(unit.key).came_from} == {here, there} and unit.is_army
            ]
            return border_battle(field, here, there, crossing)
        return land_battle(field, self.place)


def made_turn(world: World, rules: Rules, atlas: Atlas, done: dict[str, UnitProgress]) -> Turn:
    """The first phase of a turn that begins with this world; ``done`` is what units have done in it."""
    provinces = {
        name: ProvinceProgress(owner_at_start=land.owner, owner_last_phase=land.owner)
        for name, land in world.provinces.items()
    }
    progress = TurnProgress(units=done, provinces=provinces, wars=world.wars, alliances=world.alliances)
    state = world.evolve(progress=progress)
    return Turn(state=state, number=world.turn + 1, rules=rules, board=atlas, orders={}, seed="", phase=PHASE)


# -- typed forces ------------------------------------------------------------------------------------------------------


def typed_scene(
    forces: Sequence[Force],
    rules: Rules,
    state: World | None,
    *,
    kind: str,
    fortification: int,
    landing: bool,
    party: str,
) -> Scene:
    """The forces on a field of their own: the last one is at home there, the others came from next door.

    Raises ``ValueError`` for forces that cannot fight there. ``state`` is where units that are named come from.
    """
    if fortification and kind != LAND:
        raise ValueError("there are fortifications on land only")
    if not 0 <= fortification <= rules.construction.fortification_limit:
        raise ValueError(f"fortifications have levels 1 to {rules.construction.fortification_limit}")
    if kind == BORDER and len({force.side for force in forces}) != 2:
        raise ValueError("at a border two sides meet")
    codes = _codes(len(forces))
    homes = [f"the home of {name.lower()}" for name in _names(len(forces))]
    units: list[Unit] = []
    done: dict[str, UnitProgress] = {}
    last = len(forces) - 1
    for index, force in enumerate(forces):
        invader = index != last if kind != BORDER else True
        from_side = 0 if force.side == 0 else last
        place = PLACE if kind != BORDER else homes[last - from_side]
        origin = homes[index] if kind != BORDER else homes[from_side]
        for each in force.units:
            made = _made(each, codes[index], place, units, rules, state, party, sea=kind == SEA)
            units += made
            landed = invader and (each.landing or landing) and kind == LAND
            marks = UnitProgress(
                came_from=origin if invader and not landed else None,
                marched_phase=PHASE if invader else 0,
                landed=landed,
                landed_phase=PHASE if landed else 0,
            )
            done |= {unit.key: marks for unit in made}
    world = World(
        realms={code: _realm(code, name) for code, name in sorted(zip(codes, _names(len(forces)), strict=True))},
        provinces=_lands(homes, codes, kind, fortification, last),
        units={unit.key: unit for unit in in_order(units)},
        wars=frozenset(_pairs(forces, codes, same_side=False)),
        alliances=frozenset(_pairs(forces, codes, same_side=True)),
    )
    turn = made_turn(world, rules, _atlas(homes, kind), done)
    if kind == BORDER:
        return Scene(turn, kind, homes[0], homes[last])
    return Scene(turn, kind, PLACE)


def _codes(count: int) -> list[str]:
    return ["ATT", "DEF"] if count == 2 else [f"F{number:02d}" for number in range(1, count + 1)]


def _names(count: int) -> list[str]:
    return ["Attacker", "Defender"] if count == 2 else [f"Force {number}" for number in range(1, count + 1)]


def _realm(code: str, name: str) -> Realm:
    return Realm(code=code, name=name, ruler="", treasury=Decimal(0))


def _pairs(forces: Sequence[Force], codes: Sequence[str], *, same_side: bool) -> Iterable[tuple[str, str]]:
    for index, one in enumerate(forces):
        for later, other in enumerate(forces[index + 1 :], index + 1):
            if (one.side == other.side) is same_side:
                yield pair(codes[index], codes[later])


def _lands(homes: Sequence[str], codes: Sequence[str], kind: str, fortification: int, last: int) -> dict[str, Province]:
    if kind == SEA:
        return {}
    lands = {home: Province(name=home, owner=code) for home, code in zip(homes, codes, strict=True)}
    return {PLACE: Province(name=PLACE, owner=codes[last], fortification=fortification), **lands}


def _atlas(homes: Sequence[str], kind: str) -> Atlas:
    places = [Location(name=name, sea=kind == SEA) for name in (PLACE, *homes)]
    borders = [Border(a=PLACE, b=home) for home in homes]
    if kind == BORDER:
        borders.append(Border(a=homes[0], b=homes[-1]))
    return Atlas(
        name="field",
        title="",
        width=1,
        height=1,
        realms={},
        locations={place.name: place for place in places},
        borders=tuple(borders),
    )


def _made(
    typed: TypedUnit,
    code: str,
    place: str,
    units: Sequence[Unit],
    rules: Rules,
    state: World | None,
    party: str,
    *,
    sea: bool,
) -> list[Unit]:
    """The units that a typed one stands for: at sea a fleet and the army aboard it."""
    if typed.reference:
        return _borrowed(typed, code, place, units, state, party, sea=sea)
    ships = {name: tuple(ranks) for name, ranks in typed.troops.items() if rules.troops[name].ship}
    soldiers = {name: tuple(ranks) for name, ranks in typed.troops.items() if not rules.troops[name].ship}
    if ships and not sea:
        raise ValueError(f"{next(iter(ships))} fight at sea: add --sea")
    if sea and not ships:
        raise ValueError("at sea every unit needs ships")
    level = typed.retreat_level or rules.units.retreat_level
    commanders = _renamed(typed.commanders, sum(unit.realm == code for unit in units))
    leader = commanders[0].name if commanders else None
    led = {"commanders": commanders, "leader": leader}
    if sea:
        fleet = _new(code, UnitKind.FLEET, place, units, troops=ships, retreat_level=level, **led)
        army = [_new(code, UnitKind.ARMY, place, units, troops=soldiers, aboard=fleet.key)] if soldiers else []
        return [fleet, *army]
    kind = UnitKind.GARRISON if typed.garrison else UnitKind.ARMY
    options = {"retreat_level": level, "defend_fortifications": typed.inside}
    return [_new(code, kind, place, units, troops=soldiers, **options, **led)]


def _renamed(commanders: Iterable[Commander], before: int) -> tuple[Commander, ...]:
    """The commanders with names that differ from those in other units."""
    return tuple(
        each.evolve(name=f"Commander {number}" if not before else f"Commander {before + 1}-{number}")
        for number, each in enumerate(commanders, 1)
    )


def _new(code: str, kind: UnitKind, place: str, units: Sequence[Unit], **fields: object) -> Unit:
    number = 1 + sum(unit.realm == code and unit.kind is kind for unit in units)
    return Unit(realm=code, kind=kind, number=number, place=place, **fields)


def _borrowed(
    typed: TypedUnit, code: str, place: str, units: Sequence[Unit], state: World | None, party: str, *, sea: bool
) -> list[Unit]:
    """A unit of a state, put here as it is there, with those aboard it."""
    from gm.games.medieval.analysis.odds.what_if import unit_meant

    if state is None:
        raise ValueError(f"{typed.reference} is a unit of a game: say which one with --results or --game")
    unit = unit_meant(state, typed.reference, party)
    if unit.is_fleet != sea:
        raise ValueError(
            f"{unit.key} {'fights at sea: add --sea' if unit.is_fleet else 'fights on land: leave --sea out'}"
        )
    changes: dict[str, object] = {"realm": code, "place": place, "follow": None, "aboard": None}
    if typed.retreat_level:
        changes["retreat_level"] = typed.retreat_level
    number = 1 + sum(each.realm == code and each.kind is unit.kind for each in units)
    made = unit.evolve(number=number, **changes)
    cargo = state.cargo(unit.key) if sea else ()
    first = 1 + sum(each.realm == code and each.is_army for each in units)
    return [
        made,
        *(
            army.evolve(realm=code, place=place, follow=None, aboard=made.key, number=first + index)
            for index, army in enumerate(cargo)
            if not army.empty
        ),
    ]
