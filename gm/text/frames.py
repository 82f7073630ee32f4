"""A series of drawings, stored as the differences between each and the next.

Differences are inserted or removed elements, changed attributes and texts. A page's script
(``templates/story/stepper.js``) applies differences both ways, so that a game of forty turns needs one whole
drawing. Every text of a difference is stored once, in a pool.

Drawings are made by our own templates: each attribute in double quotes, everything escaped, each tag closed.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from html import unescape
from itertools import pairwise
from typing import Any, NamedTuple

_TOKEN = re.compile(r"<[^>]*>|[^<]+")
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_NAMING = ("id", "data-place", "href", "class")  # an element is named by the first of these that it has
LEAP = 4  # so many steps are also stored as one larger step, so that a jump over many turns takes few
ABSENT = -1  # in the place of an attribute's value: it is not there

Path = tuple[int, ...]  # a node by the numbers of the children on the way to it from the drawing
Change = list[Any]
"""``[path, name, old, new]`` of an attribute, ``[path, old, new]`` of a text, ``[path, at, [old...],
[new...]]`` of children, each text by its number in the pool. They are applied in their order, and undone
in the opposite one."""


class Node(NamedTuple):
    """An element of a drawing (SVG), or a text in one."""

    source: str  # its whole text in the drawing, tags and children included
    tag: str = ""  # empty: it is a text
    attributes: tuple[tuple[str, str], ...] = ()  # (name, value) of each
    children: tuple["Node", ...] = ()

    @property
    def name(self) -> str:
        """The element's tag, then the value of the first attribute of ``_NAMING`` that it has, or nothing.

        Elements of two drawings that correspond have the same name (:func:`_aligned_spans`).
        """
        values = dict(self.attributes)
        return f"{self.tag} {next((values[attribute] for attribute in _NAMING if attribute in values), '')}"


@lru_cache(8)  # the pages of a turn begin with the same drawings
def parsed(drawing: str) -> Node:
    """Return the ``<svg>`` element that a drawing is. Raises ``ValueError`` for other text."""
    stack: list[tuple[str, list[Node]]] = [("", [])]  # (opening tag, children so far) of the open elements
    for token in _TOKEN.findall(drawing.strip()):
        if token.startswith("</"):
            if len(stack) < 2:
                raise ValueError("a drawing closes what it did not open")
            opening, children = stack.pop()
            stack[-1][1].append(_element(opening, children, token))
        elif token.startswith("<") and not token.endswith("/>"):
            stack.append((token, []))
        else:
            stack[-1][1].append(_element(token, (), "") if token.startswith("<") else Node(token))
    top = stack[0][1]
    if len(stack) > 1 or len(top) != 1 or top[0].tag != "svg":
        raise ValueError("this is no drawing")
    return top[0]


def _element(opening: str, children: Sequence[Node], closing: str) -> Node:
    """Return the element with this opening tag, these children and this closing tag, which may be empty."""
    tag = re.split(r"[\s/>]", opening[1:], maxsplit=1)[0]
    source = f"{opening}{''.join(child.source for child in children)}{closing}"
    attributes = tuple((name, unescape(value)) for name, value in _ATTRIBUTE.findall(opening))
    return Node(source, tag, attributes, tuple(children))


class Pool:
    """Texts with a number each, by which changes name them."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}  # the number of each text

    def number(self, text: str | None) -> int:
        """Return a text's number, a new one for a new text; ``ABSENT`` for None."""
        return ABSENT if text is None else self._numbers.setdefault(text, len(self._numbers))

    @property
    def texts(self) -> list[str]:
        """The texts in the order of their numbers, from 0."""
        return list(self._numbers)


def differences(before: Node, after: Node, pool: Pool) -> list[Change]:
    """Return the changes that make the second of two drawings out of the first; ``pool`` gets their texts."""
    return list(_changes(before, after, pool, ()))


def _changes(before: Node, after: Node, pool: Pool, path: Path) -> Iterator[Change]:
    """Yield the changes that make one node of the other. ``path``: its place in the drawing."""
    if before.source == after.source:
        return
    old = dict(before.attributes)
    new = dict(after.attributes)
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield [path, name, pool.number(old.get(name)), pool.number(new.get(name))]
    # from the last to the first: an insertion or removal moves no child that is still to be changed
    for start, end, new_start, new_end, paired in reversed(_aligned_spans(before.children, after.children)):
        if paired:
            for offset in reversed(range(end - start)):
                child = before.children[start + offset]
                yield from _child(child, after.children[new_start + offset], pool, (*path, start + offset))
        else:
            removed = [pool.number(node.source) for node in before.children[start:end]]
            inserted = [pool.number(node.source) for node in after.children[new_start:new_end]]
            yield [path, start, removed, inserted]


def _child(before: Node, after: Node, pool: Pool, path: Path) -> Iterator[Change]:
    """Yield the changes that turn a node into another of the same name, or a text into another."""
    if before.tag:
        yield from _changes(before, after, pool, path)
    elif before.source != after.source:
        yield [path, pool.number(unescape(before.source)), pool.number(unescape(after.source))]


def _aligned_spans(before: Sequence[Node], after: Sequence[Node]) -> list[tuple[int, int, int, int, bool]]:
    """Return (start, end, start in ``after``, end in ``after``, paired) of spans of two nodes' children.

    The first two are indexes in ``before``. The children in paired spans correspond one by one; else
    those of the first span are removed and those of the second inserted. The spans are in order and cover
    all children.
    """
    old_names = [node.name for node in before]
    new_names = [node.name for node in after]
    if old_names == new_names:
        return [(0, len(old_names), 0, len(new_names), True)]
    matches = SequenceMatcher(None, old_names, new_names, autojunk=False).get_opcodes()
    return [
        (start, end, new_start, new_end, operation == "equal")
        for operation, start, end, new_start, new_end in matches
    ]


def stepping(drawings: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return the data of a page's script that steps through a series of drawings.

    ``drawings``: (drawing, second drawing of the same moment with moves in it, or empty). The data: ``texts``
    of the pool; ``steps``: the changes from each drawing to the next, then from every fourth to the fourth
    after it, every sixteenth and so on; ``moves``: the changes from each drawing to its second one.
    """
    pool = Pool()
    moves = []
    without_moves = [drawing for drawing, _ in drawings]
    steps = [_steps(without_moves, pool)]
    leap = LEAP
    while len(without_moves) > leap:
        steps.append(_steps(without_moves[::leap], pool))
        leap *= LEAP
    for drawing, with_moves in drawings:
        moves.append(differences(parsed(drawing), parsed(with_moves), pool) if with_moves else [])
    return {"texts": pool.texts, "steps": steps, "moves": moves}


def _steps(drawings: Sequence[str], pool: Pool) -> list[list[Change]]:
    """Return the changes from each drawing to the next."""
    return [differences(before, after, pool) for before, after in pairwise(map(parsed, drawings))]
