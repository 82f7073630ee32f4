"""A unit's plan (O5): the ordered list of what it does in Movement Events."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gm.core.diagnostics import shown
from gm.core.orders.reading import UnknownWord, word_of
from gm.core.values import FrozenMap
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence
from gm.games.medieval.orders import model
from gm.games.medieval.orders.grammar import PLAN, Shape, Word, where_else
from gm.games.medieval.orders.model import PlanEntry
from gm.games.medieval.orders.reading import KIND_WORDS, Reading, Reference

TRANSFER_WORDS = {"to": "to", "troops": "troops", "commanders": "commanders"}


def read_plan(reading: Reading, unit: Reference, node: Node) -> Iterator[PlanEntry]:
    """The entries of one plan in order; what cannot be understood is reported and left out."""
    reader = reading.reader
    if isinstance(node, Mapping):
        reader.error(
            node,
            "order/plan-is-a-list",
            f"a plan is a list: each order of {unit.label} on a line of its own that begins with '- '",
            clause="O5",
        )
        return
    unknown = UnknownWord(reader, "in a plan", PLAN, where_else("plan"))
    for item in reader.listed(node, "a list of orders", "O5"):
        found = _entry(reading, item, unknown)
        if found is None:
            continue
        key, word, value = found
        if unit.kind not in word.kinds:
            able = " and ".join(KIND_WORDS[kind][1] for kind in word.kinds)
            message = f"'{word.name}' is for {able}, not for {unit.label}"
            reader.warn(key, "order/wrong-kind", message, clause=word.clause)
        entry = _SHAPES[word.shape](reading, unit, word, key, value)
        if entry is not None:
            yield entry


def _entry(reading: Reading, item: Node, unknown: UnknownWord) -> tuple[Scalar, Word, Node] | None:
    """(key, word, value) of one entry: ``hold`` or ``march: Kent``. The value of a bare word is the word itself."""
    reader = reading.reader
    if isinstance(item, Sequence) or (isinstance(item, Scalar) and item.is_null):
        reader.expected(item, "an order of the plan, such as 'march: London'", clause="O5")
        return None
    if isinstance(item, Scalar):
        key: Scalar = item
        value: Node = item
    else:
        assert isinstance(item, Mapping)  # noqa: S101 - there are only these three
        if len(item) != 1:
            message = "one entry of a plan holds one order: begin each with '- '"
            reader.error(item, "order/one-per-entry", message, clause="O5")
            return None
        key, value = next(iter(item))
    name = key.text if key.text in PLAN else word_of(key.text)
    word = PLAN.get(name)
    if word is None:
        unknown(key, name)
        return None
    if value is key and word.shape is not Shape.NOTHING:
        reader.error(
            key, "order/needs-value", f"'{word.name}' needs to be told what: '{word.name}: ...'", clause=word.clause
        )
        return None
    return key, word, value


def _nothing(reading: Reading, unit: Reference, word: Word, key: Scalar, value: Node) -> PlanEntry | None:
    bare = value is key or (isinstance(value, Scalar) and value.is_null)
    if not bare and reading.reader.answer(value, f"'{word.name}'", word.clause) is not True:
        if isinstance(value, Scalar) and value.text.casefold() in ("no", "false"):
            reading.reader.warn(value, "order/no-order", f"'{word.name}: no' orders nothing", clause=word.clause)
        return None
    order = model.Hold if word.order is model.Hold else model.Pillage
    return order(reading.written(key, f"{unit.label} {word.name}"))


def _realm(reading: Reading, unit: Reference, word: Word, key: Scalar, value: Node) -> PlanEntry | None:
    code = reading.other_realm(value, word.clause)
    return model.Board(reading.written(key, f"{unit.label} {word.name}: {code}"), code) if code else None


def _place(reading: Reading, unit: Reference, word: Word, key: Scalar, value: Node) -> PlanEntry | None:
    place = reading.place(value, word.clause)
    return model.Sail(reading.written(key, f"{unit.label} {word.name}: {place}"), place) if place else None


def _province(reading: Reading, unit: Reference, word: Word, key: Scalar, value: Node) -> PlanEntry | None:
    name = reading.province(value, word.clause)
    return model.March(reading.written(key, f"{unit.label} {word.name}: {name}"), name) if name else None


def _armies(reading: Reading, unit: Reference, word: Word, key: Scalar, value: Node) -> PlanEntry | None:
    items = reading.reader.listed(value, "a list of armies, such as [A12]", word.clause)
    found = [reading.army(item, word.clause) for item in items]
    # an order that loads only some of the armies it names is no longer the order that was given
    armies = [army for army in found if army is not None]
    if not items and isinstance(value, (Scalar, Sequence)):
        reading.reader.expected(value, "the armies to load", clause=word.clause)
    if not armies or len(armies) < len(found):
        return None
    refs = tuple(dict.fromkeys(army.ref for army in armies))
    return model.Load(reading.written(key, f"{unit.label} {word.name}: {', '.join(refs)}"), refs)


def _landings(reading: Reading, unit: Reference, word: Word, key: Scalar, value: Node) -> PlanEntry | None:
    reader = reading.reader
    if not isinstance(value, Mapping):
        reader.expected(value, "armies with the province where each lands, such as {A12: Kent}", clause=word.clause)
        return None
    landings: dict[str, str] = {}
    good = len(value) > 0
    for army_node, province_node in value:
        army = reading.army(army_node, word.clause)
        province = reading.province(province_node, word.clause)
        if army is None or province is None:
            good = False
        elif army.ref in landings:
            reader.error(army_node, "sheet/twice", f"{army.label} cannot land twice in one order", clause=word.clause)
            good = False
        else:
            landings[army.ref] = province
    if not good:
        return None
    detail = ", ".join(f"{army} at {province}" for army, province in landings.items())
    return model.Unload(reading.written(key, f"{unit.label} {word.name}: {detail}"), FrozenMap(landings))


def _transfer(reading: Reading, unit: Reference, word: Word, key: Scalar, value: Node) -> PlanEntry | None:
    reader = reading.reader
    if not isinstance(value, Mapping):
        reader.expected(value, "a transfer, such as {to: A12, troops: {Longbowmen: 3}}", clause=word.clause)
        return None
    before = len(reader.diagnostics)
    parts = {
        name: part
        for _, name, part in reader.words(
            value, TRANSFER_WORDS, UnknownWord(reader, "in a transfer", TRANSFER_WORDS, where_else("plan"))
        )
    }
    if "to" not in parts:
        reader.error(
            value, "order/no-receiver", "a transfer needs 'to: ...', the unit that receives", clause=word.clause
        )
        return None
    receiver = reading.any_unit(parts["to"], word.clause)
    troops = _transferred_troops(reading, parts.get("troops"), word)
    commanders = _transferred_commanders(reading, parts.get("commanders"), word)
    if any(found.is_error for found in reader.diagnostics[before:]) or receiver is None:
        return None
    if receiver.now == unit.now:
        reader.error(parts["to"], "order/to-itself", f"{unit.label} cannot transfer to itself", clause=word.clause)
        return None
    if not troops and not commanders:
        reader.error(
            value, "order/empty-transfer", "this transfer names no troops and no commanders", clause=word.clause
        )
        return None
    what = ", ".join([*(f"{count} {troop}" for troop, count in troops.items()), *commanders])
    written = reading.written(key, f"{unit.label} {word.name}: {what} to {receiver.label}")
    return model.Transfer(written, receiver.ref, FrozenMap(troops), commanders)


def _transferred_troops(reading: Reading, node: Node | None, word: Word) -> dict[str, int]:
    found: dict[str, int] = {}
    mapping = None
    if node is not None:
        mapping = reading.reader.mapping(node, "troop types with counts, such as {Longbowmen: 3}", word.clause)
    for key, value in mapping or ():
        troop = reading.troop(key, word.clause)
        count = reading.reader.whole(value, "the count", clause=word.clause)
        if troop is not None and count is not None:
            if troop in found:
                message = f"{shown(troop)} stands here for the second time"
                reading.reader.error(key, "sheet/twice", message, clause=word.clause)
            found[troop] = count
    return found


def _transferred_commanders(reading: Reading, node: Node | None, word: Word) -> tuple[str, ...]:
    if node is None:
        return ()
    items = reading.reader.listed(node, "a list of commanders, such as [Sir John]", word.clause)
    found = (reading.commander(item, word.clause) for item in items)
    return tuple(dict.fromkeys(name for name in found if name is not None))


_SHAPES: dict[Shape, Callable[[Reading, Reference, Word, Scalar, Node], PlanEntry | None]] = {
    Shape.NOTHING: _nothing,
    Shape.TRANSFER: _transfer,
    Shape.REALM: _realm,
    Shape.ARMIES: _armies,
    Shape.PLACE: _place,
    Shape.PROVINCE: _province,
    Shape.LANDINGS: _landings,
}
