"""Definitions of JSON Schemas for spellings of names that orders may use and the map does not (O8).

The map's own spellings are listed by each schema where the name can be used.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache

from gm.games.medieval.orders import spellings
from gm.games.medieval.orders.names import STRUCTURES, NameIndexes
from gm.games.medieval.orders.phrases import PREPOSITIONS
from gm.games.medieval.orders.schema_parts import Schema, either, mapping, ref
from gm.games.medieval.orders.values import Word

_CANONICAL_ID = "[AFG][1-9][0-9]*"
_ALL = spellings.whole(f"(?:{spellings.spelled('all')}(?: .*)?|{spellings.spelled('everything')})")


def spelling_definitions(indexes: NameIndexes, realms: Mapping[str, str], table: str) -> Schema:
    """Return the definitions of other spellings, by their titles.

    ``indexes``: of the map's names; ``realms``: the realms' names by their codes; ``table``: the key of
    definitions in the schema.
    """
    unit = spellings.unit_of_realm(realms)
    codes = spellings.any_of(realms)
    ashore = f"{unit} +{spellings.spelled(*PREPOSITIONS)} +.+"
    owners = (*realms, *realms.values())
    troops = indexes.troops.spellings
    return {
        "other spelling of a province": _other(
            spellings.named_place(indexes.provinces.spellings), ref("province", table)
        ),
        # the schema has no definition of seas to leave out here: they are listed where one can be named
        "other spelling of a sea": _text(spellings.named_place(indexes.seas.spellings)),
        "other spelling of a troop": _other(spellings.spelled(*troops), ref("troop", table)),
        "other spelling of a realm": _other(spellings.spelled(*owners), {"enum": list(realms)}),
        "other spelling of a structure": _other(
            spellings.spelled(*STRUCTURES.spellings), {"enum": list(STRUCTURES)}
        ),
        "other spelling of a unit": {
            "type": "string",
            "pattern": spellings.whole(unit),
            "not": {"pattern": f"^(?:{codes}/)?{_CANONICAL_ID}$"},
        },
        "other answer": _text(spellings.spelled("yes", "no", "true", "false")),
        "troops in words": _text(spellings.counted_text(troops)),
        "all troops in words": either(ref("troops in words", table), {"type": "string", "pattern": _ALL}),
        "armies in words": _text(spellings.listed_text(unit)),
        "landings in words": _text(ashore),
        "transfer in words": {"type": "string", "pattern": "[^ ] +[tT][oO] +[^ ]"},
    }


def _other(pattern: str, schema: Schema) -> Schema:
    """Return the schema of texts that match a pattern, except those that ``schema`` accepts."""
    return {**_text(pattern), "not": schema}


def _text(pattern: str) -> Schema:
    """Return the schema of texts that match a pattern from end to end."""
    return {"type": "string", "pattern": spellings.whole(pattern)}


def other_spelling_of_unit(realms: Mapping[str, str], kind: str) -> str:
    """Return a pattern of unusual spellings of units of a kind: ``army 1``, but not ``A1``.

    ``realms``: the realms' names, by code, that may be before the unit; ``kind``: A, F or G.
    """
    return f"^(?!{_CANONICAL_ID}$) *{spellings.unit_of_realm(realms, kind)} *$"


def word_mapping(values: Mapping[str, Schema], meant: Mapping[str, Word]) -> Schema:
    """Return the schema of a mapping of words, such as ``march``, to values.

    It also has the words' other spellings and synonyms. ``values``: the schemas of values by word; ``meant``:
    words by all texts that mean them.
    """
    patterns: Schema = {}
    for name, schema in values.items():
        names = [also for also, word in meant.items() if word.name == name]
        patterns[spellings.other_spellings(names, name)] = schema
    return {**mapping(values), "patternProperties": {**patterns, spellings.ACCENTED: {}}}


def other_words(names: Collection[str], meant: Mapping[str, Word]) -> Schema:
    """Return the schema of keys that are other spellings or synonyms of these words, in ``meant``."""
    also = spellings.spelled_words(word for word, meaning in meant.items() if meaning.name in names)
    return {"pattern": f"^(?!{spellings.any_of(names)}$){also}$|{spellings.ACCENTED}"}


def file_mapping(properties: Mapping[str, Schema]) -> Schema:
    """Return the schema of the whole file: its entries, in any spelling.

    The head must be complete; that is checked only if every key is spelled as in ``properties``.
    """
    return {
        "type": "object",
        "properties": dict(properties),
        "patternProperties": {**_other_entries(tuple(properties)), spellings.ACCENTED: {}},
        "additionalProperties": False,
        "if": {"propertyNames": {"enum": list(properties)}},
        "then": {"required": ["orders", "game", "realm", "turn"]},
    }


@cache
def _other_entries(names: tuple[str, ...]) -> Schema:
    """Return references to a file's entries of these names, by patterns of the names' other spellings.

    They are cached, as the files of all realms have the same entries.
    """
    return {spellings.other_spellings([name], name): {"$ref": f"#/properties/{name}"} for name in names}


def this_or_in_other_letters(text: str, *also: str, says: str) -> Schema:
    """Return the schema of one expected text, in any spelling.

    ``also``: other texts that are accepted in its place; ``says``: its description for editors.
    """
    pattern = spellings.whole(spellings.spelled(text, *also))
    return {"anyOf": [{"const": text}, {"type": "string", "pattern": pattern}], "description": says}


def bare_words(words: Iterable[str], meant: Mapping[str, Word]) -> str:
    """Return the regular expression for a plan's entries that consist of one of these words, in any spelling.

    If ``hold`` is one of them, a phase or a number of times may follow it. ``meant``: the word that each text
    means.
    """
    words = set(words)
    texts = [text for text, word in meant.items() if word.name in words]
    plain = spellings.spelled_words(texts)
    if "hold" not in words:
        return spellings.whole(plain)
    hold_texts = [text for text, word in meant.items() if word.name == "hold"]
    timed = f"{spellings.spelled_words(hold_texts)} +{spellings.phase_text()}"
    return spellings.whole(f"(?:{plain}|{timed})")


def transfer_mapping(to: Schema, troops: Schema, commanders: Schema) -> Schema:
    """Return the schema of a transfer (M1): its parts by their names, in any spelling."""
    parts = {"to": to, "troops": troops, "commanders": commanders}
    patterns = {spellings.other_spellings([name], name): part for name, part in parts.items()}
    return {
        "type": "object",
        "properties": parts,
        "patternProperties": {**patterns, spellings.ACCENTED: {}},
        "additionalProperties": False,
        "minProperties": 2,
        # checked only if all parts are spelled as here
        "if": {"propertyNames": {"enum": list(parts)}},
        "then": {"required": ["to"]},
    }
