"""The plan of a unit (O5), read entry by entry, and the orders in the value of a word such as ``march``."""

from collections.abc import Iterator
from collections.abc import Mapping as Table
from functools import reduce
from typing import Any

from gm.core.diagnostics import Message, says, shown
from gm.core.orders.reading import word_of
from gm.core.yaml.source import Mapping, Node, Scalar, has_repeated
from gm.games.medieval.orders import forms, model
from gm.games.medieval.orders.also_words import ATTACKS, MOVES
from gm.games.medieval.orders.grammar import (
    MEANT_IN_PLAN,
    MEANT_OF_UNIT,
    PLAN,
    meant_in_plan,
    where_else,
)
from gm.games.medieval.orders.model import PlanEntry
from gm.games.medieval.orders.names import KIND_WORDS, Reference
from gm.games.medieval.orders.phrases import phase_of, times_of, with_text, without_preposition, word_first
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.values import Word


def orders_in(
    reader: RealmReader, word: Word, value: Node, *unit: str, at: Node | None = None
) -> Iterator[Any]:
    """Yield the orders in the value of a word such as ``march``, and count them.

    ``unit``: the reference of the unit for a unit's orders, which have it as a field; ``at``: where in the
    file all of them are, by default where each is.
    """
    label = f"{reader.unit.label} " if reader.unit else ""
    for node, text, fields in word.form.read(reader, word, value):
        line = f"{label}{word.name}: {text}" if text else f"{label}{word.name}"
        assert word.order is not None  # noqa: S101 - only the plan has no class, and it is read entry by entry
        yield word.order(reader.written(at or node, line), *unit, *fields)


def warn_of_kind(reader: RealmReader, key: Node, word: Word, message: Message) -> None:
    """Warn of a word that is for another kind of unit."""
    reader.warn(key, "order/wrong-kind", message, clause=word.clause)


def for_whom(word: Word) -> Message:
    """Return a message on the kinds of units that a word of order files is for: ``'sail' is for fleets``."""
    kinds = (KIND_WORDS[kind][1] for kind in word.kinds)
    return says("'{0}' is for {1}", word.name, reduce(_joined, kinds))


def _joined(first: str, second: str) -> Message:
    """Return two words joined by "and"."""
    return says("{0} and {1}", first, second)


_VALUES = {
    "transfer": "{to: A12, troops: {Longbowmen: 3}}",
    "board": "AQU",
    "load": "[A12]",
    "sail": "North Sea",
    "unload": "{A12: Kent}",
    "march": "London",
}
"""Examples of the values of a plan's words, for words that need one."""


