"""The battlefield of typed forces: the realms, places and units of a world that is made for them (B2-B12)."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from gm.core.diagnostics import says
from gm.game.answers import OddsQuestion
from gm.games.medieval.analysis.odds.supposed import unit_meant
from gm.games.medieval.analysis.odds.trials import PHASE, BattleSetup, made_turn
from gm.games.medieval.analysis.odds.typed import Force, TypedUnit, read_forces
from gm.games.medieval.combat.battle import BORDER, LAND, SEA
from gm.games.medieval.data.atlas import Atlas, Border, Location
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import (
    Commander,
    Pair,
    Province,
    Realm,
    Unit,
    UnitKind,
    UnitProgress,
    World,
    in_order,
    pair,
)
from gm.games.medieval.state.unit import as_ranks

PLACE = "the battlefield"


def typed_setup(question: OddsQuestion, rules: Rules, state: World | None) -> BattleSetup:
    """Return the battle of typed forces, set up on a map and in a position that are made for it.

    The last force is at home on the field, the others came from homes beside it. At a border each side came
    from its home. ``state``: the position with the units that are named. Raises ``ValueError`` for forces
    that are not understood or cannot fight there.
    """
    forces = read_forces(question.forces, rules)
    _check_field(question, forces, rules)
    names = _realm_names(len(forces))
    codes = list(names)
    homes = [f"the home of {name.lower()}" for name in names.values()]
    muster = _Muster(question, rules, state)
    progress: dict[str, UnitProgress] = {}
    for index, code in enumerate(codes):
        progress |= _enlist(
            muster, question, forces[index], code, *_position(question.kind, forces, homes, index)
        )
    wars, alliances = _relations(codes, forces)
    world = World(
        realms={
            code: Realm(code=code, name=name, ruler="", treasury=Decimal(0)) for code, name in names.items()
        },
        provinces={} if question.kind == SEA else _provinces(question, codes, homes),
        units={unit.key: unit for unit in in_order(muster.units)},
        wars=wars,
        alliances=alliances,
    )
    turn = made_turn(world, rules, _atlas(homes, question.kind), progress)
    if question.kind == BORDER:
        return BattleSetup(turn, BORDER, homes[0], homes[-1])
    return BattleSetup(turn, question.kind, PLACE)


def _check_field(question: OddsQuestion, forces: Sequence[Force], rules: Rules) -> None:
    """Raise ``ValueError`` for an impossible fortification, and for a border without two sides."""
    if question.fortification and question.kind != LAND:
        raise ValueError(says("there are fortifications on land only"))
    if not 0 <= question.fortification <= rules.construction.fortification_limit:
        highest = rules.construction.fortification_limit
        raise ValueError(says("fortifications have levels 1 to {0}", highest))
    if question.kind == BORDER and len({force.side for force in forces}) != 2:
        raise ValueError(says("at a border two sides meet"))


def _realm_names(count: int) -> dict[str, str]:
    """Return a realm for each of ``count`` forces: its name by its code, in the order of the forces."""
    if count == 2:
        return {"ATT": "Attacker", "DEF": "Defender"}
    return {f"F{number:02d}": f"Force {number}" for number in range(1, count + 1)}


def _position(kind: str, forces: Sequence[Force], homes: Sequence[str], index: int) -> tuple[str, str | None]:
    """Return (a force's place, where it came from); the second is None for the last force, which is at home.

    At a border no force is at home. ``index``: the force's in ``forces``.
    """
    if kind == BORDER:  # each side stands in the other's home
        is_first_side = forces[index].side == 0
        return (homes[-1], homes[0]) if is_first_side else (homes[0], homes[-1])
    return PLACE, homes[index] if index != len(forces) - 1 else None


def _enlist(
    muster: "_Muster", question: OddsQuestion, force: Force, code: str, place: str, origin: str | None
) -> dict[str, UnitProgress]:
    """Make a force's units, and return the progress of each this turn, by key.

    ``place``: where they fight; ``origin``: where they came from, None for a force that is at home.
    """
    progress: dict[str, UnitProgress] = {}
    invades = origin is not None
    for typed in force.units:
        landed = invades and question.kind == LAND and (typed.landing or question.landing)
        unit_progress = UnitProgress(
            came_from=None if landed else origin,  # landed troops never go back to the ships (B9.1)
            marched_phase=PHASE if invades else 0,
            landed=landed,
            landed_phase=PHASE if landed else 0,
        )
        for unit in muster.enlist(typed, code, place):
            progress[unit.key] = unit_progress
    return progress


def _provinces(question: OddsQuestion, codes: Sequence[str], homes: Sequence[str]) -> dict[str, Province]:
    """Return the battlefield, which the last realm owns, and the realms' homes, by name."""
    lands = [Province(name=PLACE, owner=codes[-1], fortification=question.fortification)]
    lands += [Province(name=home, owner=code) for home, code in zip(homes, codes, strict=True)]
    return {land.name: land for land in lands}


def _relations(codes: Sequence[str], forces: Sequence[Force]) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """Return (the pairs of realms at war, the pairs of allied realms).

    Realms of the same side are allied, those of different sides are at war.
    """
    wars: set[Pair] = set()
    alliances: set[Pair] = set()
    for (code, force), (other, other_force) in combinations(zip(codes, forces, strict=True), 2):
        relation = alliances if force.side == other_force.side else wars
        relation.add(pair(code, other))
    return frozenset(wars), frozenset(alliances)


def _atlas(homes: list[str], kind: str) -> Atlas:
    """Return a map of the battlefield and the homes around it; at a border, two homes meet as well."""
    borders = [Border(a=PLACE, b=home) for home in homes]
    if kind == BORDER:
        borders.append(Border(a=homes[0], b=homes[-1]))
    places = {name: Location(name=name, sea=kind == SEA) for name in (PLACE, *homes)}
    return Atlas(
        name="field", title="", width=1, height=1, realms={}, locations=places, borders=tuple(borders)
    )


class _Muster:
    """The units of typed forces, one after another; each gets the next number of its realm and kind."""

    def __init__(self, question: OddsQuestion, rules: Rules, state: World | None) -> None:
        """Prepare for a question; units may be borrowed from the ``state`` of a game."""
        self.units: list[Unit] = []
        self._rules = rules
        self._state = state
        self._party = question.party or ""
        self._sea = question.kind == SEA

    def enlist(self, typed: TypedUnit, code: str, place: str) -> list[Unit]:
        """Add the unit that was typed, and the army aboard if it is a fleet with one; return what was added.

        Raises ``ValueError`` for a unit that cannot fight there, or is unknown.
        """
        count_before = len(self.units)
        if typed.reference:
            self._borrow(typed, code, place)
        else:
            self._add_typed(typed, code, place)
        return self.units[count_before:]

    def _add(self, unit: Unit, **fields: Any) -> Unit:
        """Add a unit with these fields and the next number; return it."""
        unit = unit.evolve(**fields)
        number = 1 + sum(other.realm == unit.realm and other.kind is unit.kind for other in self.units)
        self.units.append(unit.evolve(number=number))
        return self.units[-1]

    def _add_typed(self, typed: TypedUnit, code: str, place: str) -> None:
        """Add a unit of typed troops of the realm ``code``; at sea its soldiers are an army aboard.

        Raises ``ValueError`` for ships on land, and for a unit without ships at sea.
        """
        ships = {
            name: as_ranks(ranks) for name, ranks in typed.troops.items() if self._rules.troops[name].ship
        }
        soldiers = {name: as_ranks(ranks) for name, ranks in typed.troops.items() if name not in ships}
        if ships and not self._sea:
            raise ValueError(says("{0} fight at sea: add --sea", next(iter(ships))))
        if self._sea and not ships:
            raise ValueError(says("at sea every unit needs ships"))
        commanders = self._commanders(typed, code)
        leader = commanders[0].name if commanders else None
        level = typed.retreat_level or self._rules.units.retreat_level
        led: dict[str, Any] = {"commanders": commanders, "leader": leader, "retreat_level": level}
        # ``_add`` gives it a number
        army = Unit(realm=code, kind=UnitKind.ARMY, number=0, place=place, troops=soldiers)
        if self._sea:
            fleet = self._add(army, kind=UnitKind.FLEET, troops=ships, **led)
            if soldiers:
                self._add(army, aboard=fleet.key)
        else:
            kind = UnitKind.GARRISON if typed.garrison else UnitKind.ARMY
            self._add(army, kind=kind, defend_fortifications=typed.inside, **led)

    def _commanders(self, typed: TypedUnit, code: str) -> tuple[Commander, ...]:
        """Return a unit's commanders under names that differ from those of commanders in other units."""
        earlier_units = sum(unit.realm == code for unit in self.units)
        prefix = f"Commander {earlier_units + 1}-" if earlier_units else "Commander "
        return tuple(commander.evolve(name=f"{prefix}{n}") for n, commander in enumerate(typed.commanders, 1))

    def _borrow(self, typed: TypedUnit, code: str, place: str) -> None:
        """Add a unit of the game's position, for the realm ``code``; at sea, with the armies aboard.

        Raises ``ValueError`` if there is no position, or no such unit in it, or if it cannot fight there.
        """
        if self._state is None:
            pattern = "{0} is a unit of a game: say which one with --results or --game"
            raise ValueError(says(pattern, typed.reference))
        unit = unit_meant(self._state, typed.reference, self._party)
        if unit.is_fleet != self._sea:
            at_sea = says("{0} fights at sea: add --sea", unit.key)
            on_land = says("{0} fights on land: leave --sea out", unit.key)
            raise ValueError(at_sea if unit.is_fleet else on_land)
        # whom it follows in its position need not be on the field
        fields: dict[str, Any] = {"realm": code, "place": place, "follow": None}
        borrowed = self._add(
            unit, **fields, aboard=None, retreat_level=typed.retreat_level or unit.retreat_level
        )
        if self._sea:
            for army in self._state.cargo(unit.key):
                if not army.empty:
                    self._add(army, **fields, aboard=borrowed.key)
