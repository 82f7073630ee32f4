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
_NAMING = ("id", "data-place", "href", "class")
LEAP = 4  # so many steps are one larger step, so that a jump over many turns is a few of these
ABSENT = -1  # in the place of an attribute's value: it is not there

Path = tuple[int, ...]  # a node by the numbers of the children on the way to it from the drawing
Change = list[Any]
"""``[path, name, old, new]`` of an attribute, ``[path, old, new]`` of a text, ``[path, at, [old...],
[new...]]`` of children, each text by its number in the pool. They are applied in their order, and taken back
in the opposite one."""


class Node(NamedTuple):
    """An element, or a text (``tag`` empty). ``source``: its text, with everything in it."""

    source: str
    tag: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple["Node", ...] = ()

    @property
    def name(self) -> str:
        """The attribute that distinguishes it from its neighbours."""
        values = dict(self.attributes)
        return f"{self.tag} {next((values[attribute] for attribute in _NAMING if attribute in values), '')}"


@lru_cache(8)  # the pages of a turn begin with the same drawings
def parsed(drawing: str) -> Node:
    """Return the ``<svg>`` element. Raises ``ValueError`` for other text."""
    stack: list[tuple[str, list[Node]]] = [("", [])]
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
    tag = re.split(r"[\s/>]", opening[1:], maxsplit=1)[0]
    source = f"{opening}{''.join(child.source for child in children)}{closing}"
    attributes = tuple((name, unescape(value)) for name, value in _ATTRIBUTE.findall(opening))
    return Node(source, tag, attributes, tuple(children))


class Pool:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str | None) -> int:
        return ABSENT if text is None else self._numbers.setdefault(text, len(self._numbers))

    @property
    def texts(self) -> list[str]:
        return list(self._numbers)


def differences(before: Node, after: Node, pool: Pool) -> list[Change]:
    """Return the changes that make the second of two drawings out of the first."""
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
    # from the last to the first: what is put in or taken out moves no child that is still to be changed
    for low, high, first, last, paired in reversed(_aligned(before.children, after.children)):
        if paired:
            for offset in reversed(range(high - low)):
                child = before.children[low + offset]
                yield from _child(child, after.children[first + offset], pool, (*path, low + offset))
        else:
            removed = [pool.number(node.source) for node in before.children[low:high]]
            inserted = [pool.number(node.source) for node in after.children[first:last]]
            yield [path, low, removed, inserted]


def _child(before: Node, after: Node, pool: Pool, path: Path) -> Iterator[Change]:
    if before.tag:
        yield from _changes(before, after, pool, path)
    elif before.source != after.source:
        yield [path, pool.number(unescape(before.source)), pool.number(unescape(after.source))]


def _aligned(before: Sequence[Node], after: Sequence[Node]) -> list[tuple[int, int, int, int, bool]]:
    """Return the correspondence of two nodes' children: spans of both in order, and whether one by one.

    Where they do not correspond one by one, the first span is removed and the second inserted.
    """
    old = [node.name for node in before]
    new = [node.name for node in after]
    if old == new:
        return [(0, len(old), 0, len(new), True)]
    matched = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(low, high, first, last, how == "equal") for how, low, high, first, last in matched]


def stepping(drawings: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return the data of a page's script that steps through a series of drawings.

    Each may have a second one of the same moment that shows moves. There are ``texts``; ``steps``: from each
    to the next, then from every fourth to the fourth after it, every sixteenth and so on; ``moves`` from each
    to its second one.
    """
    pool = Pool()
    moves = []
    still = [drawing for drawing, _ in drawings]
    steps = [_steps(still, pool)]
    leap = LEAP
    while len(still) > leap:
        steps.append(_steps(still[::leap], pool))
        leap *= LEAP
    for drawing, moving in drawings:
        moves.append(differences(parsed(drawing), parsed(moving), pool) if moving else [])
    return {"texts": pool.texts, "steps": steps, "moves": moves}


def _steps(drawings: Sequence[str], pool: Pool) -> list[list[Change]]:
    return [differences(before, after, pool) for before, after in pairwise(map(parsed, drawings))]
