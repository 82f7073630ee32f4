"""Realms on the map: colours that stay apart on every shipped map, names on their land, hatchings, and what
the land can be coloured by instead.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain, combinations, pairwise
from math import dist
from typing import Any

import pytest

from gm.games.medieval.data.atlas import Atlas, Barrier
from gm.games.medieval.report.map_colours import darker
from gm.games.medieval.report.map_drawing import INDEPENDENT, draw_map, draw_sheet
from gm.games.medieval.report.map_geometry import inside, map_font_size, name_texts, text_width
from gm.games.medieval.report.map_marks import hatches
from gm.games.medieval.report.map_names import RealmName, realm_names
from gm.games.medieval.report.map_section import map_modes
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.games.medieval.state.world import Units
from gm.games.medieval.steps.economy import province_revenue
from maps.builder import colours
from tests.medieval.europeland import europe, europe_world
from tests.medieval.mapland import minsk, minsk_world
from tests.medieval.testland import rules


@cache
def shipped(name: str) -> tuple[Atlas, World]:
    table = SPEC.shipped_table(name)
    return table.board, SPEC.start(table, SPEC.maps()[name], None)


MAPS = sorted(SPEC.maps())


@pytest.mark.parametrize("name", MAPS)
def test_neighbours_are_ten_apart_as_drawn_for_every_sight_by_day_and_by_night(name: str) -> None:
    """16.12: measured in OKLab times a hundred, half of it on the ground, after Machado for colour-blind
    eyes.
    """
    atlas, world = shipped(name)
    met = colours.neighbours(atlas, world)
    distances = {(a, b): colours.apart(atlas.realms[a].colour, atlas.realms[b].colour) for a, b in met}
    assert {pair: away for pair, away in distances.items() if away < colours.LEAST} == {}
    others = (pair for pair in combinations(atlas.realms, 2) if pair not in met)
    assert (
        min((colours.apart(atlas.realms[a].colour, atlas.realms[b].colour) for a, b in others), default=9) > 2
    )


def test_colours_are_measured_as_others_measure_them() -> None:
    assert colours.oklab("#ff0000") == pytest.approx((62.796, 22.486, 12.585), abs=0.01)
    assert colours.oklab("#ffffff") == pytest.approx((100, 0, 0), abs=0.01)
    assert colours.cielab("#ffffff") == pytest.approx((100, 0, 0), abs=0.1)
    assert colours.on_paper("#000000", "#f4ead1") == "#7a7568"
    red = colours.oklab("#c04040", "deuteranopia")
    green = colours.oklab("#707010", "deuteranopia")
    assert dist(red, green) < dist(colours.oklab("#c04040"), colours.oklab("#707010")) / 2
    assert colours.INDEPENDENT == INDEPENDENT
    sheet = draw_sheet(minsk(), minsk_world(), rules(), {})
    assert "lands g,.covers use{fill-opacity:.5}" in sheet
    assert f'class="ground" href="#m-land" fill="{colours.PAPERS[0]}"' in sheet


def contrast(a: str, b: str) -> float:
    light, dark = sorted((colours.luminance(a), colours.luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", MAPS)
def test_words_and_figures_can_be_read_on_pills_flags_and_land(name: str) -> None:
    sheet = draw_sheet(*shipped(name), rules(), {})
    ink = "#2b2117"
    plate = "#f4ead1"
    assert f".plate{{fill:{plate};stroke:{ink}" in sheet
    assert contrast(ink, plate) >= 4.5
    for seat in shipped(name)[0].realms.values():
        assert contrast("#17110a", colours.on_paper(seat.colour, plate)) >= 4.5, (seat, "a name on its land")
        assert contrast(plate, darker(seat.colour)) >= 3, (seat, "the figure on its base")


def test_realms_whose_capitals_are_near_have_other_hatchings() -> None:
    atlas, _ = shipped("europe-1320")
    kinds = hatches(atlas)
    at = {code: atlas.locations[seat.capital].label for code, seat in atlas.realms.items()}
    assert len(set(kinds.values())) == 7
    same = [dist(at[a], at[b]) for a, b in combinations(at, 2) if kinds[a] == kinds[b]]
    assert min(same) > sorted(dist(at[a], at[b]) for a, b in combinations(at, 2))[len(at)]


def points(line: str) -> list[tuple[float, float]]:
    """The ends and the middle of a name's curve."""
    x1, y1, x2, y2, x3, y3 = map(float, re.findall(r"-?\d+", line))
    return [(x1, y1), ((x1 + 2 * x2 + x3) / 4, (y1 + 2 * y2 + y3) / 4), (x3, y3)]


