"""The drawn map: everything on it, nothing over each other, nothing that a player wrote gets out of its
text.
"""

import re
from decimal import Decimal
from itertools import combinations
from xml.etree import ElementTree

import pytest

from gm.games.medieval.data.rules import TroopClass
from gm.games.medieval.report.map_colours import darker
from gm.games.medieval.report.map_drawing import FOREIGN_BASE, OWN_BASE, draw_map
from gm.games.medieval.report.map_geometry import (
    close_font_size,
    fitted_name,
    inside,
    marker_boxes,
    name_texts,
    number,
    path_data,
    points_along,
    room_around,
    shared_lines,
    text_width,
)
from gm.games.medieval.report.map_marks import FOREIGN, MARCH, OWN, SAIL, Move, markers_at
from tests.medieval.mapland import minsk, minsk_world
from tests.medieval.testland import atlas as small_land
from tests.medieval.testland import commander, make_world, rules, unit

SVG = "{http://www.w3.org/2000/svg}"


def parse(text: str) -> ElementTree.Element:
    """The picture as elements; raises ``ParseError`` when it is not well-formed."""
    return ElementTree.fromstring(text)  # noqa: S314 - our own drawing


def drawn(**more: object) -> ElementTree.Element:
    return parse(draw_map(minsk(), minsk_world(), rules(), **more))  # type: ignore[arg-type]


def used(text: str, symbol: str) -> int:
    """How often a symbol is drawn."""
    return text.count(f'href="#m-{symbol}"')


