"""Functions that read the value of a word in an order file, such as ``march``; one for each form (O3-O5)."""

from collections.abc import Iterator
from functools import partial

from msgspec import structs

from gm.core.diagnostics import says, shown
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence
from gm.games.medieval.orders.instead import (
    NO_HINT,
    alone,
    mapping_of_text,
    recruiting,
    troops_of_unit,
)
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.orders.phrases import as_landings, as_list
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.transfers import TROOPS_EXPECTED
from gm.games.medieval.orders.troop_words import counted_troops
from gm.games.medieval.orders.values import (
    Found,
    Word,
    one,
    pairs,
    whole,
)
from gm.games.medieval.state import unit_key

HOLD_LIMIT = 12  # how many holds one entry may order: no unit has the move-points for more


def _is_none(node: Node) -> bool:
    """Return whether a value is empty or ``none``."""
    return isinstance(node, Scalar) and not node.quoted and (node.is_null or node.text.casefold() == "none")


def read_proclamation(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield a proclamation, if it has a text (L13)."""
    if not (isinstance(node, Scalar) and node.is_null):
        length = reader.rules.economy.proclamation_length
        text = reader.text(node, says("the proclamation"), length, word.clause, one_line=False)
        if text is not None:
            yield node, shown(text), (text,)


def read_renames(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield each commander with the new name, if they can get it (F7)."""
    expected = says("commanders with their new names, such as {Sir John: Sir John the Bold}")
    node_of_commander: dict[str, Node] = {}
    for key, value in reader.mapping(node, expected, word.clause) or ():
        old = reader.name(key, reader.commanders, "order/unknown-commander", word.clause)
        new_name = reader.text(value, says("the new name"), reader.rules.units.name_length, word.clause)
        if old is None or new_name is None or not isinstance(value, Scalar):
            continue
        problem = reader.rename_problem(old, value)
        if problem:
            reader.error(value, "order/name-taken", problem, clause=word.clause)
        elif reader.is_first(key, old, node_of_commander):
            yield key, f"{old} to {new_name}", (old, new_name)


def read_formed(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield each new unit with its name (F5, F6).

    One formed twice is an error; one whose id an older unit has gets a warning.
    """
    expected = says("new units with their names, such as {A12: The Royal Lions}")
    for key, value in reader.mapping(node, expected, word.clause) or ():
        new_id = reader.new_id(key, word.clause)
        name = reader.unit_name(value, word.clause) if new_id is not None else None
        if new_id is None or name is None:
            continue
        if new_id in reader.line_of_formed:
            message = says("{0} is formed already in line {1}", new_id, reader.line_of_formed[new_id])
            reader.error(key, "order/formed-twice", message, clause=word.clause)
            continue
        reader.line_of_formed[new_id] = key.line
        if unit_key(reader.realm, new_id) in reader.world.units:
            reader.warn(key, "order/number-taken", says("you have {0} already", new_id), clause=word.clause)
        # an empty name is none: the unit has its id alone
        yield key, f"{new_id} {name}".rstrip(), (new_id, name or None)


def read_named(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield a unit's new name, which is None if it is to have none."""
    name = reader.unit_name(node, word.clause)
    if name is not None:
        yield node, name or "none", (name or None,)


def read_answer(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield the answer, True for yes and False for no; nothing, after a finding, for another value."""
    answer = reader.answer(node, f"'{word.name}'", word.clause)
    if answer is not None:
        yield node, "yes" if answer else "no", (answer,)


def read_wish(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield one order without values for yes, none for no; any other value is reported."""
    if reader.answer(node, f"'{word.name}'", word.clause):
        yield node, "yes", ()


def read_followed(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield the reference of the realm's unit that is followed, which is None for none."""
    followed = None if _is_none(node) else reader.own_unit(node, word.clause)
    if followed is not None or _is_none(node):
        yield node, followed.label if followed else "none", (followed.ref if followed else None,)


def read_leader(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield the commander who leads a unit, None for none; a list of commanders is an error (W6)."""
    if _is_none(node):
        yield node, "none", (None,)
    elif isinstance(node, Scalar):
        yield from one(RealmReader.commander)(reader, word, node)
    else:
        label = reader.unit.label if reader.unit else ""
        message = says("{0} has one leader at most: name one commander, found {1}", label, node.what)
        reader.error(node, "order/one-leader", message, clause="W6")


def read_troops(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield troop types with their counts; a type alone, without a count, is reported."""
    troop = reader.troops.find(node.text) if isinstance(node, Scalar) else None
    if troop is not None:
        reader.expected(
            node, TROOPS_EXPECTED, suggestion=says("write '{0}'", f"{{{troop}: 1}}"), clause=word.clause
        )
        return
    hint = troops_of_unit(reader) if word.name == "disband" else NO_HINT
    # the text of an order is ``3 Archers``; the hint is for a node that is no mapping
    read = pairs(
        RealmReader.troop, whole(says("the count")), TROOPS_EXPECTED, "{1} {0}".format, lambda node: hint
    )
    yield from read(reader, word, counted_troops(node))


def read_nothing(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield one order without values, for no value or the answer yes.

    The answer no gives no order but a warning, any other value a finding.
    """
    hint = alone(node, word.name)
    is_empty = isinstance(node, Scalar) and node.is_null
    if is_empty or reader.answer(node, f"'{word.name}'", word.clause, hint):
        yield node, "", ()
    elif isinstance(node, Scalar) and node.text.casefold() in ("no", "false"):
        reader.warn(node, "order/no-order", says("'{0}: no' orders nothing", word.name), clause=word.clause)


def read_structure(reader: RealmReader, node: Node, clause: str) -> Structure | None:
    """Return the structure to build or raze; for soldiers, report the word that recruits them.

    None, with a finding, for anything else.
    """
    hint = recruiting(reader, node)
    if not hint:
        return reader.structure(node, clause)
    reader.expected(node, says("a structure, such as 'fortification'"), suggestion=hint, clause=clause)
    return None


def read_holds(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield the holds of a word's value: one without a value, three for ``hold: 3`` (O5.1)."""
    if not (isinstance(node, Scalar) and node.text.strip().isdecimal()):
        yield from read_nothing(reader, word, node)
        return
    # a wrong number has been reported, and gives no holds
    count = reader.whole(node, says("how often to hold"), 1, HOLD_LIMIT, word.clause) or 0
    for number in range(1, count + 1):
        yield node, f"{number} of {count}" if count > 1 else "", ()


def read_armies(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield the order to load these armies, if all of them are known."""
    items = reader.listed(as_list(node), says("a list of armies, such as [A12]"), word.clause)
    if not items and isinstance(node, (Scalar, Sequence)):
        reader.expected(node, says("the armies to load"), clause=word.clause)
    references = [reader.army(item, word.clause) for item in items]
    armies = [army.ref for army in references if army is not None]
    # an order that loads only some of the armies it names is no longer the order that was given
    if armies and len(armies) == len(references):
        refs = tuple(dict.fromkeys(armies))
        yield node, ", ".join(refs), (refs,)


def read_landings(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield the order to land armies, each in its province, if all of them are known."""
    node = as_landings(node)
    if not isinstance(node, Mapping):
        expected = says("armies with the province where each lands, such as {A12: Kent}")
        reader.expected(node, expected, clause=word.clause)
        return
    landings: dict[str, str] = {}
    for army_node, province_node in node:
        army = reader.army(army_node, word.clause)
        province = reader.province(province_node, word.clause)
        if army is not None and army.ref in landings and province is not None:
            message = says("{0} cannot land twice in one order", army.label)
            reader.error(army_node, "sheet/twice", message, clause=word.clause)
        elif army is not None and province is not None:
            landings[army.ref] = province
    if landings and len(landings) == len(node):
        yield node, ", ".join(f"{army} at {province}" for army, province in landings.items()), (landings,)


def read_payments(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield each payment, to a realm and of a sum. One to the payer itself gets a warning, and is yielded."""
    expected = says("realms with sums of gold, such as {AQU: 12}")
    node = _whole_sums(node) if isinstance(node, Mapping) else node
    instead = partial(mapping_of_text, receiver_first=True)
    # the text of the order is the receiver and the sum
    read = pairs(RealmReader.realm_named, RealmReader.payment, expected, "{} {}".format, instead)
    for key, text, fields in read(reader, word, node):
        if fields[0] == reader.realm:
            message = says("gold sent to a garrison of your own stays in your treasury: only the fee is lost")
            reader.warn(key, "order/gold-to-yourself", message, clause=word.clause)
        yield key, text, fields


def _whole_sums(node: Mapping) -> Mapping:
    """Return a mapping with ``10,50`` of ``{AQU: 10,50}`` as one sum, to be refused as a whole.

    YAML reads it as two entries, ``AQU: 10`` and ``50``.
    """
    entries: dict[str, tuple[Scalar, Node]] = {}
    last_key: Scalar | None = None
    for key, value in node:
        last_value = entries[last_key.text][1] if last_key else None
        if last_key and isinstance(last_value, Scalar) and last_value.text.isdigit() and key.text.isdigit():
            whole_sum = structs.replace(last_value, text=f"{last_value.text},{key.text}")
            entries[last_key.text] = (last_key, whole_sum)
        else:
            entries[key.text] = (key, value)
            last_key = key
    return structs.replace(node, entries=entries)
