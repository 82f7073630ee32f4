"""The page's map and its location reports: everything that anybody may know, linked, small, and nobody's
markup.
"""

import re
from itertools import chain
from xml.etree import ElementTree

import pytest

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.map_file import load_atlas
from gm.games.medieval.report.map_drawing import draw_sheet
from gm.games.medieval.report.map_marks import MARCH, SAIL, Move, moves_by_phase
from gm.games.medieval.report.map_section import map_section
from gm.games.medieval.report.views import ProvinceRow, borders_of, realm_name
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.text.pages import fragment, slug
from tests.medieval.europeland import europe, europe_world
from tests.medieval.mapland import minsk, minsk_world
from tests.medieval.reportland import busy_record
from tests.medieval.testland import atlas as small_land
from tests.medieval.testland import commander, make_world, rules, unit

SVG = "{http://www.w3.org/2000/svg}"
EVIL = '</title></b><script>alert("x")</script>&'


def places_of(atlas: Atlas, world: World) -> str:
    """The table of all places."""
    provinces = {
        name: ProvinceRow(province, world, rules(), atlas) for name, province in world.provinces.items()
    }
    places = [
        (name, provinces.get(name), realm_name(world, place.capital_of) if place.capital_of else "")
        for name, place in atlas.locations.items()
    ]
    return str(fragment("medieval/places.html", {"places": places}))


def row(html: str, place: str) -> str:
    """One place's row as plain text."""
    match = re.search(rf'<tr id="place-{slug(place)}".*?(?=<tr|</tbody)', html, re.DOTALL)
    assert match
    return " ".join(re.sub(r"<[^>]+>", " ", match.group(0)).split())


def sheet(world: World | None = None, **phases: list[Move]) -> ElementTree.Element:
    moves = {int(name[1:]): phase for name, phase in phases.items()}
    return ElementTree.fromstring(draw_sheet(minsk(), world or minsk_world(), rules(), moves))  # noqa: S314 - our own


def of_class(root: ElementTree.Element, css: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if css in element.get("class", "").split()]


def at(root: ElementTree.Element, place: str) -> ElementTree.Element:
    return next(link for link in of_class(root, "at") if link.get("href") == f"#place-{slug(place)}")


@pytest.mark.parametrize("name", sorted(SPEC.maps()))
def test_no_two_places_of_a_shipped_map_have_the_same_address(name: str) -> None:
    places = load_atlas(SPEC.maps()[name] / "map.yaml", rules()).locations
    slugs = {slug(place) for place in places}
    assert len(slugs) == len(places)
    assert all(re.fullmatch("[a-z0-9-]+", slug) for slug in slugs)


def test_names_that_a_reader_tells_apart_have_different_addresses() -> None:
    names = [
        "Ile de France",
        "Ile-de-France",
        "Ile. de France",
        "Ile' de France",
        "Иль",
        "Киев",
        "A-1",
        "A 1",
        "A--1",
    ]
    assert len({slug(name) for name in names}) == len(names)
    assert slug("Île de FRANCE") == slug("ile de france") == "ile-de-france"


@pytest.mark.clause("W2")
def test_every_place_is_a_link_to_its_report_and_has_a_shape_of_its_number() -> None:
    links = list(sheet().iter(f"{SVG}a"))
    assert [link.get("href") for link in links] == [f"#place-{slug(name)}" for name in minsk().locations]
    names = [" ".join(name.itertext()) for name in of_class(sheet(), "n")]
    assert names == list(minsk().locations)
    shapes = {path.get("id") for path in sheet().iter(f"{SVG}path")}
    assert {f"m{index}" for index in range(len(links))} <= shapes


def test_the_drawing_needs_nothing_else_and_says_everything_once() -> None:
    text = draw_sheet(minsk(), minsk_world(), rules(), {})
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#(m[^"]+)"', text)) <= set(ids)
    assert "<script" not in text
    assert "url(http" not in text
    assert text == draw_sheet(minsk(), minsk_world(), rules(), {})


@pytest.mark.clause("W8")
def test_each_realms_troops_carry_its_class_its_code_and_their_number() -> None:
    world = make_world(
        unit("ENG/A1", "Kent", {"Heavy Cavalry": 2}),
        unit("FRA/A1", "Kent", {"Men-at-Arms": 13}),
        unit("ENG/A2", "Paris"),
    )
    root = ElementTree.fromstring(draw_sheet(small_land(), world, rules(), {}))  # noqa: S314 - our own drawing
    texts = {element.get("class"): "".join(element.itertext()) for element in of_class(root, "t")}
    assert texts == {"t u-ENG": "eng 2", "t u-FRA": "fra 13"}  # in small capitals


