"""The reading of order files (O1-O9): their bytes become orders and findings."""

from collections.abc import Mapping as Table
from functools import partial
from itertools import chain
from typing import Required, TypedDict, Unpack

from gm.core.diagnostics import Message, SourceError, says, shown
from gm.core.orders.header import HEADER_WORDS, Addressed, OrderFile, parse, read_header
from gm.core.orders.reading import word_of
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.also_words import ALSO_UNIT
from gm.games.medieval.orders.grammar import (
    FORMAT,
    HEADQUARTERS,
    MEANT_IN_HEADQUARTERS,
    MEANT_IN_PLAN,
    MEANT_OF_UNIT,
    TOP,
    UNIT,
    where_else,
)
from gm.games.medieval.orders.model import Orders, PlanEntry, UnitOrder
from gm.games.medieval.orders.names import KIND_WORDS, Reference
from gm.games.medieval.orders.phrases import without_preposition, word_first
from gm.games.medieval.orders.plans import PlanReading, for_whom, lacks_colon, orders_in, warn_of_kind
from gm.games.medieval.orders.reader import UNIT_ID, RealmReader
from gm.games.medieval.orders.values import Word
from gm.games.medieval.state import World


class At(TypedDict, total=False):
    """The context of an order file: the position, and the head that it must have."""

    world: Required[World]  # before the turn
    rules: Required[Rules]
    atlas: Required[Atlas]
    game: Required[str]
    # the values of the head; None: any
    realm: str | None
    turn: int | None
    key: str | None
    late: bool  # whether it came after the deadline


def read_orders(data: bytes, file: str, **at: Unpack[At]) -> OrderFile:
    """Return one order file with every order that was understood, and the findings by their place in it.

    ``file`` is its name in messages; ``at``: the position, and the head that the file must have. The result's
    ``sheet`` is None when the file is to be rejected whole (O7); an error that says why is then the first
    finding. Raises nothing, whatever the file holds.
    """
    root, parsed = parse(data, file)
    if root is None:
        return parsed
    world = at["world"]
    rules = at["rules"]
    reader = RealmReader(world, rules, at["atlas"], where_else("plan"))
    defeated = frozenset(code for code, realm in world.realms.items() if realm.defeated)
    addressed = Addressed(at["game"], at.get("realm"), at.get("turn"), at.get("key"), rules.votes, defeated)
    try:
        reader.add(repeated.evolve(clause="O7") for repeated in parsed.diagnostics)
        head = read_header(reader, root, parsed, version=FORMAT, realms=reader.realms, to=addressed)
        if head is None or not isinstance(root, Mapping):
            return parsed.set_aside(*reader.by_place())
        reader.realm = head.realm
        orders = _body(reader, root, Orders(head.realm, head.turn, late=at.get("late", False)))
    except SourceError as error:
        return parsed.set_aside(*error.diagnostics, *reader.by_place())
    if reader.orders == 0 and any(finding.is_error for finding in reader.diagnostics):
        message = says("no order in this file was understood: the whole file is rejected")
        nothing = root.diagnostic("sheet/nothing-understood", message, clause="O7")
        return parsed.set_aside(nothing, *reader.by_place())
    return head.evolve(sheet=orders, diagnostics=tuple(reader.by_place()))


def _body(reader: RealmReader, root: Mapping, sheet: Orders) -> Orders:
    """Return ``sheet`` with the orders below the head of a file (O3, O4)."""
    top_words = {word: word for word in (*HEADER_WORDS, *TOP)}
    unknown = partial(reader.unknown_word, says("at the left margin"), top_words, where_else("top"))
    sections: dict[str, Node] = {word: value for _, word, value in reader.words(root, top_words, unknown)}
    # new names and new units first: orders above the line that makes them may use them
    _note_renames(reader, sections.get("headquarters"))
    units = sections.get("units")
    if isinstance(units, Mapping):
        _note_formed(reader, units)
    expected = says("the headquarters' orders, one 'name: value' on each line")
    section = _lines(reader, sections.get("headquarters"), expected, MEANT_IN_HEADQUARTERS, "O3")
    unknown = partial(
        reader.unknown_word, says("under 'headquarters:'"), HEADQUARTERS, where_else("headquarters")
    )
    words = reader.words(section, MEANT_IN_HEADQUARTERS, unknown) if section is not None else ()
    headquarters = tuple(chain.from_iterable(orders_in(reader, word, value) for _, word, value in words))
    unit_orders = _units(reader, units) if units is not None else UnitsOrders()
    return sheet.evolve(
        headquarters=headquarters,
        units=tuple(unit_orders.orders),
        plans=unit_orders.plans,
        cut=unit_orders.cut,
    )


def _note_formed(reader: RealmReader, sections: Mapping) -> None:
    """Record the ids of units that the file forms, so that earlier orders may name them (F5, F6)."""
    for _, section in sections:
        if isinstance(section, Mapping):
            for key, value in section:
                word = word_of(key.text)
                if ALSO_UNIT.get(word, word) == "form" and isinstance(value, Mapping):
                    matches = (UNIT_ID.match(new_id.strip()) for new_id in value.entries)
                    reader.formed |= {
                        f"{match['kind'][0].upper()}{int(match['number'])}" for match in matches if match
                    }


