"""Typed forces: ``30 Longbowmen, 10 Heavy Cavalry rank 2, leader 46/20 vs 40 Pikemen and 3 Archers``.

``vs`` separates enemies and ``and`` allies; a semicolon separates the units of one force, a comma the parts
of a unit. They meet on a field that is made for them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations
from operator import add
from typing import Any, NamedTuple

from gm.core.diagnostics import did_you_mean, fold, nearest, shown
from gm.game.answers import OddsQuestion
from gm.games.medieval.analysis.odds.trials import PHASE, BattleSetup, made_turn, unit_meant
from gm.games.medieval.combat.battle import BORDER, LAND, SEA
from gm.games.medieval.data.atlas import Atlas, Border, Location
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.troop_words import other_numbers
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
MOST = 9999  # So many of a type may be typed in
EXAMPLE = '"30 Longbowmen, 10 Heavy Cavalry rank 2, leader 46/20" vs "40 Men-at-Arms"'

_VERSUS = re.compile(r"\s+(?:vs\.?|v\.?|versus|against)\s+", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|with)\s+|\s*\+\s*", re.IGNORECASE)
_UNIT = re.compile(
    r"(?P<realm>[A-Za-z]{3}/)?(?P<kind>A(?:rmy)?|F(?:leet)?|G(?:arrison)?)[ .#-]{0,3}(?P<number>\d{1,5})",
    re.IGNORECASE,
)
_RETREAT = re.compile(r"retreats?(?: level| at)? *(\d+)", re.IGNORECASE)
_COMMANDER = re.compile(r"(?:commander|leader|general)s?\b *(.*)", re.IGNORECASE)
_RATING = re.compile(r"(inf|cav|sie|nav)[a-z]*\.? *(\d+)", re.IGNORECASE)
_IN_RANKS = re.compile(r"(\d+(?:/\d+){1,4}) +(.+)")
_COUNT_FIRST = re.compile(r"(\d+) *x? +(.+?)(?: +(?:in +)?(?:rank|r|@) *(\d+))?", re.IGNORECASE)
_COUNT_LAST = re.compile(r"(.+?) +x? *(\d+)", re.IGNORECASE)
TACTICS = ("infantry", "cavalry", "siege", "naval")


@dataclass(slots=True, kw_only=True)
class TypedUnit:
    """One unit of a force. ``reference``: a unit of a position, which is taken as it is there."""

    reference: str = ""
    troops: dict[str, list[int]] = field(default_factory=dict)
    commanders: list[Commander] = field(default_factory=list)
    retreat_level: int | None = None
    garrison: bool = False
    inside: bool = True
    landing: bool = False


class Force(NamedTuple):
    """The units of one realm; ``side`` is the same number for allies."""

    side: int
    units: list[TypedUnit]


def read_forces(text: str, rules: Rules) -> list[Force]:
    """Return the forces in a text.

    Raises ``ValueError``, with the nearest name, for text that is not understood.
    """
    sides = [side.strip(" ,;\"'") for side in _VERSUS.split(f" {text} ")]
    if len(sides) < 2 or not all(sides):
        raise ValueError(f"a battle needs two forces with 'vs' between them, like {EXAMPLE}")
    names = {fold(form): name for form, name in other_numbers(rules.troops).items()}
    names |= {fold(name): name for name in rules.troops}
    forces = []
    for side, allies in enumerate(sides):
        for force in _AND.split(allies):
            forces.append(
                Force(
                    side, [_unit(words, rules, names) for words in force.split(";") if words.strip(" ,\"'")]
                )
            )
            if not forces[-1].units:
                raise ValueError(f"there is nobody in the force {shown(allies)}")
    return forces


def _unit(text: str, rules: Rules, names: Mapping[str, str]) -> TypedUnit:
    """Return one unit from text. Raises ``ValueError`` for text that is not understood."""
    unit = TypedUnit()
    for part in (piece.strip(" \"'") for piece in text.split(",")):
        if part:
            _take(unit, part, rules, names)
    if not (unit.reference or unit.troops or unit.commanders):
        raise ValueError(f"there are no troops in {shown(text.strip())}")
    if unit.reference and (unit.troops or unit.commanders):
        raise ValueError(f"{unit.reference} stands for a whole unit: part it from others with a semicolon")
    return unit


def _take(unit: TypedUnit, part: str, rules: Rules, names: Mapping[str, str]) -> None:
    """Add a part of a unit's text to it: an id, a role, a level, a commander or troops."""
    word = part.lower()
    if match := _UNIT.fullmatch(part):
        unit.reference = f"{match['realm'] or ''}{match['kind'][0]}{match['number']}".upper()
    elif word == "garrison":
        unit.garrison = True
    elif word in ("inside", "outside"):
        unit.inside = word == "inside"
    elif word in ("landing", "landed"):
        unit.landing = True
    elif match := _RETREAT.fullmatch(part):
        unit.retreat_level = _rank(match[1], rules, "a retreat level")
    elif match := _COMMANDER.fullmatch(part):
        unit.commanders.append(_commander(match[1], len(unit.commanders) + 1, rules))
    else:
        name, ranks = _troops(part, rules, names)
        unit.troops[name] = list(map(add, unit.troops.get(name, [0] * len(ranks)), ranks))