@pytest.mark.clause("L11")
def test_revenue_is_shown_at_its_present_damage() -> None:
    krakow = minsk_world().provinces["Krakow"].evolve(damage=1)
    world = minsk_world().with_provinces(krakow)
    groups = (group for group in at(sheet(world), "Krakow").iter(f"{SVG}g") if not group.get("class"))
    texts = chain.from_iterable(group.findall(f"{SVG}text") for group in groups)
    (coin,) = (text for text in texts if text.get("class") != "n")
    province = ProvinceRow(krakow, world, rules(), minsk())
    assert coin.text == f"{province.revenue:.2f}".removesuffix(".00")
    assert province.revenue < province.base
    assert "broken" in coin.get("class", "")
    assert f" {coin.text} of {province.base} 1 " in row(places_of(minsk(), world), "Krakow")


@pytest.mark.clause("L7")
def test_annexation_is_a_flag_at_every_annexed_province_and_a_cover_where_it_is_not_its_owners() -> None:
    world = minsk_world()
    changed = [
        world.provinces["Krakow"].evolve(annexed_to="LIT"),
        world.provinces["Minsk"].evolve(annexed_to=None),
    ]
    root = sheet(world.with_provinces(*changed))
    flags = {
        place: [flag.get("class") for flag in of_class(at(root, place), "f")]
        for place in ("Krakow", "Minsk", "Vilna")
    }
    assert flags == {"Krakow": ["f u-LIT foreign"], "Minsk": [], "Vilna": ["f u-LIT"]}
    (covers,) = of_class(root, "covers")
    assert [cover.get("class") for cover in covers] == ["blank", "u-IND", "blank", "u-LIT"]


@pytest.mark.clause("M0")
def test_moves_are_grouped_by_phase_and_each_phase_has_its_switch() -> None:
    root = sheet(m1=[Move("LIT", MARCH, "Minsk", "Vilna")], m3=[Move("TEU", SAIL, "Baltic", "Nowhere")])
    (moves,) = of_class(root, "moves")
    assert [(move.get("class"), len(move)) for move in moves] == [("m1", 1), ("m3", 0)]
    assert moves[0][0].get("class") == "u-LIT march"
    record = busy_record()
    phases = moves_by_phase(record.events, record.after)
    section = str(map_section(record.after, record.rules, record.atlas, phases))
    for phase in phases:
        assert f"moves-{phase}" in section
        assert f".moves>g:not(.m{phase})" in section
    assert ".moves>g:not(.m9)" not in section


def test_the_drawing_and_the_places_of_europe_are_small() -> None:
    """15: a realm's page of Europe is at most 900 kB; this is more than a third of it."""
    assert len(draw_sheet(europe(), europe_world(), rules(), {}).encode()) < 280_000
    assert len(places_of(europe(), europe_world())) < 60_000


@pytest.mark.clause("W4", "W8")
def test_a_provinces_row_tells_all_that_anybody_may_know() -> None:
    html = places_of(minsk(), minsk_world())
    assert (
        row(html, "Minsk")
        == "Minsk Lithuania (capital of Lithuania) yes 24 Minsk (6) Stone Tower (3) 0 of 3 areas"
    )
    gotland = row(html, "Gotland")
    assert gotland.endswith("Novgorod")
    assert "harbour, " in gotland
    assert row(html, "Baltic") == "Baltic sea"


@pytest.mark.clause("W3")
def test_neighbours_come_with_what_is_special_about_the_border() -> None:
    for border in minsk().borders:
        way = border.barrier.value if border.barrier else "strait" if border.strait else ""
        assert (border.b, way) in borders_of(minsk())[border.a]
        assert (border.a, way) in borders_of(minsk())[border.b]
    assert ("Krakow", "mountains") in borders_of(minsk())["Volodymir"]


def test_whatever_people_write_stays_text() -> None:
    world = make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": 1}, name=EVIL, commanders=[commander(EVIL)]))
    land = small_land()
    london = land.locations["London"]
    assert london.city
    locations = {**land.locations, "London": london.evolve(city=london.city.evolve(name=EVIL))}
    named = land.evolve(title=EVIL, locations=locations)
    for atlas in (land, named):
        ElementTree.fromstring(draw_sheet(atlas, world, rules(), {}))  # noqa: S314 - our own drawing
        for text in (
            draw_sheet(atlas, world, rules(), {}),
            places_of(atlas, world),
        ):
            assert "<script" not in text


def test_the_places_come_in_the_order_of_the_map() -> None:
    slugs = re.findall(r'<tr id="place-([^"]+)"', places_of(minsk(), minsk_world()))
    assert slugs == [slug(name) for name in minsk().locations]
