"""How a game begins: settings, players, structures, units, maps (CS-1 to CS-5, CS-18)."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.core.yaml.source import SourceError
from gm.game.values import NewGameRequest
from gm.games.conquest_structures.spec import SPEC
from gm.games.conquest_structures.state import Unit, strength
from tests.conquest_structures.field import Field, start, table


def founded(map_name: str, people: int = 0, seed: str = "test", **options: str) -> list[str]:
    """The homes of the seats of a new game, in seat order."""
    chosen = SPEC.maps()[map_name]
    made = SPEC.founded(NewGameRequest(map=chosen, options=options, seed=seed, people=people))
    state = SPEC.start(made.table, chosen, None)
    return [player.home for player in state.parties.values()]


TURNED = {"duel-11": {"C3": "C3", "R3": "R4", "R4": "R3"}, "cross-21": {"C5": "C5"}}
"""The structures in the middle of a map, and where a half or quarter turn takes them."""


def after_turning(name: str, place: str) -> str:
    """Where a structure is after the turn that shows the same map to the next player."""
    letter, number, seats = place[0], int(place[1:]), len(table(name).board.homes)
    if place in TURNED[name]:
        return TURNED[name][place]
    return f"{letter}{seats + 1 + (number - seats) % seats}" if number > seats else f"{letter}{number % seats + 1}"


@pytest.mark.clause("CS-1.2", "CS-15.1")
def test_the_eight_stages_stand_in_the_rules_order() -> None:
    assert [stage.name.partition(" ")[0] for stage in SPEC.stages] == [str(number) for number in range(1, 9)]
    assert [stage.name.partition(" ")[2] for stage in SPEC.stages] == [
        "PopCap",
        "build",
        "movement",
        "conflict and capture",
        "supply",
        "penalty",
        "restoration",
        "victory, defeat and concession",
    ]
    steps = " ".join(step.name for stage in SPEC.stages for step in stage.steps)
    assert steps == "popcap build movement crossings meetings capture supply penalty restoration ending"


@pytest.mark.clause("CS-2.1", "CS-18.1")
def test_three_maps_come_with_the_game_and_each_half_or_quarter_turn_looks_the_same() -> None:
    sizes = {name: len(table(name).board.structures) for name in SPEC.maps()}
    assert sizes == {"test-6": 6, "duel-11": 11, "cross-21": 21}
    for name in TURNED:
        links = {frozenset(link) for link in table(name).board.links}
        assert {frozenset(after_turning(name, place) for place in link) for link in links} == links


@pytest.mark.clause("CS-2.2", "CS-18.1")
def test_two_up_to_the_number_of_homes_may_play_and_two_sit_opposite() -> None:
    assert founded("cross-21", people=2) == ["H1", "H3"]
    assert founded("cross-21", people=3) == ["H1", "H2", "H3"]
    assert founded("cross-21") == founded("cross-21", players="4") == ["H1", "H2", "H3", "H4"]
    for players in ("1", "5"):
        with pytest.raises(ValueError, match="2 to 4 players"):
            founded("cross-21", players=players)


@pytest.mark.clause("CS-2.2", "CS-15.3", "CS-1.3")
def test_drawn_homes_depend_on_the_seed_alone_and_are_all_possible() -> None:
    drawn = {tuple(founded("cross-21", seed=str(number), homes="draw")) for number in range(300)}
    assert len(drawn) == 24
    assert founded("cross-21", seed="a", homes="draw") == founded("cross-21", seed="a", homes="draw")
    firsts = [founded("cross-21", seed=str(number), homes="draw")[0] for number in range(300)]
    assert all(45 < firsts.count(home) < 105 for home in ("H1", "H2", "H3", "H4"))


@pytest.mark.clause("CS-1.3")
def test_no_turn_rolls_any_dice() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "T").put("R1", "I").play(RED=["C1 > R1"], BLUE=["R1 > C1"])
    assert field.told("DiceRolled") == []


@pytest.mark.clause("CS-3.1", "CS-3.2", "CS-3.3", "CS-3.4", "CS-3.5")
def test_a_state_holds_settings_players_structures_and_units_and_nothing_of_the_dice() -> None:
    state = start("duel-11", start_units="{tank: 1}")
    record = SPEC.record(state)
    assert {"turn", "parties", "winners", "settings", "owners", "units", "next_unit", "sent"} == set(record)
    assert "test" not in str({name: value for name, value in record.items() if name != "settings"})
    player = record["parties"]["RED"]
    assert {"code", "colour", "status", "missed", "home"} <= set(player)
    assert Unit(number=7, owner="RED", type="tank", place="H1").id == "u7"


@pytest.mark.clause("CS-5.4", "CS-9.3")
def test_any_number_of_one_players_units_share_a_structure_and_add_up() -> None:
    field = Field().put("C1", "IIIIIIIITT").play()
    assert field.at("C1") == "RED IIIIIIIITT"
    assert strength(field.state.at("C1"), field.table.rules) == 16


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
    with pytest.raises(SourceError) as found:
        SPEC.shipped_table("x", tmp_path)
    assert says in str(found.value)
    assert SPEC.check_map(tmp_path)[0].is_error
