"""Events and refusals in plain words, from ``templates/GAME/sentences/`` and ``rules/GAME/reasons/``. Braces are filled
from an event's fields only: what a player wrote is never a pattern. The result is plain text; pages escape it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

from gm.core.diagnostics import printable
from gm.core.events import Event
from gm.core.yaml.models import load_data, load_folder
from gm.resources import resource
from gm.text.pages import capitalised, figure, gold, listed
from gm.text.words import Reason

Sentence: TypeAlias = "str | Mapping[str, Sentence]"


@cache
def load_sentences(*folder: str) -> Mapping[str, Sentence]:
    """Every sentence of the YAML files in a folder of the program, by event class. Raises ``ValueError`` for a double
    one."""
    return MappingProxyType(load_folder(resource(*folder), lambda path: load_data(path)[0] or {}))


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


class Said(str):
    """A field in words; after a colon a sentence names what is counted: ``{needs:move-point}`` is "1 move-point"."""

    __slots__ = ()

    def __format__(self, noun: str) -> str:
        return f"{self} {noun if self == '1' else noun + 's'}" if noun else str(self)


@dataclass(eq=False)
class EventFormatter:
    """Says events in words. ``names`` maps codes to names; ``translate`` turns a pattern into another language's."""

    names: Mapping[str, str]
    sentences: Mapping[str, Sentence]
    reasons: Callable[[], Mapping[str, Reason]]
    translate: Callable[[str], str] = str

    free_text = frozenset({"name", "text", "title", "words", "why", "what"})
    """Fields that hold what a person wrote: never taken for a code."""

    def called(self, code: str) -> str:
        return self.names.get(code, code)

    def say(self, event: Event) -> str:
        """The event as one sentence of plain text; empty for a book entry. Raises ``KeyError`` without a sentence."""
        sentence = self.sentences[event.kind]
        chosen = sentence and variant(sentence, lambda name: getattr(event, name))
        if not chosen:
            return ""
        values = {name: Said(self.figure(getattr(event, name), name)) for name in event.__struct_fields__}
        return capitalised(self.translate(chosen).format_map(values))

    def figure(self, value: Any, name: str) -> str:
        return self.words(value, name)

    def reason(self, reason: str, figures: Mapping[str, Any]) -> tuple[str, str]:
        """(clause, text) of a refusal: which rule decided and the figures in words (O2)."""
        known = self.reasons()[reason]
        values = {name: Said(self.words(each, name)) for name, each in figures.items()}
        return known.clause, self.translate(known.says).format_map(values)

    def words(self, value: Any, name: str = "") -> str:
        """A field's value in words; ``name`` is the field's, which tells a player's text from a code."""
        if isinstance(value, str) and not isinstance(value, Enum):
            return printable(value) if name in self.free_text else self.code(value)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value is None:
            return "none"
        if isinstance(value, Decimal):
            # gold has two digits or none, hit points one
            exponent = value.as_tuple().exponent
            return gold(value) if isinstance(exponent, int) and exponent < -1 else figure(value)
        if isinstance(value, Mapping):
            return listed([self._pair(key, item, name) for key, item in value.items()])
        if isinstance(value, (tuple, list)):
            if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], (int, Decimal)):
                return f"{self.words(value[0], name)} {self.words(value[1])}"
            return listed([self.words(item, name) for item in value])
        if isinstance(value, (set, frozenset)):
            return listed([self.words(item, name) for item in sorted(value)])
        return str(value.value if isinstance(value, Enum) else value)

    def code(self, value: str) -> str:
        """A text of an event that no player wrote: a code is said by its name."""
        return self.names.get(value, value)

    def _pair(self, key: Any, item: Any, name: str) -> str:
        if isinstance(item, (int, Decimal)):
            return f"{self.words(item)} {self.words(key, name)}"
        return f"{self.words(key, name)}: {self.words(item, name)}"
