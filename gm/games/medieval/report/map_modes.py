"""Colour modes of the map besides owners: revenue, troops, cities, terrain (W3, W4, W8, L11).

Each province has a letter for each mode in which it has a level; css/map.css gives the letters their
strength.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas, Barrier
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import province_revenue
from gm.text.languages import Translate
from gm.text.pages import gold

_GOLD = "abcde"
_TROOPS = "fghij"
_CITIES = "kmo"
_TERRAIN = "pr"
_STRENGTHS = dict(
    zip(_GOLD + _TROOPS + _CITIES + _TERRAIN, (15, 32, 50, 68, 86) * 2 + (32, 50, 86) + (15, 68), strict=True)
)
"""How strongly a letter colours its land, in percent."""


class Mode(Record):
    """A way to colour the map, and its legend as (strength in percent, words) from nothing to most."""

    key: str
    legend: tuple[tuple[int, str], ...]


def map_modes(
    atlas: Atlas, world: World, rules: Rules, translate: Translate = str
) -> tuple[str, tuple[Mode, ...]]:
    """Return (each place's letters in the map's order, a space between, the modes that have levels)."""
    revenue = {name: province_revenue(land, atlas, rules) for name, land in world.provinces.items()}
    troops = {name: _troops_at(world, name) for name in world.provinces}
    city_of = {name: atlas.city(name) for name in world.provinces}
    cities = {name: Decimal(city.resource) for name, city in city_of.items() if city}
    classes = dict.fromkeys(world.provinces, "")
    modes = [
        Mode("gold", tuple(_levels(_GOLD, revenue, classes, translate, translate("gold a turn: {}")))),
        Mode(
            "troops",
            (
                (0, translate("nobody")),
                *_levels(_TROOPS, troops, classes, translate, translate("troops: {}")),
            ),
        ),
        Mode(
            "cities",
            (
                (0, translate("no city")),
                *_levels(_CITIES, cities, classes, translate, translate("troops a turn: {}")),
            ),
        ),
        Mode("terrain", tuple(_terrain(atlas, classes, translate))),
    ]
    return " ".join(classes.get(name, "") for name in atlas.locations), tuple(modes)


def _troops_at(world: World, name: str) -> Decimal:
    return Decimal(sum(unit.troop_count for unit in world.at(name)))


def _levels(
    letters: str,
    amounts: Mapping[str, Decimal],
    letters_by_place: dict[str, str],
    translate: Translate,
    words: str,
) -> Iterator[tuple[int, str]]:
    """Give each province with an amount a letter: about as many to each, equal amounts the same."""
    values = sorted(amount for amount in amounts.values() if amount)
    tops = (
        [values[(index + 1) * len(values) // len(letters) - 1] for index in range(len(letters))]
        if values
        else []
    )
    low = Decimal(0)
    for letter, top in zip(letters, tops, strict=False):
        inside: Sequence[Decimal] = sorted({value for value in values if low < value <= top})
        if inside:
            span = translate("{} to {}").format(gold(inside[0]), gold(inside[-1]))
            yield _STRENGTHS[letter], words.format(gold(inside[0]) if len(inside) == 1 else span)
        for name, amount in amounts.items():
            if low < amount <= top:
                letters_by_place[name] += letter
        low = top


def _terrain(
    atlas: Atlas, letters_by_place: dict[str, str], translate: Translate
) -> Iterator[tuple[int, str]]:
    """Yield land with mountains at a border of it, other land on a coast, and the rest."""
    closed = [border for border in atlas.borders if border.barrier is Barrier.MOUNTAINS]
    high = set(chain.from_iterable((border.a, border.b) for border in closed))
    coast = _TERRAIN[0]
    mountains = _TERRAIN[1]
    for name in letters_by_place:
        if name in high:
            letters_by_place[name] += mountains
        elif atlas.has_coast(name):
            letters_by_place[name] += coast
    yield 0, translate("inland")
    yield _STRENGTHS[coast], translate("on a coast")
    yield _STRENGTHS[mountains], translate("with mountains that close a border")
