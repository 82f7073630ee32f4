"""Orders that are written as phrases, as in a letter (O8), converted to the form of an order file."""

import re
from collections.abc import Iterable
from collections.abc import Mapping as Table
from typing import TypeVar

from msgspec import structs

from gm.core.diagnostics import NUMBER_WORDS
from gm.core.orders.reading import NameIndex, word_of
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence

T = TypeVar("T")

LONGEST = 400  # how many characters a phrase has at most
PREPOSITIONS = ("to", "into", "onto", "in", "at", "on", "for", "towards", "from", "of")
NUMBERS = {word: str(number) for number, word in enumerate(NUMBER_WORDS[:5]) if number}
NUMBERS |= {"once": "1", "twice": "2"}
TIMES = ("phase", "phases", "times")
_SEVERAL = re.compile(r", and |, ?| and | & ")


def words_in(text: str) -> list[str]:
    """Return the words of a phrase; none if the text is too long to be one."""
    return text.split() if len(text) <= LONGEST else []


def without_preposition(text: str) -> str:
    """Return ``Kent`` for ``to Kent`` and ``North Sea`` for ``into the North Sea``; other text stays."""
    words = words_in(text)
    while len(words) > 1 and words[0].casefold() in (*PREPOSITIONS, "the"):
        words = words[1:]
    return " ".join(words) or text


def word_first(text: str, table: Table[str, T]) -> tuple[T, str] | None:
    """Return (the meaning in ``table`` of the words that a phrase begins with, the rest of the phrase).

    Of several such words the longest count, up to five words; None if there are none.
    """
    words = words_in(text)
    for length in range(min(len(words), 5), 0, -1):
        word = word_of(" ".join(words[:length]))
        if word in table:
            return table[word], " ".join(words[length:])
    return None


def with_text(node: Scalar, text: str) -> Scalar:
    """Return a node with another text at the same place, as if it were written without quotes."""
    return structs.replace(node, text=text, quoted=False)


def bare_name(node: Node, places: NameIndex) -> Node:
    """Return the node of ``to Kent`` without the preposition; other nodes, and a name in ``places``, stay."""
    if not isinstance(node, Scalar) or node.is_null or places.find(node.text) is not None:
        return node
    bare = without_preposition(node.text)
    return node if bare == node.text else with_text(node, bare)


def _mapping(node: Node, entries: Iterable[tuple[Scalar, Node]]) -> Mapping:
    """Return a mapping of (key, value) at the place of a node."""
    return Mapping(node.source, node.start, node.end, {key.text: (key, value) for key, value in entries})


def as_list(node: Node) -> Node:
    """Return ``A1, A2 and A3`` as the list that it means; anything else unchanged."""
    if not isinstance(node, Scalar):
        return node
    parts = _SEVERAL.split(" ".join(words_in(node.text)))
    if len(parts) == 1 or not all(parts):
        return node
    return Sequence(node.source, node.start, node.end, [with_text(node, part) for part in parts])


def as_landings(node: Node) -> Node:
    """Return ``A1 at Kent``, or a list of such texts, as the mapping that it means; others unchanged."""
    listed_node = as_list(node)
    items = listed_node.items if isinstance(listed_node, Sequence) else [listed_node]
    landings: list[tuple[Scalar, Node]] = []
    for item in items:
        landing = _landing(item)
        if landing is None or landing[0].text in [army.text for army, _ in landings]:
            return node  # it is no landing, or a second one of an army, which a mapping cannot hold
        landings.append(landing)
    return _mapping(node, landings) if landings else node


def _landing(item: Node) -> tuple[Scalar, Scalar] | None:
    """Return the nodes (army, province) for ``A1 at Kent``; None for another text."""
    if not isinstance(item, Scalar):
        return None
    words = words_in(item.text)
    for index, word in enumerate(words):
        if 0 < index < len(words) - 1 and word.casefold() in PREPOSITIONS:
            army = " ".join(words[:index])
            province = " ".join(words[index + 1 :])
            return with_text(item, army), with_text(item, province)
    return None


def as_transfer(node: Node) -> Node:
    """Return ``3 Archers to A12`` as the mapping that it means; anything else unchanged."""
    if not isinstance(node, Scalar):
        return node
    words = words_in(node.text)
    positions = [index for index, word in enumerate(words) if word.casefold() == "to"]
    if not positions or not 0 < positions[-1] < len(words) - 1:
        return node
    last_to = positions[-1]
    transferred = " ".join(words[:last_to])
    receiver = " ".join(words[last_to + 1 :])
    is_counted = words[0][0].isdigit() or words[0].casefold() in ("all", "everything")
    section = "troops" if is_counted else "commanders"
    return _mapping(
        node,
        [
            (with_text(node, "to"), with_text(node, receiver)),
            (with_text(node, section), with_text(node, transferred)),
        ],
    )


def phase_of(text: str) -> int | None:
    """Return the phase of an order: 2 for ``on phase 2``. None for any other text."""
    words = words_in(without_preposition(text))
    if len(words) != 2 or words[0].casefold() != "phase":
        return None
    return _number(words[1])


def times_of(text: str) -> int | None:
    """Return how often an order is carried out: 2 for ``for two phases`` and ``2 times``.

    None for any other text.
    """
    words = words_in(without_preposition(text))
    if len(words) == 2 and words[1].casefold() in TIMES:
        return _number(words[0])
    if len(words) == 1 and words[0].casefold() in ("once", "twice"):
        return _number(words[0])
    return None


def _number(word: str) -> int | None:
    """Return the number of ``2``, ``two`` or ``twice``; None for other words and for above 999."""
    digits = NUMBERS.get(word.casefold(), word)
    is_number = digits.isascii() and digits.isdecimal() and len(digits) < 4
    return int(digits) if is_number else None
