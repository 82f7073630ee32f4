"""The handbook of a small game as a page, with the figures of its rules."""

from typing import Any

from gm.core.codec import to_plain
from gm.game.base import texts
from gm.game.base.files import order_template
from gm.game.base.hooks import Hooks, scene_of, setting_text
from gm.game.base.report import page_html
from gm.game.values import GameData, MapView, TurnResult
from gm.resources import resource
from gm.text.languages import ENGLISH, translator
from gm.text.markup import Figures, html_of
from gm.text.pages import ready_markup


def handbook(spec: Hooks[Any], table: GameData, state: Any = None, language: str = ENGLISH) -> str:
    """Return the handbook page. With a ``state``, its figures and settings are those of that game.

    Raises ``ValueError`` for a figure that the rules lack, ``KeyError`` for a clause without a text.
    """
    chosen_settings = []
    translate = translator(spec.key, language)
    if state is not None:
        seed = table.settings[1] if table.settings else ""  # of (settings, seed)
        table = table.evolve(rules=state.settings.applied(table.rules), settings=(state.settings, seed))
        settings = ((name, getattr(state.settings, name), what) for name, what in spec.words.settings.items())
        chosen_settings = [
            (name, translate(setting_text(value)), translate(what))
            for name, value, what in settings
            if value not in (None, "", ())
        ]
    figures = figures_of(table)
    start = spec.start(table, resource("maps", spec.key), None)
    code = next(iter(start.parties))  # any party: the order template on the page is an example
    sample = TurnResult(
        game="my-game",
        before=start,
        after=start,
        events=(),
        keys={code: "your-key-12"},
        languages={code: language},
    )
    scene = scene_of(spec, table, sample, code)
    guide = texts.guide(spec.key)
    return page_html(
        scene,
        "handbook",
        summary=html_of(translate(guide.summary), figures),
        guide=[
            (part.id, translate(part.title), html_of(translate(part.text), figures)) for part in guide.parts
        ],
        chapters=texts.chapter_views(spec.key, figures, translate=translate),
        template=order_template(scene),
        tables=scene.page.tables(),
        settings=chosen_settings,
        map=ready_markup(scene.drawn(MapView())),
    )


def figures_of(table: GameData) -> Figures:
    """Return the function that returns the figure at a path of the rules, such as ``units.tank.strength``."""
    rules = to_plain(table.rules)

    def figure_at(path: str) -> str:
        """Return the figure as text. Raises ``ValueError`` for a path at which there is no single figure."""
        value: Any = rules
        try:
            for part in path.split("."):
                value = value[int(part) if isinstance(value, list) and part.isdigit() else part]
        except (LookupError, TypeError, ValueError):
            raise ValueError(f"the rules have no figure {path!r}") from None
        if isinstance(value, dict | list):
            raise ValueError(f"{path!r} is no single figure")
        return setting_text(value)

    return figure_at
