"""Pages of small games: a :class:`~gm.game.base.views.Page` as one self-contained HTML file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gm.game.base.views import Page
from gm.resources import resource
from gm.text.inlining import inlined_files
from gm.text.languages import translator
from gm.text.pages import ready_markup, render

if TYPE_CHECKING:
    from markupsafe import Markup

STYLES = ("game/css/game.css",)


def page_html(game: str, page: Page) -> str:
    """The page. ``game`` is the key whose catalogues its fixed words come from."""
    values: dict[str, Any] = {
        "page": page,
        "inlined": inlined_files((*STYLES, *page.styles), tuple(page.scripts)),
        "data": {name: script_data(value) for name, value in page.data.items()},
        "ready": ready_markup,
        "_": translator(game, page.language),
    }
    return render(resource("templates"), "game/report.html", values)


def script_data(value: object) -> Markup:
    """A value as JSON inside a script element: no character in it can end the element or a line of it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return ready_markup(text)
