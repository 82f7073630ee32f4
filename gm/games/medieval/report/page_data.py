"""The data in a realm's page for its scripts: what everybody knows, and what is this realm's alone.

They are two texts of JSON, compressed in the page, each in an element of its id.

``gm-world``, the same on every page of a turn::

    format          2; scripts refuse a higher one
    game, map, title, turn, season, year    ``turn`` is the one that the next orders are for
    grammar         {headquarters, unit, plan}: [{name, shape, clause, says, kinds, does}], shapes as in
                    orders/grammar.py; ``does``: what an entry of a plan comes to, ``kinds``: AFG by default
    realms          {code: name}, ``out``: the codes of those who are defeated
    places          names in the order of the map file (W12); below, a place is its index in this list
    seas            which of them are seas
    near            each one's neighbours further down the list
    ways            {mountains, reefs or strait: [[a, b]]} of such borders (W3)
    lists, recruits    lists of troop types by their numbers in ``choices``; {place: index of its city's list}
    owners          each province's owner; of a sea nothing
    there           {place: [[realm, soldiers, total combat, hit points, ships]]}: who stands where
    prizes          {place: {realm: upkeep of what may be captured of it there}} in hundredths of gold
    yields          what each place pays as it is, in hundredths of gold
    walls           the effective level of each place's fortification
    others          {key: [place, name]}: the armies and fleets of all realms
    choices         the choices that are the same for all realms (gm/games/medieval/analysis/choices.py)

``gm-own``, a realm's: realm, key (of the next orders), treasury in hundredths of gold, revenue {place: [what
it pays, what one more production area adds]} of all that is annexed to the realm, whoever holds it (L11),
exposed {places: those that others could come to, prize: upkeep of what may be captured of them}, relations
{code: "at war" or "allied"}, lands {name: {annexed_to, harbour, fortification_damage, city}}, units {id: as
in the results file}, its choices, and ``odds`` {id: {place: [wins of a hundred, the same in words]}}: the
chances of attacks (gm/games/medieval/analysis/odds/attacks.py).
"""

import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from msgspec import structs

from gm.games.medieval.analysis.choices import TurnChoices
from gm.games.medieval.analysis.choices_realm import Choices, cents
from gm.games.medieval.analysis.ledger import prizes
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules, season_of
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT, all_words
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.orders.values import Word
from gm.games.medieval.report.results import province_data, unit_data
from gm.games.medieval.report.views import way_of
from gm.games.medieval.state import INDEPENDENTS, Province, World
from gm.games.medieval.state.strength import hit_points, ships, soldiers, total_combat
from gm.games.medieval.steps.economy import province_revenue
from gm.text.languages import ENGLISH, Translate
from gm.text.pages import Inlined, inlined_files

FORMAT = 2  # the version of both blocks
_GRAMMAR = {"headquarters": HEADQUARTERS, "unit": UNIT, "plan": PLAN}


def public_data(world: World, choices: TurnChoices, *, game: str, title: str) -> dict[str, Any]:
    """Return the page's data ``gm-world``, for orders that are given in ``world``."""
    rules = choices.rules
    atlas = choices.atlas
    season, year = season_of(world.turn + 1, rules)
    order = atlas.place_order
    translate = choices.formatter.translate
    mobile_units = (
        unit for unit in world.units.values() if unit.realm != INDEPENDENTS and not unit.is_garrison
    )
    head = {"format": FORMAT, "game": game, "map": atlas.name, "title": title}
    head |= {"turn": world.turn + 1, "season": translate(season), "year": year}
    return head | {
        "grammar": {name: _words(words, translate) for name, words in _GRAMMAR.items()},
        "realms": {code: realm.name for code, realm in world.realms.items()},
        "out": [code for code, realm in world.realms.items() if realm.defeated],
        "places": list(order),
        "seas": [order[name] for name in atlas.seas],
        "near": [_later_neighbours(atlas, name) for name in order],
        "ways": {translate(way): _borders_of(atlas, way) for way in ("mountains", "reefs", "strait")},
        **_recruits(atlas, rules),
        "owners": _owners(world, order),
        "there": _there(world, choices),
        "prizes": _prizes(world, choices),
        "yields": _yields(world, atlas, rules),
        "walls": _walls(world, order),
        "others": {unit.key: [order[unit.place], unit.name or ""] for unit in mobile_units},
        "choices": choices.shared(),
    }


