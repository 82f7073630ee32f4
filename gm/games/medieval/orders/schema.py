"""The order file as a JSON Schema, for editors that complete and check while a player writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gm.core.orders.header import STANDING_SAYS
from gm.core.orders.reading import COUNT_LIMIT
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.orders.schema_parts import Schema, any_ref, closed, mapping
from gm.games.medieval.orders.values import Word

_OWN_UNIT = "^([AFGafg]0*[0-9]+)$"
_ANY_UNIT = "^(.+[/ ])?[AFGafg]0*[0-9]+$"


def orders_schema(rules: Rules, atlas: Atlas, game: str | None = None) -> Schema:
    """The JSON Schema (draft 2020-12) of order files on this map; of one game's files when ``game`` is given.

    It wants names as the map spells them; the reader itself is laxer (O8).
    """
    properties: Schema = {
        "orders": {"const": FORMAT, "description": "the format version"},
        "game": {"const": game} if game else {"type": ["string", "integer"]},
        "realm": any_ref("realm"),
        "turn": {"type": "integer", "minimum": 1},
        "key": {"type": ["string", "integer"], "description": "the realm's secret word, printed in every result"},
        "standing": {"type": ["integer", "null"], "minimum": 1, "description": STANDING_SAYS},
        "headquarters": _section(HEADQUARTERS, rules),
        "units": {
            "type": ["object", "null"],
            "propertyNames": {"anyOf": [{"pattern": _OWN_UNIT}, any_ref("province")]},
            "additionalProperties": any_ref("orders of a unit"),
        },
    }
    bare = [name for name, word in PLAN.items() if word.form is forms.NOTHING]
    entries = [closed({name: _described(word, rules)}, name) for name, word in PLAN.items()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Order file, medieval game, {atlas.title}",
        **closed(properties, "orders", "game", "realm", "turn"),
        "$defs": {
            "realm": _names(atlas.realms),
            "province": _names(atlas.provinces),
            "place": _names(atlas.locations),
            "troop": _names(rules.troops),
            "structure": _names(structure.value for structure in Structure),
            "own unit": {"anyOf": [{"type": "string", "pattern": _OWN_UNIT}, any_ref("province")]},
            "any unit": {"anyOf": [{"type": "string", "pattern": _ANY_UNIT}, any_ref("province")]},
            "answer": {"enum": [True, False, "yes", "no", "Yes", "No"]},
            "count": {"type": "integer", "minimum": 1, "maximum": COUNT_LIMIT},
            "name": {"type": ["string", "integer", "null"], "maxLength": rules.units.name_length},
            "orders of a unit": _section(UNIT, rules),
            "plan entry": {"anyOf": [{"enum": bare}, *entries]},
        },
    }


def _names(names: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(names)}


def _section(words: Mapping[str, Word], rules: Rules) -> Schema:
    return mapping({name: _described(word, rules) for name, word in words.items()})


def _described(word: Word, rules: Rules) -> Schema:
    schema = word.form.schema
    return {**(schema(rules) if callable(schema) else schema), "description": f"{word.clause}: {word.says}"}
