"""The units' sections (O4): what one unit is told besides its plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gm.core.diagnostics import shown
from gm.core.orders.reading import Names, UnknownWord, word_of
from gm.core.values import FrozenMap
from gm.core.yaml.source import Mapping, Node, Scalar
from gm.games.medieval.orders import model
from gm.games.medieval.orders.grammar import UNIT, Shape, Word, where_else
from gm.games.medieval.orders.model import PlanEntry, Structure, UnitOrder
from gm.games.medieval.orders.read_plan import read_plan
from gm.games.medieval.orders.reading import KIND_WORDS, Reading, Reference
from gm.games.medieval.state import unit_key

STRUCTURES = Names(
    "structure",
    [structure.value for structure in Structure],
    {"production_area": "production area", "production areas": "production area", "harbor": "harbour"},
)

Read = tuple[list[UnitOrder], dict[str, tuple[PlanEntry, ...]]]


def read_units(reading: Reading, node: Node) -> Read:
    """All units' orders in file order, and their plans by reference; what cannot be understood is reported."""
    orders: list[UnitOrder] = []
    plans: dict[str, tuple[PlanEntry, ...]] = {}
    reader = reading.reader
    section = reader.mapping(node, "units with their orders, each unit's below its id", "O4")
    unknown = UnknownWord(reader, "among a unit's orders", UNIT, where_else("unit"))
    first: dict[str, Scalar] = {}
    for key, value in section or ():
        unit = _heading(reading, key)
        if unit is None:
            continue
        if unit.now in first:
            _second(reading, key, first[unit.now])
            continue
        first[unit.now] = key
        lines = reader.mapping(value, f"the orders of {unit.label}, one 'name: value' on each line", "O4")
        for word_key, word, ordered in reader.words(lines, UNIT, unknown) if lines is not None else ():
            if unit.kind not in word.kinds:
                _misfit(reading, word_key, word, unit)
            if word.shape is Shape.PLAN:
                plans[unit.ref] = tuple(read_plan(reading, unit, ordered))
            else:
                orders += _SHAPES[word.shape](reading, unit, word, ordered)
    return orders, plans


def _heading(reading: Reading, key: Scalar) -> Reference | None:
    """The unit that a section is for; a word of another section is told where it belongs."""
    place = where_else("units").get(word_of(key.text))
    if place is not None:
        message = f"{shown(key.text)} stands where a unit is expected"
        reading.reader.error(key, "sheet/wrong-section", message, suggestion=place[0], clause=place[1])
        return None
    return reading.own_unit(key, "O8")


def _second(reading: Reading, key: Scalar, first: Scalar) -> None:
    if key.text == first.text:
        reading.reader.twice(key, first)
        return
    message = f"{shown(key.text)} is the same unit as {shown(first.text)} in line {first.line}: write its orders there"
    reading.reader.error(key, "order/unit-twice", message, clause="O8")


def _misfit(reading: Reading, node: Node, word: Word, unit: Reference) -> None:
    """Warn of an order that this kind of unit cannot carry out; the turn refuses it with the figures."""
    able = " and ".join(KIND_WORDS[kind][1] for kind in word.kinds)
    message = f"{unit.label} is {_a(KIND_WORDS[unit.kind][0])}; '{word.name}' is for {able}"
    reading.reader.warn(node, "order/wrong-kind", message, clause=word.clause)


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _text(unit: Reference, word: Word, detail: str) -> str:
    return f"{unit.label} {word.name}: {detail}" if detail else f"{unit.label} {word.name}"


def _counted(reading: Reading, node: Node, word: Word, low: int = 1) -> Iterator[tuple[str, int, Scalar]]:
    """(troop type, count, its node) of a mapping of troop types to counts."""
    reader = reading.reader
    mapping = reader.mapping(node, "troop types with counts, such as {Longbowmen: 3}", word.clause)
    first: dict[str, Scalar] = {}
    for key, value in mapping or ():
        troop = reading.troop(key, word.clause)
        count = reader.whole(value, "the count", low, clause=word.clause)
        if troop is None or count is None:
            continue
        if troop in first:
            reader.twice(key, first[troop])
            continue
        first[troop] = key
        yield troop, count, key


