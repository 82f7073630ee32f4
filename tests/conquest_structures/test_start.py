"""How a game begins: settings, players, structures, units, maps (CS-1 to CS-5, CS-18)."""

from pathlib import Path

import pytest

from gm.core.yaml.source import SourceError
from gm.games.conquest_structures.spec import SPEC
from tests.conquest_structures.field import founded, table

TURNED = {"duel-11": {"C3": "C3", "R3": "R4", "R4": "R3"}, "cross-21": {"C5": "C5"}}
"""The structures in the middle of a map, and where a half or quarter turn takes them."""


def after_turning(name: str, place: str) -> str:
    """Where a structure is after the turn that shows the same map to the next player."""
    letter = place[0]
    number = int(place[1:])
    seats = len(table(name).board.homes)
    if place in TURNED[name]:
        return TURNED[name][place]
    return (
        f"{letter}{seats + 1 + (number - seats) % seats}"
        if number > seats
        else f"{letter}{number % seats + 1}"
    )


@pytest.mark.clause("CS-2.1", "CS-18.1")
def test_maps_come_with_the_game_and_each_half_or_quarter_turn_looks_the_same() -> None:
    sizes = {name: len(table(name).board.structures) for name in SPEC.maps()}
    made = {"twins-15": 15, "trefoil-16": 16, "pentagon-26": 26, "hexagon-31": 31, "symmetric": 21}
    assert sizes == {"test-6": 6, "duel-11": 11, "cross-21": 21, **made}
    for name in TURNED:
        links = {frozenset(link) for link in table(name).board.links}
        assert {frozenset(after_turning(name, place) for place in link) for link in links} == links


@pytest.mark.clause("CS-2.2", "CS-15.3", "CS-1.3")
@pytest.mark.slow
def test_drawn_homes_depend_on_the_seed_alone_and_are_all_possible() -> None:
    drawn = {tuple(founded("cross-21", seed=str(number), homes="draw")) for number in range(300)}
    assert len(drawn) == 24
    assert founded("cross-21", seed="a", homes="draw") == founded("cross-21", seed="a", homes="draw")
    firsts = [founded("cross-21", seed=str(number), homes="draw")[0] for number in range(300)]
    assert all(45 < firsts.count(home) < 105 for home in ("H1", "H2", "H3", "H4"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("H1-C1", "H1-H1"), "no border can run"),
        (("H1-C1", "H1+C1"), "hyphen"),
        (("links: H1-C1", "links: Z-C1 H1-C1"), "a letter and a number"),
        (("homes: [H1, H2]", "homes: [H1, H9]"), "the home H9 has no link"),
        (("H1: [0, 50], ", ""), "no place on the picture is given for H1"),
        (("seats: {2: [H1, H2]}", "seats: {2: [H1, H1]}"), "2 different homes"),
    ],
)
def test_a_broken_map_is_told_with_its_place(change: tuple[str, str], says: str, tmp_path: Path) -> None:
    text = (SPEC.maps()["test-6"] / "map.yaml").read_text("utf-8")
    assert change[0] in text
    (tmp_path / "map.yaml").write_text(text.replace(*change), "utf-8")
    with pytest.raises(SourceError) as error:
        SPEC.shipped_table("x", tmp_path)
    assert says in str(error.value)
    assert SPEC.check_map(tmp_path)[0].is_error
