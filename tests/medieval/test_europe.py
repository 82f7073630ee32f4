"""Europe in 1320: what the rulebook names is there, mountains are walls, the start is fair, colours tell
apart.
"""

from collections import Counter, defaultdict
from decimal import Decimal
from functools import cache
from itertools import chain, combinations, product
from math import dist

import pytest

from gm.core.orders.reading import NameIndex
from gm.games.medieval.data.atlas import Barrier
from gm.games.medieval.data.map_check import TURNS_COUNTED, balance_figures, check_map, lands_to_conquer
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.report.map_drawing import INDEPENDENT
from gm.games.medieval.report.map_geometry import marker_boxes, name_texts
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import INDEPENDENTS, pair
from gm.text.colours import SIGHTS, cielab
from tests.medieval.europeland import EUROPE, europe, europe_world, play_europe
from tests.medieval.order_reading import yaml_cases
from tests.medieval.testland import rules, unit

FACTS = yaml_cases("europe")


@pytest.mark.slow
def test_the_map_has_nothing_to_complain_about() -> None:
    assert check_map(EUROPE) == []


@pytest.mark.clause("W2")
def test_there_are_more_than_three_hundred_provinces_and_more_than_sixty_seas() -> None:
    assert 300 <= len(europe().provinces) <= 390
    assert 60 <= len(europe().seas) <= 85


@pytest.mark.clause("W2")
def test_every_place_that_the_rulebook_names_is_there() -> None:
    names = NameIndex("place", europe().locations)
    other = europe().other_names
    assert [name for name in FACTS["named"] if not (names.find(name) or name in other)] == []
    assert {name for name in FACTS["named"] if names.find(name) is None} == {"Zeeland"}  # in English Zealand
    assert {code: europe().realms[code].capital for code in FACTS["capitals"]} == FACTS["capitals"]


@pytest.mark.clause("T6", "W1")
def test_the_realms_are_those_of_the_rulebook_in_its_groups() -> None:
    groups = defaultdict(set)
    for code, seat in europe().realms.items():
        groups[seat.group].add(code)
    assert {group: set(codes) for group, codes in FACTS["groups"].items()} == dict(groups)


@pytest.mark.clause("V1")
def test_points_decide_after_its_last_turn_and_not_before() -> None:
    table = SPEC.shipped_table("europe-1320")

    def is_won(turn: int) -> bool:
        world = europe_world().evolve(turn=turn - 1)
        return bool(play_turn(world, {}, rules=table.rules, atlas=table.board, seed="").state.winners)

    assert (is_won(59), is_won(60)) == (False, True)


# -- borders -------------------------------------------------------------------------------------------------


@pytest.mark.clause("W3")
def test_the_alps_are_a_wall_with_five_passes() -> None:
    italy, beyond, open_ways = (FACTS["alps"][name] for name in ("italy", "beyond", "passes"))
    borders = {
        (a, b): europe().graph.barrier(a, b)
        for a, b in product(italy, beyond)
        if europe().graph.borders(a, b)
    }
    passes = {both for both, barrier in borders.items() if barrier is None}
    assert passes == set(map(tuple, open_ways))
    assert len(borders) > 2 * len(passes) - 1


@pytest.mark.clause("W3")
def test_ranges_close_their_borders() -> None:
    closed = [tuple(border) for border in FACTS["closed"]]
    assert [border for border in closed if europe().graph.barrier(*border) is not Barrier.MOUNTAINS] == []


@pytest.mark.clause("W3")
def test_narrow_straits_can_be_marched() -> None:
    straits = {frozenset((border.a, border.b)) for border in europe().borders if border.strait}
    for crossing in FACTS["straits"]:
        assert frozenset(crossing) in straits
        assert europe().is_open(*crossing)


@pytest.mark.clause("X11", "M8.1", "M3")
def test_x11_as_the_rulebook_tells_it_on_the_real_map() -> None:
    landings = ("Slavinia", "Schleswig", "Zealand", "Scania")
    parts = [unit(f"TEU/A{n}", "Riga", {"Heavy Infantry": 5 if n == 4 else 1}) for n in (1, 2, 3, 4)]
    knights = unit("TEU/A5", "Pomerania", {"Crusader Knights": 4})
    fleet = unit("TEU/F1", "Baltic Sea", {"Trading Cog": 4})
    start = europe_world()
    landed_on = [force for force in start.units.values() if force.place in (*landings, "Pomerania")]
    world = start.evolve(wars=frozenset({pair("TEU", "DEN")}))
    world = world.with_units([*(force.evolve(troops={}) for force in landed_on), *parts, knights, fleet])
    played = play_europe(world, {"TEU": FACTS["x11"]})
    assert played.world.units["TEU/F1"].place == "Hanöbukten"
    # item 5: all of them together have a total combat of 272, so that nobody can fail to land (M8)
    assert {reason for _, _, reason in played.fates("TEU")} == {""}
    assert played.fate("TEU", "F1 load: A5") == ("done", "")
    assert played.world.provinces["Scania"].owner == "TEU"


# -- cities and recruits -------------------------------------------------------------------------------------


@pytest.mark.clause("W4")
def test_capitals_recruit_more_types_than_the_other_cities_of_their_realm() -> None:
    for code, seat in europe().realms.items():
        capital = europe().city(seat.capital)
        assert capital is not None
        for land in europe_world().owned_by(code):
            city = europe().city(land.name)
            if city and land.name != seat.capital:
                assert len(city.recruits) < len(capital.recruits), (code, land.name)
                assert city.resource < capital.resource


