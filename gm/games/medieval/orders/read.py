"""Order files into orders (O1-O9): bytes in, orders and findings out, whatever the bytes are."""

from collections.abc import Iterator
from functools import partial, reduce
from typing import Any, Required, TypedDict, Unpack

from gm.core.diagnostics import Diagnostic, Message, SourceError, says, shown
from gm.core.orders.header import HEADER_WORDS, Addressed, Header, read_header
from gm.core.orders.reading import Unknown, word_of
from gm.core.yaml.source import Mapping, Node, Scalar, read_yaml
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, PLAN, TOP, UNIT, where_else
from gm.games.medieval.orders.model import Orders, PlanEntry, UnitOrder
from gm.games.medieval.orders.reader import KIND_WORDS, RealmReader, Reference
from gm.games.medieval.orders.values import Word
from gm.games.medieval.state import World


class At(TypedDict, total=False):
    """What an order file is read against: the ``world`` before the turn, and what its head must say: ``game``, and
    where given ``realm``, ``turn`` and ``key``. ``late``: it came too late."""

    world: Required[World]
    rules: Required[Rules]
    atlas: Required[Atlas]
    game: Required[str]
    realm: str | None
    turn: int | None
    key: str | None
    late: bool


def read_sheet(data: bytes, file: str, **at: Unpack[At]) -> tuple[Orders | None, list[Diagnostic]]:
    """One order file; ``file`` is its name in messages. Returns every order that was understood, and the findings by
    their place in the file. The orders are None when the file is to be set aside whole (O7); an error that says why
    then comes first. Never raises for what the file holds."""
    try:
        root = read_yaml(data, file)
    except SourceError as error:
        return None, list(error.diagnostics)
    world, rules = at["world"], at["rules"]
    reader = RealmReader(world, rules, at["atlas"], where_else("plan"))
    out = frozenset(code for code, each in world.realms.items() if each.defeated)
    addressed = Addressed(at["game"], at.get("realm"), at.get("turn"), at.get("key"), rules.votes, out)
    try:
        header = read_header(reader, root, version=FORMAT, realms=reader.realms, to=addressed)
        if header is None or not isinstance(root, Mapping):
            return None, reader.by_place()
        orders = _body(reader, root, header, at.get("late", False))
    except SourceError as error:
        return None, [*error.diagnostics, *reader.by_place()]
    if reader.orders == 0 and any(each.is_error for each in reader.diagnostics):
        message = says("not one order of this file was understood: it is set aside as a whole")
        return None, [root.diagnostic("sheet/nothing-understood", message, clause="O7"), *reader.by_place()]
    return orders, reader.by_place()


def _body(reader: RealmReader, root: Mapping, header: Header, late: bool) -> Orders:
    reader.realm = header.realm
    known = {word: word for word in (*HEADER_WORDS, *TOP)}
    unknown = partial(reader.unknown_word, says("at the left margin"), known, where_else("top"))
    sections: dict[str, Node] = {word: value for _, word, value in reader.words(root, known, unknown)}
    _note_renames(reader, sections.get("headquarters"))
    units = sections.get("units")
    if isinstance(units, Mapping):
        reader.scan_formed(units)
    expected = says("the headquarters' orders, one 'name: value' on each line")
    section = reader.mapping(sections["headquarters"], expected, "O3") if "headquarters" in sections else None
    unknown = partial(reader.unknown_word, says("under 'headquarters:'"), HEADQUARTERS, where_else("headquarters"))
    words = reader.words(section, HEADQUARTERS, unknown) if section is not None else ()
    headquarters = tuple(order for _, word, value in words for order in _made(reader, word, value))
    orders, plans = _units(reader, units) if units is not None else ([], {})
    where = (header.realm, header.turn, header.key)
    found = Orders(*where, headquarters, tuple(orders), plans, late=late, standing=header.standing)
    return found.evolve(ready=header.ready, press=header.press, vote=header.vote)


def _made(reader: RealmReader, word: Word, value: Node, *first: str, at: Node | None = None) -> Iterator[Any]:
    """The orders in a value, counted. ``first``: the unit of a unit's orders; ``at``: where, if not where each is."""
    whose = f"{reader.unit.label} " if reader.unit else ""
    for node, text, fields in word.form.read(reader, word, value):
        line = f"{whose}{word.name}: {text}" if text else f"{whose}{word.name}"
        assert word.order is not None  # noqa: S101 - only the plan has no class, and it is read entry by entry
        yield word.order(reader.written(at or node, line), *first, *fields)


