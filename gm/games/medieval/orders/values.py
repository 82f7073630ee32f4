"""The forms that values in order files have (O3-O5): how each is read, which schemas it has, an example of it.

A form's reader takes a value and yields the orders in it; what cannot be understood is reported and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from gm.core.diagnostics import has_unprintable, shown
from gm.core.orders.reading import NameIndex
from gm.core.yaml.source import Mapping, Node, Scalar
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.schema_parts import Schema
from gm.games.medieval.state import unit_key

T = TypeVar("T")
U = TypeVar("U")

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


COMMANDER_LIST = "a list of commanders, such as [Sir John]"
TROOP_COUNTS = "troop types with counts, such as {Longbowmen: 3}"
_STRUCTURES = NameIndex(
    "structure",
    [structure.value for structure in Structure],
    {"production_area": "production area", "production areas": "production area", "harbor": "harbour"},
)


def whole(what: str, low: int = 1) -> Value[int]:
    """A reader of whole numbers."""
    return lambda reader, node, clause: reader.whole(node, what, low, clause=clause)


def _sum(reader: RealmReader, node: Node, clause: str) -> Any:
    return reader.gold(node, "the sum", clause)


def structure(reader: RealmReader, node: Node, clause: str) -> Structure | None:
    """What can be built and razed."""
    found = reader.name(node, _STRUCTURES, "order/unknown-structure", clause)
    return None if found is None else Structure(found)


def rank(what: str) -> Value[int]:
    """A reader of ranks, also of how many may be lost (F7)."""
    return lambda reader, node, clause: reader.whole(node, what, 1, reader.rules.units.ranks, clause)


def _proclaimed(reader: RealmReader, node: Node, clause: str) -> str | None:
    return reader.text(node, "the proclamation", reader.rules.economy.proclamation_length, clause, one_line=False)


def _unit_name(reader: RealmReader, node: Node, clause: str) -> str | None:
    """A unit's name; "" for none."""
    if isinstance(node, Scalar) and (node.is_null or not node.text.strip()):
        return ""
    return reader.text(node, "a unit's name", reader.rules.units.name_length, clause)


def rank_counts(reader: RealmReader, node: Node, clause: str) -> dict[int, int] | None:
    """Rank to count; none when any of it is wrong: half of an arrangement of ranks is nobody's intention."""
    if not isinstance(node, Mapping):
        reader.expected(node, "ranks with counts, such as {4: 3}", clause=clause)
        return None
    counts: dict[int, int] = {}
    for key, value in node:
        number = rank("the rank")(reader, key, clause)
        count = reader.whole(value, "the count", 0, clause=clause)
        if number in counts and count is not None:
            reader.error(key, "sheet/twice", f"rank {number} stands here for the second time", clause=clause)
        if number is not None and count is not None:
            counts[number] = count
    return counts if counts and len(counts) == len(node) else None


def _is_none(node: Node) -> bool:
    """Whether nobody is named: nothing, ``null`` or ``none``."""
    return isinstance(node, Scalar) and not node.quoted and (node.is_null or node.text.casefold() == "none")


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


def payments(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Realms with sums (L2)."""
    what = "realms with sums of gold, such as {AQU: 12}"
    for key, text, fields in pairs(RealmReader.realm_named, _sum, what, "{} {}".format)(reader, word, node):
        if fields[0] == reader.realm:
            message = "gold sent to a garrison of your own stays in your treasury: only the fee is lost"
            reader.warn(key, "order/gold-to-yourself", message, clause=word.clause)
        yield key, text, fields


def proclamation(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """A text for everybody; nothing written is no order (L13)."""
    if not (isinstance(node, Scalar) and node.is_null):
        yield from one(_proclaimed, shown)(reader, word, node)


def rename_problem(reader: RealmReader, old: str, value: Scalar) -> str:
    """Why a commander cannot get this name (F7); empty if he can."""
    new = " ".join(value.text.split())
    if not new or value.is_null or len(new) > reader.rules.units.name_length:
        return "no name, or too long"
    if has_unprintable(new):
        return "an invisible character"
    holder = reader.commanders.find(new)
    if holder is not None and holder != old:
        return f"{shown(holder)} is another commander of yours"
    if any(name == new and other != old for other, name in reader.renamed.items()):
        return f"{shown(new)} is given to two commanders"
    return ""


def renames(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Commanders with their new names (F7)."""
    what = "commanders with their new names, such as {Sir John: Sir John the Bold}"
    first: dict[str, Node] = {}
    for key, value in reader.mapping(node, what, word.clause) or ():
        old = reader.name(key, reader.commanders, "order/unknown-commander", word.clause)
        new = reader.text(value, "the new name", reader.rules.units.name_length, word.clause)
        if old is None or new is None or not isinstance(value, Scalar):
            continue
        problem = rename_problem(reader, old, value)
        if problem:
            reader.error(value, "order/name-taken", problem, clause=word.clause)
        elif reader.is_first(key, old, first):
            yield key, f"{old} to {new}", (old, new)


def formed(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """New units' ids with their names or nothing (F5, F6)."""
    what = "new units with their names, such as {A12: The Royal Lions}"
    for key, value in reader.mapping(node, what, word.clause) or ():
        new_id = reader.new_id(key, word.clause)
        name = _unit_name(reader, value, word.clause) if new_id is not None else None
        if new_id is None or name is None:
            continue
        if new_id in reader.made:
            message = f"{new_id} is formed already in line {reader.made[new_id]}"
            reader.error(key, "order/formed-twice", message, clause=word.clause)
            continue
        reader.made[new_id] = key.line
        if unit_key(reader.realm, new_id) in reader.world.units:
            reader.warn(key, "order/number-taken", f"you have {new_id} already", clause=word.clause)
        yield key, f"{new_id} {name}".rstrip(), (new_id, name or None)


def named(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """A unit's new name; nothing: none (F7)."""
    name = _unit_name(reader, node, word.clause)
    if name is not None:
        yield node, name or "none", (name or None,)


def answer(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yes or no."""
    answer = reader.answer(node, f"'{word.name}'", word.clause)
    if answer is not None:
        yield node, "yes" if answer else "no", (answer,)


def wish(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yes orders it; no is the same as leaving it out."""
    if reader.answer(node, f"'{word.name}'", word.clause):
        yield node, "yes", ()


def followed(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """An own unit, or none."""
    followed = None if _is_none(node) else reader.own_unit(node, word.clause)
    if followed is not None or _is_none(node):
        yield node, followed.label if followed else "none", (followed.ref if followed else None,)


def leader(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """A commander, or none."""
    if _is_none(node):
        yield node, "none", (None,)
    elif isinstance(node, Scalar):
        yield from one(RealmReader.commander)(reader, word, node)
    else:
        label = reader.unit.label if reader.unit else ""
        message = f"{label} has one leader at most: name one commander, found {node.what}"
        reader.error(node, "order/one-leader", message, clause="W6")
