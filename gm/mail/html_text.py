"""The text that a web page shows, for letters whose only text is one.

A library renders the page. What it would lose is replaced in the page before: spaces at the beginning of
lines by other characters, quotations by marks like those of plain text, the points of lists by hyphens.
"""

import re
from typing import Any

from lxml import etree, html

_SPACE = "\ue000"
_BREAK = "\ue001"
_QUOTE = "\ue002"
_UNQUOTE = "\ue003"
"""Characters for private use: they stand for a space, a line break, and the ends of a quotation, which the
renderer would lose."""
_WITHOUT_MARKS = str.maketrans(dict.fromkeys((_SPACE, _BREAK, _QUOTE, _UNQUOTE), " "))
_KEEPS_SPACES = re.compile(r"white-space\s{0,9}:\s{0,9}(?:pre|break-spaces)", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s{0,9}:\s{0,9}none", re.IGNORECASE)
_STYLE = 1000  # characters of an element's style that are looked at
_PARAGRAPHS = (
    "p",
    "pre",
    "textarea",
    "blockquote",
    "ul",
    "ol",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "dl",
    "dd",
    "figure",
)
_UNSEEN = ("script", "style", "title", "template", "noscript", "head")


_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]")
"""Control characters, which no page may hold."""


def text_of_page(data: bytes) -> str:
    """Return the text that a page in UTF-8 shows; empty when it is no page. Raises nothing.

    Its quotations are lines that begin with ``>``. A megabyte takes about four seconds, whatever is in it:
    the caller cuts a long page before.
    """
    try:
        page = html.document_fromstring(_CONTROLS.sub(b" ", data), parser=html.HTMLParser(encoding="utf-8"))
        _prepare(page)
        rendered = _rendered(page)
    except (etree.LxmlError, ValueError):  # also for a reference to a control character (``&#1;``)
        return ""
    return _quoted_lines(rendered)


def _rendered(page: Any) -> str:
    """Return a page as text."""
    from inscriptis.css_profiles import CSS_PROFILES
    from inscriptis.html_engine import Inscriptis
    from inscriptis.model.config import ParserConfig

    return str(Inscriptis(page, ParserConfig(css=CSS_PROFILES["strict"])).get_text())


def _prepare(page: Any) -> None:
    """Change a page so that its renderer loses nothing: spaces, quotations, points of lists.

    An element keeps its spaces if it or its parent says so. Comments and unseen elements are emptied.
    """
    keeping: set[Any] = set()  # elements whose text keeps its spaces
    for element in list(page.iter()):
        parent = element.getparent()
        is_in_keeping = parent in keeping
        if not isinstance(element.tag, str):  # a comment
            element.text = ""
        elif _is_unseen(element):
            for child in list(element):
                element.remove(child)
            element.text = ""
        else:
            if _keeps_spaces(element, inherited=is_in_keeping):
                keeping.add(element)
            element.text = _protected(element.text, keeps_all=element in keeping)
        element.tail = _protected(element.tail, keeps_all=is_in_keeping)
        if isinstance(element.tag, str):
            _simplify(element)


def _is_unseen(element: Any) -> bool:
    """Return whether a page does not show an element's text."""
    style = element.get("style", "")[:_STYLE]
    return element.tag in _UNSEEN or _HIDDEN.search(style) is not None


def _keeps_spaces(element: Any, *, inherited: bool) -> bool:
    """Return whether an element's text keeps its spaces and line breaks; ``inherited``: the parent's does."""
    if element.tag in ("pre", "textarea"):
        return True
    style = element.get("style", "")[:_STYLE]
    if "white-space" not in style:
        return inherited
    return _KEEPS_SPACES.search(style) is not None


def _protected(text: str | None, *, keeps_all: bool) -> str:
    """Return a text with our own characters, which the renderer keeps, in place of its no-break spaces.

    ``keeps_all``: other spaces, tabs and line breaks are kept in this way, too. Characters like our own that
    a sender has written become spaces first.
    """
    protected = (text or "").translate(_WITHOUT_MARKS)
    if keeps_all:
        protected = protected.replace("\r\n", "\n").expandtabs(4).replace(" ", _SPACE).replace("\n", _BREAK)
    return protected.replace("\u00a0", _SPACE)


def _simplify(element: Any) -> None:
    """Remove an element's attributes; an element that begins a line becomes a plain block.

    A quotation gets marks at its ends, an item of a list a hyphen.
    """
    if element.tag == "blockquote":
        element.text = _QUOTE + (element.text or "")
        element.tail = _UNQUOTE + (element.tail or "")
    if element.tag == "li":
        element.text = f"-{_SPACE}{element.text or ''}"
    if element.tag in _PARAGRAPHS:
        element.tag = "div"
    element.attrib.clear()


def _quoted_lines(text: str) -> str:
    """Return a rendered text with ordinary spaces, and with ``>`` in front of lines of quotations."""
    lines = []
    depth = 0  # in how many quotations a line is
    for line in text.replace(_BREAK, "\n").split("\n"):
        begin_count = line.count(_QUOTE)
        is_quoted = depth + begin_count > 0
        depth += begin_count - line.count(_UNQUOTE)
        plain = line.replace(_QUOTE, "").replace(_UNQUOTE, "").replace(_SPACE, " ").rstrip()
        lines.append(f"> {plain}" if is_quoted and plain else plain)
    return "\n".join(lines)
