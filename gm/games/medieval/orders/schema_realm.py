"""One realm's order file for one turn as a JSON Schema.

What the realm may name now, so that editors complete and underline while it is being written. It is stricter
than the reader: what is certain to fail in the turn is not offered (a recruit that the city does not have,
peace without a war), by the turn's own ``why_not`` functions. What may become possible during the turn is: a
garrison won by conquest, a gift that another realm accepts from now on. Draft 7, which all editors know.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import msgspec

from gm.core.diagnostics import printable
from gm.core.orders.header import READY, STANDING_SAYS, VOTE
from gm.core.orders.press import PRESS
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, UNIT
from gm.games.medieval.orders.model import HireCommander, Recruit, Structure, Written
from gm.games.medieval.orders.schema import shared_definitions, unit_section
from gm.games.medieval.orders.schema_parts import Schema, described, described_enum, listed, mapping, ref
from gm.games.medieval.orders.template import describe
from gm.games.medieval.orders.values import Word, word_schema
from gm.games.medieval.state import Unit, World
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.construction import why_not_structure
from gm.games.medieval.steps.diplomacy import RELATION_ORDERS, why_not_say
from gm.games.medieval.steps.provinces import why_not_annex
from gm.games.medieval.steps.recruiting import why_not_hire, why_not_recruit
from gm.games.medieval.steps.turn import Turn
from gm.text.pages import figure, gold

_NOWHERE = Written(0, 0, "")


class RealmSchemas:
    """The schemas of one turn: what all realms share is made once. ``known``: as for ``orders_template``."""

    def __init__(
        self, world: World, *, rules: Rules, atlas: Atlas, game: str, turn: int, known: Mapping[str, str] = {}
    ) -> None:
        begun: Turn = Turn(state=world, number=turn, rules=rules, board=atlas, orders={}, seed="")
        self.world: World = turn_opens(begun).state
        self.rules = rules
        self.atlas = atlas
        self.game = game
        self.turn = turn
        self.known = known

    def text(self, realm: str) -> str:
        """Return the schema of one realm as JSON. Raises ``KeyError`` for a code that is no realm's."""
        # most of the text is the same for all realms
        return f"{_json(_RealmSchema(self, realm).data())[:-2]},{self._shared}}}}}"

    @cached_property
    def _shared(self) -> str:
        # as JSON without the outer braces
        return _json(shared_definitions(self.world, self.rules, self.atlas))[1:-1]

    @cached_property
    def garrisons_to_be(self) -> list[str]:
        """The provinces that have a garrison, whosever it is: their names may stand for it."""
        lands = self.world.provinces
        city = self.atlas.city
        return [name for name in self.atlas.provinces if city(name) is not None or lands[name].fortification > 0]