def _note_renames(reader: RealmReader, node: Node | None) -> None:
    """Record the commanders that the file renames: orders may use the old and the new name (F7)."""
    section = iter(node) if isinstance(node, Mapping) else ()
    renames = [
        value for key, value in section if word_of(key.text) in ("rename_commander", "rename_commanders")
    ]
    for key, value in chain.from_iterable(section for section in renames if isinstance(section, Mapping)):
        old = reader.commanders.find(key.text)
        if old is not None and isinstance(value, Scalar) and not reader.rename_problem(old, value):
            reader.renamed.setdefault(old, " ".join(value.text.split()))


def _lines(
    reader: RealmReader, node: Node | None, expected: Message, table: Table[str, Word], clause: str
) -> Mapping | None:
    """Return the lines of a section; None if there is no section or, with a finding, if it is no mapping.

    ``table``: the words of the section, to report an order whose colon is missing as such.
    """
    if node is None:
        return None
    if isinstance(node, Scalar) and lacks_colon(reader, node, table):
        return None
    return reader.mapping(node, expected, clause)


def _is_plan(reader: RealmReader, unit: Reference, node: Node) -> bool:
    """Return whether a plan is right below its unit, without ``plan:``; if so, report that."""
    entry: Node = node
    value: Node | None = None
    if isinstance(node, Sequence) and node.items:
        entry = node.items[0]
        if isinstance(entry, Mapping) and len(entry) == 1:
            ((entry, value),) = entry  # the key and value of its one line
    if not isinstance(entry, Scalar):
        return False
    match = word_first(entry.text, MEANT_IN_PLAN)
    if match is None:
        return False
    word, rest = match
    if value is not None:
        rest = value.text if isinstance(value, Scalar) else "..."
    elif word.form in (forms.PLACE, forms.PROVINCE):
        rest = without_preposition(rest)
    message = says("{0} belongs in a plan, and 'plan:' is missing above it", shown(entry.text))
    example = f"plan: [{word.name}: {rest}]" if rest else f"plan: [{word.name}]"
    hint = says("write '{0}' below {1}", example, unit.label)
    reader.error(node, "order/no-plan", message, suggestion=hint, clause="O5")
    return True


class UnitsOrders:
    """The orders of a file to its units; for ``plans`` and ``cut`` see :class:`Orders`."""

    def __init__(self) -> None:
        """Begin without orders."""
        self.orders: list[UnitOrder] = []
        self.plans: dict[str, tuple[PlanEntry, ...]] = {}  # by the unit's reference
        # by the reference of a unit with a faulty plan: how many entries come before the first one that was
        # not understood
        self.cut: dict[str, int] = {}

    def add_plan(self, unit: Reference, read: PlanReading) -> None:
        """Add a unit's plan; if not all was understood, also how many entries come before the first fault."""
        self.plans[unit.ref] = tuple(read.entries)
        if read.understood is not None:
            self.cut[unit.ref] = read.understood


def _units(reader: RealmReader, node: Node) -> UnitsOrders:
    """Return the orders in the sections of units."""
    units = UnitsOrders()
    section = reader.mapping(node, says("units with their orders, each unit's below its id"), "O4")
    unknown = partial(reader.unknown_word, says("among a unit's orders"), UNIT, where_else("unit"))
    key_of_unit: dict[str, Scalar] = {}
    for key, value in section or ():
        unit = _heading(reader, key, key_of_unit)
        reader.unit = unit
        if unit is None:
            continue
        expected = says("the orders of {0}, one 'name: value' on each line", unit.label)
        if _is_plan(reader, unit, value):
            continue
        lines = _lines(reader, value, expected, MEANT_OF_UNIT, "O4")
        if lines is None:
            continue
        for word_key, word, word_value in reader.words(lines, MEANT_OF_UNIT, unknown):
            if unit.kind not in word.kinds:
                kind = KIND_WORDS[unit.kind][0]
                message = says("{0} is {1}; {2}", unit.label, kind, for_whom(word))
                warn_of_kind(reader, word_key, word, message)
            if word.form is forms.PLAN:
                units.add_plan(unit, PlanReading(reader, unit, word_value))
            else:
                units.orders += orders_in(reader, word, word_value, unit.ref)
    return units


def _heading(reader: RealmReader, key: Scalar, key_of_unit: dict[str, Scalar]) -> Reference | None:
    """Return the unit that a heading names, and add it to ``key_of_unit``, the headings of units so far.

    None, with a finding, for a word of another section, an unknown unit, or one that has a heading already.
    """
    where_it_belongs = where_else("units").get(word_of(key.text))
    if where_it_belongs is not None:
        hint, clause = where_it_belongs
        message = says("{0} stands where a unit is expected", shown(key.text))
        reader.error(key, "sheet/wrong-section", message, suggestion=hint, clause=clause)
        return None
    unit = reader.own_unit(key, "O8")
    if unit is None:
        return None
    first_key = key_of_unit.setdefault(unit.now, key)
    if first_key is key:
        return unit
    pattern = "{0} is the same unit as {1} in line {2}: write its orders there"
    message = says(pattern, shown(key.text), shown(first_key.text), first_key.line)
    reader.error(key, "order/unit-twice", message, clause="O8")
    return None
