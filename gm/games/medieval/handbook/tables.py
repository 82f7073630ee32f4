"""The rows of the handbook's tables (T1-T6), from rules data, map, pipeline and grammar."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from itertools import chain
from typing import NamedTuple

from gm.core.pipeline import Step
from gm.core.values import grouped
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
"""The title and the words of each section of an order file."""
KINDS = {"A": "armies", "F": "fleets", "G": "garrisons"}
EVERYWHERE = "Everywhere"  # the title of soldiers that all regions have


class EventRow(NamedTuple):
    """A step of the turn."""

    title: str
    clause: str  # the id of its main clause
    further: tuple[str, ...]  # the ids of its other clauses that no other step has as its main one
    words: tuple[str, ...]  # of the orders that it carries out
    remark: str


class StageRow(NamedTuple):
    """A part of the turn with its steps in order; ``repeats``: it is gone through once in each phase."""

    title: str
    repeats: bool
    steps: tuple[EventRow, ...]


class LevelRow(NamedTuple):
    """A fortification level (T2, T4)."""

    row: FortificationLevel | None  # its bonuses; None if table T2 has none
    level: int
    work: Work  # what it takes to build
    repair: Decimal  # the gold for repair
    razed: Decimal  # the gold from razing


class CityRow(NamedTuple):
    """A city of the map and its recruits (T6)."""

    province: str
    name: str
    resource: int  # how many troops it can recruit in a turn
    region: str  # the region whose recruits are most similar
    also: tuple[str, ...]  # the types that the city has and the region has not
    without: tuple[str, ...]  # the types that the region has and the city has not


def order_of_events() -> tuple[StageRow, ...]:
    """Return First, Movement and Final Events in their order.

    Raises ``KeyError`` for a step without a remark.
    """
    main_clauses = {step.clauses[0] for step in chain(FIRST.steps, MOVEMENT.steps, FINAL.steps)}

    def row(step: Step) -> EventRow:
        """Return a step's row: its title, its clauses, the words of its orders and a remark."""
        main, *others = step.clauses
        # a clause that is another step's main one is told there
        own_clauses = {main, *(clause for clause in others if clause not in main_clauses)}
        words_of_step = (
            word.name for word in _all_words() if word.order and own_clauses & set(word.clause.split(", "))
        )
        # of the same chapter alone: a clause begins with its chapter's letter
        further = tuple(clause for clause in others if clause in own_clauses and clause[0] == main[0])
        return EventRow(step.title, main, further, tuple(words_of_step), remarks()[main])

    return tuple(
        StageRow(f"{stage.name.title()} Events", stage.again is not None, tuple(map(row, stage.steps)))
        for stage in STAGES
    )


def _all_words() -> Iterator[Word]:
    """Return the words of all sections of an order file."""
    return chain.from_iterable(table.values() for _, table in SECTIONS.values())


@cache
def words_by_clause() -> Mapping[str, tuple[str, ...]]:
    """Return the words of order files, such as ``march``, by the ids of the clauses about them."""
    words_of: dict[str, tuple[str, ...]] = {}
    for word in _all_words():
        for clause in word.clause.split(", "):
            words_of[clause] = (*words_of.get(clause, ()), word.name)
    return words_of


def word_sections() -> dict[str, tuple[str, list[tuple[Word, list[str], Example]]]]:
    """Return, by section of an order file, its title and (word, kinds of units, example) of each word.

    The units are those that can carry it out; none for headquarters. Raises ``KeyError`` for a word without
    an example.
    """

    def unit_kinds(section: str, word: Word) -> list[str]:
        """Return the kinds of units, in words, that can carry out a word's orders; none for headquarters."""
        if section == "headquarters":
            return []
        if set(word.kinds) == set(KINDS):
            return ["all units"]
        return [KINDS[letter] for letter in word.kinds]

    sections = {}
    for section, (title, words_by_name) in SECTIONS.items():
        examples = getattr(words(), section)
        rows = [(word, unit_kinds(section, word), examples[name]) for name, word in words_by_name.items()]
        sections[section] = (title, rows)
    return sections


def soldier_groups(rules: Rules) -> dict[str, list[TroopType]]:
    """Return the types of soldiers by the title of the first region that recruits them.

    Types of every region are in the last group, ``EVERYWHERE``; those of no region are in one of their own.
    """
    groups: dict[str, list[TroopType]] = {region.title(): [] for region in rules.recruits}
    everywhere: list[TroopType] = []
    for troop in rules.troops.values():
        if troop.ship:
            continue
        if set(rules.recruits) <= set(troop.regions):
            everywhere.append(troop)
        else:
            first_region = next((region.title() for region in troop.regions), "Elsewhere")
            groups.setdefault(first_region, []).append(troop)
    groups = {**groups, EVERYWHERE: everywhere}
    return {title: troops for title, troops in groups.items() if troops}


def ship_groups(rules: Rules) -> dict[str, tuple[TroopType, ...]]:
    """Return the types of ships by the title of their class: Transports, Warships."""
    ships = (troop for troop in rules.troops.values() if troop.ship)
    return grouped(ships, lambda troop: f"{troop.kind.value}s".capitalize())


def other_regions(troop: TroopType, group: str) -> list[str]:
    """Return the titles of a type's regions, except the one under whose title ``group`` it is listed."""
    return [region.title() for region in troop.regions if region.title() != group]


def level_rows(rules: Rules) -> list[LevelRow]:
    """Return a row for every fortification level that can be built."""
    walls = Structure.FORTIFICATION
    row_of_level = {row.level: row for row in rules.fortifications}
    return [
        LevelRow(
            row=row_of_level.get(level),
            level=level,
            work=work_on(walls, level, rules),
            repair=repair_work(level, rules).gold,
            razed=razed_gold(walls, level, rules),
        )
        for level in range(1, rules.construction.fortification_limit + 1)
    ]


def structure_rows(rules: Rules) -> list[tuple[str, Work, Decimal]]:
    """Return (name, work, gold from razing) of the structures that have no levels."""
    without_levels = (kind for kind in Structure if kind is not Structure.FORTIFICATION)
    return [
        (kind.value.capitalize(), work_on(kind, 1, rules), razed_gold(kind, 1, rules))
        for kind in without_levels
    ]


def city_rows(atlas: Atlas, rules: Rules) -> Iterator[CityRow]:
    """Yield a row for every city, in the map's order."""
    for province in atlas.provinces:
        city = atlas.city(province)
        if city is None:
            continue
        city_recruits = set(city.recruits)
        # the region whose list differs from the city's in the fewest types
        region = min(
            rules.recruits, key=lambda name: len(set(rules.recruits[name]) ^ city_recruits), default=""
        )
        region_recruits = rules.recruits.get(region, ())
        also = tuple(name for name in city.recruits if name not in region_recruits)
        without = tuple(name for name in region_recruits if name not in city_recruits)
        yield CityRow(province, city.name, city.resource, region.title(), also, without)
