"""A part of a page in fewer bytes: what HTML lets a writer leave out is left out, and column labels are said once."""

from __future__ import annotations

import re

_TABLE = re.compile(r'<table class="cards([^"]*)"([^>]*)>(.*?)</table>', re.DOTALL)
_ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<t[dh](?=[ >])[^>]*>")
_LABEL = re.compile(r' data-label="([^"]*)"')
_NUMBER = ' class="num"'
_TAG = re.compile(r"<[a-z][^<>]*>")
_QUOTED = re.compile(r'="([\w#.:;%-]+)"(?=[ >])')
_MARKS = re.compile("[\1\2]")  # no text of a player has such a character
_END = re.compile(r"</(?:td|th|tr|li|dt|dd)>\s*")


def lean_html(html: str) -> str:
    """The same part of a page without optional end tags, quotes and repeated labels. All text between tags is escaped
    already. What ``made_lean`` has marked stays, without its marks."""
    parts = _MARKS.split(html)
    return "".join(part if index % 2 else _lean(part) for index, part in enumerate(parts))


def made_lean(html: str) -> str:
    """A part of several pages that is made lean once, marked for ``lean_html``, which works on each page."""
    return f"\1{lean_html(html)}\2"


def _lean(html: str) -> str:
    html = _TABLE.sub(_labelled, html)
    return _TAG.sub(lambda tag: _QUOTED.sub(r"=\1", tag[0].replace('"/>', '" />')), _END.sub("", html))


def _labelled(table: re.Match[str]) -> str:
    """A table of class ``cards`` with the label of each column, for narrow screens, as a variable of its style."""
    css, more, inside = table.groups()
    cells: dict[int, list[str]] = {}
    for row in _ROW.findall(inside):
        for index, cell in enumerate(_CELL.findall(row), 1):
            if "data-label" in cell:
                cells.setdefault(index, []).append(cell)
    said = {index: set(_LABEL.findall("".join(column))) for index, column in cells.items()}
    # scripts look for the cells of orders by their label
    labels = {index: labels.pop() for index, labels in said.items() if len(labels) == 1 and "Orders" not in labels}
    numbers = {index for index in labels if all(_NUMBER in cell for cell in cells[index])}
    if not labels:
        return table[0]

    def without(row: re.Match[str]) -> str:
        count = iter(range(1, 1000))

        def plain(cell: re.Match[str]) -> str:
            index = next(count)
            short = _LABEL.sub("", cell[0]) if index in labels else cell[0]
            return short.replace(_NUMBER, "") if index in numbers and "data-label" in cell[0] else short

        return _CELL.sub(plain, row[0])

    style = ";".join(
        f"--l{index}:'{label}'{f';--a{index}:right' if index in numbers else ''}" for index, label in labels.items()
    )
    return f'<table class="cards led{css}"{more} style="{style}">{_ROW.sub(without, inside)}</table>'
