"""The page's map and its location reports: everything that anybody may know, linked, small, and nobody's markup."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.map_file import load_atlas
from gm.games.medieval.report.map_moves import MARCH, SAIL, Move
from gm.games.medieval.report.map_sheet import draw_sheet
from gm.games.medieval.report.places import PlaceReport, own_units_linked, place_reports, slug
from gm.games.medieval.report.views import province_row, realm_name, unit_row
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.resources import resource
from gm.text.pages import fragment
from tests.medieval.europeland import europe, europe_world
from tests.medieval.mapland import minsk, minsk_world
from tests.medieval.testland import atlas as small_land
from tests.medieval.testland import commander, make_world, rules, unit

SVG = "{http://www.w3.org/2000/svg}"
EVIL = '</title></b><script>alert("x")</script>&'


def reports_of(atlas: Atlas, world: World) -> tuple[PlaceReport, ...]:
    units = [unit_row(each, world, rules(), realm_name(world, each.realm)) for each in world.units.values()]
    provinces = [province_row(each, world, rules(), atlas) for each in world.provinces.values()]
    return tuple(place_reports(atlas, world, rules(), provinces, units))


def html_of(atlas: Atlas, world: World) -> str:
    return str(fragment(resource("templates"), "medieval/places.html", {"places": reports_of(atlas, world)}))


def article(html: str, place: str) -> str:
    """One report as plain text."""
    found = re.search(rf'<article id="place-{slug(place)}".*?</article>', html, re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found.group(0)).split())


def sheet(world: World | None = None, **phases: list[Move]) -> ElementTree.Element:
    moves = {int(name[1:]): found for name, found in phases.items()}
    return ElementTree.fromstring(draw_sheet(minsk(), world or minsk_world(), rules(), moves))  # noqa: S314 - our own


def of_class(root: ElementTree.Element, css: str) -> list[ElementTree.Element]:
    return [each for each in root.iter() if css in each.get("class", "").split()]


# -- names in addresses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(SPEC.maps()))
def test_no_two_places_of_a_shipped_map_have_the_same_address(name: str) -> None:
    places = load_atlas(SPEC.maps()[name] / "map.yaml", rules()).locations
    slugs = {slug(place) for place in places}
    assert len(slugs) == len(places)
    assert all(re.fullmatch("[a-z0-9-]+", each) for each in slugs)


def test_names_that_a_reader_tells_apart_have_different_addresses() -> None:
    names = ["Ile de France", "Ile-de-France", "Ile. de France", "Ile' de France", "Иль", "Киев", "A-1", "A 1", "A--1"]
    assert len({slug(each) for each in names}) == len(names)
    assert slug("Île de FRANCE") == slug("ile de france") == "ile-de-france"


# -- the drawing -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("W2")
def test_every_place_is_a_link_to_its_report_by_its_shape_and_by_its_name() -> None:
    links = list(sheet().iter(f"{SVG}a"))
    wanted = sorted(f"#place-{slug(name)}" for name in minsk().locations)
    labelled = [each for each in links if each.get("aria-label")]
    assert sorted(each.get("href", "") for each in labelled) == wanted
    assert {each.get("aria-label") for each in labelled} == set(minsk().locations)
    shapes = [each for each in links if each not in labelled]
    assert sorted(each.get("href", "") for each in shapes) == wanted
    assert all(each.get("tabindex") == "-1" for each in shapes)


def test_the_drawing_needs_nothing_else_and_says_everything_once() -> None:
    text = draw_sheet(minsk(), minsk_world(), rules(), {})
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#(map[^"]+)"', text)) <= set(ids)
    assert "<script" not in text
    assert "url(http" not in text
    assert text == draw_sheet(minsk(), minsk_world(), rules(), {})


@pytest.mark.clause("W8")
def test_each_realms_troops_carry_its_class_and_their_number() -> None:
    world = make_world(
        unit("ENG/A1", "Kent", {"Heavy Cavalry": 2}),
        unit("FRA/A1", "Kent", {"Men-at-Arms": 13}),
        unit("ENG/A2", "Paris"),
    )
    root = ElementTree.fromstring(draw_sheet(small_land(), world, rules(), {}))  # noqa: S314 - our own drawing
    found = {each.get("class"): "".join(each.itertext()) for each in of_class(root, "t")}
    assert found == {"t u-ENG": "2", "t u-FRA": "13"}


@pytest.mark.clause("L11")
def test_revenue_is_shown_at_its_present_damage() -> None:
    krakow = minsk_world().provinces["Krakow"].evolve(damage=1)
    place = next(
        each
        for each in of_class(sheet(minsk_world().with_provinces(krakow)), "at")
        if each.get("aria-label") == "Krakow"
    )
    (coin,) = of_class(place, "coin")
    (row,) = [each for each in reports_of(minsk(), minsk_world().with_provinces(krakow)) if each.name == "Krakow"]
    assert row.province
    assert "".join(coin.itertext()) == f"{row.province.revenue:.2f}".removesuffix(".00")
    assert row.province.revenue < row.province.base
    assert "broken" in "".join(each.get("class", "") for each in coin.iter())


@pytest.mark.clause("L7")
def test_annexation_is_a_flag_at_every_annexed_province_and_a_cover_where_it_is_not_its_owners() -> None:
    world = minsk_world()
    changed = [
        world.provinces["Krakow"].evolve(annexed_to="LIT"),
        world.provinces["Minsk"].evolve(annexed_to=None),
    ]
    root = sheet(world.with_provinces(*changed))
    places = {each.get("aria-label"): each for each in of_class(root, "at")}
    assert [each.get("class") for each in of_class(places["Krakow"], "flag")] == ["flag u-LIT foreign"]
    assert of_class(places["Minsk"], "flag") == []
    assert [each.get("class") for each in of_class(places["Vilna"], "flag")] == ["flag u-LIT"]
    (covers,) = of_class(root, "covers")
    assert [each.get("class") for each in covers] == ["blank", "u-IND", "blank", "u-LIT"]


@pytest.mark.clause("M0")
def test_moves_are_grouped_by_phase_and_each_phase_has_its_switch() -> None:
    root = sheet(m1=[Move("LIT", MARCH, "Minsk", "Vilna")], m3=[Move("TEU", SAIL, "Baltic", "Nowhere")])
    (moves,) = of_class(root, "moves")
    assert [(each.get("class"), len(each)) for each in moves] == [("m1", 1), ("m3", 0)]
    assert moves[0][0].get("class") == "u-LIT"
    style = next(root.iter(f"{SVG}style")).text or ""
    assert "#moves-3:checked) .moves>g:not(.m3)" in style
    assert "#moves-2:checked" not in style


def test_the_drawing_and_the_reports_of_europe_are_small() -> None:
    assert len(draw_sheet(europe(), europe_world(), rules(), {}).encode()) < 600_000
    assert len(html_of(europe(), europe_world()).encode()) < 500_000


# -- location reports --------------------------------------------------------------------------------------------------


@pytest.mark.clause("W4", "W8")
def test_a_provinces_report_tells_all_that_anybody_may_know() -> None:
    text = article(html_of(minsk(), minsk_world()), "Minsk")
    for words in (
        "Lithuania, capital of Lithuania",
        "Annexed to its owner",
        "24 gold now, 24 in full",
        "Damage none",
        "Minsk, up to 6 troops a turn",
        "Villager Conscripts 3 , Light Spearmen 5",
        "Ships (with a harbour) Trading Cog 4",
        "level 3: Stone Tower",
        "of 3 production areas",
        "Zodzina",
        "G3",
        "3 Boyar Guards, 4 Archers",
        "Algirdas",
    ):
        assert words in text, words
    gotland = article(html_of(minsk(), minsk_world()), "Gotland")
    assert "Permission Novgorod" in gotland
    assert "harbour, " in gotland


@pytest.mark.clause("W3")
def test_neighbours_are_linked_with_what_is_special_about_the_border() -> None:
    reports = {each.name: each for each in reports_of(minsk(), minsk_world())}
    for border in minsk().borders:
        ways = {each.name: each.way for each in (*reports[border.a].lands, *reports[border.a].seas)}
        assert ways[border.b] == (border.barrier.value if border.barrier else "strait" if border.strait else "")
    assert "Krakow (mountains)" in article(html_of(minsk(), minsk_world()), "Volodymir")
    html = html_of(minsk(), minsk_world())
    assert set(re.findall(r'href="#(place-[^"]+)"', html)) == set(re.findall(r'<article id="([^"]+)"', html))


def test_a_seas_report_has_its_harbours_and_fleets_with_their_cargo() -> None:
    world = make_world(
        unit("ENG/F1", "Channel", {"Trading Cog": 4}, name="Narrow Seas"),
        unit("ENG/A2", "Channel", {"Men-at-Arms": 4}, aboard="ENG/F1"),
        provinces={"Kent": {"harbour": True}},
    )
    text = article(html_of(small_land(), world), "Channel")
    assert "carries A2 (weight 4)" in text
    assert "A2 aboard F1" in text
    channel = next(each for each in reports_of(small_land(), world) if each.name == "Channel")
    coast = {each.name for each in channel.lands if each.way == ""}
    assert set(channel.harbours) == {name for name in coast if world.provinces[name].harbour}
    assert channel.harbours
    assert channel.province is None


def test_units_come_by_realm_with_their_strength_together() -> None:
    world = make_world(
        unit("ENG/A1", "Kent", {"Heavy Cavalry": 2}),
        unit("ENG/A2", "Kent", {"Longbowmen": 5}, commanders=[commander("Hugh", 1, 2, 3, 4)], leader="Hugh"),
        unit("FRA/A1", "Kent", {"Men-at-Arms": 3}),
    )
    kent = next(each for each in reports_of(small_land(), world) if each.name == "Kent")
    assert [side.realm for side in kent.sides] == ["ENG", "FRA"]
    assert kent.sides[0].combat == sum(each.combat for each in kent.sides[0].units)
    assert kent.sides[1].combat == 3 * 25
    assert kent.sides[1].hit_points == 6
    assert "leader, infantry 1, cavalry 2, siege 3, naval 4" in article(html_of(small_land(), world), "Kent")


def test_only_a_pages_own_units_are_links_to_its_rows() -> None:
    world = make_world(
        unit("ENG/A1", "Kent", {"Heavy Cavalry": 2}, name="Lions & <b>Co</b>"),
        unit("FRA/A1", "Kent", {"Men-at-Arms": 3}),
    )
    html = html_of(small_land(), world)
    assert "#unit-" not in html
    linked = own_units_linked(html, "ENG")
    assert ("ENG/A1", "unit-A1") in re.findall(r'<b data-unit="([^"]+)"><a href="#([^"]+)"', linked)
    own = {each.key for each in world.units.values() if each.realm == "ENG"}
    assert set(re.findall(r'<b data-unit="([^"]+)"><a', linked)) == own
    assert "Lions &amp; &lt;b&gt;Co&lt;/b&gt;" in linked
    assert re.search(r'<b data-unit="FRA/A1">A1</b>', linked)


def test_whatever_people_write_stays_text() -> None:
    world = make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": 1}, name=EVIL, commanders=[commander(EVIL)]))
    land = small_land()
    london = land.locations["London"]
    assert london.city
    locations = {**land.locations, "London": london.evolve(city=london.city.evolve(name=EVIL))}
    named = land.evolve(title=EVIL, locations=locations)
    for atlas in (land, named):
        ElementTree.fromstring(draw_sheet(atlas, world, rules(), {}))  # noqa: S314 - our own drawing
        for text in (draw_sheet(atlas, world, rules(), {}), own_units_linked(html_of(atlas, world), "ENG")):
            assert "<script" not in text


def test_the_reports_come_in_the_order_of_the_map() -> None:
    order = [minsk().place_order[each.name] for each in reports_of(minsk(), minsk_world())]
    assert all(a < b for a, b in pairwise(order))
