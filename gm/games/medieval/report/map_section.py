"""The map in a realm's page: its drawing, with switches and a legend.

Colour modes besides owners: revenue, troops, cities, terrain (W3, W4, W8, L11). Each province has a letter
for each mode in which it has a level; css/map.css gives the letters their strength.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import chain

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas, Barrier
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report import views
from gm.games.medieval.report.map_drawing import draw_sheet
from gm.games.medieval.report.map_marks import Move, land_legend
from gm.games.medieval.state import INDEPENDENTS, World
from gm.games.medieval.steps.economy import province_revenue
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.pages import fragment, gold, ready_markup

# the letters of each mode, from the weakest colour to the strongest
_GOLD = "abcde"
_TROOPS = "fghij"
_CITIES = "kmo"
_TERRAIN = "pr"
_STRENGTHS = dict(
    zip(_GOLD + _TROOPS + _CITIES + _TERRAIN, (15, 32, 50, 68, 86) * 2 + (32, 50, 86) + (15, 68), strict=True)
)
"""How strongly a letter colours its land, in percent."""

Legend = tuple[tuple[int, str], ...]
"""The legend of a mode: (strength in percent, words), from the weakest colour to the strongest."""


class Mode(Record):
    """A way to colour the map: its name in the page, and its legend in the reader's language."""

    key: str
    legend: Legend


def map_modes(
    atlas: Atlas, world: World, rules: Rules, translate: Translate = str
) -> tuple[str, tuple[Mode, ...]]:
    """Return the letters of all places, and the four modes.

    A place has one letter for each mode in which it has a level. Places are in the map's order, with a space
    between them.
    """
    revenue = {name: province_revenue(land, atlas, rules) for name, land in world.provinces.items()}
    troops = {name: _troops_at(world, name) for name in world.provinces}
    city_of = {name: atlas.city(name) for name in world.provinces}
    recruits = {name: Decimal(city.resource) for name, city in city_of.items() if city}

    gold_legend, gold_letters = _levels(_GOLD, revenue, translate, translate("gold a turn: {}"))
    troops_legend, troops_letters = _levels(_TROOPS, troops, translate, translate("troops: {}"))
    cities_legend, cities_letters = _levels(_CITIES, recruits, translate, translate("troops a turn: {}"))
    terrain_legend, terrain_letters = _terrain(atlas, world.provinces, translate)
    modes = (
        Mode("gold", gold_legend),
        Mode("troops", ((0, translate("nobody")), *troops_legend)),
        Mode("cities", ((0, translate("no city")), *cities_legend)),
        Mode("terrain", terrain_legend),
    )
    letters_of_modes = (gold_letters, troops_letters, cities_letters, terrain_letters)
    letters = ["".join(each.get(name, "") for each in letters_of_modes) for name in atlas.locations]
    return " ".join(letters), modes


def _troops_at(world: World, name: str) -> Decimal:
    """Return the number of troops of all realms at a place."""
    return Decimal(sum(unit.troop_count for unit in world.at(name)))


def _levels(
    letters: str, amounts: Mapping[str, Decimal], translate: Translate, pattern: str
) -> tuple[Legend, dict[str, str]]:
    """Return the legend of a mode by amounts, and each province's letter; none for an amount of 0.

    About as many provinces get each of the ``letters``, equal amounts the same one. ``pattern``: the words of
    the legend, in which ``{}`` stands for the amounts.
    """
    values = sorted(amount for amount in amounts.values() if amount)
    if not values:
        return (), {}
    legend = []
    letter_of: dict[str, str] = {}
    low = Decimal(0)
    for number, letter in enumerate(letters, 1):
        up_to_here = number * len(values) // len(letters)  # provinces with this letter or one before it
        if not up_to_here:
            continue  # there are fewer provinces than letters
        # this letter is for amounts above ``low``, up to ``top``
        top = values[up_to_here - 1]
        inside = sorted({value for value in values if low < value <= top})
        if inside:
            span = translate("{} to {}").format(gold(inside[0]), gold(inside[-1]))
            amounts_words = gold(inside[0]) if len(inside) == 1 else span
            legend.append((_STRENGTHS[letter], pattern.format(amounts_words)))
        letter_of |= {name: letter for name, amount in amounts.items() if low < amount <= top}
        low = top
    return tuple(legend), letter_of


def _terrain(atlas: Atlas, provinces: Iterable[str], translate: Translate) -> tuple[Legend, dict[str, str]]:
    """Return the legend of the terrain, and the letters of provinces with a mountain border or a coast.

    A province with both has the letter of mountains.
    """
    closed_borders = [border for border in atlas.borders if border.barrier is Barrier.MOUNTAINS]
    mountainous = set(chain.from_iterable((border.a, border.b) for border in closed_borders))
    coast = _TERRAIN[0]
    mountains = _TERRAIN[1]
    letter_of = {}
    for name in provinces:
        if name in mountainous:
            letter_of[name] = mountains
        elif atlas.has_coast(name):
            letter_of[name] = coast
    legend = (
        (0, translate("inland")),
        (_STRENGTHS[coast], translate("on a coast")),
        (_STRENGTHS[mountains], translate("with mountains that close a border")),
    )
    return legend, letter_of


def map_section(
    world: World,
    rules: Rules,
    atlas: Atlas,
    phases: Mapping[int, Sequence[Move]],
    *,
    language: str = ENGLISH,
    compared_from: str = "",
) -> str:
    """Return the HTML of the map with its switches and legend.

    ``phases``: the moves of the turn, by phase; ``compared_from``: the words for the first turn that the map
    can be compared with, empty for the start.
    """
    counts = Counter(land.owner for land in world.provinces.values())
    translate = translator("medieval", language)
    letters, modes = map_modes(atlas, world, rules, translate)
    legend = [(kind, name, translate(words)) for kind, name, words in land_legend(atlas)]
    realms = []
    for code in (*atlas.realms, INDEPENDENTS):
        name = f"{views.realm_name(world, code, translate)} ({counts[code]})"
        realms.append((code, name if code == INDEPENDENTS else f"{code} {name}"))
    values = {
        "title": atlas.title,
        "drawing": ready_markup(draw_sheet(atlas, world, rules, phases, levels=letters)),
        "modes": modes,
        "phases": tuple(phases),
        "compared_from": compared_from,
        "realms": realms,
        "legend": [*legend, ("symbol", "flag", translate("Flag of the realm that a province is annexed to"))],
    }
    return fragment("medieval/map/section.html", values, language)
