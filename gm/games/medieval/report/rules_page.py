"""The rules in a realm's page: every clause that it names, and the figures of the rules data (T1-T5)."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from gm.game.base.texts import ChapterView, ClauseView, chapter_views
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.handbook.figures import RuleFigures
from gm.games.medieval.handbook.tables import level_rows, structure_rows

_NAMED = re.compile(r'#rule-([A-Z]\d+(?:\.\d+)?)(?=[" >])|"([A-Z]\d+(?:\.\d+)?)"')
"""A link to a clause, or its id in the data for the scripts."""


class RulesOfPages:
    """The clauses of one turn's pages, made once; each page prints those that it names (B14, O2)."""

    def __init__(self, rules: Rules, atlas: Atlas) -> None:
        self._figures = RuleFigures(rules, atlas)

    def named_in(self, page: str) -> tuple[ChapterView, ...]:
        """The chapters with the clauses that a page names, and those that these name in turn."""
        wanted = set[str]()
        found = _ids(page) & self._clauses.keys()
        while found:
            wanted |= found
            texts = (str(text) for key in found for text in (self._clauses[key].text, *self._clauses[key].rulings))
            found = (set[str]().union(*map(_ids, texts)) & self._clauses.keys()) - wanted
        kept = (each.evolve(clauses=tuple(one for one in each.clauses if one.id in wanted)) for each in self._chapters)
        return tuple(each for each in kept if each.clauses)

    @cached_property
    def _chapters(self) -> tuple[ChapterView, ...]:
        return chapter_views("medieval", self._figures, _anchor)

    @cached_property
    def _clauses(self) -> dict[str, ClauseView]:
        return {each.id: each for chapter in self._chapters for each in chapter.clauses}


def _ids(text: str) -> set[str]:
    return {link or plain for link, plain in _NAMED.findall(text)}


def _anchor(anchor: str) -> str:
    """The handbook's tables are the study here; its other chapters are not in this page."""
    return "study" if anchor.startswith("table") else ""


def study(rules: Rules, atlas: Atlas) -> dict[str, Any]:
    """What the study's template shows, all of it from the rules and the map's lists of recruits."""
    cities: dict[str, list[str]] = {name: [] for name in rules.troops}
    for name, place in atlas.locations.items():
        for troop in place.city.recruits if place.city else ():
            cities[troop].append(name)
    troops = list(rules.troops.values())
    return {
        "rules": rules,
        "cities": cities,
        "soldiers": [each for each in troops if not each.ship],
        "ships": [each for each in troops if each.ship],
        "fortifications": [each for each in level_rows(rules) if each.row],
        "structures": structure_rows(rules),
        "damages": list(enumerate(rules.economy.revenue_percent)),
    }
