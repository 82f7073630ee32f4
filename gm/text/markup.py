"""The few marks of a handbook's texts, and the HTML they become (rules/medieval/handbook/chapters.yaml lists them).

Everything is escaped before a mark is looked at, so a text can hold no HTML of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING

from gm.text.pages import ready_markup

if TYPE_CHECKING:
    from markupsafe import Markup

CLAUSE = r"(?:[A-Z]|[A-Z]{2}-)\d+(?:\.\d+)?"
"""A clause's id, e.g. ``M6.1`` or ``CS-9.4``."""

FENCE = "```"
_FIGURE = re.compile(r"\{([^{}\n]+)\}")
_INLINE = re.compile(
    rf"(?P<code>`[^`]+`)|\[(?P<clause>{CLAUSE})\]|\[(?P<words>[^\]]+)\]\(#(?P<anchor>[\w.-]+)\)"
    r"|\*\*(?P<strong>[^*]+)\*\*|\*(?P<stress>[^*]+)\*"
)

Figures = Callable[[str], str]
"""What stands between braces, as it is to be printed; raises ``ValueError`` for what it does not know."""
Anchors = Callable[[str], str]
"""Where a link to an anchor of the handbook leads on this page; empty: nowhere, only its words are printed."""


def same_anchor(anchor: str) -> str:
    """On the handbook's own page each link leads where it says."""
    return anchor


def html_of(text: str, figures: Figures, anchors: Anchors = same_anchor) -> Markup:
    """Paragraphs, lists and pieces of order files. Raises ``ValueError`` for a figure that does not exist."""
    return ready_markup("\n".join(_block(each, figures, anchors) for each in blocks(text)))


def line_of(text: str, figures: Figures, anchors: Anchors = same_anchor) -> Markup:
    """The marks within one line: no paragraph around it."""
    return ready_markup(_inline(text, figures, anchors))


def blocks(text: str) -> Iterator[str]:
    """The parts of a text between empty lines; a fenced part is one whatever is in it."""
    found: list[str] = []
    fenced = False
    for line in text.strip("\n").splitlines():
        if line.startswith(FENCE):
            fenced = not fenced
        if line.strip() or fenced:
            found.append(line)
        if found and not fenced and (not line.strip() or line.startswith(FENCE)):
            yield "\n".join(found)
            found = []
    if found:
        yield "\n".join(found)


def clauses_in(text: str) -> set[str]:
    """The ids of the clauses that a text links to."""
    return {match["clause"] for match in _INLINE.finditer(_without_code(text)) if match["clause"]}


def anchors_in(text: str) -> set[str]:
    """The anchors that a text links to."""
    return {match["anchor"] for match in _INLINE.finditer(_without_code(text)) if match["anchor"]}


def plain_parts(text: str) -> str:
    """The text without its figures, clause ids, anchors and pieces of order files: what a person typed as prose."""
    bare = _FIGURE.sub("", _without_code(text))
    bare = re.sub(r"`[^`]*`", "", bare)
    return re.sub(rf"\[{CLAUSE}\]|\]\(#[\w.-]+\)", "", bare)


def _without_code(text: str) -> str:
    return "\n\n".join(each for each in blocks(text) if not each.startswith(FENCE))


def _block(block: str, figures: Figures, anchors: Anchors) -> str:
    if block.startswith(FENCE):
        lines = block.splitlines()[1:]
        body = "\n".join(lines[:-1] if lines and lines[-1].startswith(FENCE) else lines)
        return f'<pre class="orders" tabindex="0"><code>{escape(body, quote=False)}</code></pre>'
    if not block.startswith("- "):
        return f"<p>{_inline(_joined(block), figures, anchors)}</p>"
    items = (_joined(each) for each in re.split(r"(?m)^- ", block)[1:])
    return "<ul>" + "".join(f"<li>{_inline(each, figures, anchors)}</li>" for each in items) + "</ul>"


def _joined(block: str) -> str:
    return " ".join(block.split())


def _inline(text: str, figures: Figures, anchors: Anchors) -> str:
    def marked(match: re.Match[str]) -> str:
        if match["code"]:
            return f"<code>{match['code'][1:-1]}</code>"
        if match["clause"]:
            return f'<a class="clause" href="#rule-{match["clause"]}">{match["clause"]}</a>'
        if match["words"]:
            where = anchors(match["anchor"])
            return f'<a href="#{where}">{match["words"]}</a>' if where else match["words"]
        return f"<strong>{match['strong']}</strong>" if match["strong"] else f"<em>{match['stress']}</em>"

    # code keeps its braces: a flow mapping of an order file is no figure
    parts = re.split(r"(`[^`]+`)", text)
    filled = "".join(
        escape(part, quote=False) if part.startswith("`") else _filled(part, figures) for part in parts if part
    )
    return _INLINE.sub(marked, filled)


def _filled(text: str, figures: Figures) -> str:
    return _FIGURE.sub(lambda match: escape(figures(match[1]), quote=False), escape(text, quote=False))
