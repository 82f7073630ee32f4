"""Maps as graphs."""

import networkx as nx
import pytest

from gm.core.map_graph import MapGraph, graphml

KINDS = {"Kent": "land", "Channel": "sea", "Calais": "land", "Savoy": "land", "Alps": "land"}
EDGES = [
    ("Kent", "Channel", None),
    ("Calais", "Channel", None),
    ("Savoy", "Calais", None),
    ("Savoy", "Alps", "mountains"),
]


@pytest.fixture
def board() -> MapGraph:
    return MapGraph(KINDS, EDGES)


@pytest.mark.clause("W3")
def test_a_closed_border_is_a_border_that_nobody_crosses(board: MapGraph) -> None:
    assert board.borders("Savoy", "Alps")
    assert not board.is_open("Savoy", "Alps")
    assert board.barrier("Alps", "Savoy") == "mountains"
    assert board.neighbours("Savoy") == ("Calais", "Alps")
    assert board.open_neighbours("Savoy") == ("Calais",)


def test_places_that_do_not_touch_share_no_border(board: MapGraph) -> None:
    assert not board.borders("Kent", "Savoy")
    assert not board.is_open("Kent", "nowhere")
    with pytest.raises(KeyError):
        board.barrier("Kent", "Savoy")


def test_neighbours_come_in_map_order_from_both_sides(board: MapGraph) -> None:
    assert board.neighbours("Channel") == ("Kent", "Calais")
    assert board.neighbours("Calais") == ("Channel", "Savoy")


@pytest.mark.parametrize(
    "edge", [("Kent", "Kent", None), ("Kent", "Rome", None), ("Channel", "Kent", "reefs")]
)
def test_a_border_to_itself_to_nowhere_or_twice_is_refused(edge: tuple[str, str, None]) -> None:
    with pytest.raises(ValueError, match="border"):
        MapGraph(KINDS, [*EDGES, edge])


def test_a_way_leads_through_places_that_let_it_pass_and_may_end_anywhere(board: MapGraph) -> None:
    def anywhere(place: str) -> bool:
        return True

    def at_sea(place: str) -> bool:
        return place == "Channel"

    assert board.reached(["Kent"], 0, anywhere) == {"Kent"}
    assert board.reached(["Kent"], 2, anywhere) == {"Kent", "Channel", "Calais"}
    assert board.reached(["Kent"], 9, anywhere) == {"Kent", "Channel", "Calais", "Savoy"}
    assert board.reached(["Kent"], 9, at_sea) == {"Kent", "Channel", "Calais"}
    assert board.reached(["Kent"], 9, lambda place: not at_sea(place)) == {"Kent", "Channel"}
    assert board.reached(["Kent", "Calais"], 1, at_sea) == {"Kent", "Calais", "Channel", "Savoy"}
    assert board.reached([], 9, anywhere) == frozenset()


def test_steps_are_counted_over_open_borders(board: MapGraph) -> None:
    assert board.steps_from("Kent") == {"Kent": 0, "Channel": 1, "Calais": 2, "Savoy": 3}


def test_parts_hang_together_by_open_borders_among_themselves(board: MapGraph) -> None:
    assert board.parts(KINDS) == [["Kent", "Channel", "Calais", "Savoy"], ["Alps"]]
    assert board.parts(["Savoy", "Kent", "Calais"]) == [["Calais", "Savoy"], ["Kent"]]
    assert board.parts([]) == []


def test_the_graph_knows_kinds_and_barriers(board: MapGraph) -> None:
    assert board.graph.nodes["Channel"]["kind"] == "sea"
    assert board.graph.edges["Savoy", "Alps"]["barrier"] == "mountains"
    assert board.graph.number_of_edges() == len(EDGES)
    assert nx.is_frozen(board.graph)
    assert nx.is_frozen(board.open)
    again = nx.parse_graphml(graphml(board.graph))
    assert (dict(again.nodes), list(again.edges.data())) == (
        dict(board.graph.nodes),
        list(board.graph.edges.data()),
    )
