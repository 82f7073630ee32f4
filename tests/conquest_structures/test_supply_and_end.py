"""Supply, marks, and how the game ends (CS-10, CS-11, CS-12)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.games.conquest_structures.state import CONCEDED, DEFEATED, WINNER
from tests.conquest_structures.field import NEUTRAL, Field


def network(field: Field, place: str) -> Any:
    """What was told of the network that a place belongs to."""
    (found,) = [each for each in field.told("NetworkSupplied") if place in each.places]
    return found


@pytest.mark.clause("CS-10.1", "CS-10.2", "CS-10.4")
def test_structures_that_hang_together_are_one_network() -> None:
    field = Field({"R1": "RED", "C2": "RED", "H2": "BLUE", "M1": NEUTRAL})
    assert list(field.state.networks("RED", field.table.board)) == [("C1", "C2", "H1", "R1")]
    field = Field({"C1": NEUTRAL, "R1": "RED", "C2": "BLUE"}).put("R1", "T").put("H1", "I").play()
    assert (network(field, "R1").sources, network(field, "R1").short) == (1, ("u1",))
    assert network(field, "H1").short == ()


@pytest.mark.clause("CS-10.2")
def test_supply_runs_through_what_is_owned_after_the_fighting() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "T").put("R1", "I").play(RED=["C1 > R1"], BLUE=["R1 > C1"])
    assert network(field, "R1").sources == 2
    assert network(field, "R1").short == ()


@pytest.mark.clause("CS-10.3")
def test_only_sources_are_limited() -> None:
    # one line of two tanks through one city
    field = Field({"R1": "RED"}).put("C1", "I").put("H1", "I").play()
    assert (network(field, "C1").sources, network(field, "C1").needs, network(field, "C1").short) == (2, 2, ())


@pytest.mark.clause("CS-10.5", "CS-10.6")
@pytest.mark.parametrize(
    ("wishes", "fed"),
    [
        ([], "u1"),
        (["u3"], "u3"),
        (["Infantry@H1"], "u2"),
        (["H1"], "u2"),
        (["u9", "u3", "u1"], "u3"),
    ],
)
def test_the_player_decides_beforehand_who_is_fed(wishes: list[str], fed: str) -> None:
    field = Field().put("C1", "I").put("H1", "I").put("C1", "I").play(priority={"RED": wishes})
    assert network(field, "C1").supplied == (fed,)
    assert network(field, "C1").chosen is bool(wishes)


@pytest.mark.clause("CS-10.7", "CS-10.8")
def test_a_unit_that_does_not_fit_is_passed_over() -> None:
    field = Field().put("C1", "T", marks=2).put("C1", "I").play()
    assert (network(field, "C1").supplied, network(field, "C1").short) == (("u2",), ("u1",))


@pytest.mark.clause("CS-10.10")
def test_nobody_is_fed_by_another_player() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "II").play()
    assert network(field, "C1").sources == 1


@pytest.mark.clause("CS-11.1", "CS-11.3")
def test_marks_stop_at_three() -> None:
    field = Field({"C1": NEUTRAL, "R1": "RED", "H1": "BLUE", "C2": "BLUE"}).put("R1", "T", marks=3).play()
    assert field.state.units[1].marks == 3


@pytest.mark.clause("CS-11.4")
def test_an_immobile_unit_defends_and_counts_for_popcap_and_supply() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "T", marks=3).put("R1", "T")
    field.play(RED=["Build 1 Tank@H1"], BLUE=["R1 > C1"])
    assert field.at("C1") == "RED T"
    assert field.fates("RED") == [("failed", "no-popcap")]
    assert network(field, "C1").needs == 2


@pytest.mark.clause("CS-11.5", "CS-7.8")
def test_new_and_bumped_units_are_checked_too() -> None:
    field = Field({"M1": "RED", "C1": "BLUE", "C2": "BLUE", "H2": "RED"})
    field.play(RED=["Build 1 Infantry@M1"])
    assert field.state.units[1].marks == 1
    field = Field({"R1": "BLUE"}).put("C1", "II").put("R1", "T").play(RED=["1 infantry @ C1 > R1"])
    assert [unit.marks for unit in field.state.units_of("RED")] == [0, 1]


# -- the end -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CS-12.1")
def test_who_holds_every_city_and_home_has_won() -> None:
    field = Field({"H2": "RED"}).put("C1", "II").play(RED=["1 Infantry @ C1 > R1"])
    assert field.state.winners is None
    field.play(RED=["R1 > C2"])
    assert field.state.winners == ("RED",)
    assert field.state.parties["RED"].status == WINNER
    assert field.told("Won")[0].how == "cities"
    assert field.told("GameOver")[0].winners == ("RED",)


@pytest.mark.clause("CS-12.2", "CS-12.6", "CS-12.4")
def test_who_holds_nothing_is_defeated_and_can_send_no_orders() -> None:
    field = Field({"C2": NEUTRAL, "H1": "GREEN", "R1": "BLUE"}, players=3).put("C1", "I").put("R1", "I")
    field.state = field.state.with_owners({"H2": "GREEN"})
    field.put("C1", "T").play(RED=["C1 > R1"])
    assert field.state.parties["BLUE"].status == DEFEATED
    assert field.state.units_of("BLUE") == ()
    reading = field.read("BLUE", "Hold@C2")
    assert reading.sheet is None
    assert "out of the game" in reading.diagnostics[0].message


@pytest.mark.clause("CS-12.3", "CS-12.5", "CS-6.6")
def test_who_concedes_has_his_other_orders_carried_out_and_leaves_all_to_the_neutrals() -> None:
    field = Field({"H1": "GREEN", "M1": "RED"}, players=3).put("C1", "I").play(RED=["C1 > R1", "Concede"])
    assert field.at("R1") == f"{NEUTRAL} I"
    assert {field.owner(place) for place in ("C1", "R1", "M1")} == {NEUTRAL}
    assert field.state.parties["RED"].status == CONCEDED
    assert field.fates("RED") == [("done", ""), ("done", "")]
    assert field.state.winners is None


@pytest.mark.clause("CS-12.4")
def test_victory_comes_before_concession() -> None:
    field = Field({"H2": "RED", "R1": "RED"}).put("R1", "I").play(RED=["R1 > C2", "Concede"])
    assert field.state.winners == ("RED",)
    assert field.told("Conceded") == []


@pytest.mark.clause("CS-12.7", "CS-2.4")
def test_the_only_player_left_has_won_unless_the_settings_say_otherwise() -> None:
    field = Field().play(BLUE=["Concede"])
    assert field.state.winners == ("RED",)
    assert field.told("Won")[0].how == "last"
    field = Field()
    field.state = field.state.evolve(settings=field.state.settings.evolve(last_player_wins=False))
    assert field.play(BLUE=["Concede"]).state.winners is None


@pytest.mark.clause("CS-12.7")
def test_if_nobody_is_left_the_game_is_a_draw() -> None:
    field = Field().play(RED=["Concede"], BLUE=["Conceede"])
    assert field.state.winners == ()
    assert field.told("Drawn")


@pytest.mark.clause("CS-12.8", "CS-2.5")
@pytest.mark.parametrize(
    ("owners", "winners"),
    [
        ({}, ("RED", "BLUE")),
        ({"R1": "BLUE"}, ("BLUE",)),
        ({"C2": "RED", "R1": "BLUE", "M1": "BLUE"}, ("RED",)),
    ],
)
def test_at_the_limit_cities_count_then_structures_and_equals_share(
    owners: dict[str, str], winners: tuple[str, ...]
) -> None:
    field = Field(owners)
    field.state = field.state.evolve(settings=field.state.settings.evolve(max_turns=2))
    assert field.play().state.winners is None
    assert field.play().state.winners == winners
    assert {each.how for each in field.told("Won")} == {"count"}
