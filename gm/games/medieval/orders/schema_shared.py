"""The parts of the realms' JSON Schemas that are the same for all realms, and the forms that all parts have.

They refer by name to definitions that each realm has of its own: ``commander``, ``own unit``, ``any unit``,
``any army``, ``landings``, ``other realm``, ``form an army``, ``form a fleet``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from gm.core.orders.reading import COUNT_LIMIT, GOLD_LIMIT
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.grammar import PLAN, UNIT, Shape, Word
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.state import INDEPENDENTS, World
from gm.text.pages import gold

Schema = dict[str, Any]


# -- forms -------------------------------------------------------------------------------------------------------------


@cache
def ref(name: str) -> Schema:
    """A reference to a definition: the same one for each use, so nobody may change it."""
    return {"$ref": f"#/definitions/{name.replace(' ', '%20')}"}


def described(schema: Schema, says: str) -> Schema:
    """The schema with a description; beside a reference, draft 7 lets nothing stand."""
    return {"allOf": [schema], "description": says} if "$ref" in schema else {**schema, "description": says}


def told(schema: Schema, word: Word) -> Schema:
    """A word's schema with what the word orders."""
    return described(schema, f"{word.clause}: {word.says}")


def described_enum(says: Mapping[str, str]) -> Schema:
    """One of these names; editors show what belongs to each."""
    return {"type": "string", "enum": list(says), "enumDescriptions": list(says.values())}


def listed(item: Schema | None) -> Schema:
    """A list, or a single value in place of a list of one, or nothing; only nothing when there is no item."""
    if item is None:
        return {"type": ["array", "null"], "maxItems": 0}
    return {"anyOf": [{"type": "array", "items": item}, item, {"type": "null"}]}


def mapping(values: Mapping[str, Schema], others: Schema | bool = False) -> Schema:
    """These keys with their values, or nothing."""
    return {"type": ["object", "null"], "properties": dict(values), "additionalProperties": others}


def section(letter: str, special: Mapping[str, Schema | None]) -> Schema:
    """The orders that one kind of unit can have; ``special`` replaces the usual schema of a word, or takes it out."""
    words = {}
    for name, word in UNIT.items():
        usual = ref(f"plan {letter}" if word.shape is Shape.PLAN else f"order {name}")
        schema = special.get(name, usual)
        if letter in word.kinds and schema is not None:
            words[name] = schema
    return mapping(words)


# -- definitions -------------------------------------------------------------------------------------------------------


def shared_definitions(world: World, rules: Rules, atlas: Atlas) -> Schema:
    """Places, troops and what armies, fleets and plans can be told, by the name of each definition."""
    land = {name: _land_says(world, atlas, name) for name in atlas.provinces}
    ports = [name for name in atlas.provinces if world.provinces[name].harbour and atlas.has_coast(name)]
    by_sea = {**dict.fromkeys(atlas.seas, "sea"), **{name: f"harbour; {land[name]}" for name in ports}}
    roads = {name: says for name, says in land.items() if atlas.open_neighbours(name, sea=False)}
    rank = {"type": "integer", "minimum": 0, "maximum": COUNT_LIMIT}
    ranks: Schema = {
        "type": "object",
        "patternProperties": {f"^[1-{rules.units.ranks}]$": rank},
        "additionalProperties": False,
        "minProperties": 1,
    }
    return {
        # a march is ordered most often: what is told of the places is told there
        "province": {"enum": list(land)},
        "march": described_enum(roads),
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
        "counts by rank": ranks,
        "ranks": mapping(dict.fromkeys(rules.troops, ref("counts by rank"))),
        "structures": listed({"enum": [each.value for each in Structure]}),
        "army": section("A", {"form": ref("form an army")}),
        "fleet": section("F", {"form": ref("form a fleet")}),
        "garrison to be": {
            **mapping({**{name: ref(f"order {name}") for name in _LATER}, "plan": ref("plan G")}),
            "description": "its garrison, once the province is yours",
        },
        **{f"plan {letter}": told(listed(_entry(letter)), UNIT["plan"]) for letter in "AFG"},
        **{f"order {name}": told(_UNIT_SHAPES[word.shape], word) for name, word in UNIT.items() if name != "plan"},
    }


_LATER = ("hire_commander", "raze")
"""What a garrison can do, besides its plan, in the turn in which its province is conquered."""


def _land_says(world: World, atlas: Atlas, name: str) -> str:
    land, place = world.provinces[name], atlas.locations[name]
    owner = "independent" if land.owner == INDEPENDENTS else world.realms[land.owner].name
    parts = [owner, f"{gold(place.revenue)} gold"]
    if place.city is not None:
        parts.append(f"city of {place.city.name}" if place.city.name != name else "city")
    if land.fortification:
        parts.append(f"fortification {land.fortification}")
    return ", ".join(parts)


def _entry(letter: str) -> Schema:
    """One entry of a plan: a bare word, or one word with its value."""
    words = [word for word in PLAN.values() if letter in word.kinds]
    bare = {word.name: f"{word.clause}: {word.says}" for word in words if word.shape is Shape.NOTHING}
    entry: Schema = {
        "type": "object",
        "properties": {word.name: told(_PLAN_SHAPES[word.shape], word) for word in words},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    return {"anyOf": [described_enum(bare), entry] if bare else [entry]}


def _at_least_one(item: Schema) -> Schema:
    return {"anyOf": [{"type": "array", "items": item, "minItems": 1}, item]}


def _or_none(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"enum": ["none", None]}]}


_PLAN_SHAPES: dict[Shape, Schema] = {
    Shape.NOTHING: {"enum": [None, True, "yes"]},
    Shape.TRANSFER: {
        "type": "object",
        "properties": {
            "to": described(ref("any unit"), "who receives"),
            "troops": ref("troops"),
            "commanders": listed(ref("commander")),
        },
        "required": ["to"],
        "anyOf": [{"required": ["troops"]}, {"required": ["commanders"]}],
        "additionalProperties": False,
    },
    Shape.REALM: ref("other realm"),
    Shape.ARMIES: _at_least_one(ref("any army")),
    Shape.PLACE: ref("sail"),
    Shape.PROVINCE: ref("march"),
    Shape.LANDINGS: ref("landings"),
}

_UNIT_SHAPES: dict[Shape, Schema] = {
    Shape.NAME: ref("name"),
    Shape.FORMED: ref("form an army"),
    Shape.RETREAT_LEVEL: ref("retreat level"),
    Shape.OWN_UNIT: _or_none(ref("own unit")),
    Shape.COMMANDER: _or_none(ref("commander")),
    Shape.COMMANDERS: listed(ref("commander")),
    Shape.ANSWER: ref("answer"),
    Shape.WISH: ref("answer"),
    Shape.RANKS: ref("ranks"),
    Shape.TROOPS: ref("troops"),
    Shape.COUNT: ref("count"),
    Shape.STRUCTURES: ref("structures"),
}
