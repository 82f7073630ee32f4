"""Orders in a letter that is a web page alone: the text that such a page shows.

The library renders blocks, lines and cells. What it would lose is changed in the page before: spaces at the
beginning of lines are protected, quotations are marked like those of plain text, and a list gets its hyphens
back.
"""

import re
from typing import Any

from lxml import etree, html

_SPACE = "\ue000"
_BREAK = "\ue001"
_QUOTE = "\ue002"
_UNQUOTE = "\ue003"
"""Characters without a meaning of their own, in place of what a renderer would collapse or does not tell."""
_OURS = str.maketrans(dict.fromkeys((_SPACE, _BREAK, _QUOTE, _UNQUOTE), " "))
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


_UNTOLD = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]")
"""Control characters, which no document may hold."""


def text_of_page(data: bytes) -> str:
    """Return the text of a page in UTF-8, its quotations after ``>``; empty when it is no page.

    Raises nothing.

    A page takes about four seconds a megabyte, whatever is in it: the caller cuts it before.
    """
    try:
        page = html.document_fromstring(_UNTOLD.sub(b" ", data), parser=html.HTMLParser(encoding="utf-8"))
        _prepare(page)
        rendered = _rendered(page)
    except (etree.LxmlError, ValueError):  # of a reference to a control character, too
        return ""
    return _with_marks(rendered)


def _rendered(page: Any) -> str:
    from inscriptis.css_profiles import CSS_PROFILES
    from inscriptis.html_engine import Inscriptis
    from inscriptis.model.config import ParserConfig

    return str(Inscriptis(page, ParserConfig(css=CSS_PROFILES["strict"])).get_text())


def _prepare(page: Any) -> None:
    """Change a page so that its renderer loses nothing.

    An element keeps its spaces where it or its parent says so.
    """
    keeping: set[Any] = set()
    for element in list(page.iter()):
        parent = element.getparent()
        is_in_kept = parent in keeping
        if not isinstance(element.tag, str):  # a remark
            element.text = ""
        elif _is_unseen(element):
            for child in list(element):
                element.remove(child)
            element.text = ""
        else:
            if _keeps_spaces(element, inherited=is_in_kept):
                keeping.add(element)
            element.text = _protected(element.text, keeps_all=element in keeping)
        element.tail = _protected(element.tail, keeps_all=is_in_kept)
        if isinstance(element.tag, str):
            _simplify(element)


def _is_unseen(element: Any) -> bool:
    style = element.get("style", "")[:_STYLE]
    return element.tag in _UNSEEN or _HIDDEN.search(style) is not None


def _keeps_spaces(element: Any, *, inherited: bool) -> bool:
    """Return whether an element's text keeps its spaces and line breaks."""
    if element.tag in ("pre", "textarea"):
        return True
    style = element.get("style", "")[:_STYLE]
    if "white-space" not in style:
        return inherited
    return _KEEPS_SPACES.search(style) is not None


def _protected(text: str | None, *, keeps_all: bool) -> str:
    """Return a text with protected spaces: no-break ones, and all of them where they are ``keeps_all``."""
    protected = (text or "").translate(_OURS)
    if keeps_all:
        protected = protected.replace("\r\n", "\n").expandtabs(4).replace(" ", _SPACE).replace("\n", _BREAK)
    return protected.replace("\u00a0", _SPACE)


def _simplify(element: Any) -> None:
    """Turn an element that begins a line into a plain block, without margins and styles."""
    if element.tag == "blockquote":
        element.text = _QUOTE + (element.text or "")
        element.tail = _UNQUOTE + (element.tail or "")
    if element.tag == "li":
        element.text = f"-{_SPACE}{element.text or ''}"
    if element.tag in _PARAGRAPHS:
        element.tag = "div"
    element.attrib.clear()


def _with_marks(text: str) -> str:
    """Return a rendered text with ordinary spaces, and with ``>`` in front of lines of quotations."""
    lines = []
    depth = 0
    for line in text.replace(_BREAK, "\n").split("\n"):
        begun = line.count(_QUOTE)
        is_quoted = depth + begun > 0
        depth += begun - line.count(_UNQUOTE)
        plain = line.replace(_QUOTE, "").replace(_UNQUOTE, "").replace(_SPACE, " ").rstrip()
        lines.append(f"> {plain}" if is_quoted and plain else plain)
    return "\n".join(lines)
