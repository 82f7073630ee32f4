"""Words and forms of order files, and the parts from which the readers of forms are put together.

A form's reader takes a value of the file and yields the orders in it; a value that is not understood is
reported and left out.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

from gm.core.diagnostics import says, shown
from gm.core.values import Record
from gm.core.yaml.source import Node, Sequence
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.instead import NO_HINT, mapping_of_text, one_entry_each
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.schema_parts import Schema, described

T = TypeVar("T")
U = TypeVar("U")

Found: TypeAlias = tuple[Node, str, tuple[Any, ...]]
"""One order in a value: (where it is written, its text after the word, the fields of its class)."""


class Form(Record, eq=False):
    """A way to write an order's value, such as one place, a list or a mapping; several words may share it."""

    name: str
    read: "Read"
    schema: Schema | Callable[[Rules], Schema]  # in the schema for all realms
    example: str  # ``$province`` and so on stand for the realm's names (``orders/template.py``)
    own: Schema | None = None  # in the schema for one realm; None if that is made for each realm


class Word(Record, eq=False):
    """A word of order files, such as ``march``, and what is known about it."""

    name: str
    form: Form
    order: type[Any] | None  # the class of its orders; None for ``plan``
    clause: str  # the ids of its clauses, separated by a comma and a space
    says: str  # a short description
    kinds: str = "AFG"  # the letters of the units that can carry it out
    example: str = ""  # replaces the form's
    does: str = ""  # its effect on a unit's place or troops, by which a page's script works out plans


Read: TypeAlias = Callable[[RealmReader, Word, Node], Iterator[Found]]
Value: TypeAlias = Callable[[RealmReader, Node, str], T | None]
"""Reads one value; the text is the clause that messages name. Returns None when something was reported."""


def no_hint(node: Node) -> str:
    """Return an empty hint: no correction is known."""
    return NO_HINT


def whole(what: str, low: int = 1) -> Value[int]:
    """Return a reader of one whole number from ``low`` on; ``what`` names the expected value in messages."""
    return lambda reader, node, clause: reader.whole(node, what, low, clause=clause)


def one(value: Value[T], text: Callable[[T], str] = str) -> Read:
    """Return a reader of a single value, which is one order; ``text`` returns the value's text."""

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        """Yield the order of a single value."""
        result = value(reader, node, word.clause)
        if result is not None:
            yield node, text(result), (result,)

    return read


def one_place(value: Value[str]) -> Read:
    """Return a reader of one place, which is read by ``value``.

    For a list of places it gives a hint to write several entries.
    """

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        """Yield the order of one place."""
        hint = one_entry_each(node, word.name) if isinstance(node, Sequence) else NO_HINT
        if hint:
            reader.expected(node, says("the name of one place"), suggestion=hint, clause=word.clause)
            return
        place = value(reader, node, word.clause)
        if place is not None:
            yield node, place, (place,)

    return read


def each(value: Value[Any], what: str, *, once: bool = False) -> Read:
    """Return a reader of a list, each item of which is an order.

    ``value`` reads an item, ``what`` names the expected value in messages. With ``once`` a second item of the
    same value is reported and left out.
    """

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        """Yield the orders of a list."""
        results = set()
        for item in reader.listed(node, what, word.clause):
            result = value(reader, item, word.clause)
            if result is None:
                continue
            if once and result in results:
                reader.warn(
                    item, "order/named-twice", says("{0} is already in this list: ignored", shown(result))
                )
                continue
            results.add(result)
            yield item, str(result), (result,)

    return read


def pairs(
    key: Value[T],
    value: Value[U],
    what: str,
    text: Callable[[T, U], str],
    instead: Callable[[Node], str] = no_hint,
) -> Read:
    """Return a reader of a mapping, each entry of which is an order.

    ``key`` and ``value`` read the two parts of an entry. ``what`` names the expected value in messages,
    ``text`` returns an entry's text, and ``instead`` a hint for a node that is no mapping.
    """

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        """Yield the orders of a mapping; of equal keys only the first counts."""
        node_of_key: dict[T, Node] = {}
        for key_node, value_node in reader.mapping(node, what, word.clause, instead(node)) or ():
            name = key(reader, key_node, word.clause)
            result = value(reader, value_node, word.clause)
            if name is not None and result is not None and reader.is_first(key_node, name, node_of_key):
                yield key_node, text(name, result), (name, result)

    return read


def by_province(inside: Read, what: str, *, at_key: bool) -> Read:
    """Return a reader of a mapping from provinces to values that ``inside`` reads.

    ``what`` names the expected value in messages. ``at_key``: an order's place in the file is that of the
    province, else that of the value.
    """

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        """Yield the orders of a mapping by province."""
        node_of_province: dict[str, Node] = {}
        hint = mapping_of_text(node, receiver_first=False)
        for key, value in reader.mapping(node, what, word.clause, hint) or ():
            province = reader.province(key, word.clause)
            if province is None or not reader.is_first(key, province, node_of_province):
                continue
            for inner_node, text, fields in inside(reader, word, value):
                order_node = key if at_key else inner_node
                yield order_node, f"{province} to {text}", (province, *fields)

    return read


def word_schema(schema: Schema, word: Word) -> Schema:
    """Return a word's schema with its description."""
    return described(schema, f"{word.clause}: {word.says}")
