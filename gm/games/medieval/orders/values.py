"""Words and forms of order files, and the readers of values that forms are put together from.

A form's reader takes a value and yields the orders in it; a value that is not understood is reported and left
out.
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
"""One order in a value: where it is written, how it reads behind its word, and the fields of its class."""


class Form(Record, eq=False):
    """The form of a value. ``schema``: its part of all realms' schema, ``own``: that of one realm's.

    ``example`` is filled in from :class:`gm.games.medieval.orders.template.Sample`.
    """

    name: str
    read: "Read"
    schema: Schema | Callable[[Rules], Schema]
    example: str
    own: Schema | None = None


class Word(Record, eq=False):
    """A word of order files: ``order`` is its class (None: ``plan``), ``says``: a short description.

    ``kinds`` are the letters of the units that can carry it out; ``example`` replaces its form's; ``does``:
    its effect on a unit's place or troops, by which a page adds up plans without knowing the words.
    """

    name: str
    form: Form
    order: type[Any] | None
    clause: str
    says: str
    kinds: str = "AFG"
    example: str = ""
    does: str = ""


Read: TypeAlias = Callable[[RealmReader, Word, Node], Iterator[Found]]
Value: TypeAlias = Callable[[RealmReader, Node, str], T | None]
"""Reads one value, by the clause that messages name; none when something was reported."""


def no_hint(node: Node) -> str:
    """Return an empty hint: no correction is known."""
    return NO_HINT


def whole(what: str, low: int = 1) -> Value[int]:
    """Return a reader of whole numbers from ``low`` on; ``what`` names the expected value in messages."""
    return lambda reader, node, clause: reader.whole(node, what, low, clause=clause)


def one(value: Value[T], text: Callable[[T], str] = str) -> Read:
    """Return a reader of a single value, which makes an order; ``text`` writes the value."""

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        """Yield the order of a single value."""
        result = value(reader, node, word.clause)
        if result is not None:
            yield node, text(result), (result,)

    return read


def one_place(value: Value[str]) -> Read:
    """Return a reader of one place; several places are several entries of a plan."""

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
    """Return a reader of a list; each item makes an order.

    ``what`` names the expected value in messages. With ``once`` a second item of the same name is reported
    and left out.
    """

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        """Yield the orders of a list."""
        nodes = set()
        for item in reader.listed(node, what, word.clause):
            result = value(reader, item, word.clause)
            if result is not None and once and result in nodes:
                reader.warn(
                    item, "order/named-twice", says("{0} is already in this list: ignored", shown(result))
                )
            elif result is not None:
                nodes.add(result)
                yield item, str(result), (result,)

    return read


def pairs(
    key: Value[T],
    value: Value[U],
    what: str,
    text: Callable[[T, U], str],
    instead: Callable[[Node], str] = no_hint,
) -> Read:
    """Return a reader of a mapping; each pair of ``key`` and ``value`` makes an order.

    ``what`` names the expected value in messages, ``text`` writes an order's pair, and ``instead`` returns a
    hint for a node that is no mapping.
    """

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        """Yield each pair of a mapping with its node and its text; a name counts once."""
        first: dict[T, Node] = {}
        for key_node, value_node in reader.mapping(node, what, word.clause, instead(node)) or ():
            name = key(reader, key_node, word.clause)
            result = value(reader, value_node, word.clause)
            if name is not None and result is not None and reader.is_first(key_node, name, first):
                yield key_node, text(name, result), (name, result)

    return read


def by_province(inside: Read, what: str, *, at_key: bool) -> Read:
    """Return a reader of a mapping of provinces to values.

    An order's place in the file is that of its province, or of the value if not ``at_key``.
    """

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        """Yield the orders of a mapping by province."""
        first: dict[str, Node] = {}
        hint = mapping_of_text(node, receiver_first=False)
        for key, value in reader.mapping(node, what, word.clause, hint) or ():
            province = reader.province(key, word.clause)
            if province is not None and reader.is_first(key, province, first):
                for inner, text, fields in inside(reader, word, value):
                    yield key if at_key else inner, f"{province} to {text}", (province, *fields)

    return read


def word_schema(schema: Schema, word: Word) -> Schema:
    """Return a word's schema with its description."""
    return described(schema, f"{word.clause}: {word.says}")
