"""The forms that order files' values have (O3-O5): how each is read, its schemas, an example of it."""

from collections.abc import Iterator

from gm.core.diagnostics import says, shown
from gm.core.orders.reading import COUNT_LIMIT, GOLD_LIMIT
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence
from gm.games.medieval.orders.instead import (
    NO_HINT,
    alone,
    one_entry_each,
    recruiting,
    troops_of_unit,
)
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.orders.payments import payments
from gm.games.medieval.orders.phrases import as_landings, as_list
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.schema_parts import (
    Schema,
    any_ref,
    described,
    either,
    entries,
    listed,
    listed_once,
    or_in_words,
    or_none,
    ref,
    whole_number,
)
from gm.games.medieval.orders.schema_spellings import transfer_mapping
from gm.games.medieval.orders.spellings import spelled
from gm.games.medieval.orders.transfers import COMMANDERS_EXPECTED, TROOPS_EXPECTED, read_transfer
from gm.games.medieval.orders.troop_words import counted_troops
from gm.games.medieval.orders.values import (
    Form,
    Found,
    Read,
    Value,
    Word,
    by_province,
    each,
    one,
    pairs,
    whole,
)
from gm.games.medieval.state import unit_key

_REALM = any_ref("written realm")
_PROVINCE = any_ref("written province")
_TROOP = any_ref("written troop")
_COUNT = any_ref("count")
_ANY_UNIT = any_ref("any unit")
_TROOPS = or_in_words(entries(_TROOP, _COUNT), any_ref("troops in words"))
_NAME = any_ref("name")
_ANSWER = any_ref("answer")
_TEXT = {"type": "string"}
_SUM = {"type": "number", "exclusiveMinimum": 0, "maximum": int(GOLD_LIMIT)}
RANK_COUNT = whole_number(0, COUNT_LIMIT)
HOLD_LIMIT = 12  # how many holds one entry may order: no unit has the move-points for more
_REALMS = says("a list of realms, such as [FRA, AQU]")
_PROVINCES = says("a list of provinces, such as [London, Kent]")


def _is_none(node: Node) -> bool:
    return isinstance(node, Scalar) and not node.quoted and (node.is_null or node.text.casefold() == "none")