@pytest.mark.parametrize("name", MAPS)
def test_every_realms_name_lies_on_its_own_land(name: str) -> None:
    atlas, world = shipped(name)
    names = {name.code: name for name in realm_names(atlas, world, map_font_size(atlas), name_texts(atlas))}
    assert list(names) == list(atlas.realms)
    for code, realm_name in names.items():
        assert realm_name.text == world.realms[code].name.upper()
        lands = list(chain.from_iterable(atlas.locations[land.name].outline for land in world.owned_by(code)))
        assert inside(points(realm_name.line)[1], lands), (code, "the middle")
        assert realm_name.size >= map_font_size(atlas) * 1.8


def test_a_name_follows_the_land_is_no_longer_than_it_and_goes_with_it() -> None:
    world = minsk_world()
    before = {name.code: name for name in realm_names(minsk(), world, 13, name_texts(minsk(), 13))}
    for name in before.values():
        (x1, y1), _, (x2, y2) = points(name.line)
        assert x1 < x2
        assert abs(y2 - y1) < 1.7 * (x2 - x1), "steep, and still read from left to right"
    all_teutonic = world.with_provinces(*(land.evolve(owner="TEU") for land in world.provinces.values()))
    (only,) = realm_names(minsk(), all_teutonic, 13, name_texts(minsk(), 13))
    assert only.code == "TEU"
    assert only.size > before["TEU"].size
    (x1, _), _, (x2, _) = points(only.line)
    assert x2 - x1 < minsk().width
    sheet = draw_sheet(minsk(), world, rules(), {})
    assert re.findall(r"<textPath[^>]*>([^<]+)<", sheet) == [name.text for name in before.values()]
    assert '<g class="still names" aria-hidden="true">' in sheet


@pytest.mark.parametrize("name", MAPS)
def test_names_of_realms_run_through_no_name_of_a_place(name: str) -> None:
    """item 39: a picture shows only names that lie between those of places; nothing on it moves aside."""
    atlas, world = shipped(name)
    unit = map_font_size(atlas)
    boxes = [name.box for name in name_texts(atlas, unit).values()]
    names = [name for name in realm_names(atlas, world, unit, name_texts(atlas, unit)) if name.free]
    assert len(names) * 2 > len(atlas.realms)
    for realm_name in names:
        start, _, end = points(realm_name.line)
        for x, y in along(start, end, realm_name):
            assert not any(
                abs(x - box.x) < box.width / 2 and abs(y - box.y) < box.height / 2 for box in boxes
            ), realm_name
    picture = draw_map(atlas, world, rules())
    assert re.findall(r"<textPath[^>]*>([^<]+)<", picture) == [name.text for name in names]


def along(
    start: tuple[float, float], end: tuple[float, float], name: RealmName
) -> Iterator[tuple[float, float]]:
    """The middles and the tops of a straight name's letters."""
    (x1, y1), (x2, y2) = start, end
    length = dist(start, end)
    across = ((y2 - y1) / length, -(x2 - x1) / length)
    wide = (text_width(name.text, name.size) + name.spacing * len(name.text)) / length
    for step in range(21):
        part = 0.5 + wide * (step / 20 - 0.5)
        for high in (0.1, 0.36, 0.62):
            x = x1 + (x2 - x1) * part
            y = y1 + (y2 - y1) * part
            yield x + across[0] * high * name.size, y + across[1] * high * name.size