class _RealmSchema:
    def __init__(self, turn: RealmSchemas, realm: str) -> None:
        self._turn = turn
        self._realm = realm
        self._world = turn.world
        self._rules = turn.rules
        self._atlas = turn.atlas
        self._units = self._world.of_realm(realm)
        self._texts = {
            unit.id: printable(turn.known.get(unit.key) or describe(unit, self._rules)) for unit in self._units
        }
        self._commanders = [each.name for unit in self._units for each in unit.commanders]
        self._dealt: dict[str, list[str]] = {}
        # definitions that are made when they are first needed, by what they hold
        self._realms: dict[tuple[str, ...], str] = {}
        self._recruits: dict[tuple[str, ...], str] = {}
        self._garrisons: dict[tuple[str, tuple[str, ...], bool, bool], str] = {}
        self._offers: dict[tuple[tuple[str, ...], bool], tuple[str, ...]] = {}

    def data(self) -> Schema:
        """Return the schema without the definitions that all realms share."""
        name = self._world.realms[self._realm].name
        return {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": f"Orders of {name} for turn {self._turn.turn}, {self._atlas.title}",
            "type": "object",
            "required": ["orders", "game", "realm", "turn"],
            "additionalProperties": False,
            "properties": {
                "orders": {"const": FORMAT, "description": "the format of this file"},
                "game": {"const": self._turn.game},
                "realm": {"const": self._realm, "description": name},
                "turn": {"const": self._turn.turn},
                "key": {"type": ["string", "integer"], "description": "your realm's secret word for this turn"},
                "standing": {"type": ["integer", "null"], "minimum": 1, "description": STANDING_SAYS},
                "ready": READY,
                "press": PRESS,
                "vote": VOTE,
                "headquarters": mapping(
                    {word.name: word_schema(self._word(word), word) for word in HEADQUARTERS.values()}
                ),
                "units": self._sections(),
            },
            "definitions": self._definitions(),
        }

    def _word(self, word: Word) -> Schema:
        own = [province.name for province in self._world.owned_by(self._realm)]
        match word.form:
            case forms.REALMS:
                return listed(self._others(word))
            case forms.PERMISSIONS:
                if word.name == "grant_permission":
                    return mapping(dict.fromkeys(own, ref("grantees")))
                held = {name: sorted(self._world.provinces[name].permissions) for name in own}
                return mapping({name: listed({"enum": codes}) for name, codes in held.items() if codes})
            case forms.GIFTS:
                # what is conquered this turn may be given away as well (L12)
                anybody = ref("other realm")
                return {**mapping(dict.fromkeys(own, anybody), anybody), "propertyNames": ref("province")}
            case forms.PAYMENTS:
                # also to oneself (L2)
                return mapping(dict.fromkeys((*self._codes(word), self._realm), ref("gold")))
            case forms.PROVINCES:
                return listed(self._annexable() if word.name == "annex" else ref("province"))
            case forms.RENAMES:
                name = {"type": "string", "minLength": 1, "maxLength": self._rules.units.name_length}
                return mapping(dict.fromkeys(self._commanders, name))
        return {"type": ["string", "null"], "maxLength": self._rules.economy.proclamation_length}

    def _codes(self, word: Word) -> list[str]:
        if word.name not in self._dealt:
            world = self._world
            realm = self._realm
            kind = word.order
            self._dealt[word.name] = [one for one in world.realms if why_not_say(kind, world, realm, one) is None]
        return self._dealt[word.name]

    def _others(self, word: Word) -> Schema | None:
        codes = tuple(self._codes(word))
        if word.order not in RELATION_ORDERS:
            return ref("other realm")
        return ref(self._realms.setdefault(codes, f"realms {len(self._realms) + 1}")) if codes else None

    def _annexable(self) -> Schema | None:
        """L6, the price aside, and the limit: another realm may yet annex what is annexed to this one (V2)."""
        found = {
            land.name: f"{gold(self._atlas.locations[land.name].revenue)} gold"
            for land in self._world.owned_by(self._realm)
            if why_not_annex(self._world, self._realm, land.name, 0, self._rules) is None
        }
        return described_enum(found) if found else None

    def _sections(self) -> Schema:
        sections: dict[str, Schema] = {}
        for unit in self._units:
            text = self._texts[unit.id]
            if unit.is_garrison:
                can = ref(self._garrison(unit))
                sections[unit.place] = described(can, text)
                sections[unit.id] = described(can, f"the garrison of {unit.place}")
            else:
                sections[unit.id] = described(ref("army" if unit.is_army else "fleet"), text)
        for name in self._turn.garrisons_to_be:
            sections.setdefault(name, ref("garrison to be"))
        return {
            "type": ["object", "null"],
            "patternProperties": {
                self._free_id("A"): described(ref("army"), "an army that this file forms"),
                self._free_id("F"): described(ref("fleet"), "a fleet that this file forms"),
            },
            "additionalProperties": False,
            "properties": sections,
        }

    def _free_id(self, letter: str) -> str:
        taken = [unit.id[1:] for unit in self._units if unit.id[0] == letter]
        digits = "[1-9][0-9]?" if self._rules.units.number_limit == 99 else "[1-9][0-9]*"
        return f"^{letter}(?!({'|'.join(taken)})$){digits}$" if taken else f"^{letter}{digits}$"

    def _garrison(self, unit: Unit) -> str:
        """Return the name of the definition of what a garrison can be told, which garrisons share that can be
        told the same: it recruits what its city has, and builds what there is room for.
        """
        world = self._world
        rules = self._rules
        atlas = self._atlas
        land = world.provinces[unit.place]
        city = atlas.city(unit.place)
        fits = tuple(each.value for each in Structure if why_not_structure(land, each, atlas, rules) is None)
        recruits = ""
        if city is not None:
            # as the turn begins, cities that offer the same troops differ by their harbours only
            offered = (city.recruits, land.harbour)
            if offered not in self._offers:
                self._offers[offered] = tuple(
                    name
                    for name in rules.troops
                    if name in city.recruits
                    and why_not_recruit(world, unit, Recruit(_NOWHERE, unit.id, name, 1), rules, atlas) is None
                )
            names = self._offers[offered]
            recruits = self._recruits.setdefault(names, f"recruits {len(self._recruits) + 1}") if names else ""
        hires = why_not_hire(world, unit, HireCommander(_NOWHERE, unit.id, 1), 0, rules, atlas) is None
        alike = (recruits, fits, city is not None and land.harbour, hires)
        return self._garrisons.setdefault(alike, f"garrison {len(self._garrisons) + 1}")

    def _definitions(self) -> Schema:
        others = {code: self._world.realms[code].name for code in self._codes(HEADQUARTERS["send_ambassador"])}
        named = self._texts | {unit.place: f"its garrison, {unit.id}" for unit in self._units if unit.is_garrison}
        armies = {unit.id: named[unit.id] for unit in self._units if unit.is_army}
        new = "^[AF][1-9][0-9]*$"
        army_ids = ["^A[1-9][0-9]*$"]
        army_ids += [f"^({'|'.join(others)})/A[1-9][0-9]*$"] if others else []
        foreign = [_text(f"^({'|'.join(others)})/[AFG][1-9][0-9]*$")] if others else []
        to_be = [name for name in self._turn.garrisons_to_be if name not in named]
        garrisons = [{"enum": to_be}] if to_be else []
        names = [{"enum": self._commanders}] if self._commanders else []
        found: Schema = {
            "other realm": described_enum(others) if others else {"enum": [None]},
            "grantees": listed(self._others(HEADQUARTERS["grant_permission"])),
            "commander": {"anyOf": [*names, {"type": "string"}]},
            "own unit": {"anyOf": [*([described_enum(named)] if named else []), _text(new)]},
            "any unit": {"anyOf": [*([ref("own unit")] if named else []), *garrisons, _text(new), *foreign]},
            "any army": {"anyOf": [*([described_enum(armies)] if armies else []), *map(_text, army_ids)]},
            "landings": {
                "type": "object",
                "properties": dict.fromkeys(armies, ref("coast")),
                "minProperties": 1,
                "patternProperties": dict.fromkeys(army_ids, ref("coast")),
                "additionalProperties": False,
            },
            "form an army": self._formed("A"),
            "form a fleet": self._formed("F"),
            "form either": self._formed("AF"),
        }
        for (recruits, fits, ships, hires), title in self._garrisons.items():
            special: dict[str, Schema | None] = {
                "recruit": ref(recruits) if recruits else None,
                "build": word_schema(listed({"enum": fits}), UNIT["build"]) if fits else None,
                "form": ref("form either" if ships else "form an army"),
            }
            found[title] = unit_section("G", special if hires else {**special, "hire_commander": None})
        for troops, title in self._recruits.items():
            counts = {}
            for troop in map(self._rules.troops.__getitem__, troops):  # a row of table T1 in one line
                price = f"{gold(troop.cost)} gold, upkeep {figure(troop.upkeep)}; attack {troop.attacks}x{troop.combat}"
                body = f"hit points {figure(troop.hit_points)}, move-points {troop.move_points}"
                counts[troop.name] = described(ref("count"), f"{price}, {body}")
            found[title] = word_schema(mapping(counts), UNIT["recruit"])
        for codes, title in self._realms.items():
            found[title] = described_enum({code: self._world.realms[code].name for code in codes})
        return found

    def _formed(self, letters: str) -> Schema:
        patterns = {self._free_id(letter): ref("name") for letter in letters}
        form = {"type": ["object", "null"], "patternProperties": patterns, "additionalProperties": False}
        return word_schema(form, UNIT["form"])


def _text(pattern: str) -> Schema:
    return {"type": "string", "pattern": pattern}


def _json(data: Any) -> str:
    return msgspec.json.encode(data).decode()
