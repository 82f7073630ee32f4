"""Forces as somebody types them: ``30 Longbowmen, 10 Heavy Cavalry rank 2, leader 46/20 vs 40 Pikemen and 3 Archers``.

``vs`` parts enemies and ``and`` allies; a semicolon parts the units of one force, a comma what is in a unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from gm.core.diagnostics import did_you_mean, fold, nearest, shown
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import Commander

MOST = 9999  # So many of a type may be typed in
EXAMPLE = '"30 Longbowmen, 10 Heavy Cavalry rank 2, leader 46/20" vs "40 Men-at-Arms"'

_VERSUS = re.compile(r"\s+(?:vs\.?|v\.?|versus|against)\s+", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|with)\s+|\s*\+\s*", re.IGNORECASE)
_UNIT = re.compile(r"(?:[A-Za-z]{3}/)?[AFGafg]\d{1,5}")
_RETREAT = re.compile(r"retreats?(?: level| at)? *(\d+)", re.IGNORECASE)
_COMMANDER = re.compile(r"(?:commander|leader|general)s?\b *(.*)", re.IGNORECASE)
_RATING = re.compile(r"(inf|cav|sie|nav)[a-z]*\.? *(\d+)", re.IGNORECASE)
_IN_RANKS = re.compile(r"(\d+(?:/\d+){1,4}) +(.+)")
_COUNT_FIRST = re.compile(r"(\d+) *x? +(.+?)(?: +(?:in +)?(?:rank|r|@) *(\d+))?", re.IGNORECASE)
_COUNT_LAST = re.compile(r"(.+?) +x? *(\d+)", re.IGNORECASE)
_TACTICS = ("infantry", "cavalry", "siege", "naval")


@dataclass(slots=True, kw_only=True)
class TypedUnit:
    """One unit of a force. ``reference`` is a unit of a state that is meant, as it stands there."""

    reference: str = ""
    troops: dict[str, list[int]] = field(default_factory=dict)
    commanders: list[Commander] = field(default_factory=list)
    retreat_level: int | None = None
    garrison: bool = False
    inside: bool = True
    landing: bool = False


@dataclass(slots=True)
class Force:
    """The units of one realm; ``side`` is the same number for allies, ``text`` what was typed."""

    text: str
    side: int
    units: list[TypedUnit]


def read_forces(text: str, rules: Rules) -> list[Force]:
    """The forces in a text. Raises ``ValueError``, with the nearest name, for what cannot be understood."""
    sides = [each.strip(" ,;\"'") for each in _VERSUS.split(f" {text} ")]
    if len(sides) < 2 or not all(sides):
        raise ValueError(f"a battle needs two forces with 'vs' between them, like {EXAMPLE}")
    names = {fold(name): name for name in rules.troops}
    found = []
    for side, allies in enumerate(sides):
        for force in _AND.split(allies):
            units = [_unit(each, rules, names) for each in force.split(";") if each.strip(" ,\"'")]
            if not units:
                raise ValueError(f"there is nobody in the force {shown(allies)}")
            found.append(Force(force.strip(" \"'"), side, units))
    return found


def _unit(text: str, rules: Rules, names: Mapping[str, str]) -> TypedUnit:
    unit = TypedUnit()
    for part in (each.strip(" \"'") for each in text.split(",")):
        if part:
            _take(unit, part, rules, names)
    if not (unit.reference or unit.troops or unit.commanders):
        raise ValueError(f"there are no troops in {shown(text.strip())}")
    if unit.reference and (unit.troops or unit.commanders):
        raise ValueError(f"{unit.reference} stands for a whole unit: part it from others with a semicolon")
    return unit


def _take(unit: TypedUnit, part: str, rules: Rules, names: Mapping[str, str]) -> None:
    """Understand one part of a unit's text."""
    word = part.lower()
    if _UNIT.fullmatch(part):
        unit.reference = part.upper()
    elif word == "garrison":
        unit.garrison = True
    elif word in ("inside", "outside"):
        unit.inside = word == "inside"
    elif word in ("landing", "landed"):
        unit.landing = True
    elif found := _RETREAT.fullmatch(part):
        unit.retreat_level = _rank(found[1], rules, "a retreat level")
    elif found := _COMMANDER.fullmatch(part):
        unit.commanders.append(_commander(found[1], len(unit.commanders) + 1, rules))
    else:
        name, ranks = _troops(part, rules, names)
        have = unit.troops.setdefault(name, [0] * rules.units.ranks)
        for rank, count in enumerate(ranks):
            have[rank] += count


def _troops(part: str, rules: Rules, names: Mapping[str, str]) -> tuple[str, list[int]]:
    ranks = [0] * rules.units.ranks
    if found := _IN_RANKS.fullmatch(part):
        counts, name = [int(each) for each in found[1].split("/")], found[2]
        ranks[: len(counts)] = counts
    elif found := _COUNT_FIRST.fullmatch(part):
        name = found[2]
        ranks[_rank(found[3], rules, "a rank") - 1 if found[3] else 0] = int(found[1])
    elif found := _COUNT_LAST.fullmatch(part):
        name = found[1]
        ranks[0] = int(found[2])
    else:
        near = _nearest(part, names)
        hint = f"how many {near}?" if near else f"write troops like '30 {next(iter(rules.troops))}'"
        raise ValueError(f"{shown(part)} is no part of a force: {hint}")
    if not 0 < sum(ranks) <= MOST:
        raise ValueError(f"there can be 1 to {MOST} of a type in a unit, not {sum(ranks)}")
    return _troop_name(name, names), ranks


def _troop_name(typed: str, names: Mapping[str, str]) -> str:
    """A troop type by its name, in the singular or the plural."""
    name = fold(typed)
    forms = (name, f"{name}s", name.removesuffix("s"), re.sub("man$", "men", name), re.sub("men$", "man", name))
    found = next((names[each] for each in forms if each in names), None)
    if found is None:
        hint = did_you_mean(_nearest(typed, names))
        raise ValueError(f"no troop type is called {shown(typed)}" + (f": {hint}" if hint else ""))
    return found


def _nearest(typed: str, names: Mapping[str, str]) -> str | None:
    """The type whose name is nearest, or of which a part was typed."""
    near = nearest(typed, names.values())
    words = fold(typed)
    return near or next((name for folded, name in names.items() if words and words in folded), None)


def _rank(typed: str, rules: Rules, what: str) -> int:
    if not 1 <= int(typed) <= rules.units.ranks:
        raise ValueError(f"{what} is a number from 1 to {rules.units.ranks}, not {typed}")
    return int(typed)


def _commander(typed: str, number: int, rules: Rules) -> Commander:
    """``46/20/12/8`` (infantry, cavalry, siege, naval), ``infantry 46 cavalry 20``, or nothing for no skill at all."""
    ratings = dict.fromkeys(_TACTICS, 0)
    words = typed.strip(" ()")
    if re.fullmatch(r"\d+(?: */ *\d+){0,3}", words):
        ratings |= zip(_TACTICS, (int(each) for each in words.split("/")), strict=False)
    elif words:
        given = _RATING.findall(words)
        if not given or _RATING.sub("", words).strip(" /,"):
            raise ValueError(
                f"a commander is 'leader 46/20/12/8' or 'leader infantry 46 cavalry 20', not {shown(typed)}"
            )
        for start, rating in given:
            ratings[next(name for name in _TACTICS if name.startswith(start.lower()))] = int(rating)
    if max(ratings.values()) > rules.battle.skill_limit:
        raise ValueError(f"a commander's rating is at most {rules.battle.skill_limit}")
    return Commander(name=f"Commander {number}", **ratings)
