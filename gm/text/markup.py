"""The markup of a handbook's texts, made HTML.

It is a little Markdown, with figures of the rules and links to clauses
(``rules/medieval/handbook/chapters.yaml`` describes it). Text is escaped; HTML, images and links to other
pages are shown as they are written.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from html import escape
from typing import TYPE_CHECKING, Any

from gm.text.pages import ready_markup

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markupsafe import Markup

CLAUSE = r"(?:[A-Z]|[A-Z]{2}-)\d+(?:\.\d+)?"  # a clause's id, e.g. ``M6.1`` or ``CS-9.4``
OWN_MARKS = {"figure": re.compile(r"\{([^{}\n]+)\}"), "clause": re.compile(rf"\[({CLAUSE})\]")}

Figures = Callable[[str], str]  # returns the figure for a name between braces; raises ``ValueError``
# returns the anchor of the page to which a link to an anchor leads; empty: only its words are printed
Anchors = Callable[[str], str]


def html_of(text: str, figures: Figures, anchors: Anchors = str) -> "Markup":
    """Return text with markup as HTML: paragraphs, lists, pieces of order files.

    ``figures``: returns the figure for a name between braces; ``anchors``: returns the anchor of this page
    that a link leads to, empty if only its words are to be printed; by default links stay as they are. Raises
    ``ValueError`` for a figure that ``figures`` does not know.
    """
    html = parser().render(text, {"figures": figures, "anchors": anchors})
    # without the line ends that the parser puts after tags of lists and at the end
    return ready_markup(re.sub(r"(<ul>|</li>)\n", r"\1", html).rstrip("\n"))


def line_of(text: str, figures: Figures, anchors: Anchors = str) -> "Markup":
    """Return a line of text with markup as HTML, without a paragraph around it.

    ``figures``: returns the figure for a name between braces; ``anchors``: the anchor for a link. Raises
    ``ValueError`` for a figure that ``figures`` does not know.
    """
    return ready_markup(parser().renderInline(text, {"figures": figures, "anchors": anchors}))


@cache
def parser() -> "MarkdownIt":
    """Return the parser of CommonMark's lists, fences, code, emphasis and anchor links, and our own marks."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("zero").enable(["list", "fence", "backticks", "emphasis", "link", "newline"])
    parser.validateLink = lambda url: url.startswith("#")  # type: ignore[method-assign]
    # before links: a clause in brackets could begin one
    for name, mark in OWN_MARKS.items():
        parser.inline.ruler.before("link", name, partial(_own_mark, name, mark))
    for name, render in _RENDERED.items():
        parser.add_render_rule(name, render)
    return parser


def _own_mark(name: str, mark: re.Pattern[str], state: "StateInline", silent: bool) -> bool:  # noqa: FBT001 - markdown-it says it without its name
    """Return whether a mark of ours is at the present position; if so, add its token and go on behind it.

    It is a rule of markdown-it, which asks ``silent`` when it wants no token.
    """
    match = mark.match(state.src, state.pos, state.posMax)
    if match is not None:
        state.pos = match.end()
        if not silent:
            state.push(name, "", 0).content = match[1]
    return match is not None


def _link_open(_: Any, tokens: "Sequence[Token]", at: int, __: Any, env: dict[str, Any]) -> str:
    """Return the opening tag of a link to an anchor, empty if it leads nowhere on this page.

    ``at``: the index of the link's token. Its closing tag is put into ``env["links"]``, where the rule
    ``link_close`` takes it.
    """
    # the parser accepts only addresses that begin with ``#``
    anchor = env["anchors"](str(tokens[at].attrs["href"])[1:])
    env.setdefault("links", []).append("</a>" if anchor else "")
    return f'<a href="#{escape(anchor)}">' if anchor else ""


_text = partial(escape, quote=False)
_FENCE = '<pre class="orders" tabindex="0"><code>{}</code></pre>\n'
# how each kind of token becomes HTML, where it is not the library's way
_RENDERED: dict[str, Callable[..., str]] = {
    "text": lambda _, tokens, at, *__: _text(tokens[at].content),
    "softbreak": lambda *_: " ",
    "code_inline": lambda _, tokens, at, *__: f"<code>{_text(tokens[at].content)}</code>",
    "fence": lambda _, tokens, at, *__: _FENCE.format(_text(tokens[at].content.rstrip("\n"))),
    "figure": lambda _, tokens, at, __, env: _text(env["figures"](tokens[at].content)),
    "clause": lambda _, tokens, at, *__: '<a class="clause" href="#rule-{0}">{0}</a>'.format(
        tokens[at].content
    ),
    "link_open": _link_open,
    "link_close": lambda _, __, ___, ____, env: env["links"].pop(),
}
