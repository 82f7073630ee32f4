"""Reads the handbook's texts (rules/medieval/handbook/): prose as data, so that a rule and its words stand together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from gm.core.values import FrozenMap, Value
from gm.core.yaml.models import load_value
from gm.games.medieval.data.clauses_data import Ruling, load_rulings
from gm.resources import resource

ModelT = TypeVar("ModelT", bound=Value)


class Chapter(Value):
    """The clauses whose ids begin with ``id``, under a title and a line that says what they are about."""

    id: str
    title: str
    about: str


class ChaptersFile(Value):
    """chapters.yaml."""

    chapters: tuple[Chapter, ...]


class ClauseTexts(Value):
    """One file of clauses/: texts by clause id."""

    clauses: FrozenMap[str, str]


class Figured(Value):
    """A small table in a text: ``head`` and ``rows`` of cells, each with the marks of a line."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Part(Value):
    """A part of a guide's chapter; ``id`` is its anchor."""

    id: str
    title: str
    text: str
    table: Figured | None = None
    after: str = ""
    """What follows the table."""


class Guide(Value):
    """A chapter before the rules (guide/*.yaml)."""

    id: str
    title: str
    lead: str
    parts: tuple[Part, ...]


class RemarksFile(Value):
    """events.yaml: what to know of each event, in a line, by the clause that it is."""

    remarks: FrozenMap[str, str]


class Example(Value):
    """A word of an order file as somebody would write it; ``note`` says what is not plain from it."""

    example: str
    note: str = ""


class WordsFile(Value):
    """words.yaml: an example for each word of each section."""

    headquarters: FrozenMap[str, Example]
    unit: FrozenMap[str, Example]
    plan: FrozenMap[str, Example]


class Step(Value):
    """A step of the tutorial. ``orders`` are the lines that it adds to the file, in the section ``into``.

    ``shows`` names what the program puts there: a table or picture of the position, the whole file, the check.
    """

    id: str
    title: str
    text: str
    orders: str = ""
    into: str = ""
    shows: str = ""
    after: str = ""


class Tutorial(Value):
    """tutorial.yaml: a first turn as ``realm`` on ``map``, and what the turn after could look like (``next_turn``).

    ``around`` is the place in the middle of its picture, ``key`` and ``next_key`` are those of the two files.
    """

    map: str
    around: str
    realm: str
    key: str
    next_key: str
    lead: str
    steps: tuple[Step, ...]
    next_turn: str


class Question(Value):
    """What people ask; ``id`` is its anchor."""

    id: str
    asks: str
    answer: str


class Topic(Value):
    """Questions about one thing."""

    title: str
    questions: tuple[Question, ...]


class FaqFile(Value):
    """faq.yaml."""

    topics: tuple[Topic, ...]


class Term(Value):
    """A term and what it means, in a sentence."""

    term: str
    says: str


class GlossaryFile(Value):
    """glossary.yaml."""

    terms: tuple[Term, ...]


GUIDES = ("start", "report", "orders", "fights", "dice")
"""The files of guide/."""


def _load(name: str, model: type[ModelT]) -> ModelT:
    return load_value(resource("rules", "medieval", "handbook", *name.split("/")), model)


@cache
def chapters() -> tuple[Chapter, ...]:
    """The letters of the clause ids, in the order in which they are printed."""
    return _load("chapters.yaml", ChaptersFile).chapters


@cache
def clause_texts() -> Mapping[str, str]:
    """Every clause's text by id. Raises ``ValueError`` when two files have the same clause."""
    found: dict[str, str] = {}
    for path in sorted(resource("rules", "medieval", "handbook", "clauses").glob("*.yaml")):
        for key, text in load_value(path, ClauseTexts).clauses.items():
            if key in found:
                raise ValueError(f"{path.name}: the clause {key} has a text in another file too")
            found[key] = text
    return found


@cache
def rulings_of() -> Mapping[str, tuple[Ruling, ...]]:
    """The rulings by the clause that they belong to."""
    found: dict[str, tuple[Ruling, ...]] = {}
    for ruling in load_rulings():
        found[ruling.clause] = (*found.get(ruling.clause, ()), ruling)
    return found


@cache
def guide(name: str) -> Guide:
    """One chapter of ``GUIDES``."""
    return _load(f"guide/{name}.yaml", Guide)


@cache
def remarks() -> Mapping[str, str]:
    """What to know of each event of the turn, by clause."""
    return _load("events.yaml", RemarksFile).remarks


@cache
def words() -> WordsFile:
    """An example for each word of an order file."""
    return _load("words.yaml", WordsFile)


@cache
def tutorial() -> Tutorial:
    """The first turn."""
    return _load("tutorial.yaml", Tutorial)


@cache
def topics() -> tuple[Topic, ...]:
    """Questions and answers."""
    return _load("faq.yaml", FaqFile).topics


@cache
def terms() -> tuple[Term, ...]:
    """The glossary, in alphabetical order."""
    return tuple(sorted(_load("glossary.yaml", GlossaryFile).terms, key=lambda each: each.term.casefold()))
