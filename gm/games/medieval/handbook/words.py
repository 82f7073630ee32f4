"""Every word of an order file with its shape, its clause and an example: the grammar's own tables, spelled out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gm.games.medieval.handbook.texts import Example, words
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.orders.values import Word

KINDS = {"A": "armies", "F": "fleets", "G": "garrisons"}


@dataclass(frozen=True, slots=True)
class WordRow:
    """A word: ``says`` is what it orders, ``who`` can do it (empty: the realm), ``example`` the lines to write."""

    anchor: str
    name: str
    clauses: tuple[str, ...]
    says: str
    who: str
    example: str
    note: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the file with its words."""

    id: str
    title: str
    words: tuple[WordRow, ...]


def word_sections() -> tuple[Section, ...]:
    """All words of the grammar. Raises ``KeyError`` for one without an example."""
    found = words()
    return (
        _section("headquarters", "Under headquarters:", HEADQUARTERS, found.headquarters),
        _section("unit", "Under units:, below a unit", UNIT, found.unit),
        _section("plan", "In a unit's plan:", PLAN, found.plan),
    )


def _section(section: str, title: str, table: Mapping[str, Word], examples: Mapping[str, Example]) -> Section:
    rows = (_row(section, word, examples[name]) for name, word in table.items())
    return Section(section, title, tuple(rows))


def _row(section: str, word: Word, example: Example) -> WordRow:
    everybody = section != "headquarters" and set(word.kinds) == set(KINDS)
    who = "" if section == "headquarters" else "all units" if everybody else _listed(word.kinds)
    return WordRow(
        anchor=f"word-{word.name}",
        name=word.name,
        clauses=tuple(word.clause.split(", ")),
        says=word.says,
        who=who,
        example=example.example.rstrip("\n"),
        note=example.note,
    )


def _listed(kinds: str) -> str:
    return " and ".join(KINDS[letter] for letter in kinds)
