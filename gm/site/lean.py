"""Smaller HTML of the handbook for a site, without all that HTML allows to omit: at most 300 kB a page."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

_TABLE = re.compile(r'<table class="cards([^"]*)"([^>]*)>(.*?)</table>', re.DOTALL)
_CELL = re.compile(r"(<t[rdh](?=[ >])[^>]*>)")
_LABEL = re.compile(r' data-label="((?:\{\{.*?\}\}|[^"])*)"')  # in a template it may have an expression
_NUMBER = ' class="num"'
_TAG = re.compile(r"(<[a-z][^<>]*=[^<>]*>)")
_PLAIN = r"""="([\w#.:;,()%/-]*[\w#.:;,()%-])\""""
_QUOTED = re.compile(f"{_PLAIN}(?=[ >])")
_LAST = re.compile(f"{_PLAIN}/>")
_SCOPE = re.compile(r'(<th) scope="(?:row(?=">)|col(?="))"')  # browsers find out the same without it
_END = re.compile(r"</(?:td|th|tr|li|dt|dd|tbody|thead(?=>\s*<tbody))>\s*")
_BLOCKS = (
    "article|blockquote|caption|details|div|dl|figure|h[1-6]|ol|p|section|summary|t(?:able|body|d|h|r)|ul"
)
_BEFORE_BLOCK = re.compile(rf"\s*\n\s*(?=</?(?:{_BLOCKS})\b)")


def lean_html(html: str) -> str:
    """Return HTML without optional end tags and quotes, repeated labels, and line ends between blocks.

    ``html``: a part of a page, its text escaped.
    """
    shorter = _TABLE.sub(_with_shared_labels, html)
    shorter = _SCOPE.sub(r"\1", shorter)
    shorter = _END.sub("", shorter)
    shorter = _BEFORE_BLOCK.sub("", shorter)
    pieces = _TAG.split(shorter)  # text and tags with attributes by turns
    pieces[1::2] = map(lean_tags, pieces[1::2])
    return "".join(pieces)


@lru_cache(20_000)
def lean_tags(tag: str) -> str:
    """Return a tag without unnecessary quotes; it may be many tags with text that has no quotation mark."""
    # split and joined, because a substitution with a group in its replacement is slower
    pieces = _QUOTED.split(_LAST.sub(r"=\1 />", tag) if "/>" in tag else tag)
    pieces[1::2] = [f"={value}" for value in pieces[1::2]]
    return "".join(pieces)


def _with_shared_labels(table: re.Match[str]) -> str:
    """Return a table whose columns' labels, for narrow screens, are variables of its style.

    So a label stands once in the page, not in each cell. The alignment of columns of numbers is one, too.
    """
    more_classes, attributes, inside = table.groups()
    pieces = _CELL.split(inside)
    style = []
    for column, cells in _labelled_cells(pieces).items():
        labels = set(chain.from_iterable(_LABEL.findall(pieces[index]) for index in cells))
        # labels that differ, or that hold an expression of a template, stay in the cells
        if len(labels) != 1 or "{" in "".join(labels):
            continue
        variables = f"--l{column}:'{labels.pop()}'"
        has_numbers = all(_NUMBER in pieces[index] for index in cells)
        if has_numbers:
            variables += f";--a{column}:right"
        style.append(variables)
        for index in cells:
            short = _LABEL.sub("", pieces[index])
            pieces[index] = short.replace(_NUMBER, "") if has_numbers else short
    if not style:
        return table[0]
    content = "".join(pieces)
    return f'<table class="cards led{more_classes}"{attributes} style="{";".join(style)}">{content}</table>'


def _labelled_cells(pieces: Sequence[str]) -> dict[int, list[int]]:
    """Return the indexes in ``pieces`` of the tags of cells with a label, by their column from 1.

    ``pieces``: text and tags of a table by turns.
    """
    columns: dict[int, list[int]] = {}
    column = 0
    for index, tag in enumerate(pieces[1::2]):
        column = 0 if tag.startswith("<tr") else column + 1
        if column and "data-label" in tag:
            columns.setdefault(column, []).append(2 * index + 1)
    return columns
