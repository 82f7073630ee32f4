"""CN-3.2, CN-4, CN-16: maps as files, and random ones."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.games.conquestination.generator import NoMapError
from gm.games.conquestination.rules import RandomMap, rank
from gm.games.conquestination.state import reinforcements
from tests.conquestination.lands import large, made, rules, small


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
    assert len(land.graph.parts(land.countries)) == 1
    assert len(land.countries) == wanted.countries
    assert len(land.continents) == wanted.continents
    assert sum(map(len, land.areas.values())) == wanted.countries * wanted.cells_per_country
    every = [cell for cells in land.areas.values() for cell in cells]
    assert len(every) == len(set(every))
    assert all(0 <= column < wanted.width and 0 <= row < wanted.height for column, row in every)
    for letter in land.continents:
        own = land.continent(letter)
        assert len(own) == 1 or nx.is_connected(nx.Graph(land.borders).subgraph(own))
        assert len(own) * wanted.cells_per_country == sum(len(land.areas[each]) for each in own)
        # named by their first cells: the board's own check holds each in one piece
    if wanted.sea_gap:
        assert all(one[0] == other[0] for one, other in land.borders)
    if not wanted.links:
        assert not land.sea_links
    assert all(one[0] != other[0] and (one, other) not in land.borders for one, other in land.sea_links)


@pytest.mark.clause("CN-4.10")
def test_without_extra_links_no_link_can_be_spared() -> None:
    land = made("seed", large().evolve(extra_links=0))
    for spared in land.links:
        with pytest.raises(ValueError, match="neither by land nor by a link"):
            land.evolve(links=tuple(each for each in land.links if each != spared))


@pytest.mark.clause("CN-4.4", "CN-4.5", "CN-4.12", "CN-4.9")
def test_without_a_gap_continents_touch_and_need_no_links() -> None:
    land = made("seed", small().evolve(links=False, sea_gap=0))
    assert any(one[0] != other[0] for one, other in land.borders)
    assert len(land.graph.parts(land.countries)) == 1


def test_countries_are_ordered_by_number_not_by_letter() -> None:
    assert sorted(["B1", "A10", "A2"], key=rank) == ["A2", "A10", "B1"]


def test_a_bonus_needs_the_whole_continent_of_a_random_map_too() -> None:
    land = made("seed")
    letter = max(land.continents, key=lambda each: len(land.continent(each)))
    whole = land.continent(letter)
    assert dict(reinforcements(whole, land, rules().reinforcement).continents)[letter] == len(whole) // 2
    assert letter not in dict(reinforcements(whole[1:], land, rules().reinforcement).continents)
