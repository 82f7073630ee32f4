"""CN-3.2, CN-4, CN-16: maps as files, and random ones."""

from hashlib import sha256
from itertools import chain
from math import floor
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.game.values import GameData, NewGameRequest
from gm.games.conquestination.cells import open_way, pair, passed, rank
from gm.games.conquestination.generator import NoMapError
from gm.games.conquestination.rules import RandomMap, Settings
from gm.games.conquestination.spec import SPEC
from gm.games.conquestination.state import reinforcements
from tests.conquestination.campaigns import begun
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


@pytest.mark.clause(
    "CN-14.9", "CN-4.1", "CN-4.3", "CN-4.5", "CN-4.6", "CN-4.7", "CN-4.8", "CN-4.10", "CN-4.11"
)
@settings(deadline=None)
@given(map_settings(), st.text("abc", min_size=1, max_size=6))
def test_what_the_generator_promises(request: RandomMap, seed: str) -> None:
    try:
        land = made(seed, request)
    except NoMapError as error:
        if "no map came out" not in str(error):
            raise
        return
    assert len(land.graph.parts(land.countries)) == 1
    assert len(land.countries) == request.countries
    assert len(land.continents) == request.continents
    assert sum(map(len, land.areas.values())) == request.countries * request.cells_per_country
    every = list(chain.from_iterable(land.areas.values()))
    assert len(every) == len(set(every))
    assert all(0 <= column < request.width and 0 <= row < request.height for column, row in every)
    for letter in land.continents:
        own = land.continent(letter)
        assert len(own) == 1 or nx.is_connected(nx.Graph(land.borders).subgraph(own))
        assert len(own) * request.cells_per_country == sum(len(land.areas[country]) for country in own)
        # named by their first cells: the board's own check holds each in one piece
    if request.sea_gap:
        assert all(one[0] == other[0] for one, other in land.borders)
    if not request.links:
        assert not land.sea_links
    assert all(one[0] != other[0] and (one, other) not in land.borders for one, other in land.sea_links)


@pytest.mark.clause("CN-4.10")
def test_without_extra_links_no_link_can_be_spared() -> None:
    land = made("seed", large().evolve(extra_links=0))
    for spared in land.links:
        with pytest.raises(ValueError, match="neither by land nor by a link"):
            land.evolve(links=tuple(link for link in land.links if link != spared))


@pytest.mark.clause("CN-4.4", "CN-4.5", "CN-4.12", "CN-4.9")
def test_without_a_gap_continents_touch_and_need_no_links() -> None:
    land = made("seed", small().evolve(links=False, sea_gap=0))
    assert any(one[0] != other[0] for one, other in land.borders)
    assert len(land.graph.parts(land.countries)) == 1


def test_countries_are_ordered_by_number_not_by_letter() -> None:
    assert sorted(["B1", "A10", "A2"], key=rank) == ["A2", "A10", "B1"]


def test_a_bonus_needs_the_whole_continent_of_a_random_map_too() -> None:
    land = made("seed")
    letter = max(land.continents, key=lambda country: len(land.continent(country)))
    whole = land.continent(letter)
    assert dict(reinforcements(whole, land, rules().reinforcement).continents)[letter] == len(whole) // 2
    assert letter not in dict(reinforcements(whole[1:], land, rules().reinforcement).continents)


@pytest.mark.clause("CN-4.15", "CN-12.3")
def test_the_first_version_of_the_method_gives_the_maps_that_it_always_gave() -> None:
    """Their seeds' maps stay as they were: with ``--set generator=1``, and on any map that does not say
    which.
    """
    marks = ["978e2af6a05446e3", "505f186410611001", "3a2ece8fae9de192", "dd1ebcea9bb47a4f"]
    for number, mark in enumerate(marks):
        land = made(f"s{number}", (large() if number % 2 else small()).evolve(generator=1))
        drawn = "\n".join(land.cells) + ",".join(land.links)
        assert (sha256(drawn.encode()).hexdigest()[:16], land.names) == (mark, {})
    # a map that does not say which was made before there were two
    old = {name: getattr(small(), name) for name in RandomMap.__struct_fields__ if name != "generator"}
    assert RandomMap(**old).generator == 1


@pytest.mark.clause("CN-4.10", "CN-4.11")
def test_no_link_runs_under_a_third_country() -> None:
    assert passed((0, 0), (2, 1)) == {(0, 0), (1, 0), (1, 1), (2, 1)}
    assert passed((0, 0), (0, 2)) == {(0, 0), (0, 1), (0, 2)}
    # at a corner it touches all four
    assert passed((0, 1), (1, 0)) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    for number in range(12):
        land = made(f"link {number}")
        assert all(open_way(land.areas, *link) for link in land.sea_links)


def test_countries_of_random_maps_have_names_of_their_own() -> None:
    land = made("seed")
    assert set(land.names) == set(land.countries)
    assert len(set(land.names.values())) == len(land.countries)
    assert all(name[0] == code[0] for code, name in land.names.items())
    assert land.called("A1") == f"A1 {land.names['A1']}"
    crowded = made("seed", large().evolve(countries=60, continents=1, cells_per_country=1))
    assert len(set(crowded.names.values())) == 60


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_symmetric_map_is_the_same_for_everybody(players: int) -> None:
    options = {"symmetry": str(players), "countries": "23", "continents": "5"}
    request = NewGameRequest(map=SPEC.maps()["symmetric"], options=options, seed="seed")
    table = SPEC.founded(request).table
    land = table.board
    random_land = table.board.random
    # rounded up to what can be shared out
    assert (random_land.countries, random_land.continents) == (24, 6 if players < 4 else 8)
    joined = land.borders | land.sea_links
    assert {pair(random_land.turned(one), random_land.turned(other)) for one, other in joined} == joined
    assert all(open_way(land.areas, *link) for link in land.sea_links)
    state = SPEC.start(table, Path(), None)
    seats = list(state.parties)
    assert len(seats) == players
    for country, holding in state.countries.items():
        following = seats[(seats.index(holding.owner) + 1) % players]
        assert state.countries[random_land.turned(country)].owner == following
    with pytest.raises(ValueError, match=f"is for {players} players, not for 5"):
        SPEC.founded(request.evolve(people=5))


@pytest.mark.clause("CN-5.4")
@pytest.mark.parametrize("players", range(2, 9))
def test_late_seats_deploy_more_unless_it_is_switched_off(players: int) -> None:
    table = GameData(rules(), made("seed"))

    def units(*, fair: bool) -> list[int]:
        state = begun("random", at=table, players=players, fair_start=fair)
        return [len(state.held(code)) + party.to_deploy for code, party in state.parties.items()]

    (dealt,) = set(units(fair=False))
    shares = rules().fair_start[str(players)]
    assert len(shares) == players
    assert units(fair=True) == [dealt + floor(dealt * share / 100 + 0.5) for share in shares]
    assert Settings().filled(rules()).fair_start is True
    # a game that began before there was the ruling goes on as it did
    assert Settings().fair_start is None
