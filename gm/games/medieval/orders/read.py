"""Order files into orders (O1-O9): bytes in, orders and findings out, whatever the bytes are."""

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
from gm.games.medieval.orders.phrases import without_preposition, word_first
from gm.games.medieval.orders.plans import PlanReading, for_whom, lacks_colon, made, warn_of_kind
from gm.games.medieval.orders.reader import UNIT_ID, RealmReader
from gm.games.medieval.orders.references import KIND_WORDS, Reference
from gm.games.medieval.orders.values import Word
from gm.games.medieval.state import World


class At(TypedDict, total=False):
    """The context of an order file: the ``world`` before the turn, and the head that it must have.

    These are ``game``, and where given ``realm``, ``turn`` and ``key``. ``late``: it came too late.
    """

    world: Required[World]
    rules: Required[Rules]
    atlas: Required[Atlas]
    game: Required[str]
    realm: str | None
    turn: int | None
    key: str | None
    late: bool


def read_orders(data: bytes, file: str, **at: Unpack[At]) -> OrderFile:
    """Return one order file with every order that was understood, and the findings by their place in it.

    ``file`` is its name in messages. There are no orders when the file is to be rejected whole (O7); an error
    that says why then comes first. Raises nothing, whatever the file holds.
    """
    root, parsed = parse(data, file)
    if root is None:
        return parsed
    world = at["world"]
    rules = at["rules"]
    reader = RealmReader(world, rules, at["atlas"], where_else("plan"))
    out = frozenset(code for code, realm in world.realms.items() if realm.defeated)
    addressed = Addressed(at["game"], at.get("realm"), at.get("turn"), at.get("key"), rules.votes, out)
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
    """Return the orders below the head of a file (O3, O4)."""
    top_words = {word: word for word in (*HEADER_WORDS, *TOP)}
    unknown = partial(reader.unknown_word, says("at the left margin"), top_words, where_else("top"))
    sections: dict[str, Node] = {word: value for _, word, value in reader.words(root, top_words, unknown)}
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
    headquarters = tuple(chain.from_iterable(made(reader, word, value) for _, word, value in words))
    ordered = _units(reader, units) if units is not None else UnitsOrders()
    return sheet.evolve(
        headquarters=headquarters, units=tuple(ordered.orders), plans=ordered.plans, cut=ordered.cut
    )


def _note_formed(reader: RealmReader, sections: Mapping) -> None:
    """Record the ids of units that the file forms, so that earlier orders may name them (F5, F6)."""
    for _, section in sections:
        if isinstance(section, Mapping):
            for key, value in section:
                word = word_of(key.text)
                if ALSO_UNIT.get(word, word) == "form" and isinstance(value, Mapping):
                    ids = (UNIT_ID.match(new.strip()) for new in value.entries)
                    reader.formed |= {f"{match[1][0].upper()}{int(match[2])}" for match in ids if match}


def _note_renames(reader: RealmReader, node: Node | None) -> None:
    """Record the commanders that the file renames before any order names one (F7).

    Both names are valid from then on.
    """
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
    """Return the lines of a section; one order without its colon is reported as such.

    None without a section, and, with a finding, for anything else.
    """
    if node is None:
        return None
    if isinstance(node, Scalar) and lacks_colon(reader, node, table):
        return None
    return reader.mapping(node, expected, clause)


def _is_plan(reader: RealmReader, unit: Reference, node: Node) -> bool:
    """Report a plan that stands below its unit without ``plan:``; return whether it is one."""
    first: Node = node
    value: Node | None = None
    if isinstance(node, Sequence) and node.items:
        first = node.items[0]
        if isinstance(first, Mapping) and len(first) == 1:
            first, value = next(iter(first))
    if not isinstance(first, Scalar):
        return False
    match = word_first(first.text, MEANT_IN_PLAN)
    if match is None:
        return False
    word, rest = match
    if value is not None:
        rest = value.text if isinstance(value, Scalar) else "..."
    elif word.form in (forms.PLACE, forms.PROVINCE):
        rest = without_preposition(rest)
    message = says("{0} belongs in a plan, and 'plan:' is missing above it", shown(first.text))
    example = f"plan: [{word.name}: {rest}]" if rest else f"plan: [{word.name}]"
    hint = says("write '{0}' below {1}", example, unit.label)
    reader.error(node, "order/no-plan", message, suggestion=hint, clause="O5")
    return True


class UnitsOrders:
    """The orders of a file to its units: ``cut`` as in :class:`Orders`."""

    def __init__(self) -> None:
        self.orders: list[UnitOrder] = []
        self.plans: dict[str, tuple[PlanEntry, ...]] = {}
        self.cut: dict[str, int] = {}

    def add_plan(self, unit: Reference, read: PlanReading) -> None:
        """Add a unit's plan."""
        self.plans[unit.ref] = tuple(read.entries)
        if read.understood is not None:
            self.cut[unit.ref] = read.understood


def _units(reader: RealmReader, node: Node) -> UnitsOrders:
    """Return the orders in the sections of units."""
    units = UnitsOrders()
    section = reader.mapping(node, says("units with their orders, each unit's below its id"), "O4")
    unknown = partial(reader.unknown_word, says("among a unit's orders"), UNIT, where_else("unit"))
    first: dict[str, Scalar] = {}
    for key, value in section or ():
        unit = reader.unit = _heading(reader, key, first)
        if unit is None:
            continue
        expected = says("the orders of {0}, one 'name: value' on each line", unit.label)
        if _is_plan(reader, unit, value):
            continue
        lines = _lines(reader, value, expected, MEANT_OF_UNIT, "O4")
        for word_key, word, ordered in (
            reader.words(lines, MEANT_OF_UNIT, unknown) if lines is not None else ()
        ):
            if unit.kind not in word.kinds:
                kind = KIND_WORDS[unit.kind][0]
                warn_of_kind(
                    reader, word_key, word, says("{0} is {1}; {2}", unit.label, kind, for_whom(word))
                )
            if word.form is forms.PLAN:
                units.add_plan(unit, PlanReading(reader, unit, ordered))
            else:
                units.orders += made(reader, word, ordered, unit.ref)
    return units


def _heading(reader: RealmReader, key: Scalar, first: dict[str, Scalar]) -> Reference | None:
    """Return the unit of a section; for a word of another section, report where it belongs.

    None, with a finding, for anything else. ``first``: earlier units.
    """
    place = where_else("units").get(word_of(key.text))
    if place is not None:
        message = says("{0} stands where a unit is expected", shown(key.text))
        reader.error(key, "sheet/wrong-section", message, suggestion=place[0], clause=place[1])
        return None
    unit = reader.own_unit(key, "O8")
    before = key if unit is None else first.setdefault(unit.now, key)
    if before is key:
        return unit
    pattern = "{0} is the same unit as {1} in line {2}: write its orders there"
    message = says(pattern, shown(key.text), shown(before.text), before.line)
    reader.error(key, "order/unit-twice", message, clause="O8")
    return None
