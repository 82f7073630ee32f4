"""One realm's order file for one turn as a JSON Schema: what the realm may name now, so that editors complete and
underline while it is being written.

It is stricter than the reader: what is certain to fail in the turn is not offered (a recruit that the city does not
have, peace without a war), by the turn's own ``why_not`` functions. What may become possible during the turn is: a
garrison won by conquest, a gift that another realm accepts from now on. Draft 7, which all editors know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from gm.core.diagnostics import printable
from gm.core.orders.header import STANDING_SAYS
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules, TroopType
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, UNIT, Shape, Word
from gm.games.medieval.orders.model import HireCommander, Recruit, Structure, Written
from gm.games.medieval.orders.schema_shared import (
    Schema,
    described,
    described_enum,
    listed,
    mapping,
    ref,
    section,
    shared_definitions,
    told,
)
from gm.games.medieval.orders.template import describe
from gm.games.medieval.state import Unit, World
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.construction import why_not_structure
from gm.games.medieval.steps.diplomacy import (
    why_not_cancel_alliance,
    why_not_deal_with,
    why_not_declare_war,
    why_not_grant,
    why_not_offer_alliance,
    why_not_offer_peace,
    why_not_revoke_passage,
)
from gm.games.medieval.steps.provinces import why_not_annex
from gm.games.medieval.steps.recruiting import why_not_hire, why_not_recruit
from gm.games.medieval.steps.turn import Refusal, Turn
from gm.text.pages import figure, gold

_WHY_NOT: Mapping[str, Callable[[World, str, str], Refusal | None]] = {
    "declare_war": why_not_declare_war,
    "grant_passage": why_not_grant,
    "grant_permission": why_not_grant,
    "revoke_passage": why_not_revoke_passage,
    "offer_peace": why_not_offer_peace,
    "cancel_alliance": why_not_cancel_alliance,
    "offer_alliance": why_not_offer_alliance,
}
"""By word: whom it can be about. All others can be about any realm that is not out."""


class RealmSchemas:
    """The schemas of one turn: what all realms share is made once. ``said``: as for ``orders_template``."""

    def __init__(
        self, world: World, *, rules: Rules, atlas: Atlas, game: str, turn: int, said: Mapping[str, str] | None = None
    ) -> None:
        begun: Turn = Turn(state=world, number=turn, rules=rules, board=atlas, orders={}, seed="")
        self._world: World = turn_opens(begun).state
        self._rules = rules
        self._atlas = atlas
        self._game = game
        self._turn = turn
        self._said = said or {}

    def text(self, realm: str) -> str:
        """The schema of one realm as JSON. Raises ``KeyError`` for a code that is no realm's."""
        return _Own(self, realm).text()

    @cached_property
    def _shared(self) -> str:
        """The definitions that are the same for all realms, as JSON without the outer braces."""
        return _json(shared_definitions(self._world, self._rules, self._atlas))[1:-1]

    @cached_property
    def garrisons_to_be(self) -> dict[str, str]:
        """The provinces that have a garrison, whosever it is: their names may stand for it. Each with the section of a
        garrison that a realm does not have yet, as JSON."""
        lands, city, later = self._world.provinces, self._atlas.city, _json(ref("garrison to be"))
        guarded = (name for name in self._atlas.provinces if city(name) is not None or lands[name].fortification > 0)
        return {name: f"{_json(name)}:{later}" for name in guarded}

    @cached_property
    def _troops(self) -> dict[str, str]:
        return {name: _troop_says(troop) for name, troop in self._rules.troops.items()}