def _owners(world: World, places: Iterable[str]) -> list[str]:
    """Return the code of each place's owner, in the order of ``places``; empty at sea."""
    return [world.provinces[name].owner if name in world.provinces else "" for name in places]


def _walls(world: World, places: Iterable[str]) -> list[int]:
    """Return the effective level of each place's fortification, in the order of ``places``; 0 at sea."""
    lands = (world.provinces.get(name) for name in places)
    return [max(land.effective_fortification, 0) if land else 0 for land in lands]


def _later_neighbours(atlas: Atlas, name: str) -> list[int]:
    """Return the numbers of a place's neighbours that come after it in the order of places."""
    order = atlas.place_order
    neighbours = (order[other] for other in atlas.graph.neighbours(name))
    return [number for number in neighbours if number > order[name]]


def _borders_of(atlas: Atlas, way: str) -> list[list[int]]:
    """Return [number, number] of the two places at each border of the kind ``way`` (:func:`way_of`, W3)."""
    order = atlas.place_order
    return [[order[border.a], order[border.b]] for border in atlas.borders if way_of(border) == way]


def _yields(world: World, atlas: Atlas, rules: Rules) -> list[int]:
    """Return the cents that each place yields a turn, in the order of places; 0 at sea."""
    lands = world.provinces
    return [
        cents(province_revenue(lands[name], atlas, rules)) if name in lands else 0
        for name in atlas.place_order
    ]


def private_data(
    world: World, realm: str, key: str, choices: TurnChoices, realm_choices: Choices | None = None
) -> dict[str, Any]:
    """Return the data that only a realm's own page has, under the id ``gm-own``.

    ``key``: that of the realm's next orders; ``realm_choices``: those of the realm, if the caller has them
    already. Raises ``KeyError`` for an unknown realm.
    """
    realm_choices = realm_choices or choices.of_realm(realm)
    relations = {code: "at war" for code in world.realms if world.at_war(realm, code)}
    relations |= {code: "allied" for code in world.realms if world.allied(realm, code)}
    return {
        "format": FORMAT,
        "realm": realm,
        "key": key,
        "treasury": cents(world.realms[realm].treasury),
        "revenue": _revenue(world, realm, choices),
        "exposed": _exposed(realm, choices),
        "relations": relations,
        "lands": {land.name: _land_data(land, choices.atlas) for land in world.owned_by(realm)},
        "units": {unit.id: unit_data(unit) for unit in world.of_realm(realm)},
        "choices": realm_choices,
        "odds": choices.attacks.of_realm(realm, realm_choices["enter"]),
    }


def _land_data(land: Province, atlas: Atlas) -> dict[str, Any]:
    """Return a province as in a results file, with its city if it has one."""
    city = atlas.city(land.name)
    data = province_data(land)
    if city:
        data["city"] = {"name": city.name, "resource": city.resource}
    return data


def _exposed(realm: str, choices: TurnChoices) -> dict[str, Any]:
    """Return ``exposed`` of ``gm-own``: the places that others could come to, and what may be captured."""
    exposure = choices.threats.exposure(realm)
    places = sorted(choices.atlas.place_order[name] for name in exposure.places)
    return {"places": places, "prize": cents(prizes(choices.world, exposure, choices.rules))}


