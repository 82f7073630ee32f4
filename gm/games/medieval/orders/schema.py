"""The order file as a JSON Schema, for editors that complete and check while a player writes.

There is one schema for a map, and the part that the schemas of single realms have in common. That part refers
to definitions that each realm's schema has: ``commander``, ``own unit``, ``any unit``, ``any army``,
``landings``, ``other realm``, ``form an army``, ``form a fleet``.
"""

from collections.abc import Iterable, Mapping
from itertools import chain

from gm.core.orders.header import READY, STANDING_SAYS, VOTE
from gm.core.orders.press import PRESS
from gm.core.orders.reading import COUNT_LIMIT, GOLD_LIMIT
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import (
    FORMAT,
    HEADQUARTERS,
    MEANT_IN_HEADQUARTERS,
    MEANT_OF_UNIT,
    PLAN,
    UNIT,
    meant_in_plan,
)
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.orders.names import name_indexes
from gm.games.medieval.orders.schema_parts import (
    Schema,
    any_ref,
    described_enum,
    either,
    listed,
    mapping,
    or_in_words,
    ref,
    whole_number,
)
from gm.games.medieval.orders.schema_spellings import (
    bare_words,
    file_mapping,
    other_words,
    spelling_definitions,
    word_mapping,
)
from gm.games.medieval.orders.values import Word, word_schema
from gm.games.medieval.state import INDEPENDENTS, World
from gm.text.pages import gold


def orders_schema(rules: Rules, atlas: Atlas, game: str | None = None) -> Schema:
    """Return the JSON Schema (draft 2020-12) of order files on this map.

    It lists names as the map spells them and allows other spellings that the reader finds (O8). ``game``: the
    only game whose files it allows; None: any.
    """
    properties: Schema = {
        "orders": {"const": FORMAT, "description": "the format version"},
        "game": {"const": game} if game else {"type": ["string", "integer"]},
        "realm": any_ref("written realm"),
        "turn": {"type": "integer", "minimum": 1},
        "key": {
            "type": ["string", "integer"],
            "description": "the realm's key for the turn, printed in every result",
        },
        "standing": {"type": ["integer", "null"], "minimum": 1, "description": STANDING_SAYS},
        "ready": READY,
        "press": PRESS,
        "vote": VOTE,
        "headquarters": _section(HEADQUARTERS, MEANT_IN_HEADQUARTERS),
        "units": {
            "type": ["object", "null"],
            "propertyNames": any_ref("any unit"),
            "additionalProperties": any_ref("orders of a unit"),
        },
    }
    # the schema knows no kind of unit: "move" is to sail, whose places include all to which an army marches
    meant_words = meant_in_plan("F")
    bare = [name for name, word in PLAN.items() if word.form in forms.BARE]
    entry = {**_section(PLAN, meant_words), "type": "object", "minProperties": 1, "maxProperties": 1}
    realms = {code: realm.name for code, realm in atlas.realms.items()}
    words = {word.name: word for word in chain(HEADQUARTERS.values(), UNIT.values(), PLAN.values())}
    units = {"type": "string", "pattern": "^[AFG][1-9][0-9]*$|/"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Order file, medieval game, {atlas.title}",
        **file_mapping(properties),
        "$defs": {
            "realm": _names(atlas.realms),
            "province": _names(atlas.provinces),
            "place": _names(atlas.locations),
            "troop": _names(rules.troops),
            "structure": _names(structure.value for structure in Structure),
            **spelling_definitions(name_indexes(atlas, rules), realms, "$defs"),
            **{f"written {kind}": _with_other(kind) for kind in ("realm", "province", "troop", "structure")},
            "written place": either(any_ref("place"), *map(_other, ("province", "sea"))),
            "own unit": any_ref("any unit"),
            "any unit": either(units, any_ref("written province"), _other("unit")),
            "unit to be": either({"type": "string", "pattern": "^[AF][1-9][0-9]*$"}, _other("unit")),
            "answer": either({"enum": [True, False, "yes", "no", "Yes", "No"]}, any_ref("other answer")),
            "count": whole_number(1, COUNT_LIMIT),
            "name": {"type": ["string", "number", "boolean", "null"], "maxLength": rules.units.name_length},
            **{f"order {name}": _described(word, rules) for name, word in words.items()},
            "orders of a unit": _section(UNIT, MEANT_OF_UNIT),
            "plan entry": either(
                {"enum": bare}, {"type": "string", "pattern": bare_words(bare, meant_words)}, entry
            ),
        },
    }


def other(kind: str) -> Schema:
    """Return a reference to other spellings of a kind of names, as the schema of one realm defines them."""
    return ref(f"other spelling of a {kind}")


def _other(kind: str) -> Schema:
    """Return a reference to other spellings of a kind of names, as the schema of a map defines them."""
    return any_ref(f"other spelling of a {kind}")


def _with_other(kind: str) -> Schema:
    """Return the schema of names of a kind such as ``province``, in any spelling."""
    return either(any_ref(kind), _other(kind))


def _names(names: Iterable[str]) -> Schema:
    """Return the schema that accepts these spellings of names, and no others."""
    return {"type": "string", "enum": list(names)}


def _section(words: Mapping[str, Word], meant: Mapping[str, Word]) -> Schema:
    """Return the schema of a mapping with these words; ``meant``: the words by all texts that mean them."""
    return word_mapping({name: any_ref(f"order {name}") for name in words}, meant)


