"""The texts of a small game that are data: clauses, rulings, chapters, guide, sentences, reasons.

rules/KEY/clauses.yaml              clause ids with a title each, in the rules' order
rules/KEY/rulings.yaml              what the project decided where the rules are silent
rules/KEY/reasons/*.yaml            why a line of orders comes to nothing
rules/KEY/handbook/chapters.yaml    chapters of clauses
rules/KEY/handbook/clauses/*.yaml   each clause in our own words
rules/KEY/handbook/guide.yaml       how to play, for newcomers
templates/KEY/sentences/*.yaml      a sentence for each event
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from gm.core.values import FrozenMap, Value
from gm.core.yaml.models import load_value
from gm.resources import resource
from gm.text.sentences import Sentence, load_sentences


class Ruling(Value):
    """One decision where the rules are silent or contradict themselves."""

    id: str
    clause: str
    ruling: str


class Rulings(Value):
    """rulings.yaml."""

    rulings: tuple[Ruling, ...] = ()


class Clauses(Value):
    """clauses.yaml: titles by clause id."""

    clauses: FrozenMap[str, str]


class Chapter(Value):
    """The clauses whose ids begin with ``id`` and a dot, under a title and a line that says what they are about."""

    id: str
    title: str
    about: str = ""


class Chapters(Value):
    """chapters.yaml."""

    chapters: tuple[Chapter, ...]


class ClauseTexts(Value):
    """One file of clauses/: texts by clause id."""

    clauses: FrozenMap[str, str]


class GuidePart(Value):
    """One section of the guide. ``text`` has the marks of :mod:`gm.text.markup`."""

    id: str
    title: str
    text: str


class Guide(Value):
    """guide.yaml: what the handbook begins with. ``summary`` says in two sentences what the game is about."""

    summary: str
    parts: tuple[GuidePart, ...]


@cache
def clauses(game: str) -> Mapping[str, str]:
    """Titles by clause id, in the rules' order."""
    return load_value(resource("rules", game, "clauses.yaml"), Clauses).clauses


@cache
def rulings(game: str) -> tuple[Ruling, ...]:
    """The rulings of a game; a game may have none."""
    path = resource("rules", game) / "rulings.yaml"
    return load_value(path, Rulings).rulings if path.is_file() else ()


@cache
def chapters(game: str) -> tuple[Chapter, ...]:
    """The chapters of its handbook."""
    return load_value(resource("rules", game, "handbook", "chapters.yaml"), Chapters).chapters


@cache
def clause_texts(game: str) -> Mapping[str, str]:
    """Each clause in our own words. Raises ``ValueError`` for one that two files describe."""
    found: dict[str, str] = {}
    for path in sorted(resource("rules", game, "handbook", "clauses").glob("*.yaml")):
        texts = load_value(path, ClauseTexts).clauses
        twice = found.keys() & texts.keys()
        if twice:
            raise ValueError(f"{path.name}: another file has a text for {', '.join(sorted(twice))}")
        found |= texts
    return found


@cache
def guide(game: str) -> Guide:
    """The guide of its handbook."""
    return load_value(resource("rules", game, "handbook", "guide.yaml"), Guide)


@cache
def sentences(game: str) -> Mapping[str, Sentence]:
    """A sentence for each event of the game and of the kernel. Raises ``ValueError`` for an event that has two."""
    shared, own = load_sentences("templates", "game", "sentences"), load_sentences("templates", game, "sentences")
    return {**shared, **own}
