"""The form of a transfer (M1): troops and commanders that go from one unit to another."""

from collections.abc import Iterator
from functools import partial

from gm.core.diagnostics import says, shown
from gm.core.yaml.source import Mapping, Node, Scalar
from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.orders.instead import ordered_unit, troops_of_unit, with_receiver
from gm.games.medieval.orders.phrases import as_list, as_transfer, words_in
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.troop_words import counted_troops
from gm.games.medieval.orders.values import Found, Word

TROOPS_EXPECTED = says("troop types with counts, such as {Longbowmen: 3}")
COMMANDERS_EXPECTED = says("a list of commanders, such as [Sir John]")
_FOOT = (TroopClass.FOOT, TroopClass.ARCHER)
_SHIPS = (TroopClass.TRANSPORT, TroopClass.WARSHIP)
# the classes of troops that are meant by "all" with these words
_ARMS = {
    "": tuple(TroopClass),
    "troops": tuple(TroopClass),
    "soldiers": (*_FOOT, TroopClass.MOUNTED, TroopClass.SIEGE),
    "infantry": _FOOT,
    "archers": (TroopClass.ARCHER,),
    "cavalry": (TroopClass.MOUNTED,),
    "ships": _SHIPS,
}

_TRANSFER_WORDS = {"to": "to", "troops": "troops", "commanders": "commanders"}


def read_transfer(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield the transfer in a value (M1); nothing, with a finding, if a part of it is wrong."""
    node = as_transfer(node)
    if not isinstance(node, Mapping):
        message = says("a transfer, such as {to: A12, troops: {Longbowmen: 3}}")
        reader.expected(node, message, suggestion=with_receiver(node), clause=word.clause)
        return
    findings_before = len(reader.diagnostics)
    unknown = partial(reader.unknown_word, says("in a transfer"), _TRANSFER_WORDS, reader.elsewhere)
    parts = {name: part for _, name, part in reader.words(node, _TRANSFER_WORDS, unknown)}
    if "to" not in parts:
        message = says("a transfer needs 'to: ...', the unit that receives")
        reader.error(node, "order/no-receiver", message, clause=word.clause)
        return
    receiver = reader.any_unit(parts["to"], word.clause)
    troops = _transferred_troops(reader, parts.get("troops"), word.clause)
    commanders = _transferred_commanders(reader, parts.get("commanders"), word.clause)
    if any(diagnostic.is_error for diagnostic in reader.diagnostics[findings_before:]) or receiver is None:
        return
    if reader.unit and receiver.now == reader.unit.now:
        message = says("{0} cannot transfer to itself", reader.unit.label)
        reader.error(parts["to"], "order/to-itself", message, clause=word.clause)
    elif not troops and not commanders:
        message = says("this transfer names no troops and no commanders")
        reader.error(node, "order/empty-transfer", message, clause=word.clause)
    else:
        transfer_words = ", ".join([*(f"{count} {troop}" for troop, count in troops.items()), *commanders])
        yield node, f"{transfer_words} to {receiver.label}", (receiver.ref, troops, commanders)


def _transferred_commanders(reader: RealmReader, node: Node | None, clause: str) -> tuple[str, ...]:
    """Return the names of the commanders that a transfer lists, each once; unknown ones are reported."""
    if node is None:
        return ()
    items = reader.listed(as_list(node), COMMANDERS_EXPECTED, clause)
    names = [reader.commander(item, clause) for item in items]
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _transferred_troops(reader: RealmReader, node: Node | None, clause: str) -> dict[str, int]:
    """Return the numbers of a transfer's troops by type; what is wrong is reported and left out."""
    if node is None:
        return {}
    if isinstance(node, Scalar):
        arm = all_of(node.text)
        if arm is not None:
            return _whole_arm(reader, node, arm, clause)
    troops: dict[str, int] = {}
    for key, value in reader.mapping(counted_troops(node), TROOPS_EXPECTED, clause) or ():
        troop = reader.troop(key, clause)
        count = reader.whole(value, says("the count"), clause=clause)
        if troop is None or count is None:
            continue
        if troop in troops:
            message = says("{0} appears twice", shown(troop))
            reader.error(key, "sheet/twice", message, clause=clause)
        troops[troop] = count
    return troops


def all_of(text: str) -> str | None:
    """Return ``infantry`` for ``all infantry``, an empty text for ``all``; None if it does not mean all."""
    words = words_in(text.casefold())
    if words == ["everything"]:
        return ""
    if not words or words[0] != "all":
        return None
    words_left = words[1:]
    while words_left and words_left[0] in ("of", "the", "my", "its"):
        words_left = words_left[1:]
    return " ".join(words_left)


def _whole_arm(reader: RealmReader, node: Scalar, arm: str, clause: str) -> dict[str, int]:
    """Return the numbers, by type, of all troops of an arm that the giving unit has as the turn begins.

    ``arm``: a word of :data:`_ARMS` or a troop type. Empty, with a finding, if there are none, or if it is
    not clear which are meant.
    """
    giver = ordered_unit(reader)
    counts = dict(giver.counts()) if giver is not None else {}
    troop = reader.troops.find(arm)
    classes = _ARMS.get(arm, ())
    if troop is not None and troop in counts:
        return {troop: counts[troop]}
    of_arm = {name: count for name, count in counts.items() if reader.rules.troops[name].kind in classes}
    kinds = {reader.rules.troops[name].kind for name in of_arm}
    hint = troops_of_unit(reader)
    label = reader.unit.label if reader.unit else ""
    if not of_arm:
        message = says(
            "{0} has none that {1} means: name the troops with their counts", label, shown(node.text)
        )
        reader.error(node, "order/all-of-none", message, suggestion=hint, clause=clause)
    elif arm == "infantry" and len(kinds) > 1:
        message = says(
            "{0} may mean the archers too, or not: name the troops with their counts", shown(node.text)
        )
        reader.error(node, "order/all-of-which", message, suggestion=hint, clause=clause)
    else:
        return of_arm
    return {}
