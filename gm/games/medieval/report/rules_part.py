"""The rules on a realm's page: the clauses that it names, and the study.

They depend on rules and map, and are cached.
"""

import re
from collections.abc import Set
from functools import cached_property
from itertools import chain
from typing import Any

import msgspec

from gm.core.values import Record
from gm.game.base.texts import ChapterView, ClauseView, chapter_views
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.handbook.figures import RuleFigures
from gm.games.medieval.handbook.tables import level_rows, structure_rows
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.text.pages import cached_text, fragment, linked_clauses, ready_markup

_QUOTED = re.compile(r'"([A-Z]\d+(?:\.\d+)?)"')


def quoted_clauses(data: str) -> set[str]:
    """Return the ids of clauses in ``data``, JSON for a page's scripts, where each is a text of its own."""
    return set(_QUOTED.findall(data))


class _Clause(Record):
    """A clause as a part of a page."""

    text: str  # HTML
    named_ids: tuple[str, ...]  # the ids of the clauses that it names


class _Chapter(Record):
    """A chapter of the rules, with its clauses by their ids; ``about`` is HTML."""

    id: str
    title: str
    about: str
    clauses: dict[str, _Clause]


class RulesPart:
    """The texts of the clauses for the pages of one turn."""

    def __init__(self, rules: Rules, atlas: Atlas, fingerprint: str, formatter: MedievalFormatter) -> None:
        """Prepare for a game's rules and map, and the fingerprint of both."""
        self._rules = rules
        self._atlas = atlas
        self._fingerprint = fingerprint
        self._formatter = formatter
        self._sections: dict[frozenset[str], str] = {}  # the HTML made so far, by the ids wanted

    @cached_property
    def _chapters(self) -> list[_Chapter]:
        """All chapters of the rules, cached on disk."""
        chapters = cached_text(f"clauses {self._formatter.language}", self._fingerprint, self._rule_texts)
        return msgspec.json.decode(chapters, type=list[_Chapter])

    def _rule_texts(self) -> str:
        """Return all chapters as JSON."""
        translate = self._formatter.translate
        figures = RuleFigures(self._rules, self._atlas, translate=translate)

        def anchor_here(anchor: str) -> str:
            """Return where a link into the handbook leads on this page; empty for nowhere.

            Of the handbook's chapters the page has only the tables, in the section ``study``.
            """
            return "study" if anchor.startswith("table") else ""

        views = chapter_views("medieval", figures, anchor_here, translate=translate)
        return msgspec.json.encode([self._chapter(view) for view in views]).decode()

    def _chapter(self, view: ChapterView) -> _Chapter:
        """Return a chapter with its clauses as parts of pages."""
        clauses = {clause.id: self._clause(clause) for clause in view.clauses}
        return _Chapter(id=view.id, title=view.title, about=str(view.about), clauses=clauses)

    def _clause(self, clause: ClauseView) -> _Clause:
        """Return a clause as a part of pages."""
        text = fragment("medieval/clause.html", {"each": clause}, self._formatter.language)
        return _Clause(str(text), tuple(sorted(linked_clauses(text))))

    @cached_property
    def _ids_named_by(self) -> dict[str, tuple[str, ...]]:
        """The ids of the clauses that each clause names, by its id."""
        clauses = chain.from_iterable(chapter.clauses.items() for chapter in self._chapters)
        return {clause_id: clause.named_ids for clause_id, clause in clauses}

    def section(self, wanted_ids: frozenset[str]) -> str:
        """Return the HTML of these clauses, and of all that they name directly or not, by chapters."""
        if wanted_ids not in self._sections:
            self._sections[wanted_ids] = self._section(wanted_ids)
        return self._sections[wanted_ids]

    def _section(self, wanted_ids: frozenset[str]) -> str:
        """Return the HTML of these clauses, and of all that they name directly or not, by chapters."""
        ids_named_by = self._ids_named_by
        new_ids = ids_named_by.keys() & wanted_ids
        reached = set[str]()
        while new_ids:
            reached |= new_ids
            named = set(chain.from_iterable(ids_named_by[clause_id] for clause_id in new_ids))
            new_ids = ids_named_by.keys() & named - reached
        chapters = [(chapter, _texts(chapter, reached)) for chapter in self._chapters]
        return fragment("medieval/page/rules.html", {"chapters": chapters}, self._formatter.language)

    def study(self) -> str:
        """Return the HTML of the tables of all figures that follow from rules and map, cached on disk."""
        language = self._formatter.language
        html = cached_text(
            f"study {language}",
            self._fingerprint,
            lambda: fragment("medieval/study.html", study(self._rules, self._atlas), language),
        )
        return ready_markup(html)


def _texts(chapter: _Chapter, shown_ids: Set[str]) -> list[str]:
    """Return the HTML of the clauses of a chapter with these ids."""
    return [clause.text for clause_id, clause in chapter.clauses.items() if clause_id in shown_ids]


def study(rules: Rules, atlas: Atlas) -> dict[str, Any]:
    """Return the values of the study's template.

    ``cities``: the provinces whose cities recruit each troop type, by type.
    """
    cities: dict[str, list[str]] = {name: [] for name in rules.troops}
    for name, place in atlas.locations.items():
        if place.city:
            for troop in place.city.recruits:
                cities[troop].append(name)
    troops = list(rules.troops.values())
    return {
        "rules": rules,
        "cities": cities,
        "soldiers": [troop for troop in troops if not troop.ship],
        "ships": [troop for troop in troops if troop.ship],
        "fortifications": [row for row in level_rows(rules) if row.row],
        "structures": structure_rows(rules),
        "damages": list(enumerate(rules.economy.revenue_percent)),
    }
