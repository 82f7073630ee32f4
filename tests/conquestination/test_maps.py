"""CN-3.2, CN-4, CN-16: maps as files, and random ones."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from gm.games.conquestination.countries import Board, CountryMap, rank
from gm.games.conquestination.generator import NoMapError
from gm.games.conquestination.rules import RandomMap
from gm.games.conquestination.state import reinforcements
from tests.conquestination.lands import large, made, pairs, rules, shipped, small


@pytest.mark.clause("CN-16.1", "CN-3.2", "CN-4.9")
def test_four_shores_has_these_borders_and_links() -> None:
    land = shipped("four-shores")
    assert land.borders == pairs("A1-A2 A1-A3 A2-A3 B1-B2 B2-B3 C1-C2 C2-C3 C1-C4 C2-C5 C3-C6 C4-C5 C5-C6")
    assert land.links == pairs("A1-C1 A3-B1 B3-C3 C6-D1 B2-D1")
    assert len(land.countries) == 13


@pytest.mark.clause("CN-16.1")
def test_the_test_map_has_these_borders_and_links() -> None:
    assert shipped("test-5").borders == pairs("P1-P2 P2-P3 Q1-Q2")
    assert shipped("test-5").links == pairs("P3-Q1")


@pytest.mark.parametrize("name", ["four-shores", "test-5"])
def test_a_map_comes_back_from_its_file(name: str) -> None:
    land = shipped(name)
    again = CountryMap.of(land.board("again"))
    assert (again.cells, again.links, again.continents) == (land.cells, land.links, land.continents)


@pytest.mark.parametrize(
    ("cells", "links", "message"),
    [
        (("A1 b2",), (), "row 1: a cell is a country such as A1"),
        (("A1 A2", "A1"), (), "equally long"),
        (("..",), (), "no country"),
        (("A1 B1",), (), "continent B of B1 has no name"),
        (("A1 A2 A1",), (), "A1 is not in one piece"),
        (("A1 ..  A2",), (), "neither by land nor by a link"),
        (("A1 A2",), ("A1-A9",), "a link is written A1-B2"),
        (("A1 A2",), ("A1-A1",), "a link is written A1-B2"),
        (("A1 A2",), ("A1-A2-A1",), "a link is written A1-B2"),
    ],
)
def test_a_broken_map_says_what_is_wrong(cells: tuple[str, ...], links: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Board(name="broken", title="broken", continents={"A": "Arden"}, cells=cells, links=links)


@st.composite
def map_settings(draw: st.DrawFn) -> RandomMap:
    continents = draw(st.integers(1, 5))
    countries = draw(st.integers(continents, 15))
    gap = draw(st.integers(0, 2))
    size = draw(st.integers(1, 4))
    side = max(6, int((countries * size * (4 if gap < 2 else 7)) ** 0.5) + 2)
    links = draw(st.booleans()) if gap == 0 or continents == 1 else True
    return RandomMap(
        countries=countries,
        continents=continents,
        width=side,
        height=side,
        cells_per_country=size,
        sea_gap=gap,
        links=links,
        extra_links=draw(st.integers(0, 3)),
    )


@pytest.mark.clause("CN-14.9", "CN-4.1", "CN-4.3", "CN-4.5", "CN-4.6", "CN-4.7", "CN-4.8", "CN-4.10", "CN-4.11")
@settings(deadline=None)
@given(map_settings(), st.text("abc", min_size=1, max_size=6))
def test_what_the_generator_promises(wanted: RandomMap, seed: str) -> None:
    try:
        land = made(seed, wanted)
    except NoMapError as error:
        if "no map came out" not in str(error):
            raise
        return
    assert land.connected
    assert len(land.countries) == wanted.countries
    assert len(land.continents) == wanted.continents
    assert sum(map(len, land.cells.values())) == wanted.countries * wanted.cells_per_country
    every = [cell for cells in land.cells.values() for cell in cells]
    assert len(every) == len(set(every))
    assert all(0 <= column < wanted.width and 0 <= row < wanted.height for column, row in every)
    for letter in land.continents:
        own = land.continent(letter)
        assert len(own) == 1 or nx.is_connected(nx.Graph(land.borders).subgraph(own))
        assert len(own) * wanted.cells_per_country == sum(len(land.cells[each]) for each in own)
        # named by their first cells: the file's own check holds each in one piece
    assert CountryMap.of(land.board("again")).cells == land.cells
    if wanted.sea_gap:
        assert all(one[0] == other[0] for one, other in land.borders)
    if not wanted.links:
        assert not land.links
    assert all(one[0] != other[0] and (one, other) not in land.borders for one, other in land.links)


@pytest.mark.clause("CN-4.15", "CN-14.9", "CN-2.3")
def test_one_seed_gives_one_map_and_another_gives_another() -> None:
    one, again, other = made("seed"), made("seed"), made("another seed")
    assert (one.cells, one.links) == (again.cells, again.links)
    assert one.cells != other.cells


@pytest.mark.clause("CN-4.10")
def test_without_extra_links_no_link_can_be_spared() -> None:
    land = made("seed", large().evolve(extra_links=0))
    for spared in land.links:
        fewer = CountryMap(land.title, land.continents, land.cells, land.links - {spared}, land.width, land.height)
        assert not fewer.connected


@pytest.mark.clause("CN-4.11", "CN-2.4")
def test_extra_links_come_on_top() -> None:
    few = made("seed", large().evolve(extra_links=0))
    more = made("seed", large().evolve(extra_links=3))
    assert few.links < more.links
    assert len(more.links) == len(few.links) + 3


@pytest.mark.clause("CN-14.8", "CN-4.12")
def test_continents_apart_without_links_are_refused() -> None:
    with pytest.raises(NoMapError, match=r"3 continents need 'links', or a 'sea_gap' of 0 \(CN-4.12\)"):
        made("seed", small().evolve(links=False))


@pytest.mark.clause("CN-4.4", "CN-4.5", "CN-4.12", "CN-4.9")
def test_without_a_gap_continents_touch_and_need_no_links() -> None:
    land = made("seed", small().evolve(links=False, sea_gap=0))
    assert any(one[0] != other[0] for one, other in land.borders)
    assert land.connected


@pytest.mark.clause("CN-4.14")
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"continents": 27, "countries": 30}, "at most 26 continents"),
        ({"continents": 13}, "13 continents need as many countries, and there are 12"),
        ({"cells_per_country": 9}, "108 cells of land are more than 45% of the grid's 216"),
    ],
)
def test_settings_that_cannot_be_are_refused_at_once(changes: dict[str, int], message: str) -> None:
    with pytest.raises(NoMapError, match=message):
        made("seed", small().evolve(**changes))


@pytest.mark.clause("CN-4.13")
def test_a_grid_without_room_is_given_up_after_all_attempts() -> None:
    crowded = RandomMap(
        countries=8, continents=8, width=6, height=6, cells_per_country=2, sea_gap=3, links=True, extra_links=0
    )
    with pytest.raises(NoMapError, match="no map came out in 50 attempts: a grid larger than 6 x 6"):
        made("seed", crowded)


def test_countries_are_ordered_by_number_not_by_letter() -> None:
    assert sorted(["B1", "A10", "A2"], key=rank) == ["A2", "A10", "B1"]


def test_a_bonus_needs_the_whole_continent_of_a_random_map_too() -> None:
    land = made("seed")
    letter = max(land.continents, key=lambda each: len(land.continent(each)))
    whole = land.continent(letter)
    assert dict(reinforcements(whole, land, rules().reinforcement).continents)[letter] == len(whole) // 2
    assert letter not in dict(reinforcements(whole[1:], land, rules().reinforcement).continents)
