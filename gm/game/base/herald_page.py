"""The Herald as a page of its own, as a part of each report, and as the first lines of a letter."""

from functools import cache
from typing import TYPE_CHECKING, Any

from gm.game.base.herald import FRONT, Herald
from gm.game.base.texts import clauses
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.pages import fragment, ready_markup, render

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markupsafe import Markup

IN_LETTERS = 3  # headlines at the beginning of a letter
_MARKS = ("heading", "list", "blockquote", "emphasis", "escape", "hr", "newline", "strikethrough")
LINKED_SECTIONS = ("rumours", "obituaries")
"""The small columns for which there is room in a report that has battles and places of its own."""
_HIGHEST = 3  # so many levels deeper are the headings of a leading article than it says: below the page's own


def herald_page(paper: Herald, key: str, language: str = ENGLISH) -> str:
    """Return the newspaper of the game ``key`` as a whole page; all in it is public."""
    return render("game/herald.html", _values(paper, key, language, alone=True), language)


def herald_file(language: str) -> str:
    """Return the path that a newspaper in a language has among a turn's files."""
    return "results/herald.html" if language == ENGLISH else f"results/herald.{language}.html"


def herald_part(paper: Herald, key: str, language: str = ENGLISH, *, linked: bool = False) -> "Markup":
    """Return the newspaper of the game ``key`` as a part of a party's report.

    ``linked``: the report has battles, places and letters of its own, so that the part links to them and
    leaves out all sections but ``LINKED_SECTIONS``. Empty before the first turn, and in a turn without news.
    """
    values = _values(paper, key, language, alone=False) | {"linked": linked}
    sections = [name for name, _ in values["sections"] if not linked or name in LINKED_SECTIONS]
    has_letters = bool(paper.letters) and not linked
    has_news = values["front"] or values["leader"] or sections or has_letters
    if not paper.number or not has_news:
        return ready_markup("")
    return fragment("game/herald_part.html", values, language)


def herald_lines(paper: Herald, translate: Translate) -> list[str]:
    """Return the first headlines with their sentences, with which a letter about a turn begins."""
    return [translate("The Herald: {headline}").format(headline=line) for line in paper.lines[:IN_LETTERS]]


def leader_html(text: str) -> "Markup":
    """Return a leading article in Markdown as HTML: headings, lists, quotations and emphasis.

    HTML, images and links in it are shown as they are written.
    """
    return ready_markup(_parser().render(text) if text.strip() else "")


@cache
def _parser() -> "MarkdownIt":
    """Return the Markdown parser of leading articles."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("zero").enable(list(_MARKS))

    def heading(tokens: Any, at: int) -> str:
        # HTML has six levels
        return f"h{min(6, int(tokens[at].tag[1:]) + _HIGHEST)}"

    parser.add_render_rule("heading_open", lambda _, tokens, at, *__: f"<{heading(tokens, at)}>")
    parser.add_render_rule("heading_close", lambda _, tokens, at, *__: f"</{heading(tokens, at)}>\n")
    return parser


def _values(paper: Herald, key: str, language: str, **more: Any) -> dict[str, Any]:
    """Return the values of the newspaper's templates. ``key``: the game's; ``more``: further values."""
    translate = translator(key, language)
    clauses_by_id = clauses(key)
    cited = sorted({article.clause for article in paper.articles if article.clause})
    sections = dict.fromkeys(article.section for article in paper.articles)
    return {
        "paper": paper,
        "front": paper.of(FRONT),
        "sections": [(section, paper.of(section)) for section in sections if section != FRONT],
        "leader": leader_html(paper.leader),
        "cited": [(clause, translate(clauses_by_id[clause].title)) for clause in cited],
        "linked": False,  # as on a page of its own; :func:`herald_part` may change it
        "linked_sections": LINKED_SECTIONS,
        **more,
    }
