"""Typed forces: ``30 Longbowmen, 10 Heavy Cavalry rank 2, leader 46/20 vs 40 Pikemen and 3 Archers``.

``vs`` separates enemies and ``and`` allies; a semicolon separates the units of one force, a comma the parts
of a unit.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import add
from typing import NamedTuple

from gm.core.diagnostics import did_you_mean, fold, nearest, says, shown
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.troop_words import other_numbers
from gm.games.medieval.state import Commander

MOST = 9999  # So many of a type may be typed in
EXAMPLE = '"30 Longbowmen, 10 Heavy Cavalry rank 2, leader 46/20" vs "40 Men-at-Arms"'

_VERSUS = re.compile(r"\s+(?:vs\.?|v\.?|versus|against)\s+", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|with)\s+|\s*\+\s*", re.IGNORECASE)
_UNIT = re.compile(
    r"(?P<realm>[A-Za-z]{3}/)?(?P<kind>A(?:rmy)?|F(?:leet)?|G(?:arrison)?)[ .#-]{0,3}(?P<number>\d{1,5})",
    re.IGNORECASE,
)
_RETREAT = re.compile(r"retreats?(?: level| at)? *(?P<level>\d+)", re.IGNORECASE)
_COMMANDER = re.compile(r"(?:commander|leader|general)s?\b *(?P<ratings>.*)", re.IGNORECASE)
_RATING = re.compile(r"(inf|cav|sie|nav)[a-z]*\.? *(\d+)", re.IGNORECASE)
_IN_RANKS = re.compile(r"(?P<counts>\d+(?:/\d+){1,4}) +(?P<name>.+)")
_COUNT_FIRST = re.compile(
    r"(?P<count>\d+) *x? +(?P<name>.+?)(?: +(?:in +)?(?:rank|r|@) *(?P<rank>\d+))?", re.IGNORECASE
)
_COUNT_LAST = re.compile(r"(?P<name>.+?) +x? *(?P<count>\d+)", re.IGNORECASE)
TACTICS = ("infantry", "cavalry", "siege", "naval")


@dataclass(slots=True, kw_only=True)
class TypedUnit:
    """A unit as somebody typed it: the reference of one in the position, or troops in ranks."""

    reference: str = ""  # of a unit of a position, which is taken as it is there; empty for typed troops
    troops: dict[str, list[int]] = field(default_factory=dict)  # by type: how many in each rank
    commanders: list[Commander] = field(default_factory=list)
    retreat_level: int | None = None
    garrison: bool = False
    inside: bool = True  # whether it fights behind the walls
    landing: bool = False  # whether it comes over sea


class Force(NamedTuple):
    """The units of one realm; ``side`` is the same number for allies."""

    side: int
    units: list[TypedUnit]


def read_forces(text: str, rules: Rules) -> list[Force]:
    """Return the forces in a text such as ``EXAMPLE``: sides with "vs" between them, allies with "and".

    The units of a force have semicolons between them. Raises ``ValueError``, with the nearest name, for text
    that is not understood.
    """
    # with blanks around the text, so that a "vs" at an end is found, too, and its side is empty
    sides = [side.strip(" ,;\"'") for side in _VERSUS.split(f" {text} ")]
    if len(sides) < 2 or not all(sides):
        raise ValueError(says("a battle needs two forces with 'vs' between them, like {0}", EXAMPLE))
    # troop types by their folded names, in the singular and the plural
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
                raise ValueError(says("there is nobody in the force {0}", shown(allies)))
    return forces


def _unit(text: str, rules: Rules, names: Mapping[str, str]) -> TypedUnit:
    """Return one unit from text. ``names``: the troop type by its folded name, in the singular or the plural.

    Raises ``ValueError`` for text that is not understood.
    """
    unit = TypedUnit()
    for part in (piece.strip(" \"'") for piece in text.split(",")):
        if part:
            _take(unit, part, rules, names)
    if not (unit.reference or unit.troops or unit.commanders):
        raise ValueError(says("there are no troops in {0}", shown(text.strip())))
    if unit.reference and (unit.troops or unit.commanders):
        pattern = "{0} stands for a whole unit: part it from others with a semicolon"
        raise ValueError(says(pattern, unit.reference))
    return unit


def _take(unit: TypedUnit, part: str, rules: Rules, names: Mapping[str, str]) -> None:
    """Add a part of a unit's text to it: an id, a role, a level, a commander or troops.

    ``names``: the troop type by its folded name. Raises ``ValueError`` for text that is not understood.
    """
    word = part.lower()
    match = _UNIT.fullmatch(part)
    if match:
        unit.reference = f"{match['realm'] or ''}{match['kind'][0]}{match['number']}".upper()
    elif word == "garrison":
        unit.garrison = True
    elif word in ("inside", "outside"):
        unit.inside = word == "inside"
    elif word in ("landing", "landed"):
        unit.landing = True
    elif match := _RETREAT.fullmatch(part):
        unit.retreat_level = _rank(match["level"], rules, says("a retreat level"))
    elif match := _COMMANDER.fullmatch(part):
        unit.commanders.append(_commander(match["ratings"], len(unit.commanders) + 1, rules))
    else:
        name, ranks = _troops(part, rules, names)
        unit.troops[name] = list(map(add, unit.troops.get(name, [0] * len(ranks)), ranks))


def _troops(part: str, rules: Rules, names: Mapping[str, str]) -> tuple[str, list[int]]:
    """Return (troop type, how many in each rank). ``names``: the troop type by its folded name.

    Raises ``ValueError`` for text that is not understood.
    """
    ranks = [0] * rules.units.ranks
    match = _IN_RANKS.fullmatch(part)
    if match:
        counts = [int(count) for count in match["counts"].split("/")]
        name = match["name"]
        ranks[: len(counts)] = counts
    elif match := _COUNT_FIRST.fullmatch(part):
        name = match["name"]
        rank = _rank(match["rank"], rules, says("a rank")) if match["rank"] else 1
        ranks[rank - 1] = int(match["count"])
    elif match := _COUNT_LAST.fullmatch(part):
        name = match["name"]
        ranks[0] = int(match["count"])
    else:
        near = _nearest(part, names)
        example = next(iter(rules.troops))
        hint: str = says("how many {0}?", near) if near else says("write troops like '30 {0}'", example)
        raise ValueError(says("{0} is no part of a force: {1}", shown(part), hint))
    if not 0 < sum(ranks) <= MOST:
        raise ValueError(says("there can be 1 to {0} of a type in a unit, not {1}", MOST, sum(ranks)))
    troop = names.get(fold(name))  # in the singular or the plural
    if troop is None:
        hint = did_you_mean(_nearest(name, names))
        unknown = says("no troop type is called {0}", shown(name))
        raise ValueError(says("{0}: {1}", unknown, hint) if hint else unknown)
    return troop, ranks


def _nearest(typed: str, names: Mapping[str, str]) -> str | None:
    """Return the troop type whose name is nearest to the typed text, else one whose name contains it.

    None if there is no such type. ``names``: the troop type by its folded name.
    """
    near = nearest(typed, names.values())
    words = fold(typed)
    return near or next((name for folded, name in names.items() if words and words in folded), None)


def _rank(typed: str, rules: Rules, what: str) -> int:
    """Return the number of a rank from text. Raises ``ValueError`` unless there is such a rank.

    ``what``: the message's subject, such as "a retreat level".
    """
    if not 1 <= int(typed) <= rules.units.ranks:
        raise ValueError(says("{0} is a number from 1 to {1}, not {2}", what, rules.units.ranks, typed))
    return int(typed)


def _commander(typed: str, number: int, rules: Rules) -> Commander:
    """Return a commander from text.

    ``46/20/12/8`` (infantry, cavalry, siege, naval), ``infantry 46 cavalry 20``, or empty for no skill at
    all. ``number``: the commander's among those of the unit, for the name. Raises ``ValueError`` for text
    that is not understood, or a rating that is too high.
    """
    ratings = dict.fromkeys(TACTICS, 0)
    words = typed.strip(" ()")
    if re.fullmatch(r"\d+(?: */ *\d+){0,3}", words):
        ratings |= zip(TACTICS, (int(rating) for rating in words.split("/")), strict=False)
    elif words:
        ratings_of_tactics = _RATING.findall(words)
        if not ratings_of_tactics or _RATING.sub("", words).strip(" /,"):
            pattern = "a commander is 'leader 46/20/12/8' or 'leader infantry 46 cavalry 20', not {0}"
            raise ValueError(says(pattern, shown(typed)))
        for start, rating in ratings_of_tactics:
            ratings[next(name for name in TACTICS if name.startswith(start.lower()))] = int(rating)
    if max(ratings.values()) > rules.battle.skill_limit:
        raise ValueError(says("a commander's rating is at most {0}", rules.battle.skill_limit))
    return Commander(name=f"Commander {number}", **ratings)
