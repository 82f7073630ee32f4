"""The order file as a JSON Schema, for editors that complete and check while a player writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gm.core.orders.header import STANDING_SAYS
from gm.core.orders.reading import COUNT_LIMIT, GOLD_LIMIT
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, PLAN, UNIT, Shape, Word
from gm.games.medieval.orders.model import Structure

Schema = dict[str, Any]

_OWN_UNIT = "^([AFGafg]0*[0-9]+)$"
_ANY_UNIT = "^(.+[/ ])?[AFGafg]0*[0-9]+$"


def orders_schema(rules: Rules, atlas: Atlas, game: str | None = None) -> Schema:
    """The JSON Schema (draft 2020-12) of order files on this map; of one game's files when ``game`` is given.

    It wants names as the map spells them; the reader itself is laxer (O8).
    """
    header: Schema = {
        "orders": {"const": FORMAT, "description": "the format version"},
        "game": {"const": game} if game else {"type": ["string", "integer"]},
        "realm": _ref("realm"),
        "turn": {"type": "integer", "minimum": 1},
        "key": {"type": ["string", "integer"], "description": "the realm's secret word, printed in every result"},
        "standing": {"type": ["integer", "null"], "minimum": 1, "description": STANDING_SAYS},
    }
    units: Schema = {
        "type": ["object", "null"],
        "propertyNames": {"anyOf": [{"pattern": _OWN_UNIT}, _ref("province")]},
        "additionalProperties": _ref("orders of a unit"),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Order file, medieval game, {atlas.title}",
        **_object({**header, "headquarters": _section(HEADQUARTERS, rules), "units": units}),
        "required": ["orders", "game", "realm", "turn"],
        "$defs": {
            "realm": _names(atlas.realms),
            "province": _names(atlas.provinces),
            "place": _names(atlas.locations),
            "troop": _names(rules.troops),
            "structure": _names([structure.value for structure in Structure]),
            "own unit": {"anyOf": [{"type": "string", "pattern": _OWN_UNIT}, _ref("province")]},
            "any unit": {"anyOf": [{"type": "string", "pattern": _ANY_UNIT}, _ref("province")]},
            "answer": {"enum": [True, False, "yes", "no", "Yes", "No"]},
            "count": {"type": "integer", "minimum": 1, "maximum": COUNT_LIMIT},
            "name": {"type": ["string", "integer", "null"], "maxLength": rules.units.name_length},
            "orders of a unit": _section(UNIT, rules),
            "plan entry": _plan_entry(rules),
        },
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name.replace(' ', '%20')}"}


def _names(names: Mapping[str, object] | tuple[str, ...] | list[str]) -> Schema:
    return {"type": "string", "enum": list(names)}


def _object(properties: Schema, *, null: bool = False) -> Schema:
    return {"type": ["object", "null"] if null else "object", "properties": properties, "additionalProperties": False}


def _list(item: Schema) -> Schema:
    """A list, or a single value in place of a list of one, or nothing."""
    return {"anyOf": [{"type": "array", "items": item}, item, {"type": "null"}]}


def _mapping(keys: Schema, values: Schema) -> Schema:
    return {"type": ["object", "null"], "propertyNames": keys, "additionalProperties": values}


def _section(words: Mapping[str, Word], rules: Rules) -> Schema:
    return _object({name: _described(word, rules) for name, word in words.items()}, null=True)


def _described(word: Word, rules: Rules) -> Schema:
    return {**_SHAPES[word.shape](rules), "description": f"{word.clause}: {word.says}"}


def _plan_entry(rules: Rules) -> Schema:
    """``hold`` and ``pillage`` by themselves, or one word with its value."""
    bare = [name for name, word in PLAN.items() if word.shape is Shape.NOTHING]
    entries: list[Schema] = [{"enum": bare}]
    for name, word in PLAN.items():
        entries.append({**_object({name: _described(word, rules)}), "required": [name]})
    return {"anyOf": entries}


def _transfer(rules: Rules) -> Schema:
    troops = _mapping(_ref("troop"), _ref("count"))
    parts = {"to": _ref("any unit"), "troops": troops, "commanders": _list({"type": "string"})}
    return {**_object(parts), "required": ["to"]}


def _ranks(rules: Rules) -> Schema:
    rank = {"pattern": f"^[1-{rules.units.ranks}]$"}
    return _mapping(_ref("troop"), _mapping(rank, {"type": "integer", "minimum": 0, "maximum": COUNT_LIMIT}))


_SHAPES: dict[Shape, Callable[[Rules], Schema]] = {
    Shape.REALMS: lambda _: _list(_ref("realm")),
    Shape.PROVINCES: lambda _: _list(_ref("province")),
    Shape.PERMISSIONS: lambda _: _mapping(_ref("province"), _list(_ref("realm"))),
    Shape.GIFTS: lambda _: _mapping(_ref("province"), _ref("realm")),
    Shape.PAYMENTS: lambda _: _mapping(
        _ref("realm"), {"type": "number", "exclusiveMinimum": 0, "maximum": int(GOLD_LIMIT)}
    ),
    Shape.PROCLAMATION: lambda rules: {"type": ["string", "null"], "maxLength": rules.economy.proclamation_length},
    Shape.RENAMES: lambda rules: _mapping({}, {"type": "string", "maxLength": rules.units.name_length}),
    Shape.FORMED: lambda _: _mapping({"pattern": "^[AFaf]0*[0-9]+$"}, _ref("name")),
    Shape.TROOPS: lambda _: _mapping(_ref("troop"), _ref("count")),
    Shape.COUNT: lambda _: _ref("count"),
    Shape.STRUCTURES: lambda _: _list(_ref("structure")),
    Shape.WISH: lambda _: _ref("answer"),
    Shape.NAME: lambda _: _ref("name"),
    Shape.RETREAT_LEVEL: lambda rules: {"type": "integer", "minimum": 1, "maximum": rules.units.ranks},
    Shape.OWN_UNIT: lambda _: {"anyOf": [_ref("own unit"), {"enum": ["none", None]}]},
    Shape.COMMANDER: lambda _: {"type": ["string", "null"]},
    Shape.COMMANDERS: lambda _: _list({"type": "string"}),
    Shape.ANSWER: lambda _: _ref("answer"),
    Shape.RANKS: _ranks,
    Shape.PLAN: lambda _: _list(_ref("plan entry")),
    Shape.NOTHING: lambda _: {"enum": [None, True, "yes"]},
    Shape.TRANSFER: _transfer,
    Shape.REALM: lambda _: _ref("realm"),
    Shape.ARMIES: lambda _: _list(_ref("any unit")),
    Shape.PLACE: lambda _: _ref("place"),
    Shape.PROVINCE: lambda _: _ref("province"),
    Shape.LANDINGS: lambda _: _mapping(_ref("any unit"), _ref("province")),
}
