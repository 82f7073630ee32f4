"""The handbook's page: one self-contained HTML file, made of the rules data, the texts and a turn that was played."""

from __future__ import annotations

from functools import partial
from typing import Any

from gm.game.base.texts import chapter_views
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.handbook import tables
from gm.games.medieval.handbook.figures import RuleFigures
from gm.games.medieval.handbook.lesson import lesson
from gm.games.medieval.handbook.texts import GUIDES, guide, terms, topics, tutorial
from gm.games.medieval.report.scripts import inlined
from gm.games.medieval.state import World
from gm.resources import resource
from gm.text.markup import html_of, line_of
from gm.text.pages import ready_markup, render

STYLES = ("handbook", "handbook-page")
SCRIPTS = ("dom", "contents", "handbook")
CONTENTS = {
    "start": "Start here",
    "tutorial": "First turn",
    "events": "Events",
    "report": "The report",
    "writing": "Orders",
    "fights": "Fights",
    "rules": "Rules",
    "tables": "Tables",
    "questions": "Questions",
    "glossary": "Glossary",
}
"""The chapters in order: their anchors, and what they are called in the bar at the top."""


def handbook_page(rules: Rules, atlas: Atlas, *, lesson_world: World, lesson_rules: Rules, lesson_atlas: Atlas) -> str:
    """The players' rulebook for a game with these rules on this map.

    The tutorial is played from ``lesson_world``, the start of its own map, with the rules that come with that. Raises
    ``ValueError`` when a text asks for a figure that does not exist or the tutorial's orders do not fit.
    """
    figures = RuleFigures(rules, atlas)
    taught = lesson(tutorial(), lesson_world, lesson_rules, lesson_atlas)
    lesson_figures = RuleFigures(lesson_rules, lesson_atlas, taught.figures)
    values: dict[str, Any] = {
        "rules": rules,
        "atlas": atlas,
        "contents": CONTENTS.items(),
        "inlined": inlined(STYLES, SCRIPTS),
        "html": partial(html_of, figures=figures),
        "line": partial(line_of, figures=figures),
        "told": partial(html_of, figures=lesson_figures),
        "told_line": partial(line_of, figures=lesson_figures),
        "guides": {name: guide(name) for name in GUIDES},
        "tutorial": tutorial(),
        "lesson": taught,
        "lesson_map": ready_markup(taught.map),
        "lesson_title": lesson_atlas.title,
        "stages": tables.order_of_events(),
        "sections": tables.word_sections(),
        "chapters": chapter_views("medieval", figures, words=tables.words_by_clause()),
        "topics": topics(),
        "terms": terms(),
        "soldiers": tables.soldier_groups(rules),
        "ships": tables.ship_groups(rules),
        "other_regions": tables.other_regions,
        "levels": tables.level_rows(rules),
        "structures": tables.structure_rows(rules),
        "cities": list(tables.city_rows(atlas, rules)),
        "realms": [seat for _, seat in sorted(atlas.realms.items())],
    }
    return render(resource("templates"), "medieval/handbook.html", values)
