"""Words and forms of order files, and what forms are put together from: readers of values, parts of JSON Schemas.

A form's reader takes a value and yields the orders in it; what cannot be understood is reported and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias, TypeVar

from gm.core.diagnostics import shown
from gm.core.yaml.source import Node
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.reader import RealmReader

T = TypeVar("T")
U = TypeVar("U")

Schema = dict[str, Any]
Found: TypeAlias = tuple[Node, str, tuple[Any, ...]]
"""One order in a value: where it is written, how it reads behind its word, and the fields of its class."""


@dataclass(frozen=True, eq=False)
class Form:
    """``schema`` is part of the schema for all realms, ``own`` of one realm's (headquarters' are made there).

    ``example`` is filled in from :class:`gm.games.medieval.orders.template.Sample`.
    """

    name: str
    read: Read
    schema: Schema | Callable[[Rules], Schema]
    example: str
    own: Schema | None = None


@dataclass(frozen=True, eq=False)
class Word:
    """A word of order files: ``order`` is the class that it makes (none: ``plan``), ``says`` what it orders, in short.

    ``kinds`` are the letters of the units that can carry it out; ``example`` replaces its form's; ``does`` says what
    changes where a unit is or who is in it: a page adds up plans by it without knowing the words.
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


def whole(what: str, low: int = 1) -> Value[int]:
    """A reader of whole numbers."""
    return lambda reader, node, clause: reader.whole(node, what, low, clause=clause)


def one(value: Value[T], text: Callable[[T], str] = str) -> Read:
    """A single value."""

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        found = value(reader, node, word.clause)
        if found is not None:
            yield node, text(found), (found,)

    return read


def each(value: Value[Any], what: str, *, once: bool = False) -> Read:
    """A list, an order for each item; with ``once`` a second one of the same name is reported and left out."""

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        seen = set()
        for item in reader.listed(node, what, word.clause):
            found = value(reader, item, word.clause)
            if found is not None and once and found in seen:
                reader.warn(item, "order/named-twice", f"{shown(found)} stands in this list already: ignored")
            elif found is not None:
                seen.add(found)
                yield item, str(found), (found,)

    return read


def pairs(key: Value[T], value: Value[U], what: str, text: Callable[[T, U], str]) -> Read:
    """A mapping, an order for each entry."""

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        first: dict[T, Node] = {}
        for key_node, value_node in reader.mapping(node, what, word.clause) or ():
            name = key(reader, key_node, word.clause)
            found = value(reader, value_node, word.clause)
            if name is not None and found is not None and reader.is_first(key_node, name, first):
                yield key_node, text(name, found), (name, found)

    return read


def by_province(inside: Read, what: str, *, at_key: bool) -> Read:
    """A mapping of provinces to what is read in its turn; an order is written where its province stands, or inside."""

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        first: dict[str, Node] = {}
        for key, value in reader.mapping(node, what, word.clause) or ():
            province = reader.province(key, word.clause)
            if province is not None and reader.is_first(key, province, first):
                for inner, text, fields in inside(reader, word, value):
                    yield key if at_key else inner, f"{province} to {text}", (province, *fields)

    return read


@cache
def ref(name: str, table: str = "definitions") -> Schema:
    """A reference to a definition: the same one for each use, so nobody may change it."""
    return {"$ref": f"#/{table}/{name.replace(' ', '%20')}"}


def any_ref(name: str) -> Schema:
    """The same in the schema of all realms, which is of a newer draft."""
    return ref(name, "$defs")


def described(schema: Schema, says: str) -> Schema:
    """The schema with a description; beside a reference, draft 7 lets nothing stand."""
    return {"allOf": [schema], "description": says} if "$ref" in schema else {**schema, "description": says}


def described_enum(says: Mapping[str, str]) -> Schema:
    """One of these names; editors show what belongs to each."""
    return {"type": "string", "enum": list(says), "enumDescriptions": list(says.values())}


def listed(item: Schema | None) -> Schema:
    """A list, or a single value in place of a list of one, or nothing; only nothing when there is no item."""
    if item is None:
        return {"type": ["array", "null"], "maxItems": 0}
    return {"anyOf": [{"type": "array", "items": item}, item, {"type": "null"}]}


def listed_once(item: Schema) -> Schema:
    """A list of at least one, or a single value in its place."""
    return {"anyOf": [{"type": "array", "items": item, "minItems": 1}, item]}


def or_none(schema: Schema) -> Schema:
    """The schema, or ``none``, or nothing."""
    return {"anyOf": [schema, {"enum": ["none", None]}]}


def entries(keys: Schema, values: Schema) -> Schema:
    """A mapping of such keys to such values, or nothing."""
    return {"type": ["object", "null"], "propertyNames": keys, "additionalProperties": values}


def mapping(values: Mapping[str, Schema], others: Schema | bool = False) -> Schema:
    """These keys with their values, or nothing."""
    return {"type": ["object", "null"], "properties": dict(values), "additionalProperties": others}


def closed(properties: Schema, *required: str) -> Schema:
    """A mapping with these keys and no others."""
    must = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, "additionalProperties": False, **must}
