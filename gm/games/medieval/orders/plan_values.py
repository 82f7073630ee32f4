"""How the values of a plan's entries are read (O5)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gm.core.diagnostics import shown
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.values import COMMANDER_LIST, TROOP_COUNTS, Found, Word


def nothing(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """A word without a value, or with yes."""
    if (isinstance(node, Scalar) and node.is_null) or reader.answer(node, f"'{word.name}'", word.clause):
        yield node, "", ()
    elif isinstance(node, Scalar) and node.text.casefold() in ("no", "false"):
        reader.warn(node, "order/no-order", f"'{word.name}: no' orders nothing", clause=word.clause)


def armies(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Armies, all of them or the order is not given."""
    items = reader.listed(node, "a list of armies, such as [A12]", word.clause)
    if not items and isinstance(node, (Scalar, Sequence)):
        reader.expected(node, "the armies to load", clause=word.clause)
    found = [reader.army(item, word.clause) for item in items]
    armies = [army.ref for army in found if army is not None]
    # an order that loads only some of the armies it names is no longer the order that was given
    if armies and len(armies) == len(found):
        refs = tuple(dict.fromkeys(armies))
        yield node, ", ".join(refs), (refs,)


def landings(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Armies with the province where each lands."""
    if not isinstance(node, Mapping):
        reader.expected(node, "armies with the province where each lands, such as {A12: Kent}", clause=word.clause)
        return
    landings: dict[str, str] = {}
    for army_node, province_node in node:
        army = reader.army(army_node, word.clause)
        province = reader.province(province_node, word.clause)
        if army is not None and army.ref in landings and province is not None:
            reader.error(army_node, "sheet/twice", f"{army.label} cannot land twice in one order", clause=word.clause)
        elif army is not None and province is not None:
            landings[army.ref] = province
    if landings and len(landings) == len(node):
        detail = ", ".join(f"{army} at {province}" for army, province in landings.items())
        yield node, detail, (landings,)


_TRANSFER_WORDS = {"to": "to", "troops": "troops", "commanders": "commanders"}


def transfer(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """``to``, ``troops`` and ``commanders`` (M1)."""
    if not isinstance(node, Mapping):
        reader.expected(node, "a transfer, such as {to: A12, troops: {Longbowmen: 3}}", clause=word.clause)
        return
    before = len(reader.diagnostics)
    unknown = partial(reader.unknown_word, "in a transfer", _TRANSFER_WORDS, reader.elsewhere)
    parts = {name: part for _, name, part in reader.words(node, _TRANSFER_WORDS, unknown)}
    if "to" not in parts:
        message = "a transfer needs 'to: ...', the unit that receives"
        reader.error(node, "order/no-receiver", message, clause=word.clause)
        return
    receiver = reader.any_unit(parts["to"], word.clause)
    troops = _transferred_troops(reader, parts.get("troops"), word.clause)
    named = reader.listed(parts["commanders"], COMMANDER_LIST, word.clause) if "commanders" in parts else []
    found = [reader.commander(item, word.clause) for item in named]
    commanders = tuple(dict.fromkeys(name for name in found if name is not None))
    if any(found.is_error for found in reader.diagnostics[before:]) or receiver is None:
        return
    if reader.unit and receiver.now == reader.unit.now:
        message = f"{reader.unit.label} cannot transfer to itself"
        reader.error(parts["to"], "order/to-itself", message, clause=word.clause)
    elif not troops and not commanders:
        message = "this transfer names no troops and no commanders"
        reader.error(node, "order/empty-transfer", message, clause=word.clause)
    else:
        what = ", ".join([*(f"{count} {troop}" for troop, count in troops.items()), *commanders])
        yield node, f"{what} to {receiver.label}", (receiver.ref, troops, commanders)


def _transferred_troops(reader: RealmReader, node: Node | None, clause: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for key, value in (reader.mapping(node, TROOP_COUNTS, clause) if node is not None else None) or ():
        troop = reader.troop(key, clause)
        count = reader.whole(value, "the count", clause=clause)
        if troop is not None and count is not None:
            if troop in found:
                reader.error(key, "sheet/twice", f"{shown(troop)} stands here for the second time", clause=clause)
            found[troop] = count
    return found
