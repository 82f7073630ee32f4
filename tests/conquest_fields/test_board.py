"""CF-4: fields, their names, and what is next to what."""

from __future__ import annotations

import pytest

from gm.games.conquest_fields.board import TOPOLOGIES, members
from tests.conquest_fields.boards import NAMES, board, names, small

SIZES = {
    "squares4-6x6": (36, 0),
    "squares8-10x10-hole": (100, 4),
    "hexagon-5-hole": (61, 1),
    "hexagon-conquest-1.0": (53, 2),
    "triangles-7x6": (42, 0),
    "training-victory": (9, 1),
    "training-one-move": (16, 0),
    "training-2x3": (6, 0),
    "test-hexagons-horizontal": (18, 2),
}


@pytest.mark.clause("CF-13.11", "CF-4.13", "CF-4.14", "CF-15.2", "CF-2.1")
@pytest.mark.parametrize("name", NAMES)
def test_the_nine_boards_have_their_sizes(name: str) -> None:
    assert (len(board(name).cells), board(name).holes.bit_count()) == SIZES[name]


@pytest.mark.clause("CF-13.4", "CF-4.2", "CF-4.8", "CF-4.11")
def test_in_rows_of_hexagons_e4_has_these_neighbours_and_those_two_steps_away() -> None:
    hexagons = board("hexagon-5-hole")
    e4 = hexagons.by_name["e4"]
    assert names(hexagons, hexagons.near[e4]) == "d3 d4 e3 e5 f3 f4"
    assert names(hexagons, hexagons.far[e4]) == "c3 c4 c5 d2 d5 e2 e6 f2 f5 g3 g4 g5"
    assert names(hexagons, hexagons.holes) == "e5"


@pytest.mark.clause("CF-13.5", "CF-4.8", "CF-4.9")
def test_odd_rows_and_odd_columns_of_hexagons_are_shifted() -> None:
    rows = board("hexagon-5-hole")
    assert names(rows, rows.near[rows.by_name["d3"]]) == "c3 c4 d2 d4 e3 e4"
    columns = board("test-hexagons-horizontal")
    assert names(columns, columns.near[columns.by_name["b2"]]) == "a2 b1 b3 c1 c2 c3"
    assert names(columns, columns.near[columns.by_name["b3"]]) == "a2 a3 a4 b2 b4 c3"


@pytest.mark.clause("CF-13.6", "CF-4.3", "CF-4.10")
def test_triangles_point_up_and_down_in_turn() -> None:
    triangles = board("triangles-7x6")
    b2, b3 = triangles.by_name["b2"], triangles.by_name["b3"]
    assert names(triangles, triangles.near[b2]) == "b1 b3 c2"
    assert names(triangles, triangles.far[b2]) == "a1 a3 b4 c1 c3"
    assert names(triangles, triangles.near[b3]) == "a3 b2 b4"


@pytest.mark.clause("CF-4.12", "CF-4.4", "CF-4.5", "CF-4.7")
@pytest.mark.parametrize(
    ("topology", "near", "far"),
    [("squares4", 4, 8), ("squares8", 8, 16), ("hex-rows", 6, 12), ("hex-cols", 6, 12), ("triangles", 3, 6)],
)
def test_away_from_the_edges_a_field_has_so_many_neighbours(topology: str, near: int, far: int) -> None:
    wide = small(*["." * 9] * 9, topology=topology)
    middle = wide.by_name["e5"]
    assert (wide.near[middle].bit_count(), wide.far[middle].bit_count()) == (near, far)


@pytest.mark.parametrize("topology", sorted(TOPOLOGIES))
def test_neighbours_are_neighbours_of_each_other(topology: str) -> None:
    ragged = small("..#..", " ....", ".. ..", "#....", topology=topology)
    for distance in (ragged.near, ragged.far):
        for field, others in enumerate(distance):
            assert not others >> field & 1
            assert all(distance[other] >> field & 1 for other in members(others))


@pytest.mark.clause("CF-4.6", "CF-3.2", "CF-4.1")
def test_blanks_count_as_columns_and_are_no_fields() -> None:
    odd = small(" .#", "R G")
    assert odd.names == ("a2", "a3", "b1", "b3")
    assert odd.text(odd.owned(odd.rows, "R"), odd.owned(odd.rows, "G")) == (" .#", "R G")


def test_rows_of_another_board_are_no_position() -> None:
    with pytest.raises(ValueError, match="not a position on the board small"):
        small("R.G").owned(("R.", "G"), "R")


@pytest.mark.clause("CF-15.1")
@pytest.mark.parametrize("name", NAMES[:5])
def test_large_boards_look_the_same_to_both_sides(name: str) -> None:
    def seen(side: str) -> list[tuple[int, int, int]]:
        """Each own field by what surrounds it: neighbours, own and enemy fields within reach."""
        here = board(name)
        own, enemy = here.owned(here.rows, side), here.owned(here.rows, "G" if side == "R" else "R")
        return sorted(
            (here.near[each].bit_count(), (here.reach[each] & own).bit_count(), (here.reach[each] & enemy).bit_count())
            for each in members(own)
        )

    assert seen("R") == seen("G")