@pytest.mark.clause("T6", "W4")
def test_special_troops_are_recruited_where_they_belong() -> None:
    cities = {name: city.recruits for name in europe().provinces if (city := europe().city(name))}

    def where(troop: str) -> set[str]:
        return {name for name, recruits in cities.items() if troop in recruits}

    assert "Riga" in where("Crusader Knights")
    assert where("Imperial Guards") == {"Byzantium"}
    assert where("Longbowmen") == {"London", "Gloucester", "York"}
    assert where("Berber Warriors") <= {"Fez", "Tangier", "Bougie", "Tunis", "Kairouan"}
    assert where("Siege Machine") == set(cities)
    assert "Mongol Horse Archers" in cities["Sarai"]
    assert "Boyar Guards" in cities["Novgorod"]


# -- the start -----------------------------------------------------------------------------------------------


@pytest.mark.clause("W11")
def test_each_realm_has_four_to_seven_provinces_a_capital_and_all_its_troops_in_garrisons() -> None:
    for code, seat in europe().realms.items():
        home = europe_world().owned_by(code)
        assert 4 <= len(home) <= 7, code
        assert seat.capital in [land.name for land in home]
        assert all(land.annexed_to == code for land in home)
        assert all(unit.is_garrison for unit in europe_world().of_realm(code))


@pytest.mark.clause("W11")
def test_no_realm_has_more_than_fifteen_percent_more_than_another() -> None:
    rows = balance_figures(europe(), europe_world(), rules())
    worth = {row["realm"]: row["build cost"] + TURNS_COUNTED * row["revenue"] for row in rows}
    assert max(worth.values()) <= min(worth.values()) * Decimal("1.15")


def test_every_realm_has_at_least_four_provinces_to_conquer_at_once() -> None:
    for code in europe().realms:
        assert len(lands_to_conquer(europe(), europe_world(), code)) >= 4


@pytest.mark.clause("W7")
def test_the_richer_an_independent_province_the_stronger_its_garrison() -> None:
    costs = defaultdict(list)
    for name, province in europe_world().provinces.items():
        garrison = europe_world().garrison(name)
        if province.owner == INDEPENDENTS:
            assert garrison is not None, name
            cost = sum(rules().troops[troop].cost * garrison.count(troop) for troop in garrison.troops)
            assert cost > 0, name
            costs[min(12, int(europe().locations[name].revenue) // 3 * 3)].append(cost)
    means = [sum(garrison_costs) / len(garrison_costs) for _, garrison_costs in sorted(costs.items())]
    assert means == sorted(means)
    assert means[-1] > 4 * means[0] > 0


# -- the picture ---------------------------------------------------------------------------------------------


def test_names_and_troops_cover_no_other_place_s_name() -> None:
    texts = name_texts(europe())
    size = max(text.size for text in texts.values())
    boxes = [
        (name, box)
        for name, text in texts.items()
        for box in (text.box, *(() if europe().is_sea(name) else marker_boxes(text, 1, size)))
    ]
    cells = Counter(name for name, _ in boxes)
    assert cells
    covered = [(a, b) for (a, box), (b, other) in combinations(boxes, 2) if a != b and box.overlaps(other)]
    # a tenth of a line of troops' paper may touch a neighbour's: boxes are measured generously
    assert len(covered) <= 6, covered


def test_the_map_file_is_small_enough_to_be_read_with_every_command() -> None:
    assert (EUROPE / "map.yaml").stat().st_size < 400_000


def test_other_names_of_places_are_told_the_maps() -> None:
    """16.6: the cities' and those of the map's table; none of them counts, and none is a place of its own."""
    names = NameIndex("place", europe().locations, hints=europe().other_names)
    for text, place in (
        ("Paris", "Île de France"),
        ("Constantinople", "Byzantium"),
        ("Konstantinopel", "Byzantium"),
        ("Koeln", "Cologne"),
        ("köln", "Cologne"),
    ):
        assert names.find(text) is None
        assert names.suggestion(text) == f"that is {place!r} here"
    assert set(europe().aliases.values()) <= set(europe().locations)
    assert not set(europe().aliases) & set(europe().locations)


APART = {1: 27.0, 2: 27.0, 3: 22.0, 4: 16.0, 5: 13.0}
"""How far apart in CIE L*a*b* the colours of realms must be whose lands are so many borders apart."""
FAR_APART = 6.0
FROM_PAPER = 34.0


@cache
def borders_between(a: str, b: str) -> int:
    """How many borders lie between the nearest lands of two realms, by land and sea."""
    goal = {land.name for land in europe_world().owned_by(b)}
    reached = {land.name for land in europe_world().owned_by(a)}
    steps = 0
    while not reached & goal:
        reached |= set(chain.from_iterable(europe().open_neighbours(name) for name in reached))
        steps += 1
    return steps


@pytest.mark.parametrize("sight", SIGHTS)
def test_realms_that_will_meet_have_colours_that_are_told_apart(sight: str) -> None:
    colours = {code: cielab(seat.colour, sight) for code, seat in europe().realms.items()}
    alike = [
        (a, b, round(dist(colours[a], colours[b])), borders_between(a, b))
        for a, b in combinations(colours, 2)
        if dist(colours[a], colours[b]) < APART.get(borders_between(a, b), FAR_APART)
    ]
    assert alike == []


@pytest.mark.parametrize("sight", SIGHTS)
def test_no_realm_looks_like_independent_land(sight: str) -> None:
    paper = cielab(INDEPENDENT, sight)
    assert [
        code for code, seat in europe().realms.items() if dist(cielab(seat.colour, sight), paper) < FROM_PAPER
    ] == []


def test_black_and_white_are_a_hundred_apart_for_everybody() -> None:
    for sight in SIGHTS:
        assert dist(cielab("#000000", sight), cielab("#ffffff", sight)) == pytest.approx(100, abs=0.5)
