"""The handbook's texts, as data in rules/medieval/handbook/.

Clauses, rulings and chapters are read as every game's (:mod:`gm.game.base.texts`).
"""

from collections.abc import Mapping
from functools import cache, partial
from typing import TypeVar

from gm.core.values import Value
from gm.core.yaml.models import load_value
from gm.game.base import texts
from gm.resources import resource

ModelT = TypeVar("ModelT", bound=Value)


class SmallTable(Value):
    """A small table below a text of a guide; its cells have the markup of texts, with figures in braces."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Part(texts.GuidePart):
    """A part of a guide's chapter; ``id`` is its anchor."""

    table: SmallTable | None = None
    after: str = ""  # the text below the table


class Guide(Value):
    """A chapter before the rules (guide/*.yaml)."""

    id: str
    title: str
    lead: str  # the text before the parts
    parts: tuple[Part, ...]


class Example(Value):
    """An example for a word of order files: ``declare_war: [TEU]``; ``note``: what it does not show."""

    example: str
    note: str = ""


class Words(Value):
    """words.yaml: an example for each word of each section."""

    headquarters: Mapping[str, Example]
    unit: Mapping[str, Example]
    plan: Mapping[str, Example]


class Step(texts.GuidePart):
    """A step of the tutorial."""

    orders: str = ""  # the lines that it adds to the order file
    into: str = ""  # the section to which it adds them, or the unit
    shows: str = ""  # what the program shows: a table or picture of the position, the whole file, the check
    after: str = ""  # the text below that


class Tutorial(Value):
    """tutorial.yaml: the orders of a realm for the first turn, step by step, and those for the next."""

    map: str  # its name
    around: str  # the place in the middle of the picture
    realm: str  # its code
    key: str  # the realm's, for the first order file
    next_key: str  # for the next one
    lead: str  # the text before the steps
    steps: tuple[Step, ...]
    next_turn: str  # the order file for the next turn


class Question(Value):
    """A frequent question; ``id`` is its anchor."""

    id: str
    asks: str
    answer: str


class Topic(Value):
    """Questions about one subject."""

    title: str
    questions: tuple[Question, ...]


class Term(Value):
    """A term and its meaning, in a sentence."""

    term: str
    says: str


class Lists(Value):
    """events.yaml, faq.yaml or glossary.yaml: remarks on the turn's events by clause, topics, or terms."""

    remarks: Mapping[str, str] = {}
    topics: tuple[Topic, ...] = ()
    terms: tuple[Term, ...] = ()


GUIDES = ("start", "report", "orders", "fights", "dice")  # The files of guide/
chapters = partial(texts.chapters, "medieval")
clause_texts = partial(texts.clause_texts, "medieval")


def _file(model: type[ModelT], name: str) -> ModelT:
    """Return a file of the handbook's texts as a ``model``; ``name``: its path there, without ``.yaml``."""
    return load_value(resource("rules", "medieval", "handbook", *f"{name}.yaml".split("/")), model)


words = cache(partial(_file, Words, "words"))
tutorial = cache(partial(_file, Tutorial, "tutorial"))
guide = cache(lambda name: _file(Guide, f"guide/{name}"))  # one chapter of ``GUIDES``
remarks = cache(lambda: _file(Lists, "events").remarks)  # what to know of each event of the turn, by clause
topics = cache(lambda: _file(Lists, "faq").topics)
terms = cache(lambda: _file(Lists, "glossary").terms)
