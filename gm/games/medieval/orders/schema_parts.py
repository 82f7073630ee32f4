"""The parts that JSON Schemas of order files are put together from."""

from collections.abc import Mapping
from functools import cache
from typing import Any

Schema = dict[str, Any]


@cache
def ref(name: str, table: str = "definitions") -> Schema:
    """Return a reference to a definition: one object for all uses, so it must not be changed."""
    return {"$ref": f"#/{table}/{name.replace(' ', '%20')}"}


def any_ref(name: str) -> Schema:
    """Return a reference to a definition in the schema of all realms, which is of a newer draft."""
    return ref(name, "$defs")


def described(schema: Schema, says: str) -> Schema:
    """Return the schema with a description."""
    if "$ref" in schema:  # draft 7 allows nothing beside a reference
        return {"allOf": [schema], "description": says}
    return {**schema, "description": says}


def described_enum(says: Mapping[str, str]) -> Schema:
    """Return the schema of one of these names. ``says``: the description of each for editors, by name."""
    return {"type": "string", "enum": list(says), "enumDescriptions": list(says.values())}


def listed(item: Schema | None) -> Schema:
    """Return the schema of a list of such items, a single one, or nothing.

    Without an ``item`` it is that of an empty list or nothing.
    """
    if item is None:
        return {"type": ["array", "null"], "maxItems": 0}
    return {"anyOf": [{"type": "array", "items": item}, item, {"type": "null"}]}


def one_or_more(item: Schema) -> Schema:
    """Return the schema of a list of at least one such item, or of a single item."""
    return {"anyOf": [{"type": "array", "items": item, "minItems": 1}, item]}


def or_none(schema: Schema) -> Schema:
    """Return the schema that also allows ``none`` or nothing."""
    return {"anyOf": [schema, {"enum": ["none", None]}, {"type": "string", "pattern": "^[nN][oO][nN][eE]$"}]}


def either(*schemas: Schema) -> Schema:
    """Return the schema that allows what any one of these allows."""
    return {"anyOf": list(schemas)}


def whole_number(low: int, high: int) -> Schema:
    """Return the schema of a whole number from ``low`` to ``high``, also as a text of digits."""
    return {
        "type": ["integer", "string"],
        "minimum": low,
        "maximum": high,
        "pattern": f"^0*{_digits(low, high)}$",
    }


def _digits(low: int, high: int) -> str:
    """Return a pattern of numbers from ``low`` to ``high``.

    If ``high`` is 10 or more, it limits only how many digits they have.
    """
    if high < 10:
        return f"[{low}-{high}]"
    return f"{'[1-9]' if low else '[0-9]'}[0-9]{{0,{len(str(high)) - 1}}}"


def named(values: Mapping[str, Schema], other_keys: Schema, others: Schema) -> Schema:
    """Return the schema of a mapping of these keys to their values, and of ``other_keys`` to ``others``.

    Nothing is allowed, too.
    """
    keys = either({"enum": list(values)}, other_keys) if values else other_keys
    return {
        "type": ["object", "null"],
        "properties": dict(values),
        "propertyNames": keys,
        "additionalProperties": others,
    }


def or_in_words(schema: Schema, text: Schema) -> Schema:
    """Return the schema that allows what ``schema`` allows, and also one ``text`` or a list of them.

    ``text``: the schema of such a text.
    """
    return either(schema, text, {"type": "array", "items": text})


def entries(keys: Schema, values: Schema) -> Schema:
    """Return the schema of a mapping of such keys to such values, or nothing."""
    return {"type": ["object", "null"], "propertyNames": keys, "additionalProperties": values}


def mapping(values: Mapping[str, Schema], *, others: Schema | bool = False) -> Schema:
    """Return the schema of a mapping of these keys to their values, or of nothing.

    ``others``: the schema of the values of other keys, or whether there may be any.
    """
    return {"type": ["object", "null"], "properties": dict(values), "additionalProperties": others}


def closed(properties: Schema, *required: str) -> Schema:
    """Return the schema of a mapping with these keys and no others; it must have the ``required`` ones."""
    must = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, "additionalProperties": False, **must}