def legend(element: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text") if text.get("class") == "legend"]


def titles(element: ElementTree.Element) -> list[str]:
    return [title.text or "" for title in element.iter(f"{SVG}title")]


def test_the_picture_is_one_well_formed_element_that_scales_and_needs_nothing_else() -> None:
    text = draw_map(minsk(), minsk_world(), rules())
    root = parse(text)
    assert root.tag == f"{SVG}svg"
    assert "width" not in root.attrib
    assert len(root.get("viewBox", "").split()) == 4
    assert not re.search(r"href=\"[^#]", text)
    assert "<script" not in text
    assert "url(http" not in text


def test_the_same_world_gives_the_same_picture() -> None:
    assert draw_map(minsk(), minsk_world(), rules()) == draw_map(minsk(), minsk_world(), rules())


@pytest.mark.clause("W2")
def test_every_place_is_named_provinces_and_seas_apart() -> None:
    names: dict[bool, list[str]] = {False: [], True: []}
    for place in drawn().iter(f"{SVG}g"):
        if "at" in place.get("class", "").split():
            (name,) = (element for element in place.iter() if element.get("class") == "n")
            names["sea" in place.get("class", "")].append(" ".join(part.text or "" for part in name))
    assert names == {False: list(minsk().provinces), True: list(minsk().seas)}


def test_names_and_miniatures_do_not_cover_each_other() -> None:
    texts = name_texts(minsk())
    boxes = {name: text.box for name, text in texts.items()}
    unit_size = max(text.size for text in texts.values())
    for name, text in texts.items():
        count = len(markers_at(minsk_world(), rules(), name, None))
        for index, box in enumerate(marker_boxes(text, count, unit_size)):
            boxes[f"{name} {index}"] = box
    for (name, box), (other, other_box) in combinations(boxes.items(), 2):
        assert not box.overlaps(other_box), (name, other)


def test_names_stand_inside_their_places() -> None:
    for name, text in name_texts(minsk()).items():
        outline = minsk().locations[name].outline
        for side in (-1, 1):
            assert inside((text.x + side * text.box.width / 2, text.y), outline), name


def test_a_long_name_goes_on_two_lines_where_there_is_little_room() -> None:
    assert len(fitted_name(minsk().locations["Gulf of Finland"], 24).lines) == 2
    assert fitted_name(minsk().locations["Minsk"], 17).lines == ("Minsk",)
    narrow = minsk().locations["Gotland"].evolve(name="Gotlandinsulensis")
    assert fitted_name(narrow, 17).size < 17


@pytest.mark.clause("W3")
def test_barriers_and_straits_are_drawn() -> None:
    text = draw_map(minsk(), minsk_world(), rules())
    legend_and_marker = 2
    for kind in ("peak", "rock"):
        assert used(text, kind) == legend_and_marker
        (points,) = re.findall(rf'marker-mid="url\(#m-{kind}s\)"[^>]* points="([^"]*)"', text)
        assert len(points.split()) > 12
    open_borders = tuple(border.evolve(barrier=None, strait=False) for border in minsk().borders)
    plain = draw_map(minsk().evolve(borders=open_borders), minsk_world(), rules())
    assert used(plain, "peak") == used(plain, "rock") == 1
    assert "marker-mid" not in plain
    assert "Strait" in text
    assert "Strait" not in plain


@pytest.mark.clause("W4", "W8")
def test_a_provinces_tooltip_tells_all_that_anybody_may_know() -> None:
    (minsk_title,) = [title for title in titles(drawn()) if title.startswith("Minsk: ")]
    for part in (
        "Minsk: Lithuania",
        "capital of Lithuania",
        "city Minsk: 6 troops a turn of Villager Conscripts",
        "base revenue 24",
        "fortification 3, Stone Tower",
        "Lithuania G3: 3 Boyar Guards, 4 Archers",
        "Algirdas (commander)",
    ):
        assert part in minsk_title
    (volodymir,) = [title for title in titles(drawn()) if title.startswith("Volodymir: ")]
    assert "mountains towards Krakow" in volodymir
    (gotland,) = [title for title in titles(drawn()) if title.startswith("Gotland: ")]
    assert "special permission: Novgorod" in gotland


def test_treasuries_are_nobodys_business() -> None:
    rich = minsk_world().with_realms(minsk_world().realms["LIT"].evolve(treasury=Decimal(98765)))
    assert "98765" not in draw_map(minsk(), rich, rules())


def test_without_troops_there_are_no_miniatures_and_no_units_in_the_tooltips() -> None:
    text = draw_map(minsk(), minsk_world(), rules(), troops=False)
    assert '<g class="t ' not in text
    assert "Boyar Guards, 4 Archers" not in text


def test_own_troops_stand_on_blue_round_bases_and_foreign_ones_on_red_square_ones() -> None:
    world = make_world(
        unit("ENG/A1", "Kent", {"Heavy Cavalry": 2}), unit("FRA/A1", "Kent", {"Men-at-Arms": 3})
    )
    text = draw_map(small_land(), world, rules(), realm="ENG")
    root = parse(text)
    shapes = {
        group.get("id"): {inner.tag for inner in group} for group in root.iter(f"{SVG}g") if group.get("id")
    }
    for side, shape in (("own", f"{SVG}circle"), ("foreign", f"{SVG}rect")):
        (troops,) = (
            group for group in root.iter(f"{SVG}g") if group.get("class") == f"t {side}" and len(group) > 1
        )
        (symbol,) = troops.iter(f"{SVG}use")
        assert (shape == f"{SVG}circle") == (f"{SVG}circle" in shapes[symbol.get("href", "")[1:]])
    assert f".t.own{{fill:{OWN_BASE}}}.t.foreign{{fill:{FOREIGN_BASE}}}" in text
    assert ">Your troops<" in text
    assert ">Your troops<" not in draw_map(small_land(), world, rules())


def test_a_miniature_shows_the_number_of_troops_and_the_most_valuable_type() -> None:
    world = make_world(
        unit("ENG/A1", "Kent", {"Heavy Cavalry": 1, "Peasant Rabble": 4}),
        unit("ENG/A2", "Kent", {"Siege Machine": 1}),
        unit("FRA/A1", "Kent", {"Men-at-Arms": 3}),
        unit("DEN/A1", "Kent", {"Longbowmen": 2}),
        unit("FRA/A2", "Kent", commanders=[commander()]),
    )
    own, foreign = markers_at(world, rules(), "Kent", "ENG")
    assert (own.side, own.count, own.best.name if own.best else None) == (OWN, 6, "Heavy Cavalry")
    assert (foreign.side, foreign.count, foreign.best.name if foreign.best else None) == (
        FOREIGN,
        5,
        "Longbowmen",
    )
    assert [(marker.side, marker.count) for marker in markers_at(world, rules(), "Kent", None)] == [
        ("DEN", 2),
        ("ENG", 6),
        ("FRA", 3),
    ]


def test_commanders_alone_show_a_banner_and_empty_units_nothing() -> None:
    world = make_world(unit("FRA/A1", "Kent", commanders=[commander()]), unit("ENG/A1", "Kent"))
    (only,) = markers_at(world, rules(), "Kent", None)
    assert (only.best, only.count) == (None, 1)
    draw_map(small_land(), world, rules())


def test_every_class_of_troops_has_a_figure_of_its_own() -> None:
    kinds = {troop.kind: name for name, troop in rules().troops.items()}
    assert set(kinds) == set(TroopClass)
    figures = set()
    for name in kinds.values():
        text = draw_map(small_land(), make_world(unit("ENG/A1", "Kent", {name: 1})), rules())
        figures |= set(re.findall(r'<g class="figure".*?</g>', text))
    assert len(figures) == len(kinds)


@pytest.mark.clause("X6")
def test_damage_broken_walls_and_a_foreign_annexation_are_shown() -> None:
    world = minsk_world()
    krakow = world.provinces["Krakow"].evolve(damage=2, fortification_damage=1, annexed_to="LIT")
    text = draw_map(minsk(), world.with_provinces(krakow), rules())
    assert used(text, "damage") == 2 + 1
    assert 'class="level broken" y="6" font-size="11.5">2<' in text
    assert used(text, "flag") == 1 + 1
    assert "annexed to Lithuania" in text
    assert "Annexed by another" in text


def test_two_maps_in_one_page_share_no_names() -> None:
    ids = [
        set(re.findall(r' id="([^"]+)"', draw_map(minsk(), minsk_world(), rules(), prefix=p)))
        for p in ("one", "two")
    ]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_whatever_people_write_stays_text() -> None:
    evil = '</title><script>alert("x")</script>&'
    world = make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": 1}, name=evil, commanders=[commander(evil)]))
    land = small_land()
    london = land.locations["London"]
    assert london.city
    town = london.evolve(city=london.city.evolve(name=evil))
    named = land.evolve(title=evil, locations={**land.locations, "London": town})
    for atlas in (land, named):
        root = parse(draw_map(atlas, world, rules(), realm="ENG"))
        assert not list(root.iter(f"{SVG}script"))
    assert "<script" not in draw_map(named, world, rules())


def test_a_map_without_outlines_is_still_drawn() -> None:
    parse(draw_map(small_land(), make_world(), rules()))


def lightness(colour: str) -> float:
    """The relative luminance of a colour, which every reader sees."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def seen_by(colour: str, kind: str) -> tuple[float, float, float]:
    """About how a colour looks without red (protanopia) or green (deuteranopia) receptors."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    if kind == "protanopia":
        return (0.152 * red + 1.053 * green - 0.205 * blue, 0.115 * red + 0.786 * green + 0.099 * blue, blue)
    return (0.367 * red + 0.861 * green - 0.228 * blue, 0.280 * red + 0.673 * green + 0.047 * blue, blue)


@pytest.mark.parametrize("kind", ["protanopia", "deuteranopia"])
def test_owners_colours_can_be_told_apart_by_colour_blind_readers(kind: str) -> None:
    colours = [seat.colour for seat in minsk().realms.values()]
    for a, b in combinations(colours, 2):
        distance = sum((x - y) ** 2 for x, y in zip(seen_by(a, kind), seen_by(b, kind), strict=True)) ** 0.5
        assert distance > 40, (a, b)


def test_own_and_foreign_differ_by_more_than_colour() -> None:
    # nobody should have to tell them by lightness
    assert abs(lightness(OWN_BASE) - lightness(FOREIGN_BASE)) < 0.1
    assert OWN_BASE != FOREIGN_BASE


SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
HOLE = ((4.0, 4.0), (6.0, 4.0), (6.0, 6.0), (4.0, 6.0))


def test_a_point_is_inside_unless_in_a_hole() -> None:
    assert inside((1, 1), [SQUARE])
    assert not inside((11, 1), [SQUARE])
    assert not inside((5, 5), [SQUARE, HOLE])


def test_room_ends_at_the_nearest_side_of_the_band() -> None:
    assert room_around((5, 5), [SQUARE], 1) == 5
    assert room_around((3, 5), [SQUARE], 1) == 3
    assert room_around((2, 5), [SQUARE, HOLE], 0.5) == 2
    assert room_around((5, 9.5), [SQUARE], 1) == 0


def test_shared_lines_follow_the_common_sides() -> None:
    left = minsk().locations["Minsk"].evolve(outline=(SQUARE,))
    right = left.evolve(outline=(((10.0, 10.0), (10.0, 0.0), (20.0, 0.0), (20.0, 10.0)),))
    assert shared_lines(left, right) == (((10.0, 0.0), (10.0, 10.0)),)
    assert shared_lines(left, left.evolve(outline=(HOLE,))) == ()


def test_points_along_a_line_are_evenly_spread() -> None:
    points = list(points_along(((0.0, 0.0), (4.0, 0.0), (4.0, 4.0)), 2))
    assert [point for point, _ in points] == [(1, 0), (3, 0), (4, 1), (4, 3)]
    assert list(points_along(((0.0, 0.0), (0.0, 0.0)), 2)) == []


def test_numbers_are_short() -> None:
    assert [number(value) for value in (1.0, 1.26, -0.5, 10)] == ["1", "1.3", "-0.5", "10"]
    assert text_width("mm", 10) > text_width("ii", 10) > 0


def test_every_symbol_that_is_used_is_there_under_a_name_of_the_pictures_own() -> None:
    for prefix in ("m", "plan"):
        text = draw_map(minsk(), minsk_world(), rules(), prefix=prefix)
        ids = re.findall(r" id=\"([^\"]+)\"", text)
        assert len(ids) == len(set(ids))
        assert all(name.startswith(prefix) for name in ids)
        assert set(re.findall(r"href=\"#([^\"]+)\"", text)) <= set(ids)


def test_outlines_come_back_to_where_they_started() -> None:
    ring = ((0.04, 0.06), (10.17, 3.33), (-4.42, 7.77))
    data = path_data([ring])
    x, y, *steps = (float(number) for number in re.findall(r"-?[\d.]+", data))
    for point, dx, dy in zip(ring[1:], steps[::2], steps[1::2], strict=True):
        x = x + dx
        y = y + dy
        assert (x, y) == pytest.approx(point, abs=0.051)


def test_moves_are_arrows_in_the_colour_of_their_realm_with_their_kinds_in_the_legend() -> None:
    moves = [Move("LIT", MARCH, "Minsk", "Mazyr"), Move("LIT", SAIL, "Bay of Danzig", "Hanobukten")]
    root = drawn(phases={1: moves})
    assert {"March", "Voyage"} <= set(legend(root))
    assert "Flight" not in legend(root)
    arrows = [
        group.get("class") for group in root.iter(f"{SVG}g") if group.get("class", "").startswith("u-LIT ")
    ]
    assert arrows == ["u-LIT march", "u-LIT sail"]
    style = next(root.iter(f"{SVG}style")).text or ""
    assert f".moves .u-LIT{{fill:{darker(minsk().realms['LIT'].colour)}" in style


def test_a_move_to_a_place_that_the_map_lacks_is_left_out() -> None:
    def to(place: str) -> str:
        return draw_map(minsk(), minsk_world(), rules(), phases={1: [Move("LIT", MARCH, "Minsk", place)]})

    assert 'class="way" d="M' in to("Vilna")
    text = to("Atlantis")
    assert text.count('class="way"') == 1  # the legend's


def test_zoom_shows_a_place_and_its_neighbours_and_nothing_smaller_than_before() -> None:
    whole = [float(number) for number in drawn().get("viewBox", "").split()]
    near = [float(number) for number in drawn(zoom="Minsk").get("viewBox", "").split()]
    assert near[2] < whole[2] / 1.5
    x, y, width, height = near
    for name in ("Minsk", *minsk().graph.neighbours("Minsk")):
        at_x, at_y = minsk().locations[name].label
        assert x < at_x < x + width
        assert y < at_y < y + height
    unit_size = max(text.size for text in name_texts(minsk()).values())
    assert close_font_size(minsk(), "Minsk", unit_size) >= unit_size


def test_patterns_are_an_option_where_nobody_needs_one() -> None:
    assert "<pattern" not in draw_map(minsk(), minsk_world(), rules())
    assert draw_map(minsk(), minsk_world(), rules(), patterns=True).count("<pattern") == len(minsk().realms)
