"""One realm's order file for one turn as a JSON Schema.

It lists what the realm may name now, so that editors complete and underline while it is being written. It is
stricter than the reader: what is certain to fail in the turn is not offered (a recruit that the city does not
have, peace without a war), by the turn's own ``why_not`` functions. What may become possible during the turn
is offered: a garrison won by conquest, a gift that another realm accepts from now on. The schema is in draft
7 of JSON Schema, which all editors know.
"""

from collections.abc import Mapping
from functools import cached_property
from itertools import chain
from typing import Any

import msgspec

from gm.core.diagnostics import printable
from gm.core.orders.header import READY, STANDING_SAYS, VOTE
from gm.core.orders.press import PRESS
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import forms, spellings
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, MEANT_IN_HEADQUARTERS, UNIT
from gm.games.medieval.orders.schema import other, shared_definitions, unit_section
from gm.games.medieval.orders.schema_garrisons import GarrisonSchemas
from gm.games.medieval.orders.schema_parts import (
    Schema,
    described,
    described_enum,
    either,
    listed,
    mapping,
    named,
    or_in_words,
    ref,
)
from gm.games.medieval.orders.schema_spellings import (
    file_mapping,
    other_spelling_of_unit,
    this_or_in_other_letters,
    word_mapping,
)
from gm.games.medieval.orders.template import describe
from gm.games.medieval.orders.values import Word, word_schema
from gm.games.medieval.state import World
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.diplomacy import RELATION_ORDERS, why_not_say
from gm.games.medieval.steps.provinces import why_not_annex
from gm.games.medieval.steps.turn import Turn
from gm.text.names import with_article
from gm.text.pages import gold


class RealmSchemas:
    """The schemas of all realms for one turn; their common part is made once."""

    def __init__(
        self,
        world: World,
        *,
        rules: Rules,
        atlas: Atlas,
        game: str,
        turn: int,
        unit_texts: Mapping[str, str] = {},
    ) -> None:
        """Open the turn that the orders are for.

        ``unit_texts``: descriptions of units, by their keys, in place of the usual ones.
        """
        unopened: Turn = Turn(state=world, number=turn, rules=rules, board=atlas, orders={}, seed="")
        self.world: World = turn_opens(unopened).state
        self.rules = rules
        self.atlas = atlas
        self.game = game
        self.turn = turn
        self.unit_texts = unit_texts

    def text(self, realm: str) -> str:
        """Return the schema of one realm as JSON. Raises ``KeyError`` for an unknown code."""
        # the realm's text ends with the braces of its definitions and of the whole: the shared definitions,
        # which are most of the text, come before them
        return f"{_json(_RealmSchema(self, realm).data())[:-2]},{self._shared}}}}}"

    @cached_property
    def _shared(self) -> str:
        """The definitions that all realms share, as JSON without the outer braces."""
        return _json(shared_definitions(self.world, self.rules, self.atlas))[1:-1]

    @cached_property
    def headquarters(self) -> Schema:
        """The schema of the section of headquarters; each realm defines the values of its words."""
        return word_mapping({name: ref(f"order {name}") for name in HEADQUARTERS}, MEANT_IN_HEADQUARTERS)

    @cached_property
    def garrisons_to_be(self) -> list[str]:
        """The provinces that have a garrison or will have one: with a city or a fortification."""
        lands = self.world.provinces
        city = self.atlas.city
        return [
            name for name in self.atlas.provinces if city(name) is not None or lands[name].fortification > 0
        ]


