"""The texts of a game that are data, and how they are filled with values.

The texts are its words (``rules/GAME/words.yaml``), the sentences of its events
(``templates/GAME/sentences``), and the reasons why orders fail (``rules/GAME/reasons``). Braces in them are
filled from an event's fields only: a player's text is never a pattern. All is plain text; pages escape it.
The English sentences are messages of the game's catalogues.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

from gm.core.diagnostics import printable, said, says
from gm.core.values import Event, Value
from gm.core.yaml.models import load_data, load_folder, load_value, load_values
from gm.resources import resource
from gm.text.languages import Translate
from gm.text.pages import capitalised, figure, gold, listed, spelled

_CLAIMED = re.compile(r"(.+) \(says it is (.+)\)")


class GameWords(Value):
    """The content of words.yaml."""

    silence: str  # what happens without orders
    report: str  # what a report shows
    empty_file: str  # how a template becomes a file without orders
    writes_orders: bool = False  # whether letters say that the report can write order files
    lesson: str = ""  # what the handbook holds besides the rules
    statuses: Mapping[str, str] = {}  # those that a GM can give a party: what each means, by name
    controllers: tuple[str, ...]  # those that a GM can give a party
    replacement: str = ""  # the clause about abandoned seats
    settings: Mapping[str, str] = {}  # what each setting of a game means, by name
    # defaults of settings, in words, where the type of the settings and the rules have none
    unless_chosen: Mapping[str, str] = {}


def turn_in_words(name: str, translate: Translate) -> str:
    """Return a turn's English name, such as ``turn 5``, in a language."""
    word, _, number = name.rpartition(" ")
    return translate(f"{word} {{number}}").format(number=number) if number.isdigit() else translate(name)


@cache
def game_words(game: str) -> GameWords:
    """Return the words of a game. Raises ``SourceError`` for a file that does not fit."""
    return load_value(resource("rules", game, "words.yaml"), GameWords)


class Reason(Value):
    """A reason why orders fail: the clause behind it, and a sentence, to be filled with figures.

    ``planned``: an order that is skipped for it was meant to be skipped, which is no mistake.
    """

    clause: str
    says: str
    planned: bool = False


@cache
def load_reasons(game: str) -> Mapping[str, Reason]:
    """Return every reason of a game (rules/GAME/reasons), by its name in code.

    Raises ``ValueError`` for a name that is in two files.
    """
    return load_folder(resource("rules", game, "reasons"), lambda path: load_values(path, Reason))


Sentence: TypeAlias = "str | Mapping[str, Sentence]"
"""A pattern, or variants of it by the value of a field, whose name is under ``by`` (:func:`variant`)."""


@cache
def load_sentences(*folder: str) -> Mapping[str, Sentence]:
    """Return every sentence of the YAML files in a folder, by name of event class.

    ``folder``: the parts of its path. Raises ``ValueError`` for an event that is in two files.
    """
    return MappingProxyType(load_folder(resource(*folder), lambda path: load_data(path)[0] or {}))


def variant(sentence: Sentence, value_of: Callable[[str], Any]) -> str:
    """Return the variant of a sentence that fits an event: the pattern itself where there is only one.

    ``value_of`` returns the value of a field by its name. Raises ``KeyError`` when no variant fits.
    """
    while not isinstance(sentence, str):
        decided = answer(value_of(sentence["by"]))  # type: ignore[arg-type]
        sentence = sentence[decided] if decided in sentence else sentence["else"]
    return sentence


