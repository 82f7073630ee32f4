"""The translation of templates, scripts and style sheets.

What people read in a template or script is recognised by its form and replaced when the file is loaded: a
page costs as much in every language. A template's messages are the texts between tags that begin a block,
between statements that have a line to themselves and, in plain text, between empty lines, with the
expressions, statements and inline tags in them; so are the values of attributes that people read. The
messages of a script or a style sheet are the texts in ``_("...")`` or ``_(`...`)``, with the expressions in
them; it is loaded without these marks.
"""

import re

from gm.core.diagnostics import Translate

_JINJA = r"\{\{.*?\}\}|\{%.*?%\}|\{\#.*?\#\}"  # an expression, a statement, a comment
_TAG = rf"</?[A-Za-z](?:{_JINJA}|[^<>])*>"
_NOT_INLINE = r"(?!</?(?:a|abbr|b|bdi|br|code|em|i|kbd|q|small|span|strong|sub|sup|time|var)\b)"
_ALONE = r"^[ \t]*(?:\{%(?:(?!%\}).)*%\}[ \t]*)+$|\{\#.*?\#\}"  # statements on a line of their own
_WHOLE = r"<(?:script|style|pre)\b.*?</(?:script|style|pre)>"  # elements in which nothing is a message
_BETWEEN = {  # what divides messages from each other
    "txt": re.compile(rf"({_ALONE}|\n[ \t]*(?=\n)|^\* |^(?=  ))", re.DOTALL | re.MULTILINE),
    "html": re.compile(rf"({_ALONE}|{_WHOLE}|<![^>]*>|{_NOT_INLINE}{_TAG})", re.DOTALL | re.MULTILINE),
}
_SILENT = re.compile(r"\s*\{|<!|<(?:script|style)\b")  # how dividers begin in which there is nothing to read
_CODE = re.compile(f"{_JINJA}|{_TAG}|&#?\\w+;", re.DOTALL)
_EDGES = re.compile(rf"(\s*(?:{_TAG}\s*)*)(.*?)((?:\s*{_TAG})*\s*)", re.DOTALL)  # tags around a text
_SPACES = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)  # white space around a text
_IN_TAG = re.compile(_TAG, re.DOTALL)
# an attribute that people read
_READ = re.compile(
    rf'(?<=\s)(?P<name>aria-label|title|alt|placeholder|data-label)="(?P<text>(?:{_JINJA}|[^"])*)"', re.DOTALL
)
_WORD = re.compile(r"[^\W\d_]{2}")
_MARKED = re.compile(r'\b_\((?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)\)')


def localised_template(source: str, name: str, translate: Translate) -> str:
    """Return a template's source with its messages translated.

    A message has single spaces where the source has several. ``name``: the template's file, whose ending says
    whether it is HTML or plain text.
    """
    is_html = not name.endswith(".txt")
    pieces = _BETWEEN["html" if is_html else "txt"].split(source)  # messages, and between them the dividers
    pieces[::2] = (_localised(piece, translate) for piece in pieces[::2])
    if is_html:  # tags between the messages may have attributes that people read
        pieces[1::2] = (piece if _SILENT.match(piece) else _tags(piece, translate) for piece in pieces[1::2])
    return "".join(pieces)


def localised_script(source: str, translate: Translate = str) -> str:
    """Return a script's source with its messages translated, and without their marks ``_(...)``."""

    def translated(match: re.Match[str]) -> str:
        plain, pattern = match.groups()
        return f'"{translate(plain)}"' if pattern is None else f"`{translate(pattern)}`"

    return _MARKED.sub(translated, source)


def _localised(text: str, translate: Translate) -> str:
    """Return a text of a template translated, with its surrounding space and tags.

    A text without words, and one that has no translation, keeps its spaces as they are.
    """
    before, inside, after = _EDGES.fullmatch(text).groups()  # type: ignore[union-attr]
    if inside.count("</") * 2 != inside.count("<"):  # a tag around it opens or closes an element within it
        before, inside, after = _SPACES.fullmatch(text).groups()  # type: ignore[union-attr]
    if _WORD.search(_CODE.sub("", inside)):
        message = " ".join(inside.split())
        translated = translate(message)
        inside = inside if translated == message else translated
    else:
        inside = _tags(inside, translate)
    return f"{_tags(before, translate)}{inside}{_tags(after, translate)}"


def _tags(text: str, translate: Translate) -> str:
    """Return a text with the attributes in its tags translated that people read."""

    def translated(match: re.Match[str]) -> str:
        text = match["text"]
        has_word = _WORD.search(_CODE.sub("", text))
        return f'{match["name"]}="{translate(text)}"' if has_word else match[0]

    return _IN_TAG.sub(lambda tag: _READ.sub(translated, tag[0]), text)
