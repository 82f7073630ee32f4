"""The handbook's page: one self-contained HTML file, made of the rules data, the texts and a turn that was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.handbook.clauses import clause_chapters
from gm.games.medieval.handbook.events import order_of_events
from gm.games.medieval.handbook.figures import RuleFigures
from gm.games.medieval.handbook.lesson import lesson
from gm.games.medieval.handbook.tables import (
    city_rows,
    level_rows,
    other_regions,
    realm_rows,
    ship_groups,
    soldier_groups,
    structure_rows,
)
from gm.games.medieval.handbook.texts import GUIDES, guide, terms, topics, tutorial
from gm.games.medieval.handbook.words import word_sections
from gm.games.medieval.report.scripts import inlined
from gm.games.medieval.state import World
from gm.resources import resource
from gm.text.markup import html_of, line_of
from gm.text.pages import ready_markup, render

if TYPE_CHECKING:
    from markupsafe import Markup

STYLES = ("handbook", "handbook-page")
SCRIPTS = ("contents", "handbook")

CONTENTS = (
    ("start", "Start here"),
    ("tutorial", "First turn"),
    ("events", "Events"),
    ("report", "The report"),
    ("writing", "Orders"),
    ("fights", "Fights"),
    ("rules", "Rules"),
    ("tables", "Tables"),
    ("questions", "Questions"),
    ("glossary", "Glossary"),
)
"""The chapters in order: their anchors, and what they are called in the bar at the top."""


def handbook_page(rules: Rules, atlas: Atlas, *, lesson_world: World, lesson_rules: Rules, lesson_atlas: Atlas) -> str:
    """The players' rulebook for a game with these rules on this map.

    The tutorial is played from ``lesson_world``, the start of its own map, with the rules that come with that. Raises
    ``ValueError`` when a text asks for a figure that does not exist or the tutorial's orders do not fit.
    """
    figures = RuleFigures(rules, atlas)
    taught = lesson(tutorial(), lesson_world, lesson_rules, lesson_atlas)
    lesson_figures = RuleFigures(lesson_rules, lesson_atlas, taught.figures)

    def html(text: str) -> Markup:
        return html_of(text, figures)

    def line(text: str) -> Markup:
        return line_of(text, figures)

    def told(text: str) -> Markup:
        return html_of(text, lesson_figures)

    values: dict[str, Any] = {
        "rules": rules,
        "atlas": atlas,
        "contents": CONTENTS,
        "inlined": inlined(STYLES, SCRIPTS),
        "html": html,
        "line": line,
        "told": told,
        "told_line": lambda text: line_of(text, lesson_figures),
        "guides": {name: guide(name) for name in GUIDES},
        "tutorial": tutorial(),
        "lesson": taught,
        "lesson_map": ready_markup(taught.map),
        "lesson_title": lesson_atlas.title,
        "stages": order_of_events(),
        "sections": word_sections(),
        "chapters": clause_chapters(figures),
        "topics": topics(),
        "terms": terms(),
        "soldiers": soldier_groups(rules),
        "ships": ship_groups(rules),
        "other_regions": other_regions,
        "levels": level_rows(rules),
        "structures": structure_rows(rules),
        "cities": tuple(city_rows(atlas, rules)),
        "realms": realm_rows(atlas),
    }
    return render(resource("templates"), "medieval/handbook.html", values)