def answer(value: Any) -> str:
    """Return the name of a value among a sentence's variants: ``yes``, ``no``, ``none`` or its text.

    Empty texts and collections are ``none``, too.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == "" or (isinstance(value, (tuple, list, Mapping)) and not value):
        return "none"
    return str(value.value if isinstance(value, Enum) else value)


class Said(str):
    """A value as text; in a pattern, the noun that it counts may stand behind a colon.

    ``{needs:move-point}`` is "1 move-point" or "2 move-points"; ``{needs:Mann|Leute}`` has a plural of
    its own behind the bar.
    """

    __slots__ = ()

    def __format__(self, noun: str) -> str:
        """Return the value, followed by the noun in the form for this number.

        ``noun``: ``move-point``, or with a plural of its own ``Mann|Leute``; empty: the value stands alone.
        """
        if not noun:
            return str(self)
        one, _, many = noun.partition("|")
        if self == "1":
            return f"{self} {one}"
        return f"{self} {many or one + 's'}"


class Named(str):
    """A realm's name; ``adjective``: for what it owns (``Venetian``), without ending if it is declined."""

    adjective: str = ""

    def __new__(cls, name: str, adjective: str = "") -> "Named":
        instance = super().__new__(cls, name)
        instance.adjective = adjective
        return instance


class InProse(Said):
    """A value in a sentence of prose: small numbers are words.

    ``{lost:spelled}`` is "three", ``{rounds:round}`` "three rounds"; ``{realm:+ ships}`` is "Venetian ships",
    or "ships of Venice" without an adjective, and ``{realm:+e Schiffe}`` has the adjective's ending.
    """

    _value: str
    _translate: Translate

    def __new__(cls, value: Any, translate: Translate) -> "InProse":
        instance = super().__new__(cls, value)
        instance._value = value
        instance._translate = translate
        return instance

    def __format__(self, noun: str) -> str:
        """Return the value as the class says: in words, with a noun, or as a realm's possession.

        ``noun``: what stands behind the colon in the pattern; empty: the value is returned unchanged.
        """
        if noun == "spelled":
            return spelled(self, self._translate)
        if noun.startswith("+"):
            return self._own(noun)
        counted = super().__format__(noun)
        if not noun:
            return counted
        _, _, things = counted.partition(" ")  # the noun in the form for this number
        if self == "1":
            return self._translate("one {noun}").format(noun=things)
        return f"{spelled(self, self._translate)} {things}"

    def _own(self, noun: str) -> str:
        """Return a realm's possession: by its adjective with an ending, or as ``UNIT of REALM``.

        ``noun``: what is owned, behind a plus and the ending: ``+ ships``, ``+e Schiffe``.
        """
        ending, _, owned = noun[1:].partition(" ")
        adjective = self._value.adjective if isinstance(self._value, Named) else ""
        if adjective:
            return f"{adjective}{ending} {owned}"
        return self._translate("{unit} of {realm}").format(unit=owned, realm=self)


def in_prose(pattern: str, translate: Translate, values: Mapping[str, Any]) -> str:
    """Return a pattern in a language, filled with values as :class:`InProse`; empty for an empty one."""
    # a catalogue answers an empty message with its header
    return pattern and translate(pattern).format_map(
        {key: InProse(value, translate) for key, value in values.items()}
    )


@cache
def _fields_in(pattern: str, kind: type[Event]) -> tuple[str, ...]:
    """Return the names of the fields of an event class that a pattern contains."""
    # also a field whose name is only the beginning of a longer one in the pattern: that does no harm
    return tuple([name for name in kind.__struct_fields__ if f"{{{name}" in pattern])