class _Own:
    """The schema of one realm."""

    def __init__(self, all_realms: RealmSchemas, realm: str) -> None:
        self._all = all_realms
        self._world, self._rules, self._atlas = all_realms._world, all_realms._rules, all_realms._atlas
        self._realm = realm
        self._name = self._world.realms[realm].name
        self._units = self._world.of_realm(realm)
        self._dealt: dict[Callable[[World, str, str], Refusal | None], list[str]] = {}
        self._taken: dict[str, list[str]] = {}
        for unit in self._units:
            self._taken.setdefault(unit.id[0], []).append(unit.id[1:])
        self._recruits: dict[tuple[str, ...], str] = {}
        self._offers: dict[tuple[tuple[str, ...], bool], list[str]] = {}
        self._circles: dict[tuple[str, ...], str] = {}
        self._garrisons: dict[tuple[str, tuple[str, ...], bool, bool], str] = {}

    def text(self) -> str:
        about = {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": f"Orders of {self._name} for turn {self._all._turn}, {self._atlas.title}",
            "type": "object",
            "required": ["orders", "game", "realm", "turn"],
            "additionalProperties": False,
        }
        properties = {
            "orders": {"const": FORMAT, "description": "the format of this file"},
            "game": {"const": self._all._game},
            "realm": {"const": self._realm, "description": self._name},
            "turn": {"const": self._all._turn},
            "key": {"type": ["string", "integer"], "description": "your realm's secret word for this turn"},
            "standing": {"type": ["integer", "null"], "minimum": 1, "description": STANDING_SAYS},
            "headquarters": self._headquarters(),
        }
        # the longest parts are put together as text
        found = f'{_json(about)[:-1]},"properties":{{{_json(properties)[1:-1]},"units":{self._sections()}}}'
        return f'{found},"definitions":{{{_json(self._definitions())[1:-1]},{self._all._shared}}}}}'

    # -- headquarters ------------------------------------------------------------------------------------------------

    def _headquarters(self) -> Schema:
        words = {word.name: told(self._word(word), word) for word in HEADQUARTERS.values()}
        return {"type": ["object", "null"], "properties": words, "additionalProperties": False}

    def _word(self, word: Word) -> Schema:
        own = [province.name for province in self._world.owned_by(self._realm)]
        if word.shape is Shape.REALMS:
            return listed(self._others(word))
        if word.shape is Shape.PERMISSIONS:
            return mapping(self._permissions(word, own))
        if word.shape is Shape.GIFTS:
            # what is conquered this turn may be given away as well (L12)
            return {
                **mapping(dict.fromkeys(own, ref("other realm")), ref("other realm")),
                "propertyNames": ref("province"),
            }
        if word.shape is Shape.PAYMENTS:
            # also to oneself (L2)
            return mapping(dict.fromkeys((*self._codes(word), self._realm), ref("gold")))
        if word.shape is Shape.PROVINCES:
            return listed(self._annexable() if word.name == "annex" else ref("province"))
        if word.shape is Shape.RENAMES:
            name = {"type": "string", "minLength": 1, "maxLength": self._rules.units.name_length}
            return mapping(dict.fromkeys(self._commanders, name))
        return {"type": ["string", "null"], "maxLength": self._rules.economy.proclamation_length}

    def _codes(self, word: Word) -> list[str]:
        why_not = _WHY_NOT.get(word.name, why_not_deal_with)
        if why_not not in self._dealt:
            world, realm = self._world, self._realm
            self._dealt[why_not] = [code for code in world.realms if why_not(world, realm, code) is None]
        return self._dealt[why_not]

    def _others(self, word: Word) -> Schema | None:
        """The realms that an order can be about; none when there is nobody now."""
        codes = tuple(self._codes(word))
        if word.name not in _WHY_NOT:
            return ref("other realm")
        return ref(self._circles.setdefault(codes, f"realms {len(self._circles) + 1}")) if codes else None

    def _permissions(self, word: Word, own: Iterable[str]) -> dict[str, Schema]:
        """F4: own provinces with the realms to which leave can be given, or from which it can be taken."""
        if word.name == "grant_permission":
            return dict.fromkeys(own, ref("grantees"))
        held = {name: sorted(self._world.provinces[name].permissions) for name in own}
        return {name: listed({"enum": codes}) for name, codes in held.items() if codes}

    def _annexable(self) -> Schema | None:
        """L6, the price aside, and the limit: another realm may yet annex what is annexed to this one (V2)."""
        found = {
            land.name: f"{gold(self._atlas.locations[land.name].revenue)} gold"
            for land in self._world.owned_by(self._realm)
            if why_not_annex(self._world, self._realm, land.name, 0, self._rules) is None
        }
        return described_enum(found) if found else None

    # -- units -------------------------------------------------------------------------------------------------------

    def _sections(self) -> str:
        """What the units can be told, as JSON."""
        sections: dict[str, Schema] = {}
        for unit in self._units:
            says = self._says[unit.id]
            if not unit.is_garrison:
                sections[unit.id] = described(ref("army" if unit.is_army else "fleet"), says)
                continue
            can = ref(self._garrison(unit))
            sections[unit.place] = described(can, says)
            sections[unit.id] = described(can, f"the garrison of {unit.place}")
        limit = self._rules.units.number_limit
        about = {
            "type": ["object", "null"],
            "patternProperties": {
                self._free_id("A", limit): described(ref("army"), "an army that this file forms"),
                self._free_id("F", limit): described(ref("fleet"), "a fleet that this file forms"),
            },
            "additionalProperties": False,
        }
        own = [_json(sections)[1:-1]] if sections else []
        to_be = [later for name, later in self._all.garrisons_to_be.items() if name not in sections]
        return f'{_json(about)[:-1]},"properties":{{{",".join([*own, *to_be])}}}}}'

    @cached_property
    def _says(self) -> dict[str, str]:
        """What each unit is, by id."""
        said = self._all._said
        return {unit.id: printable(said.get(unit.key) or describe(unit, self._rules)) for unit in self._units}

    def _free_id(self, letter: str, limit: int) -> str:
        """A pattern of the ids that new armies or fleets can have."""
        taken = self._taken.get(letter)
        digits = "[1-9][0-9]?" if limit == _TWO_DIGITS else "[1-9][0-9]*"
        return f"^{letter}(?!({'|'.join(taken)})$){digits}$" if taken else f"^{letter}{digits}$"

    def _garrison(self, unit: Unit) -> str:
        """The name of the definition of what a garrison can be told, which garrisons share that can be told the same:
        it recruits what its city has, and builds what there is room for."""
        world, rules, atlas = self._world, self._rules, self._atlas
        land = world.provinces[unit.place]
        fits = [each.value for each in Structure if why_not_structure(land, each, atlas, rules) is None]

        def recruits(troop: str) -> bool:
            return why_not_recruit(world, unit, Recruit(_NOWHERE, unit.id, troop, 1), rules, atlas) is None

        city = atlas.city(unit.place)
        recruit: list[str] = []
        if city is not None:
            # as the turn begins, cities that offer the same troops differ by their harbours only
            offered = (city.recruits, land.harbour)
            if offered not in self._offers:
                self._offers[offered] = [name for name in rules.troops if name in city.recruits and recruits(name)]
            recruit = self._offers[offered]
        hires = why_not_hire(world, unit, HireCommander(_NOWHERE, unit.id, 1), 0, rules, atlas) is None
        ships = city is not None and land.harbour
        alike = (self._recruit_list(recruit) if recruit else "", tuple(fits), ships, hires)
        return self._garrisons.setdefault(alike, f"garrison {len(self._garrisons) + 1}")

    def _formed(self, letters: str) -> Schema:
        limit = self._rules.units.number_limit
        patterns = {self._free_id(letter, limit): ref("name") for letter in letters}
        form = {"type": ["object", "null"], "patternProperties": patterns, "additionalProperties": False}
        return told(form, UNIT["form"])

    def _recruit_list(self, names: Iterable[str]) -> str:
        """The name of the definition of a recruit list; cities with the same list share it."""
        return self._recruits.setdefault(tuple(names), f"recruits {len(self._recruits) + 1}")

    # -- what the shared definitions leave to each realm ---------------------------------------------------------------

    @cached_property
    def _commanders(self) -> list[str]:
        return [each.name for unit in self._units for each in unit.commanders]

    def _definitions(self) -> Schema:
        others = {code: self._world.realms[code].name for code in self._codes(HEADQUARTERS["send_ambassador"])}
        named = self._says | {unit.place: f"its garrison, {unit.id}" for unit in self._units if unit.is_garrison}
        armies = {unit.id: named[unit.id] for unit in self._units if unit.is_army}
        foreign = {"type": "string", "pattern": f"^({'|'.join(others)})/[AFG][1-9][0-9]*$"}
        foreign_army = {"type": "string", "pattern": f"^({'|'.join(others)})/A[1-9][0-9]*$"}
        new = {"type": "string", "pattern": "^[AF][1-9][0-9]*$"}
        new_army = {"type": "string", "pattern": "^A[1-9][0-9]*$"}
        to_be = [name for name in self._all.garrisons_to_be if name not in named]
        own_units = [described_enum(named)] if named else []
        garrisons = [{"enum": to_be}] if to_be else []
        own_armies = [described_enum(armies)] if armies else []
        landing = {"type": "object", "properties": dict.fromkeys(armies, ref("coast")), "minProperties": 1}
        found: Schema = {
            "other realm": described_enum(others) if others else {"enum": [None]},
            "grantees": listed(self._others(HEADQUARTERS["grant_permission"])),
            "commander": {"anyOf": [*([{"enum": self._commanders}] if self._commanders else []), {"type": "string"}]},
            "own unit": {"anyOf": [*own_units, new]},
            "any unit": {
                "anyOf": [*([ref("own unit")] if named else []), *garrisons, new, *([foreign] if others else [])]
            },
            "any army": {"anyOf": [*own_armies, new_army, *([foreign_army] if others else [])]},
            "landings": {
                **landing,
                "patternProperties": {
                    new_army["pattern"]: ref("coast"),
                    **({foreign_army["pattern"]: ref("coast")} if others else {}),
                },
                "additionalProperties": False,
            },
            "form an army": self._formed("A"),
            "form a fleet": self._formed("F"),
            "form either": self._formed("AF"),
        }
        for alike, title in self._garrisons.items():
            found[title] = _garrison_section(*alike)
        for names, title in self._recruits.items():
            says = self._all._troops
            counts = mapping({name: described(ref("count"), says[name]) for name in names})
            found[title] = told(counts, UNIT["recruit"])
        for codes, title in self._circles.items():
            found[title] = described_enum({code: self._world.realms[code].name for code in codes})
        return found


def _garrison_section(recruits: str, fits: tuple[str, ...], ships: bool, hires: bool) -> Schema:
    """What garrisons can be told that have this list of recruits ("": none) and room for these structures."""
    special: dict[str, Schema | None] = {
        "recruit": ref(recruits) if recruits else None,
        "build": told(listed({"enum": fits}), UNIT["build"]) if fits else None,
        "form": ref("form either" if ships else "form an army"),
    }
    return section("G", special if hires else {**special, "hire_commander": None})


_NOWHERE = Written(0, 0, "")
_TWO_DIGITS = 99


def _troop_says(troop: TroopType) -> str:
    """A row of table T1 in one line."""
    return (
        f"{gold(troop.cost)} gold, upkeep {figure(troop.upkeep)}; attack {troop.attacks}x{troop.combat}, "
        f"hit points {figure(troop.hit_points)}, move-points {troop.move_points}"
    )


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), check_circular=False)