def _revenue(world: World, realm: str, choices: TurnChoices) -> dict[int, list[int]]:
    """Return ``revenue`` of ``gm-own``, in cents, by the number of each province annexed to the realm.

    It is [what the province pays now, what one more production area would add].
    """
    rules = choices.rules
    atlas = choices.atlas
    revenue = {}
    for land in world.provinces.values():
        if land.annexed_to != realm:
            continue
        larger = land.evolve(production_areas=land.production_areas + 1)
        now = cents(province_revenue(land, atlas, rules))
        then = cents(province_revenue(larger, atlas, rules))
        revenue[atlas.place_order[land.name]] = [now, then - now]
    return revenue


_WORD_DEFAULTS = {"does": "", "kinds": "AFG"}  # the fields of an order word that are left out if they are so


def _words(words: Mapping[str, Word], translate: Translate) -> list[dict[str, str]]:
    """Return the order words of a section as data for the page."""
    return [_word_data(word, translate) for word in words.values()]


def _word_data(word: Word, translate: Translate) -> dict[str, str]:
    """Return an order word as data for the page."""
    others = {
        name: getattr(word, name)
        for name, default in _WORD_DEFAULTS.items()
        if getattr(word, name) != default
    }
    return others | {
        "name": word.name,
        "shape": _shape(word),
        "clause": word.clause,
        "says": translate(word.says),
    }


_SCRIPT_NAMES = {"other": "realm", "new_id": "id", "receiver": "to"}
"""The names that fields of orders have in scripts, where they differ."""
_WORDS = {word.order: word for word in all_words()}
"""The order words by the class of their orders."""


def stamped(world: World, sheet: Orders, game: str, data: bytes) -> bytes:
    """Return an order file ``data`` with its stamp: its orders as JSON, for the page's order writer."""
    row = partial(stamp_row, world, sheet.realm)
    rows = [
        *(row(None, order) for order in sheet.headquarters),
        *(row(order.unit, order) for order in sheet.units),
    ]
    for unit, plan in sheet.plans.items():
        rows += [row(unit, order) for order in plan]
    draft = {"game": game, "realm": sheet.realm, "turn": sheet.turn, "orders": rows}
    # as templates/game/stamp.js reads it; 0 stands for the checksum of the text above, which is not made here
    return data.rstrip() + b"\n#= 0 " + json.dumps(draft, default=str).encode() + b"\n"


def stamp_row(world: World, realm: str, about: str | None, order: Any) -> list[Any]:
    """Return [section, unit, word, value] of an order for its file's stamp.

    ``about``: the order's unit, None for headquarters. The value maps the order's fields to their contents.
    For an order with one field it is that field's content, for one without fields None, or True for a wish.
    """

    def unit_id(name: str) -> str:
        """Return the id of the realm's unit that ``name`` means, also a garrison; any other name as it is."""
        own_unit = world.unit(realm, name)
        # a name with a slash may be another realm's unit: its id alone would mean one of this realm's
        return own_unit.id if own_unit and "/" not in name else name

    word = _WORDS[type(order)]
    section = next(name for name, words in _GRAMMAR.items() if word.name in words)
    fields: dict[str, Any] = {}
    for field, content in structs.asdict(order).items():
        name = _SCRIPT_NAMES.get(field, field)
        if name in ("written", "unit"):  # the unit has a column of its own; the place in the file is left out
            continue
        is_unit = name in ("to", "leader") and bool(content)
        fields[name] = unit_id(content) if is_unit else content
    value: Any = fields
    if len(fields) == 1:
        (value,) = fields.values()
    elif not fields:
        value = True if word.form.name == "WISH" else None
    return [section, about and unit_id(about), word.name, value]


def _there(world: World, choices: TurnChoices) -> dict[int, list[list[Any]]]:
    """Return the rows (:func:`_strength_rows`) of each place with troops, by the number of the place."""
    rules = choices.rules
    order = choices.atlas.place_order
    # [soldiers, combat, hit points, ships] by place and realm
    strengths: dict[int, dict[str, list[Any]]] = {}
    for unit in world.units.values():
        if unit.empty:
            continue
        strength = strengths.setdefault(order[unit.place], {}).setdefault(unit.realm, [0, 0, 0.0, 0])
        strength[0] += soldiers(unit, rules)
        if unit.is_fleet:
            strength[3] += ships(unit, rules)
        else:
            strength[1] += total_combat(unit, rules)
            strength[2] += float(hit_points(unit, rules))
    return {place: _strength_rows(realms) for place, realms in sorted(strengths.items())}