@dataclass(eq=False)
class EventFormatter:
    """Puts events into words, in the language of ``translate``."""

    names: Mapping[str, str]  # of parties, places and units, by code
    sentences: Mapping[str, Sentence]  # by name of event class
    reasons: Callable[[], Mapping[str, Reason]]  # returns the reasons why orders fail, by name
    translate: Translate = str

    free_text = frozenset({"name", "text", "title", "words", "why", "what"})
    """Fields that hold what a person wrote: it is never taken for a code."""

    def called(self, code: str) -> str:
        """Return the name of a code; a code without a name as it is."""
        return self.names.get(code, code)

    def format_event(self, event: Event) -> str:
        """Return the event as one sentence of plain text; empty for one of which nobody is told.

        Raises ``KeyError`` for an event without a sentence.
        """
        sentence = self.sentences[event.kind]
        pattern = sentence and variant(sentence, lambda name: getattr(event, name))
        if not pattern:
            return ""
        return capitalised(self.fill_pattern(pattern, event))

    def fill_pattern(self, pattern: str, event: Event) -> str:
        """Return a pattern, translated, with an event's fields in words."""
        translated = pattern and self.translate(pattern)  # a catalogue answers an empty one with its header
        names = _fields_in(translated, type(event))
        return translated.format_map({name: Said(self.figure(getattr(event, name), name)) for name in names})

    say = format_event
    told = fill_pattern
    """The names that both had until 1.0.0, for templates of plug-ins, for one release (formats.md)."""

    def phrase(self, pattern: str, /, **values: Any) -> str:
        """Return a pattern, translated, with values that are in words already."""
        # a catalogue answers an empty message with its header
        return pattern and self.translate(pattern).format_map(
            {name: Said(value) for name, value in values.items()}
        )

    def prose(self, pattern: str, /, **values: Any) -> str:
        """Return a pattern, translated, with values that are in words already, as :class:`InProse`."""
        return in_prose(pattern, self.translate, values)

    def listed(self, words: Iterable[str]) -> str:
        """Return ``a, b and c`` in the language; its word for ``none`` for no words."""
        return listed([*words], self.translate("none"), self.translate("and"))

    def figure(self, value: Any, name: str) -> str:
        """Return the value of an event's field ``name`` as text; games may override it."""
        return self.words(value, name)

    def reason(self, reason: str, figures: Mapping[str, Any]) -> tuple[str, str]:
        """Return (clause, sentence) of the ``reason`` why an order failed, with ``figures`` in words (O2)."""
        reason_text = self.reasons()[reason]
        return reason_text.clause, self.phrase(
            reason_text.says, **{name: self.words(figure, name) for name, figure in figures.items()}
        )

    def words(self, value: Any, name: str = "") -> str:
        """Return the value of an event's field ``name`` as text.

        A text is a code, unless the field is one of ``free_text``; it is replaced by its name if it has one.
        """
        if name == "files":
            return self.listed(self._file(file) for file in value)
        if isinstance(value, str) and not isinstance(value, Enum):
            return printable(value) if name in self.free_text else self.code(value)
        if value is None or isinstance(value, bool):
            return self.translate(answer(value))
        if isinstance(value, Decimal):
            return _decimal(value)
        if isinstance(value, Mapping):
            return self.listed(self._pair(key, item, name) for key, item in value.items())
        if isinstance(value, (set, frozenset)):
            value = sorted(value)
        if isinstance(value, (tuple, list)):
            return self._list(value, name)
        return str(value.value if isinstance(value, Enum) else value)

    def _list(self, values: Sequence[Any], name: str) -> str:
        """Return a list of values in words; a pair of a name and a number as ``NAME NUMBER``."""
        if len(values) == 2 and isinstance(values[0], str) and isinstance(values[1], (int, Decimal)):
            return f"{self.words(values[0], name)} {self.words(values[1])}"
        return self.listed(self.words(value, name) for value in values)

    def _file(self, name: str) -> str:
        """Return a file's name; a remark behind it, about the realm it claims to be from, is translated."""
        claimed = _CLAIMED.fullmatch(name)
        text = says("{0} (says it is {1})", *claimed.groups()) if claimed else name
        return printable(said(text, self.translate))

    def code(self, value: str) -> str:
        """Return the name of a code in an event, or any other text as it is; games may override it."""
        return self.names.get(value, value)

    def _pair(self, key: Any, item: Any, name: str) -> str:
        """Return an entry of a mapping in words: ``NUMBER KEY`` or ``KEY: VALUE``."""
        if isinstance(item, (int, Decimal)):
            return f"{self.words(item)} {self.words(key, name)}"
        return f"{self.words(key, name)}: {self.words(item, name)}"


def _decimal(value: Decimal) -> str:
    """Return a number as text: as gold if it has two decimals or more, else as another figure."""
    # amounts of gold have two decimals or none, hit points one
    exponent = value.as_tuple().exponent
    return gold(value) if isinstance(exponent, int) and exponent < -1 else figure(value)
