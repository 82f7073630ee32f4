"""The headquarters section (O3): a realm's dealings with others, its gold and its provinces."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gm.core.diagnostics import has_unprintable, shown
from gm.core.orders.reading import UnknownWord, word_of
from gm.core.yaml.source import Mapping, Node, Scalar
from gm.games.medieval.orders.grammar import HEADQUARTERS, Shape, Word, where_else
from gm.games.medieval.orders.model import Order, Proclamation, RenameCommander
from gm.games.medieval.orders.reading import Reading


def read_headquarters(reading: Reading, node: Node) -> Iterator[Order]:
    """The orders of the section, in file order; what cannot be understood is reported and left out."""
    reader = reading.reader
    section = reader.mapping(node, "the headquarters' orders, one 'name: value' on each line", "O3")
    if section is None:
        return
    unknown = UnknownWord(reader, "under 'headquarters:'", HEADQUARTERS, where_else("headquarters"))
    for _, word, value in reader.words(section, HEADQUARTERS, unknown):
        yield from _SHAPES[word.shape](reading, word, value)


def read_renames(reading: Reading, node: Node | None) -> None:
    """Note which commanders the section renames, before anything names one: both names are his from then on (F7)."""
    section = iter(node) if isinstance(node, Mapping) else ()
    renames = [value for key, value in section if word_of(key.text) == "rename_commander"]
    for key, value in (entry for each in renames if isinstance(each, Mapping) for entry in each):
        old = reading.commanders.find(key.text)
        if old is not None and isinstance(value, Scalar) and not _rename_problem(reading, old, value):
            reading.renamed.setdefault(old, " ".join(value.text.split()))


def _rename_problem(reading: Reading, old: str, value: Scalar) -> str:
    """Why a commander cannot get this name; empty if he can."""
    new = " ".join(value.text.split())
    if not new or value.is_null or len(new) > reading.rules.units.name_length:
        return "no name, or too long"
    if has_unprintable(new):
        return "an invisible character"
    holder = reading.commanders.find(new)
    if holder is not None and holder != old:
        return f"{shown(holder)} is another commander of yours"
    if any(name == new and other != old for other, name in reading.renamed.items()):
        return f"{shown(new)} is given to two commanders"
    return ""


def _once(reading: Reading, node: Node, name: str, seen: set[str]) -> bool:
    """Whether a name stands in its list for the first time; the second is reported and ignored."""
    if name in seen:
        reading.reader.warn(node, "order/named-twice", f"{shown(name)} stands in this list already: ignored")
        return False
    seen.add(name)
    return True


def _realms(reading: Reading, word: Word, node: Node) -> Iterator[Order]:
    assert word.order is not None  # noqa: S101 - every word of this section orders something
    seen: set[str] = set()
    for item in reading.reader.listed(node, "a list of realms, such as [FRA, AQU]", word.clause):
        code = reading.other_realm(item, word.clause)
        if code is not None and _once(reading, item, code, seen):
            yield word.order(reading.written(item, f"{word.name}: {code}"), code)  # type: ignore[call-arg]


def _provinces(reading: Reading, word: Word, node: Node) -> Iterator[Order]:
    assert word.order is not None  # noqa: S101
    seen: set[str] = set()
    for item in reading.reader.listed(node, "a list of provinces, such as [London, Kent]", word.clause):
        name = reading.province(item, word.clause)
        if name is not None and _once(reading, item, name, seen):
            yield word.order(reading.written(item, f"{word.name}: {name}"), name)  # type: ignore[call-arg]


def _by_province(reading: Reading, word: Word, node: Node, what: str) -> Iterator[tuple[str, Scalar, Node]]:
    """(province, its node, value) of a mapping whose keys are provinces."""
    mapping = reading.reader.mapping(node, what, word.clause)
    first: dict[str, Scalar] = {}
    for key, value in mapping or ():
        province = reading.province(key, word.clause)
        if province is None:
            continue
        if province in first:
            reading.reader.twice(key, first[province])
            continue
        first[province] = key
        yield province, key, value


def _permissions(reading: Reading, word: Word, node: Node) -> Iterator[Order]:
    assert word.order is not None  # noqa: S101
    for province, _, value in _by_province(reading, word, node, "provinces with realms, such as {London: [AQU]}"):
        seen: set[str] = set()
        for item in reading.reader.listed(value, "a list of realms, such as [AQU]", word.clause):
            code = reading.other_realm(item, word.clause)
            if code is not None and _once(reading, item, code, seen):
                text = f"{word.name}: {province} to {code}"
                yield word.order(reading.written(item, text), province, code)  # type: ignore[call-arg]


def _gifts(reading: Reading, word: Word, node: Node) -> Iterator[Order]:
    assert word.order is not None  # noqa: S101
    for province, key, value in _by_province(reading, word, node, "provinces with a realm each, such as {London: AQU}"):
        code = reading.other_realm(value, word.clause)
        if code is not None:
            text = f"{word.name}: {province} to {code}"
            yield word.order(reading.written(key, text), province, code)  # type: ignore[call-arg]


def _payments(reading: Reading, word: Word, node: Node) -> Iterator[Order]:
    assert word.order is not None  # noqa: S101
    mapping = reading.reader.mapping(node, "realms with sums of gold, such as {AQU: 12}", word.clause)
    first: dict[str, Scalar] = {}
    for key, value in mapping or ():
        code = reading.realm_named(key, word.clause)
        amount = reading.reader.gold(value, "the sum", word.clause)
        if code is None or amount is None:
            continue
        if code in first:
            reading.reader.twice(key, first[code])
            continue
        first[code] = key
        if code == reading.realm:
            message = "gold sent to a garrison of your own stays in your treasury: only the fee is lost"
            reading.reader.warn(key, "order/gold-to-yourself", message, clause=word.clause)
        yield word.order(reading.written(key, f"{word.name}: {code} {amount}"), code, amount)  # type: ignore[call-arg]


def _proclamation(reading: Reading, word: Word, node: Node) -> Iterator[Order]:
    if isinstance(node, Scalar) and node.is_null:
        return
    limit = reading.rules.economy.proclamation_length
    text = reading.reader.text(node, "the proclamation", limit, word.clause, one_line=False)
    if text is not None:
        yield Proclamation(reading.written(node, f"{word.name}: {shown(text)}"), text)


def _renames(reading: Reading, word: Word, node: Node) -> Iterator[Order]:
    reader = reading.reader
    mapping = reader.mapping(
        node, "commanders with their new names, such as {Sir John: Sir John the Bold}", word.clause
    )
    first: dict[str, Scalar] = {}
    for key, value in mapping or ():
        old = reader.name(key, reading.commanders, "order/unknown-commander", word.clause)
        new = reader.text(value, "the new name", reading.rules.units.name_length, word.clause)
        if old is None or new is None or not isinstance(value, Scalar):
            continue
        problem = _rename_problem(reading, old, value)
        if problem:
            reader.error(value, "order/name-taken", problem, clause=word.clause)
            continue
        if old in first:
            reader.twice(key, first[old])
            continue
        first[old] = key
        yield RenameCommander(reading.written(key, f"{word.name}: {old} to {new}"), old, new)


_SHAPES: dict[Shape, Callable[[Reading, Word, Node], Iterator[Order]]] = {
    Shape.REALMS: _realms,
    Shape.PROVINCES: _provinces,
    Shape.PERMISSIONS: _permissions,
    Shape.GIFTS: _gifts,
    Shape.PAYMENTS: _payments,
    Shape.PROCLAMATION: _proclamation,
    Shape.RENAMES: _renames,
}
