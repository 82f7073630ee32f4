"""The clauses as the handbook and the realm's page show them: text, rulings, and what refers to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from gm.games.medieval.data.clauses_data import load_clauses, load_reasons
from gm.games.medieval.handbook.texts import Chapter, chapters, clause_texts, rulings_of
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.text.markup import Anchors, Figures, html_of, line_of, same_anchor

if TYPE_CHECKING:
    from markupsafe import Markup

ANCHOR = "rule-"
"""Before a clause's id, in links and anchors on every page; the handbook has the bare id as well."""


@dataclass(frozen=True, slots=True)
class ClauseView:
    """One clause: ``later`` if the game does not have it yet; ``words`` order it, ``reasons`` are given in its name."""

    id: str
    title: str
    later: bool
    text: Markup
    rulings: tuple[Markup, ...]
    words: tuple[str, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChapterView:
    """The clauses under one letter."""

    chapter: Chapter
    clauses: tuple[ClauseView, ...]


def clause_chapters(figures: Figures, anchors: Anchors = same_anchor) -> tuple[ChapterView, ...]:
    """All clauses in the rules' order. Raises ``KeyError`` for a missing text, ``ValueError`` for a wrong figure."""
    return tuple(ChapterView(each, tuple(_clauses(each.id, figures, anchors))) for each in chapters())


def _clauses(letter: str, figures: Figures, anchors: Anchors) -> Iterator[ClauseView]:
    texts, rulings = clause_texts(), rulings_of()
    for key, clause in load_clauses().items():
        if key[0] == letter:
            yield ClauseView(
                id=key,
                title=clause.title,
                later=clause.later,
                text=html_of(texts[key], figures, anchors),
                rulings=tuple(line_of(each.ruling, figures, anchors) for each in rulings.get(key, ())),
                words=_words().get(key, ()),
                reasons=_reasons().get(key, ()),
            )


@cache
def _words() -> Mapping[str, tuple[str, ...]]:
    """The words of an order file by the clause that they belong to."""
    found: dict[str, tuple[str, ...]] = {}
    for table in (HEADQUARTERS, UNIT, PLAN):
        for word in table.values():
            for clause in word.clause.split(", "):
                found[clause] = (*found.get(clause, ()), word.name)
    return found


@cache
def _reasons() -> Mapping[str, tuple[str, ...]]:
    """What reports say in a clause's name when an order fails, with dots where a name or figure comes in."""
    found: dict[str, dict[str, None]] = {}
    for reason in load_reasons().values():
        says = re.sub(r"\{\w+\}", "…", re.sub(r"\{\w+:([^}]+)\}", r"… \1s", reason.says))
        found.setdefault(reason.clause, {})[says] = None
    return {clause: tuple(says) for clause, says in found.items()}