class PlanReading:
    """Reads a unit's plan in an order file, entry by entry."""

    def __init__(self, reader: RealmReader, unit: Reference, node: Node) -> None:
        """Read the plan, entry by entry."""
        self.entries: list[PlanEntry] = []
        # how many entries come before the first one that was not understood, after which the unit does not
        # move (O5.1); None: all were understood
        self.understood: int | None = None
        self._reader = reader
        self._unit = unit
        if isinstance(node, Mapping):
            message = says(
                "a plan is a list: each order of {0} on a line of its own that begins with '- '", unit.label
            )
            reader.error(node, "order/plan-is-a-list", message, clause="O5")
            return
        for item in reader.listed(node, says("a list of orders"), "O5"):
            self._read(item)

    def _read(self, item: Node) -> None:
        """Read one entry, and record the first that has an error."""
        entries_before = len(self.entries)
        findings_before = len(self._reader.diagnostics)
        is_repeated = has_repeated(item)  # which has been reported with the file
        if not is_repeated:
            self.entries += self._orders(item)
        has_errors = any(finding.is_error for finding in self._reader.diagnostics[findings_before:])
        if self.understood is None and (has_errors or is_repeated):
            self.understood = entries_before

    def _orders(self, item: Node) -> Iterator[PlanEntry]:
        """Yield the orders of one entry; none, with a finding, if it is not understood.

        What is only for another kind of unit gets a warning.
        """
        reader = self._reader
        unit = self._unit
        entry = self._entry(item)
        if entry is None:
            return
        key, word, value = entry
        if unit.kind not in word.kinds:
            warn_of_kind(reader, key, word, says("{0}, not for {1}", for_whom(word), unit.label))
        if value is not None:
            yield from orders_in(reader, word, value, at=key)
        elif word.order is not None:
            yield word.order(reader.written(key, f"{unit.label} {word.name}"))

    def _is_explained(self, key: Scalar) -> bool:
        """Return whether an entry's text is a well-known mistake, and report it as such."""
        if self._is_of_other_phase(key) or self._moves_without_colon(key):
            return True
        return lacks_colon(self._reader, key, MEANT_IN_PLAN) or self._is_of_unit(key) or self._is_attack(key)

    def _entry(self, item: Node) -> tuple[Scalar, Word, Node | None] | None:
        """Return (key, word, value) of one entry: ``march: Kent``, or ``hold`` without a value.

        None, with a finding, for anything else.
        """
        reader = self._reader
        parts = self._parts(item)
        if parts is None:
            return None
        key, value = parts
        name = key.text if key.text in PLAN else word_of(key.text)
        word = self._meant_word(name)
        if word is None and value is None:
            hold_phrase = self._hold_phrase(key)
            if hold_phrase is not None:
                return key, PLAN["hold"], hold_phrase
            if self._is_explained(key):
                return None
        if word is None:
            reader.unknown_word(says("in a plan"), PLAN, where_else("plan"), key, name)
            return None
        if value is None and word.form not in forms.BARE:
            message = says("'{0}' needs to be told what: '{0}: ...'", word.name)
            hint = says("such as '{0}'", f"{word.name}: {_VALUES[word.name]}")
            reader.error(key, "order/needs-value", message, suggestion=hint, clause=word.clause)
            return None
        return key, word, value

    def _parts(self, item: Node) -> tuple[Scalar, Node | None] | None:
        """Return the texts before and after the colon of one entry; None when it is not one order."""
        reader = self._reader
        if isinstance(item, Mapping):
            if len(item) != 1:
                message = says("one entry of a plan holds one order: begin each with '- '")
                reader.error(item, "order/one-per-entry", message, clause="O5")
                return None
            return next(iter(item))
        if isinstance(item, Scalar) and not item.is_null:
            return item, None
        reader.expected(item, says("an order of the plan, such as 'march: London'"), clause="O5")
        return None

    def _meant_word(self, name: str) -> Word | None:
        """Return the word that a name in the unit's plan means; None for an unknown one."""
        return meant_in_plan(self._unit.kind).get(name)

    def _moves_without_colon(self, key: Scalar) -> bool:
        """Return whether an entry is a move such as ``go Kent`` without its colon, and report it."""
        move = self._meant_word("move")
        return move is not None and lacks_colon(self._reader, key, dict.fromkeys(MOVES, move))

    def _is_of_unit(self, key: Scalar) -> bool:
        """Return whether an entry is an order to the unit, such as ``retreat level 3``, and report it."""
        match = word_first(key.text, MEANT_OF_UNIT)
        if match is None or not match[1]:
            return False
        word, rest = match
        message = says("{0} does not belong {1}", shown(key.text), says("in a plan"))
        hint = says("write '{0}' under 'units:', below the unit that is to do it", f"{word.name}: {rest}")
        self._reader.error(key, "sheet/wrong-section", message, suggestion=hint, clause=word.clause)
        return True

    def _is_attack(self, key: Scalar) -> bool:
        """Return whether an entry is ``attack Kent`` or a place alone, and report it with the right order.

        That is ``march``, or ``sail`` for a fleet. False for a unit that does neither.
        """
        reader = self._reader
        match = word_first(key.text, dict.fromkeys(ATTACKS, ""))
        place = reader.places.find(without_preposition(match[1] if match else key.text))
        move = self._meant_word("move")
        if place is None or move is None or move.name not in ("march", "sail"):
            return False
        message = says("{0} is not allowed {1}", shown(key.text), says("in a plan"))
        hint = says("to go there, and to fight whoever is in the way, write '{0}'", f"{move.name}: {place}")
        reader.error(key, "sheet/unknown-word", message, suggestion=hint, clause=move.clause)
        return True

    def _hold_phrase(self, key: Scalar) -> Scalar | None:
        """Return a node with the number of holds in ``hold position on phase 1`` or ``hold for two phases``.

        The phase must be that of the entry. None for other texts.
        """
        match = word_first(key.text, MEANT_IN_PLAN)
        if match is None or match[0].name != "hold":
            return None
        times = times_of(match[1])
        if times is None and phase_of(match[1]) == self._phase():
            times = 1
        return None if times is None else with_text(key, str(times))

    def _is_of_other_phase(self, key: Scalar) -> bool:
        """Return whether an entry is ``hold on phase 1`` although it is for another phase, and report it."""
        match = word_first(key.text, MEANT_IN_PLAN)
        if match is None or match[0].name != "hold" or phase_of(match[1]) is None:
            return False
        # a hold on the phase of the entry itself has been understood before (:meth:`_hold_phrase`)
        pattern = (
            "{0} stands where phase {1} is: a plan has a march, sail or hold for each phase, in their order"
        )
        message = says(pattern, shown(key.text), self._phase())
        hint = says("write 'hold' for that phase")
        self._reader.error(key, "order/other-phase", message, suggestion=hint, clause="O5.1")
        return True

    def _phase(self) -> int:
        """Return the phase in which the next move or hold of the plan is done."""
        return 1 + sum(isinstance(entry, (model.March, model.Sail, model.Hold)) for entry in self.entries)


def lacks_colon(reader: RealmReader, key: Scalar, table: Table[str, Word]) -> bool:
    """Return whether a text is an order without its colon, such as ``march Kiev``, and report it.

    ``table``: the words of the section. The hint is the first error in the order's value, if there is any.
    """
    match = word_first(key.text, table)
    if key.is_null or match is None or not match[1] or match[0].order is None:
        return False
    word, rest = match
    if word.form in (forms.PLACE, forms.PROVINCE):
        rest = without_preposition(rest)
    # the value is read for its errors alone, which are told in the hint
    findings_before = len(reader.diagnostics)
    list(word.form.read(reader, word, with_text(key, rest)))
    error = next((finding for finding in reader.diagnostics[findings_before:] if finding.is_error), None)
    del reader.diagnostics[findings_before:]
    message = says("a colon is missing: {0}", shown(f"{word.name}: {rest}"))
    hint = ""
    if error is not None:
        hint = says("{0}; {1}", error.message, error.suggestion) if error.suggestion else error.message
    reader.error(key, "order/no-colon", message, suggestion=hint, clause=word.clause)
    return True