def _strength_rows(realms: Mapping[str, list[Any]]) -> list[list[Any]]:
    """Return [code, soldiers, combat, hit points, ships] of each realm at a place, sorted by code."""
    return [
        [code, strength[0], strength[1], round(strength[2], 1), strength[3]]
        for code, strength in sorted(realms.items())
    ]


def _prizes(world: World, choices: TurnChoices) -> dict[int, dict[str, int]]:
    """Return the upkeep of what may be captured, in cents, by the place's number and the realm's code."""
    troops = choices.rules.troops
    prize_of = dict[int, dict[str, int]]()
    for unit in world.units.values():
        counts = ((troops[troop], count) for troop, count in unit.counts().items())
        prize = sum(cents(troop.upkeep) * count for troop, count in counts if troop.capture_chance)
        if prize:
            prizes = prize_of.setdefault(choices.atlas.place_order[unit.place], {})
            prizes[unit.realm] = prizes.get(unit.realm, 0) + prize
    return prize_of


STYLES = ("page", "map", "battles", "writer", "handbook", "relations", "views")
"""The style sheets of a realm's page under ``templates/medieval/css``; rules of later ones win."""
_ORDER = """
start text dom drafts stamp parts book talk sheet_words sheet_paper sheet_write sheet sheet_stamp plan_state
plan treasury orders tables views contents clause_note map_view map_labels map_marks map_report map_search
map_pick map_tools changes map_past map writer_words writer_verdict writer_force writer_hints writer_targets
writer_desk writer_fields writer_entry writer_forms_hq writer_forms_troops writer_forms_move writer_forms
writer_editor writer_list writer_plan writer_books writer_file writer
"""
SCRIPTS = tuple(_ORDER.split())
"""The scripts under ``templates/medieval/script``, in the order in which they run: each may use those before
it. The first runs before the page is read. What the page knows and adds up and the file of orders come next,
then what is seen: tables, map, order writer."""
SHARED = {name: f"game/{name}.js" for name in ("start", "dom", "drafts", "stamp", "talk")} | {
    "changes": "story/changes.js"
}
"""The scripts that all games' pages have, and their files."""


def script_file(name: str) -> str:
    """Return the path of a script below ``templates/``."""
    return SHARED.get(name, f"medieval/script/{name}.js")


def inlined(
    styles: tuple[str, ...] = STYLES, scripts: tuple[str, ...] = SCRIPTS, language: str = ENGLISH
) -> Inlined:
    """Return style sheets and scripts for a page, in a language; by default those of the realm's page.

    ``styles`` and ``scripts`` are their names, as in STYLES and SCRIPTS.
    """
    sheets = tuple(f"medieval/css/{name}.css" for name in styles)
    talk = ("game/css/talk.css",) if "talk" in scripts else ()
    return inlined_files((*sheets, *talk), tuple(map(script_file, scripts)), "medieval", language)


def _shape(word: Word) -> str:
    """Return the name of the form of a word's value, for the page; ``NOTHING`` for a word alone."""
    return "NOTHING" if word.form in forms.BARE else word.form.name


def _recruits(atlas: Atlas, rules: Rules) -> dict[str, Any]:
    """Return ``lists`` and ``recruits`` of ``gm-world``: the lists of recruits, and each city's list."""
    cities = {name: place.city for name, place in atlas.locations.items() if place.city}
    lists = list(dict.fromkeys(city.recruits for city in cities.values()))
    types = list(rules.troops)
    return {
        "lists": [list(map(types.index, troops)) for troops in lists],
        "recruits": {atlas.place_order[name]: lists.index(city.recruits) for name, city in cities.items()},
    }