def _troops(part: str, rules: Rules, names: Mapping[str, str]) -> tuple[str, list[int]]:
    """Return a troop type and its counts by rank. Raises ``ValueError`` for text that is not understood."""
    ranks = [0] * rules.units.ranks
    if match := _IN_RANKS.fullmatch(part):
        counts = [int(count) for count in match[1].split("/")]
        name = match[2]
        ranks[: len(counts)] = counts
    elif match := _COUNT_FIRST.fullmatch(part):
        name = match[2]
        ranks[_rank(match[3], rules, "a rank") - 1 if match[3] else 0] = int(match[1])
    elif match := _COUNT_LAST.fullmatch(part):
        name = match[1]
        ranks[0] = int(match[2])
    else:
        near = _nearest(part, names)
        hint = f"how many {near}?" if near else f"write troops like '30 {next(iter(rules.troops))}'"
        raise ValueError(f"{shown(part)} is no part of a force: {hint}")
    if not 0 < sum(ranks) <= MOST:
        raise ValueError(f"there can be 1 to {MOST} of a type in a unit, not {sum(ranks)}")
    troop = names.get(fold(name))  # in the singular or the plural
    if troop is None:
        hint = did_you_mean(_nearest(name, names))
        raise ValueError(f"no troop type is called {shown(name)}" + (f": {hint}" if hint else ""))
    return troop, ranks


def _nearest(typed: str, names: Mapping[str, str]) -> str | None:
    """Return the troop type with the nearest name, or of which a part was typed."""
    near = nearest(typed, names.values())
    words = fold(typed)
    return near or next((name for folded, name in names.items() if words and words in folded), None)


def _rank(typed: str, rules: Rules, what: str) -> int:
    if not 1 <= int(typed) <= rules.units.ranks:
        raise ValueError(f"{what} is a number from 1 to {rules.units.ranks}, not {typed}")
    return int(typed)


def _commander(typed: str, number: int, rules: Rules) -> Commander:
    """Return a commander from text.

    ``46/20/12/8`` (infantry, cavalry, siege, naval), ``infantry 46 cavalry 20``, or empty for no skill at
    all.
    """
    ratings = dict.fromkeys(TACTICS, 0)
    words = typed.strip(" ()")
    if re.fullmatch(r"\d+(?: */ *\d+){0,3}", words):
        ratings |= zip(TACTICS, (int(rating) for rating in words.split("/")), strict=False)
    elif words:
        ratings_of_tactics = _RATING.findall(words)
        if not ratings_of_tactics or _RATING.sub("", words).strip(" /,"):
            examples = "'leader 46/20/12/8' or 'leader infantry 46 cavalry 20'"
            raise ValueError(f"a commander is {examples}, not {shown(typed)}")
        for start, rating in ratings_of_tactics:
            ratings[next(name for name in TACTICS if name.startswith(start.lower()))] = int(rating)
    if max(ratings.values()) > rules.battle.skill_limit:
        raise ValueError(f"a commander's rating is at most {rules.battle.skill_limit}")
    return Commander(name=f"Commander {number}", **ratings)


