"""The handbook's tables (T1-T6), of rules data, map, pipeline and grammar."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from itertools import chain
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
    """A step of the turn: its title, its clause, further clauses, the order words for it, and a remark."""

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
    """A fortification level: its bonuses (T2), the cost of building and repair, the gain of razing (T4)."""

    row: FortificationLevel | None
    level: int
    work: Work
    repair: Decimal
    razed: Decimal


class CityRow(NamedTuple):
    """A city of the map and its recruits, with the region whose list is most similar (T6)."""

    province: str
    name: str
    resource: int
    region: str
    also: tuple[str, ...]
    without: tuple[str, ...]


def order_of_events() -> tuple[StageRow, ...]:
    """Return First, Movement and Final Events in their order.

    Raises ``KeyError`` for a step without a remark.
    """
    # a clause that is an event itself: where another step names it, it only takes part
    mains = {step.clauses[0] for step in chain(FIRST.steps, MOVEMENT.steps, FINAL.steps)}

    def row(step: Step) -> EventRow:
        """Return a step's row: its title, its clauses, the words of its orders and a remark."""
        main, *others = step.clauses
        own_clauses = {main, *(clause for clause in others if clause not in mains)}
        ordered = (
            word.name for word in _all_words() if word.order and own_clauses & set(word.clause.split(", "))
        )
        further = tuple(clause for clause in others if clause in own_clauses and clause[0] == main[0])
        return EventRow(step.title, main, further, tuple(ordered), remarks()[main])

    return tuple(
        StageRow(f"{stage.name.title()} Events", stage.again is not None, tuple(map(row, stage.steps)))
        for stage in STAGES
    )


def _all_words() -> Iterator[Word]:
    return chain.from_iterable(table.values() for _, table in SECTIONS.values())


@cache
def words_by_clause() -> Mapping[str, tuple[str, ...]]:
    """Return the words of an order file by their clauses."""
    words_of: dict[str, tuple[str, ...]] = {}
    for word in _all_words():
        for clause in word.clause.split(", "):
            words_of[clause] = (*words_of.get(clause, ()), word.name)
    return words_of


def word_sections() -> dict[str, tuple[str, list[tuple[Word, list[str], Example]]]]:
    """Return the words of an order file by section, with the section's title.

    Each word has the kinds of units that can carry it out (none: the realm) and its form. Raises ``KeyError``
    for a word without an example.
    """

    def who(section: str, word: Word) -> list[str]:
        kinds = ["all units"] if set(word.kinds) == set(KINDS) else [KINDS[letter] for letter in word.kinds]
        return [] if section == "headquarters" else kinds

    sections = {}
    for section, (title, table) in SECTIONS.items():
        examples = getattr(words(), section)
        sections[section] = (
            title,
            [(word, who(section, word), examples[name]) for name, word in table.items()],
        )
    return sections


def soldier_groups(rules: Rules) -> dict[str, list[TroopType]]:
    """Return soldiers by recruiting region, in the order of the troop table.

    Those of every region come last.
    """
    groups: dict[str, list[TroopType]] = {region.title(): [] for region in rules.recruits}
    everywhere: list[TroopType] = []
    for troop in rules.troops.values():
        if not troop.ship:
            first = next((region.title() for region in troop.regions), "Elsewhere")
            (
                everywhere if set(rules.recruits) <= set(troop.regions) else groups.setdefault(first, [])
            ).append(troop)
    return {title: troops for title, troops in {**groups, EVERYWHERE: everywhere}.items() if troops}


def ship_groups(rules: Rules) -> dict[str, list[TroopType]]:
    """Return transports, then warships."""
    groups: defaultdict[str, list[TroopType]] = defaultdict(list)
    for troop in (troop for troop in rules.troops.values() if troop.ship):
        groups[f"{troop.kind.value}s".capitalize()].append(troop)
    return groups


def other_regions(troop: TroopType, group: str) -> list[str]:
    """Return the further regions of a type that is listed under one of its regions."""
    return [region.title() for region in troop.regions if region.title() != group]


def level_rows(rules: Rules) -> list[LevelRow]:
    """Return every fortification level that can be built."""
    walls = Structure.FORTIFICATION
    row_of_level = {row.level: row for row in rules.fortifications}
    work_of_level = (
        (level, work_on(walls, level, rules))
        for level in range(1, rules.construction.fortification_limit + 1)
    )
    return [
        LevelRow(
            row_of_level.get(level),
            level,
            work,
            repair_work(level, rules).gold,
            razed_gold(walls, level, rules),
        )
        for level, work in work_of_level
    ]


def structure_rows(rules: Rules) -> list[tuple[str, Work, Decimal]]:
    """Return (name, work, gold from razing) of the structures that have no levels."""
    single = (kind for kind in Structure if kind is not Structure.FORTIFICATION)
    return [(kind.value.capitalize(), work_on(kind, 1, rules), razed_gold(kind, 1, rules)) for kind in single]


def city_rows(atlas: Atlas, rules: Rules) -> Iterator[CityRow]:
    """Yield every city in the map's order."""
    for province in atlas.provinces:
        city = atlas.city(province)
        if city is None:
            continue
        own_recruits = set(city.recruits)
        region = min(
            rules.recruits, key=lambda name: len(set(rules.recruits[name]) ^ own_recruits), default=""
        )
        usual = rules.recruits.get(region, ())
        also = tuple(name for name in city.recruits if name not in usual)
        without = tuple(name for name in usual if name not in own_recruits)
        yield CityRow(province, city.name, city.resource, region.title(), also, without)
