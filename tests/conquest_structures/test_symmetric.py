"""Maps of equal sectors: the same to every player, however they were made, and carried to who has them
nowhere else.
"""

from itertools import combinations, product

import pytest

from gm.game.values import NewGameRequest, TurnResult
from gm.games.conquest_structures.rules import Board, Wheel
from gm.games.conquest_structures.spec import SPEC
from gm.games.conquest_structures.symmetric import made_board
from tests.conquest_structures.field import table

KEPT = ("twins-15", "trefoil-16", "pentagon-26", "hexagon-31")  # What the generator made, as files


def made(players: int, seed: str, **figures: int) -> Board:
    plain = Board(name="x", title="X", wheel=Wheel())
    return made_board(plain, Wheel(**figures), players, seed)


def turned(place: str, board: Board) -> str:
    """Where a structure is after a turn by one sector; the last city is the middle."""
    sectors = len(board.homes)
    number = int(place[1:]) - 1
    if place == f"C{sum(name[0] == 'C' for name in board.structures)}":
        return place
    return f"{place[0]}{number - number % sectors + (number + 1) % sectors + 1}"


MADE = tuple(f"{players} {seed}" for players, seed in product(range(2, 7), range(3)))
"""Seeds of maps that are made, which begin with the number of players."""


def board_of(name: str) -> Board:
    """Return one of the kept maps, or one that is made from a seed."""
    return table(name).board if name in KEPT else made(int(name[0]), name)


@pytest.mark.clause("CS-18.1", "CS-4.7")
@pytest.mark.parametrize("name", [*KEPT, *MADE])
def test_every_player_sees_the_same_map(name: str) -> None:
    board = board_of(name)
    links = {frozenset(link) for link in board.links}
    assert {frozenset(turned(place, board) for place in link) for link in links} == links
    at = {place: complex(*point) for place, point in board.places.items()}
    assert all(abs(at[one] - at[other]) > 8 for one, other in combinations(at, 2)), (
        "nothing lies on anything else"
    )
    for one, other in board.links:
        for place in set(at) - {one, other}:
            along = at[other] - at[one]
            share = min(1.0, max(0.0, ((at[place] - at[one]) * along.conjugate()).real / abs(along) ** 2))
            assert abs(at[place] - at[one] - along * share) > 4, f"{one}-{other} passes {place}"
    assert len({*board.steps["H1"]}) == len(board.structures), "there is a way to everywhere"
    assert not {frozenset(pair) for pair in combinations(board.homes, 2)} & links


def test_the_seed_decides_and_nothing_else() -> None:
    assert made(4, "a") == made(4, "a") != made(4, "b")
    with pytest.raises(ValueError, match="room for 9 structures, not for 12"):
        made(3, "a", cities=4, refineries=4, bases=3)
    with pytest.raises(ValueError, match="no map was found by these figures"):
        made(3, "a", links=2)


def test_a_game_on_a_map_that_was_made_carries_it() -> None:
    chosen = SPEC.maps()["symmetric"]
    founded = SPEC.founded(NewGameRequest(map=chosen, seed="s", options={"players": "5"}))
    start = SPEC.start(founded.table, chosen, None)
    assert [player.home for player in start.parties.values()] == ["H1", "H2", "H3", "H4", "H5"]
    assert founded.table.board.name == "made-symmetric"
    result = TurnResult(game="g", before=start, after=start, events=())
    data = SPEC.reports(founded.table, result, html=False)["results/RED.yaml"]
    carried = SPEC.results_table(data, "RED.yaml")
    assert carried is not None
    assert carried.board == founded.table.board
    with pytest.raises(ValueError, match="2 to 6 players, not for 7"):
        SPEC.founded(NewGameRequest(map=chosen, seed="s", options={"players": "7"}))


def test_a_map_of_old_packs_as_it_always_did() -> None:
    """What a running game keeps of its map is what its rules' mark is made of."""
    assert b"wheel" not in SPEC.packed_table(table("cross-21"))
