"""Maps as graphs."""

from __future__ import annotations

import pytest

from gm.kernel.topology import Topology

KINDS = {"Kent": "land", "Channel": "sea", "Calais": "land", "Savoy": "land", "Alps": "land"}
EDGES = [
    ("Kent", "Channel", None),
    ("Calais", "Channel", None),
    ("Savoy", "Calais", None),
    ("Savoy", "Alps", "mountains"),
]


@pytest.fixture
def board() -> Topology:
    return Topology(KINDS, EDGES)


@pytest.mark.clause("W3")
def test_a_closed_border_is_a_border_that_nobody_crosses(board: Topology) -> None:
    assert board.borders("Savoy", "Alps")
    assert not board.is_open("Savoy", "Alps")
    assert board.barrier("Alps", "Savoy") == "mountains"
    assert board.neighbours("Savoy") == ("Calais", "Alps")
    assert board.open_neighbours("Savoy") == ("Calais",)


def test_places_that_do_not_touch_share_no_border(board: Topology) -> None:
    assert not board.borders("Kent", "Savoy")
    assert not board.is_open("Kent", "nowhere")
    with pytest.raises(KeyError):
        board.barrier("Kent", "Savoy")


def test_neighbours_come_in_map_order_from_both_sides(board: Topology) -> None:
    assert board.neighbours("Channel") == ("Kent", "Calais")
    assert board.neighbours("Calais") == ("Channel", "Savoy")


@pytest.mark.parametrize("edge", [("Kent", "Kent", None), ("Kent", "Rome", None), ("Channel", "Kent", "reefs")])
def test_a_border_to_itself_to_nowhere_or_twice_is_refused(edge: tuple[str, str, None]) -> None:
    with pytest.raises(ValueError, match="border"):
        Topology(KINDS, [*EDGES, edge])


def test_distance_counts_open_borders_through_places_that_let_pass(board: Topology) -> None:
    def anywhere(place: str) -> bool:
        return True

    assert board.distance("Kent", "Kent", anywhere, 0) == 0
    assert board.distance("Kent", "Savoy", anywhere, 3) == 3
    assert board.distance("Kent", "Savoy", anywhere, 2) is None
    assert board.distance("Kent", "Alps", anywhere, 9) is None
    assert board.distance("Kent", "Calais", lambda place: place != "Channel", 9) is None
    assert board.distance("Kent", "Calais", lambda place: place == "Channel", 9) == 2


def test_the_graph_knows_kinds_and_barriers(board: Topology) -> None:
    assert board.graph.nodes["Channel"]["kind"] == "sea"
    assert board.graph.edges["Savoy", "Alps"]["barrier"] == "mountains"
    assert board.graph.number_of_edges() == len(EDGES)