def _described(word: Word, rules: Rules) -> Schema:
    """Return the schema of a word's value, with its description."""
    schema = word.form.schema
    return {**(schema(rules) if callable(schema) else schema), "description": f"{word.clause}: {word.says}"}


_OF_NEW_GARRISONS = ("hire_commander", "raze")
"""What a garrison can do, besides its plan, in the turn in which its province is conquered."""


def unit_section(letter: str, special: Mapping[str, Schema | None]) -> Schema:
    """Return the schema of the orders of a unit of the kind with this letter.

    ``special``: schemas by word that replace the usual ones; None removes a word.
    """
    usual_schemas = {name: ref(f"order {name}") for name, word in UNIT.items() if letter in word.kinds}
    usual_schemas["plan"] = ref(f"plan {letter}")
    schemas: dict[str, Schema] = {}
    for name, usual in usual_schemas.items():
        schema = special.get(name, usual)
        if schema is not None:
            schemas[name] = schema
    return {
        "type": ["object", "null"],
        "properties": schemas,
        "propertyNames": either({"enum": list(schemas)}, ref("other word of a unit")),
        # an order in another spelling or by a synonym is checked like that of any unit
        "allOf": [ref("orders in other words")],
    }


def shared_definitions(world: World, rules: Rules, atlas: Atlas) -> Schema:
    """Return the definitions of places, troops and orders of armies, fleets and plans, by name."""
    land = {name: _land_text(world, atlas, name) for name in atlas.provinces}  # descriptions
    ports = [name for name in atlas.provinces if world.provinces[name].harbour and atlas.has_coast(name)]
    province = other("province")
    troop = either(ref("troop"), other("troop"))
    troops = mapping(dict.fromkeys(rules.troops, ref("count")), others=ref("count"))
    ranks = mapping(dict.fromkeys(rules.troops, ref("counts by rank")), others=ref("counts by rank"))
    realms = {code: realm.name for code, realm in world.realms.items()}
    by_sea = {**dict.fromkeys(atlas.seas, "sea"), **{name: f"harbour; {land[name]}" for name in ports}}
    return {
        # provinces have descriptions only where they are named most, as they would make the file too large
        "province": {"enum": list(land)},
        "march": either(
            described_enum(
                {name: text for name, text in land.items() if atlas.open_neighbours(name, sea=False)}
            ),
            province,
        ),
        "sail": either(described_enum(by_sea), province, other("sea")),
        "coast": either({"enum": [name for name in land if atlas.has_coast(name)]}, province),
        "count": whole_number(1, COUNT_LIMIT),
        "gold": {
            "type": ["number", "string"],
            "exclusiveMinimum": 0,
            "maximum": int(GOLD_LIMIT),
            "pattern": "^[0-9]+([.][0-9]{1,2})?$",
            "description": "gold",
        },
        "answer": either({"enum": [True, False, "yes", "no"]}, ref("other answer")),
        "name": {"type": ["string", "number", "boolean", "null"], "maxLength": rules.units.name_length},
        "retreat level": whole_number(1, rules.units.ranks),
        "troop": _names(rules.troops),
        "troops": or_in_words({**troops, "propertyNames": troop}, ref("troops in words")),
        "troops to transfer": either(ref("troops"), ref("all troops in words")),
        "counts by rank": {
            "type": "object",
            "patternProperties": {f"^[1-{rules.units.ranks}]$": forms.RANK_COUNT},
            "additionalProperties": False,
            "minProperties": 1,
        },
        "ranks": {**ranks, "propertyNames": troop},
        "structures": listed(
            either({"enum": [structure.value for structure in Structure]}, other("structure"))
        ),
        "army": unit_section("A", {"form": ref("form an army")}),
        "fleet": unit_section("F", {"form": ref("form a fleet")}),
        "garrison to be": {
            **word_mapping(
                {**{name: ref(f"order {name}") for name in _OF_NEW_GARRISONS}, "plan": ref("plan G")},
                MEANT_OF_UNIT,
            ),
            "description": "its garrison, once the province is yours",
        },
        "orders in other words": {
            "patternProperties": word_mapping({name: ref(f"order {name}") for name in UNIT}, MEANT_OF_UNIT)[
                "patternProperties"
            ]
        },
        "other word of a unit": other_words(UNIT, MEANT_OF_UNIT),
        "order plan": either(*(ref(f"plan {letter}") for letter in "AFG")),
        **{f"plan {letter}": word_schema(listed(_entry(letter)), UNIT["plan"]) for letter in "AFG"},
        **{
            f"order {name}": word_schema(word.form.own, word)
            for name, word in (UNIT | PLAN).items()
            if word.form.own
        },
        **spelling_definitions(name_indexes(atlas, rules), realms, "definitions"),
    }


def _land_text(world: World, atlas: Atlas, name: str) -> str:
    """Return a province in a line: owner, revenue, city, fortification."""
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
    """Return the schema of an entry of a plan, for units of the kind with this letter."""
    words = {name: word for name, word in PLAN.items() if letter in word.kinds}
    meant_words = meant_in_plan(letter)
    bare = {name: f"{word.clause}: {word.says}" for name, word in words.items() if word.form in forms.BARE}
    entry = word_mapping({name: ref(f"order {name}") for name in words}, meant_words)
    entry |= {"type": "object", "minProperties": 1, "maxProperties": 1}
    return either(described_enum(bare), {"type": "string", "pattern": bare_words(bare, meant_words)}, entry)
