"""Map files: what they say, and what a map maker is told when they do not fit."""

from pathlib import Path

import pytest

from gm.core.diagnostics import SourceError
from gm.games.medieval.data.atlas import Barrier
from gm.games.medieval.data.map_file import load_atlas
from gm.store import NewerFormatError
from tests.medieval.mapland import MINSK, broken_copy, minsk
from tests.medieval.testland import rules


@pytest.mark.clause("W2", "W3")
def test_the_small_map_has_every_kind_of_place_and_border() -> None:
    atlas = minsk()
    assert len(atlas.locations) == 28
    assert len(atlas.seas) >= 4
    assert sum(place.city is not None for place in atlas.locations.values()) >= 5
    barriers = [border.barrier for border in atlas.borders]
    assert Barrier.MOUNTAINS in barriers
    assert Barrier.REEFS in barriers
    assert any(border.strait for border in atlas.borders)
    assert {"Minsk", "Zodzina", "Mazyr", "Volodymir"} <= set(atlas.provinces)


@pytest.mark.clause("W3")
def test_barriers_close_a_border_and_a_strait_opens_one() -> None:
    atlas = minsk()
    assert not atlas.is_open("Krakow", "Volodymir")
    assert not atlas.is_open("Osel", "Baltic")
    assert "Baltic" in atlas.graph.neighbours("Osel")
    assert atlas.is_open("Osel", "Estonia")


@pytest.mark.clause("W12")
def test_places_keep_the_order_of_the_file_provinces_first() -> None:
    names = list(minsk().locations)
    assert names[:3] == ["Ingria", "Novgorod", "Osel"]
    assert names[-6:] == list(minsk().seas)


@pytest.mark.clause("W4", "T6")
def test_a_city_recruits_its_regions_list_and_its_own_specials() -> None:
    riga = minsk().city("Riga")
    visby = minsk().city("Gotland")
    assert riga is not None
    assert visby is not None
    assert set(rules().recruits["east"]) < set(riga.recruits)
    assert "Crusader Knights" in riga.recruits
    assert "Elite Marines" in visby.recruits
    stolp = minsk().city("Pomerania")
    assert stolp is not None
    assert "Carrack" not in stolp.recruits


@pytest.mark.clause("W4")
def test_every_city_recruits_siege_machines_and_capitals_have_longer_lists() -> None:
    atlas = minsk()
    cities = {name: place.city for name, place in atlas.locations.items() if place.city}
    assert all("Siege Machine" in city.recruits for city in cities.values())
    for seat in atlas.realms.values():
        capital = cities[seat.capital]
        assert atlas.locations[seat.capital].capital_of == seat.code
        assert len(capital.recruits) > len(rules().recruits["east"])


def test_the_list_shows_ships_last() -> None:
    riga = minsk().city("Riga")
    assert riga is not None
    ships = [rules().troops[name].ship for name in riga.recruits]
    assert ships == sorted(ships)


def test_all_errors_of_a_map_are_told_at_once_in_file_order(tmp_path: Path) -> None:
    broken_copy(tmp_path, "map.yaml", "{Osel: reefs}", "{Osel: reef}")
    text = (tmp_path / "map.yaml").read_text(encoding="utf-8")
    (tmp_path / "map.yaml").write_text(text.replace("capital: Minsk", "capital: Minks"), encoding="utf-8")
    with pytest.raises(SourceError) as raised:
        load_atlas(tmp_path / "map.yaml", rules())
    assert [diagnostic.code for diagnostic in raised.value.diagnostics] == [
        "map/unknown-capital",
        "map/unknown-barrier",
    ]


def test_a_map_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    broken_copy(tmp_path, "map.yaml", "schema: 1", "schema: 2")
    with pytest.raises(NewerFormatError):
        load_atlas(tmp_path / "map.yaml", rules())


def test_production_is_limited_by_the_rules_unless_the_map_says_otherwise() -> None:
    assert minsk().locations["Minsk"].production_limit == rules().construction.production_area_limit
    assert minsk().locations["Osel"].production_limit == 2


def test_neighbours_share_the_points_of_their_outlines() -> None:
    atlas = minsk()
    points = {
        name: {point for ring in place.outline for point in ring} for name, place in atlas.locations.items()
    }
    for border in atlas.borders:
        if not border.strait:
            assert len(points[border.a] & points[border.b]) >= 2, (border.a, border.b)


def test_the_file_explains_itself() -> None:
    head = (MINSK / "map.yaml").read_text(encoding="utf-8").split("schema:")[0]
    for word in (
        "provinces",
        "seas",
        "borders",
        "outlines",
        "city",
        "label",
        "revenue",
        "production",
        "compass",
    ):
        assert word in head
