"""What stands in a text of the handbook: the clauses and anchors that it links to, and its prose."""

from collections.abc import Iterator
from itertools import chain

from markdown_it.token import Token

from gm.text.markup import parser


def _marks(text: str) -> Iterator[Token]:
    return chain.from_iterable(block.children or () for block in parser().parse(text, {}))


def clauses_in(text: str) -> set[str]:
    """The ids of the clauses that a text links to."""
    return {mark.content for mark in _marks(text) if mark.type == "clause"}


def anchors_in(text: str) -> set[str]:
    """The anchors that a text links to."""
    return {str(mark.attrs["href"])[1:] for mark in _marks(text) if mark.type == "link_open"}


def prose_in(text: str) -> str:
    """What a person typed as prose: without figures, clause ids, anchors, code and pieces of order files."""
    return " ".join(mark.content for mark in _marks(text) if mark.type == "text")