class _RealmSchema:
    """Makes the schema of one realm."""

    def __init__(self, turn: RealmSchemas, realm: str) -> None:
        """Prepare for the realm's schema. ``turn``: what the schemas of all realms have in common."""
        self._turn = turn
        self._realm = realm
        self._world = turn.world
        self._rules = turn.rules
        self._atlas = turn.atlas
        self._units = self._world.of_realm(realm)
        # descriptions of the realm's units, by id
        self._texts = {
            unit.id: printable(turn.unit_texts.get(unit.key) or describe(unit, self._rules))
            for unit in self._units
        }
        own_name = {realm: self._world.realms[realm].name}
        # patterns of unusual spellings of the realm's armies and fleets, by letter
        self._other_spellings = {letter: other_spelling_of_unit(own_name, letter) for letter in "AF"}
        self._commanders = list(chain.from_iterable(unit.commander_names for unit in self._units))
        self._codes_of_word: dict[str, list[str]] = {}  # see :meth:`_codes`
        # the titles of the definitions of realms that have been needed so far, by the realms' codes
        self._realms_titles: dict[tuple[str, ...], str] = {}
        self._garrisons = GarrisonSchemas(self._world, self._rules, self._atlas)

    def data(self) -> Schema:
        """Return the schema without the definitions that all realms share."""
        name = self._world.realms[self._realm].name
        return {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": f"Orders of {with_article(name)} for turn {self._turn.turn}, {self._atlas.title}",
            **file_mapping(self._head(name)),
            "definitions": self._definitions(),
        }

    def _head(self, name: str) -> Schema:
        """Return the schemas of the file's entries, by word. ``name``: the realm's."""
        return {
            "orders": {"const": FORMAT, "description": "the format of this file"},
            "game": {"const": self._turn.game},
            "realm": this_or_in_other_letters(self._realm, name, says=name),
            "turn": {"const": self._turn.turn},
            "key": {"type": ["string", "integer"], "description": "your realm's key for this turn"},
            "standing": {"type": ["integer", "null"], "minimum": 1, "description": STANDING_SAYS},
            "ready": READY,
            "press": PRESS,
            "vote": VOTE,
            "headquarters": self._turn.headquarters,
            "units": self._sections(),
        }

    def _word(self, word: Word) -> Schema:
        """Return the schema of the value of a word of headquarters, with all that the realm may name now."""
        owned = [province.name for province in self._world.owned_by(self._realm)]
        match word.form:
            case forms.REALMS:
                return listed(self._others(word))
            case forms.PERMISSIONS:
                if word.name == "grant_permission":
                    return named(dict.fromkeys(owned, ref("grantees")), other("province"), ref("grantees"))
                permitted = {name: sorted(self._world.provinces[name].permissions) for name in owned}
                revocable = {
                    name: listed(either({"enum": codes}, other("realm")))
                    for name, codes in permitted.items()
                    if codes
                }
                return named(revocable, other("province"), listed(ref("written realm")))
            case forms.GIFTS:
                # what is conquered this turn may be given away as well (L12)
                anybody = ref("written realm")
                keys = either(ref("province"), other("province"))
                return {**named(dict.fromkeys(owned, anybody), keys, anybody), "propertyNames": keys}
            case forms.PAYMENTS:
                # also to oneself (L2)
                payees = either(ref("other realm"), {"const": self._realm}, other("realm"))
                payments = dict.fromkeys((*self._codes(word), self._realm), ref("gold"))
                return {**mapping(payments, others=ref("gold")), "propertyNames": payees}
            case forms.PROVINCES:
                # None if no province can be annexed
                provinces = self._annexable() if word.name == "annex" else ref("province")
                return listed(provinces and either(provinces, other("province")))
            case forms.RENAMES:
                return self._renames()
        # the only form left: the proclamation
        return {"type": ["string", "null"], "maxLength": self._rules.economy.proclamation_length}

    def _renames(self) -> Schema:
        """Return the schema of a mapping of commanders of the realm, in any spelling, to their new names."""
        name = {"type": "string", "minLength": 1, "maxLength": self._rules.units.name_length}
        renames = mapping(dict.fromkeys(self._commanders, name))
        if not self._commanders:
            return renames
        spelled = spellings.spelled(*self._commanders)
        return {**renames, "patternProperties": {spellings.whole(spelled): name}}

    def _codes(self, word: Word) -> list[str]:
        """Return the codes of the realms that an order of this word may name now, found once for a word."""
        if word.name not in self._codes_of_word:
            self._codes_of_word[word.name] = [
                code
                for code in self._world.realms
                if why_not_say(word.order, self._world, self._realm, code) is None
            ]
        return self._codes_of_word[word.name]

    def _others(self, word: Word) -> Schema | None:
        """Return the schema of a realm that an order of this word may name; None if there is none now.

        Orders that are not about relations may name any realm.
        """
        codes = tuple(self._codes(word))
        if word.order not in RELATION_ORDERS:
            return ref("written realm")
        if not codes:
            return None
        return ref(self._realms_titles.setdefault(codes, f"realms {len(self._realms_titles) + 1}"))

    def _annexable(self) -> Schema | None:
        """Return the schema of provinces that could be annexed (L6), whatever the treasury and the limit.

        It is None if there are none. A province may be one that is annexed to another realm (V2).
        """
        revenues = {
            land.name: f"{gold(self._atlas.locations[land.name].revenue)} gold"
            for land in self._world.owned_by(self._realm)
            if why_not_annex(self._world, self._realm, land.name, annexed=0, rules=self._rules) is None
        }
        return described_enum(revenues) if revenues else None

    def _sections(self) -> Schema:
        """Return the schema of the part ``units`` of the file, which has a section for each unit."""
        sections: dict[str, Schema] = {}
        for unit in self._units:
            text = self._texts[unit.id]
            if unit.is_garrison:
                definition = ref(self._garrisons.title_of(unit))
                sections[unit.place] = described(definition, text)
                sections[unit.id] = described(definition, f"the garrison of {unit.place}")
            else:
                sections[unit.id] = described(ref("army" if unit.is_army else "fleet"), text)
        for name in self._turn.garrisons_to_be:
            sections.setdefault(name, ref("garrison to be"))
        # patterns of ids, first of armies and then of fleets
        new_ids = [self._free_id(letter) for letter in "AF"]
        other_spellings = [*self._other_spellings.values()]
        keys = [{"pattern": pattern} for pattern in (*new_ids, *other_spellings)]
        return {
            **mapping(sections, others=ref("garrison by another name")),
            "propertyNames": either(ref("own garrison"), *keys, other("unit"), other("province")),
            "patternProperties": {
                new_ids[0]: described(ref("army"), "an army that this file forms"),
                new_ids[1]: described(ref("fleet"), "a fleet that this file forms"),
                other_spellings[0]: ref("army"),
                other_spellings[1]: ref("fleet"),
            },
        }

    def _free_id(self, letter: str) -> str:
        """Return the pattern of ids of units of a kind (A or F) that the realm does not have yet."""
        used_numbers = [unit.id[1:] for unit in self._units if unit.id[0] == letter]
        # of other limits only the order file's reader knows
        digits = "[1-9][0-9]?" if self._rules.units.number_limit == 99 else "[1-9][0-9]*"
        no_used_number = f"(?!({'|'.join(used_numbers)})$)" if used_numbers else ""
        return f"^{letter}{no_used_number}{digits}$"

    def _definitions(self) -> Schema:
        """Return the definitions that this realm has of its own, by title."""
        definitions = self._realm_definitions()
        definitions |= self._unit_definitions()
        for word in HEADQUARTERS.values():
            definitions[f"order {word.name}"] = word_schema(self._word(word), word)
        definitions |= {
            "form an army": self._formed("A"),
            "form a fleet": self._formed("F"),
            "form either": self._formed("AF"),
        }
        # last: the definitions that those above have needed
        definitions |= self._garrisons.definitions()
        for codes, title in self._realms_titles.items():
            names = described_enum({code: self._world.realms[code].name for code in codes})
            definitions[title] = either(names, other("realm"))
        return definitions

    def _realm_definitions(self) -> Schema:
        """Return the definitions of realms that orders may name now: in general, and for permissions."""
        # an ambassador may go to every realm that an order may name at all
        codes = self._codes(HEADQUARTERS["send_ambassador"])
        names = {code: self._world.realms[code].name for code in codes}
        return {
            # an enum has at least one entry; with this one only null fits
            "other realm": described_enum(names) if names else {"enum": [None]},
            "written realm": either(ref("other realm"), other("realm")),
            "grantees": listed(self._others(HEADQUARTERS["grant_permission"])),
        }

    def _unit_definitions(self) -> Schema:
        """Return, by title, the definitions of commanders, units and landings that orders may name now."""
        # an ambassador may go to every realm that an order may name at all
        other_codes = "|".join(self._codes(HEADQUARTERS["send_ambassador"]))
        garrisons = {unit.place: f"its garrison, {unit.id}" for unit in self._units if unit.is_garrison}
        text_of_key = self._texts | garrisons
        armies = {unit.id: text_of_key[unit.id] for unit in self._units if unit.is_army}
        new_ids = _text_like("^[AF][1-9][0-9]*$")
        army_schemas = [_text_like("^A[1-9][0-9]*$")]
        foreign_schemas = []
        if other_codes:
            army_schemas.append(_text_like(f"^({other_codes})/A[1-9][0-9]*$"))
            foreign_schemas.append(_text_like(f"^({other_codes})/[AFG][1-9][0-9]*$"))
        other_spellings = (other("unit"), other("province"))
        commanders = [{"enum": self._commanders}] if self._commanders else []
        present_units = [described_enum(text_of_key)] if text_of_key else []
        own_unit = [ref("own unit")] if text_of_key else []
        own_armies = [described_enum(armies)] if armies else []
        landings = named(
            dict.fromkeys(armies, ref("coast")), either(*army_schemas, other("unit")), ref("coast")
        )
        return {
            "commander": either(*commanders, {"type": "string"}),
            "own unit": either(*present_units, new_ids, *other_spellings),
            "any unit": either(*own_unit, ref("own garrison"), new_ids, *foreign_schemas, *other_spellings),
            "any army": either(*own_armies, *army_schemas, other("unit")),
            "landings": or_in_words({**landings, "minProperties": 1}, ref("landings in words")),
            # keys of ``units``: own units, and provinces whose garrison the realm may win
            "own garrison": {"enum": list(dict.fromkeys([*self._turn.garrisons_to_be, *text_of_key]))},
            "garrison by another name": unit_section("G", {"form": ref("form either")}),
        }

    def _formed(self, letters: str) -> Schema:
        """Return the schema of the word ``form`` for these kinds of units: their names by their new ids.

        ``letters``: those of the kinds, as ``AF``.
        """
        patterns = {self._free_id(letter): ref("name") for letter in letters}
        patterns |= {self._other_spellings[letter]: ref("name") for letter in letters}
        form = {"type": ["object", "null"], "patternProperties": patterns, "additionalProperties": False}
        return word_schema(form, UNIT["form"])


def _text_like(pattern: str) -> Schema:
    """Return the schema of a text that fits a regular expression."""
    return {"type": "string", "pattern": pattern}


def _json(data: Any) -> str:
    """Return plain data as JSON."""
    return msgspec.json.encode(data).decode()