def _proclamation(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield a proclamation, if it has a text (L13)."""
    if not (isinstance(node, Scalar) and node.is_null):
        length = reader.rules.economy.proclamation_length
        text = reader.text(node, says("the proclamation"), length, word.clause, one_line=False)
        if text is not None:
            yield node, shown(text), (text,)


def _renames(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    what = says("commanders with their new names, such as {Sir John: Sir John the Bold}")
    first: dict[str, Node] = {}
    for key, value in reader.mapping(node, what, word.clause) or ():
        old = reader.name(key, reader.commanders, "order/unknown-commander", word.clause)
        new = reader.text(value, says("the new name"), reader.rules.units.name_length, word.clause)
        if old is None or new is None or not isinstance(value, Scalar):
            continue
        if problem := reader.rename_problem(old, value):
            reader.error(value, "order/name-taken", problem, clause=word.clause)
        elif reader.is_first(key, old, first):
            yield key, f"{old} to {new}", (old, new)


def _formed(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    what = says("new units with their names, such as {A12: The Royal Lions}")
    for key, value in reader.mapping(node, what, word.clause) or ():
        new_id = reader.new_id(key, word.clause)
        name = reader.unit_name(value, word.clause) if new_id is not None else None
        if new_id is None or name is None:
            continue
        if new_id in reader.made:
            message = says("{0} is formed already in line {1}", new_id, reader.made[new_id])
            reader.error(key, "order/formed-twice", message, clause=word.clause)
            continue
        reader.made[new_id] = key.line
        if unit_key(reader.realm, new_id) in reader.world.units:
            reader.warn(key, "order/number-taken", says("you have {0} already", new_id), clause=word.clause)
        yield key, f"{new_id} {name}".rstrip(), (new_id, name or None)


def _named(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    name = reader.unit_name(node, word.clause)
    if name is not None:
        yield node, name or "none", (name or None,)


def _answer(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    answer = reader.answer(node, f"'{word.name}'", word.clause)
    if answer is not None:
        yield node, "yes" if answer else "no", (answer,)


def _wish(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    # no is the same as leaving it out
    if reader.answer(node, f"'{word.name}'", word.clause):
        yield node, "yes", ()


def _followed(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    followed = None if _is_none(node) else reader.own_unit(node, word.clause)
    if followed is not None or _is_none(node):
        yield node, followed.label if followed else "none", (followed.ref if followed else None,)


def _leader(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    if _is_none(node):
        yield node, "none", (None,)
    elif isinstance(node, Scalar):
        yield from one(RealmReader.commander)(reader, word, node)
    else:
        label = reader.unit.label if reader.unit else ""
        message = says("{0} has one leader at most: name one commander, found {1}", label, node.what)
        reader.error(node, "order/one-leader", message, clause="W6")


def _troops(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    if isinstance(node, Scalar) and (troop := reader.troops.find(node.text)) is not None:
        reader.expected(
            node, TROOPS_EXPECTED, suggestion=says("write '{0}'", f"{{{troop}: 1}}"), clause=word.clause
        )
        return
    hint = troops_of_unit(reader) if word.name == "disband" else NO_HINT
    read = pairs(
        RealmReader.troop, whole(says("the count")), TROOPS_EXPECTED, "{1} {0}".format, lambda node: hint
    )
    yield from read(reader, word, counted_troops(node))


def _nothing(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    hint = alone(node, word.name)
    if (isinstance(node, Scalar) and node.is_null) or reader.answer(
        node, f"'{word.name}'", word.clause, hint
    ):
        yield node, "", ()
    elif isinstance(node, Scalar) and node.text.casefold() in ("no", "false"):
        reader.warn(node, "order/no-order", says("'{0}: no' orders nothing", word.name), clause=word.clause)


def _structure(reader: RealmReader, node: Node, clause: str) -> Structure | None:
    """Return the structure to build or raze; for soldiers, report the word that recruits them."""
    hint = recruiting(reader, node)
    if not hint:
        return reader.structure(node, clause)
    reader.expected(node, says("a structure, such as 'fortification'"), suggestion=hint, clause=clause)
    return None


def _one_place(value: Value[str]) -> Read:
    """Return a reader of one place; several places are several entries of a plan."""
    read_one = one(value)

    def read(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
        hint = one_entry_each(node, word.name)
        if hint:
            reader.expected(node, says("the name of one place"), suggestion=hint, clause=word.clause)
            return
        yield from read_one(reader, word, node)

    return read


def _holds(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    """Yield the holds of ``hold: 3``: three of them (O5.1)."""
    if not (isinstance(node, Scalar) and node.text.strip().isdecimal()):
        yield from _nothing(reader, word, node)
        return
    count = reader.whole(node, says("how often to hold"), 1, HOLD_LIMIT, word.clause) or 0
    for number in range(1, count + 1):
        yield node, f"{number} of {count}" if count > 1 else "", ()


def _armies(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
    items = reader.listed(as_list(node), says("a list of armies, such as [A12]"), word.clause)
    if not items and isinstance(node, (Scalar, Sequence)):
        reader.expected(node, says("the armies to load"), clause=word.clause)
    references = [reader.army(item, word.clause) for item in items]
    armies = [army.ref for army in references if army is not None]
    # an order that loads only some of the armies it names is no longer the order that was given
    if armies and len(armies) == len(references):
        refs = tuple(dict.fromkeys(armies))
        yield node, ", ".join(refs), (refs,)


def _landings(reader: RealmReader, word: Word, node: Node) -> Iterator[Found]:
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


REALMS = Form("REALMS", each(RealmReader.other_realm, _REALMS, once=True), listed(_REALM), "[$other]")
PROVINCES = Form(
    "PROVINCES", each(RealmReader.province, _PROVINCES, once=True), listed(_PROVINCE), "[$province]"
)
PERMISSIONS = Form(
    "PERMISSIONS",
    by_province(
        each(RealmReader.other_realm, says("a list of realms, such as [AQU]"), once=True),
        says("provinces with realms, such as {London: [AQU]}"),
        at_key=False,
    ),
    entries(_PROVINCE, listed(_REALM)),
    "{$province: [$other]}",
)
GIFTS = Form(
    "GIFTS",
    by_province(
        one(RealmReader.other_realm), says("provinces with a realm each, such as {London: AQU}"), at_key=True
    ),
    entries(_PROVINCE, _REALM),
    "{$province: $other}",
)
PAYMENTS = Form("PAYMENTS", payments, entries(_REALM, _SUM), "{$other: 10.50}")
PROCLAMATION = Form(
    "PROCLAMATION",
    _proclamation,
    lambda rules: {"type": ["string", "null"], "maxLength": rules.economy.proclamation_length},
    "Peace and good wine to all.",
)
RENAMES = Form(
    "RENAMES",
    _renames,
    lambda rules: entries({}, {"type": "string", "maxLength": rules.units.name_length}),
    "{$commander: $bold}",
)

FORMED = Form(
    "FORMED",
    _formed,
    entries(any_ref("unit to be"), _NAME),
    "{$army: The Royal Lions, $fleet: Channel Fleet}",
    ref("form an army"),
)
TROOPS = Form(
    "TROOPS",
    _troops,
    _TROOPS,
    "{$troop: 1}",
    ref("troops"),
)
COUNT = Form("COUNT", one(whole(says("the number of commanders"))), _COUNT, "1", ref("count"))
STRUCTURES = Form(
    "STRUCTURES",
    each(_structure, says("a list of structures, such as [fortification]")),
    listed(any_ref("written structure")),
    "[fortification]",
    ref("structures"),
)
WISH = Form("WISH", _wish, _ANSWER, "yes", ref("answer"))
NAME = Form("NAME", _named, _NAME, "The Old Guard", ref("name"))
RETREAT_LEVEL = Form(
    "RETREAT_LEVEL",
    one(
        lambda reader, node, clause: reader.whole(
            node, says("the retreat level"), 1, reader.rules.units.ranks, clause
        )
    ),
    lambda rules: whole_number(1, rules.units.ranks),
    "3",
    ref("retreat level"),
)
OWN_UNIT = Form("OWN_UNIT", _followed, or_none(any_ref("own unit")), "$maker", or_none(ref("own unit")))
COMMANDER = Form("COMMANDER", _leader, {"type": ["string", "null"]}, "$leader", or_none(ref("commander")))
COMMANDERS = Form(
    "COMMANDERS",
    each(RealmReader.commander, COMMANDERS_EXPECTED),
    listed(_TEXT),
    "[$commander]",
    listed(ref("commander")),
)
ANSWER = Form("ANSWER", _answer, _ANSWER, "yes", ref("answer"))
RANKS = Form(
    "RANKS",
    pairs(
        RealmReader.troop,
        RealmReader.rank_counts,
        says("troop types with ranks, such as {Longbowmen: {4: 3}}"),
        lambda troop, counts: (
            f"{troop}: {', '.join(f'{count} in rank {rank}' for rank, count in counts.items())}"
        ),
    ),
    lambda rules: entries(_TROOP, entries({"pattern": f"^[1-{rules.units.ranks}]$"}, RANK_COUNT)),
    "{$troop: {1: 1, 2: 1}}",
    ref("ranks"),
)
PLAN = Form("PLAN", lambda reader, word, node: iter(()), listed(any_ref("plan entry")), "")
"""Read entry by entry, each of one of the forms below."""

_YES: Schema = either(
    {"enum": [None, True, "yes"]}, {"type": "string", "pattern": f"^{spelled('yes')}$|^{spelled('true')}$"}
)
NOTHING = Form("NOTHING", _nothing, _YES, "", _YES)
_HOLDS = either(_YES, whole_number(1, HOLD_LIMIT))
HOLDS = Form("HOLDS", _holds, _HOLDS, "", _HOLDS)
BARE = (NOTHING, HOLDS)  # the forms of words that need no value

TRANSFER = Form(
    "TRANSFER",
    read_transfer,
    either(
        transfer_mapping(
            _ANY_UNIT,
            or_in_words(entries(_TROOP, _COUNT), any_ref("all troops in words")),
            listed(_TEXT),
        ),
        any_ref("transfer in words"),
    ),
    "{to: $army, troops: {$troop: 1}}",
    either(
        transfer_mapping(
            described(ref("any unit"), "who receives"),
            ref("troops to transfer"),
            listed(ref("commander")),
        ),
        ref("transfer in words"),
    ),
)
REALM = Form("REALM", one(RealmReader.other_realm), _REALM, "$other", ref("written realm"))
ARMIES = Form(
    "ARMIES",
    _armies,
    either(listed(_ANY_UNIT), any_ref("armies in words")),
    "[$army]",
    either(listed_once(ref("any army")), ref("armies in words")),
)
PLACE = Form("PLACE", _one_place(RealmReader.place), any_ref("written place"), "$sea", ref("sail"))
PROVINCE = Form("PROVINCE", _one_place(RealmReader.province), _PROVINCE, "$next_province", ref("march"))
LANDINGS = Form(
    "LANDINGS",
    _landings,
    or_in_words(entries(_ANY_UNIT, _PROVINCE), any_ref("landings in words")),
    "{$army: $shore}",
    ref("landings"),
)
