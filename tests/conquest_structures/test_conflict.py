"""Movement, crossings, meetings, bumps and capture (CS-8, CS-9); the worked examples are in test_examples."""

from __future__ import annotations

import pytest

from tests.conquest_structures.field import NEUTRAL, Field


@pytest.mark.clause("CS-8.3", "CS-1.1")
def test_all_moves_start_at_once_so_that_places_can_be_swapped_round() -> None:
    field = Field({"R1": "RED"}).put("H1", "I").put("C1", "T").play(RED=["H1 > C1", "C1 > R1"])
    assert (field.at("C1"), field.at("R1"), field.at("H1")) == ("RED I", "RED T", "")


@pytest.mark.clause("CS-9.1")
def test_units_of_one_player_pass_each_other_on_a_link() -> None:
    field = Field().put("H1", "I").put("C1", "T").play(RED=["H1 > C1", "C1 > H1"])
    assert (field.at("C1"), field.at("H1")) == ("RED I", "RED T")
    assert field.told("FoughtOnLink") == []


@pytest.mark.clause("CS-9.2", "CS-9.4")
def test_the_strongest_party_wins_alone_although_the_others_are_more_together() -> None:
    field = Field({"R1": "GREEN"}, players=3).put("C1", "TII").put("C2", "T").put("R1", "IIII")
    field.play(RED=["C1 > R1"], BLUE=["C2 > R1"])
    assert field.at("R1") == "RED IIT"
    assert field.at("C2") == "BLUE T"
    (fought,) = field.told("FoughtAt")
    assert fought.winner == "RED"
    assert dict(fought.strengths) == {"BLUE": 4, "GREEN": 4, "RED": 6}
    # the defenders had nowhere to go
    assert len(field.told("Destroyed")) == 4


@pytest.mark.clause("CS-9.7", "CS-9.6")
def test_a_mover_beside_his_own_defender_is_bumped_in_a_tie() -> None:
    field = Field({"R1": "RED"}).put("R1", "I").put("C1", "I").put("C2", "II")
    field.play(RED=["C1 > R1", "Hold@R1"], BLUE=["C2 > R1"])
    assert (field.at("R1"), field.at("C1"), field.at("C2")) == ("RED I", "RED I", "BLUE II")


@pytest.mark.clause("CS-9.10", "CS-9.15")
def test_conflicts_of_a_round_are_judged_on_the_same_position() -> None:
    # both structures are judged before anybody goes back: the bumped blue unit does not help in M1
    owners = {"R1": "BLUE", "M1": "BLUE", "C2": "BLUE"}
    field = Field(owners).put("C1", "TT").put("R1", "I").put("M1", "I")
    field.play(RED=["u1 @ C1 > R1", "u2 @ C1 > M1"])
    assert [(each.place, each.round) for each in field.told("FoughtAt")] == [("M1", 1), ("R1", 1)]
    assert (field.at("R1"), field.at("M1"), field.at("C2")) == ("RED T", "RED T", "BLUE II")


@pytest.mark.clause("CS-9.11", "CS-9.12")
def test_a_place_that_was_left_keeps_its_owner_until_somebody_else_stands_there() -> None:
    field = Field().put("C1", "I").play(RED=["C1 > R1"])
    assert (field.owner("C1"), field.owner("R1")) == ("RED", "RED")
    (captured,) = field.told("Captured")
    assert (captured.place, captured.owner, captured.formerly) == ("R1", "RED", NEUTRAL)
    field.play(RED=["R1 > C2"])
    assert (field.owner("R1"), field.owner("C2")) == ("RED", "RED")


@pytest.mark.clause("CS-9.14")
def test_a_defender_prefers_where_it_came_from_then_an_empty_place_then_the_lowest() -> None:
    owners = {"H1": "BLUE", "M1": "BLUE", "R1": "BLUE", "C1": "BLUE", "C2": "RED", "H2": "RED"}
    attack = {"RED": ["R1 > C1"]}
    field = Field({**owners, "R1": "RED"}).put("C1", "I", came_from="M1").put("R1", "T").play(**attack)
    assert field.at("M1") == "BLUE I"
    field = Field({**owners, "R1": "RED"}).put("C1", "I", came_from="R1").put("R1", "T").play(**attack)
    assert field.at("H1") == "BLUE I"
    field = Field({**owners, "R1": "RED", "H1": "RED"}).put("C1", "I").put("R1", "T").play(**attack)
    assert field.at("M1") == "BLUE I"


