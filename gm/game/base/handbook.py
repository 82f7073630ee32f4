"""The players' rulebook of a small game: one self-contained HTML file made of its texts and its rules data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gm.core.codec import to_plain
from gm.core.yaml.pydantic_models import model_of
from gm.game.base import texts
from gm.game.base.hooks import Hooks, scene_of, setting_text
from gm.game.base.report import STYLES
from gm.game.base.template import order_template
from gm.game.base.views import Cell, Grid, Ready, Shown
from gm.game.turn_result import TurnResult
from gm.game.values import GameData, MapView
from gm.resources import resource
from gm.text.inlining import inlined_files
from gm.text.markup import Figures, html_of
from gm.text.pages import ready_markup, render


def handbook_page(spec: Hooks[Any], table: GameData, settings: Any) -> str:
    """The page, with the figures that a game's settings (none: no game yet) put in force. Raises ``ValueError`` for a
    figure that the rules lack, ``KeyError`` for a clause without a text."""
    if settings is not None:
        seed = table.settings[1] if table.settings else ""
        table = table.evolve(rules=spec.in_force(table.rules, settings), settings=(settings, seed))
    figures = figures_of(table)
    state = spec.start(table, resource("maps", spec.key), None)
    code = next(iter(state.parties))
    sample = TurnResult(game="my-game", before=state, after=state, events=(), keys={code: "your-key-12"})
    scene = scene_of(spec, table, sample, code)
    guide = texts.guide(spec.key)
    values: dict[str, Any] = {
        "title": spec.title,
        "board": table.board,
        "summary": html_of(guide.summary, figures),
        "guide": [(part.id, part.title, html_of(part.text, figures)) for part in guide.parts],
        "chapters": texts.chapter_views(spec.key, figures),
        "steps": [(each.title, each.clauses) for stage in spec.stages for each in stage.steps],
        "template": order_template(scene),
        "tables": [*([Ready(tables)] if (tables := scene.page.tables()) else ()), *_settings(spec, settings)],
        "map": ready_markup(spec.draw(table, state, MapView())),
        "inlined": inlined_files((*STYLES, *spec.page_styles)),
        "ready": ready_markup,
        "_": str,
    }
    return render(resource("templates"), "game/handbook.html", values)


def _settings(spec: Hooks[Any], settings: Any) -> Iterator[Grid]:
    """What was chosen for this game."""
    if settings is not None:
        rows: list[list[Shown]] = [
            [Cell(name, code=True), setting_text(value), field.description or ""]
            for name, field in model_of(spec.settings_type).model_fields.items()
            if (value := getattr(settings, name)) not in (None, "", ())
        ]
        yield Grid(("Setting", "Here", "What it is"), rows, "The settings of this game")


def figures_of(table: GameData) -> Figures:
    """What stands between braces in a text: a path into the rules, e.g. ``{units.tank.strength}``."""
    rules = to_plain(table.rules)

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
