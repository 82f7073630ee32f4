"""The parts that JSON Schemas of order files are put together from."""

from collections.abc import Mapping
from functools import cache
from typing import Any

Schema = dict[str, Any]


@cache
def ref(name: str, table: str = "definitions") -> Schema:
    """Return a reference to a definition: the same one for each use, so nobody may change it."""
    return {"$ref": f"#/{table}/{name.replace(' ', '%20')}"}


def any_ref(name: str) -> Schema:
    """Return the same in the schema of all realms, which is of a newer draft."""
    return ref(name, "$defs")


def described(schema: Schema, says: str) -> Schema:
    """Return the schema with a description; beside a reference, draft 7 lets nothing stand."""
    return {"allOf": [schema], "description": says} if "$ref" in schema else {**schema, "description": says}


def described_enum(says: Mapping[str, str]) -> Schema:
    """Return the schema of one of these names; editors show what belongs to each."""
    return {"type": "string", "enum": list(says), "enumDescriptions": list(says.values())}


def listed(item: Schema | None) -> Schema:
    """Return a list, or a single value in place of a list of one, or nothing; only nothing when there is no item."""
    if item is None:
        return {"type": ["array", "null"], "maxItems": 0}
    return {"anyOf": [{"type": "array", "items": item}, item, {"type": "null"}]}


def listed_once(item: Schema) -> Schema:
    """Return a list of at least one, or a single value in its place."""
    return {"anyOf": [{"type": "array", "items": item, "minItems": 1}, item]}


def or_none(schema: Schema) -> Schema:
    """Return the schema, or ``none``, or nothing."""
    return {"anyOf": [schema, {"enum": ["none", None]}, {"type": "string", "pattern": "^[nN][oO][nN][eE]$"}]}


def either(*schemas: Schema) -> Schema:
    """Return what one of these lets through."""
    return {"anyOf": list(schemas)}


def whole_number(low: int, high: int) -> Schema:
    """Return a whole number, also as a text of digits."""
    return {"type": ["integer", "string"], "minimum": low, "maximum": high, "pattern": f"^0*{_digits(low, high)}$"}


def _digits(low: int, high: int) -> str:
    if high < 10:
        return f"[{low}-{high}]"
    return f"{'[1-9]' if low else '[0-9]'}[0-9]{{0,{len(str(high)) - 1}}}"


def named(values: Mapping[str, Schema], other_keys: Schema, others: Schema) -> Schema:
    """Return a mapping with these keys, or with ``other_keys`` and values as ``others`` says; or nothing."""
    keys = either({"enum": list(values)}, other_keys) if values else other_keys
    return {
        "type": ["object", "null"],
        "properties": dict(values),
        "propertyNames": keys,
        "additionalProperties": others,
    }


def or_in_words(schema: Schema, text: Schema) -> Schema:
    """Return a mapping that may be written as such a text, or as a list of such texts."""
    return either(schema, text, {"type": "array", "items": text})


def entries(keys: Schema, values: Schema) -> Schema:
    """Return a mapping of such keys to such values, or nothing."""
    return {"type": ["object", "null"], "propertyNames": keys, "additionalProperties": values}


def mapping(values: Mapping[str, Schema], *, others: Schema | bool = False) -> Schema:
    """Return the schema of these keys with their values, or of nothing."""
    return {"type": ["object", "null"], "properties": dict(values), "additionalProperties": others}


def closed(properties: Schema, *required: str) -> Schema:
    """Return a mapping with these keys and no others."""
    must = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, "additionalProperties": False, **must}