def _troops(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    order = model.Recruit if word.order is model.Recruit else model.Disband
    for troop, count, key in _counted(reading, node, word):
        yield order(reading.written(key, _text(unit, word, f"{count} {troop}")), unit.ref, troop, count)


def _count(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    count = reading.reader.whole(node, "the number of commanders", clause=word.clause)
    if count is not None:
        yield model.HireCommander(reading.written(node, _text(unit, word, str(count))), unit.ref, count)


def _formed(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    reader = reading.reader
    mapping = reader.mapping(node, "new units with their names, such as {A12: The Royal Lions}", word.clause)
    for key, value in mapping or ():
        new_id = reading.new_id(key, word.clause)
        if new_id is None:
            continue
        name: str | None = None
        if not (isinstance(value, Scalar) and (value.is_null or not value.text.strip())):
            name = reader.text(value, "a unit's name", reading.rules.units.name_length, word.clause)
            if name is None:
                continue
        if new_id in reading.made:
            message = f"{new_id} is formed already in line {reading.made[new_id]}"
            reader.error(key, "order/formed-twice", message, clause=word.clause)
            continue
        reading.made[new_id] = key.line
        if unit_key(reading.realm, new_id) in reading.world.units:
            reader.warn(key, "order/number-taken", f"you have {new_id} already", clause=word.clause)
        yield model.FormUnit(
            reading.written(key, _text(unit, word, f"{new_id} {name}" if name else new_id)), unit.ref, new_id, name
        )


def _structures(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    order = model.Build if word.order is model.Build else model.Raze
    for item in reading.reader.listed(node, "a list of structures, such as [fortification]", word.clause):
        found = reading.reader.name(item, STRUCTURES, "order/unknown-structure", word.clause)
        if found is not None:
            yield order(reading.written(item, _text(unit, word, found)), unit.ref, Structure(found))


def _wish(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    if reading.reader.answer(node, f"'{word.name}'", word.clause):
        yield model.Repair(reading.written(node, _text(unit, word, "yes")), unit.ref)


def _answer(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    answer = reading.reader.answer(node, f"'{word.name}'", word.clause)
    if answer is not None:
        order = model.SetMarines if word.order is model.SetMarines else model.SetDefendFortifications
        yield order(reading.written(node, _text(unit, word, "yes" if answer else "no")), unit.ref, answer)


def _name(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    name = None
    if not (isinstance(node, Scalar) and (node.is_null or not node.text.strip())):
        name = reading.reader.text(node, "a unit's name", reading.rules.units.name_length, word.clause)
        if name is None:
            return
    yield model.Rename(reading.written(node, _text(unit, word, name or "none")), unit.ref, name)


def _retreat_level(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    level = reading.reader.whole(node, "the retreat level", 1, reading.rules.units.ranks, word.clause)
    if level is not None:
        yield model.SetRetreatLevel(reading.written(node, _text(unit, word, str(level))), unit.ref, level)


def _is_none(node: Node) -> bool:
    """Whether nobody is named: nothing, ``null`` or ``none``."""
    return isinstance(node, Scalar) and not node.quoted and (node.is_null or node.text.casefold() == "none")


def _own_unit(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    if _is_none(node):
        yield model.Follow(reading.written(node, _text(unit, word, "none")), unit.ref, None)
        return
    followed = reading.own_unit(node, word.clause)
    if followed is not None:
        yield model.Follow(reading.written(node, _text(unit, word, followed.label)), unit.ref, followed.ref)


def _commander(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    if _is_none(node):
        yield model.SetLeader(reading.written(node, _text(unit, word, "none")), unit.ref, None)
        return
    if not isinstance(node, Scalar):
        message = f"{unit.label} has one leader at most: name one commander, found {node.what}"
        reading.reader.error(node, "order/one-leader", message, clause="W6")
        return
    name = reading.commander(node, word.clause)
    if name is not None:
        yield model.SetLeader(reading.written(node, _text(unit, word, name)), unit.ref, name)


def _commanders(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    for item in reading.reader.listed(node, "a list of commanders, such as [Sir John]", word.clause):
        name = reading.commander(item, word.clause)
        if name is not None:
            yield model.DisbandCommander(reading.written(item, _text(unit, word, name)), unit.ref, name)


def _ranks(reading: Reading, unit: Reference, word: Word, node: Node) -> Iterator[UnitOrder]:
    reader = reading.reader
    mapping = reader.mapping(node, "troop types with ranks, such as {Longbowmen: {4: 3}}", word.clause)
    first: dict[str, Scalar] = {}
    for key, value in mapping or ():
        troop = reading.troop(key, word.clause)
        counts = _rank_counts(reading, value, word)
        if troop is None or counts is None:
            continue
        if troop in first:
            reader.twice(key, first[troop])
            continue
        first[troop] = key
        detail = ", ".join(f"{count} in rank {rank}" for rank, count in counts.items())
        yield model.SetRanks(
            reading.written(key, _text(unit, word, f"{troop}: {detail}")), unit.ref, troop, FrozenMap(counts)
        )


def _rank_counts(reading: Reading, node: Node, word: Word) -> dict[int, int] | None:
    """Rank to count; None, reported, when any of it is wrong: half an array of ranks is nobody's wish."""
    reader = reading.reader
    if not isinstance(node, Mapping):
        reader.expected(node, "ranks with counts, such as {4: 3}", clause=word.clause)
        return None
    counts: dict[int, int] = {}
    whole = True
    for key, value in node:
        rank = reader.whole(key, "the rank", 1, reading.rules.units.ranks, word.clause)
        count = reader.whole(value, "the count", 0, clause=word.clause)
        whole = whole and rank is not None and count is not None and rank not in counts
        if rank is not None and count is not None:
            if rank in counts:
                reader.error(key, "sheet/twice", f"rank {rank} stands here for the second time", clause=word.clause)
            counts[rank] = count
    return counts if whole and counts else None


_SHAPES: dict[Shape, Callable[[Reading, Reference, Word, Node], Iterator[UnitOrder]]] = {
    Shape.TROOPS: _troops,
    Shape.COUNT: _count,
    Shape.FORMED: _formed,
    Shape.STRUCTURES: _structures,
    Shape.WISH: _wish,
    Shape.ANSWER: _answer,
    Shape.NAME: _name,
    Shape.RETREAT_LEVEL: _retreat_level,
    Shape.OWN_UNIT: _own_unit,
    Shape.COMMANDER: _commander,
    Shape.COMMANDERS: _commanders,
    Shape.RANKS: _ranks,
}