def _note_renames(reader: RealmReader, node: Node | None) -> None:
    """Note which commanders the file renames before anything names one: both names are his from then on (F7)."""
    section = iter(node) if isinstance(node, Mapping) else ()
    renames = [value for key, value in section if word_of(key.text) == "rename_commander"]
    for key, value in (entry for each in renames if isinstance(each, Mapping) for entry in each):
        old = reader.commanders.find(key.text)
        if old is not None and isinstance(value, Scalar) and not reader.rename_problem(old, value):
            reader.renamed.setdefault(old, " ".join(value.text.split()))


def _units(reader: RealmReader, node: Node) -> tuple[list[UnitOrder], dict[str, tuple[PlanEntry, ...]]]:
    orders: list[UnitOrder] = []
    plans: dict[str, tuple[PlanEntry, ...]] = {}
    section = reader.mapping(node, says("units with their orders, each unit's below its id"), "O4")
    unknown = partial(reader.unknown_word, says("among a unit's orders"), UNIT, where_else("unit"))
    first: dict[str, Scalar] = {}
    for key, value in section or ():
        unit = reader.unit = _heading(reader, key, first)
        if unit is None:
            continue
        lines = reader.mapping(value, says("the orders of {0}, one 'name: value' on each line", unit.label), "O4")
        for word_key, word, ordered in reader.words(lines, UNIT, unknown) if lines is not None else ():
            if unit.kind not in word.kinds:
                kind, for_whom = KIND_WORDS[unit.kind][0], _is_for(word)
                message = says("{0} is {1}; {2}", unit.label, kind, for_whom)
                reader.warn(word_key, "order/wrong-kind", message, clause=word.clause)
            if word.form is forms.PLAN:
                plans[unit.ref] = tuple(_plan(reader, unit, ordered))
            else:
                orders += _made(reader, word, ordered, unit.ref)
    return orders, plans


def _is_for(word: Word) -> Message:
    kinds = (KIND_WORDS[kind][1] for kind in word.kinds)
    return says("'{0}' is for {1}", word.name, reduce(_both, kinds))


def _both(first: str, second: str) -> Message:
    return says("{0} and {1}", first, second)


def _heading(reader: RealmReader, key: Scalar, first: dict[str, Scalar]) -> Reference | None:
    """The unit that a section is for; a word of another section is told where it belongs. ``first``: earlier units."""
    place = where_else("units").get(word_of(key.text))
    if place is not None:
        message = says("{0} stands where a unit is expected", shown(key.text))
        reader.error(key, "sheet/wrong-section", message, suggestion=place[0], clause=place[1])
        return None
    unit = reader.own_unit(key, "O8")
    before = key if unit is None else first.setdefault(unit.now, key)
    if before is key:
        return unit
    if key.text == before.text:
        reader.twice(key, before)
    else:
        pattern = "{0} is the same unit as {1} in line {2}: write its orders there"
        message = says(pattern, shown(key.text), shown(before.text), before.line)
        reader.error(key, "order/unit-twice", message, clause="O8")
    return None


def _plan(reader: RealmReader, unit: Reference, node: Node) -> Iterator[PlanEntry]:
    if isinstance(node, Mapping):
        message = says("a plan is a list: each order of {0} on a line of its own that begins with '- '", unit.label)
        reader.error(node, "order/plan-is-a-list", message, clause="O5")
        return
    unknown = partial(reader.unknown_word, says("in a plan"), PLAN, where_else("plan"))
    for item in reader.listed(node, says("a list of orders"), "O5"):
        found = _entry(reader, item, unknown)
        if found is None:
            continue
        key, word, value = found
        if unit.kind not in word.kinds:
            message = says("{0}, not for {1}", _is_for(word), unit.label)
            reader.warn(key, "order/wrong-kind", message, clause=word.clause)
        if value is not None:
            yield from _made(reader, word, value, at=key)
        elif word.order is not None:
            yield word.order(reader.written(key, f"{unit.label} {word.name}"))


def _entry(reader: RealmReader, item: Node, unknown: Unknown) -> tuple[Scalar, Word, Node | None] | None:
    """(key, word, value) of one entry: ``march: Kent``, or ``hold`` without a value."""
    if isinstance(item, Mapping):
        if len(item) != 1:
            message = says("one entry of a plan holds one order: begin each with '- '")
            reader.error(item, "order/one-per-entry", message, clause="O5")
            return None
        key, value = next(iter(item))
    elif isinstance(item, Scalar) and not item.is_null:
        key, value = item, None
    else:
        reader.expected(item, says("an order of the plan, such as 'march: London'"), clause="O5")
        return None
    name = key.text if key.text in PLAN else word_of(key.text)
    word = PLAN.get(name)
    if word is None:
        unknown(key, name)
        return None
    if value is None and word.form is not forms.NOTHING:
        message = says("'{0}' needs to be told what: '{0}: ...'", word.name)
        reader.error(key, "order/needs-value", message, clause=word.clause)
        return None
    return key, word, value