def levels(atlas: Atlas, world: World) -> tuple[dict[str, str], dict[str, tuple[tuple[int, str], ...]]]:
    text, modes = map_modes(atlas, world, rules())
    return dict(zip(atlas.locations, text.split(" "), strict=True)), {mode.key: mode.legend for mode in modes}


def spans_of(
    levels_of: Mapping[str, str], letters: str, amount: Callable[[str], Any]
) -> Iterator[tuple[Any, Any]]:
    """Yield the least and the most that places of each letter have, of the letters that any place has."""
    for letter in letters:
        amounts = [amount(name) for name, all_its in levels_of.items() if letter in all_its]
        if amounts:
            yield min(amounts), max(amounts)


@pytest.mark.clause("L11", "W8")
def test_letters_grow_with_revenue_and_troops_and_the_legend_says_from_what_to_what() -> None:
    world = europe_world()
    levels_of, legend = levels(europe(), world)
    amounts = {
        "abcde": ("gold", lambda name: province_revenue(world.provinces[name], europe(), rules())),
        "fghij": ("troops", lambda name: sum(unit.troop_count for unit in world.at(name))),
        "kmo": ("cities", lambda name: city.resource if (city := europe().city(name)) else 0),
    }
    for letters, (key, amount) in amounts.items():
        spans = list(spans_of(levels_of, letters, amount))
        assert spans == sorted(spans)
        assert all(low <= high < after for (low, high), (after, _) in pairwise(spans))
        words_told = [words for strength, words in legend[key] if strength]
        assert len(words_told) == len(spans)
        for words, (low, high) in zip(words_told, spans, strict=True):
            ends = [float(figure.replace(",", "")) for figure in re.findall(r"[\d.,]+", words)]
            assert (ends[0], ends[-1]) == (float(low), float(high))
        without = {name for name in world.provinces if not set(letters) & set(levels_of[name])}
        assert all(not amount(name) for name in without)


@pytest.mark.clause("W8")
def test_fewer_provinces_than_letters_have_a_colour_each_and_the_legend_says_whose() -> None:
    world = europe_world()
    units = [unit for unit in world.units.values() if not unit.empty][:2]
    few = world.evolve(units=Units({unit.key: unit for unit in units}))
    levels_of, legend = levels(europe(), few)
    weak_unit, strong_unit = sorted(units, key=lambda unit: unit.troop_count)
    weak, strong = (set(levels_of[unit.place]) & set("fghij") for unit in (weak_unit, strong_unit))
    assert min(weak) < min(strong)
    figures = [re.findall(r"\d+", words) for strength, words in legend["troops"] if strength]
    assert figures == [[str(weak_unit.troop_count)], [str(strong_unit.troop_count)]]


@pytest.mark.clause("W3")
def test_terrain_tells_of_mountains_and_coasts() -> None:
    levels_of, legend = levels(europe(), europe_world())
    high = set(
        chain.from_iterable(
            (border.a, border.b) for border in europe().borders if border.barrier is Barrier.MOUNTAINS
        )
    )
    for name in europe().provinces:
        assert ("r" in levels_of[name]) == (name in high)
        assert ("p" in levels_of[name]) == (name not in high and europe().has_coast(name))
    assert not any(levels_of[name] for name in europe().seas)
    assert [strength for strength, _ in legend["terrain"]] == [0, 15, 68]


def test_names_stand_in_the_middle_in_the_second_drawing_too() -> None:
    """On paper and without scripts a page has its drawing twice; in the copy no rule sees what is around."""
    sheet = draw_sheet(minsk(), minsk_world(), rules(), {})
    style = sheet.partition("<style>")[2].partition("</style>")[0]
    (selectors,) = re.findall(r"([^{}]+)\{[^{}]*text-anchor:middle", style)
    assert {".at text", ".names text"} <= set(selectors.strip().split(","))
