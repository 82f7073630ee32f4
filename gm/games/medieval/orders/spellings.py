"""The spellings of names in order files (O8), as patterns that Python and the editors' JavaScript both know.

The reader ignores case, accents and the width of gaps (:func:`gm.core.diagnostics.fold`). A schema offers
each name as the map has it, and allows every other spelling that the reader may find.
"""

from collections.abc import Iterable, Mapping, Set
from functools import cache, lru_cache

from gm.core.diagnostics import fold
from gm.games.medieval.orders.names import UNIT_WORDS
from gm.games.medieval.orders.phrases import NUMBERS, PREPOSITIONS, TIMES

ACCENTED = "[^ -~]"
"""A letter beyond plain ASCII: the reader compares without its accent, and no pattern knows all of these."""
_SPECIAL = frozenset(r"\^$.|?*+()[]{}/")


def spelled(*names: str) -> str:
    """Return a pattern of the texts that fold to one of these names; common beginnings are merged."""
    return _pattern(frozenset(fold(name) for name in names))


@lru_cache(maxsize=1024)
def _pattern(names: Set[str]) -> str:
    """Return the pattern of folded names, cached: the schemas of a turn use the same ones again and again."""
    return _branches(names)


def _branches(names: Set[str]) -> str:
    """Return a pattern of these folded names in which equal beginnings are written once.

    With an empty name among them, the rest is optional: it is the end of a name that others go on from.
    """
    if len(names) == 1:
        return "".join(map(_letter, *names))
    ends_by_letter: dict[str, set[str]] = {}  # the rests of the names, by their first letters
    for name in filter(None, names):
        ends_by_letter.setdefault(name[0], set()).add(name[1:])
    branches = [_letter(first) + _branches(ends_by_letter[first]) for first in sorted(ends_by_letter)]
    if not branches:
        return ""
    is_optional = "" in names
    pattern = branches[0] if len(branches) == 1 and not is_optional else any_of(branches)
    return f"{pattern}?" if is_optional else pattern


@cache  # most names are made of the same few letters
def _letter(char: str) -> str:
    """Return the pattern of a character in a name: a letter in either case, a space once or more."""
    if char == " ":
        return " +"
    if char.isalpha():
        return f"[{char.upper()}{char}]"
    return f"\\{char}" if char in _SPECIAL else char


def spelled_words(words: Iterable[str]) -> str:
    """Return a pattern of words of the grammar: ``Declare War`` and ``declare-war`` are ``declare_war``."""
    return spelled(*(word.replace("_", " ") for word in words)).replace(" +", "[ _-]+")


def any_of(patterns: Iterable[str]) -> str:
    """Return a pattern that matches one of these patterns."""
    return f"(?:{'|'.join(patterns)})"


def whole(pattern: str) -> str:
    """Return a pattern of the texts that ``pattern`` matches from end to end, and of all with an accent.

    A schema cannot compare accents.
    """
    return f"^ *{pattern} *$|{ACCENTED}"


def other_spellings(names: Iterable[str], canonical: str) -> str:
    """Return a pattern of the spellings of a word of the grammar, without ``canonical`` itself."""
    return f"^(?!{canonical}$){spelled_words(names)}$"


PREPOSITION = f"{spelled(*PREPOSITIONS, 'the')} +"
"""A pattern of a word that may be before the name of a place."""


def named_place(names: Iterable[str]) -> str:
    """Return a pattern of these places, also with a preposition: ``to the North Sea``."""
    return f"(?:{PREPOSITION})*{spelled(*names)}"


def unit_id(kinds: str = "AFG") -> str:
    """Return a pattern of ``A1``, ``Army 1`` and ``army A-01``; ``kinds``: the letters that may be in it."""
    kind_words = spelled(*UNIT_WORDS.values())
    letters = any_of(f"{spelled(kind)}(?:{spelled(UNIT_WORDS[kind][1:])})?" for kind in kinds)
    return f"(?:{kind_words} +)?{letters}[ .#-]{{0,3}}[0-9]{{1,9}}"


def unit_of_realm(realms: Mapping[str, str], kinds: str = "AFG") -> str:
    """Return a pattern of units, with or without a realm before them.

    For example ``AQU/A3``, ``Aquitaine's Army 3``, ``AQU/Bordeaux``. ``realms``: the realms' names, by code;
    ``kinds``: letters of the kinds of units: army, fleet, garrison.
    """
    owners = spelled(*realms, *realms.values())
    number = unit_id(kinds)
    return f"(?:{owners}(?: ?/ ?.+|(?:'[sS])? +{number})|{number})"


def listed_text(item: str) -> str:
    """Return a pattern of several items in one text: ``A1, A2 and A3``."""
    return f"(?:{item}(?:, and |, ?| and | & |$))+"


def counted_text(names: Iterable[str]) -> str:
    """Return a pattern of counts with names: ``3 Archers, 2 x Militia``."""
    return f"(?: *[0-9]{{1,9}} *(?:[xX] +)?{spelled(*names)} *(?:,(?! *$)|$))+"


def phase_text() -> str:
    """Return a pattern of when and how often to hold: ``on phase 1``, ``for two phases``, ``twice``."""
    number = any_of(("[0-9]{1,3}", spelled(*NUMBERS)))
    times = spelled(*TIMES)
    once = spelled("once", "twice")
    return f"(?:{PREPOSITION})*(?:{spelled('phase')} +{number}|{number} +{times}|{once})"
