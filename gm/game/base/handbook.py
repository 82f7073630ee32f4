"""The players' rulebook of a small game: one self-contained HTML file made of its texts and its rules data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gm.core.records import changed
from gm.game.base import texts
from gm.game.base.page import STYLES
from gm.game.base.scene import scene_of
from gm.game.base.template import order_template
from gm.game.base.views import Cell, Grid, Shown
from gm.game.spec import GameData, MapView
from gm.game.turn_result import TurnResult
from gm.resources import resource
from gm.text.inlining import inlined_files
from gm.text.markup import Figures, html_of, line_of
from gm.text.pages import ready_markup, render
from gm.text.reasons import load_reasons

if TYPE_CHECKING:
    from markupsafe import Markup

    from gm.game.base.game import BaseGame


@dataclass(frozen=True, slots=True)
class ClauseView:
    """A clause: its title, our words for it, the rulings that belong to it, and what reports say in its name."""

    id: str
    title: str
    text: Markup
    rulings: tuple[Markup, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChapterView:
    """A chapter with its clauses."""

    id: str
    title: str
    about: Markup
    clauses: tuple[ClauseView, ...]


def handbook_page(spec: BaseGame[Any], table: GameData, settings: Any) -> str:
    """The page, with the figures that the settings of a game (none: no game yet) put in force. Raises ``ValueError``
    when a text asks for a figure that the rules do not have, ``KeyError`` for a clause without a text."""
    if settings is not None:
        seed = table.settings[1] if table.settings else ""
        table = changed(table, rules=spec.in_force(table.rules, settings), settings=(settings, seed))
    figures = figures_of(table)
    state = spec.start(table, resource("maps", spec.key), None)
    code = next(iter(state.parties))
    sample = TurnResult(game="my-game", before=state, after=state, events=(), keys={code: "your-key-12"})
    guide = texts.guide(spec.key)
    values: dict[str, Any] = {
        "title": spec.title,
        "board": table.board,
        "summary": html_of(guide.summary, figures),
        "guide": [(part.id, part.title, html_of(part.text, figures)) for part in guide.parts],
        "chapters": list(_chapters(spec.key, figures)),
        "steps": list(_steps(spec)),
        "template": order_template(scene_of(spec, table, sample, code)),
        "tables": [*spec.handbook_tables(table), *_settings(spec, settings)],
        "map": ready_markup(spec.draw(table, state, MapView())),
        "inlined": inlined_files((*STYLES, *spec.page_styles)),
        "ready": ready_markup,
        "_": str,
    }
    return render(resource("templates"), "game/handbook.html", values)


def _settings(spec: BaseGame[Any], settings: Any) -> Iterator[Grid]:
    """What was chosen for this game."""
    if settings is None:
        return
    rows: list[list[Shown]] = []
    for name, field in spec.settings_type.model_fields.items():
        value = getattr(settings, name)
        hidden = isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("hidden")
        if not hidden and value is not None and value != "" and value != ():
            rows.append([Cell(name, code=True), spec.setting_text(value), field.description or ""])
    yield Grid(("Setting", "Here", "What it is"), rows, "The settings of this game")


def figures_of(table: GameData) -> Figures:
    """What stands between braces in a text: a path into the rules, e.g. ``{units.tank.strength}``."""
    rules = table.rules.model_dump(mode="json")

    def figure(path: str) -> str:
        found: Any = rules
        for part in path.split("."):
            if isinstance(found, list) and part.isdigit() and int(part) < len(found):
                found = found[int(part)]
            elif isinstance(found, dict) and part in found:
                found = found[part]
            else:
                raise ValueError(f"the rules have no figure {path!r}")
        if isinstance(found, dict | list):
            raise ValueError(f"{path!r} is no single figure")
        return "none" if found is None else str(found).lower() if isinstance(found, bool) else str(found)

    return figure


def _chapters(game: str, figures: Figures) -> Iterator[ChapterView]:
    words, found = texts.clause_texts(game), texts.rulings(game)
    reasons = load_reasons(game)
    for chapter in texts.chapters(game):
        clauses = tuple(
            ClauseView(
                id=key,
                title=title,
                text=html_of(words[key], figures),
                rulings=tuple(line_of(each.ruling, figures) for each in found if each.clause == key),
                reasons=tuple(_dotted(each.says) for each in reasons.values() if each.clause == key),
            )
            for key, title in texts.clauses(game).items()
            if key.partition(".")[0] == chapter.id
        )
        yield ChapterView(chapter.id, chapter.title, line_of(chapter.about, figures), clauses)


def _dotted(says: str) -> str:
    """A sentence with dots where names and figures come in."""
    import re

    return re.sub(r"\{\w+\}", "…", re.sub(r"\{\w+:([^}]+)\}", r"… \1s", says))


def _steps(spec: BaseGame[Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for stage in spec.stages:
        yield from ((each.title, each.clauses) for each in stage.steps)
