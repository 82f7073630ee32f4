"""The order file as a JSON Schema, for editors that complete and check while a player writes.

And what the schemas of all realms have in common. They refer by name to definitions that each realm has of
its own: ``commander``, ``own unit``, ``any unit``, ``any army``, ``landings``, ``other realm``, ``form an
army``, ``form a fleet``.
"""

from collections.abc import Iterable, Mapping

from gm.core.orders.header import READY, STANDING_SAYS, VOTE
from gm.core.orders.press import PRESS
from gm.core.orders.reading import COUNT_LIMIT, GOLD_LIMIT
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.also_words import ALSO_PLAN
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.orders.schema_parts import Schema, any_ref, closed, described_enum, listed, mapping, ref
from gm.games.medieval.orders.values import Word, word_schema
from gm.games.medieval.state import INDEPENDENTS, World
from gm.text.pages import gold

_OWN_UNIT = "^([AFGafg]0*[0-9]+)$"
_ANY_UNIT = "^(.+[/ ])?[AFGafg]0*[0-9]+$"


def orders_schema(rules: Rules, atlas: Atlas, game: str | None = None) -> Schema:
    """Return the JSON Schema (draft 2020-12) of order files on this map; of one game's files when ``game`` is given.

    It wants names as the map spells them; the reader itself is laxer (O8).
    """
    properties: Schema = {
        "orders": {"const": FORMAT, "description": "the format version"},
        "game": {"const": game} if game else {"type": ["string", "integer"]},
        "realm": any_ref("realm"),
        "turn": {"type": "integer", "minimum": 1},
        "key": {"type": ["string", "integer"], "description": "the realm's secret word, printed in every result"},
        "standing": {"type": ["integer", "null"], "minimum": 1, "description": STANDING_SAYS},
        "ready": READY,
        "press": PRESS,
        "vote": VOTE,
        "headquarters": _section(HEADQUARTERS, rules),
        "units": {
            "type": ["object", "null"],
            "propertyNames": {"anyOf": [{"pattern": _OWN_UNIT}, any_ref("province")]},
            "additionalProperties": any_ref("orders of a unit"),
        },
    }
    plan = PLAN | {also.replace("_", " "): PLAN[name] for also, name in ALSO_PLAN.items()}
    bare = [name for name, word in plan.items() if word.form in forms.BARE]
    entries = [closed({name: _described(word, rules)}, name) for name, word in plan.items()]
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


_OF_NEW_GARRISONS = ("hire_commander", "raze")
"""What a garrison can do, besides its plan, in the turn in which its province is conquered."""


def unit_section(letter: str, special: Mapping[str, Schema | None]) -> Schema:
    """Return the orders that one kind of unit can have.

    ``special`` replaces the usual schema of a word, or takes it out.
    """
    words = {name: ref(f"order {name}") for name, word in UNIT.items() if letter in word.kinds}
    words["plan"] = ref(f"plan {letter}")
    found = {name: special.get(name, usual) for name, usual in words.items()}
    return mapping({name: schema for name, schema in found.items() if schema is not None})


def shared_definitions(world: World, rules: Rules, atlas: Atlas) -> Schema:
    """Places, troops and what armies, fleets and plans can be told, by the name of each definition."""
    land = {name: _land_text(world, atlas, name) for name in atlas.provinces}
    ports = [name for name in atlas.provinces if world.provinces[name].harbour and atlas.has_coast(name)]
    by_sea = {**dict.fromkeys(atlas.seas, "sea"), **{name: f"harbour; {land[name]}" for name in ports}}
    return {
        # a march is ordered most often: what is told of the places is told there
        "province": {"enum": list(land)},
        "march": described_enum({name: text for name, text in land.items() if atlas.open_neighbours(name, sea=False)}),
        "sail": described_enum(by_sea),
        "coast": {"enum": [name for name in land if atlas.has_coast(name)]},
        "count": {"type": "integer", "minimum": 1, "maximum": COUNT_LIMIT},
        "gold": {
            "type": ["number", "string"],
            "exclusiveMinimum": 0,
            "maximum": int(GOLD_LIMIT),
            "pattern": "^[0-9]+([.][0-9]{1,2})?$",
            "description": "gold",
        },
        "answer": {"enum": [True, False, "yes", "no"]},
        "name": {"type": ["string", "number", "null"], "maxLength": rules.units.name_length},
        "retreat level": {"type": "integer", "minimum": 1, "maximum": rules.units.ranks},
        "troops": mapping(dict.fromkeys(rules.troops, ref("count"))),
        "counts by rank": {
            "type": "object",
            "patternProperties": {f"^[1-{rules.units.ranks}]$": forms.RANK_COUNT},
            "additionalProperties": False,
            "minProperties": 1,
        },
        "ranks": mapping(dict.fromkeys(rules.troops, ref("counts by rank"))),
        "structures": listed({"enum": [each.value for each in Structure]}),
        "army": unit_section("A", {"form": ref("form an army")}),
        "fleet": unit_section("F", {"form": ref("form a fleet")}),
        "garrison to be": {
            **mapping({**{name: ref(f"order {name}") for name in _OF_NEW_GARRISONS}, "plan": ref("plan G")}),
            "description": "its garrison, once the province is yours",
        },
        **{f"plan {letter}": word_schema(listed(_entry(letter)), UNIT["plan"]) for letter in "AFG"},
        **{f"order {name}": word_schema(word.form.own, word) for name, word in UNIT.items() if word.form.own},
    }


def _land_text(world: World, atlas: Atlas, name: str) -> str:
    land = world.provinces[name]
    place = atlas.locations[name]
    owner = "independent" if land.owner == INDEPENDENTS else world.realms[land.owner].name
    parts = [owner, f"{gold(place.revenue)} gold"]
    if place.city is not None:
        parts.append(f"city of {place.city.name}" if place.city.name != name else "city")
    if land.fortification:
        parts.append(f"fortification {land.fortification}")
    return ", ".join(parts)


def _entry(letter: str) -> Schema:
    also = {also.replace("_", " "): PLAN[name] for also, name in ALSO_PLAN.items()}
    words = {name: word for name, word in (PLAN | also).items() if letter in word.kinds}
    bare = {name: f"{word.clause}: {word.says}" for name, word in words.items() if word.form in forms.BARE}
    entry: Schema = {
        "type": "object",
        "properties": {name: word_schema(word.form.own, word) for name, word in words.items() if word.form.own},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    return {"anyOf": [described_enum(bare), entry] if bare else [entry]}
