"""The handbook's tables (T1-T6), made of pipeline, grammar, rules data and map: nothing in them is typed anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from gm.core.pipeline import Step
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import FortificationLevel, Rules, TroopType
from gm.games.medieval.handbook.texts import Example, remarks, words
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.orders.values import Word
from gm.games.medieval.pipeline import FINAL, FIRST, MOVEMENT
from gm.games.medieval.steps.construction import Work, razed_gold, repair_work, work_on

STAGES = (FIRST, MOVEMENT, FINAL)
SECTIONS: Mapping[str, tuple[str, Mapping[str, Word]]] = {
    "headquarters": ("Under headquarters:", HEADQUARTERS),
    "unit": ("Under units:, below a unit", UNIT),
    "plan": ("In a unit's plan:", PLAN),
}
KINDS = {"A": "armies", "F": "fleets", "G": "garrisons"}
EVERYWHERE = "Everywhere"


class EventRow(NamedTuple):
    """A step of the turn: its title, the clause that it is, further clauses, the words that order it, and a remark."""

    title: str
    clause: str
    further: tuple[str, ...]
    words: tuple[str, ...]
    remark: str


class StageRow(NamedTuple):
    """A part of the turn with its steps in order; ``repeats`` if it is gone through once in each phase."""

    title: str
    repeats: bool
    steps: tuple[EventRow, ...]


class LevelRow(NamedTuple):
    """A fortification level: its bonuses (T2), what it takes to build and repair, and what razing it brings (T4)."""

    row: FortificationLevel | None
    level: int
    work: Work
    repair: Decimal
    razed: Decimal


class CityRow(NamedTuple):
    """A city of the map and what it recruits, told by the region whose list comes nearest (T6)."""

    province: str
    name: str
    resource: int
    region: str
    also: tuple[str, ...]
    without: tuple[str, ...]


def order_of_events() -> tuple[StageRow, ...]:
    """First, Movement and Final Events, as the turn runs them. Raises ``KeyError`` for a step without a remark."""
    # a clause that is an event itself: where another step names it, it only takes part
    mains = {step.clauses[0] for stage in STAGES for step in stage.steps}

    def row(step: Step) -> EventRow:
        main, *others = step.clauses
        own = {main, *(clause for clause in others if clause not in mains)}
        ordered = (word.name for word in _all_words() if word.order and own & set(word.clause.split(", ")))
        further = tuple(clause for clause in others if clause in own and clause[0] == main[0])
        return EventRow(step.title, main, further, tuple(ordered), remarks()[main])

    return tuple(
        StageRow(f"{stage.name.title()} Events", stage.again is not None, tuple(map(row, stage.steps)))
        for stage in STAGES
    )


def _all_words() -> Iterator[Word]:
    return (word for _, table in SECTIONS.values() for word in table.values())


@cache
def words_by_clause() -> Mapping[str, tuple[str, ...]]:
    """The words of an order file by the clauses that they belong to."""
    found: dict[str, tuple[str, ...]] = {}
    for word in _all_words():
        for clause in word.clause.split(", "):
            found[clause] = (*found.get(clause, ()), word.name)
    return found


def word_sections() -> dict[str, tuple[str, list[tuple[Word, str, Example]]]]:
    """The title of each section of an order file, and its words: who can carry them out (empty: the realm), and how
    they are written. Raises ``KeyError`` for a word without an example."""

    def who(section: str, word: Word) -> str:
        kinds = "all units" if set(word.kinds) == set(KINDS) else " and ".join(KINDS[letter] for letter in word.kinds)
        return "" if section == "headquarters" else kinds

    return {
        section: (title, [(word, who(section, word), getattr(words(), section)[name]) for name, word in table.items()])
        for section, (title, table) in SECTIONS.items()
    }


def soldier_groups(rules: Rules) -> dict[str, list[TroopType]]:
    """Soldiers by recruiting region, in the order of the troop table; what every region has comes last."""
    groups: dict[str, list[TroopType]] = {region.title(): [] for region in rules.recruits}
    everywhere: list[TroopType] = []
    for troop in rules.troops.values():
        if not troop.ship:
            first = next((region.title() for region in troop.regions), "Elsewhere")
            common = set(rules.recruits) <= set(troop.regions)
            (everywhere if common else groups.setdefault(first, [])).append(troop)
    return {title: troops for title, troops in {**groups, EVERYWHERE: everywhere}.items() if troops}


def ship_groups(rules: Rules) -> dict[str, list[TroopType]]:
    """Transports, then warships."""
    groups: defaultdict[str, list[TroopType]] = defaultdict(list)
    for troop in (troop for troop in rules.troops.values() if troop.ship):
        groups[f"{troop.kind.value}s".capitalize()].append(troop)
    return groups


def other_regions(troop: TroopType, group: str) -> str:
    """The further regions of a type that stands under one of its regions."""
    return ", ".join(region.title() for region in troop.regions if region.title() != group)


def level_rows(rules: Rules) -> list[LevelRow]:
    """Every fortification level that can be built."""
    walls = Structure.FORTIFICATION
    known = {row.level: row for row in rules.fortifications}
    works = ((level, work_on(walls, level, rules)) for level in range(1, rules.construction.fortification_limit + 1))
    return [
        LevelRow(known.get(level), level, work, repair_work(level, rules).gold, razed_gold(walls, level, rules))
        for level, work in works
    ]


def structure_rows(rules: Rules) -> list[tuple[str, Work, Decimal]]:
    """(name, work, gold from razing) of the structures that have no levels."""
    single = (each for each in Structure if each is not Structure.FORTIFICATION)
    return [(each.value.capitalize(), work_on(each, 1, rules), razed_gold(each, 1, rules)) for each in single]


def city_rows(atlas: Atlas, rules: Rules) -> Iterator[CityRow]:
    """Every city in the map's order."""
    for province, city in ((name, city) for name in atlas.provinces if (city := atlas.city(name)) is not None):
        own = set(city.recruits)
        region = min(rules.recruits, key=lambda name: len(set(rules.recruits[name]) ^ own), default="")
        usual = rules.recruits.get(region, ())
        also = tuple(name for name in city.recruits if name not in usual)
        without = tuple(name for name in usual if name not in own)
        yield CityRow(province, city.name, city.resource, region.title(), also, without)
