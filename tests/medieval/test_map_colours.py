"""Land of neighbours of today is told apart by everybody: by its colour or by a hatching (W8)."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from coloraide import Color

from gm.core.dice import Dice
from gm.core.yaml.models import load_data
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.report import map_colours
from gm.games.medieval.report.map_drawing import draw_map, draw_sheet
from gm.games.medieval.state import INDEPENDENTS, Pair, World
from gm.text.colours import PAPERS, SIGHTS, TOLD_APART, ciede2000, cielab, on_paper
from tests.medieval.europeland import europe, europe_world
from tests.medieval.mapland import minsk, minsk_world
from tests.medieval.testland import rules

DATA = Path(__file__).with_name("data")
GAMES = {"Europe": (europe, europe_world), "Minsk": (minsk, minsk_world)}


def owned(world: World, owners: dict[str, str]) -> World:
    return world.with_provinces(*(land.evolve(owner=owners[name]) for name, land in world.provinces.items()))


def turn_11() -> World:
    rows = load_data(DATA / "europe-turn-11.yaml")[0]
    return owned(europe_world(), {place: code for code, places in rows.items() for place in places})


def dealt(world: World, seed: int) -> World:
    """The world with lands dealt out at random: each borders on everybody."""
    codes = [*world.realms, INDEPENDENTS]
    drawn = Dice(str(seed))("owners")
    return owned(world, {name: drawn.choice(codes) for name in world.provinces})


def alike(atlas: Atlas, world: World) -> Iterator[Pair]:
    """The neighbours whose land looks alike to somebody, in colour and hatching."""
    hatches = map_colours.hatches_today(atlas, world)
    for one, other in map_colours.neighbours_today(atlas, world):
        same_hatch = hatches.get(one) == hatches.get(other)
        if same_hatch and map_colours.apart(atlas, one, other) < TOLD_APART:
            yield one, other


def test_differences_are_those_that_others_measure() -> None:
    """item 38: CIEDE2000 and what is left of colours, against a library."""
    drawn = Dice("colours")("colours")
    for _ in range(300):
        one, other = ("#" + "".join(f"{drawn.below(256):02x}" for _ in range(3)) for _ in "ab")
        library = Color(one).delta_e(Color(other), method="2000")
        assert ciede2000(cielab(one), cielab(other)) == pytest.approx(library, abs=0.05)
    for sight, name in (("deuteranopia", "deutan"), ("protanopia", "protan")):
        seen = [Color(colour).filter(name, method="machado") for colour in ("#5b8c7b", "#8e81a9")]
        own = [cielab(colour, sight) for colour in ("#5b8c7b", "#8e81a9")]
        assert ciede2000(*own) == pytest.approx(seen[0].delta_e(seen[1], method="2000"), abs=1.5)


def test_neighbours_of_a_played_game_are_told_apart() -> None:
    """item 38: at turn 11 Arles and Saxony lie side by side, 5 apart, and eight other such pairs."""
    world = turn_11()
    close = map_colours.alike_today(europe(), world)
    assert "SAX" in close["ARL"]
    assert map_colours.apart(europe(), "ARL", "SAX") < 6
    assert list(alike(europe(), world)) == []


@pytest.mark.parametrize("name", GAMES)
def test_whoever_borders_on_whom_is_told_apart(name: str) -> None:
    """item 38: even where every realm borders on every other."""
    atlas, world = (maker() for maker in GAMES[name])
    assert list(alike(atlas, world)) == []
    for seed in range(10):
        assert list(alike(atlas, dealt(world, seed))) == [], seed


def test_hatchings_come_only_to_those_who_need_one() -> None:
    """item 38: at the start of Europe one realm."""
    assert map_colours.hatches_today(minsk(), minsk_world()) == {}
    hatches = map_colours.hatches_today(europe(), europe_world())
    assert len(hatches) == 1
    assert len(map_colours.hatches_today(europe(), turn_11())) < 9


@pytest.mark.slow
def test_the_picture_the_page_and_the_legend_show_the_hatchings() -> None:
    """item 38: without being asked; on the page only while land is coloured by its owners."""
    world = turn_11()
    hatches = map_colours.hatches_today(europe(), world)
    picture = draw_map(europe(), world, rules())
    on_land = set(re.findall(r"url\(#m-h(\d)\);fill-opacity:1\" href=\"#m-l(\w{3})\"", picture))
    assert {code: int(kind) for kind, code in on_land} == hatches
    assert picture.count("url(#m-h") == 2 * len(hatches)
    sheet = draw_sheet(europe(), world, rules(), {})
    for code, kind in hatches.items():
        assert f".lands .u-{code}>.needed{{fill:url(#m-h{kind})" in sheet
    assert sheet.count('class="still rim needed"') == len(hatches)


def test_independent_land_is_told_from_every_realm_by_day_and_by_night() -> None:
    """item 38: the ground of the night was 2 from England's red."""
    for atlas in (europe(), minsk()):
        for code in atlas.realms:
            assert map_colours.apart(atlas, code, INDEPENDENTS) >= TOLD_APART, code


def test_the_style_of_the_page_has_the_colours_that_are_measured() -> None:
    css = (Path(__file__).parents[2] / "templates/medieval/css/map.css").read_text(encoding="utf-8")
    assert f".u-IND {{ fill: {map_colours.INDEPENDENT_BY_NIGHT}; }}" in css
    assert f".map .ground {{ fill: {PAPERS[1]};" in css
    assert on_paper("#000000", PAPERS[0]) == "#7a7568"
    assert set(SIGHTS) == {"full sight", "deuteranopia", "protanopia"}