def typed_setup(question: OddsQuestion, rules: Rules, state: World | None) -> BattleSetup:
    """Return the forces on a field of their own: the last is at home there, the others came from next door.

    ``state``: the position with the units that are named. Raises ``ValueError`` for forces that are not
    understood or cannot fight there.
    """
    forces = read_forces(question.forces, rules)
    _check_field(question, forces, rules)
    names = _realm_names(len(forces))
    codes = list(names)
    homes = [f"the home of {name.lower()}" for name in names.values()]
    muster = _Muster(question, rules, state)
    done: dict[str, UnitProgress] = {}
    for index, code in enumerate(codes):
        done |= _enlist(
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
    turn = made_turn(world, rules, _atlas(homes, question.kind), done)
    if question.kind == BORDER:
        return BattleSetup(turn, BORDER, homes[0], homes[-1])
    return BattleSetup(turn, question.kind, PLACE)


def _check_field(question: OddsQuestion, forces: Sequence[Force], rules: Rules) -> None:
    """Raise ``ValueError`` for an impossible fortification, and for a border without two sides."""
    if question.fortification and question.kind != LAND:
        raise ValueError("there are fortifications on land only")
    if not 0 <= question.fortification <= rules.construction.fortification_limit:
        raise ValueError(f"fortifications have levels 1 to {rules.construction.fortification_limit}")
    if question.kind == BORDER and len({force.side for force in forces}) != 2:
        raise ValueError("at a border two sides meet")


def _realm_names(count: int) -> dict[str, str]:
    """Return a realm for each of ``count`` forces: its name by its code, in the order of the forces."""
    if count == 2:
        return {"ATT": "Attacker", "DEF": "Defender"}
    return {f"F{number:02d}": f"Force {number}" for number in range(1, count + 1)}


def _position(kind: str, forces: Sequence[Force], homes: Sequence[str], index: int) -> tuple[str, str | None]:
    """Return a force's place, and the origin of its invasion: None for the last one, which is at home."""
    if kind == BORDER:  # each side stands in the other's home
        is_first_side = forces[index].side == 0
        return (homes[-1], homes[0]) if is_first_side else (homes[0], homes[-1])
    return PLACE, homes[index] if index != len(forces) - 1 else None


def _enlist(
    muster: "_Muster", question: OddsQuestion, force: Force, code: str, place: str, origin: str | None
) -> dict[str, UnitProgress]:
    """Make a force's units, and return the progress of each this turn, by key."""
    progress: dict[str, UnitProgress] = {}
    invades = origin is not None
    for typed in force.units:
        landed = invades and question.kind == LAND and (typed.landing or question.landing)
        done = UnitProgress(
            came_from=None if landed else origin,
            marched_phase=PHASE if invades else 0,
            landed=landed,
            landed_phase=PHASE if landed else 0,
        )
        progress |= {unit.key: done for unit in muster.enlist(typed, code, place)}
    return progress


def _provinces(question: OddsQuestion, codes: Sequence[str], homes: Sequence[str]) -> dict[str, Province]:
    """Return the battlefield, which the last realm owns, and the realms' homes, by name."""
    lands = [Province(name=PLACE, owner=codes[-1], fortification=question.fortification)]
    lands += [Province(name=home, owner=code) for home, code in zip(homes, codes, strict=True)]
    return {land.name: land for land in lands}


def _relations(codes: Sequence[str], forces: Sequence[Force]) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """Return the pairs of realms at war, of different sides, and those that are allied, of the same side."""
    wars: set[Pair] = set()
    alliances: set[Pair] = set()
    for (code, force), (other, other_force) in combinations(zip(codes, forces, strict=True), 2):
        relation = alliances if force.side == other_force.side else wars
        relation.add(pair(code, other))
    return frozenset(wars), frozenset(alliances)


def _atlas(homes: list[str], kind: str) -> Atlas:
    borders = [Border(a=PLACE, b=home) for home in homes]
    if kind == BORDER:
        borders.append(Border(a=homes[0], b=homes[-1]))
    places = {name: Location(name=name, sea=kind == SEA) for name in (PLACE, *homes)}
    return Atlas(
        name="field", title="", width=1, height=1, realms={}, locations=places, borders=tuple(borders)
    )


class _Muster:
    """The units of typed forces, numbered as they come."""

    def __init__(self, question: OddsQuestion, rules: Rules, state: World | None) -> None:
        self.units: list[Unit] = []
        self._rules = rules
        self._state = state
        self._party = question.party or ""
        self._sea = question.kind == SEA

    def enlist(self, typed: TypedUnit, code: str, place: str) -> list[Unit]:
        """Return the units of a typed one, with those aboard: at sea a fleet may carry an army."""
        before = len(self.units)
        (self._borrow if typed.reference else self._raise)(typed, code, place)
        return self.units[before:]

    def _add(self, unit: Unit, **fields: Any) -> Unit:
        """Add a unit with these fields and the next number; return it."""
        unit = unit.evolve(**fields)
        number = 1 + sum(other.realm == unit.realm and other.kind is unit.kind for other in self.units)
        self.units.append(unit.evolve(number=number))
        return self.units[-1]

    def _raise(self, typed: TypedUnit, code: str, place: str) -> None:
        """Add a unit of typed troops; at sea its soldiers are an army aboard."""
        ships = {
            name: as_ranks(ranks) for name, ranks in typed.troops.items() if self._rules.troops[name].ship
        }
        soldiers = {name: as_ranks(ranks) for name, ranks in typed.troops.items() if name not in ships}
        if ships and not self._sea:
            raise ValueError(f"{next(iter(ships))} fight at sea: add --sea")
        if self._sea and not ships:
            raise ValueError("at sea every unit needs ships")
        commanders = self._commanders(typed, code)
        leader = commanders[0].name if commanders else None
        level = typed.retreat_level or self._rules.units.retreat_level
        led: dict[str, Any] = {"commanders": commanders, "leader": leader, "retreat_level": level}
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
        before = sum(unit.realm == code for unit in self.units)
        prefix = f"Commander {before + 1}-" if before else "Commander "
        return tuple(commander.evolve(name=f"{prefix}{n}") for n, commander in enumerate(typed.commanders, 1))

    def _borrow(self, typed: TypedUnit, code: str, place: str) -> None:
        """Add a unit of a position, with the armies aboard. Raises ``ValueError``."""
        if self._state is None:
            raise ValueError(f"{typed.reference} is a unit of a game: say which one with --results or --game")
        unit = unit_meant(self._state, typed.reference, self._party)
        if unit.is_fleet != self._sea:
            where = "at sea: add --sea" if unit.is_fleet else "on land: leave --sea out"
            raise ValueError(f"{unit.key} fights {where}")
        here: dict[str, Any] = {"realm": code, "place": place, "follow": None}
        made = self._add(unit, **here, aboard=None, retreat_level=typed.retreat_level or unit.retreat_level)
        for army in self._state.cargo(unit.key) if self._sea else ():
            if not army.empty:
                self._add(army, **here, aboard=made.key)