@pytest.mark.clause("CS-9.14", "CS-9.15")
@pytest.mark.parametrize(("refinery", "goes_to", "rounds"), [("BLUE", "R1", 1), (NEUTRAL, "M1", 2)])
def test_a_retreat_goes_where_no_stranger_stands_if_it_can(refinery: str, goes_to: str, rounds: int) -> None:
    owners = {"C1": "BLUE", "M1": "BLUE", "H1": "RED", "C2": "GREEN", "R1": refinery}
    field = Field(owners, players=3).put("C1", "I").put("H1", "T").put("C2", "I")
    field.play(RED=["H1 > C1"], GREEN=["C2 > M1"])
    (first, *more) = [each for each in field.told("Bumped") if each.unit == "u1"]
    assert (first.place, first.target) == ("C1", goes_to)
    assert max(each.round for each in field.told("FoughtAt")) == rounds
    # in M1 it meets green, one against one: neither was there before, and both go on
    assert bool(more or field.told("Destroyed")) is (rounds == 2)


@pytest.mark.clause("CS-9.16")
def test_nobody_goes_back_to_a_place_that_he_was_bumped_out_of() -> None:
    owners = {"R1": "BLUE", "M1": "BLUE", "H1": "BLUE"}
    field = Field(owners).put("C1", "I").put("R1", "T").put("M1", "T").play(RED=["C1 > R1"], BLUE=["M1 > C1"])
    (destroyed,) = field.told("Destroyed")
    assert (destroyed.unit, destroyed.place, destroyed.immobile) == ("u1", "C1", False)


@pytest.mark.clause("CS-9.18", "CS-12.3", "CS-10.10")
def test_neutral_units_hold_defend_and_retreat_to_neutral_places() -> None:
    field = Field({"C2": "BLUE"}).put("C2", "I").put("C1", "T").play(RED=["C1 > R1"], BLUE=["Concede"])
    assert field.state.winners == ("RED",)
    field = Field({"C2": "BLUE"}, players=3)
    field.state = field.state.with_owners({"H1": "GREEN"}).with_party("GREEN", missed=0)
    field.put("C2", "I", marks=1).put("C1", "T").play(RED=["C1 > R1"], BLUE=["Concede"])
    assert field.at("C2") == f"{NEUTRAL} I"
    assert field.state.units[1].marks == 0, "neutral units need no supply, and recover"
    field.play(RED=["R1 > C2"])
    assert (field.at("C2"), field.owner("C2")) == ("RED T", "RED")
    assert field.at("H2") == f"{NEUTRAL} I"
    assert [each.owner for each in field.told("NetworkSupplied")] == ["RED"]


@pytest.mark.clause("CS-9.19", "CS-3.4")
def test_where_a_unit_came_from_is_the_structure_that_it_left_last() -> None:
    field = Field().put("C1", "I").play(RED=["C1 > R1"])
    assert field.state.units[1].came_from == "C1"
    # bumped twice: from R1 to C1, from there to H1
    owners = {"R1": "BLUE", "M1": "BLUE"}
    field = Field(owners).put("C1", "I").put("R1", "T").put("M1", "T").play(RED=["C1 > R1"], BLUE=["M1 > C1"])
    assert (field.state.units[1].place, field.state.units[1].came_from) == ("H1", "C1")
    # out and back again: nothing has changed
    field = Field({"R1": "BLUE"}).put("C1", "I", came_from="H1").put("R1", "T").play(RED=["C1 > R1"])
    assert (field.state.units[1].place, field.state.units[1].came_from) == ("C1", "H1")


@pytest.mark.clause("CS-15.2")
def test_events_of_a_step_come_by_structure() -> None:
    field = Field().put("C2", "I").put("C1", "I").play(RED=["C1 > R1"], BLUE=["C2 > M1"])
    assert [event.place for event in field.told("SetOut")] == ["C1", "C2"]
    assert [event.place for event in field.told("Captured")] == ["M1", "R1"]
