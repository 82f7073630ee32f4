"""Events and refusals in plain words. The words are data (templates/medieval/sentences, rules/medieval/reasons).

A sentence's braces are filled from an event's fields only; whatever a player wrote is an argument, never a pattern, so
it cannot reach into the program. The result is plain text: the page that shows it escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from decimal import Decimal
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

from gm.games.medieval.state import INDEPENDENTS, Unit, World
from gm.kernel.diagnostics import printable
from gm.kernel.events import Event
from gm.kernel.reports import capitalised, figure, gold, listed
from gm.kernel.tables import load_data
from gm.resources import resource

Sentence: TypeAlias = "str | Mapping[str, Sentence]"

FREE_TEXT = frozenset(
    {"name", "text", "title", "old_name", "new_name", "commander", "commanders", "leader", "contact", "words"}
)
"""Fields that hold what a player wrote: never taken for a realm's code or a unit's key."""

_UNIT_ID = re.compile(r"[AFG]\d{1,5}")
_UNIT_KEY = re.compile(r"([A-Z]{3})/([AFG]\d{1,5})")


@cache
def load_sentences() -> Mapping[str, Sentence]:
    """Every sentence by event class. Raises ``ValueError`` for a class that two files describe."""
    found: dict[str, Sentence] = {}
    for path in sorted(resource("templates", "medieval", "sentences").glob("*.yaml")):
        data, _ = load_data(path)
        twice = found.keys() & (data or {}).keys()
        if twice:
            raise ValueError(f"{path.name}: another file has a sentence for {listed(sorted(twice))}")
        found |= data or {}
    return MappingProxyType(found)


def variant(sentence: Sentence, value_of: Callable[[str], Any]) -> str:
    """The one sentence among variants. Raises ``KeyError`` when no variant fits the event's value."""
    while not isinstance(sentence, str):
        decided = _answer(value_of(sentence["by"]))  # type: ignore[arg-type]
        sentence = sentence[decided] if decided in sentence else sentence["else"]
    return sentence


def _answer(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == "" or (isinstance(value, (tuple, list, Mapping)) and not value):
        return "none"
    return str(value.value if isinstance(value, Enum) else value)


def _decimal(value: Decimal) -> str:
    """Gold has two digits or none, hit points one."""
    exponent = value.as_tuple().exponent
    return gold(value) if isinstance(exponent, int) and exponent < -1 else figure(value)


class _Said(str):
    """A field in words; after a colon a sentence names what is counted: ``{needs:move-point}`` is "1 move-point"."""

    __slots__ = ()

    def __format__(self, noun: str) -> str:
        return f"{self} {noun if self == '1' else noun + 's'}" if noun else str(self)


class Speaker:
    """Says events in words, for one turn: knows every realm and unit of the worlds before and after it.

    A unit that was formed and lost within the turn is in neither and goes by its id alone.
    """

    def __init__(self, *worlds: World, sentences: Mapping[str, Sentence] | None = None) -> None:
        self._sentences = load_sentences() if sentences is None else sentences
        self._names: dict[str, str] = {INDEPENDENTS: "the independents"}
        self._units: dict[str, Unit] = {}
        for world in worlds:
            self._names |= {code: realm.name for code, realm in world.realms.items()}
            self._units |= world.units
        self._labels: dict[str, str] = {}

    # -- names -------------------------------------------------------------------------------------------------------

    def realm(self, code: str) -> str:
        """A realm's name; what is no realm's code comes back as it is."""
        return self._names.get(code, code)

    def is_realm(self, code: str) -> bool:
        """Whether this is a realm's code; independents are no realm."""
        return code in self._names and code != INDEPENDENTS

    def unit(self, key: str) -> str:
        """A unit in words: ``A12 "Royal Lions" of England``, ``the garrison of London``."""
        label = self._labels.get(key)
        if label is None:
            code, _, unit_id = key.partition("/")
            unit = self._units.get(key)
            if unit is not None and unit.is_garrison:
                label = f"the garrison of {unit.place}"
            elif unit is not None and unit.name:
                label = f"{unit_id} “{printable(unit.name)}” of {self.realm(code)}"
            else:
                label = f"{unit_id} of {self.realm(code)}"
            self._labels[key] = label
        return label

    def own_unit(self, realm: str, reference: str) -> str:
        """A unit as its own player calls it: ``A12 “Royal Lions”``, ``Garrison of London``."""
        unit = self._units.get(f"{realm}/{reference}")
        if unit is None:
            return reference if _UNIT_ID.fullmatch(reference) else f"Garrison of {reference}"
        if unit.is_garrison:
            return f"Garrison of {unit.place}"
        return f"{unit.id} “{printable(unit.name)}”" if unit.name else unit.id

    # -- sentences ---------------------------------------------------------------------------------------------------

    def say(self, event: Event) -> str:
        """The event as one sentence of plain text; empty for a book entry. Raises ``KeyError`` without a sentence."""
        sentence = self._sentences[event.kind]
        if not sentence:
            return ""
        chosen = variant(sentence, lambda name: getattr(event, name))
        if not chosen:
            return ""
        values = {field.name: self.words(getattr(event, field.name), field.name) for field in fields(event)}
        return capitalised(chosen.format_map(values))

    def reason(self, reason: str, figures: Mapping[str, Any]) -> tuple[str, str]:
        """(clause, text) of a refusal: which rule decided and the figures in words (O2)."""
        from gm.games.medieval.reasons_data import load_reasons

        known = load_reasons()[reason]
        return known.clause, known.says.format_map(
            {name: _Said(self.words(each, name)) for name, each in figures.items()}
        )

    def words(self, value: Any, name: str = "") -> str:
        """A field's value in words; ``name`` is the field's, which tells a player's text from a code."""
        if isinstance(value, str) and not isinstance(value, Enum):
            return printable(value) if name in FREE_TEXT else self._said(value)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value is None:
            return "none"
        if isinstance(value, Decimal):
            return _decimal(value)
        if isinstance(value, Mapping):
            return listed([self._pair(key, item, name) for key, item in value.items()])
        if isinstance(value, (tuple, list)):
            if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], (int, Decimal)):
                return f"{self.words(value[0], name)} {self.words(value[1])}"
            return listed([self.words(item, name) for item in value])
        if isinstance(value, (set, frozenset)):
            return listed([self.words(item, name) for item in sorted(value)])
        return str(value.value if isinstance(value, Enum) else value)

    def _pair(self, key: Any, item: Any, name: str) -> str:
        if isinstance(item, (int, Decimal)):
            return f"{self.words(item)} {self.words(key, name)}"
        return f"{self.words(key, name)}: {self.words(item, name)}"

    def _said(self, value: str) -> str:
        if value in self._names:
            return self._names[value]
        return self.unit(value) if _UNIT_KEY.fullmatch(value) else value
